"""A scenario of the newer ruleset as it is under the older one."""

from __future__ import annotations

from dataclasses import replace

from riftrules.analysis.comparing.mixing import Revision
from riftrules.facts.memory import Fact, WorkingMemory
from riftrules.facts.trace import StackedFrame
from riftrules.facts.types import Value
from riftrules.language.defaults import complete
from riftrules.language.model import Ruleset, Template
from riftrules.scenario.model import Scenario

SETTINGS = "settings"


def on_both(scenario: Scenario, revision: Revision) -> tuple[Scenario, Scenario]:
    """The scenario under the old and under the new ruleset.

    What has its default under the new one has its default under the old one; settings are those of the mode on each
    side unless they were given.
    """
    if not any(edit.item[0] in {"template", "mode", "procedure"} for edit in revision.playing):
        return scenario, scenario
    return _translated(scenario, revision.new, revision.old), scenario


def _translated(scenario: Scenario, here: Ruleset, there: Ruleset) -> Scenario:
    memories = WorkingMemory(here.shapes), WorkingMemory(there.shapes)
    ordered = sorted(scenario.facts, key=lambda one: here.templates[one.template].kind != "singleton")
    facts = [_fact(fact, (here, there), memories, scenario.mode) for fact in ordered if fact.template in there.templates]
    stack = tuple(
        StackedFrame(_fact(one.frame, (here, there), memories, ""), one.step, one.pass_number)
        for one in scenario.stack
        if one.frame.template in there.templates
    )
    return replace(scenario, facts=tuple(facts), stack=stack)


def _fact(fact: Fact, sides: tuple[Ruleset, Ruleset], memories: tuple[WorkingMemory, WorkingMemory], mode: str) -> Fact:
    here, there = (side.templates[fact.template] for side in sides)
    presets = [dict(side.modes.get(mode, {})) if fact.template == SETTINGS else {} for side in sides]
    position = memories[0].count(fact.template) + 1
    usual = complete(here, fact.id, presets[0], memories[0], position=position)
    given = {name: value for name, value in fact.values.items() if _given(name, value, usual, here) and name in there.fields}
    made = complete(there, fact.id, {**presets[1], **given}, memories[1], position=position)
    memories[0].put(fact)
    memories[1].put(made)
    return made


def _given(name: str, value: Value, usual: Fact, template: Template) -> bool:
    return template.fields[name].required or value != usual.values[name]
