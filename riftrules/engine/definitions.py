"""Compiles definitions and derived fields, each once: the names that bodies of conditions refer to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from riftrules.engine.board import Board
from riftrules.engine.conditions import compile_body, found
from riftrules.engine.expressions import (
    Check,
    Derive,
    Environment,
    Evaluate,
    Holds,
    Scope,
    compile_expression,
)
from riftrules.engine.syntax_tree import bindable
from riftrules.facts.types import Value, value_order
from riftrules.language.model import Case, Condition, Each, Pattern, Ruleset


class Definitions:
    """What conditions refer to by name, for one ruleset."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._ruleset = ruleset
        self._derived: dict[tuple[str, str], Derive] = {}
        self._definitions: dict[str, Holds] = {}

    def kind(self, template: str) -> str:
        """The kind of the template's facts."""
        return self._ruleset.templates[template].kind

    def scope(self, variables: set[str], bound: Sequence[str] = ()) -> Scope:
        """A scope of its own, with `bound` kept in the first places."""
        scope = Scope(self, [0])
        for name in (*bound, *sorted(variables - set(bound))):
            scope.places[name] = scope.fresh()
        scope.bound.update(bound)
        return scope

    def derived(self, template: str, field: str) -> Derive:
        """The derived field as a function of the fact's id."""
        key = (template, field)
        if key not in self._derived:
            cases = self._ruleset.templates[template].derived[field].cases
            self._derived[key] = _first_case(tuple(self._case(case) for case in cases))
        return self._derived[key]

    def definition(self, name: str) -> Holds:
        """The definition as a function of its arguments."""
        if name not in self._definitions:
            definition = self._ruleset.definitions[name]
            scope = self.scope(bindable(definition.when, quantified=False), definition.parameters)
            check = compile_body(definition.when, scope, quantified=False)(found)
            self._definitions[name] = _holds(check, scope.size, definition.singletons)
        return self._definitions[name]

    def _case(self, case: Case) -> _Case:
        scope = self.scope(bindable(case.when, quantified=False), ("this",))
        match = compile_body(case.when, scope, quantified=False)(_keep(_ranged_places(case.when, scope)))
        return _Case(case.singletons, match, compile_expression(case.value, scope), scope.size)


@dataclass(frozen=True, slots=True)
class _Case:
    """One case of a derived field: its match leaves a copy of the environment in the last place."""

    singletons: tuple[str, ...]
    match: Check
    value: Evaluate
    size: list[int]


def _ranged_places(conditions: Sequence[Condition], scope: Scope) -> tuple[int, ...]:
    """Where the facts and members are kept that tell the matches of these conditions apart, as written."""
    names: list[str] = []
    for condition in conditions:
        match condition:
            case Pattern(name=str(name)):
                names.append(name)
            case Each(variables=variables):
                names += variables
    return tuple(scope.places[name] for name in names)


def _keep(places: Sequence[int]) -> Check:
    """Ends a body: the match that is first in the order of its facts is kept in the last place."""

    def keep(environment: Environment, board: Board) -> bool:
        kept = environment[-1]
        if kept is None or _order(environment, places) < _order(kept, places):
            environment[-1] = environment[:]
        return not places

    return keep


def _order(environment: Environment, places: Sequence[int]) -> tuple[object, ...]:
    return tuple(value_order(environment[place]) for place in places)


def _first_case(cases: Sequence[_Case]) -> Derive:
    def derive(id_: str, board: Board) -> Value:
        for case in cases:
            if not case.singletons or all(board.memory.get(name, name) for name in case.singletons):
                environment: Environment = [id_, *[None] * case.size[0]]
                case.match(environment, board)
                if environment[-1] is not None:
                    return case.value(environment[-1], board)
        return None

    return derive


def _holds(check: Check, size: list[int], singletons: Sequence[str]) -> Holds:
    def holds(arguments: Sequence[Value], board: Board) -> bool:
        if None in arguments or (singletons and not all(board.memory.get(name, name) for name in singletons)):
            return False
        return check([*arguments, *[None] * (size[0] - len(arguments))], board)

    return holds
