"""What conditions mention: fields and patterns, however deep, and the values that would satisfy a test."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

from riftrules.engine.reference.matching import Bindings, Board
from riftrules.facts.types import Value
from riftrules.language.model import Bind, Compare, Condition, Equals, FieldTest, Has, In, Literal, Pattern, Ruleset, Use


def mentioned_fields(node: Any, ruleset: Ruleset) -> Iterator[tuple[tuple[str, str], bool]]:
    """The (template, field) pairs that conditions name, definitions and derived fields followed."""
    met: set[tuple[str, str] | str] = set()
    waiting: list[Any] = [node]
    while waiting:
        one = waiting.pop()
        pairs: list[tuple[str, str]] = []
        match one:
            case Pattern(template, _, tests):
                pairs = [(template, ""), *((template, test.field) for test in tests)]
            case Use(name) if name not in met:
                met.add(name)
                waiting.append(ruleset.definitions[name].when)
        if hasattr(one, "hops"):
            pairs += [(hop.template, hop.field) for hop in one.hops]
        for pair in pairs:
            if pair not in met:
                met.add(pair)
                yield pair, True
                derived = ruleset.templates[pair[0]].derived.get(pair[1])
                waiting.extend([derived.cases] if derived is not None else [])
        waiting.extend(
            one if isinstance(one, tuple) else [getattr(one, each.name) for each in fields(one)] if is_dataclass(one) else []
        )


def patterns_of(conditions: Sequence[Condition], env: Bindings, board: Board) -> Iterator[tuple[Pattern, Bindings]]:
    """The patterns of conditions, however deep, each with the bindings known where it stands."""
    for one in conditions:
        if isinstance(one, Pattern):
            yield one, env
        elif isinstance(one, Use):
            definition = board.ruleset.definitions[one.definition]
            values = [_known(argument, env, board) for argument in one.arguments]
            given = {name: value for name, value in zip(definition.parameters, values, strict=True) if value is not None}
            yield from patterns_of(definition.when, given, board)
        else:
            for part in ("conditions", "has"):
                yield from patterns_of(getattr(one, part, ()), env, board)


def _known(expression: Any, env: Bindings, board: Board) -> Value:
    try:
        return board.evaluate(expression, env)
    except KeyError:
        return None


def satisfying(test: FieldTest, env: Bindings, board: Board) -> tuple[Value, ...]:
    """Values of the field that pass the test, where they can be told without searching."""
    match test.test:
        case Bind(variable):
            return (env[variable],) if variable in env else ()
        case Equals(Literal(value)):
            return (value,)
        case Equals(to):
            return (_known(to, env, board),)
        case Has(to):
            return (frozenset({_known(to, env, board)}),)
        case In(to):
            return tuple(_known(to, env, board) or ())
        case Compare(op, to):
            value = _known(to, env, board)
            near = {"at least": 0, "at most": 0, "more than": 1, "less than": -1}[op]
            return (value + near,) if isinstance(value, int) else ()
    return ()
