"""`riftrules test --coverage`: what of the rules the scenarios reach."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from riftrules.analysis.coverage.suite import Wanted, measured
from riftrules.analysis.coverage.summing import ALL, KINDS, Coverage, unmet
from riftrules.errors import Problem
from riftrules.report.console import console
from riftrules.report.coverage import coverage_data, print_coverage, unmet_problems
from riftrules.report.rulebook import Number, numbers_of
from riftrules.scenario.files import find_undecided
from riftrules.scenario.suite import Options


def thresholds(texts: Iterable[str]) -> dict[str, float]:
    """What `--min` asks for: `95` of everything but pairs, `conditions=95` of one kind. Raises ValueError with the reason."""
    found: dict[str, float] = {}
    for text in texts:
        kind, equals, number = text.rpartition("=")
        if equals and kind not in KINDS:
            message = f"there is no `{kind}` to cover: {', '.join(KINDS)}"
            raise ValueError(message)
        try:
            least = float(number)
        except ValueError:
            least = -1.0
        if not 0 <= least <= 100:
            message = f"`{number}` is no number from 0 to 100"
            raise ValueError(message)
        found |= dict.fromkeys((kind,) if equals else ALL, least)
    return found


@dataclass(frozen=True, slots=True)
class Covered:
    """The coverage of each ruleset with its printed numbers, and what is wanted of it."""

    rulesets: tuple[tuple[Coverage, tuple[Number, ...]], ...]
    wanted: Mapping[str, float]

    @property
    def is_met(self) -> bool:
        """Whether every threshold is reached for every ruleset."""
        return not any(unmet(coverage, self.wanted) for coverage, _ in self.rulesets)

    def data(self) -> list[dict[str, Any]]:
        """As plain data."""
        return [coverage_data(coverage, numbers) for coverage, numbers in self.rulesets]

    def problems(self) -> tuple[Problem, ...]:
        """What is left of what is less than wanted."""
        return tuple(problem for coverage, _ in self.rulesets for problem in unmet_problems(coverage, self.wanted))

    def show(self, *, each: bool, full: bool) -> None:
        """Print it, with `each` scenario by scenario too. What is left of several rulesets is summed up, if not `full`."""
        in_full = full or len(self.rulesets) == 1
        for coverage, numbers in self.rulesets:
            print_coverage(coverage, numbers, console(), self.wanted, each=each, full=in_full)


def covered(files: Sequence[Path], paths: Sequence[Path], options: Options, workers: int, least: Iterable[str]) -> Covered:
    """What the scenarios of these files reach. `paths` are where what is undecided may be listed."""
    wanted = Wanted(options.ruleset, options.bundled, options.only)
    found = measured(files, wanted, find_undecided(paths), workers=workers)
    return Covered(tuple((one, numbers_of(one.ruleset, one.scenarios)) for one in found), thresholds(least))
