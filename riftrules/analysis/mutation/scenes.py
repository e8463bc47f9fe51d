"""The scenarios mutants are played against: what each comes by, and what has come of it under the rules as they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, TypeAlias

from riftrules.engine.cycle import Cycle
from riftrules.engine.program import Program, StepPlan
from riftrules.engine.session import Session
from riftrules.engine.stack import StackEntry
from riftrules.facts.memory import Fact
from riftrules.facts.trace import Firing, StackedFrame, Waiting
from riftrules.facts.types import Value
from riftrules.language.model import Ruleset
from riftrules.scenario.model import Expecting, Requesting, Run, Scenario
from riftrules.scenario.playing import play

Facts: TypeAlias = frozenset[tuple[tuple[str, str], tuple[Value, ...]]]
"""The facts that hold: (template, id) and the values of their fields."""


@dataclass(frozen=True, slots=True)
class Stand:
    """How things stood after an item: facts, what was waited for, how it was refused, how often what had fired and happened."""

    facts: Facts
    waiting: Waiting
    refused: tuple[tuple[str, ...], str] | None
    counts: frozenset[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a scenario could expect of a run, item by item: two runs with one outcome no scenario tells apart."""

    error: bool
    stands: tuple[Stand, ...] = ()


@dataclass(frozen=True, slots=True)
class Scene:
    """A scenario that passes. `steps` are the (procedure, step) it visits, `named` the rules its expectations name."""

    scenario: Scenario
    outcome: Outcome
    fired: frozenset[str]
    steps: frozenset[tuple[str, str]]
    events: frozenset[str]
    requests: frozenset[str]
    named: frozenset[str]
    derived: frozenset[tuple[str, str]]
    firings: int
    held: frozenset[str] = frozenset()

    @property
    def where(self) -> str:
        """The path and line of the scenario."""
        return f"{self.scenario.place.path}:{self.scenario.place.line}"

    @property
    def limit(self) -> int:
        """So many firings are more than this scenario can need: a mutant that goes round for ever is stopped soon."""
        return 100 + 5 * self.firings


@dataclass(slots=True)
class Stage:
    """Plays scenarios on programs and keeps the last session, for what a run does not say of itself."""

    program: Program
    limit: int = 10_000
    session: _SeenSession | None = field(default=None, init=False)

    def play(self, scenario: Scenario, limit: int = 0) -> Run:
        """The run of a scenario."""
        self.session = None
        if limit:
            self.limit = limit
        return play(scenario, self.program.ruleset, self._open)

    def _open(self, _: Ruleset, facts: Sequence[Fact], stack: Sequence[StackedFrame]) -> Session:
        self.session = _SeenSession(self.program, facts, stack, limit=self.limit, matcher="demand")
        return self.session

    def outcome(self, run: Run) -> Outcome:
        """Everything a scenario might have expected of the run."""
        if self.session is None:
            return Outcome(error=True)
        return outcome_of(run, self.session)

    def scene(self, scenario: Scenario) -> Scene | None:
        """The scenario with what it comes by; None where it does not pass."""
        run = self.play(scenario)
        if run.verdict.status != "passed" or self.session is None:
            return None
        firings = list(run.trace.firings())
        return Scene(
            scenario,
            self.outcome(run),
            frozenset(firing.rule for firing in firings),
            self.session.steps(),
            frozenset(event.template for event in run.trace.events()),
            frozenset(item.procedure for item in scenario.items if isinstance(item, Requesting)),
            frozenset(_named(scenario)),
            frozenset(_derived(scenario)),
            len(firings),
        )


def outcome_of(run: Run, session: Session) -> Outcome:
    """What stood after each item: facts, what was waited for, what was refused, what had fired and happened."""
    facts = {(fact.template, fact.id): _values(fact) for fact in run.before}
    stands: list[Stand] = []
    written = entries = 0
    counts: Counter[str] = Counter()
    for moment in run.moments:
        for write in session.memory.log[written : moment.writes]:
            if write.after is None:
                facts.pop((write.template, write.id), None)
            else:
                facts[write.template, write.id] = _values(write.after)
        for entry in run.trace.entries[entries : moment.entries]:
            if isinstance(entry, Firing):
                counts[entry.rule] += 1
                counts.update(f"event {event.template}" for event in entry.emitted)
        written, entries = moment.writes, moment.entries
        refusal = moment.refusal
        refused = None if refusal is None else (tuple(one.rule for one in refusal.rules), refusal.reason)
        waiting = replace(moment.waiting, frame="", step="")  # where it waits no scenario can ask
        stands.append(Stand(frozenset(facts.items()), waiting, refused, frozenset(counts.items())))
    return Outcome(run.verdict.status == "error", tuple(stands))


def _values(fact: Fact) -> tuple[Value, ...]:
    return tuple(fact.values.values())


def _named(scenario: Scenario) -> set[str]:
    """The rules that a scenario's expectations name."""
    expectations = [scenario.then, *(item.expectation for item in scenario.items if isinstance(item, Expecting))]
    found: set[str] = set()
    for one in expectations:
        found.update(name for name, _ in one.not_fired)
        found.update(name for name, _, _ in (one.fired.counts if one.fired else ()))
    for item in scenario.items:
        if isinstance(item, Requesting) and item.refused is not None:
            found.update(item.refused.rules or (), (item.refused.rule,) if item.refused.rule else ())
    return found


def _derived(scenario: Scenario) -> set[tuple[str, str]]:
    expectations = [scenario.then, *(item.expectation for item in scenario.items if isinstance(item, Expecting))]
    return {(fact.template, test.field) for one in expectations for fact in one.facts for test in fact.tests if test.derived}


class _SeenCycle(Cycle):
    """A cycle that keeps which steps it visits."""

    seen: set[tuple[str, str]] | None = None

    def _visit(self, entry: StackEntry, step: StepPlan) -> Waiting | None:
        if self.seen is None:
            self.seen = set()
        self.seen.add((entry.routine.name, step.name))
        return super()._visit(entry, step)


class _SeenSession(Session):
    """A session that knows the steps it has visited."""

    cycle_type: ClassVar[type[Cycle]] = _SeenCycle

    def steps(self) -> frozenset[tuple[str, str]]:
        """The (procedure, step) visited so far."""
        seen = self._cycle.seen if isinstance(self._cycle, _SeenCycle) else None
        return frozenset(seen or ())
