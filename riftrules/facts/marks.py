"""Marks of a session: whether the point to go back to still lies on the way that led to where the session is."""

from __future__ import annotations

from typing import Protocol, TypeAlias

from riftrules.facts.memory import WorkingMemory, Write
from riftrules.facts.trace import Entry, Trace

Last: TypeAlias = tuple[Write | None, Entry | None]
"""What had been written and told last when a mark was made."""


class Marked(Protocol):
    """A mark: the lengths of the logs of working memory and of the trace then, and what was last in them."""

    @property
    def memory(self) -> tuple[int, int]:
        """The lengths of the logs of writes and of ids."""
        ...

    @property
    def entries(self) -> int:
        """The length of the trace."""
        ...

    @property
    def last(self) -> Last:
        """What was last in both."""
        ...


def last_of(memory: WorkingMemory, trace: Trace) -> Last:
    """What has been written and told last."""
    return _at(memory, trace, len(memory.log), len(trace.entries))


def check_mark(mark: Marked, memory: WorkingMemory, trace: Trace) -> None:
    """Raise ValueError where the session has gone back behind the mark since it was made."""
    writes, entries = mark.memory[0], mark.entries
    if writes <= len(memory.log) and entries <= len(trace.entries):
        write, entry = _at(memory, trace, writes, entries)
        if write is mark.last[0] and entry is mark.last[1]:
            return
    message = "the session has gone back behind this mark: it is no longer on the way here"
    raise ValueError(message)


def _at(memory: WorkingMemory, trace: Trace, writes: int, entries: int) -> Last:
    return memory.log[writes - 1] if writes else None, trace.entries[entries - 1] if entries else None
