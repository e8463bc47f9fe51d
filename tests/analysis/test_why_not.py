"""Why a rule has not fired, and the smallest change of the board with which it would."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from riftrules.analysis.edits import BoardEdit, edited
from riftrules.analysis.explaining import Withheld, explain_why, explain_why_not
from riftrules.analysis.questions import QuestionError
from riftrules.analysis.smallest_change import single_edits
from riftrules.analysis.why_not import FIRED, MISSED, NEVER_STEP, NO_EFFECT, OFFERED, WITHDRAWN, Target, fires, target
from riftrules.engine.reference import Session as Reference
from riftrules.errors import Place
from riftrules.facts.types import Call
from riftrules.language.model import Ruleset
from riftrules.report.explanations import fitted, why_not_lines
from riftrules.scenario.files import Catalogue
from riftrules.scenario.loading import load_scenarios
from riftrules.scenario.model import Beginning, Choosing, Scenario
from riftrules.scenario.playing import play
from riftrules.source import Scalar
from tests.engine.houses import HOUSE, RULESET, facts, load

LAMPS = load_scenarios(Path(__file__).parents[1] / "fixtures/lamps/light.yaml", Catalogue())


def lamps(id_: str) -> tuple[Scenario, Ruleset]:
    """One of the scenarios with lamps."""
    return next((one, rules) for one, rules in LAMPS if id_ in {one.id, one.name})


def told(found: Withheld, scenario: Scenario, ruleset: Ruleset) -> list[str]:
    """The lines of an answer."""
    return [line.text for line in fitted(tuple(why_not_lines(found, scenario, ruleset)), full=False)]


def played(folder: Path, rules: str, *calls: str) -> tuple[Scenario, Ruleset]:
    """The usual house, with these rules, in which procedures begin one after another."""
    ruleset = load(folder, rules)
    items = tuple(Beginning((Call(name),), Place("x")) for name in calls)
    return Scenario("a house", Place("x"), tuple(facts(ruleset, HOUSE)), items=items), ruleset


def test_a_miss_is_told_condition_by_condition() -> None:
    scenario, ruleset = lamps("L-1")
    assert told(explain_why_not("the-dark-owns-nothing", scenario, ruleset), scenario, ruleset) == [
        "the-dark-owns-nothing [2] has not fired: missed",
        "   2: Rooms belong to the first light in them.",
        "   looked at in sweep-1, owners, pass 2, after firing 3",
        "   with $r = attic",
        "   met         room $r: {owner: some}  attic",
        "   failed      dark-at: $r",
        "                 no: {lamp: {at: $r, lit: true}}: there is lamp bulb",
        "it would fire with lamp bulb.at: hall (it is attic)",
    ]


def test_a_variable_fixed_narrows_the_question() -> None:
    scenario, ruleset = lamps("L-1")
    found = explain_why_not("the-dark-owns-nothing", scenario, ruleset, ["$r=attic"]).why_not
    assert (found.kind, dict(found.miss.env) if found.miss else None) == (MISSED, {"r": "attic"})


def test_a_rule_that_has_fired_says_where() -> None:
    scenario, ruleset = lamps("L-1")
    assert told(explain_why_not("the-first-light-owns", scenario, ruleset), scenario, ruleset)[0] == (
        "the-first-light-owns [2] has fired: firing 3"
    )


def test_a_rule_whose_step_never_came_says_who_would_begin_it() -> None:
    scenario, ruleset = lamps("L-1")
    found = explain_why_not("somebody-dims", scenario, ruleset).why_not
    assert (found.kind, found.said) == (
        NEVER_STEP,
        "`dimming` is a step of `dim`, which never ran; begun by nothing in the rules",
    )


def test_a_rule_whose_event_never_came_says_who_would_emit_it() -> None:
    scenario, ruleset = lamps("in the evening everybody rests")
    found = explain_why_not("a-bright-lamp-scores", scenario, ruleset).why_not
    assert (found.kind, found.said) == (NEVER_STEP, "no `lit` happened; emitted by `a-lamp-is-lit`")


def test_a_rule_of_legality_says_what_it_misses_to_refuse() -> None:
    scenario, ruleset = lamps("L-1")
    assert told(explain_why_not("broken-lamps-stay-dark", scenario, ruleset), scenario, ruleset)[0::3] == [
        "broken-lamps-stay-dark [1.1] has not refused: missed",
        "   with $l = light-1",
        "                 nearest is beacon: broken is false",
    ]


def test_a_rule_that_has_refused_or_asked_says_in_which_item() -> None:
    scenario, ruleset = lamps("L-2")
    assert explain_why_not("broken-lamps-stay-dark", scenario, ruleset).why_not.firings == (1,)
    scenario, ruleset = lamps("in the evening everybody rests")
    assert explain_why_not("ask-who-has-not-had-enough", scenario, ruleset).why_not.kind == FIRED


def test_a_rule_withdrawn_says_by_whom(tmp_path: Path) -> None:
    rules = """
        - rule: lamps-are-taken-away
          step: first
          when: [lamp $x: {}]
          then: [retract $x]
        - rule: a-house-with-lamps-is-noted
          step: first
          salience: -1
          when: [lamp $x: {owner: bob}]
          then: [assert note: {text: lamps}]
    """
    scenario, ruleset = played(tmp_path, rules, "work")
    found = explain_why_not("a-house-with-lamps-is-noted", scenario, ruleset)
    assert (found.why_not.kind, found.why_not.said) == (WITHDRAWN, "2. lamps-are-taken-away fired instead")
    assert "                 there is no lamp" not in told(found, scenario, ruleset)


def test_a_rule_that_would_change_nothing_says_so(tmp_path: Path) -> None:
    rules = """
        - rule: lamps-glow
          step: first
          when: [lamp $x: {glow: 3}]
          then: [modify $x: {glow: 3}]
    """
    scenario, ruleset = played(tmp_path, rules, "work")
    found = explain_why_not("lamps-glow", scenario, ruleset).why_not
    assert (found.kind, found.said) == (NO_EFFECT, "it would change nothing")


def test_two_fields_are_changed_where_one_is_not_enough(tmp_path: Path) -> None:
    rules = """
        - rule: a-bright-lamp-at-night
          step: first
          when:
            - lamp $x: {glow: at least 9, owner: ann}
            - turn: {phase: night}
          then: [modify $x: {lit: true}]
    """
    scenario, ruleset = played(tmp_path, rules, "work")
    assert told(explain_why_not("a-bright-lamp-at-night", scenario, ruleset), scenario, ruleset)[-1] == (
        "it would fire with lamp a.glow: 9 (it is 1); turn.phase: night (it is day)"
    )


def test_one_fact_more_is_found(tmp_path: Path) -> None:
    rules = """
        - rule: two-seals-shine
          step: first
          when:
            - seal $s: {at: hall}
          then: [retract $s]
    """
    scenario, ruleset = played(tmp_path, rules, "work")
    assert told(explain_why_not("two-seals-shine", scenario, ruleset), scenario, ruleset)[-1] == (
        "it would fire with one more seal: {by: ann, at: hall}"
    )


def test_where_no_small_change_helps_it_says_so(tmp_path: Path) -> None:
    rules = """
        - rule: ten-lamps
          step: first
          when:
            - count: {lamp: {}}
              as: $n
            - where: $n at least 10
          then: [assert note: {text: many}]
    """
    scenario, ruleset = played(tmp_path, rules, "work")
    found = explain_why_not("ten-lamps", scenario, ruleset)
    assert found.change is not None
    assert (found.change.edits, found.change.complete) == ((), True)


def one_lamp(scenario: Scenario) -> Scenario:
    """The scenario with one lamp and nothing else but whose turn it is."""
    kept = [fact for fact in scenario.facts if fact.template in {"turn", "settings"} or fact.id in {"a", "ann"}]
    lamp = {"at": "store", "owner": None}
    return replace(scenario, facts=tuple(fact.with_values(lamp) if fact.id == "a" else fact for fact in kept))


def test_two_fields_are_found_that_the_rule_itself_does_not_mention(tmp_path: Path) -> None:
    rules = """
        - rule: a-bright-lamp-at-night-rings
          step: first
          when: [{lamp: {glow: at least 9}}, {turn: {phase: night}}]
          then: [emit rang: {}]
        - rule: who-hears-it-lights-a-lamp
          after: {rang $e: {}}
          when: [lamp $x: {lit: false}]
          then: [modify $x: {lit: true}]
    """
    scenario, ruleset = played(tmp_path, rules, "work")
    scenario = one_lamp(scenario)
    found = explain_why_not("who-hears-it-lights-a-lamp", scenario, ruleset)
    assert "it would fire with lamp a.glow: 9 (it is 1); turn.phase: night (it is day)" in told(found, scenario, ruleset)


def test_that_no_small_change_helps_is_said_where_all_have_been_tried(tmp_path: Path) -> None:
    rules = """
        - rule: a-long-way
          step: first
          when:
            - lamp $x: {glow: 9, lit: true, marks: has red}
            - turn: {phase: night}
          then: [modify $x: {lit: false}]
    """
    scenario, ruleset = played(tmp_path, rules, "work")
    scenario = one_lamp(scenario)
    found = explain_why_not("a-long-way", scenario, ruleset)
    *_, none, tried = told(found, scenario, ruleset)
    assert none == "no small change of the board makes it fire"
    assert tried.startswith("   tried: one fact more or less, or up to two fields changed (")


def test_that_not_all_has_been_tried_is_said(tmp_path: Path) -> None:
    rules = """
        - rule: ten-lamps
          step: first
          when:
            - count: {lamp: {}}
              as: $n
            - where: $n at least 10
          then: [assert note: {text: many}]
    """
    scenario, ruleset = played(tmp_path, rules, "work")
    found = explain_why_not("ten-lamps", scenario, ruleset)
    *_, none, tried = told(found, scenario, ruleset)
    assert none == "of the small changes that were tried none makes it fire"
    assert tried.startswith("   tried: one fact more or less, one field changed, of two fields the most like it (")


@pytest.mark.parametrize(
    ("rule", "fixed", "message"),
    [
        ("the-dark-owns-nothin", [], "there is no rule `the-dark-owns-nothin`: did you mean `the-dark-owns-nothing`?"),
        ("the-dark-owns-nothing", ["q=hall"], "`q=hall` fixes no variable of `the-dark-owns-nothing`: known here: `r`"),
    ],
)
def test_a_question_about_nothing_says_what_was_probably_meant(rule: str, fixed: list[str], message: str) -> None:
    with pytest.raises(QuestionError) as caught:
        target(rule, lamps("L-1")[1], fixed)
    assert str(caught.value) == message


# ------------------------------------------------------------------------------------------------ checked


SMALL = {"player": 1, "room": 1, "lamp": 2, "turn": 1, "settings": 1}
"""How many facts of a template the small boards keep: six."""


def small(scenario: Scenario) -> Scenario:
    """The scenario on a board of six facts: one player, one room, two lamps."""
    kept = [fact for name, most in SMALL.items() for fact in [one for one in scenario.facts if one.template == name][:most]]
    lamps_of_ada = {"at": "shelf", "owner": "ada"}
    return replace(scenario, facts=tuple(fact.with_values(lamps_of_ada) if fact.template == "lamp" else fact for fact in kept))


def on_reference(asked: Target, scenario: Scenario, ruleset: Ruleset, edits: tuple[BoardEdit, ...]) -> bool:
    """Whether the rule fires with these edits."""
    return bool(fires(asked, play(edited(scenario, edits, ruleset), ruleset, lambda *board: Reference(*board, limit=200))))


@pytest.mark.parametrize("rule", [rule.id for rule in LAMPS[0][1].rules])
@pytest.mark.parametrize("name", ["L-1", "the dimmer picks a lamp"])
def test_the_change_fires_and_no_smaller_one_does(name: str, rule: str) -> None:
    scenario, ruleset = lamps(name)
    scenario = small(scenario)
    assert len(scenario.facts) <= 6
    found = explain_why_not(rule, scenario, ruleset)
    if found.change is None:
        return
    asked = found.why_not.target
    if found.change.edits:
        assert on_reference(asked, scenario, ruleset, found.change.edits)
    if len(found.change.edits) != 1:
        assert found.change.complete
        assert [edit for edit in single_edits(scenario, ruleset, {}) if on_reference(asked, scenario, ruleset, (edit,))] == []


def test_a_rule_that_was_offered_says_to_whom_and_what_was_chosen() -> None:
    scenario, ruleset = lamps("the dimmer picks a lamp")
    waiting = replace(scenario, items=(scenario.items[0],))
    found = explain_why_not("somebody-dims", waiting, ruleset).why_not
    assert (found.kind, found.said) == (OFFERED, "offered to ben in item 1: ben has still to choose")
    other = replace(scenario, items=(scenario.items[0], Choosing(Scalar("bulb", quoted=False, place=Place("x")), Place("x"))))
    found = explain_why_not("somebody-dims", other, ruleset, ["x=candle"]).why_not
    assert (found.kind, found.said) == (OFFERED, "offered to ben: in item 2 ben chose bulb")


def test_a_rule_that_a_player_may_do_without_says_that_it_was_offered(tmp_path: Path) -> None:
    rules = """
        - rule: somebody-may-light-a-lamp
          step: first
          when: [{lamp $x: {lit: false, at: hall}}, {keeper $k: {id: ann}}]
          choose: {by: $k, one: $x, optional: true}
          then: [modify $x: {lit: true}]
    """
    scenario, ruleset = played(tmp_path, rules, "work")
    none = Choosing(Scalar("none", quoted=False, place=Place("x")), Place("x"))
    chosen = replace(scenario, items=(*scenario.items, none))
    for one, by in ((scenario, " in item 1: ann has still to choose"), (chosen, ": in item 2 ann chose none")):
        lines = told(explain_why_not("somebody-may-light-a-lamp", one, ruleset), one, ruleset)
        assert lines[0] == "somebody-may-light-a-lamp [house rule] has not fired: offered and not chosen"
        assert lines[2] == f"   offered to ann{by}"
        assert lines[-1] == "it would fire with `- choose: a` or `- choose: b`"


LIGHTS_ON = """
    - rule: NAME
      step: first
      when: [lamp $x: {id: WHICH, glow: GLOW}]
      then: [{begin more: {}}]
