"""Says in a few words why a condition does not hold under some bindings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from riftrules.engine.reference.matching import Bindings, Board
from riftrules.facts.memory import Fact
from riftrules.facts.types import Value
from riftrules.language.model import (
    AnyOf,
    Bind,
    Compare,
    Condition,
    Each,
    Equals,
    Every,
    Expression,
    FieldTest,
    Has,
    In,
    Literal,
    No,
    Not,
    Pattern,
    Read,
    Some,
    Test,
    Use,
    Where,
)
from riftrules.language.saying import say
from riftrules.scenario.words import said, said_fields


def field_failure(fact: Fact, test: FieldTest, board: Board, env: Bindings) -> str:
    """`points is 7`, with the value of what it is compared with where that is not written out."""
    value = board.read(fact.template, fact.id, test.field, derived=test.derived)
    return f"{test.field} is {said(value)}{_compared(test.test, board, env)}"


def _compared(test: Test, board: Board, env: Bindings) -> str:
    """The values of what a test reads: `, $p.points is 3`."""
    match test:
        case Bind(variable):
            return f", ${variable} is {said(env[variable])}" if variable in env else ""
        case Not(inner):
            return _compared(inner, board, env)
        case AnyOf(tests):
            return "".join(_compared(one, board, env) for one in tests)
        case Equals(to) | Compare(_, to) | Has(to) | In(to):
            return _expression(to, board, env)
    return ""


def _expression(to: Expression, board: Board, env: Bindings) -> str:
    known = not isinstance(to, Read) or to.singleton or to.variable in env
    if isinstance(to, Literal) or not known:
        return ""
    try:
        return f", {say(to)} is {said(board.evaluate(to, env))}"
    except KeyError:
        return ""


def failure(one: Condition, board: Board, env: Bindings) -> str:
    """Why a condition that only tests does not hold under these bindings, in a few words."""
    match one:
        case Pattern():
            return _nearest(one, board, env)
        case No(conditions):
            return f"there is {_witness(conditions, board, env)}"
        case Some(conditions):
            return (
                _nearest(conditions[0], board, env)
                if len(conditions) == 1 and isinstance(conditions[0], Pattern)
                else "there is none"
            )
        case Every(conditions, has):
            found = (match for match in board.matches(conditions, env, quantified=True) if not board.any(has, match))
            return f"not of {_bound(next(found), env, conditions)}"
        case Where(left, test):
            return f"{say(left)} is {said(board.evaluate(left, env))}{_compared(test, board, env)}"
        case Use(name, arguments):
            return _definition(name, arguments, board, env)
        case Each():
            return "it has no members"
    return "it is another number"


def _nearest(pattern: Pattern, board: Board, env: Bindings) -> str:
    """That there is none, and which fact fails the fewest tests."""
    facts = board.facts(pattern.template)
    if not facts:
        return f"there is no {pattern.template}"
    failing = [(fact, [test for test in pattern.tests if not _holds(fact, test, board, env)]) for fact in facts]
    fact, tests = min(failing, key=lambda pair: len(pair[1]))
    if not tests:
        return "there is none"
    return f"nearest is {fact.id}: {'; '.join(field_failure(fact, test, board, env) for test in tests)}"


def _holds(fact: Fact, test: FieldTest, board: Board, env: Bindings) -> bool:
    """Whether a test holds as far as its variables are bound: a variable of the pattern's own holds of anything."""
    if isinstance(test.test, Bind) and test.test.variable not in env:
        return True
    try:
        return board.field_holds(fact.template, fact.id, test, env)
    except KeyError:
        return True


def _witness(conditions: Sequence[Condition], board: Board, env: Bindings) -> str:
    """A match of what should not match."""
    if len(conditions) == 1 and isinstance(conditions[0], Pattern) and conditions[0].name is None:
        conditions = (replace(conditions[0], name="\N{MIDDLE DOT}"),)
    found = next(board.matches(tuple(conditions), env, quantified=True), None)
    return _bound(found, env, conditions) if found is not None else "one"


def _bound(found: Bindings, env: Bindings, conditions: Sequence[Condition]) -> str:
    """The facts that a match has taken, and what else it binds."""
    named = {one.name: one.template for one in conditions if isinstance(one, Pattern) and one.name is not None}
    facts = [f"{named[name]} {value}" if value != named[name] else str(value) for name, value in found.items() if name in named]
    others = [(f"${name}", value) for name, value in found.items() if name not in named and name not in env]
    uses = [one for one in conditions if isinstance(one, Use)]
    if not facts and not others and uses:
        return f"one: `{uses[0].definition}` holds"
    return ", ".join(facts) if facts else said_fields(others) if others else "one"


def _definition(name: str, arguments: Sequence[Expression], board: Board, env: Bindings) -> str:
    """The first condition of a definition that nothing meets for these arguments, the ones before it joined."""
    definition = board.ruleset.definitions[name]
    values: list[Value] = [board.evaluate(one, env) for one in arguments]
    if None in values:
        return f"{say(arguments[values.index(None)])} is none"
    given: Bindings = dict(zip(definition.parameters, values, strict=True))
    for place, one in enumerate(definition.when):
        if next(board.matches(definition.when[: place + 1], given), None) is None:
            return f"{say(one)}: {failure(one, board, given)}"
    return "it does not hold"
