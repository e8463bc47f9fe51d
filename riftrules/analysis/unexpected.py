"""What of a scenario is not as expected, and which questions that gives cause to ask, of the run up to where it was seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from riftrules.analysis.answers import final_board
from riftrules.analysis.questions import Question, QuestionError, question
from riftrules.analysis.watching import Observation, observe
from riftrules.analysis.why_not import Target, target
from riftrules.facts.memory import Fact
from riftrules.facts.trace import Choice, Firing, Requested
from riftrules.language.model import Refuse, Ruleset
from riftrules.scenario.judging import holds
from riftrules.scenario.model import (
    Choosing,
    CountExpectation,
    Difference,
    Expectation,
    Expecting,
    FactExpectation,
    FieldExpectation,
    Refusing,
    Requesting,
    Scenario,
)
from riftrules.scenario.words import named, said
from riftrules.source import Scalar

MOST_NEAREST = 2
MOST_RULES = 3


@dataclass(frozen=True, slots=True)
class Unexpected:
    """One thing that is not as expected: in words (none where the answers say it), and what is to be asked of the scenario.

    The scenario is played no further than to where the thing was seen.
    """

    scenario: Scenario
    said: tuple[str, ...] = ()
    whys: tuple[Question, ...] = ()
    why_nots: tuple[Target, ...] = ()


def first_unexpected(scenario: Scenario, ruleset: Ruleset) -> Unexpected | None:
    """The first thing that is not as expected and of which something can be asked."""
    run = observe(scenario, ruleset).run
    found = [(moment.item, one) for moment in run.moments for one in moment.differences]
    found += [(len(scenario.items), one) for one in run.verdict.differences[len(found) :]]
    for item, difference in found:
        seen = observe(replace(scenario, items=scenario.items[:item]), ruleset)
        at = scenario.items[item - 1] if item else None
        ended = difference not in [one for moment in run.moments for one in moment.differences]
        expected = scenario.then if ended else at.expectation if isinstance(at, Expecting) else Expectation()
        asked = _Asking(seen, difference, expected, item).asked()
        if asked.whys or asked.why_nots:
            return asked
    return None


@dataclass(frozen=True, slots=True)
class _Asking:
    """One difference, the run up to it, and what was expected there."""

    seen: Observation
    difference: Difference
    expected: Expectation
    item: int

    @property
    def scenario(self) -> Scenario:
        return self.seen.run.scenario

    @property
    def rules(self) -> Ruleset:
        return self.seen.ruleset

    def asked(self) -> Unexpected:
        path = self.difference.path
        match path:
            case "fired" | "not_fired" | "events":
                return self._counted(path)
            case "options" if self.seen.run.waiting.choice is not None:
                return self._told(*self._options(self.seen.run.waiting.choice))
            case "waiting" | "asked" | "choosing" | "options" | "the end":
                return self._told(self._waiting(path))
        if path.startswith("invariant "):
            return self._told(self._question(path))
        if path.startswith("item "):
            return self._done()
        return self._fact()

    def _told(self, whys: Sequence[Question], why_nots: Sequence[Target] = ()) -> Unexpected:
        one = self.difference
        text = f"{one.path}: expected {one.expected}, found {one.actual}"
        return Unexpected(self.scenario, (text,), tuple(whys), tuple(why_nots))

    def _question(self, text: str) -> tuple[Question, ...]:
        try:
            return (question(text, self.seen),)
        except QuestionError:
            return ()

    # -------------------------------------------------------------------------------------------- firings and events

    def _counted(self, path: str) -> Unexpected:
        """A rule that fired too seldom or too often, an event likewise."""
        counts = self.expected.fired if path == "fired" else self.expected.events if path == "events" else None
        name = next((name for name, place in _names(counts, self.expected) if place == self.difference.place), "")
        if path == "events":
            happened = [event.template for event in self.seen.run.trace.events()]
            return self._told(self._question(f"event {name or happened[0]}"))
        if not name:
            return self._told(self._question("firing 1"))
        if any(firing.rule == name for firing in self.seen.run.trace.firings()):
            return self._told((Question("rule", name),))  # whatever a fact of the same name might be
        return self._told((), (target(name, self.rules),))

    # -------------------------------------------------------------------------------------------- waiting

    def _waiting(self, path: str) -> tuple[Question, ...]:
        match path:
            case "waiting":
                return (Question("waiting", self.expected.waiting or ""),)
            case "asked":
                return (Question("waiting", "asked", self.expected.asked or ""),)
            case "choosing":
                return (Question("waiting", "choosing", self.expected.choosing or ""),)
            case "options":
                return (Question("waiting", "choosing"),)
        return (Question("waiting"),)

    def _options(self, choice: Choice) -> tuple[tuple[Question, ...], tuple[Target, ...]]:
        """Why what should be among the options is not; where only too much is, why there is the choice."""
        offered = [said(option) for option in choice.options]
        missing = [one for one in self.expected.options or () if one not in offered]
        aimed = tuple(target(choice.rule, self.rules, [f"{choice.variable}={one}"]) for one in missing[:MOST_RULES])
        return ((), aimed) if aimed else ((Question("waiting"),), ())

    # -------------------------------------------------------------------------------------------- items

    def _done(self) -> Unexpected:
        """An item that did not go as written: a request refused or accepted, a choice."""
        item = self.scenario.items[self.item - 1]
        waiting = self.seen.run.waiting
        refusal = self.seen.run.moments[-1].refusal if self.seen.run.moments else None
        missing = tuple(self._missing(item)) if isinstance(item, Requesting) and item.refused is not None else ()
        if refusal is not None:
            whys = self._question(f"item {self.item}")
            otherwise = isinstance(item, Requesting) and item.refused is not None
            return self._told(whys, missing) if otherwise else Unexpected(self.scenario, (), whys)
        if missing:
            return self._told((), missing)
        accepted = self._accepted() if isinstance(item, Requesting) and item.refused is not None else ()
        if accepted:
            return self._told(accepted)
        if isinstance(item, Choosing) and waiting.choice is not None and isinstance(item.option, Scalar):
            rule, fixed = waiting.choice.rule, f"{waiting.choice.variable}={item.option.text}"
            if item.option.text != "none":
                return self._told((), (target(rule, self.rules, [fixed]),))
        kind = "choosing" if isinstance(item, Choosing) else "asked" if isinstance(item, Requesting) and item.everyone else ""
        return self._told((Question("waiting", "" if waiting.choice is not None else kind),))

    def _accepted(self) -> tuple[Question, ...]:
        """The first firing in the frame of the last request: it has accepted it."""
        entries = self.seen.run.trace.entries
        frame = next((one.frame for one in reversed(entries) if isinstance(one, Requested)), "")
        number = next((one.number for one in entries if isinstance(one, Firing) and one.frame == frame), 0)
        return self._question(f"firing {number}")

    def _missing(self, item: Requesting) -> Iterator[Target]:
        """The rules that should have refused a request and have not."""
        refusal = self.seen.run.moments[-1].refusal
        refused = [one.rule for one in refusal.rules] if refusal is not None else []
        assert item.refused is not None  # noqa: S101 - asked only of a request that was to be refused
        for name in _refusing(item.refused, item.procedure, self.rules)[:MOST_RULES]:
            if name not in refused:
                yield target(name, self.rules)

    # -------------------------------------------------------------------------------------------- facts

    def _fact(self) -> Unexpected:
        """A field, a fact that is not there or should not be, or none that is as expected."""
        path = self.difference.path
        one = next((one for one in self.expected.facts if one.path == path and one.place == self.difference.place), None)
        if one is None or (one.id is not None and not one.negated):
            return Unexpected(self.scenario, (), self._question(path.removeprefix("no ")))
        facts = [fact for fact in self.seen.run.after if fact.template == one.template and one.id in {None, fact.id}]
        if not facts:
            return Unexpected(self.scenario, (), self._question(path.removeprefix("no ")))
        return self._there(one, facts) if one.negated else self._nearest(one, facts)

    def _there(self, one: FactExpectation, facts: Sequence[Fact]) -> Unexpected:
        """A fact that should not be there: why it is there, or why it is as it should not be."""
        fact = next(fact for fact in facts if not self._failing(one, fact))
        fields = [test.field for test in one.tests if test.field != "id"]
        asked = [two for name in fields or [""] for two in self._question(f"{_subject(fact)}{name and '.'}{name}")]
        return self._told(asked)

    def _nearest(self, one: FactExpectation, facts: Sequence[Fact]) -> Unexpected:
        """Of a pattern that no fact meets: why the fields of the nearest are as they are."""
        failing = [(fact, self._failing(one, fact)) for fact in facts]
        least = min(len(tests) for _, tests in failing)
        nearest = [(fact, tests) for fact, tests in failing if len(tests) == least][:MOST_NEAREST]
        told = "; ".join(
            f"{named(fact)}, whose {' and '.join(f'{test.field} is {said(self._value(fact, test))}' for test in tests)}"
            for fact, tests in nearest
        )
        asked = [
            two
            for fact, tests in nearest
            for test in tests
            if test.field != "id"
            for two in self._question(f"{_subject(fact)}.{test.field}")
        ]
        heading = self._told(asked)
        return replace(heading, said=(*heading.said, f"nearest is {told}"))

    def _failing(self, one: FactExpectation, fact: Fact) -> list[FieldExpectation]:
        return [test for test in one.tests if not holds(test.test, self._value(fact, test))]

    def _value(self, fact: Fact, test: FieldExpectation) -> object:
        board = final_board(self.seen.run)
        return fact.id if test.field == "id" else board.read(fact.template, fact.id, test.field, derived=test.derived)


def _names(counts: CountExpectation | None, expected: Expectation) -> Iterator[tuple[str, object]]:
    """The names that are counted, else those that must not fire, with their places."""
    if counts is None:
        yield from expected.not_fired
        return
    yield from ((name, place) for name, _, place in counts.counts)


def _subject(fact: Fact) -> str:
    return fact.template if fact.id == fact.template else f"{fact.template} {fact.id}"


def _refusing(expected: Refusing, procedure: str, ruleset: Ruleset) -> list[str]:
    """The rules that are expected to refuse: those named, those that cite the number, else all that may."""
    if expected.rule is not None:
        return [expected.rule]
    if expected.rules is not None:
        return list(expected.rules)
    if expected.reason is not None and expected.cites is None:
        return []
    may = [rule for rule in ruleset.rules if any(isinstance(one, Refuse) and one.procedure == procedure for one in rule.then)]
    return [rule.id for rule in may if expected.cites is None or expected.cites in rule.cites]
