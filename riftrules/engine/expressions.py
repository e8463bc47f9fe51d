"""Compiles expressions and tests to closures over the values of variables and the board.

An environment is a list with a place for every variable of a body of conditions (and for the fact of every pattern),
so a closure reads a variable by its index. What is known when a closure is made is decided then and not again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from riftrules.engine.board import Board
from riftrules.facts.types import Value
from riftrules.language.model import (
    AnyOf,
    Arithmetic,
    At,
    Bind,
    Compare,
    Else,
    Equals,
    Expression,
    Has,
    Hop,
    In,
    Known,
    Literal,
    Made,
    Not,
    Read,
    Test,
)

Environment: TypeAlias = list[Any]
Evaluate: TypeAlias = Callable[[Environment, Board], Value]
Check: TypeAlias = Callable[[Environment, Board], bool]
Judge: TypeAlias = Callable[[Value, Environment, Board], bool]


Derive: TypeAlias = Callable[[str, Board], Value]
Holds: TypeAlias = Callable[[Sequence[Value], Board], bool]


class Names(Protocol):
    """What a closure may refer to beyond its own body."""

    def kind(self, template: str) -> str:
        """The kind of the template's facts: events are not in working memory."""
        ...

    def derived(self, template: str, field: str) -> Derive:
        """The derived field as a function of the fact's id."""
        ...

    def definition(self, name: str) -> Holds:
        """The definition as a function of its arguments."""
        ...


@dataclass(slots=True)
class Scope:
    """The variables in reach at one point of a plan: where they are kept, and which are bound by now.

    `facts` is where the fact of a variable is kept, by (variable, template). All scopes of one body share `size`, the
    length of its environments so far. In a `strict` one, that of a consequent, what has no value is an error.
    """

    names: Names
    size: list[int]
    places: dict[str, int] = field(default_factory=dict)
    facts: dict[tuple[str, str], int] = field(default_factory=dict)
    bound: set[str] = field(default_factory=set)
    strict: bool = False

    def fresh(self) -> int:
        """A new place in the environment."""
        self.size[0] += 1
        return self.size[0] - 1

    def inner(self, local: set[str]) -> Scope:
        """A scope inside this one, where the names not known here are new."""
        scope = Scope(self.names, self.size, dict(self.places), dict(self.facts), set(self.bound))
        for name in sorted(local - self.places.keys()):
            scope.places[name] = scope.fresh()
        return scope


def compile_expression(expression: Expression, scope: Scope) -> Evaluate:
    """The expression as a closure. In a strict scope it raises ZeroDivisionError for a remainder by 0, else that is none."""
    match expression:
        case Literal(value):
            return lambda environment, board: value
        case Read():
            return _read(expression, scope)
        case Arithmetic(op, left, right):
            name = "strict mod" if op == "mod" and scope.strict else op
            return _arithmetic(name, compile_expression(left, scope), compile_expression(right, scope))
        case Else(left, right):
            return _else(compile_expression(left, scope), compile_expression(right, scope))
        case At(map_, key):
            return _at(compile_expression(map_, scope), compile_expression(key, scope))
        case Made(called):
            place = scope.places[called]
            return lambda environment, board: environment[place]


def _read(read: Read, scope: Scope) -> Evaluate:
    """A path: from the fact of its variable where that is at hand, else through working memory, hop by hop."""
    if not read.hops:
        return _variable(read, scope)
    first, *rest = read.hops
    found = _first_hop(read, first, scope)
    for hop in rest:
        found = _next_hop(found, hop, scope)
    return found


def _variable(read: Read, scope: Scope) -> Evaluate:
    if read.singleton:
        name = read.variable
        return lambda environment, board: name if board.memory.get(name, name) else None
    place = scope.places[read.variable]
    return lambda environment, board: environment[place]


def _first_hop(read: Read, hop: Hop, scope: Scope) -> Evaluate:
    at_hand = scope.facts.get((read.variable, hop.template))
    if read.singleton or hop.derived or at_hand is None:
        return _next_hop(_variable(read, scope), hop, scope)
    place, name = at_hand, hop.field
    if name == "id":
        return lambda environment, board: environment[place].id
    return lambda environment, board: environment[place].values[name]


