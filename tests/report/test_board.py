"""Boards in the terminal."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console

from riftrules.facts.memory import Fact
from riftrules.language.model import Ruleset
from riftrules.report.board import print_boards
from riftrules.report.console import console
from tests.report.conftest import HOUSE, lamp


def printed(lamps: Ruleset, after: tuple[object, ...] = HOUSE, to: Console | None = None) -> str:
    stream = io.StringIO()
    found = to or console(stream)
    found.file = stream
    print_boards(lamps, HOUSE, after, found)  # type: ignore[arg-type]
    return stream.getvalue()


def test_a_board_fits_80_columns_and_is_plain_where_nobody_looks_at_colours(lamps: Ruleset) -> None:
    assert printed(lamps).splitlines() == [
        "before",
        "turn: ● player ada",
        "◆ ben ○○○ score 0 of 3",
        "  seat 2 · shelf: nothing",
        "╭─ attic ──────────────────────────────╮╭─ hall ───────────────────────────────╮",
        "│ nobody's                             ││ ● owned by ada                       │",
        "│ dark                                 ││ lit 1                                │",
        "│ nothing                              ││ ● first lit by ada                   │",
        "│                                      ││ ◆ x2 [10] (broken, blue, red)        │",
        "│                                      ││ ● x10 [60] (lit)                     │",
        "╰──────────────────────────────────────╯╰──────────────────────────────────────╯",
        "● ada  on turn  ●●○ score 2 of 3",
        "  seat 1",
        "  shelf: ● y [10]",
    ]


def test_what_has_changed_has_a_star(lamps: Ruleset) -> None:
    changed = tuple(fact for fact in HOUSE if fact.id not in {"y", "x10"})
    after = printed(lamps, (*changed, lamp("y", "attic"), lamp("x10", "hall", watts=60))).split("after  (* has changed)\n")[1]
    assert after.splitlines()[3:9] == [
        "╭─ attic ──────────────────────────────╮╭─ hall ───────────────────────────────╮",
        "│ nobody's                             ││ ● owned by ada                       │",
        "│ dark                                 ││ dark*                                │",
        "│ ● y* [10]                            ││ ● first lit by ada                   │",
        "│                                      ││ ◆ x2 [10] (broken, blue, red)        │",
        "│                                      ││ ● x10 [60] (dark*)                   │",
    ]


def test_with_colours_the_same_characters_stand_in_the_same_places(lamps: Ruleset) -> None:
    colours = Console(file=io.StringIO(), force_terminal=True, color_system="256", width=80, no_color=False)
    found = printed(lamps, to=colours)
    assert "\x1b[" in found
    plain = Console(file=io.StringIO(), force_terminal=True, width=80, no_color=True)
    assert "38;5" not in printed(lamps, to=plain)


def test_a_narrow_terminal_stacks_the_places(lamps: Ruleset) -> None:
    narrow = Console(file=io.StringIO(), width=30)
    lines = printed(lamps, to=narrow).splitlines()
    assert max(map(len, lines)) <= 30
    assert sum(line.startswith("╭") for line in lines) == 2


@pytest.mark.parametrize("width", [1, 2, 5, 11, 12, 14, 20, 26, 40])
def test_however_narrow_a_terminal_is_no_word_is_lost(lamps: Ruleset, width: int) -> None:
    board = (*HOUSE, Fact("room", "the room at the far end", {"owner": None}))
    wide, narrow = (printed(lamps, board, to=Console(file=io.StringIO(), width=one)) for one in (200, width))
    without_edges = re.sub(r"[\s╭─╮│╰╯]", "", narrow)
    assert [word for word in re.findall(r"\w+", wide) if word not in without_edges] == []


class Plainest(io.StringIO):
    """A stream that takes only ASCII."""

    encoding = "ascii"  # type: ignore[assignment]


def test_where_only_ascii_can_be_written_players_are_numbers(lamps: Ruleset) -> None:
    stream = Plainest()
    print_boards(lamps, HOUSE, HOUSE, console(stream))
    text = stream.getvalue()
    assert text.isascii()
    assert "2: ben ... score 0 of 3\n  seat 2, shelf: nothing\n" in text
