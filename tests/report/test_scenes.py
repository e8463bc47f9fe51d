# ruff: noqa: E501 - what is said is quoted whole
"""What is drawn of a board, and how it is said: of a ruleset that is no card game."""

from __future__ import annotations

from dataclasses import replace

from riftrules.facts.memory import Fact
from riftrules.language.model import Ruleset
from riftrules.report.describing import in_words
from riftrules.report.plan import plan_of
from riftrules.report.readings import Readings, memory_of
from riftrules.report.scene import Scene
from riftrules.report.staging import Stage, scene_of
from tests.report.conftest import HOUSE, VIEW, lamp


def said(scene: Scene) -> list[str]:
    return [str(line) for line in in_words(scene)]


def test_a_board_is_said_from_the_far_side_to_the_near_one(lamps: Ruleset) -> None:
    assert said(scene_of(lamps, HOUSE)) == [
        "turn: player ada.",
        "ben: score 0 of 3, seat 2.",
        "shelf of ben: nothing.",
        "room attic (nobody's, dark): nothing.",
        "room hall (owned by ada, lit 1, first lit by ada): x2 of ben, light 10, dark, broken, blue, red; x10 of ada, light 60, lit.",
        "ada: score 2 of 3, seat 1.",
        "shelf of ada: y, light 10, dark.",
    ]


def test_what_is_drawn_nowhere_else_is_listed(lamps: Ruleset) -> None:
    strays = (
        Fact("outcome", "outcome", {"winner": "ada"}),
        lamp("lost", "cellar"),
        lamp("nobody's", "shelf", "cat"),
        Fact("mark", "ada, cellar", {"by": "ada", "at": "cellar"}),
    )
    scene = scene_of(lamps, (*HOUSE, *strays))
    assert [line for line in said(scene) if line.startswith("also")] == [
        "also lost: light 10, dark.",
        "also nobody's: light 10, dark.",
        "also ada, cellar: by ada, at cellar.",
        "also outcome: winner ada.",
    ]


def test_a_ruleset_without_a_view_is_listed_fact_by_fact(lamps: Ruleset) -> None:
    facts = (Fact("player", "ada", {"seat": 1, "score": 0}), lamp("x", "hall", lit=True))
    assert said(scene_of(replace(lamps, view={}), facts)) == [
        "also ada: seat 1.",
        "also x: owner ada, at hall, watts 10, lit.",
    ]


def test_a_view_of_nonsense_draws_what_it_can(lamps: Ruleset) -> None:
    view = {
        **VIEW,
        "marks": ["mark", "ghost"],
        "here": [{"template": "ghost", "at": "x"}, "lamp"],
        "lists": "lamp",
        "score": "points",
        "shows": {"room": ["ghost"]},
    }
    lines = said(scene_of(replace(lamps, view=view), HOUSE))
    assert "room hall (mark ada): nothing." in lines


def test_marks_without_words_say_what_the_fact_says(lamps: Ruleset) -> None:
    scene = scene_of(replace(lamps, view={**VIEW, "marks": ["mark"]}), HOUSE)
    assert [mark.text for place in scene.places for mark in place.marks] == ["mark ada"]
    assert [mark.player for place in scene.places for mark in place.marks] == ["ada"]


def test_players_sit_on_both_sides_and_never_more_than_half_of_them_near(lamps: Ruleset) -> None:
    def sides(count: int) -> tuple[list[str], list[str]]:
        players = tuple(Fact("player", f"p{seat}", {"seat": seat, "score": 0}) for seat in range(1, count + 1))
        scene = scene_of(lamps, players)
        return [seat.part.id for seat in scene.near], [seat.part.id for seat in scene.far]

    assert sides(0) == ([], [])
    assert sides(1) == (["p1"], [])
    assert sides(2) == (["p1"], ["p2"])
    assert sides(3) == (["p1"], ["p2", "p3"])
    assert sides(4) == (["p1", "p3"], ["p2", "p4"])


def test_a_player_keeps_their_number_when_others_have_gone(lamps: Ruleset) -> None:
    memory = memory_of(lamps, HOUSE)
    stage = Stage(plan_of(lamps), memory)
    assert [(seat.part.id, seat.number) for seat in stage.scene().seats] == [("ada", 1), ("ben", 2)]
    memory.remove("player", "ada")
    assert [(seat.part.id, seat.number) for seat in stage.scene().seats] == [("ben", 2)]


def test_what_has_not_changed_is_the_same_from_scene_to_scene(lamps: Ruleset) -> None:
    memory = memory_of(lamps, HOUSE)
    stage = Stage(plan_of(lamps), memory)
    first = stage.scene()
    assert stage.scene() is first
    memory.put(lamp("y", "hall"))
    second = stage.scene()
    attic, hall = (0, 1)
    assert second.places[attic] is first.places[attic]
    assert second.places[hall] is not first.places[hall]
    assert [part.id for part in second.places[hall].parts] == ["x2", "x10", "y"]


def test_a_score_follows_the_setting_it_is_of(lamps: Ruleset) -> None:
    memory = memory_of(lamps, HOUSE)
    stage = Stage(plan_of(lamps), memory)
    stage.scene()
    memory.put(Fact("settings", "settings", {"goal": 5, "rooms": 2}))
    assert said(stage.scene())[1] == "ben: score 0 of 5, seat 2."


def test_a_derived_value_is_worked_out_again_when_what_it_looks_at_changes(lamps: Ruleset) -> None:
    memory = memory_of(lamps, HOUSE)
    readings = Readings(lamps, memory)
    hall = memory.get("room", "hall")
    assert hall is not None
    assert readings.value(hall, "lit") == 1
    memory.put(lamp("y", "hall", lit=True))
    assert readings.value(hall, "lit") == 2
    assert readings.value(hall, "ghost") is None
    assert readings.value(hall, "id") == "hall"


def test_a_piece_of_an_unusual_kind_says_what_it_is(lamps: Ruleset) -> None:
    here = [{"template": "lamp", "at": "at"}, {"template": "mark", "at": "at"}]
    scene = scene_of(replace(lamps, view={**VIEW, "here": here, "marks": []}), HOUSE)
    assert said(scene)[4].endswith("; x10 of ada, light 60, lit; ada, hall, mark, by ada, at hall.")
