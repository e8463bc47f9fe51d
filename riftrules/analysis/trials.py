"""Plays a scenario again with something changed, on the engine: each change once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from riftrules.analysis.edits import Edit, RuleRemoval, edited
from riftrules.engine.productions import Production
from riftrules.engine.program import Program, compile_ruleset
from riftrules.engine.routines import StepPlan, step_plan
from riftrules.engine.session import Session
from riftrules.facts.memory import Fact
from riftrules.facts.trace import StackedFrame
from riftrules.language.model import Ruleset
from riftrules.scenario.model import Run, Scenario
from riftrules.scenario.playing import play


class Trials:
    """Runs of one scenario under edits. `count` says how many have been played."""

    def __init__(self, scenario: Scenario, ruleset: Ruleset, program: Program | None = None) -> None:
        self.scenario = scenario
        self.ruleset = ruleset
        self.count = 0
        self._program = program
        self._runs: dict[tuple[Edit, ...], Run] = {}

    def run(self, *edits: Edit) -> Run:
        """The run of the scenario with these edits."""
        found = self._runs.get(edits)
        if found is None:
            found = self._play(edits)
            self._runs[edits] = found
        return found

    def _play(self, edits: Sequence[Edit]) -> Run:
        self.count += 1
        program = self._compiled()
        for edit in edits:
            if isinstance(edit, RuleRemoval):
                program = without_rule(program, edit.rule)

        def open_session(_: Ruleset, facts: Sequence[Fact], stack: Sequence[StackedFrame]) -> Session:
            return Session(program, facts, stack, limit=LIMIT, matcher="demand")

        return play(edited(self.scenario, edits, self.ruleset), self.ruleset, open_session)

    def _compiled(self) -> Program:
        if self._program is None:
            self._program = compile_ruleset(self.ruleset)
        return self._program


LIMIT = 400  # firings a request: a run that goes astray for an edit is stopped early


def without_rule(program: Program, rule: str) -> Program:
    """The program in which one rule never fires, asks or refuses: as if compiled without it, at no cost."""

    def kept(productions: Sequence[Production]) -> tuple[Production, ...]:
        return tuple(one for one in productions if one.rule.id != rule)

    def step(plan: StepPlan) -> StepPlan:
        firing, asks, sensitive = kept(plan.productions), kept(plan.asks), kept(plan.sensitive)
        return step_plan(
            plan.name, begins=plan.begins, together=plan.together, productions=firing, asks=asks, sensitive=sensitive
        )

    routines = {name: replace(one, steps=tuple(step(plan) for plan in one.steps)) for name, one in program.routines.items()}
    hears = {event: kept(productions) for event, productions in program.hears.items()}
    refuses = {request: kept(productions) for request, productions in program.refuses.items()}
    return replace(program, routines=routines, hears=hears, refuses=refuses)
