"""How the reference runs: visits, dues, passes, asks, choices, hearing, limits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from riftrules.errors import LimitError
from riftrules.facts.memory import Fact
from riftrules.facts.trace import Ask, Choice, Chosen, Refusal, StackedFrame, Waiting
from riftrules.facts.types import Call
from tests.engine.houses import begun, fired, firings, house, load, notes, opened, played, value

RAN = """
- rule: ran
  step: extra
  when: [{more $m: {amount: $n}}]
  then:
    - assert note: {text: ran, number: $n}
- rule: tidied
  step: tidying
  when: [{tidy $t: {}}]
  then:
    - assert note: {text: tidied}
"""

TALK = """
- rule: talk
  step: talk
  when:
    - party $p: {}
    - keeper $k: {id: not in $p.guests}
  then:
    - ask $k: [rest, flip]
- rule: leaves
  step: resting
  when:
    - rest $r: {by: $k}
    - party $p: {}
  then:
    - modify $p: {guests: add $k}
- rule: lit
  step: flipping
  when:
    - flip $f: {lamp: $l}
    - lamp $l: {lit: false}
  then:
    - modify $l: {lit: true}
    - emit flipped: {lamp: $l, by: $f.by}
"""


def texts(session: Any) -> list[str]:
    """The texts of the notes, with their numbers where they have one."""
    return [f"{text}{number or ''}" for text, number in notes(session)]


# ---------------------------------------------------------------------------------------------------- visits


def test_in_one_visit_an_activation_fires_once(tmp_path: Path) -> None:
    rules = """
    - rule: up
      step: first
      when: [{lamp $l: {at: hall}}]
      then:
        - modify $l: {glow: plus 1}
    """
    session = played(tmp_path, rules)
    assert ["up", "up"] == fired(session)
    assert (2, 4) == (value(session, "lamp", "a", "glow"), value(session, "lamp", "b", "glow"))


def test_what_no_longer_matches_is_withdrawn_and_what_newly_does_fires(tmp_path: Path) -> None:
    rules = """
    - rule: dim
      step: first
      when: [{lamp $l: {id: b}}]
      then:
        - modify $l: {glow: 0}
        - assert note: {text: new}
    - rule: bright
      step: first
      when: [{lamp $l: {glow: at least 3}}]
      then: [{assert note: {text: wrong}}]
    - rule: notice
      step: first
      when: [{note $n: {text: new}}]
      then: [{assert note: {text: noticed}}]
    """
    assert ["new", "noticed"] == texts(played(tmp_path, rules))


def test_what_begins_runs_before_the_step_goes_on(tmp_path: Path) -> None:
    rules = (
        RAN
        + """
- rule: for-each
  step: first
  when: [{keeper $k: {}}]
  then:
    - begin more: {amount: $k.seat}
    - begin more: {amount: $k.seat + 10}
"""
    )
    assert ["ran1", "ran11", "ran2", "ran12"] == texts(played(tmp_path, rules))


def test_a_step_may_be_a_procedure(tmp_path: Path) -> None:
    rules = (
        RAN
        + """
- rule: first
  step: first
  then: [{assert note: {text: first}}]
- rule: second
  step: second
  then: [{assert note: {text: second}}]
"""
    )
    session = played(tmp_path, rules, "chores")
    assert ["first", "tidied", "second", "tidied"] == texts(session)
    assert ["chores-1", "tidy-1", "chores-1", "tidy-2"] == [firing.frame for firing in firings(session)]


def test_a_procedure_without_steps_ends_at_once(tmp_path: Path) -> None:
    assert ["tidied"] == texts(played(tmp_path, RAN, "nothing"))


# ---------------------------------------------------------------------------------------------------- due


def test_what_is_due_waits_until_every_frame_yields(tmp_path: Path) -> None:
    rules = (
        RAN
        + """
- rule: later
  step: first
  then:
    - due tidy
    - due more: {amount: 1}
    - begin more: {amount: 2}
- rule: last
  step: second
  then: [{assert note: {text: last}}]
