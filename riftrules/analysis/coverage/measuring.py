"""Plays scenarios and measures what of the rules each of them reaches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from riftrules.analysis.coverage.asking import Asker, Seen
from riftrules.analysis.coverage.effects import Doing, consequents_done
from riftrules.analysis.coverage.pairs import Pairs
from riftrules.engine.board import Board
from riftrules.engine.cycle import Cycle
from riftrules.engine.productions import Production
from riftrules.engine.program import StepPlan, compile_ruleset
from riftrules.engine.session import Session
from riftrules.engine.stack import StackEntry
from riftrules.engine.syntax_tree import Dependencies
from riftrules.facts.memory import Fact
from riftrules.facts.trace import Refused, StackedFrame, Waiting
from riftrules.language.model import Rule, Ruleset
from riftrules.scenario.model import Run, Scenario
from riftrules.scenario.playing import play


@dataclass(frozen=True, slots=True)
class Reached:
    """What one scenario has reached of the rules.

    `sides` says for each condition, by number, which of its sides were seen; `consequents` are those that did
    something; `pairs` the (writer, reader) of rules of which one acted on what the other had done.
    """

    name: str
    id: str
    path: str
    line: int
    cites: tuple[str, ...] = ()
    fired: frozenset[str] = frozenset()
    withheld: frozenset[str] = frozenset()
    sides: bytes = b""
    consequents: frozenset[Doing] = frozenset()
    steps: frozenset[tuple[str, str]] = frozenset()
    pairs: frozenset[tuple[str, str]] = frozenset()


class Measure:
    """Measures scenarios of one ruleset, one after another."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.asker = Asker(ruleset)
        self.pairs = Pairs(ruleset)
        self.seen = Seen(bytearray())
        self.steps: set[tuple[str, str]] = set()
        self._program = compile_ruleset(ruleset)
        self._stood: dict[str, tuple[object, ...]] = {}
        dependencies = Dependencies(ruleset)
        self._templates = {
            rule.id: tuple(sorted({name for name, _ in dependencies.of((rule.when, rule.then))} | {*rule.singletons}))
            for rule in ruleset.rules
        }

    def reached(self, scenario: Scenario) -> tuple[Reached, Run]:
        """Play a scenario and tell what it reaches."""
        self.seen, self.steps, self._stood = self.asker.nothing_seen(), set(), {}
        run = play(scenario, self.ruleset, self._open)
        firings = list(run.trace.firings())
        fired = self._fired({firing.rule for firing in firings})
        place = scenario.place
        found = Reached(
            scenario.name,
            scenario.id,
            place.path,
            place.line,
            scenario.cites,
            frozenset(fired),
            frozenset(self.seen.withheld),
            bytes(self.seen.sides),
            frozenset(consequents_done(self.ruleset, firings, fired)),
            frozenset(self.steps),
            frozenset(self.pairs.met(firings)),
        )
        return found, run

    def _fired(self, fired: set[str]) -> set[str]:
        """The rules that have fired, and those of which it is enough that they held: they ask or refuse."""
        return fired | {rule.id for rule in self.ruleset.rules if rule.kind in {"ask", "legality"} and rule.id in self.seen.held}

    def _open(self, _: Ruleset, facts: Sequence[Fact], stack: Sequence[StackedFrame]) -> Session:
        session = _MeasuredSession(self._program, facts, stack, matcher="demand")
        session.measures(self)
        return session

    def look(self, board: Board, rules: Iterable[Rule]) -> None:
        """These rules are considered on this board."""
        for rule in rules:
            # working memory gives the same tuple again for as long as nothing of the template has changed
            stands = (board.own, board.event, *(board.memory.all(name) for name in self._templates[rule.id]))
            before = self._stood.get(rule.id, ())
            if len(before) != len(stands) or any(one is not other for one, other in zip(before, stands, strict=True)):
                self._stood[rule.id] = stands
                self.asker.rule(rule, board, self.seen)


class _MeasuredCycle(Cycle):
    """A cycle that tells which rules it considers."""

    measure: Measure | None = None

    def _visit(self, entry: StackEntry, step: StepPlan) -> Waiting | None:
        if self.measure is not None:
            self.tell()
            self._look(entry)
            self.measure.steps.add((entry.routine.name, step.name))
            self.measure.look(self.board, _rules(step.productions))
            if step.asks and self._asks_next(entry, step):
                self.measure.look(self.board, _rules(step.asks))
        return super()._visit(entry, step)

    def _asks_next(self, entry: StackEntry, step: StepPlan) -> bool:
        """Whether nothing else is left to be done in this visit."""
        fires = not self.agenda.is_quiet(step) and self.agenda.highest(step, entry.visit) is not None
        return not fires and not (self.standing.due and self.all_yield())

    def _hear(self, event: Fact) -> Waiting | None:
        hears = self.program.hears.get(event.template)
        if self.measure is not None and hears:
            self.tell()
            self._listen(event)
            self.measure.look(self.board, _rules(hears))
        return super()._hear(event)


def _rules(productions: Iterable[Production]) -> Iterable[Rule]:
    return (production.rule for production in productions)


class _MeasuredSession(Session):
    """A session that tells which rules it considers."""

    cycle_type: ClassVar[type[Cycle]] = _MeasuredCycle

    def measures(self, measure: Measure) -> None:
        """From now on this is told."""
        assert isinstance(self._cycle, _MeasuredCycle)
        self._cycle.measure = measure

    def _refused(self, frame: Fact) -> tuple[Refused, ...]:
        assert isinstance(self._cycle, _MeasuredCycle)
        refuses = self.program.refuses.get(frame.template, ())
        if self._cycle.measure is not None and refuses:
            board = self._cycle.board
            self._cycle.tell()
            board.procedure, board.own, board.event = frame.template, frame.id, None
            self._cycle.measure.look(board, _rules(refuses))
        return super()._refused(frame)
