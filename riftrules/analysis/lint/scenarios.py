"""`never-fired` and `never-withheld`: rules that no scenario shows at work, or shows at rest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from riftrules.analysis.considering import Changes, ConsideringSession
from riftrules.analysis.coverage.asking import Asker, Seen
from riftrules.analysis.coverage.reasons import Reasons, read_reasons
from riftrules.analysis.coverage.spots import BOTH
from riftrules.analysis.lint.material import Material, doubt
from riftrules.engine.board import Board
from riftrules.engine.productions import Production
from riftrules.engine.program import Program
from riftrules.engine.session import Session
from riftrules.errors import Problem, RulesetError
from riftrules.facts.memory import Fact
from riftrules.facts.trace import StackedFrame
from riftrules.language.model import Pattern, Rule, Ruleset
from riftrules.language.rebuilding import parts_of
from riftrules.scenario.files import Catalogue
from riftrules.scenario.loading import load_file
from riftrules.scenario.model import Run
from riftrules.scenario.playing import play


def untested_rules(material: Material) -> Iterator[Problem]:
    """`never-fired`, `never-withheld`: no scenario in which the rule fires (refuses), or in which it might and does not.

    A rule is withheld where coverage says so: it is looked at on a board of which it does not hold. One in which nothing
    can fail, or for which `undecided.yaml` gives a reason, need not be. What fixtures say under `fired` and `refused` is
    believed; else they are played. Rules that ask are seen in `asked`, and are not told apart. Without a fixture nothing
    is said.
    """
    if not material.fixtures:
        return
    rules = [rule for rule in material.own_rules if rule.kind != "ask"]
    named = material.named
    asker, reasons = Asker(material.ruleset), read_reasons(material.undecided, material.ruleset.name)
    excused = {rule.id for rule in rules if rule.id in asker.sure or is_excused(rule, asker, reasons)}
    fired = {rule.id for rule in rules if rule.id in named["fired"] | named["rule"] or _cited(rule, material)}
    shown = _Shown(
        asker,
        _only_rules(asker),
        Changes(material.ruleset),
        {rule.id for rule in rules} - fired,
        {rule.id for rule in rules} - excused,
    )
    shown.play(material)
    for rule in rules:
        if rule.id in shown.unfired:
            said = f"no scenario lets rule `{rule.id}` {'refuse a request' if rule.kind == 'legality' else 'fire'}"
            yield doubt(rule.place, "never-fired", said, "write one, or take the rule away")
        if rule.id in shown.unwithheld:
            said = f"no scenario comes to rule `{rule.id}` without letting it {'refuse' if rule.kind == 'legality' else 'fire'}"
            yield doubt(rule.place, "never-withheld", said, "write one in which a condition of it is not met")


def _only_rules(asker: Asker) -> Seen:
    """What has been seen where nothing is asked of single conditions any more, but of rules alone."""
    return Seen(bytearray([BOTH] * len(asker.spots)))


def is_excused(rule: Rule, asker: Asker, reasons: Reasons) -> bool:
    """Whether no scenario need withhold the rule: a reason is given for it, or for each of its conditions."""
    own = [spot for spot in asker.spots if spot.holder == f"rule {rule.id}"]
    return bool(reasons.of_rule(rule.id)) or all(reasons.of(spot) for spot in own)


def _cited(rule: Rule, material: Material) -> bool:
    """Whether a refusal is expected by a number that this rule cites."""
    return rule.kind == "legality" and any(number in material.refused_numbers for number in rule.cites)


def _likeliest(material: Material, rules: set[str], paths: Iterable[Path]) -> Path:
    """The fixture of these that mentions most of what the rules are about, their own names above all."""
    ruleset = material.ruleset
    words: set[str] = set()
    for rule in ruleset.rules:
        if rule.id in rules:
            words |= {*rule.cites, *([rule.event.template] if rule.event is not None else [])}
            words |= {name for name, procedure in ruleset.procedures.items() if rule.step in procedure.steps}
            words |= {part.template for part in parts_of(rule.when) if isinstance(part, Pattern)}
    return min(paths, key=lambda path: (-2 * len(rules & material.words[path]) - len(words & material.words[path]), path))


@dataclass(slots=True)
class _Shown:
    """The rules not yet seen to fire, and not yet seen to be withheld. It is told what a session considers."""

    asker: Asker
    seen: Seen
    changes: Changes
    unfired: set[str]
    unwithheld: set[str]
    wanted_steps: ClassVar[frozenset[str] | None] = None

    def play(self, material: Material) -> None:
        """Play scenarios until every rule has been seen both ways, or there is none left."""
        ruleset = material.ruleset
        catalogue = Catalogue(Path(ruleset.path))  # whatever folder of this name a fixture would find
        catalogue.loaded[Path(ruleset.path).resolve()] = ruleset
        left = set(material.paths)
        while left and (self.unfired or self.unwithheld):
            path = _likeliest(material, self.unfired | self.unwithheld, left)
            left.remove(path)
            try:
                loaded = load_file(path, catalogue).scenarios
            except RulesetError:
                continue
            for one in loaded:
                if one.scenario is not None:
                    self.changes.forget()
                    self._note(play(one.scenario, ruleset, _Opens(material.program, self)))

    def visit(self, procedure: str, step: str, board: Board) -> None:
        """A step is visited."""

    def look(self, board: Board, productions: Iterable[Production]) -> None:
        """These rules are considered on this board."""
        for production in productions:
            if production.rule.id in self.unwithheld and self.changes.since(production.rule, board):
                self.asker.rule(production.rule, board, self.seen)
        self.unwithheld -= self.seen.withheld

    def _note(self, run: Run) -> None:
        fired = {firing.rule for firing in run.trace.firings()}
        refused = {one.rule for moment in run.moments if moment.refusal for one in moment.refusal.rules}
        self.unfired -= fired | refused


@dataclass(frozen=True, slots=True)
class _Opens:
    """Opens sessions of one program that tell what they consider."""

    program: Program
    tells: _Shown

    def __call__(self, _: Ruleset, facts: Sequence[Fact], stack: Sequence[StackedFrame]) -> Session:
        return ConsideringSession(self.program, facts, stack, self.tells)
