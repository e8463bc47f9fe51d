"""The index of printed rules: for each number, by what it is held, by which rules it is cited, in which scenarios tested."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from rich.console import Console

from riftrules.facts.types import id_order
from riftrules.language.model import Printed, Ruleset
from riftrules.report.console import styled

STYLES = {"implemented": "green", "definition": "green", "out of scope": "yellow", "missing": "bold red"}


class Citing(Protocol):
    """What cites printed numbers: a scenario, or what has come of one."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def id(self) -> str:
        """Its id, or an empty text."""

    @property
    def cites(self) -> tuple[str, ...]:
        """The numbers."""


@dataclass(frozen=True, slots=True)
class Number:
    """One printed number. status: `implemented`, `definition`, `out of scope`, or `missing` (none of these)."""

    printed: Printed
    status: str
    holders: tuple[str, ...]
    tests: tuple[str, ...]


def numbers_of(ruleset: Ruleset, scenarios: Sequence[Citing]) -> tuple[Number, ...]:
    """Every number of the index in its printed order."""
    cited: dict[str, list[str]] = {}
    for holder, cites in _citing(ruleset):
        for number in cites:
            cited.setdefault(number, []).append(holder)
    tested: dict[str, list[str]] = {}
    for scenario in scenarios:
        for number in scenario.cites:
            tested.setdefault(number, []).append(scenario.id or scenario.name)
    ordered = sorted(ruleset.rulebook.values(), key=lambda printed: id_order(printed.number))
    return tuple(_number(printed, cited.get(printed.number, []), tested.get(printed.number, [])) for printed in ordered)


def _citing(ruleset: Ruleset) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What cites numbers, as `held` would name it."""
    for rule in ruleset.rules:
        yield f"rule {rule.id}", rule.cites
    kinds = (("definition", ruleset.definitions), ("procedure", ruleset.procedures), ("step", ruleset.steps))
    for kind, named in kinds:
        for name, one in named.items():
            yield f"{kind} {name}", one.cites
    for invariant in ruleset.invariants:
        yield f"invariant {invariant.name}", invariant.cites


def _number(printed: Printed, cited: Sequence[str], tests: Sequence[str]) -> Number:
    holders = tuple(dict.fromkeys((*printed.held, *cited)))
    if printed.status == "out of scope":
        return Number(printed, printed.status, holders, tuple(tests))
    return Number(printed, printed.status if holders else "missing", holders, tuple(tests))


def print_rulebook(numbers: Sequence[Number], to: Console) -> None:
    """The index, a line for each number, and how many there are of each kind."""
    for number in numbers:
        how = number.printed.reason if number.status == "out of scope" else ", ".join(number.holders)
        tests = f"  tested by {', '.join(number.tests)}" if number.tests else ""
        status = (f"{number.status:<12} ", STYLES[number.status])
        to.print(
            styled(f"{number.printed.number:<14} ", status, number.printed.summary, (f"  ← {how}" if how else "", "dim"), tests)
        )
    to.print(styled((rulebook_summary(numbers), "bold")))


def rulebook_summary(numbers: Sequence[Number]) -> str:
    """How many numbers there are, and what is made of them."""
    counts = {status: sum(1 for number in numbers if number.status == status) for status in STYLES}
    tested = sum(1 for number in numbers if number.tests)
    return f"{len(numbers)} numbers: {', '.join(f'{count} {status}' for status, count in counts.items())}; {tested} tested"


def number_data(number: Number) -> dict[str, Any]:
    """A number as plain data."""
    return {
        "number": number.printed.number,
        "summary": number.printed.summary,
        "status": number.status,
        "held": list(number.holders),
        "tested": list(number.tests),
        "reason": number.printed.reason,
    }
