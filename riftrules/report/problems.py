"""Problems as text, as JSON, as GitHub annotations and as SARIF."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import Console

from riftrules.errors import Problem
from riftrules.report.console import styled

STYLES = {"error": "bold red", "warning": "yellow"}


def print_problems(problems: Sequence[Problem], to: Console, indent: str = "") -> None:
    """Each problem as `path:line:column: severity: message [code]`, its hint on a line of its own."""
    for problem in problems:
        style = STYLES.get(problem.severity, "")
        said = f"{problem.message} [{problem.code}]"
        to.print(styled(f"{indent}{problem.place}: ", (f"{problem.severity}: ", style), said))
        if problem.hint:
            to.print(styled((f"{indent}    hint: {problem.hint}", "dim")))


def problem_data(problem: Problem) -> dict[str, Any]:
    """A problem as plain data."""
    return {
        "path": problem.place.path,
        "line": problem.place.line,
        "column": problem.place.column,
        "severity": problem.severity,
        "code": problem.code,
        "message": problem.message,
        "hint": problem.hint,
    }


def github_lines(problems: Sequence[Problem]) -> Iterator[str]:
    """Each problem as a workflow command that GitHub shows beside the line."""
    for problem in problems:
        said = f"{problem.message} (hint: {problem.hint})" if problem.hint else problem.message
        place = problem.place
        where = f"file={_property(place.path)},line={place.line},col={place.column},title={_property(problem.code)}"
        yield f"::{problem.severity} {where}::{_escaped(said)}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")


def sarif(problems: Sequence[Problem], version: str, says: Mapping[str, str] | None = None) -> dict[str, Any]:
    """The problems as a SARIF 2.1.0 log; `says` describes codes in a sentence."""
    said = says or {}
    codes = sorted({problem.code for problem in problems})
    rules = [{"id": code, **({"shortDescription": {"text": said[code]}} if code in said else {})} for code in codes]
    driver = {"name": "riftrules", "version": version, "rules": rules}
    results = [
        {
            "ruleId": problem.code,
            "level": problem.severity,
            "message": {"text": f"{problem.message} (hint: {problem.hint})" if problem.hint else problem.message},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": problem.place.path},
                        "region": {"startLine": problem.place.line, "startColumn": problem.place.column},
                    }
                }
            ],
        }
        for problem in problems
    ]
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "results": results}],
    }
