"""What the package offers a Python program: these names, and nothing else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import riftrules

ROOT = Path(__file__).parents[1]
NAMES = [
    "Call",
    "Fact",
    "Firing",
    "Refusal",
    "RiftrulesError",
    "Ruleset",
    "Run",
    "Session",
    "Trace",
    "Verdict",
    "Waiting",
    "load_ruleset",
    "open_session",
    "play",
]


def test_the_public_names_are_these() -> None:
    assert riftrules.__all__ == NAMES
    assert dir(riftrules) == NAMES
    assert [name for name in NAMES if not is_documented(getattr(riftrules, name))] == []


def is_documented(public: Any) -> bool:
    """What is compiled has no docstring (see `tests/test_compiled.py`)."""
    return bool(public.__doc__) or not str(sys.modules[public.__module__].__file__).endswith(".py")


def test_the_package_is_imported_without_what_it_may_not_need() -> None:
    heavy = ("pydantic", "yaml", "lark", "rich", "typer", "durable")
    code = f"import sys, riftrules; print([name for name in {heavy} if name in sys.modules])"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert said.stdout == "[]\n"


@pytest.mark.parametrize("engine", ["engine", "reference"])
def test_a_program_opens_a_board_and_plays_on_it(engine: str) -> None:
    ruleset = riftrules.load_ruleset(ROOT / "rulesets" / "riftbound")
    given = {
        "players": {"you": {"points": 6}, "opponent": {}},
        "turn": {"player": "you", "phase": "main"},
        "battlefields": {"Riverfork Crossing": {}},
        "units": {"Kindling Volunteer": {"controller": "you", "at": "base", "might": 2}},
    }
    session = riftrules.open_session(ruleset, given, engine=engine)
    answer = session.request("move", {"units": ("Kindling Volunteer",), "to": "Riverfork Crossing"})
    assert isinstance(answer, riftrules.Waiting)
    assert [ask.player for ask in answer.asks] == ["you"]
    refusal = session.request("move", {"units": ("Kindling Volunteer",), "to": "base"})
    assert isinstance(refusal, riftrules.Refusal)
    for _ in range(2):
        session.request("pass", {})
    assert session.read("player", "you", "points") == 7
    assert session.read("battlefield", "Riverfork Crossing", "controller") == "you"


def test_a_wrong_board_tells_every_problem_with_its_path() -> None:
    ruleset = riftrules.load_ruleset(ROOT / "rulesets" / "riftbound")
    with pytest.raises(riftrules.RiftrulesError) as error:
        riftrules.open_session(
            ruleset, {"player": {"you": {"points": "5"}}, "unit": {"Scout": {"controller": "yuo", "at": "base"}}}
        )
    said = str(error.value)
    assert 'given.player.you.points:1:1: error: `"5"` is not a whole number [type]' in said
    assert "given.unit.Scout.controller:1:1: error: `yuo` names no player [unknown-fact]\n    hint: did you mean `you`?" in said


def test_a_program_plays_a_fixture() -> None:
    (run,) = riftrules.play(ROOT / "fixtures" / "riftbound" / "winning" / "s-50-final-point-draws.yaml")
    assert run.verdict.status == "passed"
    assert "conquer-at-match-point-draws" in run.verdict.fired
