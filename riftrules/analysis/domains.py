"""The values a field might have had instead, and the facts there might have been besides: finitely many, nearest first.

A number has no end of other values, so those are tried at which something is decided: beside its own, beside every
number the rules or the settings compare it with, and beside the same field of other facts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from itertools import product
from typing import Any

from riftrules.facts.memory import Fact, WorkingMemory
from riftrules.facts.types import (
    BoolType,
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
    value_order,
)
from riftrules.language.defaults import complete
from riftrules.language.model import (
    Compare,
    Equals,
    Expression,
    FieldTest,
    Has,
    Literal,
    Not,
    Pattern,
    Read,
    Ruleset,
    Template,
    Test,
    Where,
)

MOST_ADDED = 48


@dataclass(slots=True)
class Compared:
    """What the rules compare a field with: numbers, texts and words as written, and fields of singletons."""

    literals: set[Value] = field(default_factory=set)
    settings: set[tuple[str, str]] = field(default_factory=set)


@dataclass(slots=True)
class Domains:
    """Other values and other facts on one board. What the rules compare is gathered once.

    `cut` says, once facts have been asked for, that there were more than are given.
    """

    ruleset: Ruleset
    facts: Sequence[Fact]
    compared: Mapping[tuple[str, str], Compared] = field(init=False)
    cut: bool = field(init=False, default=False)

    def __post_init__(self) -> None:
        self.compared = compared_fields(self.ruleset)

    def others(self, fact: Fact, name: str) -> tuple[Value, ...]:
        """The other values a field of a given fact might have, the nearest first; none for a field of its key."""
        template = self.ruleset.templates[fact.template]
        if name in (template.key or ()):
            return ()
        shape = template.fields[name]
        now = fact.values[name]
        values = [value for value in self._values(fact.template, name, shape.type, now) if value != now]
        return (*values, None) if shape.optional and now is not None else tuple(values)

    def _values(self, template: str, name: str, type_: Type, now: Value) -> list[Value]:
        match type_:
            case IntType():
                numbers = [value for value in self._numbers(template, name, now) if not fault(value, type_)]
                return sorted(numbers, key=lambda value: (abs(value - (now or 0)), value))
            case TextType():
                same = {fact.values[name] for fact in self.facts if fact.template == template}
                return sorted({*same, *self._literals(template, name)} - {None}, key=value_order)
            case SetType(of):
                held = now or frozenset()
                return [held ^ {member} for member in self._single(of)]
            case ListType(of):
                held = now or ()
                more = [(*held, member) for member in self._single(of) if member not in held]
                return [tuple(item for item in held if item != member) for member in dict.fromkeys(held)] + more
            case MapType():
                return [()] if now else []
        return self._single(type_)

    def _single(self, type_: Type) -> list[Value]:
        match type_:
            case RefType(template, words):
                return [*(fact.id for fact in self.facts if fact.template == template), *words]
            case BoolType():
                return [False, True]
            case WordType(words):
                return list(words)
        return []

    def _literals(self, template: str, name: str) -> set[Value]:
        found = self.compared.get((template, name))
        return {value for value in found.literals if isinstance(value, str)} if found else set()

    def _numbers(self, template: str, name: str, now: Value) -> set[int]:
        centres = {now or 0}
        centres |= {fact.values[name] for fact in self.facts if fact.template == template and fact.values[name] is not None}
        found = self.compared.get((template, name), Compared())
        centres |= {value for value in found.literals if isinstance(value, int) and not isinstance(value, bool)}
        held = {(fact.template, setting): value for fact in self.facts for setting, value in fact.values.items()}
        centres |= {held[key] for key in found.settings if isinstance(held.get(key), int)}
        return {0, 1} | {centre + near for centre in centres for near in (-1, 0, 1)}

    # -------------------------------------------------------------------------------------------- facts

    def added(self, template: Template, wanted: Mapping[str, Sequence[Value]]) -> Iterator[Fact]:
        """Facts there might be besides: every value of each required field, and of others what is `wanted` or their default."""
        memory = WorkingMemory(self.ruleset.shapes)
        for fact in self.facts:
            memory.put(fact)
        if template.kind == "singleton" and memory.get(template.name, template.name) is not None:
            return
        choices = [self._choices(template, name, wanted.get(name, ())) for name in template.fields]
        tried = sorted(product(*(range(len(one)) for one in choices)), key=sum) if all(choices) else []
        self.cut = self.cut or len(tried) > MOST_ADDED
        seen: set[str] = set()
        for places in tried[:MOST_ADDED]:
            given = {
                name: one[place]
                for name, one, place in zip(template.fields, choices, places, strict=True)
                if one[place] is not _DEFAULT
            }
            fact = self._complete(template, given, memory)
            if memory.get(template.name, fact.id) is None and fact.id not in seen:
                seen |= {fact.id} if template.key else set()
                yield fact

    def _choices(self, template: Template, name: str, wanted: Sequence[Value]) -> list[Value]:
        shape = template.fields[name]
        others = [value for value in wanted if value is not None and not fault(value, shape.type)]
        if not shape.required:
            return [_DEFAULT, *others]
        return list(dict.fromkeys([*others, *self._values(template.name, name, shape.type, None)]))

    def _complete(self, template: Template, given: Mapping[str, Value], memory: WorkingMemory) -> Fact:
        id_ = template.name if template.kind == "singleton" else memory.new_id(template.name)
        fact = complete(template, id_, given, memory)
        return (
            Fact(template.name, keyed_id(tuple(fact.values[name] for name in template.key)), fact.values)
            if template.key
            else fact
        )


_DEFAULT: Any = object()


# ------------------------------------------------------------------------------------------------ what the rules compare


def compared_fields(ruleset: Ruleset) -> dict[tuple[str, str], Compared]:
    """For each (template, field), what tests of it in rules, definitions, derived fields and invariants compare it with."""
    found: dict[tuple[str, str], Compared] = {}
    derived = [one for template in ruleset.templates.values() for one in template.derived.values()]
    for node in (ruleset.rules, tuple(ruleset.definitions.values()), tuple(derived), ruleset.invariants):
        _gather(node, found)
    return found


def _gather(node: Any, found: dict[tuple[str, str], Compared]) -> None:
    match node:
        case Pattern(template, _, tests):
            for test in tests:
                _field(template, test, found)
        case Where(Read(_, hops, False), test) if hops:
            _test(test, found.setdefault((hops[-1].template, hops[-1].field), Compared()))
    if isinstance(node, tuple):
        parts: Sequence[Any] = node
    else:
        parts = [getattr(node, one.name) for one in fields(node)] if is_dataclass(node) else ()
    for part in parts:
        _gather(part, found)


def _field(template: str, test: FieldTest, found: dict[tuple[str, str], Compared]) -> None:
    _test(test.test, found.setdefault((template, test.field), Compared()))


def _test(test: Test, into: Compared) -> None:
    match test:
        case Equals(to) | Compare(_, to) | Has(to):
            _expression(to, into)
        case Not(inner):
            _test(inner, into)


def _expression(expression: Expression, into: Compared) -> None:
    for part in _parts(expression):
        match part:
            case Literal(value) if value is not None and not isinstance(value, bool):
                into.literals.add(value)
            case Read(_, hops, True) if hops:
                into.settings.add((hops[-1].template, hops[-1].field))


def _parts(node: Any) -> Iterator[Any]:
    yield node
    if is_dataclass(node) and not isinstance(node, Read):
        for one in fields(node):
            yield from _parts(getattr(node, one.name))
