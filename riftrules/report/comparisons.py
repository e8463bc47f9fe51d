"""What a change of the rules changes, as text, as JSON and as Markdown for a pull request."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Console

from riftrules.analysis.comparing.comparison import Blame, Case, Comparison, OneSided
from riftrules.analysis.comparing.edits import Edit
from riftrules.analysis.comparing.outcomes import Divergence
from riftrules.analysis.comparing.search import Searched
from riftrules.facts.types import id_order
from riftrules.report.console import styled
from riftrules.report.problems import print_problems, problem_data

MOST = 5
"""Where several comparisons are shown, so many of each list."""
NO_DIFFERENCE = "no difference"
SIGNS = {"added": "+", "dropped": "-", "changed": "~"}
LEGAL = {"", "citations", "status", "held"}
"""Edits that change what is said to hold a printed rule, though nothing in play."""
SHOWN = {"citations", "name", "edition", "status"}
"""Edits of words of which both sides are shown."""
STYLES = {"added": "green", "dropped": "red", "changed": "yellow"}


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
    said = f"{_count(edits, 'edit')}" + (f" ({silent} of them of words alone)" if silent else "")
    if not comparison.revision.playing:
        return f"{said}; nothing that could change an outcome"
    scenarios = f"{len(comparison.cases)} of {_count(comparison.played, 'scenario')} come out otherwise"
    if comparison.one_sided:
        scenarios += f", {len(comparison.one_sided)} can be read under one ruleset only"
    return f"{said}; {scenarios}"


def _count(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


# ------------------------------------------------------------------------------------------------ text


def print_comparisons(several: Sequence[Compared], to: Console, whole: Callable[[Compared], str]) -> None:
    """Several comparisons, first each in a line, then the most of each; `whole` is the command that shows one of them whole."""
    for one in several:
        print_headline(one, to)
    told: set[Edit] = set()
    differing = [one for one in several if one.comparison.differs]
    for one in differing:
        edits = one.comparison.revision.edits
        new = [edit for edit in edits if edit not in told]
        to.print(styled((f"\n{one.old} → {one.new}", "bold")))
        if len(new) < len(edits):
            to.print(f"  {_count(len(edits) - len(new), 'edit')} as above")
        _print_parts(one, new, to, most=MOST if len(differing) > 1 else None)
        told.update(edits)
        if len(differing) > 1:
            to.print(styled(("\nthe whole of it: ", "dim"), whole(one)))


def print_headline(compared: Compared, to: Console) -> None:
    """What is compared, and what has come of it, in a line."""
    to.print(styled((f"{compared.old} → {compared.new}: ", "bold"), headline(compared)))


def print_comparison(compared: Compared, to: Console) -> None:
    """The whole comparison, as a reviewer reads it."""
    print_headline(compared, to)
    if compared.comparison.differs:
        _print_parts(compared, compared.comparison.revision.edits, to, most=None)


def _print_parts(compared: Compared, edits: Sequence[Edit], to: Console, *, most: int | None) -> None:
    """Edits, scenarios, what the search came to and the printed rules; of each list at most so many."""
    comparison = compared.comparison
    _print_edits(edits, to, most)
    for title, lines in (
        ("scenarios that come out otherwise", comparison.cases),
        ("scenarios read under one ruleset only", comparison.one_sided),
    ):
        if lines:
            to.print(styled(("\n" + title, "bold")))
        for one in lines[:most]:
            if isinstance(one, Case):
                _print_case(one, len(comparison.revision.playing), to)
            else:
                _print_one_sided(one, to)
        _print_more(len(lines), most, to)
    print_problems(comparison.unreadable, to)
    if compared.searched is not None:
        _print_search(compared.searched, to)
    _print_table(comparison, to, most)


def _print_more(number: int, most: int | None, to: Console) -> None:
    """How many are left out of a list."""
    if most is not None and number > most:
        to.print(styled((f"  and {number - most} more", "dim")))


def _print_edits(edits: Sequence[Edit], to: Console, most: int | None) -> None:
    """Edits that play with both sides; of those of words alone only the citations are shown."""
    if edits:
        to.print(styled(("\nedits", "bold")))
    for edit in sorted(edits, key=lambda edit: not edit.plays)[:most]:
        cites = f" [{', '.join(edit.cites)}]" if edit.cites and edit.kind != "printed rule" else ""
        mark = (f"  {SIGNS[edit.change]} ", STYLES[edit.change])
        to.print(styled(mark, (called(edit), "bold"), cites, (f"  {edit.place}" if edit.place.path else "", "dim")))
        shown = edit.plays or edit.part in SHOWN
        if edit.before and shown:
            to.print(styled(("      - ", "red"), edit.before))
        if edit.after and shown:
            to.print(styled(("      + ", "green"), edit.after))
    _print_more(len(edits), most, to)


def called(edit: Edit) -> str:
    """An edit in a few words: `rule conquer: condition`."""
    subject = edit.name if edit.kind == edit.name else f"{edit.kind} {edit.name}"
    if edit.kind == "setting":
        subject = "settings"
    return f"{subject}: {edit.part}" if edit.part else subject


def _print_case(case: Case, edits: int, to: Console) -> None:
    divergence = case.divergence
    verdict = f"  {divergence.verdict}" if divergence.verdict else ""
    id_ = f" ({divergence.id})" if divergence.id else ""
    to.print(styled((f"  {divergence.place}: ", "dim"), (divergence.scenario, "bold"), id_, (verdict, "yellow")))
    to.print(styled((f"    {divergence.at}", "dim")))
    to.print(styled(("      - ", "red"), divergence.old))
    to.print(styled(("      + ", "green"), divergence.new))
    for fact in divergence.facts:
        to.print(styled("      ", (fact.fact, "bold"), ": ", (fact.old, "red"), " → ", (fact.new, "green")))
    if edits > 1:
        for blame in case.blames:
            to.print(styled("    because of ", (called(blame.edit), "bold"), f": {_blame(blame)}"))
        if not case.blames:
            to.print("    because of several edits together, none of which changes it alone")


def _blame(blame: Blame) -> str:
    others = f" (with {', '.join(called(edit) for edit in blame.together)})" if blame.together else ""
    return f"{blame.said}{others}"


def _print_one_sided(one: OneSided, to: Console) -> None:
    other = "new" if one.readable == "old" else "old"
    to.print(styled((f"  {one.place}: ", "dim"), (one.scenario, "bold"), f": it cannot be read under the {other} rules"))
    print_problems(one.problems, to, "    ")


def _print_search(searched: Searched, to: Console) -> None:
    to.print(styled(("\na board that tells them apart", "bold")))
    to.print(f"  {searched.said}")
    if searched.found is not None:
        divergence = searched.found.divergence
        to.print(styled((f"    {divergence.at}", "dim")))
        to.print(styled(("      - ", "red"), divergence.old))
        to.print(styled(("      + ", "green"), divergence.new))
        for line in searched.found.text.splitlines():
            to.print(f"    {line}" if line else "")


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


def _print_table(comparison: Comparison, to: Console, most: int | None) -> None:
    found = rows(comparison)
    if not found:
        return
    to.print(styled(("\nby printed rule", "bold")))
    width = max(len(row.number) for row in found)
    for row in found[:most]:
        parts = [*([f"edited in {'; '.join(row.edits)}"] if row.edits else []), *_scenarios(row)]
        to.print(styled((f"  {row.number:<{width}}  ", "bold"), f"{row.summary}  ", (f"← {'; '.join(parts)}", "dim")))
    _print_more(len(found), most, to)


def _scenarios(row: Row) -> list[str]:
    return [f"{_count(len(row.scenarios), 'scenario')} otherwise"] if row.scenarios else []


# ------------------------------------------------------------------------------------------------ Markdown


def markdown(compared: Compared) -> str:
    """The comparison as Markdown for a pull request."""
    return "\n".join(_markdown(compared)) + "\n"


def _markdown(compared: Compared) -> Iterator[str]:
    comparison = compared.comparison
    yield f"### Rules: `{compared.old}` → `{compared.new}`"
    yield ""
    yield f"{headline(compared)}."
    if comparison.revision.edits:
        yield from ("", "| | edit | before | after | printed |", "|---|---|---|---|---|")
        for edit in comparison.revision.edits:
            cells = (SIGNS[edit.change], called(edit), _code(edit.before), _code(edit.after), ", ".join(edit.cites))
            yield f"| {' | '.join(_cell(cell) for cell in cells)} |"
    for case in comparison.cases:
        yield from _markdown_case(case, len(comparison.revision.playing))
    for one in comparison.one_sided:
        yield from ("", f"- `{one.place}` {one.scenario}: read under the {one.readable} rules only")
        yield from (f"  - {problem.message}" for problem in one.problems)
    if compared.searched is not None:
        yield from ("", f"**A board that tells them apart**: {compared.searched.said}")
        if compared.searched.found is not None:
            yield from ("", "```yaml", compared.searched.found.text.rstrip("\n"), "```")
    table = rows(comparison)
    if table:
        yield from ("", "| printed | summary | edits | scenarios that come out otherwise |", "|---|---|---|---|")
        for row in table:
            yield f"| {row.number} | {_cell(row.summary)} | {_cell('; '.join(row.edits))} | {_cell('; '.join(row.scenarios))} |"


def _markdown_case(case: Case, edits: int) -> Iterator[str]:
    divergence = case.divergence
    verdict = f", {divergence.verdict}" if divergence.verdict else ""
    yield from ("", f"<details><summary>{_html(divergence.scenario)} (<code>{divergence.place}</code>{verdict})</summary>", "")
    yield from (f"first differs at {divergence.at}:", "", "```diff", f"- {divergence.old}", f"+ {divergence.new}", "```")
    for fact in divergence.facts:
        yield f"- {fact.fact}: `{fact.old}` → `{fact.new}`"
    if edits > 1:
        yield ""
        yield from (f"- because of **{called(blame.edit)}**: {_blame(blame)}" for blame in case.blames)
    yield from ("", "</details>")


def _code(text: str) -> str:
    return f"`{text}`" if text else ""


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _html(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


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
