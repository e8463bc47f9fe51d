"""Boards made of rules' own conditions, one for each way to come to a rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import replace

from riftrules.analysis.comparing.bare import bare
from riftrules.analysis.comparing.failing import Failings
from riftrules.analysis.comparing.making import Making, emits
from riftrules.analysis.comparing.relevance import Relevance
from riftrules.analysis.comparing.wishing import Wishing
from riftrules.errors import NOWHERE
from riftrules.facts.memory import WorkingMemory
from riftrules.facts.trace import StackedFrame
from riftrules.facts.types import Call
from riftrules.language.defaults import complete
from riftrules.language.model import AskFor, Refuse, Rule, Ruleset
from riftrules.scenario.model import Beginning, Scenario

MOST_STEPS = 4


def instances(matters: Relevance, ruleset: Ruleset) -> Iterator[Scenario]:
    """Boards for the rules that matter and each way to come to them: those that fit, then those where one thing fails."""
    fitting = [(rule, way, side) for rule, side in _newest_first(matters) for way in ways(rule, ruleset)]
    for rule, way, _ in fitting:
        yield from _boards(rule, way, ruleset)
    yield from _deriving(matters, ruleset)
    for rule, way, side in fitting:
        for other, named in Failings(side).rules(rule):
            yield from _boards(other, way, replace(ruleset, definitions=named.definitions))


def _deriving(matters: Relevance, ruleset: Ruleset) -> Iterator[Scenario]:
    """Boards on which an edited case of a derived field holds of what a rule looks at, or fails by one thing."""
    for template, case in matters.derived:
        conditions = [case.when, *(when for when, _ in Failings(ruleset).joined(case.when))]
        for rule in {rule.id: rule for rule, _ in matters.rules}.values():
            for way in ways(rule, ruleset):
                for when in conditions:
                    yield Making(ruleset, procedure=way).of(rule, (template, when))


def _newest_first(matters: Relevance) -> Iterator[tuple[Rule, Ruleset]]:
    """The rules of either side, each once where both have it."""
    seen: set[Hashable] = set()
    for rule, side in reversed(matters.rules):
        mark = bare((rule.event, rule.when, rule.then, rule.step))
        if mark not in seen:
            seen.add(mark)
            yield rule, side


def _boards(rule: Rule, procedure: str, ruleset: Ruleset) -> Iterator[Scenario]:
    made = instance(rule, procedure, ruleset)
    yield made
    yield from _in_steps(made, procedure, ruleset)
    yield from _in_the_middle(made, rule, ruleset)


def instance(rule: Rule, procedure: str, ruleset: Ruleset) -> Scenario:
    """The scenario that comes to a rule through one procedure, on a board made of its conditions."""
    return Making(ruleset, procedure=procedure).of(rule)


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
    if not isinstance(begun, Beginning):
        return
    call = begun.calls[0]
    steps = ruleset.procedures[call.procedure].steps
    going = [step for step in _steps(rule, ruleset) if step in steps and step != steps[0]]
    small = _smallest_call(scenario, ruleset) if going else None
    if small is None:
        return
    for step in going:
        frame = complete(
            ruleset.templates[call.procedure], f"{call.procedure}-1", dict(call.fields), WorkingMemory(ruleset.shapes)
        )
        items = (Beginning((small,), NOWHERE),)
        yield replace(scenario, stack=(*scenario.stack, StackedFrame(frame, step)), items=items)


def _smallest_call(scenario: Scenario, ruleset: Ruleset) -> Call | None:
    """Something to begin on this board that comes to the fewest rules."""
    for name in _smallest_first(ruleset):
        board = Wishing(ruleset, facts={(fact.template, fact.id): {} for fact in scenario.facts})
        wanted = [one for one in ruleset.templates[name].fields.values() if one.required]
        fields = tuple((one.name, board.any(one.type)) for one in wanted)
        if len(board.facts) == len(scenario.facts):
            return Call(name, tuple(sorted(fields)))
    return None


def _smallest_first(ruleset: Ruleset) -> list[str]:
    """The procedures that are begun without being asked for, those first in whose steps the fewest rules stand."""
    plain = [name for name, one in ruleset.procedures.items() if not one.request and not one.yields]
    rules = Counter(rule.step for rule in ruleset.rules if rule.step)
    return sorted(plain, key=lambda name: sum(rules[step] for step in _steps_under(name, ruleset)))


def _steps_under(name: str, ruleset: Ruleset) -> set[str]:
    """The steps of a procedure, of those that are its steps, and of what follows it."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.add(one)
            procedure = ruleset.procedures.get(one)
            waiting += (*procedure.steps, procedure.then) if procedure else ()
    return found
