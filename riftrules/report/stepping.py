"""One point of a run on the screen: what has fired, the board, what may fire next."""

from __future__ import annotations

from rich.console import Console

from riftrules.analysis.stepping import Stepper
from riftrules.report.board import print_scene, seen_of
from riftrules.report.console import styled
from riftrules.report.plan import plan_of
from riftrules.report.readings import memory_of
from riftrules.report.runs import print_entry
from riftrules.report.staging import Stage
from riftrules.scenario.words import said_fields, said_refusal, said_waiting

MOST_WAITING = 5


def print_step(stepper: Stepper, to: Console) -> None:
    """Where somebody stands: the firing, the board after it (with what it has changed marked), and the agenda."""
    firing = stepper.firing
    if firing is None:
        to.print(styled((stepper.given.name, "bold"), ("  as given", "dim")))
    else:
        print_entry(firing, to)
    plan = plan_of(stepper.ruleset)
    before = Stage(plan, memory_of(stepper.ruleset, stepper.facts(max(0, stepper.position - 1))))
    scene = before.scene()
    now = Stage(plan, memory_of(stepper.ruleset, stepper.facts()))
    now.numbers.update(before.numbers)
    print_scene(now.scene(), now.numbers, to, seen_of(scene) if firing is not None else None)
    _print_agenda(stepper, to)


def _print_agenda(stepper: Stepper, to: Console) -> None:
    waits = stepper.waits()
    for one in waits[:MOST_WAITING]:
        cites = f" [{', '.join(one.rule.cites)}]" if one.rule.cites else ""
        to.print(styled(("may fire: ", "green"), one.rule.id, cites, (f"  {said_fields(one.bindings)}", "dim")))
    if len(waits) > MOST_WAITING:
        to.print(styled((f"and {len(waits) - MOST_WAITING} more", "dim")))
    waiting = stepper.waiting()
    if waiting is not None:
        to.print(styled(("waits: ", "green"), said_waiting(waiting)))
    if stepper.position == stepper.last:
        _print_end(stepper, to)


def _print_end(stepper: Stepper, to: Console) -> None:
    """Why the run went no further, where that is not for having come to its end."""
    run = stepper.seen.run
    if run.verdict.status == "error":
        to.print(styled((run.verdict.reason, "bold red")))
    refused = run.moments[-1] if run.moments else None
    if refused is not None and refused.refusal is not None:
        to.print(styled((f"item {refused.item}: {said_refusal(refused.refusal)}", "bold red")))
