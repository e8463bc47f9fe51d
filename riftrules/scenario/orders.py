"""Whether the outcome of a scenario hangs on the last tie-breaks: it is played again with each of them decided otherwise."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from riftrules.engine.fingerprints import Fingerprints
from riftrules.engine.orders import Tie, Trial, ends
from riftrules.engine.program import Program
from riftrules.errors import RunError
from riftrules.facts.memory import Fact
from riftrules.facts.trace import Refusal, StackedFrame, Waiting
from riftrules.facts.types import Call, Value
from riftrules.scenario.model import Difference, Scenario
from riftrules.scenario.words import said

SHOWN = 3


@dataclass(frozen=True, slots=True)
class Detour:
    """Another order: in the action of this number (from 1), at this tie, this alternative goes first."""

    action: int
    tie: Tie
    other: int

    @property
    def rules(self) -> tuple[str, str]:
        """The rule that goes first otherwise, and the one that goes first now."""
        return self.tie.rules[0], self.tie.rules[self.other]


class Rehearsal(Trial):
    """A session that notes the ties of each action, and takes a detour where it is given one."""

    def __init__(
        self, program: Program, facts: Sequence[Fact], stack: Sequence[StackedFrame] = (), detour: Detour | None = None
    ) -> None:
        super().__init__(program, facts, stack)
        self.detour = detour
        self.noted: list[list[Tie]] = [self.agenda.ties]

    def request(self, name: str, fields: Mapping[str, Value]) -> Waiting | Refusal:
        """As a session does it."""
        self._act()
        return super().request(name, fields)

    def begin(self, calls: Sequence[Call]) -> Waiting | Refusal:
        """As a session does it."""
        self._act()
        return super().begin(calls)

    def choose(self, option: Value | None) -> Waiting | Refusal:
        """As a session does it; a detour that has been taken is kept to."""
        if self.detour is not None and len(self.noted) != self.detour.action:
            self.agenda.go_on()
            self.noted.append(self.agenda.ties)
        else:
            self._act()
        return super().choose(option)

    def _act(self) -> None:
        detour = self.detour
        if detour is not None and len(self.noted) == detour.action:
            self.agenda.begin(detour.tie.number, detour.other)
        else:
            self.agenda.begin()
        self.noted.append(self.agenda.ties)


def order_differences(scenario: Scenario, program: Program, perform: Callable[[Rehearsal], object]) -> Iterator[Difference]:
    """One difference for each detour that ends on another board. `perform` does the items of the scenario."""
    prints = Fingerprints(program.ruleset, (), scenario.facts, symmetric=False)
    usual, expected = _performed(scenario, program, perform, prints)
    for detour in _detours(usual):
        other, found = _performed(scenario, program, perform, prints, detour)
        if found != expected:
            yield _difference(scenario, detour, usual, other)


def _performed(
    scenario: Scenario,
    program: Program,
    perform: Callable[[Rehearsal], object],
    prints: Fingerprints,
    detour: Detour | None = None,
) -> tuple[Rehearsal, frozenset[object]]:
    """The session, and what it comes to; that an order cannot go on is a difference as well."""
    session = Rehearsal(program, scenario.facts, scenario.stack, detour)
    try:
        perform(session)
    except RunError as error:
        return session, frozenset({error.message})
    mark = session.mark()
    found = ends(session, session.waiting, prints)
    session.undo(mark)
    return session, found


def _detours(session: Rehearsal) -> Iterator[Detour]:
    for action, ties in enumerate(session.noted):
        for tie in ties:
            yield from (Detour(action, tie, other) for other in range(1, len(tie.rules)))


def _difference(scenario: Scenario, detour: Detour, usual: Rehearsal, other: Rehearsal) -> Difference:
    first, second = detour.rules
    tied = f"`{first}` and `{second}`" if first != second else f"two activations of `{first}`"
    found = "; ".join(_unlike(usual, other)) or "the run goes otherwise"
    note = "say which goes first, with `salience` or `choose`, or make them independent"
    actual = f"the order of {tied} decides: {found}"
    return Difference(scenario.place, "any order", "the same board whatever goes first", actual, note=note)


def _unlike(usual: Rehearsal, other: Rehearsal) -> list[str]:
    """The first fields that differ, as they are and as they would be."""
    here = {(fact.template, fact.id): fact for fact in usual.memory}
    there = {(fact.template, fact.id): fact for fact in other.memory}
    found = []
    for key in sorted({*here, *there}):
        one, two = here.get(key), there.get(key)
        if one is None or two is None:
            found.append(f"{key[0]} {key[1]} is {'there or not' if two is None else 'not there or there'}")
            continue
        found += [
            f"{key[0]} {key[1]}.{name} is {said(value)} or {said(two.values[name])}"
            for name, value in one.values.items()
            if two.values[name] != value
        ]
    return found[:SHOWN]
