"""Finds, in one run of a scenario under the rules as they are, every mutant that could make it come out otherwise.

An edit of a rule's conditions matters only where the edited rule has other activations than the rule itself on a board
on which it is considered; an edit of what it does only where it has any. A scenario in which that never is so comes
out the same under the mutant, and need not be played.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from riftrules.analysis.considering import Changes
from riftrules.analysis.mutation.mutants import Mutant, binds_what_it_reads
from riftrules.engine.board import Board
from riftrules.engine.productions import Activation, Production
from riftrules.engine.program import Program
from riftrules.language.model import Field, Literal, Rule, Template
from riftrules.language.rebuilding import rebuilt

NO_RULE = (AssertionError, KeyError, TypeError, ValueError)
"""What compiling raises where a variable is bound by nothing any more: the loader would not have read such a rule."""


@dataclass(frozen=True, slots=True, eq=False)
class Suspect:
    """A mutant of a rule, compiled. Where `apart`, other facts identify its activations than the rule's."""

    number: int
    production: Production
    apart: bool = False


@dataclass(slots=True)
class Suspects:
    """The mutants of one ruleset, by rule and by what they must be looked for.

    `conditions` have other conditions, `consequents` do something else; `moved` are in another step, and listed by that
    step too, under `arrived`; `ordered` matter where another rule or activation stands beside; `plain` wherever the rule
    holds. `broken` are no rules.
    """

    conditions: dict[str, list[Suspect]] = field(default_factory=dict)
    consequents: dict[str, list[Suspect]] = field(default_factory=dict)
    arrived: dict[str, list[Suspect]] = field(default_factory=dict)
    ordered: dict[str, list[int]] = field(default_factory=dict)
    plain: dict[str, list[int]] = field(default_factory=dict)
    broken: set[int] = field(default_factory=set)


def suspects_of(mutants: Mapping[int, Mutant], program: Program, known: dict[int, Production | None]) -> Suspects:
    """Sort the mutants of rules; those of anything else are not looked for. `known` keeps what has been compiled."""
    found = Suspects()
    rules = {production.rule.id: production for production in program.productions}
    for number, mutant in mutants.items():
        if mutant.rule:
            if number not in known:
                known[number] = _compiled(mutant, program)
            _sort(number, mutant, rules[mutant.rule], known[number], found)
    return found


def _compiled(mutant: Mutant, program: Program) -> Production | None:
    if not isinstance(mutant.part, Rule):
        return None
    edited = rebuilt(mutant.part, program.ruleset.templates)
    try:
        return program.compiler.production(edited, joined=False) if binds_what_it_reads(edited) else None
    except NO_RULE:
        return None


def _sort(number: int, mutant: Mutant, own: Production, production: Production | None, found: Suspects) -> None:
    rule, part = own.rule, mutant.part
    if not isinstance(part, Rule):
        found.plain.setdefault(rule.id, []).append(number)
    elif production is None:
        found.broken.add(number)
    elif part.step != rule.step:
        found.arrived.setdefault(part.step, []).append(Suspect(number, own))
        found.plain.setdefault(rule.id, []).append(number)
    elif part.when is not rule.when or part.event is not rule.event:
        apart = len(production.rule.ranged) != len(rule.ranged)
        found.conditions.setdefault(rule.id, []).append(Suspect(number, production, apart))
    elif part.then is not rule.then and rule.kind in {"step", "after"}:
        found.consequents.setdefault(rule.id, []).append(Suspect(number, production))
    elif part.salience != rule.salience:
        found.ordered.setdefault(rule.id, []).append(number)
    else:
        found.plain.setdefault(rule.id, []).append(number)


class Infection:
    """What a run has come by: the mutants that could matter in it, the rules that held, the steps `visited`.

    Where only `wanted_steps` are to be told of, nothing is known of what happens in others.
    """

    def __init__(
        self,
        suspects: Suspects,
        changes: Changes,
        templates: Mapping[str, Template],
        wanted_steps: frozenset[str] | None = None,
    ) -> None:
        self.suspects = suspects
        self.templates = templates
        self.wanted_steps = wanted_steps
        self.infected: set[int] = set()
        self.held: set[str] = set()
        self.visited: set[tuple[str, str]] = set()
        self._changes = changes.forget()
        self._holds: dict[str, bool] = {}

    def visit(self, procedure: str, step: str, board: Board) -> None:
        """A step is visited: rules that a mutant has moved here may hold on this board."""
        self.visited.add((procedure, step))
        for one in self.suspects.arrived.get(step, ()):
            if one.number not in self.infected and one.production.matches(board):
                self.infected.add(one.number)

    def look(self, board: Board, productions: Iterable[Production]) -> None:
        """Rules are considered on this board."""
        holding: list[str] = []
        for production in productions:
            rule = production.rule.id
            if self._changes.since(production.rule, board):
                self._holds[rule] = self._compare(rule, production, board)
            if self._holds[rule]:
                holding.append(rule)
        if len(holding) > 1:
            for rule in holding:
                self.infected.update(self.suspects.ordered.get(rule, ()))

    def _compare(self, rule: str, production: Production, board: Board) -> bool:
        own = production.matches(board)
        if own and rule not in self.held:
            self.held.add(rule)
            self.infected.update(self.suspects.plain.get(rule, ()))
        said = [dict(one.bindings) for one in own]
        for suspect in self._left(self.suspects.conditions, rule):
            other = suspect.production.matches(board)
            if bool(own or other) if suspect.apart else _differ(said, other):
                self.infected.add(suspect.number)
        left = self._left(self.suspects.consequents, rule) if own else []
        does = [self._does(one) for one in production.planned(board)] if left else []
        for suspect in left:
            if does != [self._does(one) for one in suspect.production.planned(board)]:
                self.infected.add(suspect.number)
        return bool(own)

    def _does(self, activation: Activation) -> object:
        """What firing an activation would do."""
        effects = activation.effects
        if effects is None:
            return str(activation.failure)
        made = [(new.template.name, new.id, new.within, _told(new.template, new.fields)) for new in effects.asserts]
        calls = [
            [(call.procedure, _told(self.templates[call.procedure], dict(call.fields))) for call in calls]
            for calls in (effects.dues, effects.emits, effects.begins)
        ]
        return effects.writes, effects.retracts, effects.leaves, effects.ends_game, made, calls

    def _left(self, suspects: Mapping[str, list[Suspect]], rule: str) -> list[Suspect]:
        return [one for one in suspects.get(rule, ()) if one.number not in self.infected]


def _differ(own: Sequence[Mapping[str, object]], others: Sequence[Activation]) -> bool:
    """Whether activations are not the same, as far as both bind the same variables."""
    if len(own) != len(others):
        return True
    pairs = zip(own, (dict(one.bindings) for one in others), strict=True)
    return any(one[name] != other[name] for one, other in pairs for name in one.keys() & other.keys())


def _told(template: Template, fields: Mapping[str, object]) -> dict[str, object]:
    """The fields without those that are what they would be anyway."""
    return {name: value for name, value in fields.items() if not _usual(template.fields[name], value)}


def _usual(field: Field, value: object) -> bool:
    if field.default is None:
        return value is None
    return isinstance(field.default, Literal) and field.default.value == value
