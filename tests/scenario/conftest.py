"""The lamps ruleset, and fixtures read from text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from riftrules.language.loader import load_ruleset
from riftrules.language.model import Ruleset
from riftrules.scenario.files import Catalogue
from riftrules.scenario.loading import Loaded, load_file
from riftrules.scenario.model import Run
from riftrules.scenario.playing import play
from riftrules.scenario.session import opener

LAMPS = Path(__file__).parents[1] / "rulesets" / "lamps"

Load = Callable[[str], tuple[Loaded, ...]]
Play = Callable[..., Run]


@pytest.fixture(scope="session")
def lamps() -> Ruleset:
    """The ruleset of these tests."""
    return load_ruleset(LAMPS)


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lamps: Ruleset) -> Load:
    """Reads `f.yaml`, written with this text."""
    monkeypatch.chdir(tmp_path)

    def loaded(text: str) -> tuple[Loaded, ...]:
        path = Path("f.yaml")
        path.write_text(dedent(text).lstrip("\n"), encoding="utf-8")
        catalogue = Catalogue(override=LAMPS)
        catalogue.loaded[LAMPS.resolve()] = lamps
        return load_file(path, catalogue).scenarios

    return loaded


BOARD = """
scenario: tried
given:
  players: {ada: {}, ben: {}}
  turn: {player: ada}
  rooms: {hall: {}, attic: {owner: ben}}
  lamps:
    candle: {owner: ada, at: hall, watts: 5}
    beacon: {owner: ada, at: hall, watts: 60}
    bulb: {owner: ben, at: attic, lit: true}
"""


@pytest.fixture(params=["reference", "engine"])
def played(request: pytest.FixtureRequest, load: Load) -> Play:
    """Plays the board with these lines below it, on the reference and on the engine."""

    def run(text: str, *, lenient: bool = False) -> Run:
        (one,) = load(BOARD + dedent(text).lstrip("\n"))
        assert one.problems == ()
        assert one.scenario is not None
        assert one.ruleset is not None
        return play(one.scenario, one.ruleset, opener(request.param), lenient=lenient)

    return run


def told(loaded: tuple[Loaded, ...]) -> list[str]:
    """The problems of what was loaded, as printed, hints behind a dash."""
    return [str(problem).replace("\n    hint: ", " — ") for one in loaded for problem in one.problems]
