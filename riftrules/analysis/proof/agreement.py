"""Asks the reference what comes of the same steps: answers, traces and facts must be equal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from riftrules.engine.orders import LIMIT, Step, Trial
from riftrules.engine.reference import Session as Reference
from riftrules.errors import RunError
from riftrules.facts.trace import Refusal, Waiting
from riftrules.facts.types import Call
from riftrules.language.model import Ruleset
from riftrules.scenario.board import Board


@dataclass(frozen=True, slots=True)
class Agreement:
    """Compares the engine with the reference of one ruleset."""

    ruleset: Ruleset

    def differences(self, board: Board, trial: Trial, way: Sequence[Step], tried: Sequence[Step]) -> Iterator[tuple[int, str]]:
        """Where they differ at a state the trial is at: the place of the step (-1: on the way), and in what."""
        reference = Reference(self.ruleset, board.facts, board.stack, limit=LIMIT)
        reference.settle()
        for step in way:
            _do(reference, step)
        said = _unlike(trial, reference, 0)
        if said:
            yield -1, said
            return
        here, there = trial.mark(), reference.mark()
        done = len(trial.trace.entries)
        for place, step in enumerate(tried):
            answers = _do(trial, step), _do(reference, step)
            said = _answers(*answers) or _unlike(trial, reference, done)
            if said:
                yield place, said
            if step.kind == "choose" and isinstance(answers[0], Refusal):
                return  # both are back before the request
            trial.undo(here)
            reference.undo(there)


def _do(session: Trial | Reference, step: Step) -> Waiting | Refusal | str:
    try:
        if isinstance(session, Trial):
            return session.do(step)
        if step.kind == "choose":
            return session.choose(step.option)
        if step.kind == "begin":
            return session.begin((Call(step.name, step.fields),))
        return session.request(step.name, dict(step.fields))
    except RunError as error:
        return error.message


def _answers(engine: Waiting | Refusal | str, reference: Waiting | Refusal | str) -> str:
    return "" if engine == reference else "engine and reference answer otherwise"


def _unlike(engine: Trial, reference: Reference, done: int) -> str:
    if engine.trace.entries[done:] != reference.trace.entries[done:]:
        return "engine and reference have other traces"
    if tuple(engine.memory) != tuple(reference.memory):
        return "engine and reference have other facts"
    return "" if engine.waiting == reference.waiting else "engine and reference wait otherwise"
