"""Tests: what a value must pass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from riftrules.language.model.expressions import Expression


@dataclass(frozen=True, slots=True)
class Bind:
    """A bare `$name`: binds it where nothing has yet, else equal to it. Never holds of none."""

    variable: str


@dataclass(frozen=True, slots=True)
class Equals:
    """The value is that of the expression (none equals none)."""

    to: Expression


@dataclass(frozen=True, slots=True)
class Known:
    """`some`: the value is not none."""


@dataclass(frozen=True, slots=True)
class Not:
    """The test does not hold. `not $x` holds of none."""

    test: Test


@dataclass(frozen=True, slots=True)
class Compare:
    """op: `at least` `at most` `more than` `less than`. False where either side is none."""

    op: str
    to: Expression


@dataclass(frozen=True, slots=True)
class Has:
    """The field (set, list, or map by its keys) holds the value of the expression. False where the field is none."""

    member: Expression


@dataclass(frozen=True, slots=True)
class In:
    """The value is a member of the set or list (or a key of the map) that the expression gives. False where that is none."""

    of: Expression


@dataclass(frozen=True, slots=True)
class AnyOf:
    """One of the tests holds (`A or B`). Binds nothing."""

    tests: tuple[Test, ...]


Test: TypeAlias = Bind | Equals | Known | Not | Compare | Has | In | AnyOf
