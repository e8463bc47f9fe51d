"""`riftrules test --coverage`: what of the rules the scenarios reach."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from riftrules.analysis.coverage.suite import Wanted, measured
from riftrules.analysis.coverage.summing import ALL, KINDS, Coverage, unmet
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
    """The coverage of one ruleset with its printed numbers."""

    coverage: Coverage
    numbers: tuple[Number, ...]


def covered(files: Sequence[Path], paths: Sequence[Path], options: Options, workers: int) -> tuple[Covered, ...]:
    """What the scenarios of these files reach, for each ruleset. `paths` are where what is undecided may be listed."""
    wanted = Wanted(options.ruleset, options.bundled, options.only)
    found = measured(files, wanted, find_undecided(paths), workers=workers)
    return tuple(Covered(one, numbers_of(one.ruleset, one.scenarios)) for one in found)


def is_met(found: Iterable[Covered], wanted: dict[str, float]) -> bool:
    """Whether every threshold is reached for every ruleset."""
    return not any(unmet(one.coverage, wanted) for one in found)
