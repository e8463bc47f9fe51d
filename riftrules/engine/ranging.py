"""Compiles one pattern: where its facts are looked for, and what is checked of each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from riftrules.engine.board import Board
from riftrules.engine.expressions import (
    Check,
    Environment,
    Evaluate,
    Scope,
    compile_expression,
    compile_test,
    members,
)
from riftrules.engine.syntax_tree import mentioned
from riftrules.facts.memory import Fact
from riftrules.language.model import (
    Bind,
    Equals,
    Expression,
    FieldTest,
    In,
    Known,
    Literal,
    Not,
    Pattern,
    Read,
)

Maker: TypeAlias = Callable[[Check], Check]
"""Puts one condition in front of the rest of a body: the check it makes is true as soon as the rest is true of one match."""

Source: TypeAlias = Callable[[Environment, Board], Sequence[Fact]]

LOOKUP, SINGLETON, FRAMES, MEMBERS, INDEX, ALL = 1, 1, 2, 6, 7, 8
"""How dear it is to range over a pattern, by where its facts are looked for; conditions.py ranks the rest between."""


def ready(test: object, scope: Scope) -> bool:
    """Whether every variable that the test or expression names is bound by now."""
    return mentioned(test) <= scope.bound


def wanted(pattern: Pattern, field: str, scope: Scope) -> Expression | None:
    """What the field must be equal to, where that is known by now."""
    for test in pattern.tests:
        if test.field != field or test.derived:
            continue
        match test.test:
            case Bind(variable) if variable in scope.bound:
                return Read(variable)
            case Equals(to) if ready(to, scope):
                return to
    return None


def rank(pattern: Pattern, kind: str, scope: Scope) -> int:
    """How dear it is to range over the pattern now."""
    if kind == "singleton":
        return SINGLETON
    if pattern.name in scope.bound or wanted(pattern, "id", scope) is not None:
        return LOOKUP
    if kind in {"frame", "event"}:
        return FRAMES
    if _within(pattern, scope) is not None:
        return MEMBERS
    return ALL if _indexed(pattern, scope) is None else INDEX


def source(pattern: Pattern, kind: str, scope: Scope) -> Source:
    """Where the facts of the pattern are looked for, which may be more than match but never fewer."""
    template = pattern.template
    if kind == "event":
        return lambda environment, board: ()
    if kind == "singleton":
        return _one(template, lambda environment, board: template)
    known = Read(pattern.name) if pattern.name in scope.bound and pattern.name else wanted(pattern, "id", scope)
    if kind == "frame":
        return _frames(template, None if known is None else compile_expression(known, scope))
    if known is not None:
        return _one(template, compile_expression(known, scope))
    return _ranged(pattern, scope)


def _ranged(pattern: Pattern, scope: Scope) -> Source:
    template = pattern.template
    within = _within(pattern, scope)
    if within is not None:
        return _members(template, compile_expression(within, scope))
    field = _indexed(pattern, scope)
    if field is None:
        return lambda environment, board: board.memory.all(template)
    to = wanted(pattern, field, scope)
    assert to is not None
    if isinstance(to, Read) and not to.hops and not to.singleton:
        place, name = scope.places[to.variable], field
        return lambda environment, board: board.having(template, name, environment[place])
    value, name = compile_expression(to, scope), field
    return lambda environment, board: board.having(template, name, value(environment, board))


def _within(pattern: Pattern, scope: Scope) -> Expression | None:
    """The list the pattern's id must be in, where that is known by now."""
    for test in pattern.tests:
        if test.field == "id" and isinstance(test.test, In) and ready(test.test, scope):
            return test.test.of
    return None


def _indexed(pattern: Pattern, scope: Scope) -> str | None:
    """The first field whose value is known by now. A literal comes last: it tells fewer facts apart."""
    fields = [test.field for test in pattern.tests if not test.derived and test.field != "id"]
    known = [(field, to) for field in fields if (to := wanted(pattern, field, scope)) is not None]
    return min(known, key=lambda pair: isinstance(pair[1], Literal))[0] if known else None


