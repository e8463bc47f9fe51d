"""What a scenario can come to at all: told before it is played, by what it holds and by what rules begin, emit and write.

A text is never computed: one that a rule asks a field for is on the board, in what is done, or written by another rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from riftrules.errors import Place
from riftrules.facts.types import Call, TextType, Value
from riftrules.language.model import Assert, Begin, Emit, Equals, FieldTest, Literal, Pattern, Refuse, Rule, Ruleset, Some
from riftrules.language.rebuilding import parts_of
from riftrules.scenario.model import Beginning, Requesting, Scenario


@dataclass(frozen=True, slots=True)
class _Does:
    """What a rule needs and what may come of it: texts and kinds of fact there must be; procedures, events and both it makes."""

    needs: frozenset[str]
    kinds: frozenset[str]
    asserts: frozenset[str]
    begins: frozenset[str]
    emits: frozenset[str]
    writes: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Reached:
    procedures: set[str] = field(default_factory=set)
    events: set[str] = field(default_factory=set)
    texts: set[str] = field(default_factory=set)
    kinds: set[str] = field(default_factory=set)


class Reach:
    """Tells which scenarios can come to where one of some rules might hold, under a ruleset. What it denies is sure."""

    def __init__(self, ruleset: Ruleset, watched: Iterable[Rule]) -> None:
        self.ruleset = ruleset
        self._watched = tuple((rule, needed_texts(rule, ruleset), needed_kinds(rule, ruleset)) for rule in watched)
        self._does = {rule.id: _does(rule, ruleset) for rule in ruleset.rules}
        self._steps = _by_step(ruleset)
        self._hears = _by_event(ruleset)
        self._asked_for = frozenset[str]().union(
            *(one.needs for one in self._does.values()), *(needs for _, needs, _ in self._watched)
        )
        self._always = frozenset(_standing_texts(ruleset))
        self._known: dict[tuple[frozenset[str], frozenset[str], frozenset[str]], _Reached] = {}

    def concerns(self, scenario: Scenario) -> bool:
        """Whether one of the rules might hold where it is looked at."""
        return next(self.met(scenario), None) is not None

    def met(self, scenario: Scenario) -> Iterator[Rule]:
        """The rules that might hold where they are looked at."""
        requests = {item.procedure for item in scenario.items if isinstance(item, Requesting)}
        texts = frozenset(_texts(_held(scenario))) | self._always
        kinds = frozenset(fact.template for fact in scenario.facts)
        key = frozenset(_started(scenario)), texts & self._asked_for, kinds
        if key not in self._known:
            self._known[key] = self._closure(*key)
        reached = self._known[key]
        for rule, needs, facts in self._watched:
            if needs <= reached.texts and facts <= reached.kinds and self._looked_at(rule, reached, requests):
                yield rule

    def _looked_at(self, rule: Rule, reached: _Reached, requests: set[str]) -> bool:
        if rule.kind == "legality":
            return any(one.procedure in requests for one in rule.then if isinstance(one, Refuse))
        if rule.event is not None:
            return rule.event.template in reached.events
        return any(rule.step in self.ruleset.procedures[name].steps for name in reached.procedures)

    def _closure(self, begun: frozenset[str], texts: frozenset[str], kinds: frozenset[str]) -> _Reached:
        """Everything that may run, happen or be written, until there is no more."""
        reached = _Reached(set(), set(), set(texts), set(kinds))
        size = -1
        waiting = set(begun)
        while size != (size := sum(map(len, (reached.procedures, reached.events, reached.texts, reached.kinds)))):
            self._run(waiting, reached)
            waiting = set()
            for does in self._acting(reached):
                reached.events.update(does.emits)
                reached.texts.update(does.writes)
                reached.kinds.update(does.asserts)
                waiting |= does.begins
            self._run(waiting, reached)
        return reached

    def _run(self, begun: Iterable[str], reached: _Reached) -> None:
        """Procedures run, with those that are steps of them or follow."""
        waiting = list(begun)
        while waiting:
            name = waiting.pop()
            if name not in reached.procedures and name in self.ruleset.procedures:
                reached.procedures.add(name)
                waiting += (*self.ruleset.procedures[name].steps, self.ruleset.procedures[name].then)

    def _acting(self, reached: _Reached) -> Iterator[_Does]:
        """The rules that may fire."""
        steps = {step for name in reached.procedures for step in self.ruleset.procedures[name].steps}
        named = [rule for step in steps for rule in self._steps.get(step, ())]
        heard = [rule for event in reached.events for rule in self._hears.get(event, ())]
        return (self._does[rule] for rule in (*named, *heard) if self._may_hold(self._does[rule], reached))

    def _may_hold(self, does: _Does, reached: _Reached) -> bool:
        return does.needs <= reached.texts and does.kinds <= reached.kinds


def _by_step(ruleset: Ruleset) -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = {}
    for rule in ruleset.rules:
        found.setdefault(rule.step, []).append(rule.id)
    return found


def _by_event(ruleset: Ruleset) -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = {}
    for rule in ruleset.rules:
        if rule.event is not None:
            found.setdefault(rule.event.template, []).append(rule.id)
    return found


def _does(rule: Rule, ruleset: Ruleset) -> _Does:
    parts = tuple(parts_of(rule.then))
    written = tuple(_written((rule.event, rule.when, rule.then, rule.choose)))
    begins = {one.procedure for one in parts if isinstance(one, Begin)} | set(_called(written))
    emits = {one.event for one in parts if isinstance(one, Emit)}
    asserts = {one.template for one in parts if isinstance(one, Assert)}
    return _Does(
        needed_texts(rule, ruleset),
        needed_kinds(rule, ruleset),
        frozenset(asserts),
        frozenset(begins),
        frozenset(emits),
        frozenset(_texts(written)),
    )


def _written(node: Any) -> Iterator[Value]:
    """The literals of a part of the rules but for those that a field is asked to equal: no such test gives a value."""
    match node:
        case None | FieldTest(_, Equals(Literal())) | Place():
            return
        case Literal(value):
            yield value
        case tuple():
            for one in node:
                yield from _written(one)
    for name in getattr(node, "__dataclass_fields__", ()):
        yield from _written(getattr(node, name))


def needed_kinds(rule: Rule, ruleset: Ruleset) -> frozenset[str]:
    """Templates of which there must be a fact for the rule to hold, frames and events left out."""
    named = {one.template for one in rule.when if isinstance(one, Pattern)} | {*rule.singletons}
    return frozenset(name for name in named if ruleset.templates[name].kind in {"standing", "singleton"})


# ------------------------------------------------------------------------------------------------ texts


def needed_texts(rule: Rule, ruleset: Ruleset) -> frozenset[str]:
    """Texts that a field of some fact must be for the rule to hold."""
    return frozenset(_needed(rule.when, ruleset))


def _needed(conditions: Iterable[Any], ruleset: Ruleset) -> Iterator[str]:
    for one in conditions:
        match one:
            case Pattern(template, _, tests):
                fields = ruleset.templates[template].fields
                for test in tests:
                    match test.test:
                        case Equals(Literal(str(text))) if _is_text(fields, test) and not _may_be_made(text):
                            yield text
            case Some(inner):
                yield from _needed(inner, ruleset)


def _may_be_made(text: str) -> bool:
    """Whether a text could be the id of something that is made in play: a name with a number, or values in words."""
    return text[-1:].isdigit() or "," in text or text in {"none", "true", "false"}


def _is_text(fields: Mapping[str, Any], test: FieldTest) -> bool:
    return test.field in fields and isinstance(fields[test.field].type, TextType)


def _standing_texts(ruleset: Ruleset) -> Iterator[str]:
    """Texts that are there whatever the board: defaults, settings, what definitions and derived fields name."""
    defaults = tuple(one.default for template in ruleset.templates.values() for one in template.fields.values())
    derived = tuple(case for template in ruleset.templates.values() for one in template.derived.values() for case in one.cases)
    bodies = tuple(one.when for one in ruleset.definitions.values())
    yield from _texts(_written((defaults, derived, bodies)))
    yield from _texts(value for mode in ruleset.modes.values() for value in mode.values())


def _held(scenario: Scenario) -> Iterator[Any]:
    """Every value of a scenario."""
    for fact in (*scenario.facts, *(one.frame for one in scenario.stack)):
        yield fact.id
        yield from fact.values.values()
    for item in scenario.items:
        match item:
            case Requesting():
                yield from (value for _, value in item.fields)
            case Beginning():
                yield from item.calls


def _texts(values: Iterable[Any]) -> Iterator[str]:
    for value in values:
        match value:
            case str():
                yield value
            case Call(_, fields):
                yield from _texts([one for _, one in fields])
            case tuple() | list() | frozenset():
                yield from _texts(value)


# ------------------------------------------------------------------------------------------------ what begins


def _started(scenario: Scenario) -> Iterator[str]:
    """The procedures that a scenario begins or stands in, and those that what it holds may begin."""
    yield from (item.procedure for item in scenario.items if isinstance(item, Requesting))
    yield from (one.frame.template for one in scenario.stack)
    yield from _called(_held(scenario))


def _called(values: Iterable[Any]) -> Iterator[str]:
    for value in values:
        match value:
            case Call(procedure, fields):
                yield procedure
                yield from _called([one for _, one in fields])
            case tuple() | list() | frozenset():
                yield from _called(value)
