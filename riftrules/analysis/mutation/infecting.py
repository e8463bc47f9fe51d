"""Finds, in one run of a scenario under the rules as they are, every mutant that could make it come out otherwise.

An edit of a rule's conditions matters only where the edited rule has other activations than the rule itself on a board
on which it is considered; an edit of what it does only where it has any. A scenario in which that never is so comes
out the same under the mutant, and need not be played.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from riftrules.analysis.considering import Changes
from riftrules.analysis.mutation.mutants import Mutant, binds_its_choice
from riftrules.engine.board import Board
from riftrules.engine.productions import Activation, Production
from riftrules.engine.program import Program
from riftrules.language.model import Rule
from riftrules.language.rebuilding import rebuilt

NO_RULE = (AssertionError, KeyError, TypeError, ValueError)
"""What compiling raises where a variable is bound by nothing any more: the loader would not have read such a rule."""


@dataclass(frozen=True, slots=True, eq=False)
class Suspect:
    """A mutant of a rule's conditions, compiled. Where `apart`, other facts identify its activations than the rule's."""

    number: int
    production: Production
    apart: bool


@dataclass(slots=True)
class Suspects:
    """The mutants of one ruleset, by what they must be looked for.

    `conditions` are by rule; `moved` are those in another step, by that step; the rest matter where their rule `holds`.
    `broken` are no rules.
    """

    conditions: dict[str, list[Suspect]] = field(default_factory=dict)
    moved: dict[str, list[tuple[int, Production]]] = field(default_factory=dict)
    holding: dict[str, list[int]] = field(default_factory=dict)
    broken: set[int] = field(default_factory=set)


def suspects_of(mutants: Mapping[int, Mutant], program: Program, known: dict[int, Production | None]) -> Suspects:
    """Sort the mutants of rules; those of anything else are not looked for. `known` keeps what has been compiled."""
    found = Suspects()
    rules = {rule.id: rule for rule in program.ruleset.rules}
    for number, mutant in mutants.items():
        if mutant.rule:
            if number not in known:
                known[number] = _compiled(mutant, program)
            _sort(number, mutant, rules[mutant.rule], known[number], program, found)
    return found


def _compiled(mutant: Mutant, program: Program) -> Production | None:
    if not isinstance(mutant.part, Rule):
        return None
    edited = rebuilt(mutant.part, program.ruleset.templates)
    try:
        return program.compiler.production(edited, joined=False) if binds_its_choice(edited) else None
    except NO_RULE:
        return None


def _sort(number: int, mutant: Mutant, rule: Rule, production: Production | None, program: Program, found: Suspects) -> None:
    if not isinstance(mutant.part, Rule):
        found.holding.setdefault(rule.id, []).append(number)
        return
    edited = mutant.part if production is None else production.rule
    if production is None:
        found.broken.add(number)
    elif edited.step != rule.step:
        found.moved.setdefault(edited.step, []).append((number, next(one for one in program.productions if one.rule.number == rule.number)))
        found.holding.setdefault(rule.id, []).append(number)
    elif mutant.part.when is rule.when and mutant.part.event is rule.event:
        found.holding.setdefault(rule.id, []).append(number)
    else:
        apart = len(edited.ranged) != len(rule.ranged)
        found.conditions.setdefault(rule.id, []).append(Suspect(number, production, apart))


class Infection:
    """What a run has come by: the mutants that could matter in it, the rules that held, the steps visited."""

    def __init__(self, suspects: Suspects, changes: Changes) -> None:
        self.suspects = suspects
        self.infected: set[int] = set()
        self.held: set[str] = set()
        self.steps: set[tuple[str, str]] = set()
        self._changes = changes.forget()

    def visit(self, procedure: str, step: str, board: Board) -> None:
        """A step is visited: rules that a mutant has moved here may hold on this board."""
        self.steps.add((procedure, step))
        for number, production in self.suspects.moved.get(step, ()):
            if number not in self.infected and _matches(production, board):
                self.infected.add(number)

    def look(self, board: Board, productions: Iterable[Production]) -> None:
        """Rules are considered on this board."""
        for production in productions:
            rule = production.rule
            if self._changes.since(rule, board):
                self._compare(rule.id, production, board)

    def _compare(self, rule: str, production: Production, board: Board) -> None:
        left = [one for one in self.suspects.conditions.get(rule, ()) if one.number not in self.infected]
        if not left and rule in self.held:
            return
        own = _matches(production, board)
        if own and rule not in self.held:
            self.held.add(rule)
            self.infected.update(self.suspects.holding.get(rule, ()))
        said = _bindings(own)
        for suspect in left:
            other = _matches(suspect.production, board)
            if (own or other) if suspect.apart else _differ(said, other):
                self.infected.add(suspect.number)


def _matches(production: Production, board: Board) -> list[Activation]:
    return production.matches(board)


def _bindings(activations: Sequence[Activation]) -> list[dict[str, object]]:
    return [dict(one.bindings) for one in activations]


def _differ(own: Sequence[Mapping[str, object]], others: Sequence[Activation]) -> bool:
    """Whether activations are not the same, as far as both bind the same variables."""
    if len(own) != len(others):
        return True
    pairs = zip(own, (dict(one.bindings) for one in others), strict=True)
    return any(one[name] != other[name] for one, other in pairs for name in one.keys() & other.keys())
