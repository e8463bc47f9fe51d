"""Conditions, tests and expressions on a board, by trying everything."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from riftrules.engine.reference.operations import arithmetic, compares, distinct, members
from riftrules.engine.reference.scopes import Held, Scopes, binds, ranges
from riftrules.facts.memory import Fact, WorkingMemory
from riftrules.facts.types import Value, value_order
from riftrules.language.model import (
    AnyOf,
    Arithmetic,
    At,
    Bind,
    Compare,
    Condition,
    Count,
    Each,
    Else,
    Equals,
    Every,
    Expression,
    FieldTest,
    Has,
    In,
    Known,
    Literal,
    Made,
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

Key: TypeAlias = tuple[str, str]
"""(template, id): the identity of a fact."""

Bindings: TypeAlias = Mapping[str, Value]

Pending: TypeAlias = Condition | Held


@dataclass(frozen=True, slots=True)
class Board:
    """What conditions look at: the facts, the one frame a rule may see of its own procedure, the event being heard.

    `strict` is set while a consequent is carried out: then a remainder by 0 raises ZeroDivisionError, which is none
    everywhere else.
    """

    ruleset: Ruleset
    memory: WorkingMemory
    scopes: Scopes
    own: Key | None = None
    event: Fact | None = None
    strict: bool = False

    # -------------------------------------------------------------------------------------------- reading

    def facts(self, template: str) -> Sequence[Fact]:
        """The facts a pattern over the template goes through."""
        if self.own is not None and self.own[0] == template:
            own = self.memory.get(*self.own)
            return (own,) if own else ()
        return self.memory.all(template)

    def read(self, template: str, id_: str, field: str, *, derived: bool = False) -> Value:
        """A field of a fact that holds, or its last value where it is gone; none where there never was one."""
        heard = self.event is not None and (self.event.template, self.event.id) == (template, id_)
        fact = self.event if heard else self.memory.last(template, id_)
        if fact is None:
            return None
        if field == "id":
            return id_
        return self._derived(template, id_, field) if derived else fact.values[field]

    def _derived(self, template: str, id_: str, field: str) -> Value:
        for case in self.ruleset.templates[template].derived[field].cases:
            found = list(self.matches(case.when, {"this": id_})) if self.present(case.singletons) else []
            if found:
                first = min(found, key=lambda env: ranged_order(case.when, env))
                return replace(self, strict=False).evaluate(case.value, first)
        return None

    def present(self, singletons: tuple[str, ...]) -> bool:
        """Whether all of these singletons are there."""
        return all(self.memory.get(name, name) is not None for name in singletons)

    def evaluate(self, expression: Expression, env: Bindings) -> Value:
        """The value of an expression under these bindings."""
        match expression:
            case Literal(value):
                return value
            case Read(variable, hops, singleton):
                value = variable if singleton else env[variable]
                for hop in hops:
                    value = None if value is None else self.read(hop.template, value, hop.field, derived=hop.derived)
                return value
            case Arithmetic(op, left, right):
                return arithmetic(op, self.evaluate(left, env), self.evaluate(right, env), strict=self.strict)
            case Else(left, right):
                found = self.evaluate(left, env)
                return found if found is not None else self.evaluate(right, env)
            case At(map_, key):
                pairs = self.evaluate(map_, env)
                return None if pairs is None else dict(pairs).get(self.evaluate(key, env), 0)
            case Made(called):
                return env.get(called)

    # -------------------------------------------------------------------------------------------- tests

    def holds(self, test: Test, value: Value, env: Bindings) -> bool:
        """Whether the test holds of the value. Every variable it mentions is bound."""
        match test:
            case Bind(variable):
                return value is not None and bool(value == env[variable])
            case Equals(to):
                return bool(value == self.evaluate(to, env))
            case Known():
                return value is not None
            case Not(inner):
                return not self.holds(inner, value, env)
            case Compare(op, to):
                return compares(op, value, self.evaluate(to, env))
            case Has(member):
                return self.evaluate(member, env) in members(value)
            case In(of):
                return value in members(self.evaluate(of, env))
            case AnyOf(tests):
                return any(self.holds(one, value, env) for one in tests)

    def field_holds(self, template: str, id_: str, test: FieldTest, env: Bindings) -> bool:
        """Whether the test of a field holds of this fact."""
        return self.holds(test.test, self.read(template, id_, test.field, derived=test.derived), env)

    # -------------------------------------------------------------------------------------------- conditions

    def matches(self, conditions: tuple[Condition, ...], env: Bindings, *, quantified: bool = False) -> Iterator[Bindings]:
        """Every way in which the conditions hold together: the given bindings with what is bound on the way.

        In the body of a quantifier a single pattern ranges even without a name.
        """
        alone = quantified and len(conditions) == 1
        return self._solve(conditions, env, self.scopes.bound(conditions, alone=alone), alone=alone)

    def heard(self, pattern: Pattern, conditions: tuple[Condition, ...]) -> Iterator[Bindings]:
        """Every way in which the conditions hold with the event that is being heard, if the pattern is of it."""
        assert self.event is not None
        bound = self.scopes.bound(conditions, alone=False) | frozenset(binds(pattern, alone=True))
        taken = self._take(pattern, self.event, {}, bound)
        if taken is not None:
            yield from self._solve((*taken[1], *conditions), taken[0], bound, alone=False)

    def any(self, conditions: tuple[Condition, ...], env: Bindings) -> bool:
        """Whether the body of a quantifier has a match."""
        return next(self.matches(conditions, env, quantified=True), None) is not None

    def _solve(self, pending: tuple[Pending, ...], env: Bindings, bound: frozenset[str], *, alone: bool) -> Iterator[Bindings]:
        """Take up whichever condition can be decided, tests before what ranges; their order cannot be seen."""
        if not pending:
            yield env
            return
        chosen = self._next(pending, env, bound, alone=alone)
        rest = tuple(one for one in pending if one is not chosen)
        for found, held in self._one(chosen, env, bound, alone=alone):
            yield from self._solve((*held, *rest), found, bound, alone=alone)

    def _next(self, pending: tuple[Pending, ...], env: Bindings, bound: frozenset[str], *, alone: bool) -> Pending:
        open_ = bound - env.keys()
        patterns = [one for one in pending if not isinstance(one, Held) and ranges(one, alone=alone)]
        others = [one for one in pending if isinstance(one, Held) or not ranges(one, alone=alone)]
        for one in others:
            text, own = (one.test, ()) if isinstance(one, Held) else (one, tuple(binds(one, alone=alone)))
            if not (self.scopes.mentioned(text) & open_).difference(own):
                return one
        return patterns[0]

    def _one(
        self, one: Pending, env: Bindings, bound: frozenset[str], *, alone: bool
    ) -> Iterator[tuple[Bindings, tuple[Held, ...]]]:
        """The bindings under which one condition holds, with the tests of its fact that must wait."""
        match one:
            case Pattern() if ranges(one, alone=alone):
                takes = (self._take(one, fact, env, bound) for fact in self.facts(one.template))
                yield from (taken for taken in takes if taken is not None)
            case Each(of, variables):
                for value in distinct(self.evaluate(of, env)):
                    found = _bind(env, dict(zip(variables, value if len(variables) > 1 else (value,), strict=True)))
                    if found is not None:
                        yield found, ()
            case Count() | Sum():
                found = _bind(env, {one.variable: self._total(one, env)})
                if found is not None:
                    yield found, ()
            case _:
                if self._decide(one, env):
                    yield env, ()

    def _take(
        self, pattern: Pattern, fact: Fact, env: Bindings, bound: frozenset[str]
    ) -> tuple[Bindings, tuple[Held, ...]] | None:
        """Bind the pattern's name and bare variables to this fact, if they agree; then decide the tests that can be."""
        values: dict[str, Value] = {} if pattern.name is None else {pattern.name: fact.id}
        if env.get(pattern.name or "", fact.id) != fact.id:
            return None
        for test in pattern.tests:
            if isinstance(test.test, Bind):
                value = self.read(fact.template, fact.id, test.field, derived=test.derived)
                if value is None or values.setdefault(test.test.variable, value) != value:
                    return None
        found = _bind(env, values)
        if found is None:
            return None
        held = []
        for test in pattern.tests:
            if self.scopes.mentioned(test) & (bound - found.keys()):
                held.append(Held(fact.template, fact.id, test))
            elif not self.field_holds(fact.template, fact.id, test, found):
                return None
        return found, tuple(held)

    def _decide(self, one: Pending, env: Bindings) -> bool:
        match one:
            case Held(template, id_, test):
                return self.field_holds(template, id_, test, env)
            case Pattern():
                bound = frozenset(binds(one, alone=True))
                return next(self._solve((one,), env, bound, alone=True), None) is not None
            case No(conditions):
                return not self.any(conditions, env)
            case Some(conditions):
                return self.any(conditions, env)
            case Every(conditions, has):
                return all(self.any(has, found) for found in self.matches(conditions, env, quantified=True))
            case Where(left, test):
                return self.holds(test, self.evaluate(left, env), env)
            case Use(name, arguments):
                return self._defined(name, tuple(self.evaluate(argument, env) for argument in arguments))
        message = f"not a condition that is decided: {one!r}"
        raise TypeError(message)

    def _defined(self, name: str, arguments: tuple[Value, ...]) -> bool:
        definition = self.ruleset.definitions[name]
        if None in arguments or not self.present(definition.singletons):
            return False
        given = dict(zip(definition.parameters, arguments, strict=True))
        return next(self.matches(definition.when, given), None) is not None

    def _total(self, one: Count | Sum, env: Bindings) -> int:
        matches = self.matches(one.conditions, env, quantified=True)
        if isinstance(one, Count):
            return sum(1 for _ in matches)
        return sum(self.evaluate(one.of, found) or 0 for found in matches)


def ranged_values(ranged: Sequence[Condition], env: Bindings) -> tuple[Value, ...]:
    """For each named pattern the id, for each `each` the value or the pair of values."""
    found: list[Value] = []
    for one in ranged:
        if isinstance(one, Each):
            values = tuple(env[variable] for variable in one.variables)
            found.append(values if len(values) > 1 else values[0])
        elif isinstance(one, Pattern) and one.name is not None:
            found.append(env[one.name])
    return tuple(found)


def ranged_order(ranged: Sequence[Condition], env: Bindings) -> tuple[Any, ...]:
    """What orders matches: the natural order of ids and values of the named patterns and `each`."""
    return tuple(value_order(value) for value in ranged_values(ranged, env))


def _bind(env: Bindings, values: Bindings) -> Bindings | None:
    """The bindings with more of them, or None where one is bound to another value already."""
    if any(name in env and env[name] != value for name, value in values.items()):
        return None
    return {**env, **values}
