"""Proves within a scope: goes through all states breadth first, level by level, in an order that no number of workers changes."""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from riftrules.analysis.proof.exploring import expand, starts
from riftrules.analysis.proof.findings import Batch, Expanded, Finding, Node, Trail
from riftrules.analysis.proof.journal import Keeper, NoJournal, digest
from riftrules.analysis.proof.setup import Setup
from riftrules.analysis.proof.vacuity import Weakening
from riftrules.errors import RunError
from riftrules.language.model import ProofScope, Ruleset
from riftrules.scenario.workers import Alone, Crew, Lost

BATCH = 32
"""States in a batch. It is the same however many work, so that what is found, and first, is the same too."""

Told: TypeAlias = Callable[["Progress"], None]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a proof is: the level, how much of it is done, and what was met so far."""

    level: int
    done: int
    of: int
    states: int
    transitions: int
    findings: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Limits:
    """When to stop before the scope is through: after so many seconds, or at the end of the level with a finding."""

    seconds: float | None = None
    first: bool = False


@dataclass(frozen=True, slots=True)
class Proof:
    """What was covered and what was found.

    Of the `boards` it started from `distinct` differ in more than names, and `left_out` more violate an invariant.
    `finished` says that the scope was gone through; `closed` that no new state was found at the end, so that the proof
    holds of runs of any length. `unfired` are the rules that neither fired, refused nor asked. `witnesses` are the
    weakened invariants with the way to a state in which each would be violated, `unwitnessed` those without.
    """

    ruleset: str
    edition: str
    scope: ProofScope
    mode: str
    finished: bool
    closed: bool
    depth: int
    boards: int
    distinct: int
    left_out: int
    states: int
    transitions: int
    refused: int
    ties: int
    orders: int
    longest: int
    compared: int
    findings: tuple[Finding, ...]
    fired: tuple[str, ...]
    unfired: tuple[str, ...]
    witnesses: tuple[tuple[Weakening, int, Trail], ...]
    unwitnessed: tuple[Weakening, ...]
    invariants: tuple[str, ...]
    symmetries: tuple[str, ...]
    seconds: float
    resumed: int = 0

    @property
    def proved(self) -> bool:
        """Whether the scope was gone through and nothing was found."""
        return self.finished and not self.findings


@dataclass(slots=True)
class States:
    """The states met, each by the state before it and the step from there; a start has its board (negative) before it."""

    before: array[int] = field(default_factory=lambda: array("q"))
    step: array[int] = field(default_factory=lambda: array("i"))
    number: array[int] = field(default_factory=lambda: array("q"))
    met: set[int] = field(default_factory=set)

    def add(self, number: int, before: int, step: int) -> None:
        """Note a state, unless it was met."""
        if number not in self.met:
            self.met.add(number)
            self.before.append(before)
            self.step.append(step)
            self.number.append(number)

    def node(self, place: int) -> Node:
        """A state with the way to it."""
        number, trail = self.number[place], []
        while self.before[place] >= 0:
            trail.append(self.step[place])
            place = self.before[place]
        return Node(-1 - self.before[place], tuple(reversed(trail)), number)

    def __len__(self) -> int:
        return len(self.before)


class Proving:
    """One proof going on."""

    def __init__(
        self, ruleset: Ruleset, scope: ProofScope, mode: str = "", *, workers: Crew | None = None, keeper: Keeper | None = None
    ) -> None:
        self.mode = mode or scope.modes[0]
        self.key = digest(ruleset, scope, self.mode)
        self.setup = Setup(self.key, ruleset, scope, self.mode)
        self.workers = workers or Alone()
        self.keeper = keeper or NoJournal()
        self.states = States()
        self.all = Expanded()
        self.found: dict[tuple[str, tuple[str, ...]], Finding] = {}
        self.depth = self.boards = self.distinct = self.left_out = self.resumed = 0
        self.finished = self.closed = False
        self._begun = time.perf_counter()

    def run(self, limits: Limits | None = None, told: Told | None = None) -> Proof:
        """Go through the scope. KeyboardInterrupt, or the end of the time, leaves a proof that is not finished."""
        limits = limits or Limits()
        try:
            self._starts()
            self._levels(limits, told or (lambda _: None))
        except (KeyboardInterrupt, TimeoutError):
            self.finished = False
        return self.proof()

    def _starts(self) -> None:
        try:
            for board, number, violated in starts(self.setup):
                if violated:
                    self.left_out += 1  # the rules did not make it
                    continue
                self.boards += 1
                self.states.add(number, -1 - board, 0)
            self.distinct = len(self.states)
        except RunError as error:
            self._note(Finding("failure", (error.rule,), error.message, self.boards + self.left_out, ()))

    def _levels(self, limits: Limits, told: Told) -> None:
        begin = 0
        while True:
            frontier = range(begin, len(self.states))
            self.closed = not frontier
            if self.closed or self.depth == self.setup.scope.depth or (limits.first and self.found):
                self.finished = self.closed or self.depth == self.setup.scope.depth
                return
            begin = len(self.states)
            self._level(frontier, limits, told)
            self.depth += 1

    def _level(self, frontier: Sequence[int], limits: Limits, told: Told) -> None:
        """Go on from every state of a level; what comes of it is put together in the order of its states."""
        parts = [frontier[at : at + BATCH] for at in range(0, len(frontier), BATCH)]
        unwitnessed = tuple(one for one in range(len(self.setup.weaker[0])) if one not in self.all.witnesses)
        done: dict[int, Expanded] = {}
        for place, found in self._batches(parts, unwitnessed):
            done[place] = found
            told(self._progress(sum(len(parts[one]) for one in done), len(frontier), done))
            if limits.seconds is not None and self._seconds() > limits.seconds:
                raise TimeoutError
        for place, part in enumerate(parts):
            self._merge(done[place], part)

    def _batches(self, parts: Sequence[Sequence[int]], unwitnessed: tuple[int, ...]) -> Iterator[tuple[int, Expanded]]:
        """What came of each part, from an earlier run where it is known."""
        missing = []
        for place in range(len(parts)):
            kept = self.keeper.kept(self.depth, place)
            if kept is None:
                missing.append(place)
            else:
                self.resumed += 1
                yield place, kept
        batches = _Lazy(self.states, [parts[place] for place in missing], unwitnessed)
        for place, found in self.workers.work(expand, self.setup, batches):
            if isinstance(found, Lost):
                message = "a process died over the same states twice"
                raise RunError(message)
            self.keeper.keep(self.depth, missing[place], found)
            yield missing[place], found

    def _merge(self, found: Expanded, part: Sequence[int]) -> None:
        all_ = self.all
        for place, successors in zip(part, found.successors, strict=True):
            for number, step in successors:
                self.states.add(number, place, step)
        for finding in found.findings:
            self._note(finding)
        for weakening, way in found.witnesses.items():
            all_.witnesses.setdefault(weakening, way)
        all_.fired |= found.fired
        all_.transitions += found.transitions
        all_.refused += found.refused
        all_.ties += found.ties
        all_.orders += found.orders
        all_.longest = max(all_.longest, found.longest)
        all_.compared += found.compared

    def _note(self, finding: Finding) -> None:
        self.found.setdefault(finding.key, finding)

    def _seconds(self) -> float:
        return time.perf_counter() - self._begun

    def _progress(self, done: int, of: int, parts: dict[int, Expanded]) -> Progress:
        transitions = self.all.transitions + sum(one.transitions for one in parts.values())
        findings = len({*self.found, *(finding.key for one in parts.values() for finding in one.findings)})
        return Progress(self.depth + 1, done, of, len(self.states), transitions, findings, self._seconds())

    def proof(self) -> Proof:
        """What has been covered and found so far."""
        ruleset, scope, all_ = self.setup.ruleset, self.setup.scope, self.all
        weaker = self.setup.weaker[0]
        return Proof(
            ruleset=ruleset.name,
            edition=ruleset.edition,
            scope=scope,
            mode=self.mode,
            finished=self.finished,
            closed=self.closed,
            depth=self.depth,
            boards=self.boards,
            distinct=self.distinct,
            left_out=self.left_out,
            states=len(self.states),
            transitions=all_.transitions,
            refused=all_.refused,
            ties=all_.ties,
            orders=all_.orders,
            longest=all_.longest,
            compared=all_.compared,
            findings=tuple(self.found.values()),
            fired=tuple(sorted(all_.fired)),
            unfired=tuple(rule.id for rule in ruleset.rules if rule.id not in all_.fired),
            witnesses=tuple((weaker[one], *all_.witnesses[one]) for one in sorted(all_.witnesses)),
            unwitnessed=tuple(one for place, one in enumerate(weaker) if place not in all_.witnesses),
            invariants=tuple(one.name for one in ruleset.invariants),
            symmetries=tuple(name for name, template in ruleset.templates.items() if template.symmetric),
            seconds=self._seconds(),
            resumed=self.resumed,
        )


class _Lazy(Sequence[Batch]):
    """Batches that are made when they are given out: ways take more room than states."""

    def __init__(self, states: States, parts: Sequence[Sequence[int]], unwitnessed: tuple[int, ...]) -> None:
        self._states, self._parts, self._unwitnessed = states, parts, unwitnessed

    def __len__(self) -> int:
        return len(self._parts)

    def __getitem__(self, place: int) -> Batch:  # type: ignore[override]  # one at a time is all that is asked for
        return Batch(tuple(self._states.node(one) for one in self._parts[place]), self._unwitnessed)
