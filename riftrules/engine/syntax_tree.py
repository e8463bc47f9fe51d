"""Walks over the authored language: what a piece of it mentions, binds, ranges over and depends on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, TypeAlias

from riftrules.errors import Place
from riftrules.language.model import (
    Assert,
    Begin,
    Bind,
    Condition,
    Consequent,
    Count,
    Each,
    FieldTest,
    Hop,
    Leave,
    Modify,
    Pattern,
    Read,
    Retract,
    Ruleset,
    Sum,
    Use,
)

Dependency: TypeAlias = tuple[str, str]
"""(template, field); an empty field stands for the coming and going of its facts."""


def walk(node: Any) -> Iterator[Any]:
    """The node and every node of the language beneath it."""
    if isinstance(node, tuple):
        for item in node:
            yield from walk(item)
    elif is_dataclass(node) and not isinstance(node, Place):
        yield node
        for field in fields(node):
            yield from walk(getattr(node, field.name))


def mentioned(node: Any) -> set[str]:
    """Every variable that is named in the node, wherever it is bound."""
    found: set[str] = set()
    for part in walk(node):
        match part:
            case Read(variable, _, False) | Bind(variable):
                found.add(variable)
            case Pattern(name=str(name)):
                found.add(name)
            case Count() | Sum():
                found.add(part.variable)
            case Each():
                found.update(part.variables)
    return found


def binds(condition: Condition, *, lone: bool) -> set[str]:
    """The variables a condition can bind in its scope; a `lone` pattern is all the body of a quantifier."""
    match condition:
        case Pattern() if condition.name is not None or lone:
            found = {test.test.variable for test in condition.tests if isinstance(test.test, Bind)}
            return found if condition.name is None else found | {condition.name}
        case Count() | Sum():
            return {condition.variable}
        case Each():
            return set(condition.variables)
    return set()


def bindable(conditions: Sequence[Condition], *, quantified: bool) -> set[str]:
    """The variables the conditions of one scope can bind."""
    lone = quantified and len(conditions) == 1
    return {name for condition in conditions for name in binds(condition, lone=lone)}


class Dependencies:
    """Which (template, field) pairs can change what a piece of a ruleset comes to."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._ruleset = ruleset
        self._known: dict[tuple[str, str], frozenset[Dependency]] = {}

    def of(self, node: Any) -> frozenset[Dependency]:
        """The dependencies of the node, through definitions and derived fields."""
        found: set[Dependency] = set()
        for part in walk(node):
            match part:
                case Pattern(template=template, tests=tests):
                    found.add((template, ""))
                    for test in tests:
                        found |= self._field(template, test)
                case Read(variable, _, True):
                    found.add((variable, ""))
                case Hop():
                    found |= {(part.template, "")} | self._field(part.template, part)
                case Use(definition=name):
                    found |= self._remembered("", name)
        return frozenset(pair for pair in found if self._ruleset.templates[pair[0]].kind != "event")

    def of_consequents(self, consequents: Sequence[Consequent]) -> frozenset[Dependency]:
        """What can change whether the consequents have an effect: what they read, and what is there of what they write."""
        found = set(self.of(consequents))
        for consequent in consequents:
            match consequent:
                case Modify(template=template, changes=changes):
                    found |= {(template, ""), *((template, change.field) for change in changes)}
                case Retract(template=template) | Leave(procedure=template):
                    found.add((template, ""))
                case Assert(template=template) | Begin(procedure=template, due=True):
                    fields = self._ruleset.templates[template].fields
                    found |= {(template, ""), *((template, name) for name in fields)}
                    found |= self.of(tuple(field.default for field in fields.values()))
        return frozenset(found)

    def _field(self, template: str, read: FieldTest | Hop) -> frozenset[Dependency]:
        return self._remembered(template, read.field) if read.derived else frozenset({(template, read.field)})

    def _remembered(self, template: str, name: str) -> frozenset[Dependency]:
        """The dependencies of a derived field, or (with an empty template) of a definition."""
        found = self._known.get((template, name))
        if found is None:
            if template:
                cases = self._ruleset.templates[template].derived[name].cases
                found = self.of(cases) | {(name, "") for case in cases for name in case.singletons} | {(template, "")}
            else:
                definition = self._ruleset.definitions[name]
                found = self.of(definition.when) | {(name, "") for name in definition.singletons}
            self._known[(template, name)] = found
        return found

    def frames(self, node: Any) -> frozenset[str]:
        """The procedures whose frames the node has patterns over, through definitions and derived fields."""
        return frozenset(
            template for template, field in self.of(node) if not field and self._ruleset.templates[template].kind == "frame"
        )
