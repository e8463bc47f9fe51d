"""Expectations that could never fail, boards in a ring: told where they stand."""

from __future__ import annotations

from pathlib import Path

import pytest

from riftrules.scenario.files import Catalogue
from riftrules.scenario.loading import load_file
from tests.scenario.conftest import BOARD, LAMPS, Load, told

MARKED = BOARD + "  marks: [{by: ada, at: hall}]\n"


@pytest.mark.parametrize("test", ["owner: at least 2", "owner: more than 0", "lit: at most 1", "at: less than 3"])
def test_only_numbers_are_compared_in_an_expectation(load: Load, test: str) -> None:
    (said,) = told(load(BOARD + f"then: {{lamp candle: {{{test}}}}}\n"))
    assert said.endswith("compares numbers [test]")


@pytest.mark.parametrize(
    ("key", "why"),
    [
        ("ada,hall", "its id is `by` and `at`, with a comma and a space between"),
        ("ada", "its id is `by` and `at`, with a comma and a space between"),
        ("ada, hall, hall", "its id is `by` and `at`, with a comma and a space between"),
        ("hall, ada", "`hall` names no player"),
        ("ada, hal", "`hal` names no room"),
    ],
)
def test_a_key_that_no_fact_can_have_is_told_also_where_none_is_expected(load: Load, key: str, why: str) -> None:
    for word in ("no mark", "mark"):
        (said,) = told(load(MARKED + f'then: {{"{word} {key}": {{}}}}\n'))
        assert "[unknown-fact]" in said
        assert why in said


@pytest.mark.parametrize("key", ["ada, hall", "ben, attic"])
def test_a_key_that_a_fact_may_have_is_read(load: Load, key: str) -> None:
    assert told(load(MARKED + f'then: {{"no mark {key}": {{}}}}\n')) == []


@pytest.mark.parametrize("digits", ["9" * 10, "9" * 5000])
def test_how_often_something_fires_is_a_number_of_a_readable_size(load: Load, digits: str) -> None:
    (said,) = told(load(BOARD + f"then: {{fired: {{a-lamp-is-lit: {digits}}}}}\n"))
    assert "how often is a whole number [type]" in said


def test_boards_that_use_each_other_are_told(tmp_path: Path) -> None:
    for name, other in (("a", "b"), ("b", "c"), ("c", "a")):
        text = f"uses: {other}.yaml\ngiven: {{players: {{{name}: {{}}}}}}\n"
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    fixture = tmp_path / "f.yaml"
    fixture.write_text("uses: a.yaml\n" + BOARD.lstrip("\n") + "then: {fired: []}\n", encoding="utf-8")
    said = "\n".join(told(load_file(fixture, Catalogue(override=LAMPS)).scenarios))
    assert "[ring]" in said


def test_a_board_used_on_two_ways_is_no_ring(tmp_path: Path) -> None:
    texts = {
        "a": "uses: [b.yaml, c.yaml]\ngiven: {players: {a: {}}}\n",
        "b": "uses: c.yaml\ngiven: {players: {b: {}}}\n",
        "c": "given: {players: {c: {}}}\n",
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    fixture = tmp_path / "f.yaml"
    fixture.write_text("uses: a.yaml\n" + BOARD.lstrip("\n") + "then: {fired: []}\n", encoding="utf-8")
    assert "[ring]" not in "\n".join(told(load_file(fixture, Catalogue(override=LAMPS)).scenarios))
