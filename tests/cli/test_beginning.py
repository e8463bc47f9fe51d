"""`riftrules new`: what it writes loads, and fails until it is filled in."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.conftest import Workspace

ROOT = Path(__file__).parents[2]


def test_a_rule_and_its_scenario_fail_until_they_are_filled_in(house: Workspace) -> None:
    code, out, err = house.run("new", "rule", "lamps-cool-down", "--step", "owners", "--cites", "3")
    assert (code, err) == (0, "")
    assert out == "wrote rulesets/lamps/rules/lamps-cool-down.yaml\nwrote fixtures/lamps-cool-down.yaml\n"
    assert (house.folder / "rulesets/lamps/rules/lamps-cool-down.yaml").read_text(encoding="utf-8") == (
        "rules:\n"
        "  - rule: lamps-cool-down\n"
        '    cites: ["3"]\n'
        "    says: to be written, in one sentence.\n"
        "    step: owners\n"
        "    when:\n"
        "      - where: 0 is 1                # never: say instead on which boards it does\n"
        "    then: []\n"
    )
    code, out, _ = house.run("test")
    assert code == 1
    assert "expected `lamps-cool-down`\n    found    never" in out
    code, out, _ = house.run("check")
    assert code == 1
    assert "rule `lamps-cool-down` can never match: 0 would have to be 1 [never-matches]" in out


def test_filled_in_they_pass(house: Workspace) -> None:
    house.run("new", "rule", "lamps-cool-down", "--step", "owners")
    path = "rulesets/lamps/rules/lamps-cool-down.yaml"
    house.edit(
        path, "- where: 0 is 1                # never: say instead on which boards it does", "- lamp $x: {watts: more than 5}"
    )
    house.edit(path, "then: []", "then: [modify $x: {watts: minus 5}]")
    house.edit("fixtures/lamps-cool-down.yaml", "given:\n", "given:\n  lamps: {a: {owner: player-1}}\n")
    assert house.run("test", "fixtures/lamps-cool-down.yaml")[0] == 0


def test_a_rule_that_hears_and_one_that_refuses(house: Workspace) -> None:
    house.run("new", "rule", "light-is-noticed", "--after", "lit")
    house.run("new", "rule", "nobody-lights", "--refuses", "light")
    code, out, _ = house.run("test")
    assert (code, out.splitlines()[-1]) == (1, "0 passed, 2 failed")
    assert "refused by `nobody-lights`" in out


def test_a_card_is_begun_by_the_name_of_its_kind(house: Workspace) -> None:
    house.edit("rulesets/lamps/ruleset.yaml", "name: lamps\n", "name: lamps\ncards: [lamps]\n")
    code, out, err = house.run("new", "lamp", "Old Faithful", "--after", "lit")
    assert (code, err) == (0, "")
    assert out == "wrote rulesets/lamps/lamps/old-faithful.yaml\nwrote fixtures/lamps/old-faithful.yaml\n"
    assert "- lamp $card: {id: Old Faithful}" in (house.folder / "rulesets/lamps/lamps/old-faithful.yaml").read_text(
        encoding="utf-8"
    )
    assert house.run("test")[0] == 1


def test_a_scenario_fails_for_expecting_nothing(house: Workspace) -> None:
    assert house.run("new", "scenario", "a quiet evening at home", "--mode", "evening")[0] == 0
    code, out, _ = house.run("test")
    assert code == 1
    assert "the scenario is vacuous" in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["rule", "a", "--step", "owner"], "there is no step `owner`"),
        (["rule", "a", "--after", "lid"], "there is no event `lid`"),
        (["rule", "a", "--refuses", "lite"], "there is no request `lite`"),
        (["rule", "a-lamp-is-lit", "--step", "owners"], "there is a rule `a-lamp-is-lit` already"),
        (["rule", "a", "--step", "owners", "--cites", "99"], "the index has no number `99`"),
        (["scenario", "a", "--mode", "nigth"], "there is no mode `nigth`"),
        (["card", "rooms", "x", "--after", "lit"], "`rooms` is no folder of cards of `lamps`"),
    ],
)
def test_a_name_that_is_not_there_is_told_and_nothing_written(house: Workspace, arguments: list[str], said: str) -> None:
    before = sorted(house.folder.rglob("*"))
    code, _, err = house.run("new", *arguments)
    assert code == 3
    assert said in err
    assert sorted(house.folder.rglob("*")) == before


def test_wrong_usage(house: Workspace) -> None:
    code, _, err = house.run("new", "rule", "a")
    assert (code, "say where it lives" in err) == (2, True)
    code, _, err = house.run("new", "cat", "Tom")
    assert (code, "No such command" in err) == (2, True)


def test_nothing_is_overwritten(house: Workspace) -> None:
    house.write("fixtures/lamps-cool-down.yaml", "scenario: x\n")
    code, _, err = house.run("new", "rule", "lamps-cool-down", "--step", "owners")
    assert (code, "this file is here already" in err) == (3, True)
    assert not (house.folder / "rulesets/lamps/rules/lamps-cool-down.yaml").exists()


def test_the_lines_for_editors_name_the_schemas_there_are(house: Workspace) -> None:
    assert house.run("schema", "--ruleset", "lamps", "-o", ".schemas")[0] == 0
    written = {f".schemas/{path.name}" for path in (house.folder / ".schemas").iterdir()}
    text = (ROOT / "rulesets/README.md").read_text(encoding="utf-8")
    (settings,) = re.findall(r"```json\n(.*?)```", text, re.DOTALL)
    (lua,) = re.findall(r"```lua\n(.*?)```", text, re.DOTALL)
    assert set(json.loads(settings)["yaml.schemas"]) == written == set(re.findall(r'\["(\S+)"\]', lua))
