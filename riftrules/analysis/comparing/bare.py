"""Parts of the language without where they stand, so that only what they say is compared."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import fields, is_dataclass
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
    if is_dataclass(part):
        # Places and texts kept for messages say nothing.
        values = (getattr(part, one.name) for one in fields(part) if one.name not in SKIPPED)
        return (type(part).__name__, *(bare(value) for value in values))
    message = f"not a part of the language: {part!r}"
    raise TypeError(message)
