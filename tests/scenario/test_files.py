"""Fixture files are found once each, and rulesets and boards from where a fixture is."""

from __future__ import annotations

from pathlib import Path

import pytest

from riftrules.scenario.files import Catalogue, find_board, find_fixtures, shown


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in (
        "fixtures/b.yaml",
        "fixtures/a/c.yml",
        "fixtures/.hidden/x.yaml",
        "fixtures/README.md",
        "rulesets/lamps/ruleset.yaml",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x: 1\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_files_of_both_endings_in_sub_folders_are_found_once_and_in_order(house: Path) -> None:
    found = find_fixtures([Path("fixtures"), Path("fixtures/b.yaml"), house / "fixtures" / "a"])
    assert [shown(path) for path in found.files] == ["fixtures/a/c.yml", "fixtures/b.yaml"]
    assert found.problems == ()


def test_a_ruleset_is_looked_for_upwards_and_then_among_those_bundled(house: Path) -> None:
    bundled = house / "bundled"
    (bundled / "chess").mkdir(parents=True)
    catalogue = Catalogue(bundled=bundled)
    fixture = Path("fixtures/a/c.yml")
    assert catalogue.find("lamps", fixture) == (house / "rulesets" / "lamps").resolve()
    assert catalogue.find("chess", fixture) == bundled / "chess"
    assert catalogue.find("go", fixture) is None
    assert catalogue.names(fixture) == ["chess", "lamps"]
    assert Catalogue(override=Path("other")).find("lamps", fixture) == Path("other")


def test_a_board_is_looked_for_beside_the_fixture_and_above_it(house: Path) -> None:
    assert find_board("b.yaml", Path("fixtures/a/c.yml")) == (house / "fixtures" / "b.yaml").resolve()
    assert find_board("none.yaml", Path("fixtures/a/c.yml")) is None
