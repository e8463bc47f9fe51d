"""Problems, verdicts and boards as they are written out."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest

from riftrules.errors import Place, Problem
from riftrules.facts.memory import Fact
from riftrules.language.loader import load_ruleset
from riftrules.language.model import Ruleset
from riftrules.report.board import board_rows
from riftrules.report.console import console
from riftrules.report.problems import github_lines, print_problems, sarif
from riftrules.report.verdicts import junit, print_verdict, summary
from riftrules.scenario.model import Difference, Verdict

LAMPS = Path(__file__).parents[1] / "rulesets" / "lamps"
HERE = Place("a,b.yaml", 3, 5)
PROBLEM = Problem(HERE, "type", "`x: 100%` is\nnot [a] number", "write one", "warning")
PASSED = Verdict("it works", HERE, "passed")
FAILED = Verdict(
    "it\x00 fails", HERE, "failed", differences=(Difference(HERE, "lamp a.lit", "true", "false", 3, "dim", "look there"),)
)


def printed(*verdicts: Verdict) -> str:
    stream = io.StringIO()
    for verdict in verdicts:
        print_verdict(verdict, console(stream))
    return stream.getvalue()


def test_problems_are_printed_as_they_are_whatever_stands_in_them() -> None:
    stream = io.StringIO()
    print_problems((PROBLEM,), console(stream), "  ")
    assert stream.getvalue() == "  a,b.yaml:3:5: warning: `x: 100%` is\nnot [a] number [type]\n      hint: write one\n"


def test_long_lines_are_not_broken() -> None:
    long = "word " * 100
    stream = io.StringIO()
    print_problems((Problem(HERE, "type", long),), console(stream))
    assert stream.getvalue().count("\n") == 1


def test_annotations_escape_what_github_reads() -> None:
    assert list(github_lines((PROBLEM,))) == [
        "::warning file=a%2Cb.yaml,line=3,col=5,title=type::`x: 100%25` is%0Anot [a] number (hint: write one)"
    ]


def test_sarif_names_each_code_once() -> None:
    log = sarif((PROBLEM, PROBLEM), "1.0")
    assert log["runs"][0]["tool"]["driver"]["rules"] == [{"id": "type"}]
    assert len(log["runs"][0]["results"]) == 2


def test_a_failed_verdict_says_where_what_and_who() -> None:
    assert printed(FAILED) == (
        "FAILED a,b.yaml:3:5: it\x00 fails\n"
        "  a,b.yaml:3:5: lamp a.lit\n"
        "    expected true\n"
        "    found    false    (written by firing 3, `dim`)\n"
        "    hint: look there\n"
    )


def test_the_summary_counts_each_kind_apart() -> None:
    kinds = ("passed", "failed", "error", "invalid", "skipped", "failed")
    assert summary([Verdict("x", HERE, kind) for kind in kinds]) == "1 passed, 2 failed, 1 did not finish, 1 invalid, 1 skipped"
    assert summary([]) == "0 passed"


def test_junit_is_xml_whatever_a_name_holds() -> None:
    suites = fromstring(junit((PASSED, FAILED)))  # noqa: S314 - our own text
    assert [case.get("name") for case in suites[0]] == ["it works", "it? fails"]
    assert (suites.get("tests"), suites.get("failures"), suites.get("errors")) == ("2", "1", "0")


@pytest.fixture(scope="module")
def lamps() -> Ruleset:
    return load_ruleset(LAMPS)


def lamp(name: str, at: str, **values: object) -> Fact:
    fields = {"owner": "ada", "at": at, "watts": 10, "lit": False, "broken": False, "colours": frozenset()}
    return Fact("lamp", name, {**fields, **values})


def test_a_board_is_drawn_as_the_view_says(lamps: Ruleset) -> None:
    facts = (
        Fact("player", "ada", {"seat": 1, "score": 0}),
        Fact("room", "hall", {"owner": "ada"}),
        Fact("settings", "settings", {"goal": 3, "rooms": 2}),
        Fact("turn", "turn", {"player": "ada"}),
        Fact("mark", "ada, hall", {"by": "ada", "at": "hall"}),
        Fact("outcome", "outcome", {"winner": "ada"}),
        Fact("evening", "evening-1", {"enough": frozenset({"ada"})}),
        lamp("x10", "hall", lit=True),
        lamp("x2", "hall"),
        lamp("y", "shelf"),
    )
    assert board_rows(lamps, facts) == {
        "turn": ("player: ada",),
        "player ada": ("score 0/3",),
        "room hall": ("owner ada", "ada: x2 (watts 10)", "ada: x10 (watts 10, lit)"),
        "shelf": ("ada: y (watts 10)",),
        "mark": ("ada, hall {by: ada, at: hall}",),
        "outcome": ("winner: ada",),
        "evening": ("evening-1 {enough: [ada]}",),
    }


def test_without_a_view_every_fact_is_listed(lamps: Ruleset) -> None:
    rows = board_rows(replace(lamps, view={}), (Fact("player", "ada", {"seat": 1, "score": 0}), lamp("x", "hall")))
    assert rows == {
        "player": ("ada {seat: 1, score: 0}",),
        "lamp": ("x {owner: ada, at: hall, watts: 10, lit: false, broken: false, colours: []}",),
    }
