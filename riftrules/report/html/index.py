"""The index of printed rules as a page, with the look of the others."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from riftrules.report.html.page import render
from riftrules.report.rulebook import STYLES, Number


def rulebook_page(numbers: Sequence[Number], name: str, edition: str) -> str:
    """Every printed number with what holds it and what tests it, by the sections of the printed rules."""
    counts = [(status, sum(number.status == status for number in numbers)) for status in STYLES]
    sections = [(section, list(group)) for section, group in groupby(numbers, key=_section)]
    return render(
        "rulebook.html",
        title=f"{name}: printed rules",
        edition=edition or name,
        counts=[count for count in counts if count[-1]],
        tested=sum(1 for number in numbers if number.tests),
        sections=sections,
    )


def _section(number: Number) -> str:
    return number.printed.number.split(".")[0]
