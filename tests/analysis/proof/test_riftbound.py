"""The game itself: its smallest scope is proved, and random games go well in every mode. `RIFTRULES_LONG=1` does more."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from riftrules.analysis.proof.journal import digest
from riftrules.analysis.proof.proving import Proving
from riftrules.analysis.proof.setup import Setup
from riftrules.analysis.random_play import play_games, playable
from riftrules.language.loader import load_ruleset
from riftrules.language.model import Ruleset
from riftrules.scenario.workers import crew

RULESET = Path(__file__).parents[3] / "rulesets" / "riftbound"
LONG = bool(os.environ.get("RIFTRULES_LONG"))
GAMES = 2_000 if LONG else 50


@pytest.fixture(scope="module")
def riftbound() -> Ruleset:
    return load_ruleset(RULESET)


@pytest.mark.parametrize("scope", ["smoke", pytest.param("duel", marks=pytest.mark.skipif(not LONG, reason="an hour or so"))])
def test_the_scope_is_proved(riftbound: Ruleset, scope: str) -> None:
    with crew(2 if LONG else 1) as workers:
        proof = Proving(riftbound, riftbound.scopes[scope], workers=workers).run()
    assert [finding.message for finding in proof.findings] == []
    assert proof.finished


def test_random_games_go_well_in_every_mode(riftbound: Ruleset) -> None:
    scopes = [(scope, mode) for scope in riftbound.scopes.values() if playable(scope) for mode in scope.modes]
    assert {mode for _, mode in scopes} == set(riftbound.modes)
    setups = [Setup(digest(riftbound, scope, mode), riftbound, scope, mode, "riftbound") for scope, mode in scopes]
    with crew(2) as workers:
        games = play_games(setups, GAMES, 1, workers, lambda _: None)
    assert [(game.message, game.fixture) for game in games if game.ended == "fault"] == []
    assert len(games) == GAMES
