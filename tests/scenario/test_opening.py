"""What a Python program gives by mistake is told as an error of riftrules; a ruleset is compiled once."""

from __future__ import annotations

from typing import Any

import pytest

import riftrules
from riftrules.language.loader import load_ruleset
from riftrules.language.model import Ruleset
from tests.scenario.conftest import LAMPS

BOARD = {"players": {"ada": {}}, "turn": {"player": "ada"}, "rooms": {"hall": {}}}


@pytest.mark.parametrize(
    ("ruleset", "given", "said"),
    [
        (None, {}, "a session is opened on what `load_ruleset` gives, not on None"),
        ("lamps", {}, "a session is opened on what `load_ruleset` gives, not on `str`"),
        (..., None, "a board is given as a mapping, like `given` in a fixture, not as None"),
        (..., [], "a board is given as a mapping, like `given` in a fixture, not as `list`"),
        (..., {"players": 1.5}, "given.players: `1.5` is not plain data"),
    ],
)
def test_what_is_no_ruleset_or_no_board_is_told(lamps: Ruleset, ruleset: Any, given: Any, said: str) -> None:
    with pytest.raises(riftrules.RiftrulesError) as error:
        riftrules.open_session(lamps if ruleset is ... else ruleset, given)
    assert str(error.value) == said


def test_a_ruleset_is_compiled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from riftrules.engine import program

    compiled: list[Ruleset] = []
    real = program.compile_ruleset

    def compile_ruleset(ruleset: Ruleset) -> Any:
        compiled.append(ruleset)
        return real(ruleset)

    monkeypatch.setattr(program, "compile_ruleset", compile_ruleset)
    first, second = load_ruleset(LAMPS), load_ruleset(LAMPS)
    for ruleset in (first, first, second, first):
        riftrules.open_session(ruleset, BOARD)
    assert [one is first for one in compiled] == [True, False]
