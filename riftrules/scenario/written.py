"""Writes a scenario as a fixture: what is as it would be anyway is left out, and reading it gives the same board and items."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from textwrap import wrap

from riftrules.facts.memory import Fact, WorkingMemory
from riftrules.facts.trace import StackedFrame
from riftrules.facts.types import Call, Value, id_order, value_order
from riftrules.language.defaults import complete
from riftrules.language.model import Position, Ruleset, Template
from riftrules.language.syntax import begins_like_a_test
from riftrules.scenario.items import EVERYONE
from riftrules.scenario.model import Beginning, Choosing, Item, Requesting, Scenario
from riftrules.scenario.words import named
from riftrules.source import Entries, Items, Node, Scalar

SETTINGS = "settings"
WIDTH = 110
_PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_ ./'()!?+-]*\Z")
_WORDS = {"none", "some", "null", "~"}


def fixture_text(scenario: Scenario, ruleset: Ruleset, then: Sequence[str] = (), comment: Sequence[str] = ()) -> str:
    """The scenario as a fixture of one file, with these lines under `then` and these as a comment above it.

    Looks at the board between items are left out. Facts that a frame takes with it cannot be given, and are not.
    """
    lines = [*(f"# {line}" for text in comment for line in wrap(text, WIDTH)), f"scenario: {written(scenario.name)}"]
    if scenario.cites:
        lines.append(f"cites: [{', '.join(written(number) for number in scenario.cites)}]")
    lines.append(f"ruleset: {written(ruleset.name)}")
    if scenario.mode and scenario.mode != next(iter(ruleset.modes), ""):
        lines.append(f"mode: {written(scenario.mode)}")
    if scenario.any_order:
        lines.append("any_order: true")
    given = [*_given(scenario, ruleset), *_stack(scenario.stack, ruleset)]
    if given:
        lines += ["given:", *(f"  {line}" for line in given)]
    items = [line for item in scenario.items for line in _item(item, ruleset)]
    if items:
        lines += ["when:", *(f"  {line}" for line in items)]
    if then:
        lines += ["then:", *(f"  {line}" for line in then)]
    return "\n".join(lines) + "\n"


# ------------------------------------------------------------------------------------------------ values


def written(value: Value) -> str:
    """A value as YAML holds it on one line, so that a fixture reads the same value."""
    match value:
        case None:
            return "none"
        case bool():
            return "true" if value else "false"
        case frozenset():
            return f"[{', '.join(written(member) for member in sorted(value, key=value_order))}]"
        case Call(procedure, fields):
            return f"{{{written(procedure)}: {_fields(dict(fields))}}}"
        case tuple() if value and all(isinstance(item, tuple) for item in value):
            return f"{{{', '.join(f'{written(key)}: {number}' for key, number in value)}}}"
        case tuple():
            return f"[{', '.join(written(item) for item in value)}]"
        case str():
            return _text(value)
    return str(value)


def _text(text: str) -> str:
    plain = _PLAIN.match(text) and text == text.strip() and text not in _WORDS and not begins_like_a_test(text)
    return text if plain else '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _fields(fields: Mapping[str, Value]) -> str:
    return f"{{{', '.join(f'{name}: {written(value)}' for name, value in fields.items())}}}"


# ------------------------------------------------------------------------------------------------ the board


def _given(scenario: Scenario, ruleset: Ruleset) -> Iterator[str]:
    """The facts, singletons first; each with the fields that are not as they would be anyway."""
    memory = WorkingMemory(ruleset.shapes)
    of: dict[str, list[Fact]] = {}
    for fact in scenario.facts:
        of.setdefault(fact.template, []).append(fact)
    for template in sorted((ruleset.templates[name] for name in of), key=lambda one: one.kind != "singleton"):
        facts = _in_order(of[template.name], template)
        preset = ruleset.modes.get(scenario.mode, {}) if template.name == SETTINGS else {}
        told = [(fact, _told(fact, template, preset, place, memory)) for place, fact in enumerate(facts, 1)]
        yield from _template(template, told)


def _in_order(facts: Iterable[Fact], template: Template) -> list[Fact]:
    """The facts as they are to be listed, so that what counts their places counts right."""
    counted = [name for name, field in template.fields.items() if isinstance(field.default, Position)]
    return sorted(facts, key=lambda fact: (*(value_order(fact.values[name]) for name in counted), id_order(fact.id)))


def _told(fact: Fact, template: Template, preset: Mapping[str, Value], place: int, memory: WorkingMemory) -> dict[str, Value]:
    """The fields that must be written. The fact is put in memory, for the defaults of those to come."""
    usual = complete(template, fact.id, preset, memory, position=place)
    memory.put(fact)
    needed = {name for name, field in template.fields.items() if field.required}
    return {name: value for name, value in fact.values.items() if name in needed or value != usual.values[name]}


def _template(template: Template, told: Sequence[tuple[Fact, Mapping[str, Value]]]) -> Iterator[str]:
    name = template.plural or template.name
    if template.kind == "singleton":
        fields = told[0][1]
        if fields or template.name != SETTINGS:
            yield f"{template.name}: {_fields(fields)}"
    elif template.key is not None:
        yield f"{name}:"
        yield from (f"  - {_fields(fields)}" for _, fields in told)
    else:
        yield f"{name}:"
        yield from (f"  {written(fact.id)}: {_fields(fields)}" for fact, fields in told)


def _stack(stack: Sequence[StackedFrame], ruleset: Ruleset) -> Iterator[str]:
    if stack:
        yield "stack:"
    for standing in stack:
        frame = standing.frame
        template = ruleset.templates[frame.template]
        usual = complete(template, frame.id, {}, WorkingMemory(ruleset.shapes))
        needed = {name for name, field in template.fields.items() if field.required}
        fields = {name: value for name, value in frame.values.items() if name in needed or value != usual.values[name]}
        yield f"  - {frame.template}: {_fields(fields)}"
        yield f"    step: {standing.step}"


# ------------------------------------------------------------------------------------------------ what is done


def _item(item: Item, ruleset: Ruleset) -> Iterator[str]:
    match item:
        case Requesting(procedure, fields):
            said = EVERYONE if item.everyone else _fields(_unusual(procedure, dict(fields), ruleset))
            yield f"- {procedure}: {said}"
            refused = item.refused
            if refused is not None:
                words = {"rule": refused.rule, "rules": refused.rules, "cites": refused.cites, "reason": refused.reason}
                yield f"  refused: {_fields({name: value for name, value in words.items() if value is not None})}"
        case Beginning(calls):
            calls_ = [f"{{{call.procedure}: {_fields(_unusual(call.procedure, dict(call.fields), ruleset))}}}" for call in calls]
            yield f"- begin: {calls_[0] if len(calls_) == 1 else '[' + ', '.join(calls_) + ']'}"
        case Choosing(option):
            yield f"- choose: {_node(option)}"


def _unusual(procedure: str, fields: Mapping[str, Value], ruleset: Ruleset) -> dict[str, Value]:
    """The fields without those that are their literal default."""
    template = ruleset.templates[procedure]
    return {name: value for name, value in fields.items() if not _usual(template, name, value)}


def _usual(template: Template, name: str, value: Value) -> bool:
    field = template.fields[name]
    if field.default is None:
        return field.optional and value is None
    return hasattr(field.default, "value") and bool(field.default.value == value)


def _node(node: Node) -> str:
    match node:
        case Scalar(text, quoted):
            return text if not quoted and text == "none" else _text(text)
        case Items(items):
            return f"[{', '.join(_node(item) for item in items)}]"
        case Entries(pairs):
            return f"{{{', '.join(f'{_node(key)}: {_node(value)}' for key, value in pairs)}}}"


# ------------------------------------------------------------------------------------------------ what is expected


def expected_lines(facts: Iterable[tuple[Fact, Sequence[str]]], *, gone: Iterable[Fact] = ()) -> Iterator[str]:
    """Lines of `then`: that these fields of these facts are as they are, and that those facts are gone."""
    for fact, names in facts:
        yield f"{_subject(fact)}: {_fields({name: fact.values[name] for name in names})}"
    for fact in gone:
        yield f"{_subject(fact, negated=True)}: {{}}"


def _subject(fact: Fact, *, negated: bool = False) -> str:
    text = f"no {named(fact)}" if negated else named(fact)
    return text if re.fullmatch(r"[A-Za-z0-9][^:#\"'{}\[\]&*!|>%@`]*", text) else written(text)
