"""Measures the engine, and others on the same boards, all of which come to the same: that is asserted first.

`pytest tests/benchmarks --benchmark-only` prints the table. CLIPS, experta and the program by hand hold only the rules
of this decision; riftrules has the whole ruleset. No time is asserted.
"""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import time
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import pytest

from riftrules.analysis.proof.proving import Proving
from riftrules.engine import Session, compile_ruleset
from riftrules.engine.reference import Session as ReferenceSession
from riftrules.language.loader import load_ruleset
from tests.benchmarks.boards import Board, some_boards, teaching_board
from tests.benchmarks.growth import grown
from tests.benchmarks.memory import resident
from tests.benchmarks.on_riftrules import RULESET, OnRiftrules, facts_of, riftbound
from tests.benchmarks.subjects import BY_HAND, CLIPS, CLIPS_BLIND, DEMAND, EXPERTA, MAKERS, NETWORK, REFERENCE, installed

SLOW = {REFERENCE, EXPERTA}
SCENARIOS = int(os.environ.get("RIFTRULES_SCENARIOS", "10000"))
"""Fewer are for a quick look."""


def measures(group: str) -> pytest.MarkDecorator:
    """What is measured is the time of the processor: what else the machine does matters less."""
    return pytest.mark.benchmark(group=group, timer=time.process_time)


everybody = pytest.mark.parametrize("name", installed())


@pytest.fixture(scope="module")
def agreed() -> None:
    """All come to the same on many boards: board, points and the order of firings."""
    for number, board in enumerate((teaching_board(), teaching_board(100), *some_boards(200))):
        outcomes = {name: played(name, board) for name in installed() if name not in SLOW or number < 12}
        assert all(outcome == outcomes[BY_HAND] for outcome in outcomes.values()), board


def played(name: str, board: Board) -> Any:
    subject = MAKERS[name](board)
    try:
        subject.decide()
        return subject.outcome()
    finally:
        subject.close_session()


def test_all_come_to_the_same_on_some_boards() -> None:
    for board in (teaching_board(), *some_boards(20, seed=2)):
        outcomes = {name: played(name, board) for name in installed()}
        assert outcomes == dict.fromkeys(outcomes, outcomes[BY_HAND])


# ------------------------------------------------------------------------------------------------ one decision


@measures("one decision: move, showdown, conquest, cleanups")
@everybody
def test_one_decision(name: str, benchmark: Any, agreed: None) -> None:
    subject = MAKERS[name](teaching_board())
    _decide(benchmark, subject, rounds=30 if name in SLOW else 400)
    benchmark.extra_info["subject"] = name


def _decide(benchmark: Any, subject: Any, rounds: int) -> None:
    gc.collect()
    benchmark.pedantic(subject.decide, setup=subject.reset, rounds=rounds, iterations=1, warmup_rounds=3)
    subject.close_session()


@measures("an empty cleanup")
@everybody
def test_an_empty_cleanup(name: str, benchmark: Any, agreed: None) -> None:
    subject = MAKERS[name](teaching_board())
    if name == CLIPS:
        pytest.skip("nothing is read back")
    subject.decide()  # so that nothing more comes of a cleanup
    benchmark.pedantic(subject.cleanup, rounds=30 if name in SLOW else 1000, iterations=1, warmup_rounds=3)
    subject.close_session()
    benchmark.extra_info["subject"] = name


# ------------------------------------------------------------------------------------------------ load and compile


@measures("load and compile the rules")
@pytest.mark.parametrize("what", [NETWORK, "loading alone", "compiling alone", CLIPS, EXPERTA])
def test_load_and_compile(what: str, benchmark: Any) -> None:
    if what in {CLIPS, EXPERTA} and what not in installed():
        pytest.skip("not installed")
    benchmark.pedantic(_loading(what), rounds=8, iterations=1, warmup_rounds=1)
    benchmark.extra_info["subject"] = what


def _loading(what: str) -> Any:
    if what == CLIPS:
        from tests.benchmarks.on_clips import environment

        return environment
    if what == EXPERTA:
        from tests.benchmarks.on_experta import Teaching

        return Teaching
    if what == "compiling alone":
        return lambda: compile_ruleset(riftbound())
    return (lambda: load_ruleset(RULESET)) if what == "loading alone" else (lambda: compile_ruleset(load_ruleset(RULESET)))


# ------------------------------------------------------------------------------------------------ many scenarios


