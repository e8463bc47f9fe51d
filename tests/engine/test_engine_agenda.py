"""What the agenda need not do: verdicts are kept until something they hang on changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from riftrules.engine import Session, compile_ruleset
from riftrules.engine.board import Board
from riftrules.engine.passes import Passes
from riftrules.facts.memory import Fact, WorkingMemory, Write
from riftrules.facts.types import Call, FieldShape, IntType, Shape
from riftrules.language.model import Ruleset
from tests.engine.houses import HOUSE, RULESET, facts, load, opened

RULES = """
- rule: warm
  step: second
  when:
    - room $r: {heat: more than 5}
  then:
    - modify $r: {heat: 5}
- rule: dark
  step: second
  when:
    - room $r: {keeper: $k}
    - dark-at: $r
  then:
    - assert note: {text: dark}
- rule: bright
  step: extra
  when:
    - more $m: {amount: $n}
    - lamp $l: {id: a}
  then:
    - modify $l: {glow: $n}
"""


def counted(session: Session) -> Counter[str]:
    """How often each rule's verdict is made from now on: what is counted are calls of the functions made for the rules."""
    found: Counter[str] = Counter()

    def counting(rule: str, function: Callable[[Board], Any]) -> Callable[[Board], Any]:
        def counts(board: Board) -> Any:
            found[rule] += 1
            return function(board)

        return counts

    for production in session.program.productions:
        function = production._function("act", session._cycle.board)
        for key in [key for key, one in production._functions.items() if one is function]:
            production._functions[key] = counting(production.rule.id, function)
    return found


def test_a_verdict_is_kept_until_a_field_it_reads_changes(tmp_path: Path) -> None:
    ruleset = load(tmp_path, RULES)
    session = Session(compile_ruleset(ruleset), facts(ruleset, HOUSE))
    verdicts = counted(session)
    for _ in range(5):
        session.begin([Call("again")])
    assert Counter(warm=1, dark=1) == verdicts
    session.begin([Call("more", (("amount", 7),)), Call("again")])
    assert Counter(warm=1, dark=1, bright=2) == verdicts


def test_a_mark_is_gone_back_to_with_the_verdicts_of_then(tmp_path: Path) -> None:
    ruleset = load(tmp_path, RULES)
    session = Session(compile_ruleset(ruleset), facts(ruleset, HOUSE))
    mark = session.mark()
    session.begin([Call("more", (("amount", 7),))])
    first = session.trace.lines()
    session.undo(mark)
    assert not session.trace.entries
    session.begin([Call("more", (("amount", 7),))])
    assert first == session.trace.lines()
    session.undo(mark)
    session.begin([Call("more", (("amount", 1),))])
    assert not session.trace.lines().count("firing")


def engine(ruleset: Ruleset) -> Session:
    return Session(compile_ruleset(ruleset), facts(ruleset, HOUSE))


@pytest.mark.parametrize("open_session", [engine, opened])
def test_a_mark_behind_which_the_session_has_gone_back_is_refused(tmp_path: Path, open_session: Callable[[Ruleset], Any]) -> None:
    session = open_session(load(tmp_path, RULES))
    first = session.mark()
    session.begin([Call("more", (("amount", 7),))])
    second = session.mark()
    session.undo(second)
    session.undo(first)
    with pytest.raises(ValueError, match="gone back behind"):
        session.undo(second)
    session.begin([Call("more", (("amount", 7),))])
    with pytest.raises(ValueError, match="gone back behind"):
        session.undo(second)
    session.undo(first)
    assert not session.trace.entries


def test_a_configuration_is_found_again_whatever_happened_in_between() -> None:
    memory = WorkingMemory({"lamp": Shape("lamp", {"glow": FieldShape(IntType())})})
    passes = Passes()

    def glow(number: int) -> None:
        memory.put(Fact("lamp", "a", {"glow": number}))

    glow(1)
    assert passes.begin(memory.log, 0, "here") is None
    glow(2)
    assert passes.begin(memory.log, 1, "here") is None
    glow(3)
    memory.put(Fact("lamp", "b", {"glow": 1}))
    memory.remove("lamp", "b")
    copied = passes.copy()
    glow(2)
    assert passes.begin(memory.log, 3, "elsewhere") is None
    assert passes.begin(memory.log, 3, "here") == 1
    glow(1)
    assert copied.begin(memory.log, 4, "here") == 0
    assert all(isinstance(write, Write) for write in memory.log)


