"""What the reference says of conditions, tests and expressions."""

from __future__ import annotations

from pathlib import Path

import pytest

from riftrules.facts.types import Value
from tests.engine.houses import HOUSE, bound, fired, firings, house, notes, played


def matched(folder: Path, when: str, given: object = HOUSE, variable: str = "l", procedure: str = "work") -> list[Value]:
    """The values of a variable for which these conditions hold, in standing order."""
    lines = "\n".join(f"    {line}" for line in when.strip("\n").splitlines())
    rules = f"- rule: tried\n  step: first\n  when:\n{lines}\n  then:\n    - assert note: {{text: found, number: 1}}\n"
    session = played(folder, rules, procedure, given)  # type: ignore[arg-type]
    return bound(session, variable) if variable else [len(firings(session))]


LAMPS = house(
    lamp={
        "a": {"at": "hall", "owner": "ann", "glow": 1, "marks": frozenset({"red"}), "fans": frozenset({"ann", "bob"})},
        "b": {"at": "hall", "owner": "bob", "glow": 3, "lit": True, "queue": ("bob", "ann", "bob")},
        "c": {"at": "store", "glow": 5, "votes": (("ann", 2), ("bob", 5))},
    },
    boost={"boost-1": {"lamp": "b", "amount": 2}, "boost-2": {"lamp": "b", "amount": 4}, "boost-3": {"lamp": "a", "amount": 9}},
)


@pytest.mark.parametrize(
    ("tests", "found"),
    [
        ("{}", ["a", "b", "c"]),
        ("{at: hall}", ["a", "b"]),
        ("{at: not hall}", ["c"]),
        ("{owner: none}", ["c"]),
        ("{owner: some}", ["a", "b"]),
        ("{owner: not none}", ["a", "b"]),
        ("{owner: ann}", ["a"]),
        ("{owner: not ann}", ["b", "c"]),
        ("{lit: true}", ["b"]),
        ("{glow: at least 3}", ["b", "c"]),
        ("{glow: at most 3}", ["a", "b"]),
        ("{glow: more than 3}", ["c"]),
        ("{glow: less than 3}", ["a"]),
        ("{glow: 1 or at least 5}", ["a", "c"]),
        ("{glow: not at least 3}", ["a"]),
        ("{glow: $settings.target}", ["b"]),
        ("{glow: $settings.target + 2}", ["c"]),
        ("{glow: more than $settings.target * 2 - 2}", ["c"]),
        ("{marks: has red}", ["a"]),
        ("{fans: has bob}", ["a"]),
        ("{queue: has bob}", ["b"]),
        ("{votes: has ann}", ["c"]),
        ("{votes: not has ann}", ["a", "b"]),
        ("{id: b or c}", ["b", "c"]),
        ("{shine: 9}", ["b"]),
        ("{shine: 0}", ["a", "c"]),
        ("{twice: 18}", ["b"]),
        ("{owner: $turn.keeper}", ["a"]),
    ],
)
def test_a_pattern_ranges_over_the_facts_that_pass_its_tests(tmp_path: Path, tests: str, found: list[str]) -> None:
    assert found == matched(tmp_path, f"- lamp $l: {tests}", LAMPS)