"""
    )
    assert ["ran2", "last", "tidied", "ran1"] == texts(played(tmp_path, rules))


def test_what_is_due_runs_when_the_step_of_a_yielding_frame_is_quiet(tmp_path: Path) -> None:
    rules = (
        RAN
        + """
- rule: greet
  step: greet
  then:
    - due tidy
- rule: greet-on
  step: greet
  when: [{keeper $k: {id: bob}}]
  then: [{assert note: {text: greeted}}]
- rule: bye
  step: farewell
  then: [{assert note: {text: bye}}]
"""
    )
    session = played(tmp_path, rules, "party")
    assert ["greeted", "tidied", "bye", "tidied"] == texts(session)
    assert ["greet", "greet-on", "tidied", "bye", "tidied"] == fired(session)


def test_after_what_was_due_the_same_visit_goes_on(tmp_path: Path) -> None:
    rules = """
    - rule: greet
      step: greet
      then:
        - assert note: {text: hello}
        - due tidy
    - rule: answer
      step: greet
      when: [{note: {text: tidied}}]
      then: [{assert note: {text: answer}}]
    - rule: tidied
      step: tidying
      then: [{assert note: {text: tidied}}]
    """
    assert ["hello", "tidied", "answer", "tidied"] == texts(played(tmp_path, rules, "party"))


# ---------------------------------------------------------------------------------------------------- passes


def test_passes_repeat_until_one_writes_nothing(tmp_path: Path) -> None:
    rules = """
    - rule: up
      step: first
      when: [{lamp $l: {id: a, glow: less than 3}}]
      then:
        - modify $l: {glow: plus 1}
    - rule: look
      step: second
      then:
        - begin more
    """
    session = played(tmp_path, rules, "again")
    assert ["up", "look", "up", "look", "look"] == fired(session)
    assert [1, 1, 2, 2, 3] == [firing.pass_number for firing in firings(session)]


def test_a_configuration_that_repeats_is_told_with_its_cycle(tmp_path: Path) -> None:
    rules = """
    - rule: warm
      step: first
      when: [{room $r: {id: hall, heat: 0}}]
      then:
        - modify $r: {heat: 5}
    - rule: toggle
      step: second
      when: [{lamp $l: {id: a, lit: false}}]
      then: [{modify $l: {lit: true}}]
    - rule: toggle-back
      step: first
      when: [{lamp $l: {id: a, lit: true}}]
      then: [{modify $l: {lit: false}}]
    """
    session = opened(load(tmp_path, rules))
    with pytest.raises(LimitError) as error:
        begun(session, "again")
    assert "the configuration repeats: `again-1` passes 2 to 3, rules `toggle-back`, `toggle`" == error.value.message
    assert (3, 4) == error.value.cycle
    assert session.trace is error.value.trace


def test_the_firing_limit(tmp_path: Path) -> None:
    rules = """
    - rule: grow
      step: first
      when: [{keeper $k: {}}]
      then:
        - modify $k: {points: plus 1}
    """
    session = opened(load(tmp_path, rules), limit=10)
    with pytest.raises(LimitError) as error:
        begun(session, "again")
    assert "limit of 10 firings reached; `points` of keeper `ann` grows by 1 a pass" == error.value.message
    assert 10 == len(firings(session))


def test_a_ring_of_procedures_that_fire_nothing_ends_too(tmp_path: Path) -> None:
    session = opened(load(tmp_path, RAN), limit=20)
    with pytest.raises(LimitError, match="limit of 20 frames reached"):
        begun(session, "echo")


# ---------------------------------------------------------------------------------------------------- hearing


def test_what_hearings_begin_runs_in_the_order_it_was_begun(tmp_path: Path) -> None:
    rules = (
        RAN
        + """
- rule: ring
  step: first
  then:
    - emit rang: {number: 1}
    - emit rang: {number: 2}
    - begin more: {amount: 100}
- rule: begins-two
  after: {rang $e: {number: $n}}
  then:
    - begin more: {amount: $n * 10}
    - begin more: {amount: $n * 10 + 1}
- rule: begins-one
  after: {rang $e: {number: $n}}
  then:
    - begin more: {amount: $n * 10 + 2}
