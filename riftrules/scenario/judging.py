"""Judges a board and a trace against what was expected: every difference, with the firing that wrote it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from riftrules.errors import Place
from riftrules.facts.memory import Fact
from riftrules.facts.trace import Firing
from riftrules.facts.types import Value
from riftrules.language.model import AnyOf, Compare, Equals, Has, In, Known, Literal, Not, Test
from riftrules.language.problems import near
from riftrules.scenario.model import CountExpectation, Difference, Expectation, FactExpectation, FieldExpectation
from riftrules.scenario.session import Session
from riftrules.scenario.words import listed, named, said, said_fields, said_waiting


def holds(test: Test, value: Value) -> bool:
    """Whether a value passes a test without variables, as in a rule."""
    match test:
        case Equals(Literal(wanted)):
            return bool(value == wanted)
        case Known():
            return value is not None
        case Not(inner):
            return not holds(inner, value)
        case Compare(op, Literal(limit)):
            return value is not None and limit is not None and COMPARE[op](value, limit)
        case Has(Literal(member)):
            return value is not None and member in _members(value)
        case In(Literal(of)):
            return of is not None and value in _members(of)
        case AnyOf(tests):
            return any(holds(one, value) for one in tests)
    message = f"not a test of an expectation: {test!r}"
    raise TypeError(message)


COMPARE: dict[str, Any] = {
    "at least": lambda value, limit: value >= limit,
    "at most": lambda value, limit: value <= limit,
    "more than": lambda value, limit: value > limit,
    "less than": lambda value, limit: value < limit,
}


def _members(value: Value) -> Value:
    """The members of a set or list, the keys of a map."""
    if isinstance(value, tuple) and all(isinstance(item, tuple) for item in value):
        return tuple(item[0] for item in value)
    return value if isinstance(value, tuple | frozenset) else (value,)


def differences(expected: Expectation, session: Session) -> tuple[Difference, ...]:
    """Everything in which the session is not as expected, in the order written."""
    return tuple(_Judge(session).all(expected))


@dataclass(frozen=True, slots=True)
class _Judge:
    session: Session

    def all(self, expected: Expectation) -> Iterator[Difference]:
        for fact in expected.facts:
            yield from self._fact(fact)
        yield from self._waiting(expected)
        fired = [firing.rule for firing in self.session.trace.firings()]
        yield from _counted(expected.fired, fired, "fired")
        for rule, place in expected.not_fired:
            if rule in fired:
                first = next(firing for firing in self.session.trace.firings() if firing.rule == rule)
                yield Difference(place, "not_fired", f"`{rule}` does not fire", f"it is firing {first.number}")
        yield from _counted(expected.events, [event.template for event in self.session.trace.events()], "events")
        if expected.exactly:
            yield from self._others(expected)

    # -------------------------------------------------------------------------------------------- facts

    def _fact(self, expected: FactExpectation) -> Iterator[Difference]:
        memory = self.session.memory
        if expected.id is None:
            facts = memory.all(expected.template)
        else:
            one = memory.get(expected.template, expected.id)
            facts = () if one is None else (one,)
        passing = [fact for fact in facts if all(self._passes(fact, test) for test in expected.tests)]
        if expected.negated:
            for fact in passing[:1]:
                yield self._difference(expected.place, expected.path, _wanted(expected), _shown(fact), (fact, None))
        elif expected.id is None:
            if not passing:
                there = f"none of {len(facts)}" if facts else "none at all"
                yield self._difference(
                    expected.place, expected.path, _wanted(expected), there, note=self._nearest(expected, facts)
                )
        elif not facts:
            yield self._gone(expected, expected.id)
        else:
            yield from self._fields(expected, facts[0])

    def _fields(self, expected: FactExpectation, fact: Fact) -> Iterator[Difference]:
        for test in expected.tests:
            if not self._passes(fact, test):
                value = said(self._value(fact, test))
                yield self._difference(test.place, f"{expected.path}.{test.field}", test.text, value, (fact, test.field))

    def _gone(self, expected: FactExpectation, id_: str) -> Difference:
        memory = self.session.memory
        last = memory.last(expected.template, id_)
        note = "" if last else near(id_, [fact.id for fact in memory.all(expected.template)])
        actual = "it is gone" if last else f"there is no such {expected.template}"
        return self._difference(
            expected.place, expected.path, _wanted(expected), actual, (last, None) if last else None, note=note
        )

    def _nearest(self, expected: FactExpectation, facts: tuple[Fact, ...]) -> str:
        """The fact that fails the fewest tests, and which."""
        failing = [(fact, [test for test in expected.tests if not self._passes(fact, test)]) for fact in facts]
        if not failing:
            return ""
        fact, tests = min(failing, key=lambda pair: len(pair[1]))
        return f"nearest is {named(fact)}, with {said_fields([(test.field, self._value(fact, test)) for test in tests])}"

    def _passes(self, fact: Fact, test: FieldExpectation) -> bool:
        return holds(test.test, self._value(fact, test))

    def _value(self, fact: Fact, test: FieldExpectation) -> Value:
        if test.field == "id":
            return fact.id
        return self.session.read(fact.template, fact.id, test.field) if test.derived else fact.values[test.field]

    def _others(self, expected: Expectation) -> Iterator[Difference]:
        """With `exactly`: the standing facts that nothing expected is about."""
        for fact in self.session.memory:
            if self.session.ruleset.templates[fact.template].kind == "standing" and not self._named(fact, expected):
                yield self._difference(expected.place, str(fact), "not there (`exactly: true`)", _shown(fact), (fact, None))

    def _named(self, fact: Fact, expected: Expectation) -> bool:
        about = (one for one in expected.facts if one.template == fact.template and not one.negated)
        return any(one.id == fact.id or (one.id is None and all(self._passes(fact, test) for test in one.tests)) for one in about)

    def _difference(
        self, place: Place, path: str, wanted: str, actual: str, written: tuple[Fact, str | None] | None = None, *, note: str = ""
    ) -> Difference:
        firing = _writer(self.session, *written) if written else None
        number, rule = (firing.number, firing.rule) if firing else (0, "")
        return Difference(place, path, wanted, actual, number, rule, note)

    # -------------------------------------------------------------------------------------------- waiting

    def _waiting(self, expected: Expectation) -> Iterator[Difference]:
        waiting = self.session.waiting
        found = said_waiting(waiting)
        if expected.waiting is not None and expected.waiting != waiting.kind:
            yield Difference(expected.place, "waiting", expected.waiting, f"{waiting.kind}: {found}")
        if expected.asked is not None and expected.asked not in [said(ask.player) for ask in waiting.asks]:
            yield Difference(expected.place, "asked", expected.asked, found)
        choice = waiting.choice
        if expected.choosing is not None and (choice is None or said(choice.by) != expected.choosing):
            yield Difference(expected.place, "choosing", expected.choosing, found)
        if expected.options is not None:
            options = [said(option) for option in choice.options] if choice else []
            if sorted(options) != sorted(expected.options):
                yield Difference(expected.place, "options", listed(sorted(expected.options)), listed(sorted(options)) or found)


def _counted(expected: CountExpectation | None, found: list[str], path: str) -> Iterator[Difference]:
    if expected is None:
        return
    counts = Counter(found)
    if not expected.counts and found:
        yield Difference(
            expected.place, path, "nothing", ", ".join(_times(name, count) for name, count in sorted(counts.items()))
        )
    for name, wanted, place in expected.counts:
        if wanted is None and not counts[name]:
            yield Difference(place, path, f"`{name}`", "never")
        elif wanted is not None and wanted != counts[name]:
            yield Difference(place, path, _times(name, wanted), f"{counts[name]} times" if counts[name] != 1 else "once")


def _times(name: str, count: int) -> str:
    return f"`{name}` once" if count == 1 else f"`{name}` {count} times"


def _wanted(expected: FactExpectation) -> str:
    tests = ", ".join(f"{test.field}: {test.text}" for test in expected.tests)
    if expected.negated:
        return f"none with {{{tests}}}" if tests else "none"
    return f"one with {{{tests}}}" if tests else "it is there"


def _shown(fact: Fact) -> str:
    return f"{named(fact)} {{{said_fields(sorted(fact.values.items()))}}}"


def _writer(session: Session, fact: Fact, field: str | None) -> Firing | None:
    """The firing that last wrote a field of a fact (any field where none is named), or let it come or go."""
    found = None
    for firing in session.trace.firings():
        for change in firing.changes:
            same = (change.fact.template, change.fact.id) == (fact.template, fact.id)
            if same and (field is None or field in {name for name, _, _ in change.fields()}):
                found = firing
    return found
