"""Rules of which one thing does not hold: each condition and each test in its turn, and nothing else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from riftrules.analysis.comparing.failing import Failings
from riftrules.language.loader import load_ruleset
from riftrules.language.saying import say
from tests.analysis.comparing.finding import noticed, tried

ROOT = Path(__file__).parents[3]
LAMPS = load_ruleset(ROOT / "tests" / "rulesets" / "lamps")
GAME = load_ruleset(ROOT / "rulesets" / "riftbound")
LONG = bool(os.environ.get("RIFTRULES_LONG"))


def failing(ruleset: str, rule: str) -> list[str]:
    """What is said in place of a condition, each last among the conditions."""
    one = {"lamps": LAMPS, "game": GAME}[ruleset]
    return [say(other.when[-1]) for other, _ in Failings(one).rules(one.rule(rule))]


def test_each_test_of_a_pattern_fails_in_its_turn() -> None:
    assert failing("lamps", "a-bright-lamp-scores") == [
        "lamp $x: {watts: less than 50, owner: $p}",
        "lamp $x: {watts: at least 50, owner: not $p}",
        "player $p: {score: not $s}",
    ]


def test_what_must_not_be_is_there_and_then_is_there_but_for_one_thing() -> None:
    assert failing("game", "turn-player-opens-a-showdown")[-3:] == [
        "some: {staged: {at: $bf, what: combat}}",
        "some: {staged: {at: not $bf, what: combat}}",
        "some: {staged: {at: $bf, what: not combat}}",
    ]


def test_a_definition_fails_by_one_thing_of_its_body() -> None:
    found = [named for _, named in Failings(GAME).rules(GAME.rule("turn-player-opens-a-showdown"))]
    bodies = {tuple(map(say, named.definitions["open"].when)) for named in found}
    assert len(bodies) > 1


@pytest.mark.skipif(not LONG, reason="a quarter of an hour")
def test_a_board_is_found_for_nine_edits_of_ten_that_matter() -> None:
    found = [one.found for one in tried(noticed(100), 60.0)]
    assert sum(found) >= 90
