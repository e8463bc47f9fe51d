"""Coverage as text, as JSON and as annotations: shares, then by `path:line` what is left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.console import Console

from riftrules.analysis.coverage.measuring import Reached
from riftrules.analysis.coverage.spots import BOTH
from riftrules.analysis.coverage.summing import Coverage, Missing, Share, only_here
from riftrules.errors import Problem
from riftrules.report.console import styled
from riftrules.report.rulebook import Number

SAID = {
    "fired": "rules fired",
    "withheld": "rules withheld",
    "conditions": "conditions decided both ways",
    "consequents": "consequents that changed something",
    "steps": "steps visited",
    "pairs": "ordered pairs of rules that can act on one another and did",
}
LEFT = {"fired": "to fire", "withheld": "to withhold", "conditions": "to decide", "consequents": "to do", "steps": "to visit"}
"""What is left, of each kind, in a few words."""
MOST = 20
"""So many lines are not much."""
QUIET = ("pairs",)
"""What is left of these is told in JSON only: it is no list to work through."""


def print_coverage(
    found: Coverage, numbers: Sequence[Number], to: Console, wanted: Mapping[str, float], *, each: bool, full: bool = True
) -> None:
    """The shares; what is left where less than all is reached, summed up by file where not in `full` and it is much.

    With `each` a line for each scenario.
    """
    to.print(styled((f"coverage of {found.ruleset.name}", "bold"), f" by {_count(len(found.scenarios), 'scenario')}"))
    for share in found.shares:
        to.print(styled(_line(share), (_threshold(share, wanted), "bold red")))
    to.print(styled(f"  {printed_line(numbers)}"))
    left = [(share.kind, missing) for share in found.shares if share.kind not in QUIET for missing in share.open]
    if full or len(left) <= MOST:
        for _, missing in left:
            to.print(styled((f"{missing.place}: ", "bold"), missing.text))
    else:
        _print_by_file(left, to)
    for stale in found.stale:
        to.print(styled((f"{stale.place}: ", "bold"), ("warning: ", "yellow"), stale.text))
    if each:
        for reached, alone in only_here(found.scenarios):
            to.print(styled(_scenario_line(reached, alone)))


def _print_by_file(left: Sequence[tuple[str, Missing]], to: Console) -> None:
    """How much is left in each file, where most is first."""
    files: dict[str, Counter[str]] = {}
    for kind, missing in left:
        files.setdefault(missing.place.path, Counter())[kind] += 1
    for path, kinds in sorted(files.items(), key=lambda item: (-item[1].total(), item[0])):
        told = ", ".join(f"{kinds[kind]} {what}" for kind, what in LEFT.items() if kinds[kind])
        to.print(styled((f"  {path}: ", "bold"), f"{told} left"))
    to.print(styled((f"the {len(left)} lines of it: the same with `--full`", "dim")))


def _line(share: Share) -> str:
    reasons = len(share.missing) - len(share.open)
    excused = f", {reasons} more for a reason" if reasons else ""
    reached = share.total - len(share.missing)
    return f"  {share.percent:5.1f} %  {reached} of {share.total} {SAID[share.kind]}{excused}"


def _threshold(share: Share, wanted: Mapping[str, float]) -> str:
    least = wanted.get(share.kind, 0.0)
    return f"  less than {least:g} %" if share.percent < least else ""


def printed_line(numbers: Sequence[Number]) -> str:
    """How many printed numbers are cited by rules, held by anything, and shown in a scenario."""
    scope = [number for number in numbers if number.status != "out of scope"]
    cited = sum(1 for number in scope if any(holder.startswith("rule ") for holder in number.holders))
    held = sum(1 for number in scope if number.holders)
    tested = sum(1 for number in scope if number.tests)
    return f"of {len(scope)} printed numbers in scope {cited} are cited by rules, {held} implemented, {tested} tested"


def _scenario_line(reached: Reached, alone: int) -> str:
    both = sum(1 for side in reached.sides if side == BOTH)
    said = f"{len(reached.fired)} rules fired, {len(reached.withheld)} withheld, {both} conditions decided both ways"
    return f"{reached.path}:{reached.line}: {reached.name}: {said}; {alone} things reached here alone"


def _count(number: int, what: str) -> str:
    return f"1 {what}" if number == 1 else f"{number} {what}s"


def coverage_data(found: Coverage, numbers: Sequence[Number]) -> dict[str, Any]:
    """The coverage as plain data."""
    return {
        "ruleset": found.ruleset.name,
        "shares": [_share_data(share) for share in found.shares],
        "printed": [
            {
                "number": number.printed.number,
                "status": number.status,
                "cited": [holder for holder in number.holders if holder.startswith("rule ")],
                "implemented": list(number.holders),
                "tested": list(number.tests),
            }
            for number in numbers
        ],
        "stale_reasons": [_missing_data(one) for one in found.stale],
        "scenarios": [_reached_data(reached, alone) for reached, alone in only_here(found.scenarios)],
    }


def _share_data(share: Share) -> dict[str, Any]:
    return {
        "kind": share.kind,
        "total": share.total,
        "reached": share.total - len(share.missing),
        "percent": round(share.percent, 2),
        "missing": [_missing_data(one) for one in share.missing],
    }


def _missing_data(missing: Missing) -> dict[str, Any]:
    place = missing.place
    return {"path": place.path, "line": place.line, "column": place.column, "what": missing.text, "reason": missing.reason}


def _reached_data(reached: Reached, alone: int) -> dict[str, Any]:
    return {
        "scenario": reached.name,
        "id": reached.id,
        "path": reached.path,
        "line": reached.line,
        "fired": sorted(reached.fired),
        "withheld": sorted(reached.withheld),
        "conditions_both_ways": sum(1 for side in reached.sides if side == BOTH),
        "consequents": len(reached.consequents),
        "steps": [f"{procedure}.{step}" for procedure, step in sorted(reached.steps)],
        "pairs": len(reached.pairs),
        "alone": alone,
    }


def unmet_problems(found: Coverage, wanted: Mapping[str, float]) -> Iterable[Problem]:
    """What is left of the shares that are less than wanted, as problems at their places."""
    for share in found.shares:
        if share.percent < wanted.get(share.kind, 0.0):
            for missing in share.open:
                yield Problem(missing.place, f"uncovered-{share.kind}", missing.text)
