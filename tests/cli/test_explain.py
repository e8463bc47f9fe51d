"""`riftrules explain`: one question, one answer, one screen."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import Workspace

LIGHT = "scenario: a bright lamp scores\nid: L-1\nwhen:\n  - light: {lamp: beacon}\nthen:\n  player ada: {score: 2}\n"


def test_without_a_question_it_says_why_what_is_wrong_is_so(house: Workspace) -> None:
    house.scenario("fixtures/a.yaml", LIGHT)
    assert house.run("explain", "fixtures/a.yaml") == (
        0,
        (
            "player ada.score is 1\n"
            "2. a-bright-lamp-scores [3]: player ada.score 0 → 1\n"
            "   3: Bright lamps score.\n"
            "   given: lamp beacon.owner is ada; lamp beacon.watts is 60; player ada.score is 0\n"
            "  1. a-lamp-is-lit [1]: lamp beacon.lit false → true; event lit lit-1 {lamp: beacon}\n"
            "     1: Lamps are lit by their players.\n"
            "     item 1: light {by: ada, lamp: beacon}\n"
        ),
        "",
    )


def test_why_not_says_what_is_missing_and_what_would_help(house: Workspace) -> None:
    house.scenario("fixtures/a.yaml", LIGHT)
    assert house.run("explain", "fixtures/a.yaml", "$p=ben", "--why-not", "the-goal-wins") == (
        0,
        (
            "the-goal-wins [4] has not fired with $p = ben: missed\n"
            "   4: The goal wins.\n"
            "   looked at in sweep-1, goal-check, pass 2, after firing 3\n"
            "   with $p = ben\n"
            "   failed      player $p: {score: at least $settings.goal}\n"
            "                 ben: score is 0, $settings.goal is 3\n"
            "it would fire with player ben.score: 3 (it is 0)\n"
        ),
        "",
    )


def test_json_holds_the_tree(house: Workspace) -> None:
    house.scenario("fixtures/a.yaml", LIGHT)
    code, out, _ = house.run("explain", "fixtures/a.yaml", "--why", "room hall.owner", "--json")
    data = json.loads(out)
    assert (code, data["question"], data["answer"]) == (0, "room hall.owner", "is ada")
    assert [(one["rule"], one["needed"]) for one in data["causes"]] == [("the-first-light-owns", True)]
    lit = next(one for one in data["causes"][0]["causes"] if one["kind"] == "fired")
    assert [one["said"] for one in lit["causes"]] == ["item 1: light {by: ada, lamp: beacon}"]
    code, out, _ = house.run("explain", "fixtures/a.yaml", "--why-not", "the-goal-wins", "--json")
    data = json.loads(out)
    assert (code, data["kind"], data["change"]["edits"]) == (0, "missed", ["player ada.score: 3 (it is 0)"])


def test_wrong_usage_is_told(house: Workspace) -> None:
    house.scenario("fixtures/a.yaml", LIGHT)
    cases = {
        ("--why", "room hal"): "there never was a room `hal`: did you mean `hall`?",
        ("--why-not", "the-goal-win"): "there is no rule `the-goal-win`: did you mean `the-goal-wins`?",
        ("--why", "room hall", "--why-not", "the-goal-wins"): "ask one question at a time: --why or --why-not",
        ("--at", "owners"): "variables and --at narrow the question of --why-not",
        ("-k", "nothing"): "no scenario is meant: choose one of `a bright lamp scores` with -k",
    }
    for arguments, said in cases.items():
        code, out, err = house.run("explain", "fixtures/a.yaml", *arguments)
        assert (code, out) == (2, "")
        assert said in " ".join(err.split())


def test_a_fixture_that_is_not_there_is_told(house: Workspace) -> None:
    code, _, err = house.run("explain", "fixtures/b.yaml")
    assert (code, err) == (3, "fixtures/b.yaml:1:1: error: there is no such file or folder [missing-file]\n")


def test_a_wrong_fixture_is_invalid(house: Workspace) -> None:
    house.scenario("fixtures/a.yaml", LIGHT.replace("score: 2", "scor: 2"))
    code, _, err = house.run("explain", "fixtures/a.yaml")
    assert code == 3
    assert "did you mean `score`?" in err


def test_a_request_that_names_nothing_says_why_it_was_refused(house: Workspace) -> None:
    house.scenario("fixtures/a.yaml", LIGHT.replace("beacon", "beakon"))
    assert house.run("explain", "fixtures/a.yaml") == (0, "item 1 was refused: `lamp`: no lamp `beakon` holds\n", "")


def test_what_is_read_by_a_program_is_not_cut(house: Workspace) -> None:
    house.edit("rulesets/lamps/rulebook.yaml", "Lamps are lit by their players", "Lamps are lit by their players " + "word " * 60)
    house.scenario("fixtures/a.yaml", LIGHT)
    assert "…" not in house.run("explain", "fixtures/a.yaml", "--why", "lamp candle.lit")[1]


BRIGHT = "scenario: x\nwhen: [{light: {lamp: beacon}}]\n"
DIMMED = "scenario: x\ngiven: {lamps: {candle: {lit: true}}}\nwhen:\n  - begin: {dim: {by: ben}}\n"


@pytest.mark.parametrize(
    ("fixture", "said"),
    [
        (
            BRIGHT + "then: {fired: [the-goal-wins]}\n",
            ["fired: expected `the-goal-wins`, found never", "the-goal-wins [4] has not fired: missed"],
        ),
        (
            BRIGHT + "then: {not_fired: [a-bright-lamp-scores]}\n",
            [
                "not_fired: expected `a-bright-lamp-scores` does not fire, found it is firing 2",
                "rule a-bright-lamp-scores fired",
                "2. a-bright-lamp-scores [3]: player ada.score 0 → 1",
            ],
        ),
        (
            "scenario: x\nwhen: [{begin: {sweep: {}}}]\nthen: {events: [lit]}\n",
            ["events: expected `lit`, found never", "event lit never happened", "what might have made it so:"],
        ),
        (
            BRIGHT + "then: {waiting: over}\n",
            [
                "waiting: expected over, found idle: any request may be made",
                "what is waited for (idle): any request may be made",
                "what might have made it so:",
                "  the-goal-wins [4] has not fired: missed",
            ],
        ),
        (
            BRIGHT.replace("when", "mode: night\nwhen") + "then: {waiting: idle}\n",
            [
                "waiting: expected idle, found over: the game is over",
                "what is waited for (over): the game is over",
                "4. the-goal-wins [4]: + outcome {winner: ada}; ends the game",
            ],
        ),
        (
            DIMMED + "  - choose: beacon\nthen: {fired: []}\n",
            [
                "item 2: choose: expected one of `bulb`, `candle`, found `beacon`",
                "somebody-dims [6] has not fired with $x = beacon: missed",
            ],
        ),
        (
            DIMMED + "then: {lamp bulb: {lit: true}}\n",
            [
                "the end: expected no choice is open, found ben is to choose `bulb`, `candle` for rule `somebody-dims`",
                "what is waited for (choosing): ben is to choose `bulb`, `candle` for rule `somebody-dims`",
            ],
        ),
        (
            BRIGHT.replace("beacon}}", "beacon}, refused: {rule: broken-lamps-stay-dark}}"),
            [
                "item 1: light: expected refused by `broken-lamps-stay-dark`, found accepted",
                "broken-lamps-stay-dark [1.1] has not refused: missed",
            ],
        ),
        (
            BRIGHT.replace("beacon}}", "beacon}, refused: {reason: no rule accepts it}}"),
            [
                "item 1: light: expected refused: no rule accepts it, found accepted",
                "firing 1 is a-lamp-is-lit",
            ],
        ),
        (
            DIMMED + "  - expect: {options: [bulb, beacon]}\n",
            [
                "options: expected `beacon`, `bulb`, found `bulb`, `candle`",
                "somebody-dims [6] has not fired with $x = beacon: missed",
            ],
        ),
        (
            "scenario: x\nwhen: [{begin: {darken: {}}}]\nthen: {lamp bulb: {lit: false}}\n",
            [
                "invariant nobody-owns-the-dark: expected never, found it holds of $r = attic",
                "invariant nobody-owns-the-dark is violated after item 1: it holds of $r = attic",
                "   A room without a light has no owner while anybody may act.",
                "1. all-lamps-go-out [house rule]: lamp bulb.lit true → false",
            ],
        ),
        (
            BRIGHT + "then: {lamp: {watts: 61, lit: true}}\n",
            [
                "lamp: expected one with {watts: 61, lit: true}, found none of 4",
                "nearest is lamp beacon, whose watts is 60; lamp bulb, whose watts is 10",
                "lamp beacon.watts is 60",
                "given: lamp beacon.watts is 60",
            ],
        ),
        (
            BRIGHT + "then: {no mark: {by: ada}}\n",
            [
                "no mark: expected none with {by: ada}, found mark ada, hall {at: hall, by: ada}",
                "mark ada, hall.by is ada",
                "3. the-first-light-owns [2]: room hall.owner none → ada; + mark ada, hall {by: ada, at: hall}",
            ],
        ),
        (
            "scenario: x\nwhen: [{expect: {lamp beacon: {lit: true}}}, {light: {lamp: beacon}}]\n",
            ["lamp beacon.lit is false", "given: lamp beacon.lit is false"],
        ),
    ],
    ids=[
        "fired",
        "not fired",
        "events",
        "waiting",
        "over",
        "choice",
        "open choice",
        "accepted",
        "by whom",
        "options",
        "invariant",
        "none of",
        "no",
        "then",
    ],
)
def test_whatever_is_not_as_expected_is_explained(house: Workspace, fixture: str, said: list[str]) -> None:
    house.scenario("fixtures/a.yaml", fixture)
    code, out, err = house.run("explain", "fixtures/a.yaml", "--full")
    assert (code, out.splitlines()[: len(said)], err) == (0, said, "")


def test_json_holds_what_is_not_as_expected_and_every_answer(house: Workspace) -> None:
    house.scenario("fixtures/a.yaml", BRIGHT + "then: {lamp: {watts: 61, lit: true}}\n")
    data = json.loads(house.run("explain", "fixtures/a.yaml", "--json")[1])
    assert (data["question"], len(data["unexpected"])) == ("lamp beacon.watts", 2)
    assert [one["question"] for one in data["more"]] == ["lamp bulb.watts"]
