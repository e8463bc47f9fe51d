"""`riftrules explain`: one question, one answer, one screen."""

from __future__ import annotations

import json

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
