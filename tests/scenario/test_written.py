"""A scenario written as a fixture is read again as the same board and the same items."""

from __future__ import annotations

from pathlib import Path

import pytest

from riftrules.facts.memory import Fact
from riftrules.facts.types import Call, Value
from riftrules.scenario.files import Catalogue, find_fixtures
from riftrules.scenario.loading import load_file
from riftrules.scenario.model import Beginning, Choosing, Expecting, Item, Requesting, Scenario
from riftrules.scenario.written import expected_lines, fixture_text, written

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("folder", ["tests/fixtures/lamps", "fixtures/riftbound/combat"])
def test_what_is_written_is_read_again(folder: str, tmp_path: Path) -> None:
    bundled = ROOT / folder.split("fixtures", maxsplit=1)[0] / "rulesets"
    catalogue, played = Catalogue(bundled=bundled), 0
    for path in find_fixtures([ROOT / folder]).files:
        for one in load_file(path, catalogue).scenarios:
            assert one.scenario is not None
            assert one.ruleset is not None
            file = tmp_path / "written.yaml"
            file.write_text(fixture_text(one.scenario, one.ruleset), encoding="utf-8")
            (again,) = load_file(file, catalogue).scenarios
            assert again.scenario is not None, again.problems
            assert (again.scenario.facts, again.scenario.stack) == (one.scenario.facts, one.scenario.stack)
            assert items(again.scenario, one.ruleset) == items(one.scenario, one.ruleset)
            played += 1
    assert played > 4


def items(scenario: Scenario, ruleset: object) -> list[object]:
    """What is done, each field that has its default left out."""
    return [plain(item, ruleset) for item in scenario.items if not isinstance(item, Expecting)]


def plain(item: Item, ruleset: object) -> object:
    """An item without its place."""
    match item:
        case Requesting(procedure, fields):
            return procedure, unusual(procedure, fields, ruleset), item.refused, item.everyone
        case Beginning(calls):
            return [(call.procedure, unusual(call.procedure, call.fields, ruleset)) for call in calls]
        case Choosing(option):
            return getattr(option, "text", None)
    return item


def unusual(procedure: str, fields: tuple[tuple[str, Value], ...], ruleset: object) -> list[tuple[str, Value]]:
    """The fields that are not as they would be anyway."""
    template = ruleset.templates[procedure]
    return [(name, value) for name, value in fields if getattr(template.fields[name].default, "value", ...) != value]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "none"),
        (True, "true"),
        (-3, "-3"),
        ("Riverfork Crossing", "Riverfork Crossing"),
        ("Not Dead Yet", '"Not Dead Yet"'),
        ("none", '"none"'),
        ("a: b", '"a: b"'),
        ('"so"', '"\\"so\\""'),
        ("", '""'),
        (frozenset({"b", "a"}), "[a, b]"),
        ((("u", 2), ("v", 1)), "{u: 2, v: 1}"),
        ((Call("draw", (("player", "you"),)),), "[{draw: {player: you}}]"),
    ],
)
def test_a_value_is_written_so_that_it_is_read_as_itself(value: Value, text: str) -> None:
    assert written(value) == text


def test_expectations_name_the_fields_asked_for() -> None:
    lamp = Fact("lamp", "bulb", {"lit": True, "at": "hall"})
    turn = Fact("turn", "turn", {"player": "ada"})
    lines = list(expected_lines([(lamp, ["lit"]), (turn, ["player"])], gone=[Fact("mark", "ada, hall", {})]))
    assert lines == ["lamp bulb: {lit: true}", "turn: {player: ada}", "no mark ada, hall: {}"]
