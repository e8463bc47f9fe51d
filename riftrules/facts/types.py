"""The types a field may have, and the values they admit.

A value is one of: `None` (the language's `none`), a bool, an int, a text (ids and words are texts), a frozenset
(`set`), a tuple (`list`), a tuple of pairs sorted by key (`map`), or a tuple of `Call` (`calls`). Every value is
hashable and has one canonical form, so equality of values is equality in the language.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

Value: TypeAlias = Any


@dataclass(frozen=True, slots=True)
class Call:
    """A procedure with the fields to begin it with: what a card does, as a value."""

    procedure: str
    fields: tuple[tuple[str, Value], ...] = ()


@dataclass(frozen=True, slots=True)
class RefType:
    """The id of a fact of `template`, or one of `words`, which no id may equal."""

    template: str
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class IntType:
    """A whole number, within limits where they are given (both inclusive)."""

    min: int | None = None
    max: int | None = None


@dataclass(frozen=True, slots=True)
class BoolType:
    """`true` or `false`."""


@dataclass(frozen=True, slots=True)
class TextType:
    """Any text."""


@dataclass(frozen=True, slots=True)
class WordType:
    """`one of` the words listed."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SetType:
    """Members without order or repetition."""

    of: Type


@dataclass(frozen=True, slots=True)
class ListType:
    """Items in order, at most so many where a limit is given."""

    of: Type
    at_most: int | None = None


@dataclass(frozen=True, slots=True)
class MapType:
    """A number for each key; reading a key that is not there gives 0."""

    key: Type
    to: IntType


@dataclass(frozen=True, slots=True)
class CallsType:
    """A list of procedures with their fields."""


Type: TypeAlias = RefType | IntType | BoolType | TextType | WordType | SetType | ListType | MapType | CallsType


@dataclass(frozen=True, slots=True)
class FieldShape:
    """What working memory knows of a field: its type, and whether it may be none."""

    type: Type
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Shape:
    """What working memory knows of a template.

    `key` is None where every assert is a new fact, the fields of the identity otherwise (`()` for a singleton).
    `keeps` is true of frames and events: they keep references to what is gone.
    """

    template: str
    fields: dict[str, FieldShape]
    key: tuple[str, ...] | None = None
    keeps: bool = False


@lru_cache(maxsize=65536)
def id_order(text: str) -> tuple[tuple[int, int, str], ...]:
    """The natural order of ids: runs of digits compare as numbers, so `unit-2` comes before `unit-10`."""
    parts = [part for part in re.split(r"(\d+)", text) if part]
    return tuple((0, int(part), part) if part.isdecimal() else (1, 0, part) for part in parts)


def value_order(value: Value) -> tuple[Any, ...]:
    """A total order over values of any type: none, truth, numbers, texts, then the composed ones."""
    match value:
        case None:
            return (0,)
        case bool():
            return (1, value)
        case int():
            return (2, value)
        case str():
            return (3, id_order(value))
        case frozenset():
            return (4, tuple(sorted(value_order(member) for member in value)))
        case tuple():
            return (5, tuple(value_order(item) for item in value))
        case Call(procedure, fields):
            return (6, procedure, tuple((name, value_order(item)) for name, item in fields))
    message = f"not a value of the language: {value!r}"
    raise TypeError(message)


def canonical(value: Value) -> Value:
    """The value as JSON says it: sets as sorted lists, maps and calls as objects are written by their pairs."""
    match value:
        case frozenset():
            return [canonical(member) for member in sorted(value, key=value_order)]
        case tuple():
            return [canonical(item) for item in value]
        case Call(procedure, fields):
            return {procedure: {name: canonical(item) for name, item in fields}}
    return value


def keyed_id(values: Sequence[Value]) -> str:
    """The id of a fact whose key is its identity: the key's values, a comma within one doubled."""
    return ", ".join([(value if type(value) is str else in_words(value)).replace(",", ",,") for value in values])


def key_of(id_: str) -> tuple[str, ...]:
    """The values, as words, of which `keyed_id` made this id."""
    return tuple(part.replace("\0", ",") for part in id_.replace(",,", "\0").split(", "))


def in_words(value: Value) -> str:
    """A value as the language writes it: `none`, `true`, `false`, numbers, texts; sets and lists by their members."""
    match value:
        case None:
            return "none"
        case bool():
            return "true" if value else "false"
        case frozenset():
            return "[" + ", ".join(in_words(member) for member in sorted(value, key=value_order)) + "]"
        case tuple():
            return "[" + ", ".join(in_words(item) for item in value) + "]"
    return str(value)


def fault(value: Value, type_: Type) -> str:
    """Why `value` is not of `type_`, in the words of a message; empty where it is. Existence of refs is not asked here."""
    match type_:
        case IntType(low, high):
            return _number_fault(value, low, high)
        case BoolType():
            return "" if isinstance(value, bool) else f"`{value}` is neither true nor false"
        case TextType() | RefType():
            return "" if isinstance(value, str) else f"`{value}` is not a text"
        case WordType(words):
            return "" if value in words else f"`{value}` is none of {', '.join(f'`{word}`' for word in words)}"
        case SetType(of):
            return _members_fault(value, frozenset, of)
        case ListType(of, at_most):
            return _members_fault(value, tuple, of) or _length_fault(value, at_most)
        case MapType(key, to):
            return _map_fault(value, key, to)
        case CallsType():
            known = isinstance(value, tuple) and all(isinstance(item, Call) for item in value)
            return "" if known else f"`{value}` is not a list of procedures"


LARGEST = 2**62
"""Numbers stay below this, either way: the match network's saturate beyond it."""


def _number_fault(value: Value, low: int | None, high: int | None) -> str:
    if isinstance(value, bool) or not isinstance(value, int):
        return f"`{value}` is not a whole number"
    if abs(value) >= LARGEST:
        return "the number is too large"
    if low is not None and value < low:
        return f"{value} is less than {low}"
    if high is not None and value > high:
        return f"{value} is more than {high}"
    return ""


def _length_fault(value: tuple[Value, ...], at_most: int | None) -> str:
    too_many = at_most is not None and len(value) > at_most
    return f"{len(value)} items are more than {at_most}" if too_many else ""


def _map_fault(value: Value, key: Type, to: IntType) -> str:
    if not isinstance(value, tuple):
        return f"`{value}` is not a map"
    return next((said for pair in value for said in (fault(pair[0], key), fault(pair[1], to)) if said), "")


def _members_fault(value: Value, kind: type[frozenset[Value] | tuple[Value, ...]], of: Type) -> str:
    if not isinstance(value, kind):
        return f"`{value}` is not a {'set' if kind is frozenset else 'list'}"
    return next((said for member in value if (said := fault(member, of))), "")
