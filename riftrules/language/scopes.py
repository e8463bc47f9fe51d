"""Which variable is bound where, and what type it has: the scopes of a rule, found before anything is resolved."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from riftrules.errors import Place
from riftrules.facts.types import BoolType, IntType, ListType, MapType, RefType, SetType, TextType, Type
from riftrules.language.model import Template
from riftrules.language.problems import Problems
from riftrules.language.syntax import Operation, Text, Variable, Written
from riftrules.language.written import EachSaid, PatternSaid, QuantifierSaid, Said, UseSaid, WhereSaid

_NUMBER = re.compile(r"-?[0-9]+\Z")


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of names while types are inferred: templates, parameter types of definitions, types of derived fields."""

    templates: Mapping[str, Template]
    parameters: Mapping[str, list[Type | None]]
    derived: Mapping[tuple[str, str], Type]

    def field_type(self, template: str, name: str) -> Type | None:
        """The type of a stored or derived field, or of `id`; None where there is no such field (yet)."""
        found = self.templates[template]
        if name == "id":
            return RefType(template)
        field = found.fields.get(name)
        return field.type if field else self.derived.get((template, name))

    def is_singleton(self, name: str) -> bool:
        """Whether `$name` reads a singleton."""
        return name in self.templates and self.templates[name].kind == "singleton"


class Scope:
    """The variables that conditions joined together bind, with the scopes of the quantifiers inside them.

    In a `broken` scope a condition could not be read, so that a variable nothing binds is no news.
    """

    def __init__(
        self,
        said: tuple[Said, ...],
        known: Known,
        parent: Scope | None = None,
        given: Mapping[str, Type | None] | None = None,
        *,
        alone: bool = False,
        hears: PatternSaid | None = None,
        broken: bool = False,
    ) -> None:
        self.said = said
        self.known = known
        self.parent = parent
        self.types: dict[str, Type | None] = dict(given or {})
        self.children: dict[int, Scope] = {}
        self.has: dict[int, Scope] = {}
        self.clashes: dict[str, tuple[Type, Type]] = {}
        self.alone = alone
        self.hears = hears
        self.broken: bool = broken or (parent is not None and parent.broken)
        for one in said:
            for name in self.bound_by(one):
                if not self.visible(name):
                    self.types[name] = None
        for one in said:
            self._open(one)

    def ranges(self, one: Said) -> bool:
        """Whether this condition ranges here: a named pattern, a pattern alone in a quantifier, or the event heard."""
        return isinstance(one, PatternSaid) and (one.name is not None or self.alone or one is self.hears)

    def bound_by(self, one: Said) -> Iterator[str]:
        """The variables that this condition binds here."""
        match one:
            case PatternSaid(_, name, tests):
                if name is not None:
                    yield name
                if self.ranges(one):
                    yield from (bare for test in tests if (bare := bare_variable(test.test.op, test.test.to)))
            case EachSaid(_, variables):
                yield from variables
            case QuantifierSaid("count" | "sum", variable=variable) if variable:
                yield variable

    def _open(self, one: Said) -> None:
        if isinstance(one, QuantifierSaid):
            alone = len(one.body) == 1 and isinstance(one.body[0], PatternSaid)
            child = Scope(one.body, self.known, self, alone=alone)
            self.children[id(one)] = child
            if one.has:
                alone = len(one.has) == 1 and isinstance(one.has[0], PatternSaid)
                self.has[id(one)] = Scope(one.has, self.known, child, alone=alone)
        elif isinstance(one, PatternSaid) and not self.ranges(one):
            self.children[id(one)] = Scope((one,), self.known, self, alone=True)

    def visible(self, name: str) -> bool:
        """Whether the variable is bound here or around here."""
        return name in self.types or (self.parent is not None and self.parent.visible(name))

    def owner(self, name: str) -> Scope | None:
        """The scope that binds the variable."""
        if name in self.types:
            return self
        return self.parent.owner(name) if self.parent else None

    def type_of(self, name: str) -> Type | None:
        """The type of a variable, as far as it is known."""
        found = self.owner(name)
        return found.types[name] if found else None

    def settle(self) -> None:
        """Infer types until nothing more is learnt."""
        while self.learn():
            pass

    def learn(self) -> bool:
        """One round over all conditions, inner scopes too; whether something was learnt."""
        learnt = False
        for one in self.said:
            for name, type_ in self._told_by(one):
                learnt |= self._set(name, type_)
            if isinstance(one, UseSaid):
                learnt |= self._teach(one)
        for child in (*self.children.values(), *self.has.values()):
            learnt |= child.learn()
        return learnt

    def _told_by(self, one: Said) -> Iterator[tuple[str, Type | None]]:
        match one:
            case PatternSaid(template, name, tests):
                if name is not None:
                    yield name, RefType(template)
                for test in tests:
                    bare = bare_variable(test.test.op, test.test.to)
                    if bare:
                        yield bare, self.known.field_type(template, test.field)
            case QuantifierSaid("count" | "sum", variable=variable):
                yield variable, IntType()
            case EachSaid(of, variables):
                yield from zip(variables, members(self.expression_type(of)), strict=False)
            case UseSaid(definition, arguments):
                for argument, type_ in zip(arguments, self.known.parameters[definition], strict=True):
                    if isinstance(argument, Variable) and not argument.fields:
                        yield argument.name, type_

    def _teach(self, use: UseSaid) -> bool:
        """Where a definition does not say what a parameter is, what it is used with does."""
        kinds, learnt = self.known.parameters[use.definition], False
        for position, argument in enumerate(use.arguments):
            if kinds[position] is None and (found := self.expression_type(argument)) is not None:
                kinds[position], learnt = found, True
        return learnt

    def _set(self, name: str, type_: Type | None) -> bool:
        scope = self.owner(name)
        if scope is None or type_ is None:
            return False
        old = scope.types[name]
        if old is None:
            scope.types[name] = type_
            return True
        new = merged(old, type_)
        if new is None:
            scope.clashes.setdefault(name, (old, type_))
            return False
        scope.types[name] = new
        return new != old

    def expression_type(self, written: Written) -> Type | None:
        """The type of an expression, None where it cannot be told (a plain word takes the type of what it meets)."""
        match written:
            case Variable(name, fields):
                return self._path_type(name, fields)
            case Text(text, quoted):
                return IntType() if not quoted and _NUMBER.match(text) else None
            case Operation("else", left, right):
                return self.expression_type(left) or self.expression_type(right)
            case Operation():
                return IntType()
        return None

    def _path_type(self, name: str, fields: tuple[str, ...]) -> Type | None:
        type_ = self.type_of(name)
        if type_ is None and self.known.is_singleton(name) and not self.visible(name):
            type_ = RefType(name)
        for field in fields:
            if not isinstance(type_, RefType):
                return None
            type_ = self.known.field_type(type_.template, field)
        return type_

    def all_clashes(self) -> Iterator[tuple[str, tuple[Type, Type]]]:
        """Variables two conditions want to be of different types, inner scopes too."""
        yield from self.clashes.items()
        for child in (*self.children.values(), *self.has.values()):
            yield from child.all_clashes()