"""
    )
    session = played(tmp_path, rules)
    assert ["ran10", "ran11", "ran12", "ran20", "ran21", "ran22", "ran100"] == texts(session)
    assert ["more-1", "more-2", "more-2", "more-2"] == [firing.frame for firing in firings(session)[1:5]]
    assert [("", 0)] * 4 == [(firing.step, firing.pass_number) for firing in firings(session)[1:5]]


def test_an_event_is_heard_to_its_end_before_the_next(tmp_path: Path) -> None:
    rules = """
    - rule: ring
      step: first
      then: [{emit rang: {number: 1}}]
    - rule: echo
      after: {rang $e: {number: 1}}
      then:
        - emit rang: {number: 2}
        - assert note: {text: a, number: $e.number}
    - rule: hear
      after: {rang $e: {}}
      then:
        - assert note: {text: b, number: $e.number}
    """
    session = played(tmp_path, rules)
    assert ["a1", "b1", "b2"] == texts(session)
    assert ["work-1"] * 4 == [firing.frame for firing in firings(session)]
    assert ["first"] * 4 == [firing.step for firing in firings(session)]


# ---------------------------------------------------------------------------------------------------- choices

PICK = """
- rule: pick
  step: first
  when:
    - lamp $l: {at: $r, lit: false}
    - room $r: {}
  choose: {by: $turn.keeper, one: $l%s}
  then:
    - modify $l: {lit: true}
"""


def test_a_choice_stops_until_it_is_answered(tmp_path: Path) -> None:
    session = played(tmp_path, PICK % "")
    choice = Choice("pick", "ann", "l", ("a", "b"))
    assert Waiting("choosing", choice=choice, frame="work-1", step="first", pass_number=1) == session.waiting
    assert Refusal("rest", (), reason="a choice is waiting") == session.request("rest", {})
    with pytest.raises(ValueError, match="a choice is waiting"):
        session.begin([Call("work")])
    with pytest.raises(ValueError, match="`c` is not one of the options"):
        session.choose("c")
    with pytest.raises(ValueError, match="`None` is not one of the options"):
        session.choose(None)
    assert Waiting("idle") == session.choose("b")
    assert (False, True) == (value(session, "lamp", "a", "lit"), value(session, "lamp", "b", "lit"))
    assert Chosen("pick", "ann", "b") == session.trace.entries[1]
    with pytest.raises(ValueError, match="no choice is waiting"):
        session.choose("a")


def test_one_option_asks_nobody_and_is_one_choice_all_the_same(tmp_path: Path) -> None:
    lamps = {"a": {"at": "hall"}, "b": {"at": "store"}}
    rules = (
        PICK % ""
        + """
- rule: moves
  step: first
  salience: -1
  when: [{lamp $l: {id: b}}]
  then: [{modify $l: {at: hall}}]
