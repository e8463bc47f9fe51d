"""A run on one screen: the board before and after, each firing on a line, the result; or all of it as JSON."""

from __future__ import annotations

from typing import Any

from rich.console import Console

from riftrules.facts.memory import Fact
from riftrules.facts.trace import Began, Chosen, Entry, Firing, Requested
from riftrules.facts.types import canonical
from riftrules.report.board import print_boards
from riftrules.report.console import styled
from riftrules.report.verdicts import print_verdict, verdict_data
from riftrules.scenario.model import Run
from riftrules.scenario.words import effects, said, said_fields, said_waiting


def print_run(run: Run, to: Console) -> None:
    """The whole run, as a designer reads it."""
    scenario = run.scenario
    to.print(styled((scenario.name, "bold"), f" ({scenario.id})" if scenario.id else "", (f"  {scenario.place}", "dim")))
    if scenario.says:
        to.print(styled(scenario.says))
    print_boards(run.ruleset, run.before, run.after, to)
    for entry in run.trace.entries:
        print_entry(entry, to)
    to.print(styled(("then: ", "bold"), said_waiting(run.waiting)))
    print_verdict(run.verdict, to)


def print_entry(entry: Entry, to: Console) -> None:
    """One thing that happened, on a line (a firing with its effects below it)."""
    match entry:
        case Firing():
            _print_firing(entry, to)
        case Requested(_, procedure, fields):
            to.print(styled(("> ", "bold cyan"), (procedure, "bold"), f" {{{said_fields(fields)}}}"))
        case Began(_, calls):
            begun = "; ".join(f"{name} {{{said_fields(fields)}}}" for name, fields in calls)
            to.print(styled(("> begin ", "bold cyan"), begun))
        case Chosen(rule, by, option):
            to.print(styled(("> ", "bold cyan"), f"{said(by)} chooses {said(option)}", (f" for {rule}", "dim")))


def _print_firing(firing: Firing, to: Console) -> None:
    cites = f" [{', '.join(firing.cites)}]" if firing.cites else ""
    where = f"heard: {firing.event}" if firing.event else f"{firing.frame}, {firing.step}" if firing.frame else firing.step
    done = "; ".join(effects(firing))
    to.print(styled(f"{firing.number:>4}. ", (firing.rule, "bold"), cites, (f"  ({where})", "dim"), f": {done}" if done else ""))


def run_data(run: Run) -> dict[str, Any]:
    """A run as plain data: the verdict, the board before and after, and the trace."""
    return {
        **verdict_data(run.verdict),
        "ruleset": run.ruleset.name,
        "mode": run.scenario.mode,
        "before": [fact_data(fact) for fact in run.before],
        "after": [fact_data(fact) for fact in run.after],
        "waiting": {"kind": run.waiting.kind, "said": said_waiting(run.waiting)},
        "entries": run.trace.as_data(),
    }


def fact_data(fact: Fact) -> dict[str, Any]:
    """A fact as plain data."""
    return {"template": fact.template, "id": fact.id, "fields": {name: canonical(value) for name, value in fact.values.items()}}
