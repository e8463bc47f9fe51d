"""The matcher that keeps joins up to date in the match network.

What goes into the network is numbers: each column of a fact either as it is, or as the number under which its value is
known to the session (none is 0). A fact is sent for a selection when it passes its constant tests, and again only when
a column that some join compares has changed. Changes wait until candidates are wanted, so that what comes and goes in
between is never sent; what a join compares is sent from when its candidates are first wanted.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from riftrules.engine.joins import Column, ColumnJoin, JoinPattern, JoinPlan, value_of
from riftrules.engine.network import Blueprint, Join, NetPattern, NetRule, Network
from riftrules.facts.differences import Difference
from riftrules.facts.memory import Fact, WorkingMemory
from riftrules.facts.types import Value


@dataclass(slots=True)
class Projection:
    """Facts of one selection of a template as the network sees them: `columns` in the order of their values."""

    kind: str
    template: str
    make: Callable[[], Callable[[Fact], bool]]
    columns: list[Column] = field(default_factory=list)
    _passes: Callable[[Fact], bool] | None = None

    def passes(self, fact: Fact) -> bool:
        """Whether the fact is one of the selection."""
        if self._passes is None:
            self._passes = self.make()
        return self._passes(fact)

    def add(self, column: Column) -> None:
        """Let the column be sent."""
        if column not in self.columns:
            self.columns.append(column)


class NetworkPlan:
    """What the network holds for the joins of one program. Raises EngineError, naming the rule, beyond its limits."""

    def __init__(self, joins: Sequence[JoinPlan]) -> None:
        by_selection: dict[object, Projection] = {}
        for plan in joins:
            for pattern in plan.patterns:
                if pattern.selection not in by_selection:
                    kind = f"{pattern.template} {len(by_selection)}"
                    by_selection[pattern.selection] = Projection(kind, pattern.template, pattern.passes)
                for join in pattern.joins:
                    by_selection[pattern.selection].add(join.own)
                    by_selection[plan.patterns[join.pattern].selection].add(join.other)
        self.projections = tuple(tuple(by_selection[pattern.selection] for pattern in plan.patterns) for plan in joins)
        self.blueprint = Blueprint(_rule(plan, [by_selection[pattern.selection] for pattern in plan.patterns]) for plan in joins)


def _rule(plan: JoinPlan, projections: Sequence[Projection]) -> NetRule:
    patterns = zip(plan.patterns, projections, strict=True)
    return NetRule(plan.rule, tuple(_pattern(pattern, projection) for pattern, projection in patterns))


def _pattern(pattern: JoinPattern, projection: Projection) -> NetPattern:
    return NetPattern(
        projection.kind, tuple(_name(column) for column in projection.columns), tuple(_join(join) for join in pattern.joins)
    )


def _join(join: ColumnJoin) -> Join:
    return Join(join.op, _name(join.own), join.pattern, _name(join.other), join.plus)


def _name(column: Column) -> str:
    return f"{column[0]} as number" if column[1] else column[0]


class NetworkMatcher:
    """Candidates from the match network, which is opened when they are first wanted."""

    def __init__(self, plan: NetworkPlan, memory: WorkingMemory) -> None:
        self._plan = plan
        self._memory = memory
        self._network: Network | None = None
        self._joined: set[int] = set()
        self._projections: dict[str, list[Projection]] = {}
        self._waiting: dict[tuple[str, str], Fact | None] = {}
        self._sent: dict[tuple[str, str], tuple[int, ...]] = {}
        self._numbers: dict[Value, int] = {None: 0}

    def update(self, differences: Sequence[Difference]) -> None:
        """Note what is to be sent when candidates are next wanted."""
        projections, waiting = self._projections, self._waiting
        for template, id_, _, after, _ in differences:
            if template in projections:
                waiting[template, id_] = after

    def candidates(self, join: int) -> Iterable[Sequence[Fact]]:
        """The activations of the join, as facts."""
        if join not in self._joined:
            self._begin(join)
        if self._waiting:
            self._send()
        if self._network is None:
            return
        get, projections = self._memory.get, self._plan.projections[join]
        for ids in self._network.matches(join):
            facts = [get(one.template, str(id_)) for one, id_ in zip(projections, ids, strict=True)]
            yield facts  # type: ignore[misc]  # what the network holds, working memory holds

    def _begin(self, join: int) -> None:
        """From now on, what the join compares is sent."""
        self._joined.add(join)
        for projection in self._plan.projections[join]:
            there = self._projections.setdefault(projection.template, [])
            if projection not in there:
                there.append(projection)
                self._waiting |= {(fact.template, fact.id): fact for fact in self._memory.all(projection.template)}

    def close(self) -> None:
        """Give the network back for the next session."""
        if self._network is not None:
            self._network.close()

    def _send(self) -> None:
        if self._network is None:
            self._network = self._plan.blueprint.open()
            weakref.finalize(self, self._network.close).atexit = False
        retracts: list[tuple[str, str]] = []
        asserts: list[tuple[str, str, tuple[int, ...]]] = []
        for (template, id_), fact in self._waiting.items():
            for projection in self._projections[template]:
                key = (projection.kind, id_)
                values = None if fact is None else self._projected(projection, fact)
                if values == self._sent.get(key):
                    continue
                if values is None:
                    del self._sent[key]
                    retracts.append(key)
                else:
                    self._sent[key] = values
                    asserts.append((*key, values))
        self._waiting.clear()
        if retracts or asserts:
            self._network.apply(retracts, asserts)

    def _projected(self, projection: Projection, fact: Fact) -> tuple[int, ...] | None:
        """The fact's columns as numbers, or none where it does not pass the constant tests."""
        if not projection.passes(fact):
            return None
        return tuple([value_of(fact, name) if raw else self._number(value_of(fact, name)) for name, raw in projection.columns])

    def _number(self, value: Value) -> int:
        found = self._numbers.get(value)
        if found is None:
            found = self._numbers[value] = len(self._numbers)
        return found
