# ruff: noqa: E501 - messages are quoted whole
"""Scenarios are played item by item and judged; the reference and the engine give the same verdicts."""

from __future__ import annotations

import pytest

from riftrules.language.model import AnyOf, Compare, Equals, Has, In, Known, Literal, Not, Test
from riftrules.scenario.judging import holds
from riftrules.scenario.model import Run
from riftrules.scenario.playing import play
from riftrules.scenario.session import Session
from tests.scenario.conftest import BOARD, Load, Play


def said(run: Run) -> list[str]:
    """What is not as expected, without places."""
    return [
        f"{one.path}: expected {one.expected}, found {one.actual}" + (f" [{one.firing} {one.rule}]" if one.firing else "")
        for one in run.verdict.differences
    ]


DIM = "when: [begin: {dim: {by: ben}}]\n"


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("when: [light: {lamp: beacon}]\nthen: {lamp beacon: {lit: true}, room hall: {owner: ada, lit: 1}}", []),
        (
            "when: [light: {lamp: beacon}]\nthen: {room hall: {lit: 0}}",
            ["room hall.lit: expected 0, found 1"],
        ),
        (
            "when: [light: {lamp: beacon}]\nthen: {no mark: {by: ada}, 'no mark ben, attic': {}}",
            ["no mark: expected none with {by: ada}, found mark ada, hall {at: hall, by: ada} [3 the-first-light-owns]"],
        ),
        (
            "when: [light: {lamp: beacon}]\nthen: {lamp: [{lit: true, at: hall}, {lit: true, owner: ben, at: hall}]}",
            ["lamp: expected one with {lit: true, owner: ben, at: hall}, found none of 3"],
        ),
        ("then: {no mark: {}, fired: []}", []),
        ("then: {'mark ada, hall': {}}", ["mark ada, hall: expected it is there, found there is no such mark"]),
        (
            "when: [light: {lamp: beacon}]\nthen: {fired: []}",
            ["fired: expected nothing, found `a-bright-lamp-scores` once, `a-lamp-is-lit` once, `the-first-light-owns` once"],
        ),
        (
            "when: [light: {lamp: beacon}]\nthen: {fired: {a-lamp-is-lit: 2, somebody-dims: 0}}",
            ["fired: expected `a-lamp-is-lit` 2 times, found once"],
        ),
        ("when: [light: {lamp: beacon}]\nthen: {fired: [somebody-dims]}", ["fired: expected `somebody-dims`, found never"]),
        (
            "when: [light: {lamp: beacon}]\nthen: {not_fired: [a-lamp-is-lit]}",
            ["not_fired: expected `a-lamp-is-lit` does not fire, found it is firing 1"],
        ),
        ("when: [light: {lamp: beacon}]\nthen: {events: []}", ["events: expected nothing, found `lit` once"]),
        ("when: [light: {lamp: beacon}]\nthen: {waiting: over}", ["waiting: expected over, found idle: any request may be made"]),
        (DIM + "then: {lamp bulb: {lit: false}}", []),
        (
            DIM.replace("[", "[light: {lamp: candle}, ") + "then: {lamp bulb: {lit: true}}",
            ["the end: expected no choice is open, found ben is to choose `bulb`, `candle` for rule `somebody-dims`"],
        ),
        ("then: {exactly: true, player: {}, room: {}, lamp candle: {}, lamp beacon: {}, lamp bulb: {}}", []),
        (
            "then: {exactly: true, player: {}, room: {}, lamp: {owner: ada}}",
            [
                (
                    "lamp bulb: expected not there (`exactly: true`), "
                    "found lamp bulb {at: attic, broken: false, colours: [], lit: true, owner: ben, watts: 10}"
                )
            ],
        ),
        (
            "when: [choose: bulb]\nthen: {fired: []}",
            ["item 1: choose: expected a choice is waiting, found any request may be made"],
        ),
        (
            "when: [rest: everyone]\nthen: {fired: []}",
            ["item 1: rest: expected somebody is asked for `rest`, found any request may be made"],
        ),
    ],
)
def test_each_difference_is_told_with_its_writer(played: Play, written: str, expected: list[str]) -> None:
    run = played(written)
    assert said(run) == expected
    assert run.verdict.status == ("failed" if expected else "passed")


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        # a choice is answered, by name, and only by one of its options
        (
            (
                "when: [light: {lamp: candle}, begin: {dim: {by: ben}}, choose: bulb]\n"
                "then: {lamp bulb: {lit: false}, room attic: {owner: none}}"
            ),
            [],
        ),
        (
            "when: [light: {lamp: candle}, begin: {dim: {by: ben}}, choose: bulp]\nthen: {fired: []}",
            ["item 3: choose: expected one of `bulb`, `candle`, found `bulp`"],
        ),
        (
            "when: [light: {lamp: candle}, begin: {dim: {by: ben}}, light: {lamp: beacon}]\nthen: {fired: []}",
            [
                "item 3: light: expected a choice is answered first, found ben is to choose `bulb`, `candle` for rule `somebody-dims`"
            ],
        ),
        (
            (
                "when: [light: {lamp: candle}, begin: {dim: {by: ben}}, expect: {choosing: ben, options: [bulb, candle]}, choose: candle]\n"
                "then: {lamp candle: {lit: false}, fired: {somebody-dims: 1}}"
            ),
            [],
        ),
        (
            "when: [light: {lamp: candle}, begin: {dim: {by: ben}}]\nthen: {waiting: choosing, choosing: ada, options: [bulb]}",
            [
                "choosing: expected ada, found ben is to choose `bulb`, `candle` for rule `somebody-dims`",
                "options: expected `bulb`, found `bulb`, `candle`",
            ],
        ),
        # what is expected on the way is judged there, and the rest is played on
        (
            "when: [light: {lamp: candle}, expect: {lamp candle: {lit: false}}, light: {lamp: beacon}]\nthen: {player ada: {score: 1}}",
            ["lamp candle.lit: expected false, found true [1 a-lamp-is-lit]"],
        ),
        # refusals
        ("when: [{light: {lamp: bulb}, refused: {rule: only-ones-own-lamps}}]", []),
        ("when: [{light: {lamp: bulb}, refused: {rules: [only-ones-own-lamps], cites: '1.2'}}]", []),
        (
            "when: [{light: {lamp: bulb}, refused: {cites: '1.1'}}]",
            ["item 1: light: expected refused by a rule that cites 1.1, found refused by `only-ones-own-lamps` (1.2)"],
        ),
        ("when: [{rest: {by: ada}, refused: {reason: no rule accepts it}}]", []),
        # after the end
        (
            "when: [light: {lamp: beacon}, light: {lamp: candle}]\nmode: night\nthen: {fired: []}",
            ["item 2: light: expected accepted, found refused: the game is over"],
        ),
        (
            "when: [light: {lamp: beacon}, begin: sweep]\nmode: night\n",
            ["item 2: begin: expected it begins, found the game is over"],
        ),
        # an invariant is looked at whenever the session waits
        (
            "when: [begin: {dim: {by: ben}}]\nthen: {room attic: {owner: none}}",
            [],
        ),
    ],
)
def test_each_item_is_played_as_written(played: Play, written: str, expected: list[str]) -> None:
    assert said(played(written)) == expected


