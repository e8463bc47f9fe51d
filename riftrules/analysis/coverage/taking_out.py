"""Conditions with one of them taken out, and with it whatever hung on what it bound."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from riftrules.engine.syntax_tree import bindable, mentioned
from riftrules.language.model import Condition, Equals, FieldTest, Literal, Not, Pattern, Where

IT = " it"
"""Begins the names given to patterns that have none, so that no author's name is like it."""

NOTHING = Equals(Literal(None))

_TRUE = Where(Literal(value=True), Equals(Literal(value=True)))

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Left:
    """Conditions joined, with the pattern of the event heard where there is one. `given` are variables bound from outside."""

    conditions: tuple[Condition, ...]
    event: Pattern | None = None
    given: frozenset[str] = frozenset()

    def bound(self) -> frozenset[str]:
        """The variables they bind."""
        heard = bindable((self.event,), quantified=True) if self.event is not None else set()
        return frozenset(bindable(self.conditions, quantified=False) | heard)

    def plus(self, *more: Condition) -> Left:
        """The conditions and more of them."""
        return replace(self, conditions=(*self.conditions, *more))

    def with_tests(self, place: int, tests: Sequence[FieldTest]) -> Left:
        """With more tests in the pattern at a place (-1: that of the event)."""
        pattern = self.event if place < 0 else self.conditions[place]
        assert isinstance(pattern, Pattern)  # noqa: S101 - the caller has it from there
        return self._put(place, replace(pattern, tests=(*pattern.tests, *tests)))

    def without(self, place: int) -> tuple[Left, bool]:
        """With one condition out; false where more had to go, for it had bound what they mention."""
        return self._closed(replace(self, conditions=without(self.conditions, place)))

    def less(self, place: int, pattern: Pattern, test: int) -> tuple[Left, bool]:
        """With one test of a pattern out; likewise."""
        return self._closed(self._put(place, replace(pattern, tests=without(pattern.tests, test))))

    def _put(self, place: int, pattern: Pattern) -> Left:
        if place < 0:
            return replace(self, event=pattern)
        return replace(self, conditions=(*self.conditions[:place], pattern, *self.conditions[place + 1 :]))

    def _closed(self, rest: Left) -> tuple[Left, bool]:
        before = self.bound() - self.given
        entire = before <= rest.bound()
        while lost := before - rest.bound():
            fewer = rest.unmentioning(lost)
            if fewer == rest:
                break
            rest = fewer
        return rest, entire

    def unmentioning(self, lost: frozenset[str]) -> Left:
        """Without what mentions these variables, all else in its place; patterns that range stay, with fewer tests."""
        kept = tuple(less_of(one, lost) if is_ranging(one) or not mentioned(one) & lost else _TRUE for one in self.conditions)
        return replace(self, conditions=kept, event=None if self.event is None else less_of(self.event, lost))


def is_ranging(condition: Condition) -> bool:
    """Whether it is a pattern with a name."""
    return isinstance(condition, Pattern) and condition.name is not None


def less_of(condition: Item, lost: frozenset[str]) -> Item:
    """A pattern that ranges without the tests that mention these variables; anything else as it is."""
    if not isinstance(condition, Pattern) or condition.name is None:
        return condition
    return replace(condition, tests=tuple(test for test in condition.tests if not mentioned(test) & lost))


def without(items: tuple[Item, ...], place: int) -> tuple[Item, ...]:
    """All but the one at a place."""
    return tuple(one for number, one in enumerate(items) if number != place)


def turned(test: FieldTest) -> FieldTest:
    """The test that holds where this one does not."""
    return replace(test, test=Not(test.test))


def with_name(condition: Item, name: str) -> Item:
    """A pattern that has no name, with one."""
    return replace(condition, name=name) if isinstance(condition, Pattern) and condition.name is None else condition
