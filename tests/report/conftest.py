"""The lamps, boards of them in few words, and recordings of their scenarios."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from riftrules.facts.memory import Fact
from riftrules.language.loader import load_ruleset
from riftrules.language.model import Ruleset
from riftrules.scenario.model import Verdict
from riftrules.scenario.recording import Recorder, Recording
from riftrules.scenario.suite import Judge, Options
from tests.report.browser import chromium

__all__ = ["chromium"]  # one browser for all tests here

HERE = Path(__file__).parents[1]
BOARD = HERE / "fixtures" / "lamps" / "boards" / "house.yaml"

VIEW = {
    "place": "room",
    "here": [{"template": "lamp", "at": "at"}],
    "elsewhere": "shelf",
    "owner": "owner",
    "players": "player",
    "order": {"player": "seat"},
    "shows": {
        "lamp": ["watts", "lit", "broken", "colours"],
        "room": ["owner", "lit"],
        "player": ["score", "seat"],
        "turn": ["player"],
    },
    "seal": {"lamp": "watts"},
    "turned": {"lamp": "broken"},
    "marks": {"mark": "first lit by $by"},
    "labels": {"owner": ["owned by", "nobody's"], "lit": ["lit", "dark"], "watts": "light"},
    "score": {"field": "score", "of": "settings.goal"},
    "turn": "turn",
}
"""A view of the lamps that says all a view can say."""


@pytest.fixture(scope="session")
def lamps() -> Ruleset:
    return replace(load_ruleset(HERE / "rulesets" / "lamps"), view=VIEW)


def lamp(name: str, at: str, owner: str = "ada", **values: object) -> Fact:
    fields = {"owner": owner, "at": at, "watts": 10, "lit": False, "broken": False, "colours": frozenset()}
    return Fact("lamp", name, {**fields, **values})


HOUSE = (
    Fact("player", "ben", {"seat": 2, "score": 0}),
    Fact("player", "ada", {"seat": 1, "score": 2}),
    Fact("room", "attic", {"owner": None}),
    Fact("room", "hall", {"owner": "ada"}),
    Fact("settings", "settings", {"goal": 3, "rooms": 2}),
    Fact("turn", "turn", {"player": "ada"}),
    Fact("mark", "ada, hall", {"by": "ada", "at": "hall"}),
    lamp("x10", "hall", lit=True, watts=60),
    lamp("x2", "hall", "ben", broken=True, colours=frozenset({"red", "blue"})),
    lamp("y", "shelf"),
)

Record = Callable[..., list[Recording | Verdict]]


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory, lamps: Ruleset) -> Record:
    """Plays the scenarios of a text, which uses the board of the lamps, and gives what was recorded."""
    folder = tmp_path_factory.mktemp("played")
    (folder / "boards").mkdir()
    (folder / "boards" / "house.yaml").write_text(BOARD.read_text(encoding="utf-8"), encoding="utf-8")
    judge = Judge(Options(ruleset=HERE / "rulesets" / "lamps"))
    judge.catalogue.loaded[(HERE / "rulesets" / "lamps").resolve()] = lamps
    recorder = Recorder(judge.open_session)
    judge.open_session = recorder

    def played(text: str) -> list[Recording | Verdict]:
        file = folder / "scenario.yaml"
        file.write_text(f"uses: boards/house.yaml\n{text}", encoding="utf-8")
        return list(_recorded(judge, recorder, file))

    return played


def _recorded(judge: Judge, recorder: Recorder, file: Path) -> Iterator[Recording | Verdict]:
    for run in judge.runs(file):
        yield run if isinstance(run, Verdict) else recorder.recording(run)
