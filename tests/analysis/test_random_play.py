"""Random games of a small game: they end, what is wrong in one becomes a fixture, and seeds say what is played."""

from __future__ import annotations

from pathlib import Path

from riftrules.analysis.proof.setup import Setup
from riftrules.analysis.random_play import Game, play_games
from riftrules.language.model import Ruleset
from riftrules.scenario.opening import play
from riftrules.scenario.workers import crew
from tests.analysis.proof.pebbles import SOUND, WITHOUT_LOSS, folder_of, pebbles


def games(ruleset: Ruleset, key: str, count: int = 10, seed: int = 1, workers: int = 1) -> tuple[Game, ...]:
    with crew(workers) as who:
        return play_games((Setup(key, ruleset, ruleset.scopes["games"]),), count, seed, who, lambda _: None)


def test_games_reach_their_bound_and_the_invariants_hold(tmp_path: Path) -> None:
    played = games(pebbles(tmp_path), "sound")
    assert [game.seed for game in played] == list(range(1, 11))
    assert {game.ended for game in played} <= {"bound", "over"}
    assert all(game.moves >= 30 for game in played if game.ended == "bound")


def test_the_same_seeds_are_the_same_games_whoever_plays_them(tmp_path: Path) -> None:
    ruleset = pebbles(tmp_path)
    assert games(ruleset, "sound", workers=2) == games(ruleset, "sound")
    assert games(ruleset, "sound", seed=100) != games(ruleset, "sound")


def test_what_is_wrong_in_a_game_is_a_small_fixture_that_fails(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, WITHOUT_LOSS)
    fault = next(game for game in games(pebbles(tmp_path, WITHOUT_LOSS), "lossless") if game.ended == "fault")
    assert fault.message.startswith("invariant `an-owner-has-a-pebble-there` is violated by")
    fixture = tmp_path / "found.yaml"
    fixture.write_text(fault.fixture, encoding="utf-8")
    assert fault.fixture.count("- carry") <= 2
    (run,) = play(fixture, ruleset=folder)
    assert run.verdict.status == "failed"
    (mended,) = play(fixture, ruleset=folder_of(tmp_path / "sound", SOUND))
    assert mended.verdict.status == "passed"


def test_a_game_in_which_everything_is_refused_is_told(tmp_path: Path) -> None:
    nothing = "  - rule: nothing-may-be-carried\n    house: true\n    when: [{carry $c: {}}]\n    then: [refuse $c]\n"
    scopes = "scopes: {games: {boards: {keepers: {count: 1}, clock: {ticks: 0}}, requests: [carry], bound: {clock.ticks: 3}}}\n"
    (game,) = games(pebbles(tmp_path, (*SOUND, nothing), scopes=scopes), "stuck", 1)
    assert (game.ended, game.kind, game.message) == ("fault", "stuck", "the session waits, and everything is refused")
    assert "scenario: the session waits, and everything is refused" in game.fixture
