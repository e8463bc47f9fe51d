"""`may-not-end`: procedures that repeat for ever on some board, with the cycle of rules and the board."""

from __future__ import annotations

from collections.abc import Iterator

from riftrules.analysis.comparing.instances import instance
from riftrules.analysis.lint.material import Material, doubt
from riftrules.analysis.lint.standing import board_text
from riftrules.engine.program import Program
from riftrules.engine.session import Session
from riftrules.errors import LimitError, Place, Problem, RunError
from riftrules.facts.trace import Firing, Trace
from riftrules.language.model import Procedure, Rule, Ruleset
from riftrules.scenario.model import Beginning, Requesting, Scenario

LIMIT = 150
SURE = 1_500


def endless_procedures(material: Material) -> Iterator[Problem]:
    """`may-not-end`: a procedure that repeats, or follows itself, does not end on a board made of its rules' conditions."""
    ruleset = material.ruleset
    program = material.program
    told: set[frozenset[str]] = set()
    for procedure in ruleset.procedures.values():
        if not procedure.until_stable and not _follows_itself(procedure, ruleset):
            continue
        rules = list(_looked_at(procedure, ruleset))
        for rule in (one for one in rules if material.is_own(one.place) or not one.id):
            scenario = instance(rule, procedure.name, ruleset)
            cycle = _cycle(scenario, program)
            if cycle is not None and frozenset(cycle) not in told:
                told.add(frozenset(cycle))
                yield _problem(procedure, cycle, scenario, ruleset)


def _problem(procedure: Procedure, cycle: tuple[str, ...], scenario: Scenario, ruleset: Ruleset) -> Problem:
    place: Place = ruleset.rule(cycle[0]).place if cycle else procedure.place
    rules = ", ".join(f"`{rule}`" for rule in cycle)
    of = f": {rules} set each other off" if len(cycle) > 1 else f": {rules} sets itself off" if cycle else ""
    hint = f"add a condition that ends it; it repeats on {board_text(scenario, ruleset)}"
    return doubt(place, "may-not-end", f"procedure `{procedure.name}` may repeat for ever{of}", hint)


def _follows_itself(procedure: Procedure, ruleset: Ruleset) -> bool:
    met: set[str] = set()
    name = procedure.then
    while name and name not in met:
        met.add(name)
        name = ruleset.procedures[name].then
    return procedure.name in met


def _looked_at(procedure: Procedure, ruleset: Ruleset) -> Iterator[Rule]:
    """The rules of a procedure's steps, those of the procedures among them too; a stand-in where there is none."""
    steps: list[str] = []
    waiting = [procedure.name]
    while waiting:
        for step in ruleset.procedures[waiting.pop()].steps:
            (waiting if step in ruleset.procedures else steps).append(step)
    rules = [rule for rule in ruleset.rules if rule.kind == "step" and rule.step in steps]
    yield from rules or [Rule("", 0, "step", (), "", (), ())]


def _cycle(scenario: Scenario, program: Program) -> tuple[str, ...] | None:
    """The rules that fire again and again; None where the run ends."""
    for limit in (LIMIT, SURE):
        error = _error(scenario, program, limit)
        if error is None:
            return None
        if error.cycle:
            break
    assert error is not None  # noqa: S101 - else it has returned
    if "frames" in error.message:
        return ()  # it is not the rules that go round, but procedures that follow one another
    firings = list(error.trace.firings()) if isinstance(error.trace, Trace) else []
    repeated = [one for one in firings if one.number in error.cycle] or firings[-LIMIT // 2 :]
    return tuple(dict.fromkeys(firing.rule for firing in repeated if isinstance(firing, Firing)))


def _error(scenario: Scenario, program: Program, limit: int) -> LimitError | None:
    try:
        session = Session(program, scenario.facts, scenario.stack, limit, "demand")
        for item in scenario.items:
            match item:
                case Beginning(calls):
                    session.begin(calls)
                case Requesting(name, fields):
                    session.request(name, dict(fields))
    except LimitError as error:
        return error
    except (RunError, ValueError):
        return None
    return None
