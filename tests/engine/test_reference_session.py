"""What players may do to a session of the reference: requests, refusals, marks, legal requests."""

from __future__ import annotations

from pathlib import Path

import pytest

from riftrules.engine.reference import Session
from riftrules.facts.trace import Began, Refusal, Refused, Requested, Waiting
from riftrules.facts.types import Call
from tests.engine.houses import HOUSE, RULESET, TEMPLATES, begun, facts, fired, firings, house, load, opened, value
from tests.engine.test_reference_cycle import PICK, TALK

RULES = (
    TALK
    + """
- rule: lit-lamps-stay
  when:
    - flip $f: {}
    - lamp: {id: $f.lamp, lit: true}
  then: [refuse $f]
- rule: only-ones-own
  when:
    - flip $f: {by: $k}
    - lamp $l: {id: $f.lamp, owner: not $k}
  then: [refuse $f]
"""
)


def test_a_request_is_done_until_the_session_waits(tmp_path: Path) -> None:
    session = opened(load(tmp_path, RULES))
    assert Waiting("idle") == session.request("flip", {"lamp": "a"})
    assert Requested("flip-1", "flip", (("by", "ann"), ("lamp", "a"))) == session.trace.entries[0]
    assert value(session, "lamp", "a", "lit")


def test_every_rule_that_refuses_is_named_and_nothing_has_happened(tmp_path: Path) -> None:
    session = opened(load(tmp_path, RULES), house(lamp={"b": {"at": "hall", "owner": "bob", "lit": True}}))
    before = list(session.memory)
    refusal = session.request("flip", {"lamp": "b"})
    rules = (
        Refused("lit-lamps-stay", (), (("f", "flip-1"),)),
        Refused("only-ones-own", (), (("f", "flip-1"), ("k", "ann"), ("l", "b"))),
    )
    assert Refusal("flip", (("by", "ann"), ("lamp", "b")), rules) == refusal
    assert before == list(session.memory)
    assert [] == session.trace.entries
    assert "flip-1" == session.memory.new_id("flip")


@pytest.mark.parametrize(
    ("name", "fields", "reason"),
    [
        ("work", {}, "`work` is not a request"),
        ("fly", {}, "`fly` is not a request"),
        ("flip", {"lampe": "a", "lamp": "a"}, "`flip` has no field `lampe`"),
        ("flip", {}, "`flip` needs `lamp`"),
        ("flip", {"lamp": 3}, "`lamp`: `3` is not a text"),
        ("flip", {"lamp": "z"}, "`lamp`: no lamp `z` holds"),
        ("rest", {}, "`rest` needs `by`"),
    ],
)
def test_a_request_that_is_none_is_refused_in_words(tmp_path: Path, name: str, fields: dict[str, object], reason: str) -> None:
    session = opened(load(tmp_path, RULES))
    assert Refusal(name, tuple(sorted(fields.items())), reason=reason) == session.request(name, fields)


def test_a_request_that_no_rule_accepts_is_undone_whole(tmp_path: Path) -> None:
    rules = (
        TALK
        + """
- rule: bell
  step: flipping
  when: [{turn: {phase: day}}]
  then:
    - assert note: {text: bell}
    - emit rang: {number: 1}
    - due more: {amount: 3}
"""
    )
    session = opened(load(tmp_path, rules), house(lamp={"a": {"at": "hall", "lit": True}}))
    before = list(session.memory)
    assert Refusal("flip", (("by", "ann"), ("lamp", "a")), reason="no rule accepts it") == session.request("flip", {"lamp": "a"})
    assert before == list(session.memory)
    assert ([], Waiting("idle")) == (session.trace.entries, session.waiting)


def test_a_request_with_a_choice_is_undone_when_the_choice_is_made(tmp_path: Path) -> None:
    rules = (PICK % "").replace("step: first", "step: resting")
    session = opened(load(tmp_path, rules))
    assert "choosing" == session.request("rest", {"by": "ann"}).kind  # type: ignore[union-attr]
    assert Refusal("rest", (("by", "ann"),), reason="no rule accepts it") == session.choose("a")
    assert (Waiting("idle"), []) == (session.waiting, session.trace.entries)
    assert not value(session, "lamp", "a", "lit")


def test_who_is_not_asked_may_not(tmp_path: Path) -> None:
    rules = RULES.replace("[rest, flip]", "[rest]")
    session = opened(load(tmp_path, rules))
    begun(session, "party")
    refusal = session.request("flip", {"lamp": "b"})
    assert isinstance(refusal, Refusal)
    assert ("nobody is asked for `flip`", ["only-ones-own"]) == (refusal.reason, [rule.rule for rule in refusal.rules])
    assert "asked" == session.waiting.kind


