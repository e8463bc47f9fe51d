"""`never-matches`: rules whose tests contradict each other, or ask for what a field can never be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from riftrules.analysis.lint.material import Material, doubt
from riftrules.errors import Place, Problem
from riftrules.facts.types import BoolType, IntType, Value, WordType
from riftrules.language.model import (
    AnyOf,
    Bind,
    Compare,
    Condition,
    Equals,
    Every,
    Expression,
    Field,
    Has,
    Known,
    Literal,
    No,
    Not,
    Pattern,
    Read,
    Rule,
    Ruleset,
    Some,
    Test,
    Where,
)
from riftrules.scenario.words import said

Spot: TypeAlias = tuple[str, str]
"""What a test is of: a variable, or `.` and a singleton; and the field."""


def contradictions(material: Material) -> Iterator[Problem]:
    """`never-matches`: conditions that nothing can meet, in rules, definitions and their quantifiers."""
    ruleset = material.ruleset
    for rule in ruleset.rules:
        event = (rule.event,) if rule.event is not None else ()
        yield from _scope((*event, *rule.when), f"rule `{rule.id}`", ruleset, {})
    for name, definition in ruleset.definitions.items():
        yield from _scope(definition.when, f"definition `{name}`", ruleset, {})


def contradictory(rule: Rule, ruleset: Ruleset) -> bool:
    """Whether a rule's conditions contradict each other for all that can be told without a board."""
    event = (rule.event,) if rule.event is not None else ()
    return next(_scope((*event, *rule.when), "", ruleset, {}), None) is not None


@dataclass(slots=True)
class _Allowed:
    """What a field may still be: literals it must equal, literals it must not, limits, whether it must or must not be none."""

    type: object
    optional: bool
    equal: set[Value] = field(default_factory=set)
    other: set[Value] = field(default_factory=set)
    low: int | None = None
    high: int | None = None
    known: bool = False

    def copy(self) -> _Allowed:
        return _Allowed(self.type, self.optional, set(self.equal), set(self.other), self.low, self.high, self.known)

    def add(self, test: Test) -> None:
        """Narrow it by a test, as far as the test can be read without a board."""
        match test:
            case Equals(Literal(value)):
                self.equal.add(value)
            case Not(Equals(Literal(value))):
                self.other.add(value)
            case Known() | Bind() | Has():
                self.known = True
            case Not(Known()):
                self.equal.add(None)
            case Compare(op, Literal(int(limit))):
                self.known = True
                self._limit(op, limit)
            case AnyOf(tests):
                values = {one.to.value for one in tests if isinstance(one, Equals) and isinstance(one.to, Literal)}
                if len(values) == len(tests) and len(values) == 1:
                    self.equal |= values

    def _limit(self, op: str, limit: int) -> None:
        low, high = {
            "at least": (limit, None),
            "more than": (limit + 1, None),
            "at most": (None, limit),
            "less than": (None, limit - 1),
        }[op]
        if low is not None:
            self.low = low if self.low is None else max(self.low, low)
        if high is not None:
            self.high = high if self.high is None else min(self.high, high)

    def fault(self) -> str:
        """Why nothing is left; empty where something may be."""
        if len(self.equal) > 1:
            return " and ".join(said(value) for value in sorted(self.equal, key=said)) + " at once"
        if self.equal & self.other:
            return f"{said(next(iter(self.equal & self.other)))} and not {said(next(iter(self.equal & self.other)))}"
        if None in self.equal and self.known:
            return "none and something at once"
        if None in self.equal and not self.optional:
            return "none, which it never is"
        return self._number_fault() or self._words_fault()

    def _number_fault(self) -> str:
        if not isinstance(self.type, IntType):
            return ""
        lows = [one for one in (self.low, self.type.min) if one is not None]
        highs = [one for one in (self.high, self.type.max) if one is not None]
        low, high = max(lows, default=None), min(highs, default=None)
        value = next(iter(self.equal), None)
        if low is not None and high is not None and low > high:
            return f"at least {low} and at most {high}"
        if isinstance(value, int) and ((low is not None and value < low) or (high is not None and value > high)):
            return f"{value}, and " + (f"at least {low}" if low is not None and value < low else f"at most {high}")
        return ""

    def _words_fault(self) -> str:
        match self.type:
            case WordType(words):
                choices: set[Value] = set(words)
            case BoolType():
                choices = {True, False}
            case _:
                return ""
        left = choices - self.other if self.known or not self.optional else choices
        return "" if left else f"none of {', '.join(said(one) for one in sorted(choices, key=said))}"


def _scope(conditions: tuple[Condition, ...], where: str, ruleset: Ruleset, outer: dict[Spot, _Allowed]) -> Iterator[Problem]:
    """The contradictions among conditions that hold together, and in what is nested in them."""
    allowed = {spot: one.copy() for spot, one in outer.items()}
    for condition in conditions:
        for spot, kind, test, place in _tests(condition, ruleset, alone=len(conditions) == 1 and bool(outer)):
            known = allowed.setdefault(spot, _Allowed(kind.type, kind.optional))
            before = known.fault()
            known.add(test)
            fault = known.fault()
            if fault and not before:
                yield doubt(place, "never-matches", f"{where} can never match: `{spot[1]}` would have to be {fault}")
    for condition in conditions:
        match condition:
            case Where(Literal(left), Equals(Literal(right)), _, place) if left != right:
                yield doubt(place, "never-matches", f"{where} can never match: {said(left)} would have to be {said(right)}")
            case Some(inner) | No(inner):
                yield from _scope(inner, where, ruleset, allowed)
            case Every(inner, has):
                yield from _scope(inner, where, ruleset, allowed)
                yield from _scope((*inner, *has), where, ruleset, allowed)


def _tests(condition: Condition, ruleset: Ruleset, *, alone: bool) -> Iterator[tuple[Spot, Field, Test, Place]]:
    match condition:
        case Pattern(name, variable, tests):
            template = ruleset.templates[name]
            subject = _subject(condition, single=template.kind == "singleton") or (
                f"?{id(condition)}" if alone or variable is None else ""
            )
            for test in tests:
                if not test.derived and test.field in template.fields:
                    yield (subject, test.field), template.fields[test.field], test.test, test.place
        case Where(left, test, _, place):
            spot = _spot(left, ruleset)
            if spot is not None:
                yield (spot[0], spot[1]), spot[2], test, place


def _subject(pattern: Pattern, *, single: bool) -> str:
    """The variable whose fact a pattern is of, a singleton by its name; empty where that is not known."""
    if single:
        return f".{pattern.template}"
    if pattern.name is not None:
        return pattern.name
    for test in pattern.tests:
        match test:
            case _ if test.field == "id" and isinstance(test.test, Bind):
                return test.test.variable
            case _ if (
                test.field == "id" and isinstance(test.test, Equals) and isinstance(test.test.to, Read) and not test.test.to.hops
            ):
                return test.test.to.variable
    return ""


def _spot(left: Expression, ruleset: Ruleset) -> tuple[str, str, Field] | None:
    match left:
        case Read(variable, (hop,), singleton) if not hop.derived and hop.field != "id":
            return f".{variable}" if singleton else variable, hop.field, ruleset.templates[hop.template].fields[hop.field]
    return None
