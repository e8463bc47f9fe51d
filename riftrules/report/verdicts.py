"""Verdicts as text, as JSON and as JUnit XML."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from io import StringIO
from typing import Any
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from rich.console import Console

from riftrules.errors import Problem
from riftrules.report.console import console, styled
from riftrules.report.problems import github_lines, print_problems, problem_data
from riftrules.scenario.model import Difference, Verdict

STATUSES = ("passed", "failed", "error", "invalid", "skipped")
STYLES = {"passed": "green", "failed": "bold red", "error": "bold magenta", "invalid": "bold red", "skipped": "yellow"}


def print_verdict(verdict: Verdict, to: Console) -> None:
    """A verdict with all that a designer needs to mend it."""
    id_ = f" ({verdict.id})" if verdict.id else ""
    reason = f": {verdict.reason}" if verdict.reason else ""
    to.print(styled((verdict.status.upper(), STYLES[verdict.status]), f" {verdict.place}: {verdict.name}{id_}{reason}"))
    for difference in verdict.differences:
        _print_difference(difference, to)
    print_problems(verdict.problems, to, "  ")
    for detail in verdict.details:
        to.print(styled((f"    {detail}", "dim")))
    for line in verdict.board:
        to.print(styled((f"    {line}", "dim")))
    if verdict.saved:
        to.print(styled((f"  the trace is in {verdict.saved}", "dim")))


def verdict_text(verdict: Verdict) -> str:
    """A verdict as it is printed, as plain text."""
    into = StringIO()
    print_verdict(verdict, console(into))
    return into.getvalue().rstrip("\n")


def _print_difference(difference: Difference, to: Console) -> None:
    to.print(styled(f"  {difference.place}: ", (difference.path, "bold")))
    to.print(styled("    expected ", (difference.expected, "green")))
    written = f"    (written by firing {difference.firing}, `{difference.rule}`)" if difference.firing else ""
    to.print(styled("    found    ", (difference.actual, "red"), (written, "dim")))
    if difference.note:
        to.print(styled((f"    hint: {difference.note}", "dim")))


def summary(verdicts: Sequence[Verdict]) -> str:
    """How many scenarios have which verdict: `12 passed, 1 failed, 1 skipped`."""
    counts = {status: sum(1 for verdict in verdicts if verdict.status == status) for status in STATUSES}
    names = {"error": "did not finish"}
    said = [f"{count} {names.get(status, status)}" for status, count in counts.items() if count or status == "passed"]
    return ", ".join(said)


def verdict_data(verdict: Verdict) -> dict[str, Any]:
    """A verdict as plain data, without the time it took."""
    return {
        "scenario": verdict.name,
        "id": verdict.id,
        "path": verdict.place.path,
        "line": verdict.place.line,
        "status": verdict.status,
        "reason": verdict.reason,
        "cites": list(verdict.cites),
        "differences": [_difference_data(difference) for difference in verdict.differences],
        "problems": [problem_data(problem) for problem in verdict.problems],
        "details": list(verdict.details),
        "firings": verdict.firings,
        "fired": list(verdict.fired),
        "trace": verdict.saved,
    }


def _difference_data(difference: Difference) -> dict[str, Any]:
    return {
        "path": difference.place.path,
        "line": difference.place.line,
        "column": difference.place.column,
        "what": difference.path,
        "expected": difference.expected,
        "actual": difference.actual,
        "firing": difference.firing or None,
        "rule": difference.rule or None,
        "hint": difference.note,
    }


def verdict_lines(verdicts: Sequence[Verdict]) -> Iterator[str]:
    """What is not as expected as workflow commands, each shown by GitHub beside its line of the fixture."""
    for verdict in verdicts:
        differences = (
            Problem(
                one.place,
                "failed",
                f"{verdict.name}: {one.path}: expected {one.expected}, found {one.actual}{_by(one)}",
                one.note,
            )
            for one in verdict.differences
        )
        reason = verdict.status == "error" and Problem(verdict.place, "error", f"{verdict.name}: {verdict.reason}")
        yield from github_lines((*differences, *verdict.problems, *((reason,) if reason else ())))


def _by(difference: Difference) -> str:
    return f" (written by firing {difference.firing}, `{difference.rule}`)" if difference.firing else ""


# Characters that no XML 1.0 document may hold.
_UNPRINTABLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(verdicts: Sequence[Verdict]) -> str:
    """The verdicts as JUnit XML: a difference is a `failure`, a run that did not finish or a wrong fixture an `error`."""
    counts = {
        "tests": len(verdicts),
        "failures": sum(1 for verdict in verdicts if verdict.status == "failed"),
        "errors": sum(1 for verdict in verdicts if verdict.status in {"error", "invalid"}),
        "skipped": sum(1 for verdict in verdicts if verdict.status == "skipped"),
    }
    total = f"{sum(verdict.seconds for verdict in verdicts):.3f}"
    attributes = {name: str(count) for name, count in counts.items()}
    suites = Element("testsuites", attributes | {"time": total})
    suite = SubElement(suites, "testsuite", {"name": "riftrules", **attributes, "time": total})
    for verdict in verdicts:
        _case(suite, verdict)
    indent(suites)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + tostring(suites, encoding="unicode") + "\n"


def _case(suite: Element, verdict: Verdict) -> None:
    place = verdict.place
    attributes = {"classname": place.path, "name": verdict.name, "file": place.path, "line": str(place.line)}
    case = SubElement(suite, "testcase", {name: _UNPRINTABLE.sub("?", text) for name, text in attributes.items()})
    case.set("time", f"{verdict.seconds:.3f}")
    if verdict.status == "skipped":
        SubElement(case, "skipped", {"message": _UNPRINTABLE.sub("?", verdict.reason)})
    elif verdict.status != "passed":
        told = [str(one) for one in (*verdict.differences, *verdict.problems)] or [verdict.reason, *verdict.details]
        kind = "failure" if verdict.status == "failed" else "error"
        child = SubElement(case, kind, {"message": _UNPRINTABLE.sub("?", told[0].splitlines()[0]), "type": verdict.status})
        child.text = _UNPRINTABLE.sub("?", "\n".join(told))
