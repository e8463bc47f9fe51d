"""Writes expressions and tests as source text over local variables and the board.

In all that is generated `F` is the facts of working memory by template and id, `board` the board. `t = x` within an
expression keeps a value that is needed twice.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

from riftrules.engine.code import Code, Text
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


class Names(Protocol):
    """What source may refer to beyond its own body."""

    def kind(self, template: str) -> str:
        """The kind of the template's facts: events are not in working memory."""
        ...

    def derived(self, template: str, field: str) -> Any:
        """The derived field as a function of board and id."""
        ...

    def definition(self, name: str) -> Any:
        """The definition as a function of board and arguments."""
        ...


@dataclass(slots=True)
class Scope:
    """The variables in reach at one point of a body.

    `texts` says each as source, once it is bound; `facts` is where the fact of a variable is kept, by (variable,
    template); `values` is how the fields of a fact that is kept are got at. In a `strict` scope, that of a consequent,
    a remainder by 0 is an error.
    """

    names: Names
    code: Code
    reach: frozenset[str]
    texts: dict[str, Text] = field(default_factory=dict)
    facts: dict[tuple[str, str], str] = field(default_factory=dict)
    values: dict[str, Text] = field(default_factory=dict)
    strict: bool = False

    def inner(self, local: set[str]) -> Scope:
        """A scope inside this one, with names of its own."""
        return Scope(
            self.names, self.code, self.reach | local, dict(self.texts), dict(self.facts), dict(self.values), self.strict
        )

    def of(self, fact: str, name: str) -> Text:
        """A stored field, or the id, of the fact kept under this name."""
        return f"{fact}.id" if name == "id" else f"{self.values.get(fact, f'{fact}.values')}[{name!r}]"


def expression(said: Expression, scope: Scope) -> Text:
    """The expression. It raises ZeroDivisionError for a remainder by 0 in a strict scope; else that is none."""
    match said:
        case Literal(value):
            return scope.code.constant(value)
        case Read():
            return _read(said, scope)
        case Arithmetic():
            return _arithmetic(said, scope)
        case Else(left, right):
            kept = scope.code.fresh()
            return f"({expression(right, scope)} if ({kept} := {expression(left, scope)}) is None else {kept})"
        case Made(called):
            return scope.texts[called]
        case At(map_, key):
            kept = scope.code.fresh()
            return f"(None if ({kept} := {expression(map_, scope)}) is None else looked_up({kept}, {expression(key, scope)}))"


def _read(read: Read, scope: Scope) -> Text:
    """A path: from the fact of its variable where that is at hand, else through working memory, hop by hop."""
    if not read.hops:
        return _variable(read, scope)
    first, *rest = read.hops
    fact = scope.facts.get((read.variable, first.template))
    if read.singleton and not first.derived:
        found = _of_singleton(read.variable, first, scope)
    elif read.singleton or fact is None:
        found = _hop(_variable(read, scope), first, scope)
    elif first.derived:
        found = derived_field(first.template, first.field, f"{fact}.id", scope)
    else:
        found = scope.of(fact, first.field)
    for hop in rest:
        found = _hop(found, hop, scope)
    return found


def _variable(read: Read, scope: Scope) -> Text:
    if read.singleton:
        return f"({read.variable!r} if {read.variable!r} in F[{read.variable!r}] else None)"
    return scope.texts[read.variable]


def _of_singleton(name: str, hop: Hop, scope: Scope) -> Text:
    kept = scope.code.fresh()
    return f"(None if ({kept} := F[{name!r}].get({name!r})) is None else {scope.of(kept, hop.field)})"


def _hop(start: Text, hop: Hop, scope: Scope) -> Text:
    """One hop from the id that `start` gives; none where no fact was ever known under it."""
    template, name, fresh = hop.template, hop.field, scope.code.fresh
    if scope.names.kind(template) == "event":
        event = fresh()
        return f"({scope.of(event, name)} if ({event} := board.event) is not None and {event}.id == {start} else None)"
    id_, fact = fresh(), fresh()
    known = f"F[{template!r}].get({id_}) or board.last({template!r}, {id_})"
    there = f"({id_} := {start}) is not None and ({fact} := {known}) is not None"
    return f"({derived_field(template, name, id_, scope) if hop.derived else scope.of(fact, name)} if {there} else None)"


def derived_field(template: str, name: str, id_: Text, scope: Scope) -> Text:
    """A derived field of the fact with this id."""
    called = f"derived_{_identifier(f'{template}.{name}')}"
    scope.code.refer(called, lambda: scope.names.derived(template, name))
    return f"{called}(board, {id_})"