@measures(f"{SCENARIOS:,} scenarios: each opened, decided, closed (times are of one)")
@everybody
def test_ten_thousand_scenarios(name: str, benchmark: Any, agreed: None) -> None:
    count = {REFERENCE: SCENARIOS // 50, EXPERTA: SCENARIOS // 200}.get(name, SCENARIOS)
    boards = [(board, facts_of(board, riftbound())) for board in some_boards(200)]
    played_boards = list(islice(cycle(boards), count))
    _play_all(name, played_boards[: count // 10])
    before = resident()
    benchmark.pedantic(_play_all, (name, played_boards), rounds=1, iterations=1)
    grew = (resident() - before) / 2**20
    benchmark.extra_info.update(subject=name, each=count, note=f"{count:,} played; memory grew by {grew:.1f} MB after a tenth")


def _play_all(name: str, boards: list[Any]) -> None:
    make: Any = MAKERS[name]
    if name in {CLIPS, CLIPS_BLIND}:
        from tests.benchmarks.on_clips import OnClips, environment

        make = partial(OnClips, reads=name == CLIPS, built=environment())
    for board, facts in boards:
        subject = OnRiftrules(board, name, facts=facts) if name in {NETWORK, DEMAND, REFERENCE} else make(board)
        subject.decide()
        subject.close_session()


# ------------------------------------------------------------------------------------------------ growth


@measures("growth with units: one decision")
@pytest.mark.parametrize("units", [10, 100, 1000])
@pytest.mark.parametrize("name", [name for name in installed() if name not in {EXPERTA, CLIPS}])
def test_growth_with_units(name: str, units: int, benchmark: Any, agreed: None) -> None:
    if name == REFERENCE and units > 100:
        pytest.skip("the reference tries every combination")
    _decide(benchmark, MAKERS[name](teaching_board(units)), rounds=3 if name in SLOW else 1000 // units + 20)
    benchmark.extra_info["subject"] = f"{name}, {units} units" if units != 10 or name != NETWORK else NETWORK


@measures("growth with rules that do not apply: one decision")
@pytest.mark.parametrize("rules", [50, 160, 500])
@pytest.mark.parametrize("name", [name for name in installed() if name in {NETWORK, DEMAND, CLIPS_BLIND}])
def test_growth_with_rules(name: str, rules: int, benchmark: Any, agreed: None) -> None:
    board = teaching_board()
    if name == CLIPS_BLIND:
        from tests.benchmarks.on_clips import OnClips, environment, inert

        subject: Any = OnClips(board, reads=False, built=environment("\n\n".join(inert(number) for number in range(rules))))
    else:
        subject = OnRiftrules(board, name, grown(rules))
    subject.decide()
    assert subject.outcome() == played(BY_HAND, board)
    _decide(benchmark, subject, rounds=200)
    benchmark.extra_info["subject"] = f"{name}, {rules} more" if rules != 50 or name != NETWORK else NETWORK


# ------------------------------------------------------------------------------------------------ states


@measures("states: every legal request, three deep, each undone (times are of one)")
@pytest.mark.parametrize("name", [NETWORK, DEMAND, REFERENCE])
def test_states(name: str, benchmark: Any, agreed: None) -> None:
    facts = facts_of(teaching_board(4), riftbound())
    session: Any = ReferenceSession(riftbound(), facts) if name == REFERENCE else Session(riftbound(), facts, matcher=name)
    depth = 2 if name == REFERENCE else 3
    count = states(session, depth)
    benchmark.pedantic(states, (session, depth), rounds=1 if name == REFERENCE else 3, iterations=1)
    benchmark.extra_info.update(subject=name, each=count, note=f"{count:,} states")


def states(session: Any, depth: int) -> int:
    """How many boards come of the legal requests, and of theirs, with moves and passes alone."""
    if depth == 0:
        return 1
    found = 1
    for name, fields in list(session.legal()):
        if name in {"move", "pass"}:
            mark = session.mark()
            session.request(name, fields)
            found += states(session, depth - 1)
            session.undo(mark)
    return found


@measures("prove, scope smoke, one process (times are of one state)")
def test_proving(benchmark: Any) -> None:
    proof = Proving(riftbound(), riftbound().scopes["smoke"]).run()
    assert proof.proved
    benchmark.pedantic(lambda: Proving(riftbound(), riftbound().scopes["smoke"]).run(), rounds=3, iterations=1)
    note = f"{proof.states:,} states, {proof.transitions:,} transitions, {proof.compared} on the reference too"
    benchmark.extra_info.update(subject=DEMAND, each=proof.states, note=note)


# ------------------------------------------------------------------------------------------------ memory


@measures("memory that a session takes")
@everybody
def test_memory(name: str, benchmark: Any, agreed: None) -> None:
    if name == CLIPS:
        pytest.skip("as without reading")
    command = [sys.executable, "-m", "tests.benchmarks.memory", name]
    ran = benchmark.pedantic(
        subprocess.run,
        (command,),
        {"check": True, "capture_output": True, "text": True, "cwd": Path(__file__).parents[2]},
        rounds=1,
        iterations=1,
    )
    taken = next(int(line) for line in ran.stdout.splitlines() if line.isdecimal())  # CLIPS says things at its end
    benchmark.extra_info.update(subject=name, amount=f"{taken / 1024:,.0f} KB")