GATED = """
- rule: of-a-team
  step: second
  when:
    - keeper $k: {team: red}
    - room $r: {heat: more than 3}
  then:
    - modify $r: {heat: 3}
- rule: joins-the-team
  step: extra
  when:
    - more $m: {amount: $n}
    - keeper $k: {points: $n}
  then:
    - modify $k: {team: red}
- rule: leaves-the-team
  step: first
  when:
    - work $w: {amount: 9}
    - keeper $k: {team: red}
  then:
    - modify $k: {team: blue}
- rule: heats
  step: extra
  when:
    - more: {}
    - room $r: {heat: less than 9}
  then:
    - modify $r: {heat: 9}
"""


def test_a_rule_of_what_nobody_has_is_not_looked_at_until_somebody_has_it(tmp_path: Path) -> None:
    ruleset = load(tmp_path, GATED)
    session = Session(compile_ruleset(ruleset), facts(ruleset, HOUSE))
    verdicts = counted(session)
    mark = session.mark()
    session.begin([Call("more", (("amount", -1),)), Call("again")])
    assert not verdicts["of-a-team"]
    session.begin([Call("more", (("amount", 0),)), Call("again")])
    looked = verdicts["of-a-team"]
    assert looked
    assert "of-a-team" in [firing.rule for firing in session.trace.firings()]
    session.undo(mark)
    session.begin([Call("again")])
    assert verdicts["of-a-team"] == looked
    session.begin([Call("more", (("amount", 0),)), Call("work", (("amount", 9),)), Call("again")])
    assert [firing.rule for firing in session.trace.firings()].count("leaves-the-team") == 2
    assert verdicts["of-a-team"] == looked


SHARED = """
- rule: glows
  step: first
  when:
    - work $w: {amount: 1}
    - lamp $l: {id: a}
  then:
    - modify $l: {glow: 7}
- rule: does-chores
  step: second
  when:
    - work $w: {amount: 2}
    - keeper $k: {id: ann, points: 0}
  then:
    - modify $k: {points: 1}
    - begin chores: {}
"""


@pytest.mark.parametrize("matcher", ["demand", "network"])
def test_what_a_rule_has_in_one_frame_says_nothing_of_another_procedure_with_the_same_step(tmp_path: Path, matcher: str) -> None:
    ruleset = load(tmp_path, SHARED)
    works = [Call("work", (("amount", 2),)), Call("work", (("amount", 1),))]
    reference = opened(ruleset)
    reference.begin(works)
    with Session(compile_ruleset(ruleset), facts(ruleset, HOUSE), matcher=matcher) as session:
        session.begin(works)
        assert [firing.rule for firing in session.trace.firings()] == ["does-chores", "glows"]
        assert session.trace.lines() == reference.trace.lines()


DUE_BETWEEN = """
- rule: tail-sees-what-it-follows
  step: tailing
  when:
    - whole: {}
  then:
    - assert note: {text: within}
- rule: never-in-the-part
  step: in-part
  when:
    - room: {heat: 9}
  then:
    - assert note: {text: part}
- rule: never-at-last
  step: at-last
  when:
    - room: {heat: 9}
  then:
    - assert note: {text: last}
"""
WITH_A_TAIL = RULESET.replace(
    "procedures:\n",
    "procedures:\n"
    "  whole: {yields: true, steps: [part, at-last]}\n"
    "  part: {yields: true, steps: [in-part], then: tail}\n"
    "  tail: {steps: [tailing]}\n",
)


@pytest.mark.parametrize("matcher", ["demand", "network"])
def test_what_is_due_runs_before_the_steps_that_are_passed_over(tmp_path: Path, matcher: str) -> None:
    ruleset = load(tmp_path, DUE_BETWEEN, ruleset=WITH_A_TAIL)
    reference = opened(ruleset)
    reference.begin([Call("whole")])
    with Session(compile_ruleset(ruleset), facts(ruleset, HOUSE), matcher=matcher) as session:
        session.begin([Call("whole")])
        assert [firing.rule for firing in session.trace.firings()] == ["tail-sees-what-it-follows"]
        assert session.trace.lines() == reference.trace.lines()
