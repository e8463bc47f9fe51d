"""Compiles a body of conditions to one closure: what binds is put in an order, and each test as early as it can be decided.

The order never changes what matches; it is chosen so that what is cheap and what matches little comes first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from riftrules.engine import ranging
from riftrules.engine.closures import Checking, Taking, adding, binding_each, both, counting, found, negated, same_id, same_value
from riftrules.engine.expressions import Check, Scope, compile_expression, compile_test
from riftrules.engine.joins import JoinPlan
from riftrules.engine.ranging import Maker, ready
from riftrules.engine.syntax_tree import bindable, binds, mentioned
from riftrules.language.model import (
    Bind,
    Condition,
    Count,
    Each,
    Every,
    FieldTest,
    No,
    Pattern,
    Some,
    Sum,
    Use,
    Where,
)

__all__ = ["Joiner", "Late", "compile_body", "found"]

_TEST, _USE, _QUANTIFIER, _NUMBER, _EACH, _NEVER = 0, 2, 3, 4, 5, 99


class Joiner(Protocol):
    """Takes standing patterns of a rule that are to be joined."""

    def join(self, patterns: Sequence[Pattern]) -> tuple[int, JoinPlan] | None:
        """The number of a join of some of the patterns and what it decides; none where nothing links them."""
        ...


@dataclass(frozen=True, slots=True)
class Late:
    """A field test that waits for a variable: the fact it tests is kept at `place` already."""

    test: FieldTest
    template: str
    place: int


_Pending: TypeAlias = Condition | Late


def compile_body(
    conditions: Sequence[Condition],
    scope: Scope,
    *,
    quantified: bool = True,
    joiner: Joiner | None = None,
    late: Sequence[Late] = (),
) -> Maker:
    """The conditions, and tests that wait for them, as what can be put in front of a check that ends each match."""
    return _Plan(scope, conditions, quantified=quantified, joiner=joiner, late=late).maker()


class _Plan:
    """Puts the conditions of one scope in order and compiles them."""

    def __init__(
        self, scope: Scope, conditions: Sequence[Condition], *, quantified: bool, joiner: Joiner | None, late: Sequence[Late]
    ) -> None:
        self._scope = scope
        self._lone = quantified and len(conditions) == 1
        self._pending: list[_Pending] = [*conditions, *late]
        self._joiner = joiner
        self._makers: list[Maker] = []

    def maker(self) -> Maker:
        """The whole body, the first condition outermost."""
        while self._pending:
            chosen = min(self._pending, key=self._rank)
            assert self._rank(chosen) < _NEVER, f"no order binds the variables of {chosen!r}"
            if not self._join(chosen):
                self._pending.remove(chosen)
                self._add(self._compile(chosen))

        def make(rest: Check) -> Check:
            for maker in reversed(self._makers):
                rest = maker(rest)
            return rest

        return make

    def _add(self, link: Maker) -> None:
        """One link more; a check right after what ranges is made there."""
        last = self._makers[-1] if self._makers else None
        if isinstance(link, Checking) and isinstance(last, ranging.Ranging | Taking):
            last.checks.append(link.check)
        else:
            self._makers.append(link)

    def _ranges(self, condition: _Pending) -> bool:
        return isinstance(condition, Pattern) and (condition.name is not None or self._lone)

    def _rank(self, condition: _Pending) -> int:
        """How early a condition should come; one whose variables are not bound yet comes never."""
        if isinstance(condition, Pattern) and self._ranges(condition):
            return ranging.rank(condition, self._kind(condition), self._scope)
        if not self._needs(condition) <= self._scope.bound:
            return _NEVER
        match condition:
            case Late() | Where():
                return _TEST
            case Use():
                return _USE
            case Count() | Sum():
                return _NUMBER
            case Each():
                return _EACH
        return _QUANTIFIER

    def _needs(self, condition: _Pending) -> set[str]:
        """The variables in reach that must be bound before the condition is decided."""
        if isinstance(condition, Late):
            return mentioned(condition.test)
        own = binds(condition, lone=False) if isinstance(condition, Count | Sum | Each) else set()
        return (mentioned(condition) & self._scope.places.keys()) - own

    def _kind(self, pattern: Pattern) -> str:
        return self._scope.names.kind(pattern.template)

    def _compile(self, condition: _Pending) -> Maker:
        match condition:
            case Late(test, template, place):
                return Checking(ranging.field_check(test, template, place, self._scope))
            case Pattern():
                return self._pattern(condition) if self._ranges(condition) else self._some((condition,))
            case Some(conditions):
                return self._some(conditions)
            case No(conditions):
                return Checking(negated(self._inner(conditions, self._scope)(found)))
            case Every(conditions, has):
                return self._every(conditions, has)
            case Count() | Sum():
                return self._number(condition)
            case Each():
                return self._each(condition)
            case Where():
                return self._where(condition)
            case Use():
                return self._use(condition)

    # -------------------------------------------------------------------------------------------- patterns

    def _pattern(self, pattern: Pattern) -> Maker:
        find = ranging.source(pattern, self._kind(pattern), self._scope)
        place = self._scope.fresh()
        named = pattern.name is not None and pattern.name not in self._scope.bound
        checks = self._name(pattern, place)
        name = self._scope.places[pattern.name] if named and pattern.name is not None else None
        checks = [*([] if named else checks), *self._bound_fields(pattern, place, pattern.tests)]
        checks += self._tests(pattern, place, pattern.tests)
        return ranging.Ranging(find, place, name, checks)

    def _name(self, pattern: Pattern, place: int) -> list[Check]:
        """The check that binds the pattern's name, or compares where it is bound."""
        name, scope = pattern.name, self._scope
        if name is None:
            return []
        scope.facts[name, pattern.template] = place
        if name in scope.bound:
            return [same_id(place, scope.places[name])]
        scope.bound.add(name)
        return [ranging.naming(place, scope.places[name])]

    def _bound_fields(self, pattern: Pattern, place: int, tests: Sequence[FieldTest]) -> list[Check]:
        """The checks of bare variables that are bound here; others are tests (and so is the one that binds, which holds)."""
        checks = []
        for test in tests:
            if isinstance(test.test, Bind) and test.test.variable not in self._scope.bound:
                checks.append(ranging.binder(test, pattern.template, place, self._scope))
                self._scope.bound.add(test.test.variable)
        return checks

    def _tests(self, pattern: Pattern, place: int, tests: Sequence[FieldTest]) -> list[Check]:
        """The checks of the tests that can be decided now; the others wait."""
        checks = []
        for test in tests:
            if ready(test.test, self._scope):
                checks.append(ranging.field_check(test, pattern.template, place, self._scope))
            else:
                self._pending.append(Late(test, pattern.template, place))
        return checks

    def _join(self, chosen: _Pending) -> bool:
        """Leave to the matcher those standing patterns that must be searched for and are linked with one another."""
        if self._joiner is None or not self._searched(chosen):
            return False
        left = [one for one in self._pending if isinstance(one, Pattern) and self._searched(one)]
        joined = self._joiner.join(left)
        if joined is None:
            return False
        number, plan = joined
        known = frozenset(self._scope.bound)
        places = [self._scope.fresh() for _ in plan.joined]
        checks = [check for pattern, place in zip(plan.joined, places, strict=True) for check in self._name(pattern, place)]
        for derived in (False, True):  # a join knows stored fields only: where one of them binds, a derived one is tested
            for pattern, place in zip(plan.joined, places, strict=True):
                checks += self._bound_fields(pattern, place, [test for test in pattern.tests if test.derived is derived])
        for pattern, place, passed in zip(plan.joined, places, plan.passed, strict=True):
            self._pending.remove(pattern)
            checks += self._tests(
                pattern, place, [test for test in pattern.tests if test not in passed or mentioned(test.test) & known]
            )
        self._add(Taking(number, tuple(places), checks))
        return True

    def _searched(self, condition: _Pending) -> bool:
        """Whether this is a pattern over standing facts for which nothing bound by now says where to look."""
        if not isinstance(condition, Pattern) or not self._ranges(condition) or self._kind(condition) != "standing":
            return False
        return self._rank(condition) >= ranging.INDEX

    # -------------------------------------------------------------------------------------------- the rest

    def _inner(self, conditions: Sequence[Condition], scope: Scope) -> Maker:
        """A body inside this one; what it binds stays inside."""
        return compile_body(conditions, scope.inner(bindable(conditions, quantified=True)))

    def _some(self, conditions: Sequence[Condition]) -> Maker:
        return Checking(self._inner(conditions, self._scope)(found))

    def _every(self, conditions: Sequence[Condition], has: Sequence[Condition]) -> Maker:
        scope = self._scope.inner(bindable(conditions, quantified=True))
        body = compile_body(conditions, scope)
        return Checking(negated(body(negated(self._inner(has, scope)(found)))))

    def _number(self, condition: Count | Sum) -> Maker:
        scope = self._scope.inner(bindable(condition.conditions, quantified=True))
        body = compile_body(condition.conditions, scope)
        term = compile_expression(condition.of, scope) if isinstance(condition, Sum) else None
        total, place = scope.fresh(), self._scope.places[condition.variable]
        count = counting(body(adding(total, term)), total)
        if condition.variable in self._scope.bound:
            return lambda rest: both(count, both(same_value(total, place), rest))
        self._scope.bound.add(condition.variable)
        self._scope.places[condition.variable] = total
        return lambda rest: both(count, rest)

    def _each(self, each: Each) -> Maker:
        scope, of = self._scope, compile_expression(each.of, self._scope)
        known = tuple(name in scope.bound for name in each.variables)
        scope.bound.update(each.variables)
        return binding_each(of, tuple(scope.places[name] for name in each.variables), known)

    def _where(self, where: Where) -> Maker:
        judge, value = compile_test(where.test, self._scope), compile_expression(where.left, self._scope)
        return Checking(lambda environment, board: judge(value(environment, board), environment, board))

    def _use(self, use: Use) -> Maker:
        holds = self._scope.names.definition(use.definition)
        arguments = tuple(compile_expression(argument, self._scope) for argument in use.arguments)
        return Checking(lambda environment, board: holds([argument(environment, board) for argument in arguments], board))
