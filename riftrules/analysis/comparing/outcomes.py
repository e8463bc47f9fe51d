"""Compares what comes of one scenario under two rulesets: where the runs first part, and what is different at the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from riftrules.errors import Place
from riftrules.facts.memory import Fact
from riftrules.facts.trace import Began, Change, Chosen, Entry, Firing, Refusal, Requested, Waiting
from riftrules.scenario.model import Run
from riftrules.scenario.words import named, said, said_fields, said_firing, said_refusal, said_waiting

SETTINGS = "settings"
NOTHING = "nothing more happens"


@dataclass(frozen=True, slots=True)
class FactDifference:
    """A fact that is otherwise at the end, with the fields that differ."""

    fact: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Divergence:
    """A scenario with two outcomes: `at` says where they first part, `old` and `new` what happens there on either side."""

    scenario: str
    id: str
    place: Place
    cites: tuple[str, ...]
    at: str
    old: str
    new: str
    facts: tuple[FactDifference, ...] = ()
    old_status: str = ""
    new_status: str = ""

    @property
    def verdict(self) -> str:
        """How the verdict changes; empty where it does not."""
        return f"{self.old_status} → {self.new_status}" if self.old_status != self.new_status else ""


@dataclass(frozen=True, slots=True)
class Comparing:
    """Compares runs under the names that rules have in the newer ruleset."""

    renamed: Mapping[str, str]

    def divergence(self, old: Run, new: Run) -> Divergence | None:
        """Where the runs of a scenario part; None where they are the same."""
        first = next(self._partings(old, new), None)
        if first is None:
            return None
        scenario = new.scenario
        facts = tuple(_fact_differences(old.after, new.after))
        statuses = (old.verdict.status, new.verdict.status)
        return Divergence(scenario.name, scenario.id, new.verdict.place, scenario.cites, *first, facts, *statuses)

    def same(self, one: Run, other: Run) -> bool:
        """Whether two runs come to the same."""
        return next(self._partings(one, other), None) is None

    def _partings(self, old: Run, new: Run) -> Iterator[tuple[str, str, str]]:
        given = next(_fact_differences(old.before, new.before), None)
        if given is not None:
            yield "the given board", f"{given.fact}: {given.old}", f"{given.fact}: {given.new}"
        steps = list(_steps(old)), list(_steps(new))
        for place in range(max(len(steps[0]), len(steps[1]))):
            one, other = (side[place] if place < len(side) else None for side in steps)
            if one is None or other is None or self._essence(one) != self._essence(other):
                yield _where(one, other), _said(one), _said(other)
                return
        yield from _ends(old, new)

    def _essence(self, step: Any) -> Any:
        return _essence(step, self.renamed)


def _ends(old: Run, new: Run) -> Iterator[tuple[str, str, str]]:
    if old.verdict.reason != new.verdict.reason:
        yield "the end", old.verdict.reason or "it finishes", new.verdict.reason or "it finishes"
    if _waiting(old.waiting) != _waiting(new.waiting):
        yield "the end", said_waiting(old.waiting), said_waiting(new.waiting)
    for one in _fact_differences(old.after, new.after):
        yield "the end", f"{one.fact}: {one.old}", f"{one.fact}: {one.new}"
    if old.verdict.status != new.verdict.status:
        yield "the verdict", _first_difference(old), _first_difference(new)


def _first_difference(run: Run) -> str:
    found = run.verdict.differences
    return f"{found[0].path}: expected {found[0].expected}, found {found[0].actual}" if found else run.verdict.status


def _waiting(waiting: Waiting) -> Any:
    asks = tuple((ask.player, ask.requests) for ask in waiting.asks)
    choice = waiting.choice
    return waiting.kind, asks, choice and (choice.by, choice.options, choice.optional), waiting.step


# ------------------------------------------------------------------------------------------------ what happened


@dataclass(frozen=True, slots=True)
class Refused:
    """An item of the scenario was refused."""

    item: int
    refusal: Refusal


def _steps(run: Run) -> Iterator[Entry | Refused]:
    """Entries of the trace and refusals, in order."""
    done = 0
    for moment in run.moments:
        yield from run.trace.entries[done : moment.entries]
        done = max(done, moment.entries)
        if moment.refusal is not None:
            yield Refused(moment.item, moment.refusal)
    yield from run.trace.entries[done:]


def _essence(step: Entry | Refused, renamed: Mapping[str, str]) -> Any:
    """What of a step must be the same: not how rules are cited, nor what their variables are called."""
    match step:
        case Firing():
            made = tuple((event.template, event.id, tuple(sorted(event.values.items()))) for event in step.emitted)
            where = (step.frame, step.step, step.pass_number, step.event)
            changes = tuple(_change(change) for change in step.changes)
            begins = (step.begun, step.due, step.left, step.ends_game)
            return renamed.get(step.rule, step.rule), where, changes, made, begins
        case Refused(item, refusal):
            return (
                item,
                refusal.procedure,
                tuple(sorted(renamed.get(one.rule, one.rule) for one in refusal.rules)),
                refusal.reason,
            )
        case Chosen(rule, by, option):
            return renamed.get(rule, rule), by, option
    return step


def _change(change: Change) -> Any:
    return change.fact.template, change.fact.id, change.before is None, change.after is None, change.fields()


def _where(one: Entry | Refused | None, other: Entry | Refused | None) -> str:
    for step in (one, other):
        match step:
            case Firing():
                return f"firing {step.number}"
            case Refused(item):
                return f"item {item}"
    step = one if one is not None else other
    return {Requested: "a request", Began: "an instruction", Chosen: "a choice"}.get(type(step), "the end")


def _said(step: Entry | Refused | None) -> str:
    match step:
        case None:
            return NOTHING
        case Firing():
            return said_firing(step).partition(". ")[2]
        case Refused(_, refusal):
            return f"{refusal.procedure} is {said_refusal(refusal)}"
        case Requested(_, procedure, fields):
            return f"{procedure} {{{said_fields(fields)}}} begins"
        case Began(_, calls):
            return "; ".join(f"{name} {{{said_fields(fields)}}}" for name, fields in calls)
        case Chosen(rule, by, option):
            return f"{said(by)} chooses {said(option)} for {rule}"


# ------------------------------------------------------------------------------------------------ facts


def _fact_differences(old: Sequence[Fact], new: Sequence[Fact]) -> Iterator[FactDifference]:
    """Facts that differ in fields both sides have. Settings are the rules' own: an edit tells of them."""
    olds, news = ({(fact.template, fact.id): fact for fact in side if fact.template != SETTINGS} for side in (old, new))
    for key in (*olds, *(key for key in news if key not in olds)):
        one, other = olds.get(key), news.get(key)
        if one is None or other is None:
            fact = olds[key] if other is None else news[key]
            yield FactDifference(named(fact), *("it is not there" if side is None else _given(side) for side in (one, other)))
            continue
        fields = [name for name in one.values if name in other.values and one.values[name] != other.values[name]]
        if fields:
            yield FactDifference(
                named(one), *(said_fields([(name, side.values[name]) for name in fields]) for side in (one, other))
            )


def _given(fact: Fact) -> str:
    return said_fields([pair for pair in fact.values.items() if pair[1] is not None]) or "it is there"
