"""Searches for a board and a sequence of events that tell two rulesets apart: bounded, the smallest first."""

from __future__ import annotations

import time
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from riftrules.analysis.comparing.changes import Changes, coherent, plain
from riftrules.analysis.comparing.impact import may_differ, touched
from riftrules.analysis.comparing.instances import instances
from riftrules.analysis.comparing.mixing import Revision
from riftrules.analysis.comparing.outcomes import Comparing, Divergence
from riftrules.analysis.comparing.players import Players
from riftrules.analysis.comparing.realising import on_both
from riftrules.analysis.comparing.relevance import Relevance, relevance
from riftrules.analysis.comparing.sentinel import Sentinel, Suspects, suspects_of
from riftrules.analysis.comparing.shrinking import shrunk
from riftrules.analysis.comparing.telling import Told, told, untold
from riftrules.scenario.model import Run, Scenario

FAULT = "the engine has a fault"
"""What a verdict begins with where a board is none that can be: no difference between rulesets."""


FIRINGS = 1_000
"""A run that takes more firings than this for one request is taken to be going round for ever."""

SHRINKING = 10.0
"""So many seconds at most are spent on making what was found smaller."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How far a search goes: so many changes from a board, so many boards to begin with, so long."""

    changes: int = 3
    seeds: int = 200
    seconds: float = 60.0


@dataclass(frozen=True, slots=True)
class Found:
    """A board that tells the rulesets apart, what comes of it, and the fixture that says so."""

    divergence: Divergence
    told: Told

    @property
    def text(self) -> str:
        """The fixture."""
        return self.told.text

    @property
    def scenario(self) -> Scenario:
        """The board, and what is done on it."""
        return self.told.scenario


@dataclass(frozen=True, slots=True)
class Searched:
    """What a search came to. `complete` says that everything within the bound was tried."""

    found: Found | None
    plays: int
    bound: str
    complete: bool

    @property
    def said(self) -> str:
        """The result in a sentence."""
        boards = _count(self.plays, "board")
        if self.found is not None and self.found.told.side:
            return f"found after {boards}"
        if self.found is not None:
            return f"found in {boards}, but only where no scenario could expect it"
        if self.complete:
            return f"no difference up to bound {self.bound}, {boards}"
        return f"no difference found in {boards}; not finished: bound {self.bound}"


