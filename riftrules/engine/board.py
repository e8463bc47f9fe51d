"""The board as conditions see it: working memory with lookups by value, the frame that runs, the event being heard."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, TypeAlias

from riftrules.facts.memory import Fact, WorkingMemory, Write
from riftrules.facts.types import Value

_NOTHING: tuple[Fact, ...] = ()


class Joined(Protocol):
    """Where a rule finds the combinations of facts its joined patterns match."""

    def candidates(self, join: int) -> Iterable[Sequence[Fact]]:
        """The combinations of facts for the join with this number, each once, in any order."""
        ...


Indexes: TypeAlias = dict[str, dict[str, dict[Value, list[Fact]]]]


class Board:
    """Working memory, and what else a condition may look at.

    While a step runs, `own` is the id of the frame on top and `procedure` its template: a pattern over it matches only
    that frame. While an event is heard, `event` is its fact. Lookups by value are made when first asked for and
    dropped when a fact of their template is written.
    """

    __slots__ = ("_indexes", "event", "joined", "memory", "own", "procedure")

    def __init__(self, memory: WorkingMemory) -> None:
        self.memory = memory
        self.joined: Joined | None = None
        self.procedure = ""
        self.own = ""
        self.event: Fact | None = None
        self._indexes: Indexes = {}

    def having(self, template: str, field: str, value: Value) -> Sequence[Fact]:
        """The facts of `template` whose `field` is `value`."""
        try:
            return self._indexes[template][field].get(value, _NOTHING)
        except KeyError:
            index: dict[Value, list[Fact]] = {}
            for fact in self.memory.all(template):
                index.setdefault(fact.values[field], []).append(fact)
            self._indexes.setdefault(template, {})[field] = index
            return index.get(value, _NOTHING)

    def frames(self, procedure: str) -> Sequence[Fact]:
        """The frames a pattern over `procedure` ranges over."""
        if procedure != self.procedure:
            return self.memory.all(procedure)
        own = self.memory.get(procedure, self.own)
        return _NOTHING if own is None else (own,)

    def candidates(self, join: int) -> Iterable[Sequence[Fact]]:
        """What the matcher has joined."""
        assert self.joined is not None
        return self.joined.candidates(join)

    def note(self, writes: Iterable[Write]) -> None:
        """Forget what was looked up in the templates written."""
        for write in writes:
            self._indexes.pop(write.template, None)

    def run_in(self, procedure: str, own: str) -> None:
        """From now on the frame `own` of `procedure` is the one that runs."""
        self.procedure = procedure
        self.own = own
