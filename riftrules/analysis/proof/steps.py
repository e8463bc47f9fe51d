"""What may be done where a session waits: requests, effects and answers, each as a value that can be done again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product

from riftrules.engine.orders import Step
from riftrules.facts.memory import WorkingMemory
from riftrules.facts.trace import Waiting
from riftrules.facts.types import (
    BoolType,
    IntType,
    ListType,
    MapType,
    RefType,
    SetType,
    Type,
    Value,
    WordType,
)
from riftrules.language.model import Field, Move, ProofScope, Ruleset, Template

AT_MOST = 2
"""How many members of a set or list are tried where nothing says how many there may be."""


def steps(ruleset: Ruleset, scope: ProofScope, waiting: Waiting, memory: WorkingMemory) -> Iterator[Step]:
    """Everything the scope tries here, in a fixed order; what is refused is among it."""
    if waiting.choice is not None:
        yield from (Step("choose", option=option) for option in waiting.choice.options)
        if waiting.choice.optional:
            yield Step("choose")
        return
    if waiting.kind == "over":
        return
    for kind, move in open_moves(scope, waiting):
        yield from combined(kind, move, ruleset.templates[move.procedure], memory, scope.numbers)


def open_moves(scope: ProofScope, waiting: Waiting) -> Iterator[tuple[str, Move]]:
    """The requests and effects that are tried where a session waits so."""
    asked = {name for ask in waiting.asks for name in ask.requests}
    for kind, moves in (("request", scope.requests), ("begin", scope.effects)):
        for move in moves:
            if kind == "begin" or waiting.kind == "idle" or move.procedure in asked:
                yield kind, move


def combined(kind: str, move: Move, template: Template, memory: WorkingMemory, numbers: int) -> Iterator[Step]:
    """Every combination of the values of its fields."""
    domains = domains_of(move, template, memory, numbers)
    if domains is not None:
        for values in product(*domains.values()):
            yield Step(kind, move.procedure, tuple(zip(domains, values, strict=True)))


def domains_of(move: Move, template: Template, memory: WorkingMemory, numbers: int) -> Mapping[str, Sequence[Value]] | None:
    """The values tried of each field that is not left to its default; None where one that is needed has none."""
    domains: dict[str, Sequence[Value]] = {}
    for name, field in template.fields.items():
        if name in move.fields:
            values = move.fields[name]
            if values is not None:
                domains[name] = values
            continue
        found = _values(field, memory, numbers)
        if found is not None:
            domains[name] = found
        elif field.required:
            return None
    return domains


def _values(field: Field, memory: WorkingMemory, numbers: int) -> Sequence[Value] | None:
    """A number without limits that has a default is left to it."""
    found = _domain(field.type, memory, numbers if field.required else None)
    if found is None:
        return (None,) if field.optional and field.default is None else None
    return (*found, None) if field.optional else found


def _domain(type_: Type, memory: WorkingMemory, numbers: int | None) -> Sequence[Value] | None:
    match type_:
        case RefType(template, words):
            return (*(fact.id for fact in memory.all(template)), *words)
        case IntType(low, high):
            return _numbers(low, high, numbers)
        case BoolType():
            return (False, True)
        case WordType(words):
            return words
        case SetType(of):
            return _several(of, memory, AT_MOST, frozenset)
        case ListType(of, at_most):
            return _several(of, memory, AT_MOST if at_most is None else at_most, tuple)
        case MapType(key, to):
            return None if numbers is None else tuple(_maps(key, to, memory, numbers))
    return None


def _numbers(low: int | None, high: int | None, numbers: int | None) -> Sequence[Value] | None:
    most = numbers if high is None else high
    return None if most is None else range(0 if low is None else low, most + 1)


def gathering(template: Template, move: Move) -> str:
    """The field of a request in which several things are named, or shared out among; an empty text where there is none."""
    fields = template.fields.values()
    kinds = (ListType, SetType, MapType)
    return next((one.name for one in fields if isinstance(one.type, kinds) and one.required and one.name not in move.fields), "")


def _several(of: Type, memory: WorkingMemory, at_most: int, kind: type) -> Sequence[Value] | None:
    items = _domain(of, memory, None)
    if items is None:
        return None
    return tuple(kind(some) for size in range(1, at_most + 1) for some in combinations(items, size))


def _maps(key: Type, to: IntType, memory: WorkingMemory, numbers: int) -> Iterator[Value]:
    """Every map of some keys to numbers whose sum is no more than what is tried, the least sum first."""
    keys = _domain(key, memory, None) or ()
    least = max(1, to.min or 1)
    for total in range(1, numbers + 1):
        for size in range(1, min(len(keys), total // least) + 1):
            for some in combinations(keys, size):
                yield from (tuple(zip(some, shares, strict=True)) for shares in _shares(total, size, least))


def _shares(total: int, size: int, least: int) -> Iterator[tuple[int, ...]]:
    """Every way to share a total out over so many, each at least so much."""
    if size == 1:
        yield (total,)
        return
    for first in range(least, total - least * (size - 1) + 1):
        yield from ((first, *rest) for rest in _shares(total - first, size - 1, least))
