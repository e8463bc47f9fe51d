"""Plays scenarios and measures what of the rules each of them reaches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from riftrules.analysis.considering import Changes, ConsideringSession
from riftrules.analysis.coverage.asking import Asker, Seen
from riftrules.analysis.coverage.effects import Doing, consequents_done
from riftrules.analysis.coverage.pairs import Pairs
from riftrules.engine.board import Board
from riftrules.engine.productions import Production
from riftrules.engine.program import compile_ruleset
from riftrules.engine.session import Session
from riftrules.facts.memory import Fact
from riftrules.facts.trace import StackedFrame
from riftrules.language.model import Ruleset
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

    wanted_steps: ClassVar[frozenset[str] | None] = None

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.asker = Asker(ruleset)
        self.pairs = Pairs(ruleset)
        self.seen = Seen(bytearray())
        self.steps: set[tuple[str, str]] = set()
        self._program = compile_ruleset(ruleset)
        self._changes = Changes(ruleset)

    def reached(self, scenario: Scenario) -> tuple[Reached, Run]:
        """Play a scenario and tell what it reaches."""
        self.seen, self.steps = self.asker.nothing_seen(), set()
        self._changes.forget()
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
        return ConsideringSession(self._program, facts, stack, self)

    def visit(self, procedure: str, step: str, board: Board) -> None:  # noqa: ARG002 - what a considerer is told
        """A step is visited."""
        self.steps.add((procedure, step))

    def look(self, board: Board, productions: Iterable[Production]) -> None:
        """These rules are considered on this board."""
        for production in productions:
            if self._changes.since(production.rule, board):
                self.asker.rule(production.rule, board, self.seen)
