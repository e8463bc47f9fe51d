"""Random games as text and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console

from riftrules.analysis.random_play import Game
from riftrules.report.console import styled

ENDS = {
    "over": "ended",
    "bound": "broken off at their bound",
    "beyond": "left where only numbers beyond those tried would do",
    "fault": "found something wrong",
}


def print_games(games: Sequence[Game], written: Mapping[Game, str], seconds: float, to: Console) -> None:
    """How the games of each mode ended, how fast they were played, and what was found."""
    for scope, mode in dict.fromkeys((game.scope, game.mode) for game in games):
        here = [game for game in games if (game.scope, game.mode) == (scope, mode)]
        ends = {end: sum(1 for game in here if game.ended == end) for end in ENDS}
        moves = sum(game.moves for game in here)
        said = ", ".join(f"{count:,} {ENDS[end]}" for end, count in ends.items() if count)
        to.print(styled(f"  {scope}{f', mode {mode}' if mode else ''}: {len(here):,} games, {moves:,} decisions; {said}"))
    for game in faults(games):
        of = f"seed {game.seed}" + (f", mode {game.mode}" if game.mode else "")
        to.print(styled((f"{game.kind}: ", "bold red"), game.message, (f"  ({of})", "dim")))
        if game in written:
            what = "the game up to there" if game.kind == "stuck" else "the smallest fixture found"
            to.print(styled(f"  {what} is in {written[game]}"))
        elif game.fixture:
            to.print(styled("".join(f"  {line}\n" for line in game.fixture.splitlines()).rstrip()))
    to.print(styled((speed(games, seconds), "bold")))


def speed(games: Sequence[Game], seconds: float) -> str:
    """How many games and decisions there were, and how many a second."""
    moves = sum(game.moves for game in games)
    rate = f", {len(games) / seconds:.1f} games and {moves / seconds:,.0f} decisions a second" if seconds >= 1 else ""
    found = sum(1 for game in games if game.ended == "fault")
    wrong = f"{found} found something wrong" if found else "nothing wrong"
    return f"{len(games):,} games, {moves:,} decisions, {wrong}; {seconds:.1f} s{rate}"


def faults(games: Sequence[Game]) -> tuple[Game, ...]:
    """The first game of each fault."""
    found: dict[tuple[str, str], Game] = {}
    for game in games:
        if game.ended == "fault":
            found.setdefault((game.kind, game.message), game)
    return tuple(found.values())


def games_data(games: Sequence[Game], seconds: float) -> dict[str, Any]:
    """The games as plain data; all but `seconds` is the same whoever played them."""
    return {
        "games": len(games),
        "decisions": sum(game.moves for game in games),
        "ended": {end: sum(1 for game in games if game.ended == end) for end in ENDS},
        "modes": sorted({game.mode for game in games}),
        "faults": [
            {
                "kind": game.kind,
                "message": game.message,
                "scope": game.scope,
                "mode": game.mode,
                "seed": game.seed,
                "fixture": game.fixture,
            }
            for game in faults(games)
        ],
        "seconds": round(seconds, 3),
    }
