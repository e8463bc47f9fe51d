"""Random play on the riftbound ruleset, in every mode: no fault, no limit, an end, and nothing that must never be.

`RIFTRULES_GAMES=2000` plays as many games as it says (50 otherwise); `-s` shows games and decisions a second. A game that
fails is told with its mode and seed, and as what was done in it: it becomes a fixture.
"""

from __future__ import annotations

import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from riftrules import Ruleset, load_ruleset
from riftrules.scenario.session import Opener, opener
from tests.random_player import TURNS, Game, faults

GAMES = int(os.environ.get("RIFTRULES_GAMES", "50"))
BATCH = 10


@pytest.fixture(scope="module")
def ruleset() -> Ruleset:
    """The rules that are played."""
    return load_ruleset(Path(__file__).parents[1] / "rulesets" / "riftbound")


@pytest.fixture(scope="module")
def engine() -> Opener:
    """The engine, which compiles the rules once."""
    return opener("engine")


@pytest.fixture(scope="module")
def counted() -> Iterator[Counter[str]]:
    """What all games came to; told at the end."""
    counts: Counter[str] = Counter()
    begun = time.perf_counter()
    yield counts
    seconds = time.perf_counter() - begun
    ends = {name: counts[name] for name in ("over", "turns", "decisions")}
    sys.stderr.write(
        f"\n{counts['games']} games, {counts['made']} decisions, {counts['made'] / seconds:.0f} a second; ended by {ends}\n"
    )


def played(game: Game) -> str:
    """Play a game and say how it ended: `over`, or which bound it reached."""
    seen = 0
    for _ in game.play():
        assert not (found := faults(game, seen)), f"{game.mode}, seed {game.seed}: {found}\n{game.given}\n{game.script}"
        seen = len(game.session.trace.entries)
    return "over" if game.session.waiting.kind == "over" else "turns" if game.turn() > TURNS else "decisions"


@pytest.mark.parametrize("batch", range((GAMES + BATCH - 1) // BATCH))
def test_a_player_who_does_anything_breaks_nothing(batch: int, ruleset: Ruleset, engine: Opener, counted: Counter[str]) -> None:
    modes = list(ruleset.modes)
    for seed in range(batch * BATCH, min(GAMES, batch * BATCH + BATCH)):
        game = Game(ruleset, seed, modes[seed % len(modes)], engine)
        counted[played(game)] += 1
        counted["games"] += 1
        counted["made"] += len(game.script)
        game.close()


@pytest.mark.parametrize("seed", range(5))
def test_a_random_game_is_the_same_on_the_reference(seed: int, ruleset: Ruleset, engine: Opener) -> None:
    mode = list(ruleset.modes)[seed]
    games = [Game(ruleset, seed, mode, opens, decisions=12) for opens in (engine, opener("reference"))]
    for game in games:
        played(game)
    first, second = games
    assert first.script == second.script
    assert first.session.trace.lines() == second.session.trace.lines()
    first.close()
