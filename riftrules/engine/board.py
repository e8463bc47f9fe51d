"""The board as conditions see it: working memory with lookups by value, the frame that runs, the event being heard."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Protocol, TypeAlias

from riftrules.facts.differences import Difference
from riftrules.facts.memory import Fact, WorkingMemory
from riftrules.facts.types import Call, Value
from riftrules.language.defaults import complete
from riftrules.language.model import Template

_NOTHING: tuple[Fact, ...] = ()


class Joined(Protocol):
    """Where a rule finds the combinations of facts its joined patterns match."""

    def candidates(self, join: int) -> Iterable[Sequence[Fact]]:
        """The combinations of facts for the join with this number, each once, in any order."""
        ...


Index: TypeAlias = dict[Value, dict[str, Fact]]
"""The facts of a template by the value of one field, and by id."""


class Board:
    """Working memory, and what else a condition may look at.

    While a step runs, `own` is the id of the frame on top and `procedure` its template: a pattern over it matches only
    that frame. While an event is heard, `event` is its fact. Lookups by value are made when first asked for and kept up
    as facts are written. `due` are the frames that are due.
    """

    __slots__ = ("_indexes", "_templates", "candidates", "due", "event", "facts", "joined", "last", "memory", "own", "procedure")

    def __init__(self, memory: WorkingMemory, templates: Mapping[str, Template], joined: Joined | None = None) -> None:
        self.memory = memory
        self.facts = memory.facts
        self.last = memory.last
        self.joined = joined
        self.candidates = joined.candidates if joined is not None else None
        self.procedure = ""
        self.own = ""
        self.event: Fact | None = None
        self.due: list[tuple[str, str]] = []
        self._templates = templates
        self._indexes: dict[str, dict[str, Index]] = {}

    def having(self, template: str, field: str, value: Value) -> Collection[Fact]:
        """The facts of `template` whose `field` is `value`."""
        try:
            found = self._indexes[template][field].get(value)
        except KeyError:
            found = self._index(template, field).get(value)
        return _NOTHING if found is None else found.values()

    def _index(self, template: str, field: str) -> Index:
        index: Index = {}
        for fact in self.facts[template].values():
            index.setdefault(fact.values[field], {})[fact.id] = fact
        self._indexes.setdefault(template, {})[field] = index
        return index

    def own_frame(self) -> Sequence[Fact]:
        """The frame that runs."""
        own = self.facts[self.procedure].get(self.own)
        return _NOTHING if own is None else (own,)

    def makes_due(self, calls: Iterable[Call]) -> bool:
        """Whether one of these frames would be due that is not due yet."""
        return any(not self._is_due(call) for call in calls)

    def _is_due(self, call: Call) -> bool:
        """Whether a frame with these fields is due already. One whose fields hang on its own id never is."""
        name, frames = call.procedure, self.facts[call.procedure]
        same = [id_ for procedure, id_ in self.due if procedure == name]
        if not same:
            return False
        values = complete(self._templates[name], f"{name}-0", dict(call.fields), self.memory).values
        return any(frame.values == values for id_ in same if (frame := frames.get(id_)) is not None)

    def note(self, differences: Iterable[Difference]) -> None:
        """Keep the lookups up. A lookup made since may know of this already."""
        indexes = self._indexes
        for template, id_, before, after, _ in differences:
            if template not in indexes:
                continue
            for field, index in indexes[template].items():
                if before is not None and (found := index.get(before.values[field])) is not None:
                    found.pop(id_, None)
                if after is not None:
                    index.setdefault(after.values[field], {})[id_] = after
