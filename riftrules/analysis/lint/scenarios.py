"""`never-fired` and `never-withheld`: rules that no scenario shows at work, or shows at rest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from riftrules.analysis.lint.material import Material, doubt
from riftrules.engine.program import Program
from riftrules.engine.session import Session
from riftrules.errors import Problem, RulesetError
from riftrules.facts.memory import Fact
from riftrules.facts.trace import StackedFrame
from riftrules.language.model import Bind, Pattern, Refuse, Rule, Ruleset
from riftrules.language.rebuilding import parts_of
from riftrules.scenario.files import Catalogue
from riftrules.scenario.loading import load_file
from riftrules.scenario.model import Run
from riftrules.scenario.playing import play


def untested_rules(material: Material) -> Iterator[Problem]:
    """`never-fired`, `never-withheld`: no scenario in which the rule fires (refuses), or in which it might and does not.

    What fixtures say under `fired`, `not_fired` and `refused` is believed; for the rules they do not name they are
    played. Rules that ask are seen in `asked`, and are not told apart. Without a fixture nothing is said.
    """
    if not material.fixtures:
        return
    rules = [rule for rule in material.own_rules if rule.kind != "ask"]
    named = material.named
    always = {rule.id for rule in rules if _unconditional(rule, material.ruleset)}
    fired = {rule.id for rule in rules if rule.id in named["fired"] | named["rule"] or _cited(rule, material)}
    withheld = {rule.id for rule in rules if rule.id in named["not_fired"] or _asked_for(rule, material)}
    shown = _Shown({rule.id for rule in rules} - fired, {rule.id for rule in rules} - withheld - always)
    shown.play(material)
    for rule in rules:
        if rule.id in shown.unfired:
            said = f"no scenario lets rule `{rule.id}` {'refuse a request' if rule.kind == 'legality' else 'fire'}"
            yield doubt(rule.place, "never-fired", said, "write one, or take the rule away")
        if rule.id in shown.unwithheld:
            said = f"no scenario comes to rule `{rule.id}` without letting it {'refuse' if rule.kind == 'legality' else 'fire'}"
            yield doubt(rule.place, "never-withheld", said, "write one in which a condition of it is not met")


def _cited(rule: Rule, material: Material) -> bool:
    """Whether a refusal is expected by a number that this rule cites."""
    return rule.kind == "legality" and any(number in material.refused_numbers for number in rule.cites)


def _asked_for(rule: Rule, material: Material) -> bool:
    """Whether the request that a rule refuses is made in some fixture: there it is withheld."""
    return any(isinstance(said, Refuse) and said.procedure in material.mentioned for said in rule.then)


def _unconditional(rule: Rule, ruleset: Ruleset) -> bool:
    """Whether nothing is left to keep a rule from firing once it is looked at: it only names what is there."""
    for one in rule.when:
        if not isinstance(one, Pattern) or one.name is None:
            return False
        kind = ruleset.templates[one.template].kind
        if any(not isinstance(test.test, Bind) for test in one.tests) or (kind == "standing" and not _named_elsewhere(one, rule)):
            return False
    return rule.event is None or all(isinstance(test.test, Bind) for test in rule.event.tests)


def _named_elsewhere(pattern: Pattern, rule: Rule) -> bool:
    """Whether the fact of a pattern is one that another pattern, or the event, refers to."""
    others = [one for one in (*rule.when, rule.event) if isinstance(one, Pattern) and one is not pattern]
    return any(isinstance(test.test, Bind) and test.test.variable == pattern.name for one in others for test in one.tests)


def _likeliest(material: Material, rules: set[str]) -> list[Path]:
    """The fixtures, those first that mention most of what these rules are about."""
    ruleset = material.ruleset
    words: set[str] = set()
    for rule in ruleset.rules:
        if rule.id in rules:
            words |= {rule.id, *rule.cites, *([rule.event.template] if rule.event is not None else [])}
            words |= {name for name, procedure in ruleset.procedures.items() if rule.step in procedure.steps}
            words |= {part.template for part in parts_of(rule.when) if isinstance(part, Pattern)}
    counts = {
        path: sum(1 for word in words if word in text) for path, text in zip(material.paths, material.fixtures, strict=True)
    }
    return sorted(material.paths, key=lambda path: (-counts[path], path))


@dataclass(slots=True)
class _Shown:
    """The rules not yet seen to fire, and not yet seen to be withheld."""

    unfired: set[str]
    unwithheld: set[str]
    sessions: list[Session] = field(default_factory=list)

    def play(self, material: Material) -> None:
        """Play scenarios until every rule has been seen both ways, or there is none left."""
        ruleset = material.ruleset
        catalogue = Catalogue(Path(ruleset.path))  # whatever folder of this name a fixture would find
        catalogue.loaded[Path(ruleset.path).resolve()] = ruleset
        open_session: _Opens | None = None
        for path in _likeliest(material, self.unfired | self.unwithheld):
            if not self.unfired and not self.unwithheld:
                return
            open_session = open_session or _Opens(material.program, self.sessions)
            try:
                loaded = load_file(path, catalogue).scenarios
            except RulesetError:
                continue
            for one in loaded:
                if one.scenario is not None:
                    self._note(play(one.scenario, ruleset, open_session), ruleset)

    def _note(self, run: Run, ruleset: Ruleset) -> None:
        fired = {firing.rule for firing in run.trace.firings()}
        refused = {one.rule for moment in run.moments if moment.refusal for one in moment.refusal.rules}
        frames = {write.template for session in self.sessions[-1:] for write in session.memory.log}
        steps = {step for name in frames & ruleset.procedures.keys() for step in ruleset.procedures[name].steps}
        events = {event.template for event in run.trace.events()}
        self.unfired -= fired | refused
        looked_at = {rule.id for rule in ruleset.rules if rule.step in steps or (rule.event and rule.event.template in events)}
        self.unwithheld -= looked_at - fired


class _Opens:
    """Opens sessions of one program and keeps the last of them."""

    def __init__(self, program: Program, sessions: list[Session]) -> None:
        self.program = program
        self.sessions = sessions

    def __call__(self, _: Ruleset, facts: Sequence[Fact], stack: Sequence[StackedFrame]) -> Session:
        session = Session(self.program, facts, stack, matcher="demand")
        self.sessions[:] = [session]
        return session