"""


def test_a_rule_whose_step_never_came_is_followed_to_the_nearest_rule_that_leads_there(tmp_path: Path) -> None:
    leading = "".join(
        LIGHTS_ON.replace("NAME", f"light-{lamp}").replace("WHICH", lamp).replace("GLOW", glow)
        for lamp, glow in (("a", "at least 5, lit: true"), ("c", "at least 5, lit: true"), ("x", "1, lit: true"), ("b", "9"))
    )
    rules = f"""
    - rule: more-is-noted
      step: extra
      when: []
      then: [assert note: {{text: more}}]
    {leading}
    """
    scenario, ruleset = played(tmp_path, rules, "work")
    lines = told(explain_why_not("more-is-noted", scenario, ruleset), scenario, ruleset)
    at = lines.index("what might have led to it:")
    assert lines[2].endswith("which never ran; begun by `light-a`, `light-c`, `light-x` and 1 more")
    assert lines[at + 1] == "  light-b [house rule] has not fired: missed"
    assert "  it would fire with lamp b.glow: 9 (it is 3)" in lines
    full = explain_why_not("more-is-noted", scenario, ruleset, full=True)
    assert full.why_not.said.endswith("begun by `light-a`, `light-c`, `light-x`, `light-b`")
    assert [one.why_not.target.rule.id for one in full.leading] == ["light-b", "light-a", "light-c", "light-x"]


def test_a_rule_to_which_nothing_leads_is_told_last(tmp_path: Path) -> None:
    rules = """
        - rule: who-tidies-lights-a-lamp
          step: nowhere
          when: [lamp $x: {}]
          then: [modify $x: {glow: 9}]
        - rule: more-light
          step: extra
          when: [lamp $x: {}]
          then: [modify $x: {glow: 8}]
        - rule: more-comes
          step: first
          when: [turn: {phase: night}]
          then: [begin more: {}]
    """
    procedures = RULESET.replace("  tidy: {", "  idle: {steps: [nowhere]}\n  tidy: {")
    ruleset = load(tmp_path, rules, ruleset=procedures)
    items = (Beginning((Call("work"),), Place("x")),)
    scenario = Scenario("a house", Place("x"), tuple(facts(ruleset, HOUSE)), items=items)
    found = explain_why("lamp a.glow", scenario, ruleset)
    assert [one.why_not.target.rule.id for one in found.withheld] == ["more-light", "who-tidies-lights-a-lamp"]
    assert [one.why_not.target.rule.id for one in found.withheld[0].leading] == ["more-comes"]


def test_a_rule_of_another_case_is_not_the_nearest(tmp_path: Path) -> None:
    rules = """
        - rule: more-is-noted
          step: extra
          when: []
          then: [assert note: {text: more}]
        - rule: a-large-work-brings-more
          step: first
          when: [work $w: {amount: 5}]
          then: [begin more: {}]
        - rule: a-bright-lamp-brings-more
          step: first
          when: [{work: {amount: 0}}, {lamp $x: {id: a, glow: 9}}]
          then: [begin more: {}]
    """
    scenario, ruleset = played(tmp_path, rules, "work")
    found = explain_why_not("more-is-noted", scenario, ruleset)
    assert [one.why_not.target.rule.id for one in found.leading] == ["a-bright-lamp-brings-more", "a-large-work-brings-more"]
