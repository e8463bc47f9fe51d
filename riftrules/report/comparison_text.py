"""What a change of the rules changes, as a reviewer reads it in the terminal."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.console import Console

from riftrules.analysis.comparing.comparison import Case, Comparison, OneSided
from riftrules.analysis.comparing.edits import Edit
from riftrules.analysis.comparing.search import Searched
from riftrules.report.comparisons import SIGNS, Compared, Row, because, called, count_of, headline, rows
from riftrules.report.console import styled
from riftrules.report.problems import print_problems

MOST = 5
"""Where several comparisons are shown, so many of each list."""
SHOWN = {"citations", "name", "edition", "status"}
"""Edits of words of which both sides are shown."""
STYLES = {"added": "green", "dropped": "red", "changed": "yellow"}


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
            to.print(f"  {count_of(len(edits) - len(new), 'edit')} as above")
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
                _print_case(one, comparison.revision.playing, to)
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


def _print_case(case: Case, edits: Sequence[Edit], to: Console) -> None:
    divergence = case.divergence
    verdict = f"  {divergence.verdict}" if divergence.verdict else ""
    id_ = f" ({divergence.id})" if divergence.id else ""
    to.print(styled((f"  {divergence.place}: ", "dim"), (divergence.scenario, "bold"), id_, (verdict, "yellow")))
    to.print(styled((f"    {divergence.at}", "dim")))
    to.print(styled(("      - ", "red"), divergence.old))
    to.print(styled(("      + ", "green"), divergence.new))
    for fact in divergence.facts:
        to.print(styled("      ", (fact.fact, "bold"), ": ", (fact.old, "red"), " → ", (fact.new, "green")))
    if len(edits) > 1:
        for blame in case.blames:
            to.print(styled("    because of ", (called(blame.edit, edits), "bold"), f": {because(blame, edits)}"))
        if not case.blames:
            to.print("    because of several edits together, none of which changes it alone")


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
    return [f"{count_of(len(row.scenarios), 'scenario')} otherwise"] if row.scenarios else []
