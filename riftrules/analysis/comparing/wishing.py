"""What a board in the making holds, and values for it that pass a test."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from riftrules.engine.reference.operations import arithmetic
from riftrules.facts.types import BoolType, CallsType, IntType, ListType, MapType, RefType, SetType, Type, Value, WordType
from riftrules.language.model import (
    AnyOf,
    Arithmetic,
    Bind,
    Compare,
    Else,
    Equals,
    Expression,
    Has,
    Hop,
    In,
    Known,
    Literal,
    Not,
    Read,
    Ruleset,
    Template,
    Test,
)

UNWISHED: Any = object()
"""No value in particular."""


@dataclass(slots=True)
class Wishing:
    """What variables stand for, and the fields wanted of each fact."""

    ruleset: Ruleset
    bound: dict[str, Value] = field(default_factory=dict)
    facts: dict[tuple[str, str], dict[str, Value]] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)

    def unbound(self, template: Template) -> str:
        """The id of a fact that no variable stands for yet."""
        if template.kind == "singleton":
            return template.name
        taken = set(self.bound.values())
        free = next((id_ for name, id_ in self.facts if name == template.name and id_ not in taken), None)
        return free or self.new(template.name)

    def new(self, template: str) -> str:
        """The id of one more fact."""
        self.counts[template] = self.counts.get(template, 0) + 1
        id_ = f"{template}-{self.counts[template]}"
        self.fact(template, id_)
        return id_

    def fact(self, template: str, id_: str) -> None:
        """Let there be this fact."""
        self.facts.setdefault((template, id_), {})

    def valued(self, expression: Expression | None, bound: dict[str, Value]) -> Value:
        """The value of an expression under other bindings."""
        if expression is None:
            return None
        held, self.bound = self.bound, bound
        value = self.value(expression)
        self.bound = held
        return value

    # -------------------------------------------------------------------------------------------- values

    def wish(self, test: Test | None, type_: Type, now: Value) -> Value:
        """A value that passes a test, as far as that can be told; `UNWISHED` where nothing is asked for."""
        match test:
            case Bind(variable):
                if variable not in self.bound:
                    self.bound[variable] = now if now is not None else self.any(type_)
                return self.bound[variable]
            case Equals(to):
                value = self.value(to)
                return self._given(to, type_) if value is None else value
            case Known():
                return now if now is not None else self.any(type_)
            case Compare(op, to):
                limit = self.value(to)
                step = {"more than": 1, "less than": -1}.get(op, 0)
                return limit + step if isinstance(limit, int) else UNWISHED
            case Has(member):
                return _with(now or (frozenset() if isinstance(type_, SetType) else ()), self.value(member))
            case In(of):
                return self._into(of, type_)
            case AnyOf(tests):
                return self.wish(tests[0], type_, now)
            case Not(inner):
                return self._other(inner, type_, now)
        return UNWISHED

    def _given(self, expression: Expression, type_: Type) -> Value:
        """A value for the field that an expression reads, where it has none: one that no other field of that fact has."""
        match expression:
            case Read(variable, hops, singleton) if hops:
                key, name = self.holder(variable, hops, singleton=singleton), hops[-1].field
                if key is not None and name in self.ruleset.templates[key[0]].fields:
                    taken = set(self.facts[key].values()) if isinstance(type_, RefType) else set()
                    value = next((one for one in self._all(type_) if one not in taken), self.any(type_))
                    self.facts[key][name] = value
                    return value
        return None

    def _into(self, of: Expression, type_: Type) -> Value:
        """A member for a list, put into it."""
        member = self.new(type_.template) if isinstance(type_, RefType) else self.any(type_)
        match of:
            case Read(variable, (hop,)) if variable in self.bound:
                key = (hop.template, str(self.bound[variable]))
                held = self.ruleset.templates[hop.template].fields.get(hop.field)
                if key in self.facts and held is not None:
                    now = self.facts[key].get(hop.field)
                    is_set = isinstance(held.type, SetType)
                    self.facts[key][hop.field] = (now or frozenset()) | {member} if is_set else (*(now or ()), member)
        return member

    def _other(self, inner: Test, type_: Type, now: Value) -> Value:
        """A value that does not pass a test."""
        match inner:
            case Known():
                return None
            case Has(member):
                one = self.value(member)
                return _without(now, one) if isinstance(now, frozenset | tuple) else UNWISHED
        excluded = self._passing(inner)
        choices = [one for one in self._all(type_) if one not in excluded]
        if isinstance(type_, RefType) and not choices:
            return self.new(type_.template)
        if isinstance(type_, IntType) and not choices:
            return max(one for one in excluded if isinstance(one, int)) + 1
        return choices[0] if choices else UNWISHED

    def _passing(self, test: Test) -> list[Value]:
        """The values that pass a test, as far as they can be told."""
        match test:
            case Bind(variable):
                return [self.bound.get(variable)]
            case Equals(to):
                return [self.value(to)]
            case In(of):
                held = self.value(of)
                return list(held) if isinstance(held, frozenset | tuple) else []
            case AnyOf(tests):
                return [value for one in tests for value in self._passing(one)]
        return []

    def _all(self, type_: Type) -> list[Value]:
        match type_:
            case RefType(template, words):
                return [*(id_ for name, id_ in self.facts if name == template), *words]
            case BoolType():
                return [False, True]
            case WordType(words):
                return list(words)
            case IntType(low):
                return [low or 0, (low or 0) + 1]
        return []

    def any(self, type_: Type) -> Value:
        """Some value of a type; a fact is made where there is none to refer to."""
        match type_:
            case SetType():
                return frozenset()
            case ListType() | MapType() | CallsType():
                return ()
        choices = self._all(type_)
        if not choices and isinstance(type_, RefType):
            return self.new(type_.template)
        return choices[0] if choices else "x"

    def value(self, expression: Expression | None) -> Value:
        """The value of an expression as far as it is known; none where it is not."""
        match expression:
            case Literal(value):
                return value
            case Read(variable, (), singleton):
                return variable if singleton else self.bound.get(variable)
            case Read(variable, hops, singleton):
                key = self.holder(variable, hops, singleton=singleton)
                return None if key is None else self._held(key, hops[-1].field)
            case Arithmetic(op, left, right):
                return _counted(op, self.value(left), self.value(right))
            case Else(left, right):
                first = self.value(left)
                return first if first is not None else self.value(right)
        return None

    def holder(self, variable: str, hops: tuple[Hop, ...], *, singleton: bool) -> tuple[str, str] | None:
        """The fact whose field a path ends in; None where it is not known, or not there."""
        id_: Value = variable if singleton else self.bound.get(variable)
        if singleton:
            self.fact(hops[0].template, variable)
        for hop in hops[:-1]:
            key = hop.template, str(id_)
            id_ = self._held(key, hop.field) if key in self.facts else None
        key = hops[-1].template, str(id_)
        return key if id_ is not None and key in self.facts else None

    def _held(self, key: tuple[str, str], name: str) -> Value:
        """A field of a fact: what is wanted of it, else what must be given, else its default."""
        one = self.ruleset.templates[key[0]].fields.get(name)
        if one is None:
            return None
        if name not in self.facts[key] and one.required:
            self.facts[key][name] = self.any(one.type)
        return self.facts[key].get(name, getattr(one.default, "value", None))


def _with(held: Any, member: Value) -> Value:
    if member is None:
        return UNWISHED
    return held | {member} if isinstance(held, frozenset) else (*held, member)


def _without(held: frozenset[Value] | tuple[Value, ...], member: Value) -> Value:
    return held - {member} if isinstance(held, frozenset) else tuple(one for one in held if one != member)


def _counted(op: str, left: Value, right: Value) -> Value:
    return arithmetic(op, left, right, strict=False) if isinstance(left, int) and isinstance(right, int) else None
