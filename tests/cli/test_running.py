"""`riftrules run`: the board before and after, each firing, the result."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import Workspace

LIGHT = "scenario: a bright lamp scores\nid: L-1\nwhen:\n  - light: {lamp: beacon}\nthen:\n  player ada: {score: 1}\n"


def test_a_run_shows_board_firings_and_verdict(house: Workspace) -> None:
    house.scenario("fixtures/a.yaml", LIGHT)
    code, out, _ = house.run("run", "fixtures/a.yaml")
    assert code == 0
    assert out == (
        "a bright lamp scores (L-1)  fixtures/a.yaml:1:1\n"
        "before\n"
        "turn: ● player ada\n"
        "◆ ben ○○○ score 0 of 3\n"
        "  shelf: nothing\n"
        "╭─ attic ──────────────────────────────╮╭─ hall ───────────────────────────────╮\n"
        "│ ◆ owner ben                          ││ ● beacon (watts 60)                  │\n"
        "│ ◆ bulb (watts 10, lit)               ││ ● candle (watts 5)                   │\n"
        "│                                      ││ ● wreck (watts 10)                   │\n"
        "╰──────────────────────────────────────╯╰──────────────────────────────────────╯\n"
        "● ada  on turn  ○○○ score 0 of 3\n"
        "  shelf: nothing\n"
        "after  (* has changed)\n"
        "turn: ● player ada\n"
        "◆ ben ○○○ score 0 of 3\n"
        "  shelf: nothing\n"
        "╭─ attic ──────────────────────────────╮╭─ hall ───────────────────────────────╮\n"
        "│ ◆ owner ben                          ││ ● owner ada*                         │\n"
        "│ ◆ bulb (watts 10, lit)               ││ ● mark ada*                          │\n"
        "│                                      ││ ● beacon (watts 60, lit*)            │\n"
        "│                                      ││ ● candle (watts 5)                   │\n"
        "│                                      ││ ● wreck (watts 10)                   │\n"
        "╰──────────────────────────────────────╯╰──────────────────────────────────────╯\n"
        "● ada  on turn  ●○○ score 1 of 3*\n"
        "  shelf: nothing\n"
        "> light {by: ada, lamp: beacon}\n"
        "   1. a-lamp-is-lit [1]  (light-1, lighting): lamp beacon.lit false → true; event lit lit-1 {lamp: beacon}\n"
        "   2. a-bright-lamp-scores [3]  (heard: lit-1): player ada.score 0 → 1\n"
        "   3. the-first-light-owns [2]  (sweep-1, owners): room hall.owner none → ada; + mark ada, hall {by: ada, at: hall}\n"
        "then: any request may be made\n"
        "PASSED fixtures/a.yaml:1:1: a bright lamp scores (L-1)\n"
    )


def test_the_engine_and_the_reference_show_the_same(house: Workspace) -> None:
    house.scenario("fixtures/a.yaml", LIGHT)
    assert house.run("run", "--engine", "reference") == house.run("run", "--engine", "engine")


def test_json_holds_the_board_before_and_after_and_the_trace(house: Workspace) -> None:
    house.scenario("fixtures/a.yaml", LIGHT)
    code, out, _ = house.run("run", "--json")
    data = json.loads(out)
    assert (code, data["exit"], len(data["runs"])) == (0, 0, 1)
    run = data["runs"][0]
    assert [entry.get("rule", entry.get("request")) for entry in run["entries"]] == [
        "light",
        "a-lamp-is-lit",
        "a-bright-lamp-scores",
        "the-first-light-owns",
    ]
    lit = [fact["fields"]["lit"] for side in ("before", "after") for fact in run[side] if fact["id"] == "beacon"]
    assert (lit, run["mode"], run["ruleset"], run["waiting"]["kind"]) == ([False, True], "evening", "lamps", "idle")


def test_a_wrong_fixture_is_exit_3_and_nothing_to_show_exit_5(house: Workspace) -> None:
    house.scenario("fixtures/a.yaml", "scenario: wrong\nmode: noon\nthen: {fired: []}\n")
    assert house.run("run") == (
        3,
        (
            "INVALID fixtures/a.yaml:1:1: wrong\n"
            "  fixtures/a.yaml:3:7: error: there is no mode `noon` [unknown-mode]\n"
            "      hint: known here: `evening`, `night`\n"
        ),
        "",
    )
    assert house.run("run", "-k", "unheard")[0] == 5


@pytest.mark.parametrize("engine", ["engine", "reference"])
def test_what_fired_before_a_request_was_undone_is_told(house: Workspace, engine: str) -> None:
    house.write(
        "rulesets/lamps/rules/more.yaml",
        """
        rules:
          - rule: somebody-stirs
            house: true
            says: Whoever is on turn scores when anybody tends.
            step: tending
            when: [player $p: {id: $turn.player, score: 0}]
            then: [modify $p: {score: plus 1}]
        """,
    )
    house.scenario(
        "fixtures/a.yaml", "scenario: rest by day\nwhen:\n  - light: {lamp: candle}\n  - rest: {by: ada}\nthen: {fired: []}\n"
    )
    for command in ("run", "test"):
        code, out, _ = house.run(command, "fixtures/a.yaml", "--engine", engine)
        assert code == 1
        assert "    found    refused: no rule accepts it\n" in out
        assert "    fired and was undone: 3. somebody-stirs: player ada.score 0 → 1\n" in out