def _identifier(name: str) -> str:
    """A name of the language as part of one of Python's; no two come to the same."""
    return "".join(letter if letter.isascii() and letter.isalnum() else f"_{ord(letter)}_" for letter in name)


def defined(name: str, arguments: list[Text], scope: Scope) -> Text:
    """A definition, true or not of these arguments."""
    called = scope.code.refer(f"defined_{_identifier(name)}", lambda: scope.names.definition(name))
    return f"{called}({', '.join(['board', *arguments])})"


_OPERATIONS = {
    "+": "{0} + {1}",
    "-": "{0} - {1}",
    "*": "{0} * {1}",
    "mod": "({0} % {1} if {1} else None)",
    "strict mod": "{0} % {1}",
    "greater": "({0} if {0} >= {1} else {1})",
    "lesser": "({0} if {0} <= {1} else {1})",
}


def _arithmetic(said: Arithmetic, scope: Scope) -> Text:
    op = "strict mod" if said.op == "mod" and scope.strict else said.op
    operands, absent = [], []
    for part in (said.left, said.right):
        text = expression(part, scope)
        if not isinstance(part, Literal) or part.value is None:
            kept = scope.code.fresh()
            absent.append(f"({kept} := {text}) is None")
            text = kept
        operands.append(text)
    value = _OPERATIONS[op].format(*operands)
    return f"(None if {' or '.join(absent)} else {value})" if absent else f"({value})"


# ------------------------------------------------------------------------------------------------ tests


def compare(test: Test, value: Text, scope: Scope) -> Text:  # noqa: C901 - one case for each kind of test
    """The test of a value; every variable it names is bound. The value is the first that is evaluated."""
    match test:
        case Bind(variable):
            return f"({value} == {scope.texts[variable]} is not None)"
        case Equals(Literal(None)):
            return f"({value} is None)"
        case Equals(to):
            return f"({value} == {expression(to, scope)})"
        case Known():
            return f"({value} is not None)"
        case Not(Bind(variable)):
            return _unbound(value, scope.texts[variable])
        case Not(Equals(Literal(None))):
            return f"({value} is not None)"
        case Not(Equals(to)):
            return f"({value} != {expression(to, scope)})"
        case Not(inner):
            return f"(not {compare(inner, value, scope)})"
        case Compare(op, to):
            return _ordered(op, to, value, scope)
        case Has(member):
            kept = scope.code.fresh()
            return f"(({kept} := {value}) is not None and among({expression(member, scope)}, {kept}))"
        case In(of):
            return f"among({value}, {expression(of, scope)})"
        case AnyOf(tests):
            kept = scope.code.fresh()
            values = (f"({kept} := {value})", *[kept] * (len(tests) - 1))
            return f"({' or '.join(compare(one, text, scope) for one, text in zip(tests, values, strict=True))})"


def _unbound(value: Text, other: Text) -> Text:
    """`not $x` where a bare `$x` would say equal: it holds of none, whatever `$x` is."""
    return f"(not {value} == {other} is not None)"


_COMPARISONS = {"at least": ">=", "at most": "<=", "more than": ">", "less than": "<"}


def _ordered(op: str, to: Expression, value: Text, scope: Scope) -> Text:
    kept, other = scope.code.fresh(), expression(to, scope)
    there = f"({kept} := {value}) is not None"
    if not isinstance(to, Literal) or to.value is None:
        bound = scope.code.fresh()
        there += f" and ({bound} := {other}) is not None"
        other = bound
    return f"({there} and {kept} {_COMPARISONS[op]} {other})"


# ------------------------------------------------------------------------------------------------ what generated source calls


def members(value: Value) -> tuple[Value, ...]:
    """The members of a set or list, the keys of a map; none has none. No member twice, in an order of its own."""
    if not value:
        return ()
    if isinstance(value, frozenset):
        return tuple(value)
    return tuple(dict.fromkeys([item[0] if isinstance(item, tuple) else item for item in value]))


def among(value: Value, of: Value) -> bool:
    """Whether a set, list or map (by its keys) holds the value."""
    if not of:
        return False
    return value in of if isinstance(of, frozenset) else value in members(of)


def items(value: Value) -> tuple[Value, ...]:
    """Each member of a set or list, or pair of a map, once; none has none."""
    if not value:
        return ()
    return tuple(value) if isinstance(value, frozenset) else tuple(dict.fromkeys(value))


def looked_up(pairs: Value, key: Value) -> Value:
    """What a map has at the key; 0 where it is not there."""
    return next((number for name, number in pairs if name == key), 0)


CALLED = {"members": members, "among": among, "items": items, "looked_up": looked_up}
