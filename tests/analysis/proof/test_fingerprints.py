"""One number for a state and all that differ from it in names only."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from riftrules.engine.fingerprints import Fingerprints
from riftrules.engine.orders import Trial
from riftrules.engine.program import compile_ruleset
from riftrules.language.model import Ruleset
from riftrules.language.problems import Problems
from riftrules.scenario.board import open_board
from riftrules.scenario.opening import node_of
from tests.analysis.proof.pebbles import TEMPLATES, pebbles

Given = dict[str, object]


def number(ruleset: Ruleset, given: Given, ignored: tuple[tuple[str, str], ...] = ()) -> int:
    node = node_of({"clock": {}, **given}, "given")
    board = open_board((node,), ruleset, "", Problems())  # type: ignore[arg-type]
    trial = Trial(compile_ruleset(ruleset), board.facts, board.stack)
    return Fingerprints(ruleset, ignored, board.facts).of(trial.memory, trial.standing)


def board(keepers: str, rooms: str, pebbles_: dict[str, tuple[str, str]], owners: dict[str, str] | None = None) -> Given:
    return {
        "keepers": {name: {} for name in keepers},
        "rooms": {name: {"owner": (owners or {}).get(name)} for name in rooms},
        "pebbles": {name: {"keeper": keeper, "at": at} for name, (keeper, at) in pebbles_.items()},
    }


def test_boards_that_differ_in_names_only_are_one(tmp_path: Path) -> None:
    ruleset = pebbles(tmp_path)
    one = board("ab", "xy", {"p": ("a", "x"), "q": ("b", "bag")}, {"x": "a"})
    other = board("ba", "yx", {"q": ("b", "y"), "p": ("a", "bag")}, {"y": "b"})
    assert number(ruleset, one) == number(ruleset, other)


def test_boards_that_differ_in_more_than_names_are_two(tmp_path: Path) -> None:
    ruleset = pebbles(tmp_path)
    boards = [
        board("ab", "xy", {"p": ("a", "x"), "q": ("b", "x")}),
        board("ab", "xy", {"p": ("a", "x"), "q": ("b", "y")}),
        board("ab", "xy", {"p": ("a", "x"), "q": ("a", "x")}),
        board("ab", "xy", {"p": ("a", "x"), "q": ("a", "y")}),
        board("ab", "xy", {"p": ("a", "x"), "q": ("b", "x")}, {"x": "a"}),
        board("ab", "xy", {"p": ("a", "x"), "q": ("b", "x")}, {"y": "a"}),
    ]
    assert len({number(ruleset, one) for one in boards}) == len(boards)


def test_a_cycle_of_six_is_not_two_of_three(tmp_path: Path) -> None:
    """Colours alone cannot tell these apart: each keeper has two pebbles, each room holds two."""
    ruleset = pebbles(tmp_path)

    def rings(*sizes: int) -> Given:
        start, pairs = 0, []
        for size in sizes:
            pairs += [(start + at, start + (at + step) % size) for at in range(size) for step in (0, 1)]
            start += size
        held = {f"p{place}": (f"k{keeper}", f"r{room}") for place, (keeper, room) in enumerate(pairs)}
        made = board("", "", held)
        return {**made, "keepers": {f"k{at}": {} for at in range(6)}, "rooms": {f"r{at}": {} for at in range(6)}}

    assert number(ruleset, rings(6)) != number(ruleset, rings(3, 3))
    assert number(ruleset, rings(2, 4)) == number(ruleset, rings(4, 2))


def test_names_count_where_a_template_is_not_symmetric(tmp_path: Path) -> None:
    ruleset = pebbles(tmp_path, templates=TEMPLATES.replace("rooms, symmetric: true", "rooms"))
    one, other = board("ab", "xy", {"p": ("a", "x")}), board("ab", "xy", {"p": ("a", "y")})
    assert number(ruleset, one) != number(ruleset, other)


def test_ignored_fields_do_not_count(tmp_path: Path) -> None:
    ruleset = pebbles(tmp_path)
    early, late = ({**board("ab", "x", {}), "clock": {"ticks": ticks}} for ticks in (1, 2))
    assert number(ruleset, early) != number(ruleset, late)
    ignored = (("clock", "ticks"),)
    assert number(ruleset, early, ignored) == number(ruleset, late, ignored)


def test_every_process_finds_the_same_number(tmp_path: Path) -> None:
    pebbles(tmp_path)
    program = (
        "from pathlib import Path\n"
        "from tests.analysis.proof.pebbles import pebbles\n"
        "from tests.analysis.proof.test_fingerprints import board, number\n"
        f"ruleset = pebbles(Path({str(tmp_path)!r}))\n"
        "print(number(ruleset, board('ab', 'xy', {'p': ('a', 'x'), 'q': ('b', 'y')}, {'x': 'a'})))\n"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", program], env={**os.environ, "PYTHONHASHSEED": seed}, check=True, capture_output=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(said) == 1
