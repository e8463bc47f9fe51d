"""Which variables the authored conditions mention and bind: what must be known before one of them can be decided."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from riftrules.language.model import Bind, Condition, Count, Each, FieldTest, Pattern, Read, Sum


@dataclass(frozen=True, slots=True)
class Held:
    """A test of a fact that a pattern has already taken up: it waits for a variable bound elsewhere."""

    template: str
    id: str
    test: FieldTest


class Scopes:
    """What is mentioned where. Knowledge of the text alone, so it is kept: it never depends on a board."""

    def __init__(self) -> None:
        self._mentioned: dict[int, tuple[object, frozenset[str]]] = {}
        self._bound: dict[tuple[int, bool], tuple[object, frozenset[str]]] = {}

    def mentioned(self, node: Any) -> frozenset[str]:
        """Every variable the node names, however deep."""
        found = self._mentioned.get(id(node))
        if found is None:
            found = (node, frozenset(_variables(node)))
            self._mentioned[id(node)] = found
        return found[1]

    def bound(self, conditions: tuple[Condition, ...], *, alone: bool) -> frozenset[str]:
        """The variables these conditions, joined, bind; `alone` says that a single pattern ranges though it has no name."""
        key = (id(conditions), alone)
        found = self._bound.get(key)
        if found is None:
            names = frozenset(name for condition in conditions for name in binds(condition, alone=alone))
            found = (conditions, names)
            self._bound[key] = found
        return found[1]


def ranges(condition: Condition, *, alone: bool) -> bool:
    """Whether a condition is a pattern that goes through facts and binds (others only test that there is one)."""
    return isinstance(condition, Pattern) and (condition.name is not None or alone)


def binds(condition: Condition, *, alone: bool) -> Iterator[str]:
    """The variables that one condition of a scope can bind."""
    match condition:
        case Pattern(_, name, tests) if ranges(condition, alone=alone):
            if name is not None:
                yield name
            yield from (test.test.variable for test in tests if isinstance(test.test, Bind))
        case Each():
            yield from condition.variables
        case Count() | Sum():
            yield condition.variable


def _variables(node: Any) -> Iterator[str]:
    match node:
        case Read(variable, _, singleton):
            yield from () if singleton else (variable,)
        case Bind(variable):
            yield variable
        case Pattern(name=str(name)):
            yield name
        case Each(variables=names):
            yield from names
        case Count(variable=variable) | Sum(variable=variable):
            yield variable
    if isinstance(node, tuple):
        parts = list(node)
    else:
        parts = [getattr(node, field.name) for field in fields(node)] if is_dataclass(node) else []
    for part in parts:
        yield from _variables(part)
