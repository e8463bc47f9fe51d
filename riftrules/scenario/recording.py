"""Keeps a run's board at every entry of its trace, so that it can be looked at afterwards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from riftrules.facts.memory import Fact, WorkingMemory, Write
from riftrules.facts.trace import Entry, StackedFrame
from riftrules.language.model import Ruleset
from riftrules.scenario.model import Run
from riftrules.scenario.session import Opener, Session


class _Entries(list[Entry]):
    """A trace's entries, each with how far working memory had been written when it was made."""

    def __init__(self, log: Sequence[Write]) -> None:
        super().__init__()
        self.log = log
        self.written: list[int] = []

    def append(self, entry: Entry) -> None:
        del self.written[len(self) :]  # entries that were undone have been cut off
        super().append(entry)
        self.written.append(len(self.log))


@dataclass(frozen=True, slots=True)
class Recording:
    """A run with every write of it. `given` writes made the board as given, `written` had been made at each entry."""

    run: Run
    writes: tuple[Write, ...] = ()
    given: int = 0
    written: tuple[int, ...] = ()

    def boards(self, stops: Sequence[int]) -> Iterator[WorkingMemory]:
        """The board after so many writes, for each of these numbers in turn: one working memory that goes on changing."""
        memory = WorkingMemory(self.run.ruleset.shapes)
        if not self.writes:
            for fact in self.run.before:
                memory.put(fact)
        done = 0
        for stop in stops:
            for write in self.writes[done:stop]:
                _write(memory, write)
            done = max(done, stop)
            yield memory


def _write(memory: WorkingMemory, write: Write) -> None:
    if write.after is None:
        memory.remove(write.template, write.id)
    else:
        memory.put(write.after, write.within)


class Recorder:
    """Opens sessions as another opener does, and records the last one it has opened."""

    def __init__(self, open_session: Opener) -> None:
        self.open_session = open_session
        self.session: Session | None = None
        self.entries = _Entries(())
        self.given = 0

    def __call__(self, ruleset: Ruleset, facts: Sequence[Fact], stack: Sequence[StackedFrame]) -> Session:
        """A session whose trace is watched."""
        self.session = None
        session = self.open_session(ruleset, facts, stack)
        self.given = len(session.memory.log)
        self.entries = _Entries(session.memory.log)
        session.trace.entries = self.entries
        self.session = session
        return session

    def recording(self, run: Run) -> Recording:
        """The run that was played last, as it was recorded."""
        if self.session is None:
            return Recording(run)
        return Recording(run, tuple(self.session.memory.log), self.given, tuple(self.entries.written[: len(self.entries)]))