def _one(template: str, id_: Evaluate) -> Source:
    def find(environment: Environment, board: Board) -> Sequence[Fact]:
        fact = board.memory.get(template, id_(environment, board))
        return () if fact is None else (fact,)

    return find


def _frames(template: str, id_: Evaluate | None) -> Source:
    if id_ is None:
        return lambda environment, board: board.frames(template)

    def find(environment: Environment, board: Board) -> Sequence[Fact]:
        known = id_(environment, board)
        return [frame for frame in board.frames(template) if frame.id == known]

    return find


def _members(template: str, of: Evaluate) -> Source:
    def find(environment: Environment, board: Board) -> Sequence[Fact]:
        found = (board.memory.get(template, id_) for id_ in members(of(environment, board)))
        return [fact for fact in found if fact is not None]

    return find


# ------------------------------------------------------------------------------------------------ what is checked


def field_check(test: FieldTest, template: str, place: int, scope: Scope) -> Check:
    """The test of a field of the fact kept at `place`, as a closure; the common tests without a call in between."""
    if test.derived or test.field == "id":
        return _general(test, template, place, scope)
    name = test.field
    match test.test:
        case Equals(Literal(value)):
            return lambda environment, board: environment[place].values[name] == value
        case Not(Equals(Literal(value))):
            return lambda environment, board: environment[place].values[name] != value
        case Known():
            return lambda environment, board: environment[place].values[name] is not None
        case Bind(variable):
            other = scope.places[variable]
            return lambda environment, board: environment[place].values[name] == environment[other] is not None
        case Not(Equals(Read(variable, (), False)) | Bind(variable)):
            other = scope.places[variable]
            return lambda environment, board: environment[place].values[name] != environment[other]
    return _general(test, template, place, scope)


def _general(test: FieldTest, template: str, place: int, scope: Scope) -> Check:
    judge, name = compile_test(test.test, scope), test.field
    if test.derived:
        derived = scope.names.derived(template, name)
        return lambda environment, board: judge(derived(environment[place].id, board), environment, board)
    if name == "id":
        return lambda environment, board: judge(environment[place].id, environment, board)
    return lambda environment, board: judge(environment[place].values[name], environment, board)


def binder(test: FieldTest, template: str, place: int, scope: Scope) -> Check:
    """Binds the variable of a bare `$x` to the field of the fact kept at `place`; false where the field is none."""
    assert isinstance(test.test, Bind)
    to, name = scope.places[test.test.variable], test.field
    if test.derived or name == "id":
        value = scope.names.derived(template, name) if test.derived else None

        def bind_computed(environment: Environment, board: Board) -> bool:
            id_ = environment[place].id
            environment[to] = id_ if value is None else value(id_, board)
            return environment[to] is not None

        return bind_computed

    def bind(environment: Environment, board: Board) -> bool:
        environment[to] = found = environment[place].values[name]
        return found is not None

    return bind


def naming(place: int, to: int) -> Check:
    """Binds a pattern's name to the id of the fact kept at `place`."""

    def name(environment: Environment, board: Board) -> bool:
        environment[to] = environment[place].id
        return True

    return name


@dataclass(frozen=True, slots=True)
class Ranging:
    """Tries the rest of a body with each fact found that passes the checks, in turn: one link of a chain.

    The fact is kept at `place` and its id at `name`, where it has a name to bind.
    """

    find: Source
    place: int
    name: int | None
    checks: list[Check]

    def __call__(self, rest: Check) -> Check:
        """The link in front of the rest."""
        find, place, name, tests = self.find, self.place, self.name, (*self.checks, rest)
        if name is None:
            name = place  # the fact itself overwrites it at once

        def attempt(environment: Environment, board: Board) -> bool:
            for fact in find(environment, board):
                environment[name] = fact.id
                environment[place] = fact
                for test in tests:
                    if not test(environment, board):
                        break
                else:
                    return True
            return False

        return attempt