@pytest.mark.parametrize(
    ("conditions", "found"),
    [
        ("- keeper $k: {}\n- lamp $l: {owner: $k}", ["a", "b"]),
        ("- lamp $l: {owner: $k}\n- keeper $k: {}", ["a", "b"]),
        ("- lamp $l: {at: $r}\n- lamp $m: {at: $r, id: not $l}", ["a", "b"]),
        ("- lamp $l: {glow: $n}\n- keeper $k: {seat: $n}", ["a"]),
        ("- lamp $l: {owner: $k}\n- keeper: {id: $k, seat: 2}", ["b"]),
        ("- lamp $l: {glow: less than $m.glow}\n- lamp $m: {glow: more than $l.glow, at: store}", ["a", "b"]),
        ("- lamp $l: {}\n- where: $l.owner.seat is 1", ["a"]),
        ("- lamp $l: {}\n- where: $l.owner.seat is none", ["c"]),
        ("- lamp $l: {}\n- where: $l.glow is not at least 3", ["a"]),
        ("- lamp $l: {}\n- no: {boost: {lamp: $l}}", ["c"]),
        ("- lamp $l: {}\n- some: {boost: {lamp: $l, amount: more than 4}}", ["a"]),
        ("- lamp $l: {}\n- no:\n    - boost $b: {lamp: $l}\n    - where: $b.amount less than 9", ["a", "c"]),
        ("- lamp $l: {}\n- every: {boost $b: {lamp: $l}}\n  has: [{where: $b.amount more than 3}]", ["a", "c"]),
        ("- lamp $l: {}\n- count: {boost: {lamp: $l}}\n  as: $n\n- where: $n at least 2", ["b"]),
        ("- lamp $l: {}\n- sum: $b.amount\n  over: {boost $b: {lamp: $l}}\n  as: $n\n- where: $n is 6", ["b"]),
        ("- lamp $l: {}\n- sum: $b.amount\n  over: {boost $b: {lamp: $l}}\n  as: $n\n- where: $n is 0", ["c"]),
        ("- lamp $l: {}\n- where: $l.votes at bob is 5", ["c"]),
        ("- lamp $l: {}\n- where: greater of $l.glow and 2 is 2", ["a"]),
        ("- lamp $l: {}\n- where: lesser of $l.glow and 2 is 1", ["a"]),
        ("- lamp $l: {}\n- where: $l.glow mod 3 is 2", ["c"]),
        ("- lamp $l: {}\n- where: $l.glow mod 0 is none", ["a", "b", "c"]),
        ("- lamp $l: {}\n- where: $l.owner.seat + 1 is none", ["c"]),
        ("- lamp $l: {}\n- where: $l.owner else ann is ann", ["a", "c"]),
        ("- lamp $l: {}\n- where: $turn.keeper is $l.owner", ["a"]),
        ("- lamp $l: {}\n- keeper $k: {id: in $l.fans}", ["a", "a"]),
        ("- lamp $l: {}\n- keeper $k: {id: in $l.votes}", ["c", "c"]),
        ("- lamp $l: {}\n- each: $l.queue\n  as: $k", ["b", "b"]),
        ("- lamp $l: {}\n- each: $l.votes\n  as: [$k, $n]\n- where: $n more than 2", ["c"]),
        ("- lamp $l: {at: $r}\n- no: {dark-at: $r}", ["a", "b"]),
        ("- lamp $l: {}\n- neighbours: [$l, b]", ["a", "b"]),
        ("- lamp $l: {}\n- no: night", ["a", "b", "c"]),
        ("- lamp $l: {}\n- night", []),
    ],
)
def test_conditions_join(tmp_path: Path, conditions: str, found: list[str]) -> None:
    assert found == sorted(matched(tmp_path, conditions, LAMPS))


def test_an_unnamed_pattern_only_tests(tmp_path: Path) -> None:
    assert [1] == matched(tmp_path, "- lamp: {at: hall}", LAMPS, variable="")


def test_a_bare_variable_found_only_in_an_unnamed_pattern_ties_its_own_fields(tmp_path: Path) -> None:
    twins = house(seal={"ann, hall": {"by": "ann", "at": "hall"}})
    lamps = house(lamp={"a": {"at": "hall", "owner": "ann", "fans": frozenset()}})
    assert [1] == matched(tmp_path / "1", "- seal: {by: $x, at: $y}", twins, variable="")
    assert [] == [n for n in matched(tmp_path / "2", "- keeper: {id: $x, team: not $x}", lamps, variable="") if n]


def test_a_rule_of_only_negations_fires_once_on_an_empty_board(tmp_path: Path) -> None:
    assert [1] == matched(tmp_path, "- no: {lamp: {}}\n- no: {keeper: {}}", {}, variable="")


def test_two_quantifiers_may_each_have_a_variable_of_the_same_name(tmp_path: Path) -> None:
    conditions = """\
- sum: $u.glow
  over: {lamp $u: {at: hall}}
  as: $n
- sum: $u.amount
  over: {boost $u: {}}
  as: $m
"""
    assert [4] == matched(tmp_path / "n", conditions, LAMPS, variable="n")
    assert [15] == matched(tmp_path / "m", conditions, LAMPS, variable="m")


def test_count_counts_each_combination(tmp_path: Path) -> None:
    body = "- count:\n    - lamp $l: {}\n    - keeper $k: {}\n  as: $n"
    assert [6] == matched(tmp_path, body, LAMPS, variable="n")


def test_count_without_anything_that_ranges_is_nothing_or_one(tmp_path: Path) -> None:
    body = "- count:\n    - lamp: {}\n    - keeper: {}\n  as: $n"
    assert [1] == matched(tmp_path, body, LAMPS, variable="n")


def test_a_doubled_item_of_a_list_counts_once(tmp_path: Path) -> None:
    body = "- lamp $l: {id: b}\n- count:\n    - each: $l.queue\n      as: $k\n  as: $n"
    assert [2] == matched(tmp_path, body, LAMPS, variable="n")


def test_a_count_may_feed_a_pattern(tmp_path: Path) -> None:
    body = "- count: {keeper: {}}\n  as: $n\n- keeper $k: {seat: 2 mod $n + 1}"
    assert ["ann"] == matched(tmp_path, body, LAMPS, variable="k")


