"""Measures many fixture files, in this process or in several."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from riftrules.analysis.coverage.measuring import Measure, Reached
from riftrules.analysis.coverage.reasons import read_reasons
from riftrules.analysis.coverage.summing import Coverage, coverage
from riftrules.scenario.files import Catalogue
from riftrules.scenario.loading import Loaded, load_file
from riftrules.scenario.suite import is_chosen


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which scenarios are measured: `only` are words that name, id or path must hold."""

    ruleset: Path | None = None
    bundled: Path | None = None
    only: tuple[str, ...] = ()


class Measurer:
    """Measures files one by one; `measures` are by the ruleset's folder."""

    def __init__(self, wanted: Wanted) -> None:
        self.wanted = wanted
        self.catalogue = Catalogue(wanted.ruleset, wanted.bundled)
        self.measures: dict[Path, Measure] = {}

    def measure(self, folder: Path) -> Measure:
        """What measures scenarios of the ruleset in a folder."""
        if folder not in self.measures:
            self.measures[folder] = Measure(self.catalogue.ruleset(folder))
        return self.measures[folder]

    def file(self, path: Path) -> tuple[tuple[Path, Reached], ...]:
        """What each scenario of a file reaches, and of which ruleset. Those that cannot be played are left out."""
        loaded = [one for one in load_file(path, self.catalogue).scenarios if one.scenario and self._chosen(path, one)]
        folders = {id(ruleset): folder for folder, ruleset in self.catalogue.loaded.items()}
        return tuple(
            (folder, self.measure(folder).reached(one.scenario)[0])
            for one in loaded
            if one.scenario is not None and not one.scenario.skip and (folder := folders[id(one.ruleset)])
        )

    def _chosen(self, path: Path, one: Loaded) -> bool:
        return is_chosen(one.name, one.scenario.id if one.scenario else "", path, self.wanted.only)


_measurer: Measurer | None = None  # a worker process has one for its life


def _start(wanted: Wanted) -> None:
    global _measurer  # noqa: PLW0603 - see above
    _measurer = Measurer(wanted)


def _file(path: Path) -> tuple[tuple[Path, Reached], ...]:
    assert _measurer is not None  # noqa: S101 - the pool has called _start
    return _measurer.file(path)


def measured(files: Sequence[Path], wanted: Wanted, undecided: Sequence[Path] = (), *, workers: int = 1) -> tuple[Coverage, ...]:
    """What the scenarios of these files reach, for each ruleset they are of. Raises RulesetError, ScenarioError."""
    here = Measurer(wanted)
    if workers > 1 and len(files) > 1:
        with ProcessPoolExecutor(min(workers, len(files)), initializer=_start, initargs=(wanted,)) as pool:
            results = list(pool.map(_file, files, chunksize=4))
    else:
        results = [here.file(path) for path in files]
    found: dict[Path, list[Reached]] = {}
    for folder, reached in (pair for result in results for pair in result):
        found.setdefault(folder, []).append(reached)
    measures = {folder: here.measure(folder) for folder in sorted(found)}
    return tuple(
        coverage(measure, found[folder], read_reasons(undecided, measure.ruleset.name)) for folder, measure in measures.items()
    )