"""
    )
    session = played(tmp_path, rules, given=house(lamp=lamps))
    assert ["pick", "moves"] == fired(session)
    assert "idle" == session.waiting.kind
    assert not any(isinstance(entry, Chosen) for entry in session.trace.entries)


def test_an_optional_choice_may_be_none(tmp_path: Path) -> None:
    lamps = {"a": {"at": "hall"}}
    session = played(tmp_path, PICK % ", optional: true", given=house(lamp=lamps))
    assert session.waiting.choice is not None
    assert (("a",), True) == (session.waiting.choice.options, session.waiting.choice.optional)
    assert Waiting("idle") == session.choose(None)
    assert [] == fired(session)
    assert Chosen("pick", "ann", None) == session.trace.entries[-1]


def test_a_choice_for_each_value_of_per(tmp_path: Path) -> None:
    lamps = {"a": {"at": "attic"}, "b": {"at": "hall"}, "c": {"at": "attic"}, "d": {"at": "hall"}}
    session = played(tmp_path, PICK % ", per: $r", given=house(lamp=lamps))
    groups = []
    while session.waiting.choice is not None:
        groups.append(session.waiting.choice.options)
        session.choose(session.waiting.choice.options[-1])
    assert [("a", "c"), ("b", "d")] == groups
    assert [False, False, True, True] == [fact.values["lit"] for fact in session.memory.all("lamp")]


def test_a_choice_while_an_event_is_heard(tmp_path: Path) -> None:
    rules = "- rule: ring\n  step: first\n  then: [{emit rang: {number: 1}}]\n" + (PICK % "").replace(
        "step: first", "after: {rang $e: {}}"
    )
    session = played(tmp_path, rules)
    assert session.waiting.choice is not None
    session.choose("a")
    assert ["ring", "pick"] == fired(session)
    assert "rang-1" == firings(session)[-1].event


def test_nobody_to_choose_means_no_choice(tmp_path: Path) -> None:
    rules = (PICK % "").replace("$turn.keeper", "$r.keeper")
    assert [] == fired(played(tmp_path, rules))


# ---------------------------------------------------------------------------------------------------- asking


def test_asking_goes_on_until_nobody_is_asked(tmp_path: Path) -> None:
    session = played(tmp_path, TALK, "party")
    asks = (Ask("ann", ("rest", "flip"), "talk"), Ask("bob", ("rest", "flip"), "talk"))
    assert Waiting("asked", asks=asks, frame="party-1", step="talk", pass_number=1) == session.waiting
    session.request("rest", {})
    assert (Ask("bob", ("rest", "flip"), "talk"),) == session.waiting.asks
    assert Waiting("idle") == session.request("rest", {})
    assert ["leaves", "leaves"] == fired(session)
    assert 0 == session.memory.count("party")


def test_the_return_after_an_answer_is_a_new_visit(tmp_path: Path) -> None:
    rules = (
        TALK
        + """
- rule: each-visit
  step: talk
  when: [{party $p: {}}]
  then:
    - begin more
"""
    )
    session = played(tmp_path, rules, "party")
    session.request("rest", {})
    assert ["each-visit", "leaves", "each-visit"] == fired(session)
    session.begin([])
    assert "each-visit" == fired(session)[-1]
    assert 4 == len(firings(session))


def test_a_session_given_in_the_middle_runs_from_there(tmp_path: Path) -> None:
    rules = TALK + RAN
    ruleset = load(tmp_path, rules)
    frame = Fact("party", "party-1", {"room": None, "guests": frozenset({"ann"})})
    session = opened(ruleset, stack=(StackedFrame(frame, "talk"),))
    assert Waiting("idle") == session.waiting
    assert "asked" == session.settle().kind  # type: ignore[union-attr]
    assert [] == fired(session)
    session.request("rest", {})
    assert ["leaves", "tidied"] == fired(session)


def test_a_given_frame_whose_step_is_a_procedure(tmp_path: Path) -> None:
    ruleset = load(tmp_path, RAN)
    chores, tidy = Fact("chores", "chores-1", {}), Fact("tidy", "tidy-1", {})
    alone = opened(ruleset, stack=(StackedFrame(chores, "tidy"),))
    alone.settle()
    assert ["tidied", "tidied"] == fired(alone)
    both = opened(ruleset, stack=(StackedFrame(chores, "tidy"), StackedFrame(tidy, "tidying")))
    both.settle()
    assert ["tidy-1", "tidy-2"] == [firing.frame for firing in firings(both)]


# ---------------------------------------------------------------------------------------------------- the end


def test_after_the_end_nothing_fires_and_nothing_may_be_asked(tmp_path: Path) -> None:
    rules = (
        RAN
        + """
- rule: win
  step: first
  when: [{work $w: {}}]
  then:
    - assert seal within $w: {by: ann, at: hall}
    - assert outcome: {winner: ann}
    - emit rang: {number: 1}
    - due tidy
    - begin more
    - end game
- rule: never
  after: {rang $e: {}}
  then: [{assert note: {text: wrong}}]
"""
    )
    session = played(tmp_path, rules)
    assert ["win"] == fired(session)
    assert firings(session)[0].ends_game
    assert Waiting("over") == session.waiting
    assert [0, 0, 0, 0] == [session.memory.count(name) for name in ("work", "more", "tidy", "seal")]
    assert Refusal("rest", (), reason="the game is over") == session.request("rest", {})
    assert Waiting("over") == session.begin([Call("work")])
    assert [] == list(session.legal())
