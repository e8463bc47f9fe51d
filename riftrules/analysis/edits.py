"""Changes of a scenario or its rules, tried out to see what would have come of it otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from riftrules.facts.memory import Fact, WorkingMemory
from riftrules.facts.types import Value
from riftrules.language.model import Ruleset
from riftrules.scenario.model import Scenario
from riftrules.scenario.words import said, said_fields


@dataclass(frozen=True, slots=True)
class FieldEdit:
    """A field of a given fact, or of a frame of the given stack, has another value."""

    template: str
    id: str
    field: str
    value: Value


@dataclass(frozen=True, slots=True)
class Removal:
    """A given fact is not there, nor what hangs on it."""

    template: str
    id: str


@dataclass(frozen=True, slots=True)
class Addition:
    """One more fact is given."""

    fact: Fact


@dataclass(frozen=True, slots=True)
class ItemRemoval:
    """An item of `when`, counted from 1, is left out."""

    number: int


@dataclass(frozen=True, slots=True)
class RuleRemoval:
    """A rule is not in the ruleset."""

    rule: str


BoardEdit: TypeAlias = FieldEdit | Removal | Addition
Edit: TypeAlias = BoardEdit | ItemRemoval | RuleRemoval


def edited(scenario: Scenario, edits: Sequence[Edit], ruleset: Ruleset) -> Scenario:
    """The scenario with board and items changed. Rules are not its own: their removal is left to the caller."""
    facts = _memory(scenario, ruleset)
    stack, gone = list(scenario.stack), set[int]()
    for edit in edits:
        match edit:
            case FieldEdit(template, id_, name, value):
                frame = next(
                    (place for place, one in enumerate(stack) if (one.frame.template, one.frame.id) == (template, id_)), None
                )
                fact = facts.get(template, id_)
                if frame is not None:
                    stack[frame] = replace(stack[frame], frame=stack[frame].frame.with_values({name: value}))
                elif fact is not None:
                    facts.put(fact.with_values({name: value}))
            case Removal(template, id_):
                facts.retract(template, id_)
            case Addition(fact):
                facts.put(fact)
            case ItemRemoval(number):
                gone.add(number)
    items = tuple(item for number, item in enumerate(scenario.items, 1) if number not in gone)
    return replace(scenario, facts=tuple(facts), stack=tuple(stack), items=items)


def _memory(scenario: Scenario, ruleset: Ruleset) -> WorkingMemory:
    memory = WorkingMemory(ruleset.shapes)
    for fact in scenario.facts:
        memory.put(fact)
    return memory


def edit_text(edit: Edit, scenario: Scenario, ruleset: Ruleset) -> str:
    """An edit in words: what a designer would change in the fixture."""
    match edit:
        case FieldEdit(template, id_, name, value):
            named = id_ if id_ == template else f"{template} {id_}"
            return f"{named}.{name}: {said(value)} (it is {said(_given(scenario, edit))})"
        case Removal(template, id_):
            return f"no {template}" if id_ == template else f"no {template} {id_}"
        case Addition(fact):
            return _added(fact, ruleset)
        case ItemRemoval(number):
            return f"without item {number}"
        case RuleRemoval(rule):
            return f"without rule `{rule}`"


def _given(scenario: Scenario, edit: FieldEdit) -> Value:
    facts = (*scenario.facts, *(one.frame for one in scenario.stack))
    return next(one.values[edit.field] for one in facts if (one.template, one.id) == (edit.template, edit.id))


def _added(fact: Fact, ruleset: Ruleset) -> str:
    """One more fact, with the fields that are not as they would be anyway."""
    template = ruleset.templates[fact.template]
    if template.kind == "singleton":
        return f"{fact.template}: {{{said_fields([pair for pair in fact.values.items() if pair[1] is not None])}}}"
    plain = {name: field.default for name, field in template.fields.items()}
    told = [(name, value) for name, value in fact.values.items() if value is not None and not _as_default(value, plain[name])]
    return f"one more {fact.template}: {{{said_fields(told)}}}"


def _as_default(value: Value, default: object) -> bool:
    """Whether a field need not be written: it has its literal default, or one worked out from id or place."""
    if default is None:
        return False
    written = getattr(default, "value", default)
    return bool(written == value) or not hasattr(default, "value")
