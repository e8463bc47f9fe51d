"""Makes a board of a rule's own conditions: the least there must be for it to be looked at and, if it can be, to fire."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from riftrules.analysis.comparing.wishing import UNWISHED, Wishing
from riftrules.errors import NOWHERE
from riftrules.facts.memory import Fact, WorkingMemory
from riftrules.facts.trace import StackedFrame
from riftrules.facts.types import (
    Call,
    ListType,
    RefType,
    SetType,
    Value,
    keyed_id,
)
from riftrules.language.defaults import complete
from riftrules.language.model import (
    AskFor,
    Bind,
    Count,
    Each,
    Emit,
    Every,
    Expression,
    Hop,
    Pattern,
    Read,
    Rule,
    Ruleset,
    Some,
    Sum,
    Template,
    Test,
    Use,
    Where,
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
class Making(Wishing):
    """One board in the making, on which a procedure comes to a rule."""

    procedure: str = ""

    def of(self, rule: Rule, derived: tuple[str, tuple[Any, ...]] | None = None) -> Scenario:
        """The scenario that comes to this rule on a board that fits it.

        With `derived` (a template, and conditions of a derived field) they hold of everything that the rule names of it.
        """
        for template in self._players():
            for _ in range(PLAYERS):
                self.new(template)
        if rule.event is not None:
            self._heard(rule.event)
        self._conditions(rule.when)
        if derived is not None:
            self._derived(*derived)
        for name in read_singletons(self.ruleset):
            self.fact(name, name)
        return self._scenario()

    def _derived(self, template: str, conditions: tuple[Any, ...]) -> None:
        """Let the conditions of a derived field hold of the facts that variables stand for."""
        held = dict(self.bound)
        for id_ in dict.fromkeys(held.values()):
            if isinstance(id_, str) and (template, id_) in self.facts:
                self.bound = {"this": id_}
                self._conditions(conditions)
        self.bound = held

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
            value = self.valued(said.get(test.field), inner)
            if value is not None and isinstance(test.test, Bind):
                self.bound[test.test.variable] = value
        self._pattern(event)

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
                case Count(inner, variable) | Sum(_, inner, variable):
                    self._conditions(inner)
                    self.bound.setdefault(variable, None)
                case Where(Read(variable, hops, singleton), test) if hops:
                    self._where(variable, hops, singleton, test)

    def _where(self, variable: str, hops: tuple[Hop, ...], singleton: bool, test: Test) -> None:  # noqa: FBT001 - as it is read
        """The field that an expression reads, so that it passes a test."""
        key, name = self.holder(variable, hops, singleton=singleton), hops[-1].field
        fields = {} if key is None else self.ruleset.templates[key[0]].fields
        if key is not None and name in fields:
            value = self.wish(test, fields[name].type, self.facts[key].get(name))
            if value is not UNWISHED:
                self.facts[key][name] = value

    def _use(self, name: str, arguments: tuple[Expression, ...]) -> None:
        """The conditions of a definition, for what it is used with."""
        definition = self.ruleset.definitions.get(name)
        if definition is None:
            return
        held = dict(self.bound)
        for parameter, argument in zip(definition.parameters, arguments, strict=False):
            value = self.value(argument)
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
        self.fact(*key)
        if pattern.name is not None:
            self.bound[pattern.name] = key[1]
        for test in pattern.tests:
            if test.field != "id" and not test.derived and test.field in template.fields:
                now = self.facts[key].get(test.field)
                value = self.wish(test.test, template.fields[test.field].type, now)
                if value is not UNWISHED:
                    self.facts[key][test.field] = value

    def _identity(self, pattern: Pattern, template: Template) -> str:
        """The id of the fact that a pattern is to find: one that is bound, wished for, free, or new."""
        if template.kind == "frame":
            return f"{template.name}-1"
        if pattern.name is not None and self.bound.get(pattern.name) is not None:
            return str(self.bound[pattern.name])
        wanted = next((test.test for test in pattern.tests if test.field == "id"), None)
        wished = self.wish(wanted, RefType(template.name), None) if wanted is not None else None
        return str(wished) if isinstance(wished, str) else self.unbound(template)

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
                self.bound[test.test.variable] = self.any(template.fields[test.field].type)

    def _member(self, name: str, of: Expression) -> None:
        """Something for `each` to find in a list of the frame's, or of a fact's."""
        match of:
            case Read(variable, (hop,)) if variable in self.bound:
                template = self.ruleset.templates[hop.template]
                key = (template.name, str(self.bound[variable]))
                type_ = template.fields[hop.field].type if hop.field in template.fields else None
                if isinstance(type_, SetType | ListType) and key in self.facts:
                    member = self.any(type_.of)
                    self.bound[name] = member
                    self.facts[key][hop.field] = frozenset({member}) if isinstance(type_, SetType) else (member,)

    # -------------------------------------------------------------------------------------------- completing

    def _required(self, template: Template, wanted: dict[str, Value]) -> dict[str, Value]:
        given = dict(wanted)
        for one in template.fields.values():
            if one.required and given.get(one.name) is None:
                given[one.name] = self.any(one.type)
        return {name: value for name, value in given.items() if value is not None or template.fields[name].optional}

    def _complete(self) -> tuple[Fact, ...]:
        """Every fact with every field; facts that are needed by others are made on the way."""
        mode = self.ruleset.modes.get(next(iter(self.ruleset.modes), ""), {})
        if "settings" in self.ruleset.templates:
            self.fact("settings", "settings")
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
