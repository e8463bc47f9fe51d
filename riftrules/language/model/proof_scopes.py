"""Scopes: which boards, requests and effects a proof goes through, and random play starts from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from riftrules.errors import NOWHERE, Place
from riftrules.facts.types import Value

Path: TypeAlias = tuple[str, str]
"""(template, field)"""


@dataclass(frozen=True, slots=True)
class Supply:
    """Facts of one template on every starting board.

    There are `count` of them, or as many as the setting of that name says; with `each`, so many for each fact of that
    template, to which the field `by` refers. `names` are their ids, as far as they go. `values` are the values a field
    may have on a starting board (every combination is one); `dealt` are given out in turn.
    """

    template: str
    count: int | str = 1
    each: str = ""
    by: str = ""
    names: tuple[str, ...] = ()
    values: tuple[tuple[str, tuple[Value, ...]], ...] = ()
    dealt: tuple[tuple[str, tuple[Value, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class Move:
    """A request or an effect that is tried: which values of a field are. A field with None is left to its default."""

    procedure: str
    fields: Mapping[str, tuple[Value, ...] | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ProofScope:
    """What a proof covers.

    `requests` are tried wherever a session waits for them, `effects` are begun wherever it waits; `numbers` is up to
    which number is tried where a field has no limit of its own. Two states that differ in `ignored` fields only are one.
    `depth` is how many moves follow each other (None: until nothing new is found). At one in `agreement` states the
    reference is asked too. Random play makes `seldom` moves at one in fifty chances, and ends at the latest when a field
    of a singleton named in `bound` has that number.
    """

    name: str
    says: str = ""
    modes: tuple[str, ...] = ("",)
    supplies: tuple[Supply, ...] = ()
    stack: tuple[tuple[str, tuple[tuple[str, Value], ...], str], ...] = ()
    requests: tuple[Move, ...] = ()
    effects: tuple[Move, ...] = ()
    numbers: int = 2
    ignored: tuple[Path, ...] = ()
    depth: int | None = None
    agreement: int = 0
    seldom: tuple[str, ...] = ()
    bound: tuple[tuple[Path, int], ...] = ()
    place: Place = field(default=NOWHERE, compare=False)
