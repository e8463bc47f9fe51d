"""One condition of a ruleset, and which sides of it have been seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from riftrules.errors import Place

Path: TypeAlias = tuple[int | str, ...]

HELD, FAILED = 1, 2
BOTH = HELD | FAILED


@dataclass(frozen=True, slots=True)
class Spot:
    """A condition: what it belongs to (`rule a-lamp-is-lit`), where in it, and how it reads.

    `path` tells conditions of one holder apart that read alike: positions from the outside in.
    """

    holder: str
    path: Path
    text: str
    place: Place
