"""Searches for a board and a sequence of events that tell two rulesets apart: bounded, the smallest first."""

from __future__ import annotations

import time
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from riftrules.analysis.comparing.changes import Changes, plain
from riftrules.analysis.comparing.comparison import Players
from riftrules.analysis.comparing.impact import may_differ, touched
from riftrules.analysis.comparing.instances import instances
from riftrules.analysis.comparing.mixing import Revision
from riftrules.analysis.comparing.outcomes import Comparing, Divergence
from riftrules.analysis.comparing.realising import on_both
from riftrules.analysis.comparing.relevance import Relevance, relevance
from riftrules.analysis.comparing.sentinel import Sentinel, Suspects, suspects_of
from riftrules.analysis.comparing.shrinking import shrunk
from riftrules.analysis.comparing.telling import fixture_of
from riftrules.scenario.model import Run, Scenario

FAULT = "the engine has a fault"
"""What a verdict begins with where a board is none that can be: no difference between rulesets."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How far a search goes: so many changes from a board, so many boards to begin with, so long."""

    changes: int = 3
    seeds: int = 200
    seconds: float = 60.0


@dataclass(frozen=True, slots=True)
class Found:
    """A board that tells the rulesets apart, what comes of it, and the fixture that says so."""

    scenario: Scenario
    divergence: Divergence
    text: str


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
        if self.found is not None:
            return f"found after {self.plays} boards"
        if self.complete:
            return f"no difference up to bound {self.bound}, {self.plays} boards"
        return f"no difference found in {self.plays} boards; not finished: bound {self.bound}"


@dataclass(slots=True)
class Search:
    """A search between two rulesets, from these scenarios and from boards made of the rules' own conditions."""

    revision: Revision
    seeds: Sequence[Scenario]
    players: Players = field(default_factory=Players)
    limits: Limits = field(default_factory=Limits)
    plays: int = 0
    tried: set[Hashable] = field(default_factory=set)
    began: float = field(default_factory=time.monotonic)
    matters: Relevance = field(init=False)
    comparing: Comparing = field(init=False)
    suspects: Suspects | None = field(init=False)

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
            if self._tells(scenario):
                return self._found(scenario)
            seeds.append(scenario)
        for level in range(1, self.limits.changes + 1):
            for scenario in self._changed(seeds, changes, level):
                if self._late:
                    return self._none(level, seeds, complete=False)
                if self._tells(scenario):
                    return self._found(scenario)
        return self._none(self.limits.changes, seeds, complete=True)

    @property
    def _late(self) -> bool:
        return time.monotonic() - self.began > self.limits.seconds

    def _none(self, level: int, seeds: Sequence[Scenario], *, complete: bool) -> Searched:
        bound = f"{_count(level, 'change')} of {_count(len(seeds), 'board')}"
        return Searched(None, self.plays, bound, complete)

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

    def _tells(self, scenario: Scenario) -> bool:
        key = (scenario.facts, scenario.stack, tuple(repr(item) for item in scenario.items), scenario.mode)
        mark = hash(tuple((fact, tuple(fact.values.items())) for fact in key[0])), hash(key[2]), str(key[1]), key[3]
        if mark in self.tried:
            return False
        self.tried.add(mark)
        return self.divergence(scenario) is not None

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
        small = shrunk(scenario, self.revision.new, lambda one: self.divergence(one) is not None, seconds=10.0)
        divergence = self.divergence(small)
        if divergence is None:  # the same board was played before and did differ
            return Searched(None, self.plays, "a board that differs one time in two", complete=False)
        told, text = fixture_of(small, self.runs(small), self.revision, divergence)
        return Searched(Found(told, replace(divergence, scenario=told.name), text), self.plays, "", complete=True)


def _count(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def size(scenario: Scenario) -> int:
    """How big a board and what is done on it are."""
    return len(scenario.facts) + 2 * len(scenario.stack) + 2 * len(scenario.items)
