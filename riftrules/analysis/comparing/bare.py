"""Parts of the language without where they stand, so that only what they say is compared."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

from riftrules.errors import Place

SKIPPED = {"place", "text"}


def bare(part: Any) -> Hashable:
    """A value that is equal for two parts just when they say the same; places and texts kept for messages are left out."""
    match part:
        case bool():
            return ("truth", part)  # else it would be the number 1 or 0
        case None | str() | int() | frozenset():
            return part
        case tuple() | list():
            return tuple(bare(one) for one in part)
        case Mapping():
            return ("mapping", frozenset((key, bare(value)) for key, value in part.items()))
        case Place():
            return ()
    kind: Any = type(part)
    return (kind.__name__, *(bare(getattr(part, name)) for name in _said(kind)))


def alike(one: Any, other: Any) -> bool:
    """Whether two parts say the same: that their `bare` values are equal, told without making them."""
    if one is other:
        return True
    if isinstance(one, LISTS) and isinstance(other, LISTS):
        return len(one) == len(other) and all(map(alike, one, other))
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(alike(value, other[key]) for key, value in one.items())
    kind: Any = type(one)
    if kind is not type(other) or kind in PLAIN:
        return kind is type(other) and bool(one == other)
    return kind is Place or all(alike(getattr(one, name), getattr(other, name)) for name in _said(kind))  # type: ignore[arg-type]


LISTS = (tuple, list)
PLAIN = (str, int, bool, frozenset, type(None))


@cache
def _said(kind: type[Any]) -> tuple[str, ...]:
    """The fields that say something: not where it stands, nor texts kept for messages."""
    if not is_dataclass(kind):
        message = f"not a part of the language: {kind.__name__}"
        raise TypeError(message)
    return tuple(one.name for one in fields(kind) if one.name not in SKIPPED)