def _next_hop(start: Evaluate, hop: Hop, scope: Scope) -> Evaluate:
    """One hop from the id that `start` gives; none where no fact was ever known under it."""
    template, name = hop.template, hop.field
    if scope.names.kind(template) == "event":
        return _event_hop(start, name)
    if hop.derived:
        derived = scope.names.derived(template, name)

        def read_derived(environment: Environment, board: Board) -> Value:
            id_ = start(environment, board)
            return None if id_ is None or board.memory.last(template, id_) is None else derived(id_, board)

        return read_derived

    def read(environment: Environment, board: Board) -> Value:
        id_ = start(environment, board)
        fact = None if id_ is None else board.memory.last(template, id_)
        if fact is None:
            return None
        return fact.id if name == "id" else fact.values[name]

    return read


def _event_hop(start: Evaluate, name: str) -> Evaluate:
    def read(environment: Environment, board: Board) -> Value:
        event = board.event
        if event is None or event.id != start(environment, board):
            return None
        return event.id if name == "id" else event.values[name]

    return read


def _else(left: Evaluate, right: Evaluate) -> Evaluate:
    def evaluate(environment: Environment, board: Board) -> Value:
        found = left(environment, board)
        return right(environment, board) if found is None else found

    return evaluate


def _at(map_: Evaluate, key: Evaluate) -> Evaluate:
    def evaluate(environment: Environment, board: Board) -> Value:
        pairs = map_(environment, board)
        if pairs is None:
            return None
        wanted = key(environment, board)
        return next((number for name, number in pairs if name == wanted), 0)

    return evaluate


def _arithmetic(op: str, left: Evaluate, right: Evaluate) -> Evaluate:
    apply = _OPERATIONS[op]

    def evaluate(environment: Environment, board: Board) -> Value:
        one = left(environment, board)
        if one is None:
            return None
        other = right(environment, board)
        return None if other is None else apply(one, other)

    return evaluate


_OPERATIONS: dict[str, Callable[[int, int], int | None]] = {
    "+": lambda one, other: one + other,
    "-": lambda one, other: one - other,
    "*": lambda one, other: one * other,
    "mod": lambda one, other: one % other if other else None,
    "strict mod": lambda one, other: one % other,
    "greater": max,
    "lesser": min,
}

# ------------------------------------------------------------------------------------------------ tests


def compile_test(test: Test, scope: Scope) -> Judge:
    """The test as a closure over the value tested; every variable it names is bound."""
    match test:
        case Bind(variable):
            return _same(scope.places[variable])
        case Equals(Literal(wanted)):
            return lambda value, environment, board: value == wanted
        case Equals(to):
            expression = compile_expression(to, scope)
            return lambda value, environment, board: value == expression(environment, board)
        case Known():
            return lambda value, environment, board: value is not None
        case Not(inner):
            judge = compile_test(inner, scope)
            return lambda value, environment, board: not judge(value, environment, board)
        case Compare(op, to):
            return _compare(op, compile_expression(to, scope))
        case Has(member):
            return _has(compile_expression(member, scope))
        case In(of):
            return _in(compile_expression(of, scope))
        case AnyOf(tests):
            judges = tuple(compile_test(one, scope) for one in tests)
            return lambda value, environment, board: any(judge(value, environment, board) for judge in judges)


def _same(place: int) -> Judge:
    return lambda value, environment, board: value is not None and value == environment[place]


_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "at least": lambda one, other: one >= other,
    "at most": lambda one, other: one <= other,
    "more than": lambda one, other: one > other,
    "less than": lambda one, other: one < other,
}


def _compare(op: str, to: Evaluate) -> Judge:
    holds = _COMPARISONS[op]

    def judge(value: Value, environment: Environment, board: Board) -> bool:
        if value is None:
            return False
        other = to(environment, board)
        return other is not None and holds(value, other)

    return judge


def members(value: Value) -> tuple[Value, ...]:
    """The members of a set or list, the keys of a map; none has none. No member twice, in an order of its own."""
    if not value:
        return ()
    if isinstance(value, frozenset):
        return tuple(value)
    return tuple(dict.fromkeys(item[0] if isinstance(item, tuple) else item for item in value))


def _has(member: Evaluate) -> Judge:
    return lambda value, environment, board: value is not None and member(environment, board) in members(value)


def _in(of: Evaluate) -> Judge:
    return lambda value, environment, board: value in members(of(environment, board))
