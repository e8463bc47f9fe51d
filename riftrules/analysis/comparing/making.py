"""Makes a board of a rule's own conditions: the least there must be for it to be looked at and, if it can be, to fire."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from riftrules.errors import NOWHERE
from riftrules.facts.memory import Fact, WorkingMemory
from riftrules.facts.trace import StackedFrame
from riftrules.facts.types import (
    BoolType,
    Call,
    CallsType,
    IntType,
    ListType,
    MapType,
    RefType,
    SetType,
    Type,
    Value,
    WordType,
    keyed_id,
)
from riftrules.language.defaults import complete
from riftrules.language.model import (
    AnyOf,
    AskFor,
    Bind,
    Compare,
    Each,
    Emit,
    Equals,
    Every,
    Expression,
    Has,
    In,
    Known,
    Literal,
    Not,
    Pattern,
    Read,
    Rule,
    Ruleset,
    Some,
    Template,
    Test,
    Use,
)
from riftrules.language.rebuilding import singletons_of
from riftrules.scenario.model import Beginning, Item, Requesting, Scenario

PLAYERS = 2


def read_singletons(ruleset: Ruleset) -> tuple[str, ...]:
    """The singletons that rules or defaults read: what every board of the game has. One that is only a mark is not among them."""
    read = {name for rule in ruleset.rules for name in rule.singletons}
    for template in ruleset.templates.values():
        defaults = tuple(one.default for one in template.fields.values() if one.default is not None)
        read |= set(singletons_of(defaults))
    return tuple(name for name in ruleset.templates if name in read)


def emits(rule: Rule, event: str) -> bool:
    """Whether the rule emits the event."""
    return any(isinstance(one, Emit) and one.event == event for one in rule.then)


@dataclass(slots=True)
class Making:
    """One board in the making: what variables stand for, and the fields wanted of each fact."""

    ruleset: Ruleset
    procedure: str
    bound: dict[str, Value] = field(default_factory=dict)
    facts: dict[tuple[str, str], dict[str, Value]] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)

    def of(self, rule: Rule) -> Scenario:
        """The scenario that comes to this rule on a board that fits it."""
        for template in self._players():
            for _ in range(PLAYERS):
                self._new(template)
        if rule.event is not None:
            self._heard(rule.event)
        self._conditions(rule.when)
        for name in read_singletons(self.ruleset):
            self._fact(name, name)
        return self._scenario()

    def _heard(self, event: Pattern) -> None:
        """What the rule that emits the event is looking for, and what the event's fields are then."""
        steps = self.ruleset.procedures[self.procedure].steps
        emitting = (rule for rule in self.ruleset.rules if rule.step in steps and emits(rule, event.template))
        rule = next(emitting, None)
        if rule is not None:
            self._conditions(rule.when)
        said = (
            next((dict(one.fields) for one in rule.then if isinstance(one, Emit) and one.event == event.template), {})
            if rule
            else {}
        )
        inner, self.bound = self.bound, {}
        for test in event.tests:
            value = self._valued(said.get(test.field), inner)
            if value is not None and isinstance(test.test, Bind):
                self.bound[test.test.variable] = value
        self._pattern(event)

    def _valued(self, expression: Expression | None, bound: dict[str, Value]) -> Value:
        """The value of an expression under other bindings."""
        if expression is None:
            return None
        held, self.bound = self.bound, bound
        value = self._value(expression)
        self.bound = held
        return value

    def _scenario(self) -> Scenario:
        asked = self.facts.pop((self.procedure, f"{self.procedure}-1"), {})
        fields = self._required(self.ruleset.templates[self.procedure], asked)
        facts = self._complete()
        pairs = tuple(sorted(fields.items()))
        request = self.ruleset.procedures[self.procedure].request
        item: Item = Requesting(self.procedure, pairs, NOWHERE) if request else Beginning((Call(self.procedure, pairs),), NOWHERE)
        stack = tuple(self._stack())
        mode = next(iter(self.ruleset.modes), "")
        return Scenario("a board made of a rule's conditions", NOWHERE, facts, stack, (item,), mode=mode, lenient=True)

    def _stack(self) -> Iterator[StackedFrame]:
        """The frames that other patterns are over, in a step that asks for the procedure, else in their first."""
        for (template, id_), wanted in self.facts.items():
            kind = self.ruleset.templates[template]
            steps = self.ruleset.procedures[template].steps if kind.kind == "frame" else ()
            plain = [step for step in steps if step not in self.ruleset.procedures]
            if plain:
                asking = [
                    rule.step
                    for rule in self.ruleset.rules
                    for one in rule.then
                    if isinstance(one, AskFor) and self.procedure in one.requests
                ]
                step = next((step for step in plain if step in asking), plain[0])
                values = self._required(kind, wanted)
                yield StackedFrame(complete(kind, id_, values, WorkingMemory(self.ruleset.shapes)), step)

    def _players(self) -> list[str]:
        """The templates of which a game has several that are alike: symmetric ones, and those that a singleton names."""
        templates = self.ruleset.templates
        named = {
            one.type.template
            for name in read_singletons(self.ruleset)
            for one in templates[name].fields.values()
            if one.required and isinstance(one.type, RefType)
        }
        return [name for name, one in templates.items() if one.symmetric or name in named]

    # -------------------------------------------------------------------------------------------- conditions

    def _conditions(self, conditions: tuple[Any, ...]) -> None:
        for one in conditions:
            match one:
                case Pattern():
                    self._pattern(one)
                case Some(inner) | Every(has=inner):
                    self._conditions(inner)
                case Use(definition, arguments):
                    self._use(definition, arguments)
                case Each(of, (name, *_)):
                    self._member(name, of)

    def _use(self, name: str, arguments: tuple[Expression, ...]) -> None:
        """The conditions of a definition, for what it is used with."""
        definition = self.ruleset.definitions.get(name)
        if definition is None:
            return
        held = dict(self.bound)
        for parameter, argument in zip(definition.parameters, arguments, strict=False):
            value = self._value(argument)
            if value is not None:
                self.bound[parameter] = value
        self._conditions(definition.when)
        self.bound = {**self.bound, **held}

    def _pattern(self, pattern: Pattern) -> None:
        template = self.ruleset.templates.get(pattern.template)
        if template is None or template.kind == "event":
            self._bind_only(pattern)
            return
        key = (template.name, self._identity(pattern, template))
        self._fact(*key)
        if pattern.name is not None:
            self.bound[pattern.name] = key[1]
        for test in pattern.tests:
            if test.field != "id" and not test.derived and test.field in template.fields:
                now = self.facts[key].get(test.field)
                value = self._wish(test.test, template.fields[test.field].type, now)
                if value is not _unwished:
                    self.facts[key][test.field] = value

    def _identity(self, pattern: Pattern, template: Template) -> str:
        """The id of the fact that a pattern is to find: one that is bound, wished for, free, or new."""
        if template.kind == "frame":
            return f"{template.name}-1"
        if pattern.name is not None and self.bound.get(pattern.name) is not None:
            return str(self.bound[pattern.name])
        wanted = next((test.test for test in pattern.tests if test.field == "id"), None)
        wished = self._wish(wanted, RefType(template.name), None) if wanted is not None else None
        return str(wished) if isinstance(wished, str) else self._named(template)

    def _bind_only(self, pattern: Pattern) -> None:
        """What an event binds."""
        template = self.ruleset.templates.get(pattern.template)
        for test in pattern.tests:
            if (
                template is not None
                and isinstance(test.test, Bind)
                and test.field in template.fields
                and test.test.variable not in self.bound
            ):
                self.bound[test.test.variable] = self._any(template.fields[test.field].type)

    def _named(self, template: Template) -> str:
        if template.kind == "singleton":
            return template.name
        taken = set(self.bound.values())
        free = next((id_ for name, id_ in self.facts if name == template.name and id_ not in taken), None)
        return free or self._new(template.name)

    def _new(self, template: str) -> str:
        self.counts[template] = self.counts.get(template, 0) + 1
        id_ = f"{template}-{self.counts[template]}"
        self._fact(template, id_)
        return id_

    def _fact(self, template: str, id_: str) -> None:
        self.facts.setdefault((template, id_), {})

    def _member(self, name: str, of: Expression) -> None:
        """Something for `each` to find in a list of the frame's, or of a fact's."""
        match of:
            case Read(variable, (hop,)) if variable in self.bound:
                template = self.ruleset.templates[hop.template]
                key = (template.name, str(self.bound[variable]))
                type_ = template.fields[hop.field].type if hop.field in template.fields else None
                if isinstance(type_, SetType | ListType) and key in self.facts:
                    member = self._any(type_.of)
                    self.bound[name] = member
                    self.facts[key][hop.field] = frozenset({member}) if isinstance(type_, SetType) else (member,)

    # -------------------------------------------------------------------------------------------- values

    def _wish(self, test: Test | None, type_: Type, now: Value) -> Value:
        """A value that passes a test, as far as that can be told; `_unwished` where nothing is asked for."""
        match test:
            case Bind(variable):
                if variable not in self.bound:
                    self.bound[variable] = now if now is not None else self._any(type_)
                return self.bound[variable]
            case Equals(to):
                return self._value(to) if not isinstance(to, Literal) else to.value
            case Known():
                return now if now is not None else self._any(type_)
            case Compare(op, to):
                limit = self._value(to)
                step = {"more than": 1, "less than": -1}.get(op, 0)
                return limit + step if isinstance(limit, int) else _unwished
            case Has(member):
                one = self._value(member)
                held = now or (frozenset() if isinstance(type_, SetType) else ())
                return _unwished if one is None else (held | {one} if isinstance(held, frozenset) else (*held, one))
            case In(of):
                return self._into(of, type_)
            case AnyOf(tests):
                return self._wish(tests[0], type_, now)
            case Not(inner):
                return self._other(inner, type_)
        return _unwished

    def _into(self, of: Expression, type_: Type) -> Value:
        """A member for a list, put into it."""
        member = self._new(type_.template) if isinstance(type_, RefType) else self._any(type_)
        match of:
            case Read(variable, (hop,)) if variable in self.bound:
                key = (hop.template, str(self.bound[variable]))
                held = self.ruleset.templates[hop.template].fields.get(hop.field)
                if key in self.facts and held is not None:
                    now = self.facts[key].get(hop.field)
                    is_set = isinstance(held.type, SetType)
                    self.facts[key][hop.field] = (now or frozenset()) | {member} if is_set else (*(now or ()), member)
        return member

    def _other(self, inner: Test, type_: Type) -> Value:
        """A value other than that of a test."""
        value = None
        match inner:
            case Bind(variable):
                value = self.bound.get(variable)
            case Equals(to):
                value = self._value(to)
        choices = [one for one in self._all(type_) if one != value]
        if isinstance(type_, RefType) and not choices:
            return self._new(type_.template)
        return choices[0] if choices else _unwished

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

    def _any(self, type_: Type) -> Value:
        """Some value of a type; a fact is made where there is none to refer to."""
        match type_:
            case SetType():
                return frozenset()
            case ListType() | MapType() | CallsType():
                return ()
        choices = self._all(type_)
        if not choices and isinstance(type_, RefType):
            return self._new(type_.template)
        return choices[0] if choices else "x"

    def _value(self, expression: Expression) -> Value:
        match expression:
            case Literal(value):
                return value
            case Read(variable, (), False):
                return self.bound.get(variable)
            case Read(variable, (hop,), singleton):
                key = (hop.template, variable if singleton else str(self.bound.get(variable)))
                template = self.ruleset.templates.get(hop.template)
                if template is None or hop.field not in template.fields:
                    return None
                if singleton:
                    self._fact(*key)
                if key in self.facts:
                    one = template.fields[hop.field]
                    if hop.field not in self.facts[key] and one.required:
                        self.facts[key][hop.field] = self._any(one.type)
                    return self.facts[key].get(hop.field, getattr(one.default, "value", None))
        return None

    # -------------------------------------------------------------------------------------------- completing

    def _required(self, template: Template, wanted: dict[str, Value]) -> dict[str, Value]:
        given = dict(wanted)
        for one in template.fields.values():
            if one.required and given.get(one.name) is None:
                given[one.name] = self._any(one.type)
        return {name: value for name, value in given.items() if value is not None or template.fields[name].optional}

    def _complete(self) -> tuple[Fact, ...]:
        """Every fact with every field; facts that are needed by others are made on the way."""
        mode = self.ruleset.modes.get(next(iter(self.ruleset.modes), ""), {})
        if "settings" in self.ruleset.templates:
            self._fact("settings", "settings")
        memory = WorkingMemory(self.ruleset.shapes)
        done: dict[tuple[str, str], dict[str, Value]] = {}
        while left := [key for key in self.facts if key not in done]:
            for key in left:
                done[key] = self._required(self.ruleset.templates[key[0]], self.facts[key])
        for template, id_ in sorted(done, key=lambda key: self.ruleset.templates[key[0]].kind != "singleton"):
            kind = self.ruleset.templates[template]
            if kind.kind in {"frame", "event"}:
                continue
            preset = mode if template == "settings" else {}
            fact = complete(kind, id_, {**preset, **done[template, id_]}, memory)
            if kind.key and kind.kind == "standing":
                fact = Fact(template, keyed_id(tuple(fact.values[name] for name in kind.key)), fact.values)
            memory.put(fact)
        return tuple(memory)


_unwished: Any = object()
