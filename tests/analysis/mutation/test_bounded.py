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
from riftrules.cli.mutating import _data, _print_proved, _print_set_aside
from riftrules.errors import NOWHERE
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


def test_what_is_not_proved_counts_as_alive_in_the_least_score(capsys: pytest.CaptureFixture[str]) -> None:
    judged = [
        Judged("a", "killed"),
        Judged("b", "killed"),
        Judged("c", "killed"),
        Judged("d", "equivalent", boards=9),
        Judged("e", "proved", bound="up to bound scope s, 3 states, 4 moves"),
    ]
    mutants = tuple((Mutant("rule r", "drop a test", one.name, NOWHERE), one) for one in judged)
    report = Report("lamps", mutants, 2)
    assert (report.score, report.least) == (100.0, 75.0)
    _print_proved(report, everything=True)
    _print_set_aside(report)
    assert capsys.readouterr().out == (
        "PROVED :1:1: rule r: drop a test: e: the same up to bound scope s, 3 states, 4 moves\n"
        "1 proved equivalent up to bound scope s, 3 states, 4 moves\n"
        "1 not proved equivalent: no difference was found; were they all alive, the score would be 75.0 %\n"
    )
    data = _data(report, Exit.AS_EXPECTED)
    assert (data["counts"]["proved"], data["least_score"]) == (1, 75.0)
    assert [one["bound"] for one in data["mutants"]] == [None, None, None, None, "up to bound scope s, 3 states, 4 moves"]
