"""Where a session stands: the stack of frames, what is due, the event being heard, and what requests were promised."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias

from riftrules.engine.effects import Key
from riftrules.engine.passes import Passes
from riftrules.engine.productions import Identity
from riftrules.engine.routines import Routine
from riftrules.facts.marks import Last
from riftrules.facts.memory import Fact
from riftrules.facts.trace import Waiting
from riftrules.facts.types import Value

Group: TypeAlias = tuple[int, Value]

Fired: TypeAlias = tuple[int, Identity]
"""An activation, by the number of its rule and what tells it apart."""

IDLE = Waiting("idle")
NOTHING: frozenset[Any] = frozenset()


class Visit:
    """One stay in one step, or one hearing of an event: what has fired (by rule), which choices are made."""

    __slots__ = ("changed_together", "closed", "fired")

    def __init__(
        self,
        fired: frozenset[Fired] | set[Fired] = NOTHING,
        closed: frozenset[Group] = NOTHING,
        *,
        changed_together: bool = False,
    ) -> None:
        self.fired = fired
        self.closed = closed
        self.changed_together = changed_together

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
        return Visit(set(self.fired) if self.fired else NOTHING, self.closed, changed_together=self.changed_together)


class StackEntry:
    """A frame on the stack.

    `writes` is how many effective writes there were when its pass began, where its passes are counted.
    """

    __slots__ = ("entered", "id", "index", "pass_number", "passes", "routine", "visit", "writes")

    def __init__(
        self,
        routine: Routine,
        id: str,  # noqa: A002 - the name of the field
        index: int = 0,
        pass_number: int = 1,
        *,
        entered: bool = False,
        writes: int = 0,
    ) -> None:
        self.routine = routine
        self.id = id
        self.index = index
        self.pass_number = pass_number
        self.entered = entered
        self.visit = Visit()
        self.writes = writes
        self.passes: Passes | None = None

    @property
    def key(self) -> Key:
        """The identity of the frame."""
        return self.routine.name, self.id

    def copy(self) -> StackEntry:
        """An entry of its own that stands at the same place."""
        found = StackEntry(self.routine, self.id, self.index, self.pass_number, entered=self.entered, writes=self.writes)
        if not self.visit.is_new():
            found.visit = self.visit.copy()
        if self.passes is not None:
            found.passes = self.passes.copy()
        return found


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
    last: Last
