"""What is proved the same up to a bound: at every state of a scope; and what is only not told apart is counted as that."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from riftrules.analysis.mutation.bounded import Bound, Do, bound_of
from riftrules.analysis.mutation.laboratory import Judged, Laboratory, Setup
from riftrules.analysis.mutation.mutants import Mutant, mutated
from riftrules.analysis.mutation.running import Report, laboratory
from riftrules.cli.exits import Exit
from riftrules.errors import NOWHERE
from riftrules.report.console import console
from riftrules.report.mutants import mutants_data, print_mutants
from riftrules.scenario.files import find_fixtures

ROOT = Path(__file__).parents[3]


@cache
def game() -> tuple[Laboratory, Bound]:
    """A laboratory of the game, and its smallest scope gone through."""
    files = find_fixtures([ROOT / "fixtures" / "riftbound" / "details" / "chain.yaml"]).files
    here = laboratory(Setup(files, ROOT / "rulesets" / "riftbound"))
    bound = bound_of(here.program)
    assert bound is not None
    return here, bound


def number(named: str) -> int:
    """The mutant of this name."""
    return next(at for at, mutant in enumerate(game()[0].mutants) if mutant.name == named)


def test_a_scope_is_gone_through_with_all_that_is_done_in_it() -> None:
    _, bound = game()
    moves = sum(isinstance(line, Do) for line in bound.lines)
    assert bound.said == f"up to bound scope smoke, {len(bound.states)} states, {moves} moves"
    assert len(bound.states) > 100
    assert {"control-is-established", "exhausted-units-cannot-move"} <= bound.acting
    assert {"engagement", "establish", "turn"} <= bound.templates


def test_the_rules_themselves_are_what_is_written() -> None:
    here, bound = game()
    assert bound.parts(here.program) is None


def test_an_edit_that_makes_no_difference_there_is_proved_up_to_it() -> None:
    # Points are gained one at a time there: nothing stands beside that could come first.
    found = game()[0].prove(number("rule points-are-shared-by-a-team: another salience: after all it stands beside"))
    assert found == (game()[1].said, None)


def test_an_edit_that_makes_one_is_told_apart_by_a_fixture() -> None:
    bound, witness = game()[0].prove(number("rule control-is-established: drop the rule: without it"))
    assert bound == ""
    assert witness is not None
    assert witness.source == "scope smoke"
    assert "battlefield" in witness.text


def test_where_an_edit_is_not_met_nothing_is_proved_by_it() -> None:
    here, bound = game()
    at = number("rule conquer: turn a test round: `not $bf` for `at: $bf` of `barred`")
    program = mutated(here.mutants[at], here.program)
    assert program is not None
    assert bound.parts(program) is None
    assert "barred" not in bound.templates
    assert here.prove(at) == ("", None)


def test_what_is_not_proved_counts_as_alive_in_the_score(capsys: pytest.CaptureFixture[str]) -> None:
    judged = [
        Judged("a", "killed"),
        Judged("b", "killed"),
        Judged("c", "killed"),
        Judged("d", "undecided", plays=2, boards=9),
        Judged("e", "proved", bound="up to bound scope s, 3 states, 4 moves"),
        Judged("f", "proved", boards=1200, bound="up to one change"),
    ]
    mutants = tuple((Mutant("rule r", "drop a test", one.name, NOWHERE), one) for one in judged)
    report = Report("lamps", mutants, 2)
    assert report.score == 75.0
    print_mutants(report, console(), 0, everything=True)
    assert capsys.readouterr().out == (
        "UNDECIDED :1:1: rule r: drop a test: d: no difference in 2 scenarios and on 9 boards near them, and no proof\n"
        "PROVED :1:1: rule r: drop a test: e: the same up to bound scope s, 3 states, 4 moves\n"
        "PROVED :1:1: rule r: drop a test: f: the same up to one change: 1200 boards\n"
        "1 proved the same up to bound scope s, 3 states, 4 moves\n"
        "1 proved the same up to one change: 1,200 boards\n"
        "mutation score of lamps 75.0 %: 3 killed, 0 survived, 2 proved the same, 1 neither told apart nor proved the same, "
        "by 2 scenarios\n"
    )
    data = mutants_data(report, Exit.AS_EXPECTED)
    assert (data["score"], data["counts"]["proved"], data["counts"]["undecided"]) == (75.0, 2, 1)
    assert [one["bound"] for one in data["mutants"]][3:] == [None, "up to bound scope s, 3 states, 4 moves", "up to one change"]
