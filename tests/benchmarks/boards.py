"""The boards and the decision that everything here is measured on, in nobody's terms."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any, NamedTuple

PLAYERS = ("P1", "P2")
BATTLEFIELDS = ("A", "B")


class Unit(NamedTuple):
    id: str
    controller: str
    at: str = "base"
    might: int = 1
    damage: int = 0
    exhausted: bool = False


class Battlefield(NamedTuple):
    id: str
    controller: str | None = None
    contested_by: str | None = None


@dataclass(frozen=True)
class Board:
    """P1's main phase; `units` by id. Then P1 moves `movers` to A, and P1 and P2 pass."""

    units: tuple[Unit, ...]
    battlefields: tuple[Battlefield, ...]
    points: tuple[int, ...] = (0, 0)
    movers: tuple[str, ...] = ("u1",)
    to: str = "A"


class Outcome(NamedTuple):
    """What a decision comes to: the board after it, and the rules that fired, in their order."""

    units: tuple[Unit, ...]
    battlefields: tuple[Battlefield, ...]
    points: tuple[int, ...]
    trash: tuple[int, ...]
    scored: tuple[tuple[str, str], ...]
    fired: tuple[str, ...]


def teaching_board(units: int = 10) -> Board:
    """Half the units are each player's; P2 controls A with nobody there, and B with two units."""
    half = units // 2
    ours = [Unit(f"u{number}", "P1") for number in range(1, half + 1)]
    theirs = [Unit(f"v{number}", "P2", at="B" if number <= 2 else "base") for number in range(1, units - half + 1)]
    return Board((*ours, *theirs), (Battlefield("A", "P2"), Battlefield("B", "P2")))


def some_boards(count: int, seed: int = 1) -> list[Board]:
    """Boards without a combat in them, some with units about to die or control about to be lost."""
    chance = random.Random(seed)
    return [_some_board(chance) for _ in range(count)]


def _some_board(chance: random.Random) -> Board:
    there = chance.choice((None, *PLAYERS))
    units = []
    for number in range(1, chance.randint(4, 14) + 1):
        controller = "P1" if number <= 2 else chance.choice(PLAYERS)
        at = "B" if number > 2 and controller == there and chance.random() < 0.5 else "base"
        might = chance.randint(1, 5)
        damage = chance.randint(0, might - 1 if number <= 2 else might)
        exhausted = number > 2 and chance.random() < 0.3
        units.append(Unit(f"u{number}", controller, at, might, damage, exhausted))
    battlefields = (Battlefield("A", chance.choice((None, "P2"))), Battlefield("B", there))
    points = (chance.randint(0, 6), chance.randint(0, 7))
    return Board(tuple(units), battlefields, points, movers=("u1", "u2")[: chance.randint(1, 2)])


def given(board: Board) -> dict[str, Any]:
    """The board as it stands under `given` in a fixture."""
    return {
        "players": {name: {"points": points} for name, points in zip(PLAYERS, board.points, strict=True)},
        "battlefields": {one.id: {"controller": one.controller} for one in board.battlefields},
        "units": {one.id: {name: value for name, value in one._asdict().items() if name != "id"} for one in board.units},
        "turn": {"player": "P1", "phase": "main"},
    }
