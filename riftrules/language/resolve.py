"""Turns conditions and expressions as written into the model: names found, paths typed, literals read."""

from __future__ import annotations

from dataclasses import dataclass, field

from riftrules.errors import Place
from riftrules.facts.types import IntType, ListType, MapType, RefType, SetType, Type
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
    Hop,
    In,
    Literal,
    No,
    Not,
    Pattern,
    Read,
    Some,
    Sum,
    Template,
    Test,
    Use,
    Where,
)
from riftrules.language.model import (
    Known as KnownTest,
)
from riftrules.language.problems import TYPE, Problems, misspelt
from riftrules.language.scopes import Scope
from riftrules.language.syntax import MisreadError, Nothing, Operation, Text, Variable, Written, WrittenTest, WrittenWhere
from riftrules.language.type_names import comparable, type_name
from riftrules.language.values import DIGITS, literal, tell_unknown_field
from riftrules.language.written import EachSaid, PatternSaid, QuantifierSaid, Said, UseSaid, WhereSaid


@dataclass(slots=True)
class Resolver:
    """Resolves what stands in one rule, definition, derived field or invariant.

    `card` forbids reading internal fields. What is read on the way is kept: `reads` are all paths from variables,
    `singletons` the singletons read outside patterns, `uses` the definitions and derived fields used.
    """

    problems: Problems
    card: bool = False
    reads: set[Read] = field(default_factory=set)
    singletons: set[str] = field(default_factory=set)
    uses: set[tuple[str, str]] = field(default_factory=set)

    # ------------------------------------------------------------------ conditions

    def conditions(self, scope: Scope) -> tuple[Condition, ...]:
        """All conditions of a scope."""
        return tuple(self.condition(one, scope) for one in scope.said)

    def condition(self, one: Said, scope: Scope) -> Condition:
        """One condition of a scope."""
        match one:
            case PatternSaid():
                return self.pattern(one, scope if scope.ranges(one) else scope.children[id(one)])
            case QuantifierSaid():
                return self._quantifier(one, scope)
            case EachSaid(of, variables, place):
                return self._each(of, variables, scope, place)
            case WhereSaid(where, text, place):
                left = self.expression(where.left, None, scope, place)
                type_ = scope.expression_type(where.left) or scope.expression_type(where.test.to or Nothing())
                self._may_be_equal(where, scope, place)
                return Where(left, self.test(where.test, type_, scope, place), text, place)
            case UseSaid(definition, arguments, place):
                self.uses.add(("definition", definition))
                kinds = scope.known.parameters[definition]
                resolved = tuple(self.expression(a, k, scope, place) for a, k in zip(arguments, kinds, strict=True))
                return Use(definition, resolved, place)

    def _may_be_equal(self, where: WrittenWhere, scope: Scope, place: Place) -> None:
        """Tell where what is compared with a variable can never be what it is."""
        test = where.test.tests[0] if where.test.op == "not" else where.test
        if test.op == "is" and isinstance(test.to, Variable) and not test.to.fields:
            one, other = scope.expression_type(where.left), scope.expression_type(test.to)
            if one is not None and other is not None and not comparable(one, other):
                self.problems.say(place, "type", f"this can never be equal: {type_name(one)} and {type_name(other)}")

    def _each(self, of: Written, variables: tuple[str, ...], scope: Scope, place: Place) -> Each:
        type_ = scope.expression_type(of)
        wanted = 2 if isinstance(type_, MapType) else 1
        if type_ is not None and not isinstance(type_, SetType | ListType | MapType):
            self.problems.say(place, "type", "`each` ranges over a set, a list or a map")
        elif type_ is not None and len(variables) != wanted:
            self.problems.say(place, "type", "`each` over a map binds two variables, `as: [$key, $number]`, else one")
        return Each(self.expression(of, None, scope, place), variables, place)

    def _quantifier(self, one: QuantifierSaid, scope: Scope) -> Condition:
        inner = scope.children[id(one)]
        body = self.conditions(inner)
        match one.kind:
            case "no":
                return No(body, one.place)
            case "some":
                return Some(body, one.place)
            case "every":
                has = self.conditions(scope.has[id(one)]) if id(one) in scope.has else ()
                return Every(body, has, one.place)
            case "count":
                return Count(body, one.variable, one.place)
        of = scope.children[id(one)].expression_type(one.of or Nothing())
        if of is not None and not isinstance(of, IntType):
            self.problems.say(one.place, "type", f"`sum` adds up numbers, and this is {type_name(of)}")
        return Sum(self.expression(one.of or Nothing(), IntType(), inner, one.place), body, one.variable, one.place)

    def pattern(self, one: PatternSaid, scope: Scope) -> Pattern:
        """A pattern with its tests."""
        template = scope.known.templates[one.template]
        tests = []
        for said in one.tests:
            type_ = scope.known.field_type(one.template, said.field)
            derived = said.field in template.derived
            if type_ is None and not derived:
                tell_unknown_field(said.place, said.field, template, self.problems)
                continue
            self._may_read(template, said.field, said.place)
            if derived:
                self.uses.add((one.template, said.field))
            test = self.test(said.test, type_, scope, said.place)
            tests.append(FieldTest(said.field, test, derived, said.text, said.place))
            if one.name is not None and said.field != "id":
                self.reads.add(Read(one.name, (Hop(one.template, said.field, derived),)))
        return Pattern(one.template, one.name, tuple(tests), one.place)

    def _may_read(self, template: Template, name: str, place: Place) -> None:
        field_ = template.fields.get(name)
        if self.card and field_ is not None and field_.internal:
            self.problems.say(place, "internal", f"`{name}` of `{template.name}` is internal: a card may not read it")

    # ------------------------------------------------------------------ tests

    def test(self, said: WrittenTest, type_: Type | None, scope: Scope, place: Place) -> Test:
        """A test of a field or expression of this type (None: not known)."""
        match said.op:
            case "none":
                return Equals(Literal(None))
            case "some":
                return KnownTest()
            case "not":
                return Not(self.test(said.tests[0], type_, scope, place))
            case "any":
                return AnyOf(tuple(self.test(one, type_, scope, place) for one in said.tests))
        to = said.to or Nothing()
        if said.op == "is":
            return self._equals(to, type_, scope, place)
        if said.op == "has":
            return self._has(to, self._member(type_, place), scope, place)
        if said.op == "in":
            return self._in(to, type_, scope, place)
        if type_ is not None and not isinstance(type_, IntType):
            self.problems.say(place, "type", f"`{said.op}` compares numbers")
        return Compare(said.op, self.expression(to, IntType(), scope, place))

    def _equals(self, to: Written, type_: Type | None, scope: Scope, place: Place) -> Test:
        if isinstance(to, Variable) and not to.fields and scope.visible(to.name):
            self.variable(to, scope, place)
            return Bind(to.name)
        expression = self.expression(to, type_, scope, place)
        other = scope.expression_type(to)
        if type_ is not None and other is not None and isinstance(to, Variable) and not comparable(type_, other):
            self.problems.say(place, "type", f"this can never be equal: {type_name(type_)} and {type_name(other)}")
        return Equals(expression)

    def _has(self, to: Written, member: Type | None, scope: Scope, place: Place) -> Test:
        other = scope.expression_type(to) if isinstance(to, Variable) else None
        if member is not None and other is not None and not comparable(member, other):
            self.problems.say(place, "type", f"{type_name(member)} is never {type_name(other)}")
        return Has(self.expression(to, member, scope, place))

    def _in(self, to: Written, type_: Type | None, scope: Scope, place: Place) -> Test:
        other = scope.expression_type(to)
        if other is not None and not isinstance(other, SetType | ListType | MapType):
            self.problems.say(place, "type", "`in` asks a set, a list or a map")
        return In(self.expression(to, type_, scope, place))

    def _member(self, type_: Type | None, place: Place) -> Type | None:
        match type_:
            case SetType(of) | ListType(of):
                return of
            case MapType(key):
                return key
            case None:
                return None
        self.problems.say(place, "type", "`has` asks a set, a list or a map")
        return None

    # ------------------------------------------------------------------ expressions

    def expression(self, written: Written, type_: Type | None, scope: Scope, place: Place) -> Expression:
        """An expression; a plain word in it is read as `type_`, or as a number or text where that is not known."""
        match written:
            case Nothing():
                return Literal(None)
            case Text():
                return self._literal(written, type_, place)
            case Variable():
                return self.variable(written, scope, place)
            case Operation("else", left, right):
                kind = type_ or scope.expression_type(left)
                return Else(self.expression(left, kind, scope, place), self.expression(right, kind, scope, place))
            case Operation("at", left, right):
                over = scope.expression_type(left)
                if over is not None and not isinstance(over, MapType):
                    self.problems.say(place, "type", "`at` reads a map")
                key = over.key if isinstance(over, MapType) else None
                return At(self.expression(left, None, scope, place), self.expression(right, key, scope, place))
            case Operation():
                return self._arithmetic(written, scope, place)

    def _arithmetic(self, written: Operation, scope: Scope, place: Place) -> Arithmetic:
        op, left, right = written.op, written.left, written.right
        if op == "mod" and isinstance(right, Text) and right.text == "0":
            self.problems.doubt(place, "type", "the remainder by 0 is nothing")
        for side in (left, right):
            found = scope.expression_type(side)
            if found is not None and not isinstance(found, IntType):
                self.problems.say(place, "type", f"`{op}` works on numbers")
        return Arithmetic(op, *(self.expression(side, IntType(), scope, place) for side in (left, right)))

    def _literal(self, text: Text, type_: Type | None, place: Place) -> Literal:
        if type_ is None:
            number = not text.quoted and text.text.lstrip("-").isdecimal()
            return Literal(int(text.text[:DIGITS]) if number else text.text)
        try:
            return Literal(literal(text, type_))
        except MisreadError as fault:
            self.problems.unknown(place, "type", str(fault), fault.hint, name=("value", str(fault)))
            return Literal(None)

    def variable(self, written: Variable, scope: Scope, place: Place) -> Read:
        """A path: every field of it is known, or told."""
        known = scope.known
        bound = scope.visible(written.name)
        if not bound and not known.is_singleton(written.name):
            self._unbound(written.name, scope, place)
            return Read(written.name)
        type_: Type | None = scope.type_of(written.name) if bound else RefType(written.name)
        hops = self._hops(written, type_, scope, place)
        read = Read(written.name, hops, singleton=not bound)
        if not bound:
            self.singletons.add(written.name)
        self.reads.add(read)
        return read

    def _unbound(self, name: str, scope: Scope, place: Place) -> None:
        """Tell, once for each variable, that nothing binds it; a name near to a singleton's is the singleton's, everywhere."""
        singletons = [one for one, template in scope.known.templates.items() if template.kind == "singleton"]
        close = misspelt(name, [*_names(scope), *singletons])
        hint = f"did you mean `${close}`?" if close else "name the pattern that should bind it"
        of = ("word", name) if close in singletons or self.problems.is_lost("word", name) else ("variable", f"{id(self)}.{name}")
        if not scope.broken:
            self.problems.unknown(place, "unbound", f"nothing binds `${name}`", hint, name=of)

    def _hops(self, written: Variable, type_: Type | None, scope: Scope, place: Place) -> tuple[Hop, ...]:
        hops: list[Hop] = []
        path = f"${written.name}"
        for name in written.fields:
            if not isinstance(type_, RefType):
                if type_ is not None:
                    self.problems.say(place, "type", f"`{path}` is {type_name(type_)} and has no fields")
                elif not hops:
                    hint = f"let a pattern say it, like `player {path}: {{}}`"
                    said = f"what `{path}` is cannot be told, so `.{name}` cannot be read"
                    self.problems.unknown(place, "untyped", said, hint, name=(TYPE, f"{id(self)}.{path}"))
                return tuple(hops)
            template = scope.known.templates[type_.template]
            self._may_read(template, name, place)
            found = scope.known.field_type(type_.template, name)
            derived = name in template.derived
            if found is None and not derived:
                tell_unknown_field(place, name, template, self.problems)
                return tuple(hops)
            if derived:
                self.uses.add((template.name, name))
            hops.append(Hop(template.name, name, derived))
            type_, path = found, f"{path}.{name}"
        return tuple(hops)


def _names(scope: Scope | None) -> list[str]:
    return [] if scope is None else [*scope.types, *_names(scope.parent)]
