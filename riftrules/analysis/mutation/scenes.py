"""The scenarios mutants are played against: what each comes by, and what could be expected of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from riftrules.engine.program import Program
from riftrules.engine.session import Session
from riftrules.facts.memory import Fact
from riftrules.facts.trace import Firing, StackedFrame, Waiting
from riftrules.facts.types import Value, value_order
from riftrules.language.model import Ruleset
from riftrules.scenario.model import Expectation, Expecting, Requesting, Run, Scenario
from riftrules.scenario.playing import play

Facts: TypeAlias = frozenset[tuple[tuple[str, str], tuple[Value, ...]]]
"""The facts that hold: (template, id) and the values of their fields. Frames are counted, for no scenario knows their ids."""


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
    """A scenario that passes, by its place among all, and what it comes by under the rules as they are.

    `fired` are the rules that fire and `held` those whose conditions hold; `named` are those its expectations name, and
    `derived` the derived fields they ask for. `infected` are the mutants of rules that could matter in it.
    """

    place: int
    where: str
    fired: frozenset[str]
    held: frozenset[str]
    steps: frozenset[tuple[str, str]]
    events: frozenset[str]
    requests: frozenset[str]
    named: frozenset[str]
    derived: frozenset[tuple[str, str]]
    firings: int
    infected: frozenset[int] = frozenset()


@dataclass(slots=True)
class Stage:
    """Plays scenarios on a program and keeps the last session, for what a run does not say of itself."""

    program: Program
    limit: int = 10_000
    session: Session | None = field(default=None, init=False)

    def play(self, scenario: Scenario, limit: int = 0) -> Run:
        """The run of a scenario."""
        self.session = None
        if limit:
            self.limit = limit
        return play(scenario, self.program.ruleset, self._open)

    def _open(self, _: Ruleset, facts: Sequence[Fact], stack: Sequence[StackedFrame]) -> Session:
        self.session = Session(self.program, facts, stack, limit=self.limit, matcher="demand")
        return self.session

    def outcome(self, run: Run) -> Outcome:
        """Everything a scenario might have expected of the run."""
        return Outcome(error=True) if self.session is None else outcome_of(run, self.session)


def limit_of(firings: int) -> int:
    """So many firings are more than a scenario with these can need: a mutant that goes round for ever is stopped soon."""
    return 100 + 5 * firings


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
        waiting = replace(moment.waiting, frame="", step="", pass_number=0)  # where it waits no scenario can ask
        stands.append(Stand(_stood(facts, run.ruleset), waiting, refused, frozenset(counts.items())))
    return Outcome(run.verdict.status == "error", tuple(stands))


def _stood(facts: Mapping[tuple[str, str], tuple[Value, ...]], ruleset: Ruleset) -> Facts:
    standing = {key: values for key, values in facts.items() if ruleset.templates[key[0]].kind != "frame"}
    frames: dict[str, list[tuple[Value, ...]]] = {}
    for (template, _), values in facts.items():
        if ruleset.templates[template].kind == "frame":
            frames.setdefault(template, []).append(values)
    counted = {
        (template, str(number)): values
        for template, listed in frames.items()
        for number, values in enumerate(sorted(listed, key=lambda values: tuple(value_order(one) for one in values)), 1)
    }
    return frozenset((standing | counted).items())


def _values(fact: Fact) -> tuple[Value, ...]:
    return tuple(fact.values.values())


def named_rules(scenario: Scenario) -> frozenset[str]:
    """The rules that a scenario's expectations name."""
    found: set[str] = set()
    for one in _expectations(scenario):
        found.update(name for name, _ in one.not_fired)
        found.update(name for name, _, _ in (one.fired.counts if one.fired else ()))
    for item in scenario.items:
        if isinstance(item, Requesting) and item.refused is not None:
            found.update(item.refused.rules or (), (item.refused.rule,) if item.refused.rule else ())
    return frozenset(found)


def derived_fields(scenario: Scenario) -> frozenset[tuple[str, str]]:
    """The derived fields that a scenario's expectations ask for."""
    facts = (fact for one in _expectations(scenario) for fact in one.facts)
    return frozenset((fact.template, test.field) for fact in facts for test in fact.tests if test.derived)


def _expectations(scenario: Scenario) -> Iterator[Expectation]:
    yield scenario.then
    yield from (item.expectation for item in scenario.items if isinstance(item, Expecting))