def test_a_request_may_begin_without_being_asked(tmp_path: Path) -> None:
    session = opened(load(tmp_path, RULES))
    begun(session, "flip", lamp="b")
    assert ["lit"] == fired(session)


def test_begun_from_outside_is_one_instruction(tmp_path: Path) -> None:
    rules = "- rule: ran\n  step: extra\n  when: [{more $m: {}}]\n  then:\n    - assert note: {text: ran, number: $m.amount}\n"
    session = opened(load(tmp_path, rules))
    session.begin([Call("more", (("amount", 1),)), Call("more")])
    assert Began(("more-1", "more-2"), (("more", (("amount", 1),)), ("more", (("amount", 0),)))) == session.trace.entries[0]
    assert ["more-1", "more-2"] == [firing.frame for firing in firings(session)]
    with pytest.raises(ValueError, match="`more` has no field `amont`"):
        session.begin([Call("more"), Call("more", (("amont", 1),))])
    with pytest.raises(ValueError, match="`dance` is not a procedure"):
        session.begin([Call("dance")])
    assert "more-3" == session.memory.new_id("more")


def test_a_session_goes_back_to_any_mark_and_on_again(tmp_path: Path) -> None:
    session = opened(load(tmp_path, RULES))
    begun(session, "party")
    marks = [session.mark()]
    session.request("flip", {"lamp": "a"})
    marks.append(session.mark())
    session.request("rest", {})
    session.request("rest", {})
    text, facts = session.trace.lines(), list(session.memory)
    for mark in reversed(marks):
        session.undo(mark)
        assert "asked" == session.waiting.kind
    session.request("flip", {"lamp": "a"})
    session.request("rest", {})
    session.request("rest", {})
    assert (text, facts) == (session.trace.lines(), list(session.memory))


def test_legal_lists_what_no_rule_refuses(tmp_path: Path) -> None:
    session = opened(
        load(tmp_path, RULES),
        {**HOUSE, "lamp": {"a": {"at": "hall", "owner": "ann"}, "b": {"at": "hall", "owner": "bob", "lit": True}}},
    )
    assert [
        ("flip", {"by": "ann", "lamp": "a"}),
        ("rest", {"by": "ann"}),
        ("rest", {"by": "bob"}),
    ] == list(session.legal())
    assert [] == session.trace.entries


def test_the_domains_of_fields(tmp_path: Path) -> None:
    ruleset = RULESET.replace(
        "  do: {",
        """\
  pick:
    request: true
    fields:
      some: {list: {ref: keeper}}
      how: {one of: [fast, slow], optional: true}
      number: {int: {min: 1, max: 2}}
      any: {int: any, default: 7}
      really: {bool: any}
    steps: [first]
  say: {request: true, fields: {text: {text: any}}, steps: [first]}
  do: {""",
    )
    session = opened(load(tmp_path, RULES, ruleset=ruleset))
    legal = [fields for name, fields in session.legal() if name == "pick"]
    assert 3 * 3 * 2 * 2 == len(legal)
    assert {"some": ("ann",), "how": "fast", "number": 1, "any": 7, "really": False} == legal[0]
    assert {"some": ("ann", "bob"), "how": None, "number": 2, "any": 7, "really": True} == legal[-1]
    assert not [name for name, _ in session.legal() if name == "say"]


def test_invariants_that_are_violated_are_named(tmp_path: Path) -> None:
    invariant = "invariants:\n  - invariant: lit-by-night\n    house: true\n    when: [night, {lamp $l: {lit: true}}]\n"
    session = opened(load(tmp_path, RULES, templates=TEMPLATES + invariant), house(turn={"keeper": "ann", "phase": "night"}))
    assert () == session.violations()
    session.request("flip", {"lamp": "a"})
    assert (Refused("lit-by-night", (), (("l", "a"),)),) == session.violations()


def test_the_trace_is_the_same_whatever_the_order_of_the_given_facts(tmp_path: Path) -> None:
    ruleset = load(tmp_path, RULES)
    given = house(
        keeper={"ann": {"seat": 1}, "bob": {"seat": 2}}, lamp={"a": {"at": "hall"}, "b": {"at": "hall", "owner": "ann"}}
    )
    texts = set()
    for order in (list, reversed):
        session = Session(ruleset, list(order(facts(ruleset, given))))
        begun(session, "party")
        session.request("flip", {"lamp": "b"})
        texts.add(session.trace.lines())
    assert 1 == len(texts)
