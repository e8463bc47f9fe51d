"""Says a part of a rule as its author would write it, on one line: the inverse of reading.

Two parts that mean the same are said the same, whatever their spacing, so that texts can be compared and shown.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import singledispatch

from riftrules.facts.types import Call, Value, value_order
from riftrules.language.model import (
    AnyOf,
    Arithmetic,
    AskFor,
    Assert,
    At,
    Begin,
    BeginEach,
    Bind,
    Choose,
    Compare,
    Condition,
    Count,
    Each,
    Else,
    Emit,
    EndGame,
    Equals,
    Every,
    Expression,
    FieldChange,
    Has,
    In,
    Known,
    Leave,
    Literal,
    Made,
    Modify,
    No,
    Not,
    Pattern,
    Read,
    Refuse,
    Retract,
    Some,
    Sum,
    Test,
    Use,
    Where,
)
from riftrules.language.syntax import begins_like_a_test


def say_value(value: Value) -> str:
    """A value as it is written in YAML; a name that would be read as something else is quoted."""
    match value:
        case None:
            return "none"
        case bool():
            return "true" if value else "false"
        case Call(procedure, fields):
            return f"{{{procedure}: {{{', '.join(f'{name}: {say_value(item)}' for name, item in fields)}}}}}"
        case frozenset():
            return f"[{', '.join(say_value(item) for item in sorted(value, key=value_order))}]"
        case tuple():
            if value and all(isinstance(item, tuple) for item in value):
                return f"{{{', '.join(f'{say_value(key)}: {number}' for key, number in value)}}}"
            return f"[{', '.join(say_value(item) for item in value)}]"
        case str():
            return _quoted(value)
    return str(value)


def _quoted(text: str) -> str:
    unsafe = text == "" or begins_like_a_test(text) or text in {"none", "some"} or any(sign in text for sign in '$,[]{}:#"')
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"' if unsafe else text


@singledispatch
def say(part: object) -> str:
    """An expression, test, condition, consequent or choice as text. Raises TypeError for anything else."""
    message = f"not a part of a rule: {part!r}"
    raise TypeError(message)


@say.register
def _(part: Literal) -> str:
    return say_value(part.value)


@say.register
def _(part: Read) -> str:
    return "$" + ".".join((part.variable, *(hop.field for hop in part.hops)))


@say.register
def _(part: Arithmetic) -> str:
    if part.op in {"greater", "lesser"}:
        return f"{part.op} of {say(part.left)} and {say(part.right)}"
    return f"{_operand(part.left, part.op)} {part.op} {_operand(part.right, part.op, right=True)}"


def _operand(part: Expression, op: str, *, right: bool = False) -> str:
    binds = {"+": 1, "-": 1, "*": 2, "mod": 2}
    loose = isinstance(part, Else) or (
        isinstance(part, Arithmetic) and (binds.get(part.op, 0) < binds[op] or (right and binds.get(part.op, 0) == binds[op]))
    )
    return f"({say(part)})" if loose else say(part)


@say.register
def _(part: Else) -> str:
    return f"{say(part.left)} else {say(part.right)}"


@say.register
def _(part: At) -> str:
    return f"{say(part.map)} at {say(part.key)}"


@say.register
def _(part: Made) -> str:
    return f"${part.called}"


# ------------------------------------------------------------------------------------------------ tests


@say.register
def _(part: Bind) -> str:
    return f"${part.variable}"


@say.register
def _(part: Equals) -> str:
    return say(part.to)


@say.register
def _(_part: Known) -> str:
    return "some"


@say.register
def _(part: Not) -> str:
    return f"not {say(part.test)}"


@say.register
def _(part: Compare) -> str:
    return f"{part.op} {say(part.to)}"


@say.register
def _(part: Has) -> str:
    return f"has {say(part.member)}"


@say.register
def _(part: In) -> str:
    return f"in {say(part.of)}"


@say.register
def _(part: AnyOf) -> str:
    return " or ".join(say(test) for test in part.tests)


# ------------------------------------------------------------------------------------------------ conditions


@say.register
def _(part: Pattern) -> str:
    named = f" ${part.name}" if part.name is not None else ""
    return f"{part.template}{named}: {{{', '.join(f'{test.field}: {say(test.test)}' for test in part.tests)}}}"


def say_body(conditions: Iterable[Condition]) -> str:
    """The body of a quantifier: one condition, or a list joined."""
    said = [_braced(say(condition)) for condition in conditions]
    return said[0] if len(said) == 1 else _listed(said)


def _braced(text: str) -> str:
    return f"{{{text}}}" if ":" in text else text


def _listed(texts: Iterable[str]) -> str:
    return f"[{', '.join(texts)}]"


@say.register
def _(part: No) -> str:
    return f"no: {say_body(part.conditions)}"


@say.register
def _(part: Some) -> str:
    return f"some: {say_body(part.conditions)}"


@say.register
def _(part: Every) -> str:
    return f"every: {say_body(part.conditions)}, has: {say_body(part.has)}"


@say.register
def _(part: Count) -> str:
    return f"count: {say_body(part.conditions)}, as: ${part.variable}"


@say.register
def _(part: Sum) -> str:
    return f"sum: {say(part.of)}, over: {say_body(part.conditions)}, as: ${part.variable}"


@say.register
def _(part: Each) -> str:
    names = [f"${name}" for name in part.variables]
    return f"each: {say(part.of)}, as: {names[0] if len(names) == 1 else _listed(names)}"


@say.register
def _(part: Where) -> str:
    return f"where: {say(part.left)} {_compared(part.test)}"


def _compared(test: Test) -> str:
    return say(test) if isinstance(test, Compare | Has | In) else f"is {say(test)}"


@say.register
def _(part: Use) -> str:
    arguments = [say(argument) for argument in part.arguments]
    if not arguments:
        return part.definition
    return f"{part.definition}: {arguments[0] if len(arguments) == 1 else _listed(arguments)}"


# ------------------------------------------------------------------------------------------------ consequents


def _fields(fields: tuple[tuple[str, Expression], ...]) -> str:
    return f"{{{', '.join(f'{name}: {say(value)}' for name, value in fields)}}}"


@say.register
def _(part: Assert) -> str:
    called = f" ${part.called}" if part.called else ""
    within = f" within {say(part.within)}" if part.within is not None else ""
    return f"assert {part.template}{called}{within}: {_fields(part.fields)}"


@say.register
def _(part: FieldChange) -> str:
    return f"{part.field}: {'' if part.op == 'set' else part.op + ' '}{say(part.to)}"


@say.register
def _(part: Modify) -> str:
    return f"modify {say(part.target)}: {{{', '.join(say(change) for change in part.changes)}}}"


@say.register
def _(part: Retract) -> str:
    return f"retract {say(part.target)}"


@say.register
def _(part: Emit) -> str:
    return f"emit {part.event}: {_fields(part.fields)}"


@say.register
def _(part: Begin) -> str:
    return f"{'due' if part.due else 'begin'} {part.procedure}: {_fields(part.fields)}"


@say.register
def _(part: BeginEach) -> str:
    return f"begin each of {say(part.calls)}"


@say.register
def _(part: Leave) -> str:
    return f"leave {say(part.target)}"


@say.register
def _(part: AskFor) -> str:
    return f"ask {say(part.player)}: [{', '.join(part.requests)}]"


@say.register
def _(part: Refuse) -> str:
    return f"refuse {say(part.target)}"


@say.register
def _(_part: EndGame) -> str:
    return "end game"


@say.register
def _(part: Choose) -> str:
    per = f", per: ${part.per}" if part.per else ""
    return f"choose: {{by: {say(part.by)}, one: ${part.one}{per}{', optional: true' if part.optional else ''}}}"
