"""The boards and sequences of events beside one: each with one thing otherwise, finitely many, the nearest first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product

from riftrules.analysis.comparing.relevance import Relevance
from riftrules.errors import NOWHERE
from riftrules.facts.memory import Fact, WorkingMemory
from riftrules.facts.trace import StackedFrame
from riftrules.facts.types import (
    BoolType,
    Call,
    IntType,
    ListType,
    MapType,
    RefType,
    SetType,
    TextType,
    Type,
    Value,
    WordType,
    fault,
    keyed_id,
)
from riftrules.language.defaults import complete
from riftrules.language.model import AskFor, Field, Refuse, Ruleset, Template
from riftrules.scenario.model import Beginning, Choosing, Expectation, Expecting, Item, Refusing, Requesting, Scenario
from riftrules.scenario.opening import node_of

MOST_CALLS = 24
MOST_ADDED = 16
MOST_STEPS = 3


@dataclass(slots=True)
class Changes:
    """The changes of boards on one ruleset that may matter."""

    ruleset: Ruleset
    matters: Relevance

    def of(self, scenario: Scenario) -> Iterator[Scenario]:
        """Every scenario with one thing otherwise: what is done first, then fields, facts more, facts less."""
        yield from self.items(scenario)
        yield from self.fields(scenario)
        yield from self.more(scenario)
        yield from self.frames(scenario)
        yield from self.less(scenario)

    # -------------------------------------------------------------------------------------------- the board

    def fields(self, scenario: Scenario) -> Iterator[Scenario]:
        """One field of a fact, or of a frame of the stack, has another value."""
        for place, fact in enumerate(scenario.facts):
            for other in self._others(fact, scenario.facts):
                yield replace(scenario, facts=(*scenario.facts[:place], other, *scenario.facts[place + 1 :]))
        for place, standing in enumerate(scenario.stack):
            for other in self._others(standing.frame, scenario.facts):
                there = replace(standing, frame=other)
                yield replace(scenario, stack=(*scenario.stack[:place], there, *scenario.stack[place + 1 :]))

    def _others(self, fact: Fact, facts: Sequence[Fact]) -> Iterator[Fact]:
        template = self.ruleset.templates[fact.template]
        for name, field in template.fields.items():
            if (fact.template, name) in self.matters.fields and name not in (template.key or ()):
                for value in self._values(fact.template, field, facts, fact.values[name]):
                    if value != fact.values[name]:
                        yield fact.with_values({name: value})

    def more(self, scenario: Scenario) -> Iterator[Scenario]:
        """One more fact."""
        memory = WorkingMemory(self.ruleset.shapes)
        for fact in scenario.facts:
            memory.put(fact)
        for name in sorted(self.matters.templates):
            template = self.ruleset.templates.get(name)
            if template is not None and template.kind in {"standing", "singleton"}:
                for fact in self._new(template, memory):
                    yield replace(scenario, facts=(*scenario.facts, fact))

    def _new(self, template: Template, memory: WorkingMemory) -> Iterator[Fact]:
        if template.kind == "singleton" and memory.count(template.name):
            return
        facts = tuple(memory)
        mark = memory.mark()
        for given in islice(self._given(template, facts), MOST_ADDED):
            id_ = template.name if template.kind == "singleton" else memory.new_id(template.name)
            fact = complete(template, id_, given, memory)
            memory.undo(mark)
            if template.key:
                fact = Fact(template.name, keyed_id(tuple(fact.values[name] for name in template.key)), fact.values)
            if memory.get(template.name, fact.id) is None:
                yield fact

    def _given(self, template: Template, facts: Sequence[Fact]) -> Iterator[dict[str, Value]]:
        """Fields for a new fact: every value of those that are required, and of one other at a time what the rules name."""
        domains = {
            one.name: list(self._values(template.name, one, facts, None)) for one in template.fields.values() if one.required
        }
        for values in product(*domains.values()):
            yield dict(zip(domains, values, strict=True))
        first = {name: values[0] for name, values in domains.items() if values}
        if len(first) == len(domains):
            for one in template.fields.values():
                if not one.required and (template.name, one.name) in self.matters.fields:
                    yield from ({**first, one.name: value} for value in self._values(template.name, one, facts, None))

    def frames(self, scenario: Scenario) -> Iterator[Scenario]:
        """One more frame on the stack, or beneath all the others, in one of its steps."""
        memory = WorkingMemory(self.ruleset.shapes)
        for fact in scenario.facts:
            memory.put(fact)
        there = {one.frame.template for one in scenario.stack}
        for name in sorted(self.matters.templates - there):
            template = self.ruleset.templates.get(name)
            if template is not None and template.kind == "frame":
                for standing in self._standing(template, memory):
                    yield replace(scenario, stack=(standing, *scenario.stack))
                    if scenario.stack:
                        yield replace(scenario, stack=(*scenario.stack, standing))

    def _standing(self, template: Template, memory: WorkingMemory) -> Iterator[StackedFrame]:
        steps = [one for one in self.ruleset.procedures[template.name].steps if one not in self.ruleset.procedures]
        asking = {rule.step for rule in self.ruleset.rules for one in rule.then if isinstance(one, AskFor)}
        facts, mark = tuple(memory), memory.mark()
        for given in islice(self._given(template, facts), MOST_ADDED):
            frame = complete(template, f"{template.name}-1", given, memory)
            memory.undo(mark)
            yield from (StackedFrame(frame, step) for step in sorted(steps, key=lambda step: step not in asking)[:MOST_STEPS])

    def less(self, scenario: Scenario) -> Iterator[Scenario]:
        """One fact less, with what hangs on it."""
        for fact in scenario.facts:
            if self.ruleset.templates[fact.template].kind == "standing":
                yield without(scenario, fact, self.ruleset)

    # -------------------------------------------------------------------------------------------- what is done

    def items(self, scenario: Scenario) -> Iterator[Scenario]:
        """After the first so many items another one; one item otherwise; one item less."""
        others = list(self._asked(scenario.facts))
        for length in range(len(scenario.items) + 1):
            for item in others:
                yield replace(scenario, items=(*scenario.items[:length], item))
        for place, item in enumerate(scenario.items):
            for other in self._item(item, scenario.facts):
                yield replace(scenario, items=(*scenario.items[:place], other, *scenario.items[place + 1 :]))
            yield replace(scenario, items=(*scenario.items[:place], *scenario.items[place + 1 :]))

    def _asked(self, facts: Sequence[Fact]) -> Iterator[Item]:
        """What brings the rules that matter to be looked at: requests they refuse, procedures in whose steps they are."""
        for name, procedure in self.ruleset.procedures.items():
            here = any(rule.step in procedure.steps or _refuses(rule.then, name) for rule, _ in self.matters.rules)
            if here:
                for fields in islice(self._calls(name, facts), MOST_CALLS):
                    yield (
                        Requesting(name, tuple(sorted(fields.items())), NOWHERE)
                        if procedure.request
                        else Beginning((Call(name, tuple(sorted(fields.items()))),), NOWHERE)
                    )

    def _calls(self, name: str, facts: Sequence[Fact]) -> Iterator[dict[str, Value]]:
        yield from self._given(self.ruleset.templates[name], facts)

    def _item(self, item: Item, facts: Sequence[Fact]) -> Iterator[Item]:
        match item:
            case Requesting(procedure, fields) if not item.everyone:
                for other in self._varied(procedure, dict(fields), facts):
                    yield replace(item, fields=tuple(sorted(other.items())))
            case Beginning(calls):
                for place, call in enumerate(calls):
                    for other in self._varied(call.procedure, dict(call.fields), facts):
                        varied = Call(call.procedure, tuple(sorted(other.items())))
                        yield replace(item, calls=(*calls[:place], varied, *calls[place + 1 :]))

    def _varied(self, procedure: str, fields: Mapping[str, Value], facts: Sequence[Fact]) -> Iterator[dict[str, Value]]:
        for name, field in self.ruleset.templates[procedure].fields.items():
            for value in self._values(procedure, field, facts, fields.get(name)):
                if value != fields.get(name, _absent):
                    yield {**fields, name: value}

    # -------------------------------------------------------------------------------------------- values

    def _values(self, template: str, field: Field, facts: Sequence[Fact], now: Value) -> Iterator[Value]:
        """Values a field may have, the nearest first; none last, where it may be."""
        found = dict.fromkeys(
            value for value in self._of(template, field, field.type, facts, now) if not fault(value, field.type)
        )
        yield from found
        if field.optional:
            yield None

    def _of(self, template: str, field: Field, type_: Type, facts: Sequence[Fact], now: Value) -> Iterator[Value]:
        named = self.matters.literals.get((template, field.name), set())
        match type_:
            case IntType():
                near = self.matters.numbers | {value for value in named if isinstance(value, int)} | {now or 0}
                same = {fact.values[field.name] for fact in facts if fact.template == template}
                limits = {
                    value
                    for fact in facts
                    if fact.template == "settings"
                    for value in fact.values.values()
                    if isinstance(value, int)
                }
                centres = {value for value in (*near, *same, *limits) if value is not None}
                around = {0, 1} | {centre + step for centre in centres for step in (-1, 0, 1)}
                yield from sorted(around, key=lambda value: (abs(value - (now or 0)), value))
            case TextType():
                same = {fact.values[field.name] for fact in facts if fact.template == template} - {None}
                yield from sorted({*(str(one) for one in same), *(one for one in named if isinstance(one, str)), "other"})
            case SetType(of):
                held = now or frozenset()
                yield frozenset()
                yield from (held ^ {member} for member in _members(of, facts))
            case ListType(of):
                held = now or ()
                yield from ((member,) for member in _members(of, facts))
                yield from ((*held, member) for member in _members(of, facts) if held and member not in held)
            case MapType(key):
                held = now or ()
                yield ()
                yield from (tuple(sorted({**dict(held), member: 1}.items())) for member in _members(key, facts))
            case _:
                yield from _members(type_, facts)


_absent = object()


def _members(type_: Type, facts: Sequence[Fact]) -> Iterator[Value]:
    match type_:
        case RefType(template, words):
            yield from (fact.id for fact in facts if fact.template == template)
            yield from words
        case BoolType():
            yield from (False, True)
        case WordType(words):
            yield from words


def _refuses(then: Sequence[object], procedure: str) -> bool:
    return any(isinstance(one, Refuse) and one.procedure == procedure for one in then)


def without(scenario: Scenario, fact: Fact, ruleset: Ruleset) -> Scenario:
    """The scenario without a fact and what hangs on it."""
    memory = WorkingMemory(ruleset.shapes)
    for one in scenario.facts:
        memory.put(one)
    memory.retract(fact.template, fact.id)
    return replace(scenario, facts=tuple(memory))


def plain(scenario: Scenario) -> Scenario:
    """The scenario without what it expects, so that only what is done decides what comes of it.

    That a request is refused is still expected, by whatever rule: else nothing after it would be played.
    """
    items = tuple(
        replace(item, refused=Refusing()) if isinstance(item, Requesting) and item.refused is not None else item
        for item in scenario.items
        if not isinstance(item, Expecting)
    )
    return replace(scenario, items=items, then=Expectation(), lenient=True)


def coherent(scenario: Scenario, ruleset: Ruleset) -> bool:
    """Whether everything that facts, frames and what is begun refer to is there: else no fixture could say it."""
    there: dict[str, set[str]] = {}
    frames = [standing.frame for standing in scenario.stack]
    for fact in (*scenario.facts, *frames):
        there.setdefault(fact.template, set()).add(fact.id)
    held = [(fact.template, fact.values) for fact in (*scenario.facts, *frames)]
    held += [(call.procedure, dict(call.fields)) for item in scenario.items if isinstance(item, Beginning) for call in item.calls]
    return all(
        _refers(value, ruleset.templates[template].fields[name].type, there)
        for template, values in held
        for name, value in values.items()
        if value is not None and name in ruleset.templates[template].fields
    )


def _refers(value: Value, type_: Type, there: Mapping[str, set[str]]) -> bool:
    match type_:
        case RefType(template, words):
            return value in words or value in there.get(template, ())
        case SetType(of) | ListType(of):
            return all(_refers(member, of, there) for member in value)
        case MapType(key):
            return all(_refers(member, key, there) for member, _ in value)
    return True


def chosen(option: Value) -> Choosing:
    """An answer to a choice, as an item."""
    return Choosing(node_of(option, "choice"), NOWHERE)
