"""Plays scenarios on rulesets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from riftrules.analysis.comparing.sentinel import Sentinel
from riftrules.analysis.considering import ConsideringSession
from riftrules.engine.program import Program, compile_ruleset
from riftrules.engine.session import Session
from riftrules.facts.memory import Fact
from riftrules.facts.trace import StackedFrame
from riftrules.language.model import Ruleset
from riftrules.scenario.model import Run, Scenario
from riftrules.scenario.playing import play


@dataclass(slots=True)
class Players:
    """Plays scenarios on rulesets, each compiled once, up to so many firings a request."""

    limit: int = 10_000
    programs: dict[int, tuple[Ruleset, Program]] = field(default_factory=dict)

    def play(self, scenario: Scenario, ruleset: Ruleset) -> Run:
        """The run of a scenario. What goes wrong is in its verdict."""
        return play(scenario, ruleset, self._open)

    def program(self, ruleset: Ruleset) -> Program:
        """The program of a ruleset."""
        if id(ruleset) not in self.programs:
            self.programs[id(ruleset)] = (ruleset, compile_ruleset(ruleset))
        return self.programs[id(ruleset)][1]

    def watched(self, scenario: Scenario, ruleset: Ruleset, sentinel: Sentinel) -> Run:
        """The run of a scenario, of which the sentinel is told."""

        def open_session(_: Ruleset, facts: Sequence[Fact], stack: Sequence[StackedFrame]) -> Session:
            return ConsideringSession(self.program(ruleset), facts, stack, sentinel, limit=self.limit)

        return play(scenario, ruleset, open_session)

    def _open(self, ruleset: Ruleset, facts: Sequence[Fact], stack: Sequence[StackedFrame]) -> Session:
        return Session(self.program(ruleset), facts, stack, limit=self.limit, matcher="demand")
