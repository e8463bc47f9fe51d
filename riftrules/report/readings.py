"""Reads fields of a board, stored or derived; a derived one is worked out again only when what it looks at has changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, TypeAlias

from riftrules.engine.reference.matching import Board
from riftrules.engine.reference.scopes import Scopes
from riftrules.facts.memory import Fact, WorkingMemory
from riftrules.facts.types import Value
from riftrules.language.model import Pattern, Read, Ruleset, Use

Seen: TypeAlias = tuple[tuple[Fact, ...], ...]


def memory_of(ruleset: Ruleset, facts: Iterable[Fact]) -> WorkingMemory:
    """A working memory in which these facts hold."""
    memory = WorkingMemory(ruleset.shapes)
    for fact in facts:
        memory.put(fact)
    return memory


class Readings:
    """The values of one working memory, which may change between two readings."""

    def __init__(
        self, ruleset: Ruleset, memory: WorkingMemory, looks_at: Mapping[tuple[str, str], tuple[str, ...]] | None = None
    ) -> None:
        self.ruleset = ruleset
        self.memory = memory
        self._board = Board(ruleset, memory, Scopes())
        self._looks_at = dict(looks_at or {})
        self._kept: dict[tuple[str, str, str], tuple[Seen, Value]] = {}

    def value(self, fact: Fact, name: str) -> Value:
        """A field of a fact; none where its template has no such field."""
        if name in fact.values:
            return fact.values[name]
        if name == "id":
            return fact.id
        return self._derived(fact, name) if name in self.ruleset.templates[fact.template].derived else None

    def seen(self, templates: Iterable[str]) -> Seen:
        """The facts of these templates as they stand: the same objects as long as nothing of theirs has changed."""
        return tuple(self.memory.all(template) for template in templates)

    def _derived(self, fact: Fact, name: str) -> Value:
        look = self._looks_at.get((fact.template, name))
        if look is None:
            look = self._looks_at[fact.template, name] = looked_at(self.ruleset, fact.template, name)
        seen = self.seen(look)
        kept = self._kept.get((fact.template, fact.id, name))
        if kept is not None and all(before is now for before, now in zip(kept[0], seen, strict=True)):
            return kept[1]
        value = self._board.read(fact.template, fact.id, name, derived=True)
        self._kept[fact.template, fact.id, name] = (seen, value)
        return value


def looked_at(ruleset: Ruleset, template: str, name: str) -> tuple[str, ...]:
    """Every template whose facts a derived field may look at, through other derived fields and definitions."""
    found = {template}
    open_: list[Any] = [ruleset.templates[template].derived[name]]
    entered: set[int] = set()
    while open_:
        part = open_.pop()
        if id(part) in entered:
            continue
        entered.add(id(part))
        for node in _parts(part):
            found.update(getattr(node, "singletons", ()))
            match node:
                case Pattern(of, _, tests):
                    found.add(of)
                    derived = ruleset.templates[of].derived
                    open_.extend(derived[test.field] for test in tests if test.derived)
                case Read(variable, hops, singleton):
                    found.update({variable} if singleton else ())
                    found.update(hop.template for hop in hops)
                    open_.extend(ruleset.templates[hop.template].derived[hop.field] for hop in hops if hop.derived)
                case Use(definition):
                    open_.append(ruleset.definitions[definition])
    return tuple(sorted(found))


def _parts(node: Any) -> Iterator[Any]:
    """A value of the language and every value within it."""
    yield node
    if isinstance(node, tuple):
        for item in node:
            yield from _parts(item)
    elif is_dataclass(node):
        for one in fields(node):
            yield from _parts(getattr(node, one.name))