def test_everyone_makes_a_request_until_the_step_is_left(played: Play) -> None:
    run = played(
        "when:\n  - begin: evening\n  - expect: {asked: ada, waiting: asked}\n  - rest: everyone\nthen: {no evening: {}, waiting: idle}\n"
    )
    assert said(run) == []
    assert [firing.rule for firing in run.trace.firings()].count("enough-is-enough") == 2


def test_everyone_stops_when_the_same_step_asks_anew_in_the_next_pass(played: Play) -> None:
    run = played("when:\n  - begin: vigil\n  - rest: everyone\nthen: {vigil: {hours: 1, enough: []}, waiting: asked}\n")
    assert said(run) == []
    twice = played("when:\n  - begin: vigil\n  - rest: everyone\n  - rest: everyone\nthen: {no vigil: {}, waiting: idle}\n")
    assert said(twice) == []


def test_a_violated_invariant_is_a_difference(played: Play) -> None:
    run = played("when:\n  - begin: evening\n  - expect: {room attic: {owner: ben}}\nthen: {waiting: asked}\n")
    assert said(run) == []
    dark = played("when:\n  - begin: evening\n  - begin: {darken: {}}\nthen: {waiting: asked}\n")
    assert said(dark) == ["invariant nobody-owns-the-dark: expected never, found it holds of $r = attic"]


def test_lenient_answers_choices_and_lets_go_of_what_is_left_over(played: Play) -> None:
    text = "when: [choose: bulb, light: {lamp: candle}, begin: {dim: {by: ben}}, light: {lamp: beacon}]\nthen: {lamp bulb: {lit: false}}\n"
    assert said(played(text)) == ["item 1: choose: expected a choice is waiting, found any request may be made"]
    assert said(played(text, lenient=True)) == []
    assert said(played("lenient: true\n" + text)) == []


def test_a_vacuous_scenario_is_told_unless_lenient(played: Play) -> None:
    assert said(played("")) == ["then: expected something, found the scenario is vacuous: it expects nothing and nothing fires"]
    assert said(played("", lenient=True)) == []
    assert said(played("when: [light: {lamp: candle}]\n")) == []


def test_a_run_that_cannot_finish_is_an_error_with_rule_and_bindings(played: Play) -> None:
    verdict = played("when: [begin: {shatter: {lamp: beacon}}]\nthen: {fired: []}\n").verdict
    assert (verdict.status, verdict.reason) == ("error", "rule `too-many-watts`: `watts` of lamp `beacon`: 155 is more than 100")
    assert verdict.details[0].startswith("tried: too-many-watts with $s = shatter-1, $x = beacon")


def test_a_fault_of_the_engine_is_this_scenarios_verdict(load: Load) -> None:
    (one,) = load(BOARD + "then: {fired: []}\n")
    assert one.scenario is not None
    assert one.ruleset is not None

    def broken(*_: object) -> Session:
        message = "no more floor"
        raise ZeroDivisionError(message)

    verdict = play(one.scenario, one.ruleset, broken).verdict
    assert verdict.status == "error"
    assert verdict.reason.startswith("the engine has a fault: no more floor (broken, line ")


@pytest.mark.parametrize(
    ("test", "value", "expected"),
    [
        (Equals(Literal(None)), None, True),
        (Equals(Literal(1)), 1, True),
        (Known(), None, False),
        (Not(Equals(Literal(1))), None, True),
        (Compare("at least", Literal(2)), 2, True),
        (Compare("less than", Literal(2)), 2, False),
        (Compare("more than", Literal(2)), None, False),
        (Compare("at most", Literal(2)), 2, True),
        (Has(Literal("a")), frozenset({"a"}), True),
        (Has(Literal("a")), (("a", 2),), True),
        (Has(Literal("a")), None, False),
        (In(Literal(("a", "b"))), "b", True),
        (In(Literal(None)), "b", False),
        (AnyOf((Equals(Literal(1)), Known())), 2, True),
    ],
)
def test_tests_hold_as_in_a_rule(test: Test, value: object, *, expected: bool) -> None:
    assert holds(test, value) is expected
