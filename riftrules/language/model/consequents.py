"""Consequents: what a rule does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from riftrules.errors import NOWHERE, Place
from riftrules.language.model.expressions import Expression, Read


@dataclass(frozen=True, slots=True)
class Assert:
    """A new fact (or, with a key or a singleton, the fact of that identity) with these fields; defaults for the rest.

    What follows it in the same `then` may give its id, `called` so, to what it makes.
    """

    template: str
    fields: tuple[tuple[str, Expression], ...]
    within: Read | None = None
    place: Place = NOWHERE
    called: str = ""


@dataclass(frozen=True, slots=True)
class FieldChange:
    """op: `set` `plus` `minus` (numbers), `add` `remove` (one member of a set or list)."""

    field: str
    op: str
    to: Expression


@dataclass(frozen=True, slots=True)
class Modify:
    """Fields of the fact (or frame) `target`, a variable without hops, of `template`."""

    target: Read
    template: str
    changes: tuple[FieldChange, ...]
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class Retract:
    """The fact `target` goes, and what hangs on it."""

    target: Read
    template: str
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class Emit:
    """An event happens."""

    event: str
    fields: tuple[tuple[str, Expression], ...]
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class Begin:
    """A procedure begins now, on top of the stack; with `due` it is made now and runs when everything yields."""

    procedure: str
    fields: tuple[tuple[str, Expression], ...]
    due: bool = False
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class BeginEach:
    """Each procedure of a value of type `calls` begins, the first first."""

    calls: Expression
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class Leave:
    """The frame `target` ends now, with everything on the stack above it."""

    target: Read
    procedure: str
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class AskFor:
    """The session waits for one of the requests, from this player. Alone in its rule."""

    player: Expression
    requests: tuple[str, ...]
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class Refuse:
    """The request `target` is refused. Alone in its rule."""

    target: Read
    procedure: str
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class EndGame:
    """The game is over after this consequent."""

    place: Place = NOWHERE


Consequent: TypeAlias = Assert | Modify | Retract | Emit | Begin | BeginEach | Leave | AskFor | Refuse | EndGame
