"""What became of mutants as text, as JSON and as annotations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from rich.console import Console

from riftrules.analysis.mutation.laboratory import Judged
from riftrules.analysis.mutation.mutants import Mutant
from riftrules.analysis.mutation.running import Report
from riftrules.errors import Problem
from riftrules.report.console import styled

STYLES = {"survived": "bold red", "proved": "dim", "undecided": "yellow", "open": "yellow"}

SAID = {
    "killed": "killed",
    "survived": "survived",
    "proved": "proved the same",
    "undecided": "neither told apart nor proved the same",
    "open": "not looked into",
}
ALWAYS = ("killed", "survived", "proved")


def print_mutants(report: Report, to: Console, least: float, *, everything: bool) -> None:
    """The survivors, each with the scenario that would kill it; with `everything` those set aside too; the score."""
    for mutant, judged in report.mutants:
        if judged.status == "survived" or (everything and judged.status in STYLES):
            to.print(styled((judged.status.upper(), STYLES[judged.status]), f" {mutant.place}: {mutant.name}{_aside(judged)}"))
            _print_witness(judged, to)
    for place in report.failing:
        to.print(styled((f"{place}: ", "bold"), ("warning: ", "yellow"), "this scenario does not pass, and kills nothing"))
    _print_proved(report, to)
    to.print(styled((summary(report), "bold"), (_unmet(report, least), "bold red")))


def _aside(judged: Judged) -> str:
    match judged.status:
        case "proved":
            return f": the same {judged.bound}{f': {judged.boards} boards' if judged.boards else ''}"
        case "undecided":
            return f": no difference in {judged.plays} scenarios and on {judged.boards} boards near them, and no proof"
    return ""


def _print_proved(report: Report, to: Console) -> None:
    """How those that are set aside are proved the same."""
    proved = [judged for _, judged in report.mutants if judged.status == "proved"]
    for bound, count in sorted(Counter(judged.bound for judged in proved).items()):
        boards = sum(judged.boards for judged in proved if judged.bound == bound)
        to.print(styled(f"{count} proved the same {bound}{f': {boards:,} boards' if boards else ''}"))


def _print_witness(judged: Judged, to: Console) -> None:
    found = judged.witness
    if found is not None:
        to.print(styled((f"    this would kill it, made from {found.path}:{found.line}:", "dim")))
        for line in found.text.splitlines():
            to.print(styled(f"      {line}"))


def summary(report: Report) -> str:
    """The score, and how many mutants there are of each kind."""
    counts = ", ".join(f"{report.count(name)} {said}" for name, said in SAID.items() if report.count(name) or name in ALWAYS)
    unfinished = "" if report.finished else "; not finished: run it again to go on"
    return f"mutation score of {report.ruleset} {report.score:.1f} %: {counts}, by {report.scenarios} scenarios{unfinished}"


def _unmet(report: Report, least: float) -> str:
    return f"  less than {least:g} %" if report.score < least else ""


def mutants_data(report: Report, code: int) -> dict[str, Any]:
    """What became of every mutant as plain data."""
    return {
        "exit": code,
        "ruleset": report.ruleset,
        "score": round(report.score, 2),
        "finished": report.finished,
        "scenarios": report.scenarios,
        "failing": list(report.failing),
        "counts": {status: report.count(status) for status in (*SAID, "broken")},
        "mutants": [_mutant_data(mutant, judged) for mutant, judged in report.mutants if judged.status != "broken"],
    }


def _mutant_data(mutant: Mutant, judged: Judged) -> dict[str, Any]:
    found = judged.witness
    return {
        "of": mutant.holder,
        "operator": mutant.operator,
        "what": mutant.what,
        "path": mutant.place.path,
        "line": mutant.place.line,
        "column": mutant.place.column,
        "status": judged.status,
        "killed_by": judged.by or None,
        "played": judged.plays,
        "boards": judged.boards,
        "bound": judged.bound or None,
        "witness": None if found is None else {"fixture": found.text, "made_from": f"{found.path}:{found.line}"},
    }


def survivor_problems(report: Report) -> Iterator[Problem]:
    """The survivors as problems at their places."""
    for mutant, judged in report.mutants:
        if judged.status == "survived":
            hint = "add the scenario that `riftrules mutate` writes, if it is what the rules should do"
            said = f"no scenario notices this edit of {mutant.holder}: {mutant.what}"
            yield Problem(mutant.place, "survivor", said, hint, "warning")
