"""What may be asked for: the fields of a request, and every request there could be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations, product

from riftrules.facts.memory import WorkingMemory, missing_ref
from riftrules.facts.types import BoolType, IntType, ListType, RefType, SetType, Type, Value, WordType, fault
from riftrules.language.model import Field, Template

_AT_MOST = 2


def misgiven(template: Template, given: Mapping[str, Value]) -> str:
    """Why these are no fields of the template, in words; empty where they are."""
    unknown = next((name for name in sorted(given) if name not in template.fields), None)
    return f"`{template.name}` has no field `{unknown}`" if unknown is not None else ""


def unfit(template: Template, values: Mapping[str, Value], memory: WorkingMemory, *, holding: bool) -> str:
    """Why these complete values are not of their fields' types, in words; `holding` says that refs must hold."""
    for name, field in template.fields.items():
        value = values[name]
        if value is None:
            if not field.optional:
                return f"`{template.name}` needs `{name}`"
            continue
        said = fault(value, field.type)
        if said:
            return f"`{name}`: {said}"
        missing = missing_ref(memory, value, field.type) if holding else None
        if missing:
            return f"`{name}`: no {missing[0]} `{missing[1]}` holds"
    return ""


def possible(template: Template, memory: WorkingMemory) -> Iterator[dict[str, Value]]:
    """Every combination of field values over their domains. A field without one is left to its default, or there are none."""
    domains: dict[str, tuple[Value, ...]] = {}
    for name, field in template.fields.items():
        values = _values(field, memory)
        if values is not None:
            domains[name] = values
        elif field.required:
            return
    for values in product(*domains.values()):
        yield dict(zip(domains, values, strict=True))


def _values(field: Field, memory: WorkingMemory) -> tuple[Value, ...] | None:
    found = _domain(field.type, memory)
    if found is None:
        return (None,) if field.optional and field.default is None else None
    return (*found, None) if field.optional else found


def _domain(type_: Type, memory: WorkingMemory) -> tuple[Value, ...] | None:
    match type_:
        case RefType(template, words):
            return (*(fact.id for fact in memory.all(template)), *words)
        case IntType(int(low), int(high)):
            return tuple(range(low, high + 1))
        case BoolType():
            return (False, True)
        case WordType(words):
            return words
        case SetType(of):
            return _several(of, memory, _AT_MOST, frozenset)
        case ListType(of, at_most):
            return _several(of, memory, _AT_MOST if at_most is None else at_most, tuple)
    return None


def _several(of: Type, memory: WorkingMemory, at_most: int, kind: type) -> tuple[Value, ...] | None:
    items = _domain(of, memory)
    if items is None:
        return None
    return tuple(kind(some) for size in range(1, at_most + 1) for some in combinations(items, size))