def scope_types(scope: Scope) -> Mapping[str, Type]:
    """The types of the variables a scope binds itself; a text where nothing more is known."""
    return {name: type_ or TextType() for name, type_ in scope.types.items()}


def bare_variable(op: str, to: Written | None) -> str:
    """The variable of a test that is nothing but `$name`."""
    return to.name if op == "is" and isinstance(to, Variable) and not to.fields else ""


def members(type_: Type | None) -> tuple[Type | None, ...]:
    """The types an `each` over this type gives its variables."""
    match type_:
        case SetType(of) | ListType(of):
            return (of,)
        case MapType(key, to):
            return (key, to)
    return ()


def merged(old: Type, new: Type) -> Type | None:
    """The narrower of two types that one variable has, or None where no value is of both."""
    match old, new:
        case RefType(one, few), RefType(other, more):
            return None if one != other else old if len(few) <= len(more) else new
        case IntType(), IntType():
            return old
        case (IntType() | BoolType(), _) | (_, IntType() | BoolType()):
            return old if type(old) is type(new) else None
        case TextType(), _:
            return new if isinstance(new, RefType) else old
    return old


def order_of(scope: Scope, problems: Problems) -> None:
    """Tell of `each`, `count` and `sum` that wait for one another in a ring."""
    have = set(scope.types) - {name for one in scope.said for name in scope.bound_by(one)}
    waiting: list[Said] = []
    for one in scope.said:
        if isinstance(one, EachSaid) or (isinstance(one, QuantifierSaid) and one.variable):
            waiting.append(one)
        else:
            have.update(scope.bound_by(one))
    while waiting:
        ready = [one for one in waiting if _needs(one, scope) <= have]
        if not ready:
            names = ", ".join(f"`${name}`" for one in waiting for name in scope.bound_by(one))
            problems.say(_place(waiting[0]), "ring", f"{names} wait for one another")
            return
        for one in ready:
            have.update(scope.bound_by(one))
            waiting.remove(one)


def _place(one: Said) -> Place:
    return one.place


def _needs(one: Said, scope: Scope) -> set[str]:
    return {name for name in variables_in(one) if name in scope.types and name not in set(scope.bound_by(one))}


def variables_in(one: object) -> Iterator[str]:
    """Every variable that a condition, a test or an expression mentions."""
    match one:
        case Variable(name):
            yield name
        case Operation(_, left, right):
            yield from variables_in(left)
            yield from variables_in(right)
        case PatternSaid(_, name, tests):
            if name is not None:
                yield name
            yield from (found for test in tests for found in variables_in(test.test))
        case QuantifierSaid():
            yield from (found for inner in (*one.body, *one.has, one.of) for found in variables_in(inner))
        case EachSaid(of):
            yield from variables_in(of)
        case WhereSaid(where):
            yield from variables_in(where.left)
            yield from variables_in(where.test)
        case UseSaid(_, arguments):
            yield from (found for argument in arguments for found in variables_in(argument))
        case _ if hasattr(one, "tests") and hasattr(one, "to"):
            yield from variables_in(one.to)
            yield from (found for test in one.tests for found in variables_in(test))