def test_two_sums_bound_to_one_variable_must_agree(tmp_path: Path) -> None:
    body = "- count: {keeper: {}}\n  as: $n\n- count: {room: {}}\n  as: $n"
    assert [2] == matched(tmp_path, body, LAMPS, variable="n")


def test_every_over_nothing_is_true(tmp_path: Path) -> None:
    body = "- every: {seal: {by: $p, at: $r}}\n  has: [{lamp: {at: $r}}]"
    assert [1] == matched(tmp_path / "none", body, LAMPS, variable="")
    sealed = {**LAMPS, "seal": {"ann, attic": {"by": "ann", "at": "attic"}}}
    assert [0] == matched(tmp_path / "one", body, sealed, variable="")


def test_a_rule_that_reads_a_missing_singleton_does_not_match(tmp_path: Path) -> None:
    assert [0] == matched(
        tmp_path / "1", "- keeper: {}\n- where: $turn.keeper is none", house(turn={"keeper": "ann"}), variable=""
    )
    given = {key: facts for key, facts in LAMPS.items() if key != "turn"}
    assert [0] == matched(tmp_path / "2", "- keeper: {}\n- where: $turn.keeper is none", given, variable="")
    assert [0] == matched(tmp_path / "3", "- no: {lamp: {owner: $turn.keeper, glow: 9}}", given, variable="")


def test_a_pattern_in_a_step_matches_only_the_frame_that_runs(tmp_path: Path) -> None:
    rules = """
    - rule: another
      step: first
      when: [{work $w: {amount: 1}}]
      then:
        - begin work: {amount: 2}
    - rule: look
      step: second
      when: [{work $w: {amount: $n}}]
      then:
        - assert note: {text: seen, number: $n}
    """
    session = played(tmp_path, rules, amount=1)
    assert [("seen", 2), ("seen", 1)] == notes(session)


def test_a_pattern_over_another_procedure_finds_all_its_frames(tmp_path: Path) -> None:
    rules = """
    - rule: more-later
      step: first
      when: [{work: {}}]
      then:
        - due more: {amount: 5}
        - due more: {amount: 7}
    - rule: look
      step: second
      when: [{more $m: {amount: $n}}]
      then:
        - assert note: {text: seen, number: $n}
    """
    assert [("seen", 5), ("seen", 7)] == notes(played(tmp_path, rules))


def test_a_path_through_what_is_gone_reads_its_last_values(tmp_path: Path) -> None:
    rules = """
    - rule: break
      step: first
      when: [{lamp $l: {at: hall}}]
      then:
        - retract $l
        - emit flipped: {lamp: $l, by: $l.owner}
    - rule: mourn
      after: {flipped $e: {}}
      when: [{where: $e.lamp.glow at least 3}]
      then:
        - assert note: {text: $e.by.team, number: $e.lamp.glow}
    - rule: never
      after: {flipped: {lamp: $l}}
      when: [{lamp $l: {}}]
      then: [{assert note: {text: wrong}}]
    """
    assert [("bob", 3)] == notes(played(tmp_path, rules))


def test_standing_is_salience_then_declaration_then_ids(tmp_path: Path) -> None:
    rules = """
    - rule: late
      step: first
      salience: -1
      then: [{assert note: {text: late}}]
    - rule: by-id
      step: first
      when: [{lamp $l: {}}]
      then:
        - assert note: {text: $l.id}
    - rule: after-it
      step: first
      then: [{assert note: {text: after}}]
    - rule: early
      step: first
      salience: 5
      then: [{assert note: {text: early}}]
    """
    lamps = {"lamp-10": {"at": "hall"}, "lamp-9": {"at": "hall"}}
    session = played(tmp_path, rules, given=house(lamp=lamps))
    assert ["early", "lamp-9", "lamp-10", "after", "late"] == [text for text, _ in notes(session)]


def test_the_trace_holds_bindings_matched_facts_and_reads(tmp_path: Path) -> None:
    rules = """
    - rule: glow-up
      step: first
      when:
        - lamp $l: {at: hall, owner: $k, glow: $n}
        - where: $k.seat is 2
      then:
        - modify $l: {glow: $n + $settings.target}
    """
    (firing,) = firings(played(tmp_path, rules))
    assert (("k", "bob"), ("l", "b"), ("n", 3)) == firing.bindings
    assert (("lamp", "b"),) == firing.matched
    assert ("keeper", "bob", "seat") in firing.reads
    assert ("lamp", "b", "glow") in firing.reads
    assert [("lamp b", (("glow", 3, 6),))] == [(str(change.fact), change.fields()) for change in firing.changes]
    assert ("work-1", "first", 1, 1) == (firing.frame, firing.step, firing.pass_number, firing.number)
    assert ["glow-up"] == fired(played(tmp_path, rules))
