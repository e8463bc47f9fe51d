"""What is joined ahead of time: the same activations by the match network, on demand, and by the reference."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from riftrules.engine import Session, compile_ruleset
from riftrules.engine.reference import Session as Reference
from riftrules.errors import EngineError
from riftrules.facts.types import Call
from tests.engine.houses import HOUSE, facts, load
from tests.engine.random_games import board

JOINED = {
    "order, told at the earlier pattern": """
        - lamp $l: {at: $r, glow: more than $m.glow}
        - lamp $m: {at: $r}""",
    "order, told at the later pattern": """
        - lamp $l: {at: $r}
        - lamp $m: {at: $r, glow: at most $l.glow}""",
    "a number more": """
        - lamp $l: {glow: $m.glow + 1, at: $r}
        - lamp $m: {at: $r}""",
    "a number less, and not the same fact": """
        - lamp $l: {at: $r, id: not $m}
        - lamp $m: {at: $r, glow: less than $l.glow - 1}""",
    "none equals none": """
        - lamp $l: {owner: $m.owner, at: $m.at}
        - lamp $m: {id: not $l}""",
    "a bare variable is never none": """
        - lamp $l: {owner: $k, lit: true}
        - lamp $m: {owner: $k, lit: false}""",
    "a variable that the frame binds too": """
        - lamp $l: {owner: $k, at: $r}
        - room $r: {keeper: $k}""",
    "a variable twice in one pattern": """
        - seal $s: {at: $r, worth: $n}
        - lamp $l: {at: $r, glow: $n}
        - room $r: {heat: $n}""",
    "a chain of four": """
        - keeper $o: {points: at least $q.points}
        - room $r: {keeper: $o}
        - lamp $l: {at: $r, owner: $q}
        - keeper $q: {id: not $o}""",
    "facts that nothing links": """
        - room $r: {heat: $n}
        - lamp $l: {glow: $n, at: $r}
        - keeper $q: {points: 1}
        - boost $b: {amount: less than $q.points}""",
    "a derived field binds what a stored one is": """
        - lamp $l: {twice: $n, at: $r}
        - boost $b: {lamp: $l, amount: $n}
        - room $r: {}""",
    "derived fields and sets are left to the conditions": """
        - lamp $l: {shine: more than $m.glow, fans: has $q, at: $r}
        - lamp $m: {at: $r, marks: has red}
        - keeper $q: {id: $m.owner}""",
}


def rule(conditions: str) -> str:
    """A rule over these conditions that changes what they match."""
    return f"""
    - rule: joined
      step: first
      when:
        - work $w: {{by: $k}}{conditions}
      then:
        - modify $r: {{heat: plus 1}}
        - assert note: {{text: tea}}
    - rule: moves
      step: second
      when:
        - lamp $l: {{glow: $n}}
      choose: {{by: $turn.keeper, one: $l}}
      then:
        - modify $l: {{at: attic, glow: plus 1, owner: $turn.keeper}}
    """.replace("modify $r: {heat: plus 1}" if "$r" not in conditions else "\0", "assert note: {text: red}")


def run(session: Any) -> list[object]:
    """The same calls on each session, and back to the middle once."""
    found: list[object] = []
    middle: Any = None
    for number in range(4):
        keeper = ("ann", "bob")[number % 2]
        try:
            found.append(session.begin([Call("work", (("by", keeper),))]))
            while session.waiting.choice is not None:
                found.append(session.choose(session.waiting.choice.options[number % len(session.waiting.choice.options)]))
        except Exception as error:  # noqa: BLE001 - an error is an outcome
            found.append(str(error))
            break
        if number == 1:
            middle = session.mark()
        if number == 2:
            found.append(session.trace.lines())
            session.undo(middle)
    return [*found, session.trace.lines(), list(session.memory)]


@pytest.mark.parametrize("conditions", JOINED.values(), ids=JOINED)
def test_joins_are_those_of_the_reference(tmp_path: Path, conditions: str) -> None:
    ruleset = load(tmp_path, rule(conditions))
    program = compile_ruleset(ruleset)
    assert ["joined"] == [plan.rule for plan in program.joins][:1]
    fired = 0
    for seed in range(25):
        given = {"turn": {"keeper": "ann"}, **board(Random(seed))}
        expected = run(Reference(ruleset, facts(ruleset, given)))
        fired += str(expected).count('"joined"')
        assert expected == run(Session(program, facts(ruleset, given), matcher="demand"))
        with Session(program, facts(ruleset, given)) as session:
            assert expected == run(session)
    assert fired


def test_a_matcher_that_is_not_there(tmp_path: Path) -> None:
    program = compile_ruleset(load(tmp_path, rule(JOINED["a number more"])))
    with pytest.raises(ValueError, match="`oracle` is no matcher: `network` and `demand` are"):
        Session(program, (), matcher="oracle")


def test_a_closed_session_can_do_nothing_more(tmp_path: Path) -> None:
    ruleset = load(tmp_path, rule(JOINED["a number more"]))
    session = Session(ruleset, facts(ruleset, HOUSE))
    run(session)
    session.close()
    session.close()
    with pytest.raises(EngineError, match="the match network of this session is closed"):
        session.begin([Call("work", (("by", "ann"),))])


def test_sessions_of_one_program_never_touch(tmp_path: Path) -> None:
    ruleset = load(tmp_path, rule(JOINED["order, told at the earlier pattern"]))
    program = compile_ruleset(ruleset)
    one, other = (Session(program, facts(ruleset, HOUSE)) for _ in range(2))
    one.begin([Call("work", (("by", "ann"),))])
    assert not other.trace.entries
    other.begin([Call("work", (("by", "ann"),))])
    assert one.trace.lines() == other.trace.lines()
    del one
    third = Session(program, facts(ruleset, HOUSE))
    third.begin([Call("work", (("by", "ann"),))])
    assert third.trace.lines() == other.trace.lines()


def test_nothing_is_sent_for_a_join_that_nobody_has_wanted(tmp_path: Path) -> None:
    ruleset = load(
        tmp_path,
        """
- rule: pairs-of-a-team
  step: second
  when:
    - keeper $k: {team: red}
    - lamp $l: {at: $r}
    - lamp $m: {at: $r, glow: less than $l.glow}
  then:
    - modify $m: {glow: $l.glow}
- rule: pairs-of-a-room
  step: first
  when:
    - lamp $l: {at: $r, lit: true}
    - lamp $m: {at: $r, glow: more than $l.glow}
  then:
    - modify $m: {lit: true}
- rule: joins
  step: extra
  when:
    - more: {}
    - keeper $k: {}
  then:
    - modify $k: {team: red}
""",
    )
    session = Session(compile_ruleset(ruleset), facts(ruleset, HOUSE))
    session.begin([Call("again")])
    first = set(session._matcher._joined)  # type: ignore[attr-defined]
    assert len(first) == 1
    session.begin([Call("more"), Call("again")])
    assert first < session._matcher._joined  # type: ignore[attr-defined]
    assert session._matcher._sent  # type: ignore[attr-defined]
    assert [firing.rule for firing in session.trace.firings()].count("pairs-of-a-team") == 1
