"""What is drawn of a board, and where: one model for the page, the terminal and the description in words."""

from __future__ import annotations

from dataclasses import dataclass

from riftrules.facts.types import Value

FLAG, NUMBER, PLAYER, SCORE, WORDS = "flag", "number", "player", "score", "words"


@dataclass(frozen=True, slots=True)
class Shown:
    """One value as it is drawn: its field, the words for it, and what kind it is.

    `text` is the whole of what is said of it, empty where nothing is; `off` is true where that is only what it is not.
    `choices` are the words a field with few words may be, `whole` is what a score is of.
    """

    field: str
    label: str
    text: str
    kind: str
    value: Value
    off: bool = False
    choices: tuple[str, ...] = ()
    whole: int | None = None


@dataclass(frozen=True, slots=True)
class Mark:
    """A fact or frame that is said of the place, piece or player it refers to; `player` is whose it is."""

    template: str
    id: str
    text: str
    player: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """A fact that is drawn with what stands in it, and what is said of it.

    `seal` and `against` are fields among `values`; `stands` is the field that says where it is.
    """

    template: str
    id: str
    title: str
    owner: str = ""
    values: tuple[Shown, ...] = ()
    marks: tuple[Mark, ...] = ()
    parts: tuple[Part, ...] = ()
    seal: str = ""
    against: str = ""
    stands: str = ""
    turned: bool = False


@dataclass(frozen=True, slots=True)
class Seat:
    """A player with what they have at home; their number from 1 gives them colour and shape."""

    part: Part
    number: int
    on_turn: bool = False


@dataclass(frozen=True, slots=True)
class Scene:
    """A whole board. `home` is the word for where things are that stand in no place; `others` are drawn nowhere else."""

    turn: Part | None = None
    seats: tuple[Seat, ...] = ()
    places: tuple[Part, ...] = ()
    home: str = ""
    lists: tuple[tuple[str, tuple[Part, ...]], ...] = ()
    others: tuple[Part, ...] = ()

    @property
    def near(self) -> tuple[Seat, ...]:
        """The players who sit below the places: every other one from the first, and never more than half of them."""
        return self.seats[::2][: max(1, len(self.seats) // 2)]

    @property
    def far(self) -> tuple[Seat, ...]:
        """The players who sit above the places."""
        return tuple(seat for seat in self.seats if seat not in self.near)
