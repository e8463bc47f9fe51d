"""Fills the fields a fact was not given: fixtures, asserts, frames and events all complete their facts here."""

from __future__ import annotations

from collections.abc import Mapping

from riftrules.facts.memory import Fact, WorkingMemory
from riftrules.facts.types import Value
from riftrules.language.model import Else, Expression, Literal, Position, Read, Template


def complete(
    template: Template, id_: str, given: Mapping[str, Value], memory: WorkingMemory, *, position: int = 0, asked: Value = None
) -> Fact:
    """The fact with every field: as given, else its default, else none.

    `position` is its place in its list from 1 (0: one more than there are such facts). Required fields are the
    caller's to check: one that is not given becomes none.
    """
    values: dict[str, Value] = {}
    for name, field in template.fields.items():
        if name in given:
            values[name] = given[name]
        elif isinstance(field.default, Position):
            values[name] = position or memory.count(template.name) + 1
        else:
            values[name] = None if field.default is None else _value(field.default, id_, asked, memory)
    return Fact(template.name, id_, values)


def _value(default: Expression, id_: str, asked: Value, memory: WorkingMemory) -> Value:
    """A default's value. The loader admits literals, `$id`, `$asked`, one field of a singleton, and `else`."""
    match default:
        case Literal(value):
            return value
        case Else(left, right):
            found = _value(left, id_, asked, memory)
            return found if found is not None else _value(right, id_, asked, memory)
        case Read("id", (), False):
            return id_
        case Read("asked", (), False):
            return asked
        case Read(name, (hop,), True):
            fact = memory.get(name, name)
            return fact.values[hop.field] if fact else None
    message = f"not a default the loader admits: {default!r}"
    raise TypeError(message)
