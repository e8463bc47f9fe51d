"""What of a rule's standing patterns can be joined on stored fields alone, so that a matcher may do it ahead of time.

Each pattern has tests against constants, which its fact must pass to take part at all, and joins with earlier
patterns. A join compares two columns: a field as any value (equal, not equal), or a whole number as it is (any order).
Whatever is not said here is left to the conditions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from riftrules.engine.code import Code
from riftrules.engine.expressions import CALLED, Names, Scope
from riftrules.engine.ranging import field_check
from riftrules.engine.syntax_tree import mentioned, walk
from riftrules.facts.memory import Fact
from riftrules.facts.types import IntType, Value
from riftrules.language.model import (
    Arithmetic,
    Bind,
    Compare,
    Equals,
    Expression,
    FieldTest,
    Known,
    Literal,
    Not,
    Pattern,
    Read,
    Ruleset,
    Test,
)

Column: TypeAlias = tuple[str, bool]
"""(field, whether it is a whole number that is compared as it is)"""

_Operand: TypeAlias = tuple[int, str, int]
"""(pattern, field, what is added to it)"""

OPERATORS = {"at least": ">=", "at most": "<=", "more than": ">", "less than": "<"}
MIRRORED = {"==": "==", "!=": "!=", ">=": "<=", "<=": ">=", ">": "<", "<": ">"}


@dataclass(frozen=True, slots=True)
class ColumnJoin:
    """`own` of this pattern `op` `other` of the earlier `pattern`, plus a number."""

    op: str
    own: Column
    pattern: int
    other: Column
    plus: int = 0


@dataclass(frozen=True, slots=True)
class JoinPattern:
    """Facts of a template for which `passes` makes a function of its constant tests, joined with earlier ones.

    `selection` names the template and its constant tests, so that patterns that select alike can share.
    """

    template: str
    selection: tuple[str, tuple[tuple[str, Test], ...], tuple[tuple[str, str], ...]]
    passes: Callable[[], Callable[[Fact], bool]]
    joins: tuple[ColumnJoin, ...]


@dataclass(frozen=True, slots=True)
class JoinPlan:
    """Patterns of one rule that are joined, as they were written, and for each the tests that a candidate has passed."""

    rule: str
    joined: tuple[Pattern, ...]
    patterns: tuple[JoinPattern, ...]
    passed: tuple[tuple[FieldTest, ...], ...]

    def links(self) -> list[tuple[int, int]]:
        """The pairs of patterns that must agree in some column."""
        return [
            (join.pattern, number) for number, pattern in enumerate(self.patterns) for join in pattern.joins if join.op == "=="
        ]


def value_of(fact: Fact, field: str) -> Value:
    """A stored field of the fact, or its id."""
    return fact.id if field == "id" else fact.values[field]


def plan_join(rule: str, patterns: Sequence[Pattern], ruleset: Ruleset, names: Names) -> JoinPlan | None:
    """The join of the first of these standing patterns that equalities link, each with one before it; none if no two are."""
    links = _Planner(patterns, ruleset, names).plan(rule).links()
    for number in range(len(patterns)):
        linked = _linked(number, links)
        if len(linked) > 1:
            return _Planner([patterns[place] for place in linked], ruleset, names).plan(rule)
    return None


def _linked(first: int, links: Sequence[tuple[int, int]]) -> list[int]:
    """All that hangs together with the first, each after one it is linked with."""
    found = [first]
    for number in found:
        for one, other in links:
            found += [place for place in (one, other) if number in (one, other) and place not in found]
    return found


class _Planner:
    def __init__(self, patterns: Sequence[Pattern], ruleset: Ruleset, names: Names) -> None:
        self._patterns = patterns
        self._ruleset = ruleset
        self._names = names
        self._anchors = _anchors(patterns)
        self._constants: list[list[FieldTest]] = [[] for _ in patterns]
        self._same: list[list[tuple[str, str]]] = [[] for _ in patterns]
        self._joins: list[list[ColumnJoin]] = [[] for _ in patterns]
        self._passed: list[list[FieldTest]] = [[] for _ in patterns]

    def plan(self, rule: str) -> JoinPlan:
        for number, pattern in enumerate(self._patterns):
            self._name(number, pattern)
            for test in pattern.tests:
                if not test.derived and self._decides(number, test):
                    self._passed[number].append(test)
        found = tuple(self._pattern(number, pattern) for number, pattern in enumerate(self._patterns))
        return JoinPlan(rule, tuple(self._patterns), found, tuple(tuple(tests) for tests in self._passed))

    def _pattern(self, number: int, pattern: Pattern) -> JoinPattern:
        constants, same = self._constants[number], self._same[number]
        selection = (
            pattern.template,
            tuple(sorted(((test.field, test.test) for test in constants), key=repr)),
            tuple(sorted(same)),
        )
        return JoinPattern(
            pattern.template,
            selection,
            lambda: self._passes(pattern.template, constants, same),
            tuple(dict.fromkeys(self._joins[number])),
        )

    def _passes(self, template: str, constants: Sequence[FieldTest], same: Sequence[tuple[str, str]]) -> Callable[[Fact], bool]:
        """Whether a fact passes the tests that ask nothing of other facts."""
        code = Code("def passes(fact):", CALLED)
        scope = Scope(self._names, code, frozenset())
        for test in constants:
            code.check(field_check(test, template, "fact", scope))
        for one, other in same:
            code.check(f"{scope.of('fact', one)} == {scope.of('fact', other)}")
        code.line("return True")
        code.close(1)
        code.line("return False")
        return code.function("passes")

    def _name(self, number: int, pattern: Pattern) -> None:
        """A name that two patterns share joins their ids."""
        anchor = self._anchors.get(pattern.name or "")
        if anchor is not None and anchor != (number, "id"):
            self._equal(number, "id", (*anchor, 0))

    def _decides(self, number: int, test: FieldTest) -> bool:
        """Whether the join decides the test, wholly; noted where it does."""
        match test.test:
            case Bind(variable) if variable in self._anchors:
                self._constants[number].append(replace(test, test=Known(), text=""))
                if self._anchors[variable] == (number, test.field):
                    return True
                return self._equal(number, test.field, (*self._anchors[variable], 0))
            case Equals(to) | Not(Equals(to)) | Compare(_, to) if (operand := self._operand(to)) is not None:
                return self._compares(number, test, operand)
            case Not(Bind(variable)) if variable in self._anchors:
                return self._add(number, "!=", test.field, (*self._anchors[variable], 0))
        if mentioned(test.test) or any(isinstance(part, Read) for part in walk(test.test)):
            return False
        self._constants[number].append(test)
        return True

    def _compares(self, number: int, test: FieldTest, operand: _Operand) -> bool:
        match test.test:
            case Equals():
                return self._equal(number, test.field, operand)
            case Not():
                return self._add(number, "!=", test.field, operand)
            case Compare(op, _):
                return self._add(number, OPERATORS[op], test.field, operand, ordered=True)
        return False

    def _operand(self, expression: Expression) -> _Operand | None:
        """The expression as a field of one of the patterns plus a number, where it is that."""
        match expression:
            case Arithmetic("+" | "-" as op, left, Literal(int(number))) if not isinstance(number, bool):
                found = self._operand(left)
                return None if found is None else (found[0], found[1], found[2] + (number if op == "+" else -number))
            case Read(variable, (), False):
                anchor = self._anchors.get(variable)
                return None if anchor is None else (*anchor, 0)
            case Read(variable, (hop,), False) if not hop.derived:
                anchor = self._anchors.get(variable)
                named = anchor is not None and anchor[1] == "id" and self._patterns[anchor[0]].template == hop.template
                return (anchor[0], hop.field, 0) if anchor is not None and named else None
        return None

    def _equal(self, number: int, field: str, operand: _Operand) -> bool:
        if operand[0] == number and not operand[2]:
            self._same[number].append((field, operand[1]))
            return True
        return self._add(number, "==", field, operand)

    def _add(self, number: int, op: str, field: str, operand: _Operand, *, ordered: bool = False) -> bool:
        """Note the comparison at the later of the two patterns; false where the columns do not bear it."""
        pattern, other, plus = operand
        raw = ordered or plus != 0
        if pattern == number or (raw and not (self._is_number(number, field) and self._is_number(pattern, other))):
            return False
        if pattern < number:
            self._joins[number].append(ColumnJoin(op, (field, raw), pattern, (other, raw), plus))
        else:
            self._joins[pattern].append(ColumnJoin(MIRRORED[op], (other, raw), number, (field, raw), -plus))
        return True

    def _is_number(self, number: int, field: str) -> bool:
        """Whether the field always is a whole number."""
        kind = self._ruleset.templates[self._patterns[number].template].fields.get(field)
        return kind is not None and isinstance(kind.type, IntType) and not kind.optional


def _anchors(patterns: Sequence[Pattern]) -> Mapping[str, tuple[int, str]]:
    """Where each variable that the patterns bind to something stored is bound: names first."""
    anchors: dict[str, tuple[int, str]] = {}
    for number, pattern in enumerate(patterns):
        if pattern.name is not None:
            anchors.setdefault(pattern.name, (number, "id"))
    for number, pattern in enumerate(patterns):
        for test in pattern.tests:
            if isinstance(test.test, Bind) and not test.derived:
                anchors.setdefault(test.test.variable, (number, test.field))
    return anchors
