"""The values of a comparison: an edit, and what stood where it was made on either side."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from riftrules.errors import NOWHERE, Place

Key: TypeAlias = tuple[str, str]
"""What kind of thing it is, and its name."""

WHOLE = ""
ORDER = "order"


@dataclass(frozen=True, slots=True)
class Edit:
    """One difference between two rulesets.

    `kind` and `name` say of what (a rule, a definition, a field …), `part` which part of it (empty: all of it, which is
    new or gone). `before` and `after` are texts, empty where nothing stood. An edit that does not `play` cannot change
    what comes of a board: citations, notes, the order of conditions. `field` and `slot` say where in the model it is.
    """

    kind: str
    name: str
    part: str = WHOLE
    before: str = ""
    after: str = ""
    cites: tuple[str, ...] = ()
    place: Place = NOWHERE
    plays: bool = True
    item: Key = ("", "")
    field: str = ""
    slot: Hashable = None

    @property
    def change(self) -> str:
        """`added`, `dropped` or `changed`."""
        return "added" if not self.before else "dropped" if not self.after else "changed"


@dataclass(frozen=True, slots=True)
class Slot:
    """Two values that stand for one another on the two sides; None where there is none."""

    old: Any
    new: Any


@dataclass(frozen=True, slots=True)
class Item:
    """A named thing on both sides (None where it is not), and the slots of those of its fields that have members."""

    key: Key
    old: Any
    new: Any
    slots: Mapping[str, tuple[Slot, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Found:
    """Every edit, and what was compared."""

    edits: tuple[Edit, ...]
    items: Mapping[Key, Item]
    renamed: Mapping[str, str]
