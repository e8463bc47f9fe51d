"""Where a session stands: the stack of frames, what is due, the event being heard, and what requests were promised."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias

from riftrules.engine.effects import Key
from riftrules.engine.passes import Passes
from riftrules.engine.productions import Identity
from riftrules.engine.routines import Routine
from riftrules.facts.memory import Fact
from riftrules.facts.trace import Waiting
from riftrules.facts.types import Value

Group: TypeAlias = tuple[int, Value]

IDLE = Waiting("idle")
NOTHING: frozenset[Any] = frozenset()


@dataclass(slots=True)
class Visit:
    """One stay in one step, or one hearing of an event: what has fired (by rule), which choices are made."""

    fired: frozenset[tuple[int, Identity]] | set[tuple[int, Identity]] = NOTHING
    closed: frozenset[Group] = NOTHING
    changed_together: bool = False

    def is_new(self) -> bool:
        """Whether nothing has happened in it yet."""
        return not (self.fired or self.closed or self.changed_together)

    def note(self, rule: int, identity: Identity) -> None:
        """An activation has fired in it."""
        fired = self.fired
        if isinstance(fired, set):
            fired.add((rule, identity))
        else:
            self.fired = {(rule, identity)}

    def copy(self) -> Visit:
        """A visit of its own with the same past."""
        return Visit(set(self.fired) if self.fired else NOTHING, self.closed, self.changed_together)


@dataclass(slots=True)
class StackEntry:
    """A frame on the stack.

    `writes` is how many effective writes there were when its pass began, where its passes are counted.
    """

    routine: Routine
    id: str
    index: int = 0
    pass_number: int = 1
    entered: bool = False
    visit: Visit = field(default_factory=Visit)
    writes: int = 0
    passes: Passes | None = None

    @property
    def key(self) -> Key:
        """The identity of the frame."""
        return self.routine.name, self.id

    def copy(self) -> StackEntry:
        """An entry of its own that stands at the same place."""
        return StackEntry(
            self.routine,
            self.id,
            self.index,
            self.pass_number,
            self.entered,
            self.visit.copy(),
            self.writes,
            None if self.passes is None else self.passes.copy(),
        )


@dataclass(frozen=True, slots=True)
class Pending:
    """A request that runs: what it was, and the mark to go back to if no rule accepts it."""

    frame: Key
    fields: tuple[tuple[str, Value], ...]
    mark: Mark


@dataclass(slots=True)
class Standing:
    """Everything of a session but facts and trace. `base` is where what a hearing begins goes in the stack."""

    stack: list[StackEntry] = field(default_factory=list)
    due: list[Key] = field(default_factory=list)
    events: list[Fact] = field(default_factory=list)
    hearing: Visit = field(default_factory=Visit)
    base: int = 0
    firings: int = 0
    writes: int = 0
    over: bool = False
    settled: bool = True
    waiting: Waiting = IDLE
    requests: tuple[Pending, ...] = ()
    accepted: frozenset[Key] = frozenset()

    def copy(self) -> Standing:
        """A standing of its own that is the same."""
        return Standing(
            [entry.copy() for entry in self.stack],
            list(self.due),
            list(self.events),
            self.hearing.copy(),
            self.base,
            self.firings,
            self.writes,
            self.over,
            self.settled,
            self.waiting,
            self.requests,
            self.accepted,
        )


@dataclass(frozen=True, slots=True)
class Mark:
    """A point to go back to."""

    memory: tuple[int, int]
    standing: Standing
    entries: int
