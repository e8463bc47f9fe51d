"""Compares two rulesets over all scenarios, in this process or shared out among a crew."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias

from riftrules.analysis.comparing.blaming import Blaming
from riftrules.analysis.comparing.comparison import Case, Comparison, OneSided
from riftrules.analysis.comparing.impact import Touched, may_differ, touched
from riftrules.analysis.comparing.mixing import Revision
from riftrules.analysis.comparing.outcomes import Comparing
from riftrules.analysis.comparing.players import Players
from riftrules.analysis.comparing.reach import Reach
from riftrules.analysis.comparing.reading import Both, Read, Reader, on_both_sides
from riftrules.analysis.comparing.sentinel import Sentinel, Suspects, suspects_of
from riftrules.errors import Problem, RunError
from riftrules.scenario.model import Run, Scenario
from riftrules.scenario.workers import Crew, Lost

Progress: TypeAlias = Callable[[int, int], None]


def compare(revision: Revision, fixtures: Sequence[Path], players: Players, progress: Progress | None = None) -> Comparison:
    """The whole comparison over the scenarios of these files, in this process."""
    return _Work(revision, players, progress or (lambda _done, _all: None)).all(fixtures)


def compare_with(crew: Crew, revision: Revision, fixtures: Sequence[Path]) -> Comparison:
    """The same comparison, the files shared out among a crew. Raises RunError where a process of it dies."""
    shares = [tuple(fixtures[first :: crew.size]) for first in range(crew.size)]
    parts = []
    for _, part in crew.work(_share, revision, shares):
        if isinstance(part, Lost):
            message = "a process died over the same scenarios twice"
            raise RunError(message)
        parts.append(part)
    return _ordered(
        Comparison(
            revision,
            tuple(case for part in parts for case in part.cases),
            tuple(one for part in parts for one in part.one_sided),
            tuple(problem for part in parts for problem in part.unreadable),
            sum(part.played for part in parts),
            sum(part.spared for part in parts),
        )
    )


@dataclass(frozen=True, slots=True)
class _Part:
    """What came of a share of the files."""

    cases: tuple[Case, ...]
    one_sided: tuple[OneSided, ...]
    unreadable: tuple[Problem, ...]
    played: int
    spared: int


def _share(revision: Revision, fixtures: tuple[Path, ...]) -> _Part:
    found = compare(revision, fixtures, Players())
    return _Part(found.cases, found.one_sided, found.unreadable, found.played, found.spared)


def _ordered(found: Comparison) -> Comparison:
    """The comparison in the order of the places, whoever has made it."""
    return replace(
        found,
        cases=tuple(sorted(found.cases, key=lambda case: case.divergence.place)),
        one_sided=tuple(sorted(found.one_sided, key=lambda one: one.place)),
        unreadable=tuple(sorted(found.unreadable)),
    )


@dataclass(slots=True)
class _Work:
    revision: Revision
    players: Players
    progress: Progress
    reader: Reader = field(init=False)
    comparing: Comparing = field(init=False)
    blaming: Blaming = field(init=False)
    spared: int = 0

    def __post_init__(self) -> None:
        self.reader = Reader(self.revision)
        self.comparing = Comparing(self.revision.found.renamed)
        self.blaming = Blaming(self.revision, self.reader, self.players, self.comparing)

    def all(self, fixtures: Sequence[Path]) -> Comparison:
        if not self.revision.edits:
            return Comparison(self.revision)
        pairs = [pair for path in fixtures for pair in self.reader.read(path)]
        played = [both for pair in pairs if (both := on_both_sides(pair)) is not None and not both.new.skip]
        found = Comparison(
            self.revision,
            tuple(self._cases(played)) if self.revision.playing else (),
            tuple(_one_sided(pair) for pair in pairs if (pair.old.scenario is None) != (pair.new.scenario is None)),
            tuple(
                problem
                for pair in pairs
                if pair.old.scenario is None and pair.new.scenario is None
                for problem in pair.new.problems
            ),
            len(played),
            self.spared if self.revision.playing else len(played),
        )
        return _ordered(found)

    def _cases(self, played: Sequence[Both]) -> Iterator[Case]:
        old_runs = _Old(self.revision, self.players)
        for done, both in enumerate(played, 1):
            old = old_runs.run(both.old)
            if old is not None:
                yield from self._case(both, old)
            else:
                self.spared += 1
            self.progress(done, len(played))

    def _case(self, both: Both, old: Run) -> Iterator[Case]:
        new = self.players.play(both.new, self.revision.new)
        divergence = self.comparing.divergence(old, new)
        if divergence is not None:
            yield Case(divergence, tuple(self.blaming.blames(both, old, new)))


class _Old:
    """Plays scenarios under the old rules, those alone that may come out otherwise under the new ones."""

    def __init__(self, revision: Revision, players: Players) -> None:
        self.revision = revision
        self.players = players
        self.touched: Touched = touched(revision)
        self.suspects: Suspects | None = suspects_of(revision)
        self.reach = None if self.suspects is None else Reach(revision.old, self.suspects.rules)

    def run(self, scenario: Scenario) -> Run | None:
        """The run under the old rules; None where it would be the same under the new ones."""
        if self.suspects is None or self.reach is None:
            run = self.players.play(scenario, self.revision.old)
            return run if may_differ(run, self.touched, (self.revision.old, self.revision.new)) else None
        if not self.reach.concerns(scenario):
            return None
        sentinel = Sentinel(self.suspects)
        run = self.players.watched(scenario, self.revision.old, sentinel)
        return run if sentinel.alarmed else None


def _one_sided(pair: Read) -> OneSided:
    readable, other = (pair.old, pair.new) if pair.old.scenario is not None else (pair.new, pair.old)
    side = "old" if readable is pair.old else "new"
    return OneSided(readable.name, readable.place, side, other.problems)
