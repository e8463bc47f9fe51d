"""Tells whether the passes of one frame come back to a configuration in which an earlier pass began.

A configuration is all facts with what they are within, the stack and what is due. It is not written down: the log of
working memory tells what differs from where the first pass began, and that is kept up as passes go by.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from riftrules.engine.effects import Key
from riftrules.facts.memory import Fact, Write

Held: TypeAlias = tuple[Fact | None, str]
"""A fact, or that there is none, and what it is within."""


@dataclass(frozen=True, slots=True)
class Begun:
    """The beginning of a pass: the length of the log, the firings before it, the stack and what is due."""

    log: int
    firings: int
    around: Any


@dataclass(slots=True)
class Passes:
    """The passes a frame has begun. `differs` is what is other than where the first began, with what it was then."""

    begun: list[Begun] = field(default_factory=list)
    differs: dict[Key, tuple[Held, Held]] = field(default_factory=dict)
    mixed: int = 0
    seen: dict[tuple[int, Any], list[int]] = field(default_factory=dict)

    def copy(self) -> Passes:
        """Passes of their own with the same past."""
        return Passes(list(self.begun), dict(self.differs), self.mixed, {key: list(value) for key, value in self.seen.items()})

    def begin(self, log: Sequence[Write], firings: int, around: Any) -> int | None:
        """Note that a pass begins; the place (from 0) of an earlier one that began with the same configuration, if any."""
        if self.begun:
            for write in log[self.begun[-1].log :]:
                self._differ(write)
        key = (self.mixed, around)
        earlier = self.seen.setdefault(key, [])
        for place in earlier:
            if _comes_to_nothing(log[self.begun[place].log :]):
                return place
        earlier.append(len(self.begun))
        self.begun.append(Begun(len(log), firings, around))
        return None

    def _differ(self, write: Write) -> None:
        """Keep up what differs, and a number mixed from all of it, by which configurations that may be equal are found."""
        key = (write.template, write.id)
        now: Held = (write.after, write.within)
        known = self.differs.pop(key, None)
        first: Held = known[0] if known is not None else (write.before, write.within_before)
        if known is not None:
            self.mixed ^= _mix(key, known[1])
        if not _same(first, now):
            self.differs[key] = (first, now)
            self.mixed ^= _mix(key, now)


def _same(one: Held, other: Held) -> bool:
    return one[1] == other[1] and one[0] == other[0]


def _mix(key: Key, held: Held) -> int:
    fact, within = held
    return hash((key, within, None if fact is None else frozenset(fact.values.items())))


def _comes_to_nothing(log: Sequence[Write]) -> bool:
    """Whether everything is as it was before these writes."""
    first: dict[Key, Held] = {}
    last: dict[Key, Held] = {}
    for write in log:
        key = (write.template, write.id)
        first.setdefault(key, (write.before, write.within_before))
        last[key] = (write.after, write.within)
    return all(_same(before, last[key]) for key, before in first.items())
