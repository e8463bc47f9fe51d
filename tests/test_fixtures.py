"""Every scenario in `fixtures/` goes as it says, and the engine plays it as the reference does, to the byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from riftrules.scenario.files import Catalogue, find_fixtures
from riftrules.scenario.loading import load_scenarios
from riftrules.scenario.playing import play
from riftrules.scenario.session import Opener, opener

FIXTURES = Path(__file__).parents[1] / "fixtures"
FILES = [file for file in find_fixtures([FIXTURES]).files if "boards" not in file.parts]


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    """The rulesets, each read once."""
    return Catalogue()


@pytest.fixture(scope="module")
def engines() -> tuple[Opener, Opener]:
    """The engine and the reference."""
    return opener("engine"), opener("reference")


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(FIXTURES)))
def test_a_fixture_passes_and_both_engines_agree(file: Path, catalogue: Catalogue, engines: tuple[Opener, Opener]) -> None:
    for scenario, ruleset in load_scenarios(file, catalogue):
        on_engine, on_reference = (play(scenario, ruleset, opens) for opens in engines)
        found = on_engine.verdict.differences
        told = "\n".join(f"{one.place}: {one.path}: expected {one.expected}, found {one.actual}" for one in found)
        assert on_engine.verdict.status == "passed", f"{scenario.name}\n{told}{on_engine.verdict.reason}"
        assert on_engine.trace.lines() == on_reference.trace.lines(), scenario.name
        assert on_engine.waiting == on_reference.waiting
        assert on_engine.after == on_reference.after
