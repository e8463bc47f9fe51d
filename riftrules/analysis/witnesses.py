"""The fields that conditions and rules look at under given bindings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice

from riftrules.engine.reference.matching import Bindings, Board
from riftrules.facts.trace import FieldRead
from riftrules.facts.types import Value
from riftrules.language.model import Condition, Count, Pattern, Rule, Some, Sum, Use


def witnessed(conditions: tuple[Condition, ...], env: Bindings, board: Board) -> Iterator[FieldRead]:
    """The fields tested of the facts that meet conditions, joined: of what there is, not of what there is not."""
    named = tuple(_named(one, place) for place, one in enumerate(conditions))
    for found in islice(board.matches(named, env), MOST_WITNESSES):
        for one in named:
            match one:
                case Pattern(template, str(name), tests):
                    yield from ((template, found[name], test.field) for test in tests if test.field != "id" and not test.derived)
                case Some(inner) | Count(inner) | Sum(_, inner):
                    yield from witnessed(inner, found, board)
                case Use(name, arguments):
                    definition = board.ruleset.definitions[name]
                    values = [board.evaluate(argument, found) for argument in arguments]
                    yield from witnessed(definition.when, dict(zip(definition.parameters, values, strict=True)), board)


def _named(condition: Condition, place: int) -> Condition:
    """A pattern with a name that no ruleset can give, so that it can be told which fact it takes."""
    if isinstance(condition, Pattern) and condition.name is None:
        return replace(condition, name=f"\N{MIDDLE DOT}{place}")
    return condition


MOST_WITNESSES = 8


def fields_read(rule: Rule, board: Board, env: Mapping[str, Value]) -> tuple[FieldRead, ...]:
    """The stored fields that a rule reads under these bindings, as a firing would tell them."""
    found = set()
    for read in rule.reads:
        *path, last = read.hops
        holder = board.evaluate(replace(read, hops=tuple(path)), env)
        if (
            holder is not None
            and board.memory.last(last.template, holder) is not None
            and last.field != "id"
            and not last.derived
        ):
            found.add((last.template, holder, last.field))
    return tuple(sorted(found))
