"""Writes a scenario as the fixture a person would have written: what is as by default is left out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from riftrules.facts.memory import Fact, WorkingMemory
from riftrules.facts.trace import StackedFrame
from riftrules.facts.types import Value
from riftrules.language.defaults import complete
from riftrules.language.model import Ruleset, Template
from riftrules.language.saying import say_value
from riftrules.scenario.board import SETTINGS
from riftrules.scenario.model import Beginning, Choosing, Item, Requesting
from riftrules.source import Scalar


@dataclass(frozen=True, slots=True)
class Draft:
    """A scenario to be written. `then` are its lines as they are to stand; `settings` as the mode has them are left out."""

    name: str
    ruleset: str
    facts: tuple[Fact, ...]
    stack: tuple[StackedFrame, ...] = ()
    items: tuple[Item, ...] = ()
    then: tuple[str, ...] = ()
    mode: str = ""
    note: str = ""
    any_order: bool = False


def fixture_text(draft: Draft, ruleset: Ruleset) -> str:
    """The whole text of a fixture with this one scenario."""
    head = [f"scenario: {_plain(draft.name)}", f"ruleset: {draft.ruleset}"]
    head += [f"mode: {draft.mode}"] if draft.mode else []
    head += [f"note: {_plain(draft.note)}"] if draft.note else []
    head += ["any_order: true"] if draft.any_order else []
    given = [f"  {line}" for line in (*_given(draft, ruleset), *_stacked(draft.stack, ruleset))]
    parts = [head, ["given:" if given else "given: {}", *given]]
    if draft.items:
        parts.append(["when:", *(f"  - {_item(item)}" for item in draft.items)])
    parts.append(["then:" if draft.then else "then: {}", *(f"  {line}" for line in draft.then)])
    return "\n".join(line for part in parts for line in part) + "\n"


def _plain(text: str) -> str:
    """A sentence as a scalar: quoted where YAML would read it as something else."""
    first = text[:1]
    unsafe = not text or first in "`'\"[]{}&*!|>%@?-#," or ": " in text or " #" in text or text.endswith(":")
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"' if unsafe else text


# ------------------------------------------------------------------------------------------------ given


def _given(draft: Draft, ruleset: Ruleset) -> Iterator[str]:
    memory = WorkingMemory(ruleset.shapes)
    for fact in draft.facts:
        memory.put(fact)
    for template in ruleset.templates.values():
        facts = memory.all(template.name) if template.kind in {"standing", "singleton"} else ()
        if facts:
            yield from _facts(template, facts, draft, ruleset, memory)


def _facts(template: Template, facts: Sequence[Fact], draft: Draft, ruleset: Ruleset, memory: WorkingMemory) -> Iterator[str]:
    if template.name == SETTINGS:
        settled = ruleset.modes.get(draft.mode or next(iter(ruleset.modes), ""), {})
        fields = _other(template, facts[0], settled, 0, memory)
        if fields:
            yield f"{SETTINGS}: {_fields(fields)}"
        return
    if template.kind == "singleton":
        yield f"{template.name}: {_fields(_other(template, facts[0], {}, 0, memory))}"
        return
    yield f"{template.plural or template.name}:"
    for position, fact in enumerate(facts, 1):
        said = _fields(_other(template, fact, {}, position, memory))
        yield f"  - {said}" if template.key else f"  {say_value(fact.id)}: {said}"


def _other(
    template: Template, fact: Fact, settled: Mapping[str, Value], position: int, memory: WorkingMemory
) -> dict[str, Value]:
    """The fields that must be said: those that would otherwise be something else."""
    silent = complete(template, fact.id, settled, memory, position=position).values
    return {
        name: value
        for name, value in fact.values.items()
        if value != silent[name] or (template.fields[name].required and name not in settled and value is not None)
    }


def _fields(fields: Mapping[str, Value]) -> str:
    return "{" + ", ".join(f"{name}: {say_value(value)}" for name, value in fields.items()) + "}"


def _stacked(stack: Sequence[StackedFrame], ruleset: Ruleset) -> Iterator[str]:
    if not stack:
        return
    yield "stack:"
    empty = WorkingMemory(ruleset.shapes)
    for item in stack:
        frame = item.frame
        fields = _other(ruleset.templates[frame.template], frame, {}, 0, empty)
        yield f"  - {{{frame.template}: {_fields(fields)}, step: {item.step}}}"


# ------------------------------------------------------------------------------------------------ when


def _item(item: Item) -> str:
    match item:
        case Requesting(procedure, everyone=True):
            return f"{procedure}: everyone"
        case Requesting(procedure, fields):
            return f"{procedure}: {_fields(dict(fields))}"
        case Beginning(calls):
            said = [f"{{{call.procedure}: {_fields(dict(call.fields))}}}" for call in calls]
            return f"begin: {said[0] if len(said) == 1 else '[' + ', '.join(said) + ']'}"
        case Choosing(Scalar(text, quoted)):
            return f"choose: {say_value(text) if quoted else text}"
    message = f"not an action: {item!r}"
    raise TypeError(message)
