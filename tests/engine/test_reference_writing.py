"""What the reference writes: consequents, together changes, what cannot be carried out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from riftrules.errors import RunError
from riftrules.facts.trace import Change
from riftrules.facts.types import Call
from tests.engine.houses import begun, fired, firings, house, load, notes, opened, played, value


def rule(then: str, when: str = "[{lamp $l: {id: a}}]", name: str = "tried", step: str = "first") -> str:
    """One rule with this consequent."""
    items = "".join(f"    - {item}\n" for item in then.strip().split("; "))
    return f"- rule: {name}\n  step: {step}\n  when: {when}\n  then:\n{items}"


def changes(session: Any) -> list[tuple[str, tuple[Any, ...]]]:
    """The changes of the first firing."""
    return [(str(change.fact), change.fields()) for change in firings(session)[0].changes]


@pytest.mark.parametrize(
    ("then", "field", "after"),
    [
        ("modify $l: {glow: 5}", "glow", 5),
        ("modify $l: {glow: plus 2}", "glow", 3),
        ("modify $l: {glow: minus 1}", "glow", 0),
        ("modify $l: {glow: $l.glow * 4 + 1}", "glow", 5),
        ("modify $l: {owner: none}", "owner", None),
        ("modify $l: {marks: add red}", "marks", frozenset({"red"})),
        ("modify $l: {fans: remove ann}", "fans", frozenset({"bob"})),
        ("modify $l: {queue: add bob}", "queue", ("ann", "bob", "bob")),
        ("modify $l: {queue: remove ann}", "queue", ("bob",)),
        ("modify $l: {glow: plus 2}; modify $l: {glow: minus 1}", "glow", 2),
    ],
)
def test_fields_are_changed(tmp_path: Path, then: str, field: str, after: Any) -> None:
    lamps = {"a": {"at": "hall", "owner": "ann", "fans": frozenset({"ann", "bob"}), "queue": ("ann", "bob")}}
    session = played(tmp_path, rule(then), given=house(lamp=lamps))
    assert after == value(session, "lamp", "a", field)
    assert ["tried"] == fired(session)


@pytest.mark.parametrize(
    "then",
    [
        "modify $l: {glow: 1}",
        "modify $l: {glow: plus 0}",
        "modify $l: {glow: plus 2}; modify $l: {glow: minus 2}",
        "modify $l: {marks: remove red}",
        "assert seal: {by: ann, at: hall}",
        "begin each of $l.none",
    ],
)
def test_what_would_write_nothing_new_is_no_firing(tmp_path: Path, then: str) -> None:
    given = house(seal={"ann, hall": {"by": "ann", "at": "hall"}})
    if "$l.none" in then:
        session = played(tmp_path, rule("begin each of $d.does", "[{do $d: {}}]", step="doing"), "do", given, does=())
    else:
        session = played(tmp_path, rule(then), given=given)
    assert [] == fired(session)


def test_all_values_are_read_before_any_is_written(tmp_path: Path) -> None:
    session = played(
        tmp_path, rule("modify $l: {glow: $m.glow}; modify $m: {glow: $l.glow}", "[{lamp $l: {id: a}}, {lamp $m: {id: b}}]")
    )
    assert (3, 1) == (value(session, "lamp", "a", "glow"), value(session, "lamp", "b", "glow"))


def test_an_assert_without_a_key_is_a_new_fact_with_defaults(tmp_path: Path) -> None:
    session = played(tmp_path, rule("assert note: {text: one}; assert note: {text: two}; assert keeper: {points: 4}"))
    assert [("one", 0), ("two", 0)] == notes(session)
    assert ("keeper-1", 3) == (value(session, "keeper", "keeper-1", "team"), value(session, "keeper", "keeper-1", "seat"))


def test_an_assert_of_a_key_that_is_there_sets_its_other_fields(tmp_path: Path) -> None:
    given = house(seal={"ann, hall": {"by": "ann", "at": "hall", "worth": 7}})
    session = played(tmp_path, rule("assert seal: {by: ann, at: hall}; assert seal: {by: bob, at: hall, worth: 2}"), given=given)
    assert (1, 2) == (value(session, "seal", "ann, hall", "worth"), value(session, "seal", "bob, hall", "worth"))
    assert ["seal ann, hall", "seal bob, hall"] == [name for name, _ in changes(session)]


def test_a_singleton_is_made_and_then_changed(tmp_path: Path) -> None:
    rules = rule("assert outcome: {winner: ann}") + rule("modify $outcome: {winner: bob}", "[]", "then", "second")
    session = played(tmp_path, rules)
    assert "bob" == value(session, "outcome", "outcome", "winner")


def test_a_rule_may_change_a_setting(tmp_path: Path) -> None:
    session = played(tmp_path, rule("modify $settings: {target: plus 1}"))
    assert 4 == value(session, "settings", "settings", "target")


def test_a_retracted_fact_takes_with_it_what_needs_it(tmp_path: Path) -> None:
    lamps = {
        "a": {
            "at": "hall",
            "owner": "ann",
            "fans": frozenset({"ann", "bob"}),
            "queue": ("ann", "bob"),
            "votes": (("ann", 1), ("bob", 2)),
        },
        "b": {"at": "attic", "owner": "bob"},
    }
    given = house(
        lamp=lamps,
        seal={"ann, hall": {"by": "ann", "at": "hall"}, "bob, hall": {"by": "bob", "at": "hall"}},
        turn={"keeper": "bob"},
    )
    session = played(tmp_path, rule("retract $k", "[{keeper $k: {id: ann}}]"), given=given)
    lamp = session.memory.get("lamp", "a")
    assert lamp is not None
    assert (None, frozenset({"bob"}), ("bob",), (("bob", 2),)) == tuple(
        lamp.values[name] for name in ("owner", "fans", "queue", "votes")
    )
    assert ["bob, hall"] == [fact.id for fact in session.memory.all("seal")]
    assert {"keeper ann", "lamp a", "seal ann, hall"} == {name for name, _ in changes(session)}


def test_a_retract_wins_over_what_else_is_written_to_the_fact(tmp_path: Path) -> None:
    session = played(tmp_path, rule("modify $l: {glow: plus 99}; retract $l"))
    assert session.memory.get("lamp", "a") is None
    assert [("lamp", "a")] == [(change.fact.template, change.fact.id) for change in firings(session)[0].changes]


def test_together_is_one_change_on_the_board_as_it_stood(tmp_path: Path) -> None:
    rules = (
        rule(
            "modify $k: {points: plus 1}; emit flipped: {lamp: $l}",
            "[{lamp $l: {at: hall}}, {keeper $k: {id: ann}}]",
            step="together",
        )
        + rule("retract $l", "[{lamp $l: {at: hall}}]", "gone", "together")
        + rule("assert note: {text: heard}", "[]", "heard", "x").replace("step: x", "after: {flipped $e: {}}")
        + rule("assert note: {text: after}", "[{no: {lamp: {at: hall}}}]", "late", "together")
    )
    session = played(tmp_path, rules, "joint")
    assert ["tried", "tried", "gone", "gone", "heard", "heard"] == fired(session)
    assert 2 == value(session, "keeper", "ann", "points")
    first, second = firings(session)[:2]
    assert first.changes == second.changes
    assert [("points", 0, 2)] == list(first.changes[0].fields())
    assert [1, 2] == [first.number, second.number]


def test_what_a_together_change_makes_eligible_waits_for_the_next_visit(tmp_path: Path) -> None:
    rules = rule("modify $l: {glow: plus 1}", "[{lamp $l: {glow: less than 3, at: hall}}]", step="together")
    assert 2 == value(played(tmp_path, rules, "joint"), "lamp", "a", "glow")


def test_together_begins_run_in_standing_order(tmp_path: Path) -> None:
    rules = rule(
        "begin more: {amount: $k.seat}; begin more: {amount: $k.seat * 10}", "[{keeper $k: {}}]", step="together"
    ) + rule("assert note: {text: ran, number: $m.amount}", "[{more $m: {}}]", "ran", "extra")
    assert [1, 10, 2, 20] == [number for _, number in notes(played(tmp_path, rules, "joint"))]


@pytest.mark.parametrize(
    ("then", "said"),
    [
        ("modify $l: {glow: plus 20}", "rule `tried`: `glow` of lamp `a`: 21 is more than 9"),
        ("modify $l: {glow: minus 2}", "rule `tried`: `glow` of lamp `a`: -1 is less than 0"),
        (
            "modify $l: {glow: 2}; modify $l: {glow: $l.glow + 2}",
            "rule `tried`: `glow` of lamp `a` is given two values in one change",
        ),
        ("modify $l: {glow: 2}; modify $l: {glow: plus 1}", "rule `tried`: `glow` of lamp `a` is given two values in one change"),
        (
            "modify $l: {marks: add red}; modify $l: {marks: remove red}",
            "rule `tried`: `marks` of lamp `a` is given two values in one change",
        ),
        ("modify $l: {glow: $l.owner.seat mod 0}", "rule `tried`: the remainder by 0 is nothing"),
        ("assert seal: {by: $c.owner, at: hall}", "rule `tried`: `by` of seal `none, hall` cannot be none"),
        ("assert note: {text: x, number: $c.owner.seat}", "rule `tried`: `number` of note `note-1` cannot be none"),
        ("retract $l; assert boost: {lamp: $l, amount: 1}", "rule `tried`: `lamp` of boost `boost-1`: no lamp `a` holds"),
        ("begin work: {amount: $c.owner.seat}", "rule `tried`: `amount` of work `work-2` cannot be none"),
        (
            "assert seal: {by: ann, at: hall, worth: 1}; assert seal: {by: ann, at: hall, worth: 2}",
            "rule `tried`: `worth` of seal `ann, hall` is given two values in one change",
        ),
        ("modify $l: {glow: plus $c.owner.seat}", "rule `tried`: `glow` of lamp `a` cannot be none"),
    ],
)
def test_what_cannot_be_carried_out_is_a_run_error(tmp_path: Path, then: str, said: str) -> None:
    session = opened(load(tmp_path, rule(then, "[{lamp $l: {id: a}}, {lamp $c: {id: c}}]")))
    before = list(session.memory)
    mark = session.mark()
    with pytest.raises(RunError) as error:
        session.begin([Call("work")])
    assert said == error.value.message
    assert "tried" == error.value.rule
    assert [] == list(session.trace.firings())
    assert session.trace is error.value.trace
    session.undo(mark)
    assert before == list(session.memory)


def test_writing_to_what_is_gone_is_a_run_error(tmp_path: Path) -> None:
    rules = rule("retract $l; emit flipped: {lamp: $l}") + rule("modify $x: {glow: 2}", "[]", "late").replace(
        "step: first", "after: {flipped $e: {lamp: $x}}"
    )
    with pytest.raises(RunError, match="rule `late`: lamp `a` is gone"):
        played(tmp_path, rules)


def test_in_a_together_change_two_values_for_one_field_are_a_run_error(tmp_path: Path) -> None:
    rules = rule("modify $r: {keeper: $l.owner}", "[{lamp $l: {at: $r}}, {room $r: {}}]", step="together")
    with pytest.raises(RunError, match="rule `tried`: `keeper` of room `hall` is given two values in one change"):
        played(tmp_path, rules, "joint")


def test_in_a_together_change_the_same_value_is_no_conflict(tmp_path: Path) -> None:
    rules = rule("modify $r: {heat: 4}; assert seal: {by: ann, at: $r}", "[{lamp $l: {at: $r}}, {room $r: {}}]", step="together")
    session = played(tmp_path, rules, "joint")
    assert ["tried", "tried"] == fired(session)
    assert all(2 == len(firing.changes) for firing in firings(session))


def test_facts_within_a_frame_go_with_it(tmp_path: Path) -> None:
    rules = rule("assert seal within $w: {by: ann, at: hall}", "[{work $w: {}}]") + rule(
        "assert note: {text: sealed}", "[{seal $s: {}}]", "seen", "second"
    )
    session = played(tmp_path, rules)
    assert [("sealed", 0)] == notes(session)
    assert 0 == session.memory.count("seal")


def test_a_field_set_in_a_frame_is_a_change_but_its_coming_is_none(tmp_path: Path) -> None:
    rules = rule("modify $w: {amount: 4}; begin more: {amount: 2}", "[{work $w: {}}]")
    (change,) = firings(played(tmp_path, rules))[0].changes
    assert isinstance(change, Change)
    assert (("amount", 0, 4),) == change.fields()


def test_what_a_card_does_begins_in_order(tmp_path: Path) -> None:
    rules = rule("begin each of $d.does", "[{do $d: {}}]", step="doing") + rule(
        "assert note: {text: ran, number: $m.amount}", "[{more $m: {}}]", "ran", "extra"
    )
    calls = (Call("more", (("amount", 2),)), Call("more"), Call("more", (("amount", 1),)))
    session = played(tmp_path, rules, "do", does=calls)
    assert [2, 0, 1] == [number for _, number in notes(session)]
    assert ("more-1", "more-2", "more-3") == firings(session)[0].begun


def test_what_is_due_already_is_not_due_twice(tmp_path: Path) -> None:
    rules = rule("due more: {amount: 1}; due more: {amount: 1}; due more", "[]") + rule(
        "assert note: {text: ran, number: $m.amount}", "[{more $m: {}}]", "ran", "extra"
    )
    session = played(tmp_path, rules + rule("due more: {amount: 1}", "[]", "again", "second"))
    assert ["tried", "ran", "ran"] == fired(session)
    assert ("more-1", "more-2") == firings(session)[0].due
    assert [1, 0] == [number for _, number in notes(session)]


def test_events_are_heard_after_the_whole_consequent(tmp_path: Path) -> None:
    rules = rule("emit rang: {number: 1}; modify $l: {glow: 8}; emit rang: {number: 2}") + rule(
        "assert note: {text: heard, number: $e.number}", "[{lamp: {glow: 8}}]", "heard"
    ).replace("step: first", "after: {rang $e: {}}")
    session = played(tmp_path, rules)
    assert [("heard", 1), ("heard", 2)] == notes(session)
    assert ["rang-1", "rang-2"] == [event.id for event in session.trace.events()]
    assert ["", "rang-1", "rang-2"] == [firing.event for firing in firings(session)]


def test_leave_ends_the_frame_and_all_above_it(tmp_path: Path) -> None:
    rules = (
        rule("begin more", "[{work $w: {amount: 0}}]")
        + rule("assert note within $m: {text: inside}", "[{more $m: {}}]", "inside", "extra")
        + rule("emit rang", "[{more $m: {}}]", "ring", "extra")
        + rule("leave $w", "[{work $w: {}}]", "out").replace("step: first", "after: {rang $e: {}}")
        + rule("assert note: {text: wrong}", "[]", "never", "second")
    )
    session = played(tmp_path, rules)
    assert ["tried", "inside", "ring", "out"] == fired(session)
    assert ("more-1", "work-1") == firings(session)[-1].left
    assert [] == notes(session)
    assert ["note note-1"] == [str(change.fact) for change in firings(session)[-1].changes]


def test_leaving_a_frame_that_is_due_drops_it(tmp_path: Path) -> None:
    rules = (
        rule("due chores", "[]")
        + rule("assert note within $c: {text: inside}", "[{chores $c: {}}, {work: {}}]", "inside", "second")
        + rule("leave $c", "[{chores $c: {}}, {work: {}}, {note: {}}]", "out", "second")
    )
    session = begun_session(tmp_path, rules)
    assert ["tried", "inside", "out"] == fired(session)
    assert [] == notes(session)


def begun_session(folder: Path, rules: str) -> Any:
    """The session after `work` has run."""
    session = opened(load(folder, rules))
    assert "idle" == begun(session, "work").kind
    return session


# ------------------------------------------------------------------------------------------------ names of new facts


def test_what_follows_an_assert_can_be_given_the_new_fact(tmp_path: Path) -> None:
    then = (
        "assert lamp $new: {at: hall}; assert boost: {lamp: $new, amount: 2}; emit flipped: {lamp: $new}; "
        "begin party: {}; due work: {amount: 3}"
    )
    heard = "- rule: heard\n  after: {flipped $f: {lamp: $x}}\n  when: [{lamp $x: {}}]\n  then:\n    - modify $x: {lit: true}\n"
    session = played(tmp_path, rule(then, when="[{work: {amount: 0}}]") + heard)
    first = firings(session)[0]
    assert [str(change.fact) for change in first.changes] == ["lamp lamp-1", "boost boost-1"]
    assert value(session, "boost", "boost-1", "lamp") == "lamp-1"
    assert first.emitted[0].values["lamp"] == "lamp-1"
    assert value(session, "lamp", "lamp-1", "lit") is True
    assert "new" not in dict(first.bindings)


def test_each_of_a_together_change_gives_its_own_new_fact(tmp_path: Path) -> None:
    then = "assert lamp $new: {at: $l.at, glow: $l.glow}; assert boost: {lamp: $new, amount: $l.glow}"
    session = played(tmp_path, rule(then, when="[{lamp $l: {at: hall}}]", step="together"), "joint")
    boosts = {fact.values["amount"]: fact.values["lamp"] for fact in session.memory.all("boost")}
    assert {amount: value(session, "lamp", lamp, "glow") for amount, lamp in boosts.items()} == {1: 1, 3: 3}


def test_a_new_fact_can_be_part_of_the_key_of_another(tmp_path: Path) -> None:
    then = "assert room $new: {}; assert seal $seal: {by: ann, at: $new}; begin party: {room: $new}"
    session = played(tmp_path, rule(then))
    assert value(session, "seal", "ann, room-1", "at") == "room-1"
    assert value(session, "party", "party-1", "room") == "room-1"


def test_a_name_is_also_that_of_a_fact_that_is_there(tmp_path: Path) -> None:
    then = "assert seal $seal: {by: ann, at: hall, worth: 4}; emit rang: {number: 1}"
    session = played(tmp_path, rule(then), given=house(seal={"ann, hall": {"by": "ann", "at": "hall"}}))
    assert value(session, "seal", "ann, hall", "worth") == 4


def test_a_new_fact_is_within_a_frame_by_its_name_too(tmp_path: Path) -> None:
    then = "assert lamp $new within $w: {at: hall}; assert boost: {lamp: $new, amount: 1}"
    session = played(tmp_path, rule(then, when="[{work $w: {}}]"))
    assert [fact.id for fact in session.memory.all("lamp")] == ["a", "b", "c"]
    assert list(session.memory.all("boost")) == []
