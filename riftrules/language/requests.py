"""What may be asked for: the fields of a request, and every request there could be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations, product
from typing import Any

from riftrules.facts.memory import WorkingMemory, missing_ref
from riftrules.facts.types import (
    BoolType,
    Call,
    CallsType,
    IntType,
    ListType,
    MapType,
    RefType,
    SetType,
    Type,
    Value,
    WordType,
    fault,
)
from riftrules.language.model import Field, Template

_AT_MOST = 2


def given_values(template: Template, given: Mapping[str, Any]) -> dict[str, Value]:
    """The fields of a request with plain lists, sets and dicts as the values of the language they stand for."""
    return {
        name: _value_of(value, template.fields[name].type) if name in template.fields else value for name, value in given.items()
    }


def _value_of(value: Any, type_: Type) -> Value:
    match type_, value:
        case SetType(), list() | tuple() | set():
            return frozenset(value)
        case ListType(), list():
            return tuple(value)
        case MapType(), dict():
            return tuple(value.items())
        case CallsType(), list() | tuple():
            return tuple(_call_of(item) for item in value)
    return value


def _call_of(item: Any) -> Value:
    """A procedure with its fields, also as a fixture says it: `{"draw": {"player": "P1"}}`."""
    if isinstance(item, dict) and len(item) == 1:
        ((name, fields),) = item.items()
        return Call(name, tuple(sorted((fields or {}).items())))
    return item


def check_readable(templates: Mapping[str, Template], template: str, field: str) -> None:
    """Raise ValueError where there is no such template, or no such field of it."""
    known = templates.get(template)
    if known is None:
        message = f"`{template}` is no template"
        raise ValueError(message)
    if field != "id" and field not in known.fields and field not in known.derived:
        message = f"`{template}` has no field `{field}`"
        raise ValueError(message)


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
