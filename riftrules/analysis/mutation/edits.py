"""Edits of parts of a rule, as data: each gives the part as it would be, what was done to it, and where."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeAlias, TypeVar

from riftrules.errors import Place
from riftrules.facts.types import RefType, Value, WordType
from riftrules.language.model import (
    AnyOf,
    Arithmetic,
    At,
    Compare,
    Condition,
    Count,
    Else,
    Equals,
    Every,
    Expression,
    FieldTest,
    Has,
    Hop,
    In,
    Literal,
    No,
    Not,
    Pattern,
    Read,
    Ruleset,
    Some,
    Sum,
    Test,
    Use,
    Where,
)
from riftrules.language.saying import say

Part = TypeVar("Part")
Conditions: TypeAlias = tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Edited(Generic[Part]):
    """A part as an edit leaves it. `operator` is the kind of edit, `what` says what it did."""

    part: Part
    operator: str
    what: str
    place: Place


Edits: TypeAlias = Iterator[Edited[Any]]

SHIFTED = {"at least": "more than", "more than": "at least", "at most": "less than", "less than": "at most"}
TURNED = {"at least": "less than", "less than": "at least", "at most": "more than", "more than": "at most"}
OPPOSITES = {"+": "-", "-": "+", "*": "+", "greater": "lesser", "lesser": "greater"}


def inside(edits: Edits, rebuild: Callable[[Any], Any]) -> Edits:
    """The edits of a part as edits of what holds it."""
    for edit in edits:
        yield replace(edit, part=rebuild(edit.part))


def put(items: Sequence[Any], place: int, item: Any) -> tuple[Any, ...]:
    """The items with another one at a place."""
    return (*items[:place], item, *items[place + 1 :])


def dropped(items: Sequence[Any], place: int) -> tuple[Any, ...]:
    """The items without the one at a place."""
    return (*items[:place], *items[place + 1 :])


@dataclass(frozen=True, slots=True)
class Editor:
    """Makes edits of conditions and expressions. `ruleset` tells the types of fields."""

    ruleset: Ruleset

    # -------------------------------------------------------------------------------------------- conditions

    def conditions(self, conditions: Conditions) -> Edits:
        """Each condition dropped, or edited."""
        for place, one in enumerate(conditions):
            yield Edited(dropped(conditions, place), "drop a condition", f"without `{say(one)}`", one.place)
            yield from inside(self.condition(one), lambda part, at=place: put(conditions, at, part))  # type: ignore[misc]

    def condition(self, one: Condition) -> Edits:
        """A condition turned round, and its parts edited."""
        match one:
            case Pattern(name=None):
                yield Edited(No((one,), one.place), "turn a condition round", f"`no: {{{say(one)}}}` for `{say(one)}`", one.place)
                yield from self.tests(one)
            case Pattern():
                yield from self.tests(one)
            case No(inner):
                yield Edited(Some(inner, one.place), "turn a condition round", f"`some` for `no` in `{say(one)}`", one.place)
                yield from inside(self.body(inner), lambda part: replace(one, conditions=part))
            case Some(inner):
                yield Edited(No(inner, one.place), "turn a condition round", f"`no` for `some` in `{say(one)}`", one.place)
                yield from inside(self.body(inner), lambda part: replace(one, conditions=part))
            case Every(inner, has):
                yield Edited(No((one,), one.place), "turn a condition round", f"`no: {{{say(one)}}}` for `{say(one)}`", one.place)
                yield from inside(self.body(inner), lambda part: replace(one, conditions=part))
                yield from inside(self.body(has), lambda part: replace(one, has=part))
            case Count(inner):
                yield from inside(self.body(inner), lambda part: replace(one, conditions=part))
            case Sum(of, inner):
                yield from inside(self.expression(of, one.place), lambda part: replace(one, of=part))
                yield from inside(self.body(inner), lambda part: replace(one, conditions=part))
            case Where(left, test):
                yield from inside(self.test(test, None, f"`{say(one)}`", one.place), lambda part: replace(one, test=part))
                yield from inside(self.expression(left, one.place), lambda part: replace(one, left=part))
            case Use():
                yield Edited(No((one,), one.place), "turn a condition round", f"`no: {say(one)}` for `{say(one)}`", one.place)

    def body(self, conditions: Conditions) -> Edits:
        """The body of a quantifier edited; a single condition in it is not dropped."""
        for edit in self.conditions(conditions):
            if edit.part:
                yield edit

    # -------------------------------------------------------------------------------------------- tests

    def tests(self, pattern: Pattern) -> Edits:
        """Each test of a pattern dropped, or edited."""
        for place, one in enumerate(pattern.tests):
            named = f"{pattern.template}{f' ${pattern.name}' if pattern.name else ''}"
            said = f"{one.field}: {say(one.test)}"
            less = replace(pattern, tests=dropped(pattern.tests, place))
            yield Edited(less, "drop a test", f"`{named}` without `{said}`", one.place)
            edits = self.test(one.test, (pattern.template, one), f"`{said}` of `{named}`", one.place)
            yield from inside(edits, lambda part, at=place: _with_test(pattern, at, part))  # type: ignore[misc]

    def test(self, test: Test, of: tuple[str, FieldTest] | None, named: str, place: Place) -> Edits:
        """A test turned round or shifted, and what it compares with edited. `of` is the field it tests."""

        def turned(part: Test) -> Edited[Test]:
            return Edited(part, "turn a test round", f"`{say(part)}` for {named}", place)

        match test:
            case Not(inner):
                yield turned(inner)
                yield from inside(self._within(inner, of, named, place), Not)
            case Compare(op, to):
                yield Edited(Compare(SHIFTED[op], to), "shift a comparison", f"`{SHIFTED[op]}` for `{op}` in {named}", place)
                yield Edited(Compare(TURNED[op], to), "turn a test round", f"`{TURNED[op]}` for `{op}` in {named}", place)
                yield from self._within(test, of, named, place)
            case AnyOf(tests):
                yield turned(Not(test))
                for number, alternative in enumerate(tests):
                    left = dropped(tests, number)
                    part = left[0] if len(left) == 1 else AnyOf(left)
                    yield Edited(part, "drop an alternative", f"without `{say(alternative)}` in {named}", place)
            case _:
                yield turned(Not(test))
                yield from self._within(test, of, named, place)

    def _within(self, test: Test, of: tuple[str, FieldTest] | None, named: str, place: Place) -> Edits:
        match test:
            case Equals(Literal(value)) if of is not None:
                yield from self._word(value, of, named, place)
            case Equals(to):
                yield from inside(self.expression(to, place), Equals)
            case Compare(op, to):
                yield from inside(self.expression(to, place), lambda part: Compare(op, part))
            case Has(to):
                yield from inside(self.expression(to, place), Has)
            case In(to):
                yield from inside(self.expression(to, place), In)
            case AnyOf(tests):
                for number in range(len(tests)):
                    left = dropped(tests, number)
                    part = left[0] if len(left) == 1 else AnyOf(left)
                    yield Edited(part, "drop an alternative", f"without `{say(tests[number])}` in {named}", place)

    def _word(self, value: Value, of: tuple[str, FieldTest], named: str, place: Place) -> Edits:
        """Another word of the field's, or the next number, in place of a literal."""
        field = self.ruleset.templates[of[0]].fields.get(of[1].field)
        if field is not None and isinstance(field.type, WordType) and len(field.type.words) > 2 and value in field.type.words:
            other = next_word(field.type.words, value)
            yield Edited(Equals(Literal(other)), "another word", f"`{other}` for {named}", place)
        elif is_number(value):
            yield Edited(Equals(Literal(value + 1)), "shift a number", f"`{value + 1}` for {named}", place)

    # -------------------------------------------------------------------------------------------- expressions

    def expression(self, expression: Expression, place: Place) -> Edits:
        """An expression with an operator turned round, a number shifted, a field read for its twin."""
        said = f"`{say(expression)}`"
        match expression:
            case Literal(value) if is_number(value):
                yield Edited(Literal(value + 1), "shift a number", f"`{value + 1}` for {said}", place)
            case Read(_, hops) if hops:
                for twin in self._twins(hops[-1]):
                    other = replace(expression, hops=(*hops[:-1], replace(hops[-1], field=twin)))
                    yield Edited(other, "read the twin field", f"`{say(other)}` for {said}", place)
            case Arithmetic(op, left, right):
                if op in OPPOSITES:
                    turned = replace(expression, op=OPPOSITES[op])
                    yield Edited(turned, "turn an operator round", f"`{say(turned)}` for {said}", place)
                yield from inside(self.expression(left, place), lambda part: replace(expression, left=part))
                yield from inside(self.expression(right, place), lambda part: replace(expression, right=part))
            case Else(left, right):
                yield Edited(left, "drop an alternative", f"`{say(left)}` for {said}", place)
                yield Edited(right, "drop an alternative", f"`{say(right)}` for {said}", place)
            case At(map_, key):
                yield from inside(self.expression(key, place), lambda part: At(map_, part))

    def _twins(self, hop: Hop) -> Iterator[str]:
        """The next field of the same template that refers to the same kind of fact: an attacker's for a defender's."""
        template = self.ruleset.templates[hop.template]
        field = template.fields.get(hop.field)
        if field is None or not isinstance(field.type, RefType):
            return
        same = [name for name, one in template.fields.items() if one.type == field.type]
        if len(same) > 1:
            yield next_word(tuple(same), hop.field)


def _with_test(pattern: Pattern, place: int, test: Test) -> Pattern:
    return replace(pattern, tests=put(pattern.tests, place, replace(pattern.tests[place], test=test)))


def next_word(words: Sequence[str], word: str) -> str:
    """The word after this one, the first after the last."""
    return words[(words.index(word) + 1) % len(words)]


def is_number(value: object) -> bool:
    """Whether a value is a whole number."""
    return isinstance(value, int) and not isinstance(value, bool)
