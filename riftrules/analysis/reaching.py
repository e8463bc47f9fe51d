"""What a scenario can come to at all, whatever its board: by its items, and by what rules begin and emit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from riftrules.facts.types import Call
from riftrules.language.model import Begin, Emit, Literal, Read, Refuse, Rule, Ruleset
from riftrules.language.rebuilding import parts_of
from riftrules.scenario.model import Beginning, Requesting, Scenario


def can_reach(rule: Rule, scenario: Scenario, ruleset: Ruleset) -> bool:
    """Whether a rule may be looked at: its request made, its event happen, its step be visited. False is sure, true is not."""
    requests = {item.procedure for item in scenario.items if isinstance(item, Requesting)}
    if rule.kind == "legality":
        return any(said.procedure in requests for said in rule.then if isinstance(said, Refuse))
    procedures, events = _reached(scenario, ruleset)
    if rule.event is not None:
        return rule.event.template in events
    return any(rule.step in ruleset.procedures[name].steps for name in procedures)


def _reached(scenario: Scenario, ruleset: Ruleset) -> tuple[set[str], set[str]]:
    """The procedures that may run and the events that may happen."""
    waiting = [*_started(scenario), *_calls(ruleset)]
    procedures: set[str] = set()
    events: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in procedures or name not in ruleset.procedures:
            continue
        procedures.add(name)
        procedure = ruleset.procedures[name]
        waiting += [*procedure.steps, procedure.then]
        for rule in ruleset.rules:
            if rule.step in procedure.steps:
                waiting += _begun(rule, events, ruleset)
    return procedures, events


def _begun(rule: Rule, events: set[str], ruleset: Ruleset) -> list[str]:
    """What a rule begins, and what begins when what it emits is heard."""
    found = [said.procedure for said in rule.then if isinstance(said, Begin)]
    for said in rule.then:
        if isinstance(said, Emit) and said.event not in events:
            events.add(said.event)
            for other in ruleset.rules:
                if other.event is not None and other.event.template == said.event:
                    found += _begun(other, events, ruleset)
    return found


def _started(scenario: Scenario) -> Iterator[str]:
    """What the scenario begins itself, or may by what its facts and requests hold."""
    for item in scenario.items:
        match item:
            case Requesting(procedure, fields):
                yield procedure
                yield from _called([value for _, value in fields])
            case Beginning(calls):
                yield from _called(list(calls))
    for frame in scenario.stack:
        yield frame.frame.template
    for fact in (*scenario.facts, *(one.frame for one in scenario.stack)):
        yield from _called(list(fact.values.values()))


def _called(value: Any) -> Iterator[str]:
    match value:
        case Call(procedure, fields):
            yield procedure
            yield from _called([one for _, one in fields])
        case list() | tuple() | frozenset():
            for one in value:
                yield from _called(one)


def _calls(ruleset: Ruleset) -> Iterator[str]:
    """What rules write into fields of type `calls`."""
    for rule in ruleset.rules:
        for said in rule.then:
            written = [value for _, value in getattr(said, "fields", ())] + [one.to for one in getattr(said, "changes", ())]
            for value in written:
                if not isinstance(value, Read):
                    yield from (name for part in parts_of(value) if isinstance(part, Literal) for name in _called(part.value))
