"""Boards made of rules' own conditions, one for each way to come to a rule."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from riftrules.analysis.comparing.making import Making, emits
from riftrules.analysis.comparing.relevance import Relevance
from riftrules.errors import NOWHERE
from riftrules.facts.memory import WorkingMemory
from riftrules.facts.trace import StackedFrame
from riftrules.facts.types import Call
from riftrules.language.defaults import complete
from riftrules.language.model import AskFor, Refuse, Rule, Ruleset
from riftrules.scenario.model import Beginning, Scenario

MOST_STEPS = 4


def instances(matters: Relevance, ruleset: Ruleset) -> Iterator[Scenario]:
    """A board for each rule that matters and each way to come to it."""
    for rule in dict.fromkeys(rule.id for rule, _ in matters.rules):
        found = next(one for one, _ in reversed(matters.rules) if one.id == rule)
        for procedure in ways(found, ruleset):
            made = instance(found, procedure, ruleset)
            yield made
            yield from _in_steps(made, procedure, ruleset)
            yield from _in_the_middle(made, found, ruleset)


def instance(rule: Rule, procedure: str, ruleset: Ruleset) -> Scenario:
    """The scenario that comes to a rule through one procedure, on a board made of its conditions."""
    return Making(ruleset, procedure).of(rule)


def ways(rule: Rule, ruleset: Ruleset) -> tuple[str, ...]:
    """The procedures in which the rule is looked at; for one that hears an event, those whose rules emit it."""
    refused = [one.procedure for one in rule.then if isinstance(one, Refuse)]
    if refused:
        return tuple(refused)
    steps = set(_steps(rule, ruleset))
    return tuple(name for name, one in ruleset.procedures.items() if steps & set(one.steps))


def _steps(rule: Rule, ruleset: Ruleset) -> tuple[str, ...]:
    """The step of the rule, or those of the rules that emit the event it hears."""
    if rule.event is None:
        return (rule.step,) if rule.step else ()
    return tuple(dict.fromkeys(other.step for other in ruleset.rules if other.step and emits(other, rule.event.template)))


def _in_steps(scenario: Scenario, procedure: str, ruleset: Ruleset) -> Iterator[Scenario]:
    """The board with its lowest frame in each of its other steps, those first that ask for the procedure."""
    if not scenario.stack:
        return
    first = scenario.stack[0]
    steps = [step for step in ruleset.procedures[first.frame.template].steps if step not in ruleset.procedures]
    asking = {rule.step for rule in ruleset.rules for one in rule.then if isinstance(one, AskFor) and procedure in one.requests}
    for step in sorted(steps, key=lambda step: step not in asking)[:MOST_STEPS]:
        if step != first.step:
            yield replace(scenario, stack=(replace(first, step=step), *scenario.stack[1:]))


def _in_the_middle(scenario: Scenario, rule: Rule, ruleset: Ruleset) -> Iterator[Scenario]:
    """The procedure in the step of the rule already, and something begun that lets it go on from there."""
    begun = scenario.items[0]
    bare = _bare_procedure(ruleset)
    if not isinstance(begun, Beginning) or not bare:
        return
    call = begun.calls[0]
    steps = ruleset.procedures[call.procedure].steps
    for step in _steps(rule, ruleset):
        if step in steps and step != steps[0]:
            frame = complete(
                ruleset.templates[call.procedure], f"{call.procedure}-1", dict(call.fields), WorkingMemory(ruleset.shapes)
            )
            items = (Beginning((Call(bare),), NOWHERE),)
            yield replace(scenario, stack=(*scenario.stack, StackedFrame(frame, step)), items=items)


def _bare_procedure(ruleset: Ruleset) -> str:
    """A procedure that can be begun with nothing said: the one with the fewest steps and nothing after it."""
    free = [
        one
        for name, one in ruleset.procedures.items()
        if not one.request and not any(field.required for field in ruleset.templates[name].fields.values())
    ]
    return min(free, key=lambda one: (bool(one.then), one.yields, len(one.steps))).name if free else ""
