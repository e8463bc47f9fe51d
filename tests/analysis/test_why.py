"""Why something is so: told on one screen, and every cause that is named makes a difference."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from riftrules.analysis.answers import answer
from riftrules.analysis.causes import Asked, Fired, Given, RefusedBy
from riftrules.analysis.edits import RuleRemoval, edited
from riftrules.analysis.explaining import Explained, explain_why, first_question
from riftrules.analysis.questions import QuestionError, question
from riftrules.analysis.trials import LIMIT, Trials, without_rule
from riftrules.analysis.watching import observe
from riftrules.analysis.why import Node, why
from riftrules.engine.program import Program, compile_ruleset
from riftrules.engine.reference import Session as Reference
from riftrules.engine.session import Session
from riftrules.facts.trace import Firing
from riftrules.language.model import Ruleset
from riftrules.report.explanations import HEIGHT, WIDTH, fitted, why_lines
from riftrules.scenario.files import Catalogue, find_fixtures
from riftrules.scenario.loading import load_file
from riftrules.scenario.model import Run, Scenario
from riftrules.scenario.playing import play

ROOT = Path(__file__).parents[2]
LAMPS = ROOT / "tests/fixtures/lamps/light.yaml"
LONG = bool(os.environ.get("RIFTRULES_LONG"))

CATALOGUE = Catalogue()


def every_scenario() -> list[tuple[Scenario, Ruleset]]:
    """All scenarios of the repository that play."""
    files = find_fixtures([ROOT / "fixtures", ROOT / "tests/fixtures"]).files
    found = [one for file in files for one in load_file(file, CATALOGUE).scenarios]
    return [(one.scenario, one.ruleset) for one in found if one.scenario and one.ruleset and not one.scenario.skip]


SCENARIOS = every_scenario()
SOME = SCENARIOS if LONG else SCENARIOS[::60]


def lamps(id_: str) -> tuple[Scenario, Ruleset]:
    """One of the scenarios with lamps."""
    return next((one, rules) for one, rules in SCENARIOS if id_ in {one.id, one.name})


@pytest.fixture(scope="module")
def programs() -> dict[int, Program]:
    """Each ruleset compiled once."""
    return {id(rules): compile_ruleset(rules) for rules in {id(rules): rules for _, rules in SCENARIOS}.values()}


def told(found: Explained, ruleset: Ruleset, *, full: bool = False) -> list[str]:
    """The lines of an answer."""
    return [line.text for line in fitted(tuple(why_lines(found, ruleset)), full=full)]


# ------------------------------------------------------------------------------------------------ told


def test_a_value_is_told_by_the_firings_that_made_it() -> None:
    scenario, ruleset = lamps("L-1")
    assert told(explain_why("room hall.owner", scenario, ruleset), ruleset) == [
        "room hall.owner is ada",
        "3. the-first-light-owns [2]: room hall.owner none → ada; + mark ada, hall {by: ada, at: hall}",
        "   2: Rooms belong to the first light in them.",
        "   given: lamp beacon.at is hall; lamp beacon.owner is ada; room hall.owner is none",
        "  1. a-lamp-is-lit [1]: lamp beacon.lit false → true; event lit lit-1 {lamp: beacon}",
        "     1: Lamps are lit by their players.",
        "     item 1: light {by: ada, lamp: beacon}",
    ]


def test_a_derived_field_is_told_by_the_firing_since_which_it_is_so() -> None:
    scenario, ruleset = lamps("L-1")
    assert told(explain_why("room hall.lit", scenario, ruleset), ruleset)[:2] == [
        "room hall.lit is 1",
        "1. a-lamp-is-lit [1]: lamp beacon.lit false → true; event lit lit-1 {lamp: beacon}",
    ]


def test_an_event_is_told_by_the_rule_that_emitted_it() -> None:
    scenario, ruleset = lamps("L-1")
    assert told(explain_why("lit", scenario, ruleset), ruleset) == [
        "event lit happened",
        "1. a-lamp-is-lit [1]: lamp beacon.lit false → true; event lit lit-1 {lamp: beacon}",
        "   1: Lamps are lit by their players.",
        "   item 1: light {by: ada, lamp: beacon}",
    ]


def test_a_win_is_told_back_to_the_setting_that_made_it_enough() -> None:
    scenario, ruleset = lamps("at night one score wins")
    lines = told(explain_why("outcome", scenario, ruleset), ruleset)
    assert lines[:4] == [
        "outcome is there",
        "4. the-goal-wins [4]: + outcome {winner: ada}; ends the game",
        "   4: The goal wins.",
        "   given: settings.goal is 1",
    ]
    assert lines[4].startswith("  2. a-bright-lamp-scores [3]: player ada.score 0 → 1")


def test_a_refusal_is_told_by_the_rule_that_said_no() -> None:
    scenario, ruleset = lamps("L-2")
    assert told(explain_why("item 1", scenario, ruleset), ruleset) == [
        "item 1 was refused",
        "broken-lamps-stay-dark [1.1] refuses light {by: ada, lamp: wreck}",
        "   1.1: Broken lamps stay dark.",
        "   given: lamp wreck.broken is true",
    ]


def test_an_absence_is_told_by_the_rule_that_might_have_made_it_and_what_it_lacks() -> None:
    scenario, ruleset = lamps("L-1")
    assert told(explain_why("no outcome", scenario, ruleset), ruleset) == [
        "outcome is not there",
        "nothing has written it",
        "what might have made it so:",
        "  the-goal-wins [4] has not fired: missed",
        "     4: The goal wins.",
        "     looked at in sweep-1, goal-check, pass 2, after firing 3",
        "     with $p = ada",
        "     failed      player $p: {score: at least $settings.goal}",
        "                   ada: score is 1, $settings.goal is 3",
        "  it would fire with player ada.score: 3 (it is 0)",
    ]


def test_a_field_of_a_frame_that_has_ended_is_told_by_who_wrote_it_while_it_was_there() -> None:
    scenario, ruleset = lamps("in the evening everybody rests")
    lines = told(explain_why("evening evening-1.enough", scenario, ruleset), ruleset)
    ended = "its frame ended after firing 2"
    assert lines[0].startswith(f"evening evening-1.enough is not there any more: {ended}, when it was [ada")
    assert [line for line in lines if line[:1].isdecimal()] == [
        "2. enough-is-enough [5]: evening evening-1.enough [ada] → [ada, ben]",
        "1. enough-is-enough [5]: evening evening-1.enough [] → [ada]",
    ]


def test_a_procedure_is_told_by_what_began_it_or_made_it_due() -> None:
    scenario, ruleset = lamps("L-1")
    assert told(explain_why("light", scenario, ruleset), ruleset) == [
        "light began: light-1 ended after firing 2",
        "item 1: light {by: ada, lamp: beacon}",
    ]
    assert told(explain_why("sweep", scenario, ruleset), ruleset) == [
        "sweep began: sweep-1 ended after firing 3 (it comes of light-1)",
        "item 1: light {by: ada, lamp: beacon}",
    ]
    assert told(explain_why("evening", scenario, ruleset), ruleset)[0] == "evening never began"


def test_a_rule_that_refused_or_asked_says_so() -> None:
    scenario, ruleset = lamps("L-2")
    assert told(explain_why("broken-lamps-stay-dark", scenario, ruleset), ruleset)[:2] == [
        "rule broken-lamps-stay-dark refused item 1 with $l = light-1",
        "broken-lamps-stay-dark [1.1] refuses light {by: ada, lamp: wreck}",
    ]
    scenario, ruleset = lamps("in the evening everybody rests")
    asked = told(explain_why("ask-who-has-not-had-enough", scenario, ruleset), ruleset)[0]
    assert asked == "rule ask-who-has-not-had-enough asked in item 2"


def test_full_tells_what_made_no_difference_too() -> None:
    scenario, ruleset = lamps("S-01")
    lines = told(explain_why("player P1.points", scenario, ruleset, full=True), ruleset, full=True)
    assert "player P1.team is P1 (made no difference)" in "\n".join(lines)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("room hal.owner", "there never was a room `hal`: did you mean `hall`?"),
        ("room hall.ownr", "`room` has no field `ownr`: did you mean `owner`?"),
        ("rom hall", "`rom` is no template, event or rule: did you mean `room`?"),
        ("item 1", "item 1 was not refused: nothing was refused"),
        ("firing 9", "there is no firing 9: there are 3"),
    ],
)
def test_a_question_about_nothing_says_what_was_probably_meant(text: str, message: str) -> None:
    seen = observe(*lamps("L-1"))
    with pytest.raises(QuestionError) as caught:
        question(text, seen)
    assert str(caught.value) == message


# ------------------------------------------------------------------------------------------------ checked


def needed(nodes: tuple[Node, ...]) -> list[Node]:
    """Every cause that an explanation names as one."""
    return [one for node in nodes for one in (*([node] if node.needed else []), *needed(node.children))]


def replayed(scenario: Scenario, ruleset: Ruleset, node: Node) -> Run:
    """The run without a cause, on the reference, the rules really without the rule."""
    gone = {edit.rule for edit in node.by if isinstance(edit, RuleRemoval)}
    rules = replace(ruleset, rules=tuple(rule for rule in ruleset.rules if rule.id not in gone))
    run = play(edited(scenario, node.by, ruleset), rules, lambda *board: Reference(*board, limit=LIMIT))
    return replace(run, ruleset=ruleset)


@pytest.mark.parametrize(("scenario", "ruleset"), SOME, ids=[scenario.name for scenario, _ in SOME])
def test_every_cause_named_changes_the_answer_when_it_is_taken_away(
    scenario: Scenario, ruleset: Ruleset, programs: dict[int, Program]
) -> None:
    seen = observe(scenario, ruleset)
    try:
        asked = question(first_question(scenario, ruleset), seen)
    except QuestionError:
        pytest.skip("the scenario gives nothing to ask about")
    found = why(asked, seen, Trials(scenario, ruleset, programs[id(ruleset)]))
    firing = next((one.cause.firing for one in found.roots if isinstance(one.cause, Fired)), None)
    now = answer(asked, seen.run, firing)
    assert [node for node in needed(found.roots) if answer(asked, replayed(scenario, ruleset, node), firing) == now] == []


def test_a_cause_of_every_kind_is_named_somewhere(programs: dict[int, Program]) -> None:
    kinds = set()
    for name, asked in (("L-1", "room hall.owner"), ("L-2", "item 1")):
        scenario, ruleset = lamps(name)
        seen = observe(scenario, ruleset)
        found = why(question(asked, seen), seen, Trials(scenario, ruleset, programs[id(ruleset)]))
        kinds |= {type(node.cause) for node in needed(found.roots)}
    assert kinds == {Fired, Asked, Given, RefusedBy}


@pytest.mark.parametrize(("scenario", "ruleset"), SOME, ids=[scenario.name for scenario, _ in SOME])
def test_an_answer_fits_one_screen(scenario: Scenario, ruleset: Ruleset, programs: dict[int, Program]) -> None:
    try:
        text = first_question(scenario, ruleset)
    except QuestionError:
        return
    lines = told(explain_why(text, scenario, ruleset, program=programs[id(ruleset)]), ruleset)
    assert len(lines) <= HEIGHT
    assert max(len(line) for line in lines) <= WIDTH


def test_a_program_without_a_rule_runs_as_one_compiled_without_it() -> None:
    scenario, ruleset = lamps("L-1")
    for rule in ruleset.rules:
        without = without_rule(compile_ruleset(ruleset), rule.id)
        compiled = compile_ruleset(replace(ruleset, rules=tuple(one for one in ruleset.rules if one is not rule)))
        traces = []
        for program in (without, compiled):
            run = play(scenario, ruleset, lambda _, facts, stack, program=program: Session(program, facts, stack))
            traces.append([(one.rule, one.bindings) for one in run.trace.entries if isinstance(one, Firing)])
        assert traces[0] == traces[1]
