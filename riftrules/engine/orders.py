"""A session in which the last tie-breaks can be decided otherwise, and that tells where they decide."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from riftrules.engine.agenda import Agenda
from riftrules.engine.fingerprints import Fingerprints
from riftrules.engine.productions import Activation, Identity, Production
from riftrules.engine.program import Program
from riftrules.engine.routines import StepPlan
from riftrules.engine.session import Session
from riftrules.engine.stack import Standing, Visit
from riftrules.errors import RunError
from riftrules.facts.memory import Fact
from riftrules.facts.trace import Refusal, Refused, StackedFrame, Waiting
from riftrules.facts.types import Call, Value

REFUSED = "refused"
MOST_ENDS = 64
"""How many ways through the choices that follow are compared, for each of two orders."""

LIMIT = 2_000
"""Firings in one run of a small board: far more than any needs, and soon reached."""


class Step(NamedTuple):
    """One thing done to a session: kind `request`, `begin` (an effect) or `choose` (then `option` is the answer)."""

    kind: str
    name: str = ""
    fields: tuple[tuple[str, Value], ...] = ()
    option: Value = None


@dataclass(frozen=True, slots=True)
class Tie:
    """A place in a run where several activations were eligible together and only the last tie-breaks ordered them.

    `number` counts the decisions of the run from 0; `rules` are those of the alternatives, what fired first.
    """

    number: int
    rules: tuple[str, ...]


class OrderedAgenda(Agenda):
    """An agenda that notes ties, and at the decision `number` lets the alternative `other` go first."""

    decisions = 0
    number = -1
    other = 0
    _sticky: tuple[int, Identity] | None = None
    ties: list[Tie]

    def begin(self, number: int = -1, other: int = 0) -> None:
        """A run begins. An alternative once taken is kept to until it has fired, whoever is asked meanwhile."""
        self.decisions, self.number, self.other, self._sticky, self.ties = 0, number, other, None, []

    def go_on(self) -> None:
        """The run goes on after a choice: ties are noted anew, an alternative that was taken is kept to."""
        self.decisions, self.number, self.ties = 0, -1, []

    def highest(self, step: StepPlan, visit: Visit) -> Activation | None:
        """What is to fire; the alternative in its place where one is wanted."""
        alternatives: list[Activation] = []
        for production in self.candidates(step):
            if alternatives and production.rule.salience != alternatives[0].production.rule.salience:
                break
            alternatives.extend(self.of(production, visit))
        return self._arranged(alternatives)[0] if alternatives else None

    def eligible(self, step: StepPlan, visit: Visit) -> list[Activation]:
        """All that fires together; in what order is a tie-break as well."""
        return self._arranged(super().eligible(step, visit))

    def hears(self, productions: Sequence[Production], visit: Visit) -> Iterator[Activation]:
        """What may fire for the event."""
        return iter(self._arranged(list(super().hears(productions, visit))))

    def _arranged(self, found: list[Activation]) -> list[Activation]:
        """The same, with another in front where that is wanted."""
        if len(found) < 2:
            return found
        tied = _tied(found)
        if len(tied) < 2:
            return found
        if self._sticky is not None:
            return _fronted(found, next((one for one in tied if _key(one) == self._sticky), found[0]))
        number, self.decisions = self.decisions, self.decisions + 1
        self.ties.append(Tie(number, tuple(one.production.rule.id for one in tied)))
        if number != self.number or self.other >= len(tied):
            return found
        self._sticky = _key(tied[self.other])
        return _fronted(found, tied[self.other])


def _key(activation: Activation) -> tuple[int, Identity]:
    return activation.production.rule.number, activation.identity


def _fronted(found: list[Activation], first: Activation) -> list[Activation]:
    return [first, *(one for one in found if one is not first)]


def _tied(found: Sequence[Activation]) -> list[Activation]:
    """Those of the highest salience; of what is one choice to somebody, the highest alone."""
    salience = found[0].production.rule.salience
    tied: list[Activation] = []
    groups: set[object] = set()
    for one in found:
        rule = one.production.rule
        if rule.salience != salience:
            break
        if rule.choose is not None:
            if one.group in groups:
                continue
            groups.add(one.group)
        tied.append(one)
    return tied


class Trial(Session):
    """A session on the matcher without a network, in which steps are done, also in another order than the standing one."""

    def __init__(self, program: Program, facts: Sequence[Fact], stack: Sequence[StackedFrame], limit: int = LIMIT) -> None:
        super().__init__(program, facts, stack, limit=limit, matcher="demand")
        cycle = self._cycle
        self.agenda = OrderedAgenda(program, cycle.board)
        self.agenda.begin()
        self.agenda.due = cycle.standing.due
        cycle.agenda = self.agenda

    @property
    def standing(self) -> Standing:
        """Where the session stands."""
        return self._cycle.standing

    def do(self, step: Step, *, tie: int = -1, other: int = 0) -> Waiting | Refusal:
        """Do a step. With `tie`, the alternative `other` of that tie goes first. Raises RunError."""
        self.agenda.begin(tie, other)
        if step.kind == "choose":
            return self.choose(step.option)
        if step.kind == "begin":
            return self.begin((Call(step.name, step.fields),))
        return self.request(step.name, dict(step.fields))

    def refused(self, step: Step) -> int:
        """By how many rules a request is refused now; nothing is done."""
        mark = self.mark()
        refusal = self._begin_request(step.name, dict(step.fields), mark)
        self.undo(mark)
        return len(refusal.rules) + bool(refusal.reason) if refusal is not None else 0

    def matching(self, productions: Sequence[Production]) -> Iterator[tuple[int, Refused]]:
        """Which of these conditions hold now, by their places, with the first bindings under which they do."""
        board = self._unframed()
        for place, production in enumerate(productions):
            matches = production.matches(board)
            if matches:
                yield place, production.refused(matches[0])


def ends(trial: Trial, waiting: Waiting, prints: Fingerprints) -> frozenset[object]:
    """What a run comes to, whatever is chosen in the choices that follow: fingerprints and why it stopped."""
    found: set[object] = set()
    _end(trial, waiting, prints, found)
    return frozenset(found)


def ends_of_orders(trial: Trial, prints: Fingerprints, step: Step) -> Iterator[tuple[str, ...]]:
    """The rules, in order of their names, whose order decides what a step comes to. Raises RunError of the usual order."""
    mark = trial.mark()
    if isinstance(trial.do(step), Refusal):
        return
    ties, usual = tuple(trial.agenda.ties), ends(trial, trial.waiting, prints)
    for tie in ties:
        for other in range(1, len(tie.rules)):
            trial.undo(mark)
            try:
                answer = trial.do(step, tie=tie.number, other=other)
                found = frozenset({REFUSED}) if isinstance(answer, Refusal) else ends(trial, answer, prints)
            except RunError as error:
                found = frozenset({error.message})
            if found != usual:
                yield tuple(sorted({tie.rules[0], tie.rules[other]}))


def _end(trial: Trial, waiting: Waiting, prints: Fingerprints, found: set[object]) -> None:
    choice = waiting.choice
    if choice is None or len(found) >= MOST_ENDS:
        found.add((prints.of_facts(trial.memory, trial.standing), waiting.kind))
        return
    mark = trial.mark()
    for option in (*choice.options, *((None,) if choice.optional else ())):
        try:
            answer = trial.choose(option)
        except RunError as error:
            found.add(error.message)
        else:
            if isinstance(answer, Refusal):
                found.add(REFUSED)
                return  # the session is back before the request: nothing else can be chosen in it
            _end(trial, answer, prints, found)
        trial.undo(mark)
