"""What a change of the rules changes: in a line, by printed rule, and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from riftrules.analysis.comparing.comparison import Blame, Case, Comparison
from riftrules.analysis.comparing.edits import Edit
from riftrules.analysis.comparing.outcomes import Divergence
from riftrules.analysis.comparing.search import Searched
from riftrules.facts.types import id_order
from riftrules.report.problems import problem_data

NO_DIFFERENCE = "no difference"
SIGNS = {"added": "+", "dropped": "-", "changed": "~"}
LEGAL = {"", "citations", "status", "held"}
"""Edits that change what is said to hold a printed rule, though nothing in play."""


@dataclass(frozen=True, slots=True)
class Compared:
    """A comparison with what the two sides are called, and what the search for a board came to, if there was one."""

    old: str
    new: str
    comparison: Comparison
    searched: Searched | None = None

    @property
    def plays_differently(self) -> bool:
        """Whether anything is known to come out otherwise."""
        found = self.searched is not None and self.searched.found is not None
        return bool(self.comparison.cases or self.comparison.one_sided or found)


def headline(compared: Compared) -> str:
    """The whole in one line."""
    comparison = compared.comparison
    if not comparison.differs:
        return NO_DIFFERENCE
    edits = len(comparison.revision.edits)
    silent = edits - len(comparison.revision.playing)
    said = f"{count_of(edits, 'edit')}" + (f" ({silent} of them of words alone)" if silent else "")
    if not comparison.revision.playing:
        return f"{said}; nothing that could change an outcome"
    scenarios = f"{len(comparison.cases)} of {count_of(comparison.played, 'scenario')} come out otherwise"
    if comparison.one_sided:
        scenarios += f", {len(comparison.one_sided)} can be read under one ruleset only"
    return f"{said}; {scenarios}"


def count_of(count: int, noun: str) -> str:
    """`1 edit`, `2 edits`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def called(edit: Edit, among: Sequence[Edit] = ()) -> str:
    """An edit in a few words: `rule a-lamp-is-lit: condition`; with its line where another one among these is called the same."""
    subject = edit.name if edit.kind == edit.name else f"{edit.kind} {edit.name}"
    if edit.kind == "setting":
        subject = "settings"
    found = f"{subject}: {edit.part}" if edit.part else subject
    alike = sum(1 for one in among if called(one) == found)
    return f"{found} in line {edit.place.line}" if alike > 1 else found


def because(blame: Blame, among: Sequence[Edit] = ()) -> str:
    """What an edit has to do with an outcome, and which others it cannot be tried without."""
    others = ", ".join(called(edit, among) for edit in blame.together)
    return f"{blame.said} (tried with {others})" if others else blame.said


# ------------------------------------------------------------------------------------------------ by printed rule


@dataclass(frozen=True, slots=True)
class Row:
    """A printed number: the edits that cite it, and the scenarios that cite it and come out otherwise."""

    number: str
    summary: str
    edits: tuple[str, ...]
    scenarios: tuple[str, ...]


def rows(comparison: Comparison) -> tuple[Row, ...]:
    """A row for each printed number that an edit or a scenario with two outcomes cites, in printed order."""
    edits: dict[str, list[str]] = {}
    scenarios: dict[str, list[str]] = {}
    for edit in comparison.revision.edits:
        for number in edit.cites if edit.plays or edit.part in LEGAL else ():
            edits.setdefault(number, []).append(called(edit))
    for case in comparison.cases:
        for number in case.divergence.cites:
            scenarios.setdefault(number, []).append(case.divergence.id or case.divergence.scenario)
    books = (comparison.revision.new.rulebook, comparison.revision.old.rulebook)
    found = []
    for number in sorted({*edits, *scenarios}, key=id_order):
        summary = next((book[number].summary for book in books if number in book), "")
        found.append(Row(number, summary, tuple(dict.fromkeys(edits.get(number, ()))), tuple(scenarios.get(number, ()))))
    return tuple(found)


# ------------------------------------------------------------------------------------------------ JSON


def comparison_data(compared: Compared) -> dict[str, Any]:
    """The comparison as plain data."""
    comparison = compared.comparison
    return {
        "old": compared.old,
        "new": compared.new,
        "said": headline(compared),
        "differs": compared.plays_differently,
        "played": comparison.played,
        "edits": [edit_data(edit) for edit in comparison.revision.edits],
        "scenarios": [_case_data(case) for case in comparison.cases],
        "one_sided": [
            {
                "scenario": one.scenario,
                "readable": one.readable,
                "problems": [problem_data(problem) for problem in one.problems],
            }
            for one in comparison.one_sided
        ],
        "unreadable": [problem_data(problem) for problem in comparison.unreadable],
        "search": None if compared.searched is None else _search_data(compared.searched),
        "printed": [
            {"number": row.number, "summary": row.summary, "edits": list(row.edits), "scenarios": list(row.scenarios)}
            for row in rows(comparison)
        ],
    }


def edit_data(edit: Edit) -> dict[str, Any]:
    """An edit as plain data."""
    return {
        "kind": edit.kind,
        "name": edit.name,
        "part": edit.part,
        "change": edit.change,
        "before": edit.before,
        "after": edit.after,
        "cites": list(edit.cites),
        "path": edit.place.path,
        "line": edit.place.line,
        "plays": edit.plays,
    }


def _case_data(case: Case) -> dict[str, Any]:
    blames = [
        {
            "edit": called(blame.edit),
            "said": blame.said,
            "alone": blame.alone,
            "whole": blame.whole,
            "needed": blame.needed,
            "back": blame.back,
            "together": [called(edit) for edit in blame.together],
        }
        for blame in case.blames
    ]
    return {**_divergence_data(case.divergence), "because": blames}


def _divergence_data(divergence: Divergence) -> dict[str, Any]:
    return {
        "scenario": divergence.scenario,
        "id": divergence.id,
        "path": divergence.place.path,
        "line": divergence.place.line,
        "cites": list(divergence.cites),
        "at": divergence.at,
        "old": divergence.old,
        "new": divergence.new,
        "facts": [{"fact": fact.fact, "old": fact.old, "new": fact.new} for fact in divergence.facts],
        "old_status": divergence.old_status,
        "new_status": divergence.new_status,
    }


def _search_data(searched: Searched) -> dict[str, Any]:
    found = searched.found
    return {
        "said": searched.said,
        "complete": searched.complete,
        "plays": searched.plays,
        "bound": searched.bound,
        "fixture": None if found is None else found.text,
        "divergence": None if found is None else _divergence_data(found.divergence),
    }
