"""Makes a board that shows something smaller, as long as it still shows it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace

from riftrules.analysis.comparing.changes import without
from riftrules.facts.memory import Fact, WorkingMemory
from riftrules.facts.types import Value
from riftrules.language.defaults import complete
from riftrules.language.model import Ruleset
from riftrules.scenario.model import Beginning, Requesting, Scenario


def shrunk(scenario: Scenario, ruleset: Ruleset, shows: Callable[[Scenario], bool], *, seconds: float) -> Scenario:
    """The scenario with nothing in it that could be left out alone; less small where time is up."""
    end = time.monotonic() + seconds
    smaller: Scenario | None = scenario
    while smaller is not None and time.monotonic() < end:
        scenario = smaller
        smaller = next((one for one in _smaller(scenario, ruleset) if time.monotonic() < end and shows(one)), None)
    return scenario


def _smaller(scenario: Scenario, ruleset: Ruleset) -> Iterator[Scenario]:
    """Items fewer, facts fewer, fields as they would be anyway, small numbers."""
    for place in range(len(scenario.items) - 1, -1, -1):
        yield replace(scenario, items=(*scenario.items[:place], *scenario.items[place + 1 :]))
    for place, item in enumerate(scenario.items):
        if isinstance(item, Beginning) and len(item.calls) > 1:
            for call in range(len(item.calls)):
                fewer = replace(item, calls=(*item.calls[:call], *item.calls[call + 1 :]))
                yield replace(scenario, items=(*scenario.items[:place], fewer, *scenario.items[place + 1 :]))
    for place in range(len(scenario.stack) - 1, -1, -1):
        yield replace(scenario, stack=(*scenario.stack[:place], *scenario.stack[place + 1 :]))
    for fact in reversed(scenario.facts):
        if ruleset.templates[fact.template].name != "settings":
            yield without(scenario, fact, ruleset)
    yield from _plainer_items(scenario, ruleset)
    yield from _plainer_facts(scenario, ruleset)


def _plainer_items(scenario: Scenario, ruleset: Ruleset) -> Iterator[Scenario]:
    for place, item in enumerate(scenario.items):
        if isinstance(item, Requesting):
            template = ruleset.templates[item.procedure]
            for name, _ in item.fields:
                if not template.fields[name].required:
                    fewer = replace(item, fields=tuple(pair for pair in item.fields if pair[0] != name))
                    yield replace(scenario, items=(*scenario.items[:place], fewer, *scenario.items[place + 1 :]))


def _plainer_facts(scenario: Scenario, ruleset: Ruleset) -> Iterator[Scenario]:
    memory = WorkingMemory(ruleset.shapes)
    for place, fact in enumerate(scenario.facts):
        template = ruleset.templates[fact.template]
        preset = ruleset.modes.get(scenario.mode, {}) if fact.template == "settings" else {}
        usual = complete(template, fact.id, preset, memory)
        memory.put(fact)
        for name, value in fact.values.items():
            if name in (template.key or ()):
                continue
            simpler = [usual.values[name]] if not template.fields[name].required else []
            for other in (*simpler, *_lower(value, usual.values[name])):
                if other != value:
                    yield replace(
                        scenario, facts=(*scenario.facts[:place], _with(fact, name, other), *scenario.facts[place + 1 :])
                    )


def _with(fact: Fact, name: str, value: Value) -> Fact:
    return fact.with_values({name: value})


def _lower(value: Value, usual: Value) -> Iterator[Value]:
    """Numbers nearer to their default, sets with fewer members."""
    if isinstance(value, bool):
        return
    if isinstance(value, int):
        to = usual if isinstance(usual, int) and not isinstance(usual, bool) else 0
        if abs(value - to) > 1:
            yield value - 1 if value > to else value + 1
    elif isinstance(value, frozenset):
        yield from (value - {member} for member in sorted(value, key=str))
