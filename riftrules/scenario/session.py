"""The session a scenario is played on: what the engine and the reference have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

from riftrules.facts.memory import Fact, WorkingMemory
from riftrules.facts.trace import Refusal, Refused, StackedFrame, Trace, Waiting
from riftrules.facts.types import Call, Value
from riftrules.language.model import Ruleset

ENGINES = ("engine", "reference")


class Session(Protocol):
    """One game being played."""

    ruleset: Ruleset
    memory: WorkingMemory

    @property
    def trace(self) -> Trace:
        """Everything that has happened."""

    @property
    def waiting(self) -> Waiting:
        """Why the session has stopped."""

    def request(self, name: str, fields: Mapping[str, Value]) -> Waiting | Refusal:
        """Ask for what a player may do."""

    def begin(self, calls: Sequence[Call]) -> Waiting | Refusal:
        """Begin procedures from outside."""

    def choose(self, option: Value) -> Waiting | Refusal:
        """Answer a choice."""

    def settle(self) -> Waiting | Refusal:
        """Run on from a board given in the middle."""

    def mark(self) -> Any:
        """A point to go back to."""

    def undo(self, mark: Any) -> None:
        """Go back to a mark made earlier on the way here."""

    def read(self, template: str, id_: str, field: str) -> Value:
        """The value of a field, stored or derived."""

    def violations(self) -> Iterable[Refused]:
        """The invariants that are violated now."""


Opener: TypeAlias = Callable[[Ruleset, Sequence[Fact], Sequence[StackedFrame]], Session]
"""Opens a session on a board."""


def opener(engine: str) -> Opener:
    """What opens sessions of the engine, or of the reference; programs are compiled once for each ruleset."""
    if engine == "reference":
        from riftrules.engine.reference import Session as Reference  # the one not asked for is not loaded

        return Reference
    from riftrules.engine.program import compile_ruleset
    from riftrules.engine.session import Session as Engine

    programs: dict[int, tuple[Ruleset, Any]] = {}  # the ruleset is kept, so that its number is nobody else's

    def open_engine(ruleset: Ruleset, facts: Sequence[Fact], stack: Sequence[StackedFrame]) -> Session:
        if id(ruleset) not in programs:
            programs[id(ruleset)] = (ruleset, compile_ruleset(ruleset))
        session: Session = Engine(programs[id(ruleset)][1], facts, stack)
        return session

    return open_engine


def close(session: Session) -> None:
    """Give back what a session holds; the reference holds nothing."""
    closing = getattr(session, "close", None)
    if closing is not None:
        closing()
