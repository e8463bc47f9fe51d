"""Problems and verdicts as they are written out."""

from __future__ import annotations

import io
from xml.etree.ElementTree import fromstring

from riftrules.errors import Place, Problem
from riftrules.report.console import console
from riftrules.report.problems import github_lines, print_problems, sarif
from riftrules.report.verdicts import junit, print_verdict, summary
from riftrules.scenario.model import Difference, Verdict

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
        "FAILED a,b.yaml:3:5: it\\x00 fails\n"
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