@dataclass(slots=True)
class Search:
    """A search between two rulesets, from these scenarios and from boards made of the rules' own conditions."""

    revision: Revision
    seeds: Sequence[Scenario]
    players: Players = field(default_factory=lambda: Players(FIRINGS))
    limits: Limits = field(default_factory=Limits)
    plays: int = 0
    tried: set[Hashable] = field(default_factory=set)
    began: float = field(default_factory=time.monotonic)
    matters: Relevance = field(init=False)
    comparing: Comparing = field(init=False)
    suspects: Suspects | None = field(init=False)
    weak: Scenario | None = None

    def __post_init__(self) -> None:
        self.matters = relevance(self.revision)
        self.comparing = Comparing(self.revision.found.renamed)
        self.suspects = suspects_of(self.revision)

    def run(self) -> Searched:
        """Search until a difference is found, everything within the bound is tried, or time is up."""
        changes = Changes(self.revision.new, self.matters)
        seeds: list[Scenario] = []
        for scenario in self._seeds():
            if self._late:
                return self._none(0, seeds, complete=False)
            if not self._is_new(scenario):
                continue
            if self._tells(scenario):
                return self._found(scenario)
            seeds.append(scenario)
        for level in range(1, self.limits.changes + 1):
            for scenario in self._changed(seeds, changes, level):
                if self._late:
                    return self._none(level, seeds, complete=False)
                if self._is_new(scenario) and self._tells(scenario):
                    return self._found(scenario)
        return self._none(self.limits.changes, seeds, complete=True)

    @property
    def _late(self) -> bool:
        return time.monotonic() - self.began > self.limits.seconds

    def _none(self, level: int, seeds: Sequence[Scenario], *, complete: bool) -> Searched:
        """Nothing that a scenario could expect; a difference all the same, where there was one."""
        bound = f"{_count(level, 'change')} of {_count(len(seeds), 'board')}"
        found = None
        if self.weak is not None:
            small = shrunk(self.weak, self.revision.new, self._differs, seconds=SHRINKING)
            divergence = self.divergence(small)
            if divergence is not None:
                found = Found(divergence, untold(small, self.revision, divergence))
        return Searched(found, self.plays, bound, complete)

    # -------------------------------------------------------------------------------------------- where to begin

    def _seeds(self) -> Iterator[Scenario]:
        """Boards made of the conditions of the rules concerned, then scenarios that come to those rules, the smallest first."""
        yield from instances(self.matters, self.revision.new)
        what, sides = touched(self.revision), (self.revision.old, self.revision.new)
        near: list[tuple[int, Scenario]] = []
        for scenario in self.seeds:
            run = self.players.play(plain(scenario), self.revision.new)
            if may_differ(run, what, sides):
                near.append((size(scenario), plain(scenario)))
        near.sort(key=lambda pair: pair[0])
        yield from (scenario for _, scenario in near[: self.limits.seeds])

    def _changed(self, seeds: Iterable[Scenario], changes: Changes, level: int) -> Iterator[Scenario]:
        """Each board changed so often, a change of each board in turn."""
        turns = [self._deep(scenario, changes, level) for scenario in seeds]
        while turns:
            going = []
            for turn in turns:
                changed = next(turn, None)
                if changed is not None:
                    yield changed
                    going.append(turn)
            turns = going

    def _deep(self, scenario: Scenario, changes: Changes, level: int) -> Iterator[Scenario]:
        for changed in changes.of(scenario):
            if level == 1:
                yield changed
            else:
                yield from self._deep(changed, changes, level - 1)

    # -------------------------------------------------------------------------------------------- trying

    def _is_new(self, scenario: Scenario) -> bool:
        """Whether the board has not been tried."""
        facts = tuple((fact, tuple(fact.values.items())) for fact in scenario.facts)
        mark = hash(facts), str(scenario.stack), hash(tuple(repr(item) for item in scenario.items)), scenario.mode
        known = mark in self.tried
        self.tried.add(mark)
        return not known

    def _tells(self, scenario: Scenario) -> bool:
        """Whether a fixture of the board would pass on one side and not on the other."""
        if not self._differs(scenario):
            return False
        if self._told(scenario) is not None:
            return True
        self.weak = self.weak or scenario
        return False

    def _differs(self, scenario: Scenario) -> bool:
        return coherent(scenario, self.revision.new) and self.divergence(scenario) is not None

    def _told(self, scenario: Scenario) -> Found | None:
        divergence = self.divergence(scenario)
        found = divergence and told(scenario, self.runs(scenario), self.revision, divergence, self.players)
        return Found(replace(divergence, scenario=found.scenario.name), found) if divergence and found else None

    def divergence(self, scenario: Scenario) -> Divergence | None:
        """Where the two sides part on this board."""
        self.plays += 1
        if self.suspects is not None:
            sentinel = Sentinel(self.suspects)
            old = self.players.watched(scenario, self.revision.old, sentinel)
            if not sentinel.alarmed:
                return None
            new = self.players.play(scenario, self.revision.new)
        else:
            old, new = self.runs(scenario)
        broken = any(run.verdict.reason.startswith(FAULT) for run in (old, new))
        return None if broken else self.comparing.divergence(old, new)

    def runs(self, scenario: Scenario) -> tuple[Run, Run]:
        """What comes of a board on either side."""
        old, new = on_both(scenario, self.revision)
        return self.players.play(old, self.revision.old), self.players.play(new, self.revision.new)

    def _found(self, scenario: Scenario) -> Searched:
        def shows(one: Scenario) -> bool:
            return self._differs(one) and self._told(one) is not None

        small = shrunk(scenario, self.revision.new, shows, seconds=SHRINKING)
        return Searched(self._told(small), self.plays, "", complete=True)


def _count(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def size(scenario: Scenario) -> int:
    """How big a board and what is done on it are."""
    return len(scenario.facts) + 2 * len(scenario.stack) + 2 * len(scenario.items)
