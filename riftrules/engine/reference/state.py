"""Where a session stands: the stack, what is due, the event being heard, and what has been promised to requests."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from riftrules.engine.reference.matching import Key
from riftrules.facts.marks import Last
from riftrules.facts.memory import Fact
from riftrules.facts.trace import Waiting
from riftrules.facts.types import Value

Identity: TypeAlias = tuple[str, tuple[Value, ...]]
"""A rule and what its named patterns and `each` bind: at most one firing in a visit."""


_IDLE = Waiting("idle")


@dataclass(slots=True)
class Visit:
    """One stay in one step (or one hearing of an event): what has fired, which choices are made."""

    fired: set[Identity] = field(default_factory=set)
    closed: set[Identity] = field(default_factory=set)
    changed_together: bool = False

    def copy(self) -> Visit:
        """A visit of its own with the same past."""
        return Visit(set(self.fired), set(self.closed), self.changed_together)


@dataclass(slots=True)
class Entry:
    """A frame on the stack. `log` is the length of the memory's log when its pass began."""

    template: str
    id: str
    index: int = 0
    pass_number: int = 1
    entered: bool = False
    visit: Visit = field(default_factory=Visit)
    log: int = 0
    passes: list[tuple[Any, int]] = field(default_factory=list)

    @property
    def key(self) -> Key:
        """The identity of the frame."""
        return self.template, self.id

    def copy(self) -> Entry:
        """An entry of its own that stands at the same place."""
        return replace(self, visit=self.visit.copy(), passes=list(self.passes))


@dataclass(frozen=True, slots=True)
class Asked:
    """A request that runs: what it was, and the mark to go back to if no rule accepts it."""

    frame: Key
    fields: tuple[tuple[str, Value], ...]
    mark: Mark


@dataclass(slots=True)
class State:
    """Everything of a session but facts and trace. `base` is where what a hearing begins goes in the stack."""

    stack: list[Entry] = field(default_factory=list)
    due: list[Key] = field(default_factory=list)
    events: list[Fact] = field(default_factory=list)
    hearing: Visit = field(default_factory=Visit)
    base: int = 0
    firings: int = 0
    over: bool = False
    settled: bool = True
    waiting: Waiting = _IDLE
    requests: tuple[Asked, ...] = ()
    accepted: frozenset[Key] = frozenset()

    def copy(self) -> State:
        """A state of its own that is the same."""
        return replace(
            self,
            stack=[entry.copy() for entry in self.stack],
            due=list(self.due),
            events=list(self.events),
            hearing=self.hearing.copy(),
        )


@dataclass(frozen=True, slots=True)
class Mark:
    """A point to go back to."""

    memory: tuple[int, int]
    state: State
    entries: int
    last: Last
