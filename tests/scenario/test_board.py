"""Boards are opened complete and in canonical order, whatever the order in which they are written."""

from __future__ import annotations

import itertools

from riftrules.facts.memory import Fact
from tests.scenario.conftest import Load


def facts(load: Load, given: str, mode: str = "") -> dict[str, dict[str, object]]:
    """The facts of a board by `template id`."""
    text = f"scenario: s\n{f'mode: {mode}' if mode else ''}\ngiven: {{{given}}}\nthen: {{fired: []}}\n"
    (one,) = load(text)
    assert one.problems == ()
    assert one.scenario is not None
    return {str(fact): dict(fact.values) for fact in one.scenario.facts}


def test_defaults_fill_what_is_not_given(load: Load) -> None:
    found = facts(load, "players: {ada: {}, ben: {score: 2}}, lamps: {x: {owner: ada}}")
    assert found["player ada"] == {"seat": 1, "score": 0}
    assert found["player ben"] == {"seat": 2, "score": 2}
    assert found["lamp x"] == {
        "owner": "ada",
        "at": "shelf",
        "watts": 10,
        "lit": False,
        "broken": False,
        "colours": frozenset(),
    }


def test_settings_are_those_of_the_mode_and_what_is_given_over_them(load: Load) -> None:
    assert facts(load, "")["settings settings"] == {"goal": 3, "rooms": 2}
    assert facts(load, "", "night")["settings settings"] == {"goal": 1, "rooms": 2}
    assert facts(load, "settings: {rooms: 5}", "night")["settings settings"] == {"goal": 1, "rooms": 5}


def test_two_facts_without_ids_are_two(load: Load) -> None:
    found = facts(load, "players: {ada: {}}, lamps: [{owner: ada}, {owner: ada}, {id: lamp-2, owner: ada}]")
    assert sorted(name for name in found if name.startswith("lamp")) == ["lamp lamp-1", "lamp lamp-2", "lamp lamp-3"]


def test_a_key_is_the_identity(load: Load) -> None:
    found = facts(load, "players: {ada: {}}, rooms: {hall: {}}, marks: [{by: ada, at: hall}]")
    assert found["mark ada, hall"] == {"by": "ada", "at": "hall"}


def test_a_template_may_be_given_by_its_name_or_its_plural(load: Load) -> None:
    assert facts(load, "room: {hall: {}}") == facts(load, "rooms: {hall: {}}")


def test_the_order_in_which_facts_are_given_makes_no_difference(load: Load) -> None:
    parts = ["players: {b: {seat: 2}, a: {seat: 1}}", "rooms: {r: {owner: b}}", "lamps: {y: {owner: b}, x: {owner: a}}"]
    boards = []
    for order in itertools.permutations(parts):
        (one,) = load(f"scenario: s\ngiven: {{{', '.join(order)}}}\nthen: {{fired: []}}\n")
        assert one.scenario is not None
        boards.append(one.scenario.facts)
    assert all(board == boards[0] for board in boards)
    assert [str(fact) for fact in boards[0]] == ["lamp x", "lamp y", "player a", "player b", "room r", "settings settings"]


def test_frames_on_the_stack_are_completed_too(load: Load) -> None:
    (one,) = load(
        "scenario: s\ngiven: {players: {ada: {}}, stack: [{evening: {enough: [ada]}, step: settled}]}\nthen: {fired: []}\n"
    )
    assert one.problems == ()
    assert one.scenario is not None
    (frame,) = one.scenario.stack
    assert (frame.frame, frame.step) == (Fact("evening", "evening-1", {"enough": frozenset({"ada"})}), "settled")
