"""Tells, while a session runs, which rules it considers and on which board, and which steps it visits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar, Protocol

from riftrules.engine.board import Board
from riftrules.engine.cycle import Cycle
from riftrules.engine.productions import Production
from riftrules.engine.program import Program
from riftrules.engine.routines import StepPlan
from riftrules.engine.session import Session
from riftrules.engine.stack import StackEntry
from riftrules.engine.syntax_tree import Dependencies
from riftrules.facts.memory import Fact
from riftrules.facts.trace import Refused, StackedFrame, Waiting
from riftrules.language.model import Rule, Ruleset


class Considerer(Protocol):
    """Who is told. `wanted_steps` are those it wants to be told of: None is every one, also those in which nothing can happen."""

    @property
    def wanted_steps(self) -> frozenset[str] | None:
        """The names of the steps."""
        ...

    def visit(self, procedure: str, step: str, board: Board) -> None:
        """A step is visited, on this board."""

    def look(self, board: Board, productions: Iterable[Production]) -> None:
        """Rules are considered on this board: those of a step, those that hear an event, that ask, that refuse a request."""


class _Cycle(Cycle):
    """A cycle that tells a considerer."""

    tells: Considerer | None = None

    def _visit(self, entry: StackEntry, step: StepPlan) -> Waiting | None:
        if self.tells is not None and (self.tells.wanted_steps is None or step.name in self.tells.wanted_steps):
            self.tell()
            self._look(entry)
            self.tells.visit(entry.routine.name, step.name, self.board)
            self.tells.look(self.board, step.productions)
            if step.asks and self._asks_next(entry, step):
                self.tells.look(self.board, step.asks)
        return super()._visit(entry, step)

    def _next_index(self, entry: StackEntry) -> int:
        if self.tells is None:
            return super()._next_index(entry)
        steps, wanted, index = entry.routine.steps, self.tells.wanted_steps, entry.index + 1
        if wanted is None:
            return index
        loud = super()._next_index(entry)
        while index < loud and steps[index].name not in wanted:
            index += 1
        return index

    def _asks_next(self, entry: StackEntry, step: StepPlan) -> bool:
        """Whether nothing else is left to be done in this visit."""
        fires = self.agenda.highest(step, entry.visit) is not None
        return not fires and not (self.standing.due and self.all_yield())

    def _hear(self, event: Fact) -> Waiting | None:
        hears = self.program.hears.get(event.template)
        if self.tells is not None and hears:
            self.tell()
            self._listen(event)
            self.tells.look(self.board, hears)
        return super()._hear(event)


class ConsideringSession(Session):
    """A session on a program that tells a considerer. Patterns are joined where they are wanted."""

    cycle_type: ClassVar[type[Cycle]] = _Cycle

    def __init__(
        self, program: Program, facts: Sequence[Fact], stack: Sequence[StackedFrame], tells: Considerer, limit: int = 10_000
    ) -> None:
        super().__init__(program, facts, stack, limit=limit, matcher="demand")
        assert isinstance(self._cycle, _Cycle)  # noqa: S101 - it is the `cycle_type`
        self._cycle.tells = tells

    def _refused(self, frame: Fact) -> tuple[Refused, ...]:
        assert isinstance(self._cycle, _Cycle)  # noqa: S101 - it is the `cycle_type`
        refuses = self.program.refuses.get(frame.template, ())
        if self._cycle.tells is not None and refuses:
            board = self._cycle.board
            self._cycle.tell()
            board.procedure, board.own, board.event = frame.template, frame.id, None
            self._cycle.tells.look(board, refuses)
        return super()._refused(frame)


class Changes:
    """Knows whether anything a rule looks at has changed since it was last asked about it."""

    def __init__(self, ruleset: Ruleset) -> None:
        dependencies = Dependencies(ruleset)
        self._templates = {
            rule.id: tuple(sorted({name for name, _ in dependencies.of((rule.when, rule.then))} | {*rule.singletons}))
            for rule in ruleset.rules
        }
        self._stood: dict[str, tuple[object, ...]] = {}

    def forget(self) -> Changes:
        """Another session begins."""
        self._stood = {}
        return self

    def since(self, rule: Rule, board: Board) -> bool:
        """Whether something has changed. Working memory gives the same tuple for as long as nothing of a template does."""
        stands = (board.own, board.event, *(board.memory.all(name) for name in self._templates[rule.id]))
        before = self._stood.get(rule.id, ())
        if len(before) == len(stands) and all(one is other for one, other in zip(before, stands, strict=True)):
            return False
        self._stood[rule.id] = stands
        return True
