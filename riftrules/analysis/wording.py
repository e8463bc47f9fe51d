"""Says conditions and expressions in the language they were written in, short enough for one line of an answer."""

from __future__ import annotations

from collections.abc import Sequence

from riftrules.language.model import (
    AnyOf,
    Arithmetic,
    At,
    Bind,
    Compare,
    Condition,
    Count,
    Each,
    Else,
    Equals,
    Every,
    Expression,
    FieldTest,
    Has,
    In,
    Known,
    Literal,
    No,
    Not,
    Pattern,
    Read,
    Some,
    Sum,
    Test,
    Use,
    Where,
)
from riftrules.scenario.words import said

_SHARED = {"greater": "greater of {} and {}", "lesser": "lesser of {} and {}"}


def condition_text(condition: Condition) -> str:
    """The condition as a designer writes it, in flow style."""
    match condition:
        case Pattern():
            return _pattern(condition)
        case No(conditions):
            return f"no: {_body(conditions)}"
        case Some(conditions):
            return f"some: {_body(conditions)}"
        case Every(conditions, has):
            return f"every: {_body(conditions)} has: {_body(has)}"
        case Count(conditions, variable):
            return f"count: {_body(conditions)} as: ${variable}"
        case Sum(of, conditions, variable):
            return f"sum: {expression_text(of)} over: {_body(conditions)} as: ${variable}"
        case Each(of, variables):
            return f"each: {expression_text(of)} as: {', '.join(f'${name}' for name in variables)}"
        case Where(left, test, text):
            return f"where: {text or f'{expression_text(left)} {test_text(test)}'}"
        case Use(name, arguments):
            return f"{name}: {', '.join(expression_text(one) for one in arguments)}" if arguments else name


def _body(conditions: Sequence[Condition]) -> str:
    texts = [condition_text(one) for one in conditions]
    return f"{{{texts[0]}}}" if len(texts) == 1 else f"[{'; '.join(texts)}]"


def _pattern(pattern: Pattern) -> str:
    tests = ", ".join(field_text(test) for test in pattern.tests)
    named = f"{pattern.template} ${pattern.name}" if pattern.name is not None else pattern.template
    return f"{named}: {{{tests}}}"


def field_text(test: FieldTest) -> str:
    """`field: test`."""
    return f"{test.field}: {test.text or test_text(test.test)}"


def test_text(test: Test) -> str:
    """A test as it is written."""
    match test:
        case Bind(variable):
            return f"${variable}"
        case Equals(to):
            return expression_text(to)
        case Known():
            return "some"
        case Not(inner):
            return f"not {test_text(inner)}"
        case Compare(op, to):
            return f"{op} {expression_text(to)}"
        case Has(member):
            return f"has {expression_text(member)}"
        case In(of):
            return f"in {expression_text(of)}"
        case AnyOf(tests):
            return " or ".join(test_text(one) for one in tests)


def expression_text(expression: Expression) -> str:
    """An expression as it is written."""
    match expression:
        case Literal(value):
            return said(value)
        case Read(variable, hops, _):
            return ".".join([f"${variable}", *(hop.field for hop in hops)])
        case Arithmetic(op, left, right):
            pair = expression_text(left), expression_text(right)
            return _SHARED[op].format(*pair) if op in _SHARED else f"{pair[0]} {op} {pair[1]}"
        case Else(left, right):
            return f"{expression_text(left)} else {expression_text(right)}"
        case At(map_, key):
            return f"{expression_text(map_)} at {expression_text(key)}"
