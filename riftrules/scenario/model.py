"""Scenarios and verdicts as values: what a fixture says once read, and what has come of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from riftrules.errors import Place, Problem
from riftrules.facts.memory import Fact
from riftrules.facts.trace import Refusal, StackedFrame, Trace, Waiting
from riftrules.facts.types import Call, Value
from riftrules.language.model import Ruleset, Test
from riftrules.source import Node

# ------------------------------------------------------------------------------------------------ expectations


@dataclass(frozen=True, slots=True)
class FieldExpectation:
    """A test of one field; `text` is the test as written."""

    field: str
    test: Test
    text: str
    place: Place
    derived: bool = False


@dataclass(frozen=True, slots=True)
class FactExpectation:
    """That there is a fact of `template` (with this `id`, else any) that passes the tests; with `negated`, that there is none."""

    template: str
    id: str | None
    tests: tuple[FieldExpectation, ...]
    place: Place
    negated: bool = False

    @property
    def path(self) -> str:
        """The subject as written: `no unit Scout`."""
        named = self.template if self.id is None or self.id == self.template else f"{self.template} {self.id}"
        return f"no {named}" if self.negated else named


@dataclass(frozen=True, slots=True)
class CountExpectation:
    """How often each name has fired (or been emitted): None is at least once. Without names: nothing has at all."""

    counts: tuple[tuple[str, int | None, Place], ...]
    place: Place


@dataclass(frozen=True, slots=True)
class Expectation:
    """Everything expected at one point of a scenario."""

    facts: tuple[FactExpectation, ...] = ()
    waiting: str | None = None
    asked: str | None = None
    choosing: str | None = None
    options: tuple[str, ...] | None = None
    fired: CountExpectation | None = None
    not_fired: tuple[tuple[str, Place], ...] = ()
    events: CountExpectation | None = None
    exactly: bool = False
    place: Place = field(default_factory=lambda: Place(""))

    @property
    def empty(self) -> bool:
        """Whether nothing is expected at all."""
        named = (self.waiting, self.asked, self.choosing, self.options, self.fired, self.events)
        return not (self.facts or self.not_fired or self.exactly) and all(one is None for one in named)


# ------------------------------------------------------------------------------------------------ what is done


@dataclass(frozen=True, slots=True)
class Refusing:
    """How a request is to be refused: by this rule, by exactly these, by one that cites this number, in such words."""

    rule: str | None = None
    rules: tuple[str, ...] | None = None
    cites: str | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Requesting:
    """A player's request; with `everyone` again and again until the step that asks for it is left."""

    procedure: str
    fields: tuple[tuple[str, Value], ...]
    place: Place
    refused: Refusing | None = None
    everyone: bool = False


@dataclass(frozen=True, slots=True)
class Beginning:
    """Procedures begun from outside, as one instruction."""

    calls: tuple[Call, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class Choosing:
    """An answer to a choice, as written."""

    option: Node
    place: Place


@dataclass(frozen=True, slots=True)
class Expecting:
    """A look at the board between two actions."""

    expectation: Expectation
    place: Place


Item: TypeAlias = Requesting | Beginning | Choosing | Expecting


@dataclass(frozen=True, slots=True)
class Scenario:
    """One scenario, read and checked against its ruleset.

    `facts` are complete; `stack` is bottom first; `callouts` are (template, id, what is said of it on the given board).
    With `any_order` the board at the end may not hang on the last tie-breaks.
    """

    name: str
    place: Place
    facts: tuple[Fact, ...]
    stack: tuple[StackedFrame, ...] = ()
    items: tuple[Item, ...] = ()
    then: Expectation = Expectation()
    id: str = ""
    cites: tuple[str, ...] = ()
    mode: str = ""
    says: str = ""
    note: str = ""
    skip: str = ""
    lenient: bool = False
    any_order: bool = False
    callouts: tuple[tuple[str, str, str], ...] = ()


# ------------------------------------------------------------------------------------------------ what has come of it


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that is not as expected, and the firing that last wrote it (0: it was given, or nobody's)."""

    place: Place
    path: str
    expected: str
    actual: str
    firing: int = 0
    rule: str = ""
    note: str = ""

    def __str__(self) -> str:
        written = f" (written by firing {self.firing}, `{self.rule}`)" if self.firing else ""
        said = f"{self.place}: {self.path}: expected {self.expected}, found {self.actual}{written}"
        return f"{said}\n    hint: {self.note}" if self.note else said


@dataclass(frozen=True, slots=True)
class Verdict:
    """What has come of a scenario.

    status: `passed`, `failed` (see `differences`), `skipped` (see `reason`), `error` (the run could not finish:
    `reason`, and the last firings) or `invalid` (the fixture is wrong: `problems`). Two runs that end alike give
    verdicts that are equal, whatever time they took, wherever the trace was `saved` and however the `board` is drawn.
    """

    name: str
    place: Place
    status: str
    id: str = ""
    cites: tuple[str, ...] = ()
    differences: tuple[Difference, ...] = ()
    problems: tuple[Problem, ...] = ()
    reason: str = ""
    details: tuple[str, ...] = ()
    firings: int = 0
    fired: tuple[str, ...] = ()
    saved: str = field(default="", compare=False)
    board: tuple[str, ...] = field(default=(), compare=False)
    seconds: float = field(default=0.0, compare=False)


@dataclass(frozen=True, slots=True)
class Moment:
    """Where a run stood when an item of the scenario was done.

    `item` counts from 1; `entries` of the trace and `writes` of working memory had been made by then. `refusal` says how
    the item's request was refused, `differences` what did not go as written in it.
    """

    item: int
    entries: int
    writes: int
    waiting: Waiting
    refusal: Refusal | None = None
    differences: tuple[Difference, ...] = ()


@dataclass(frozen=True, slots=True)
class Run:
    """A scenario played: the board before and after, all that happened, why it stopped, and the verdict."""

    scenario: Scenario
    ruleset: Ruleset
    before: tuple[Fact, ...]
    after: tuple[Fact, ...]
    trace: Trace
    waiting: Waiting
    verdict: Verdict
    moments: tuple[Moment, ...] = ()
