"""Proves a mutant the same up to a bound: at every state of a scope that the ruleset declares, whatever is done there.

The scope is gone through once under the rules as they are, and what is done and seen is written down. A mutant for
which every move of that script comes to what is written comes to the same states, and so to no others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from riftrules.analysis.comparing.changes import chosen
from riftrules.analysis.proof.boards import starting_boards
from riftrules.analysis.proof.steps import steps
from riftrules.engine.fingerprints import Fingerprints
from riftrules.engine.orders import Step, Trial
from riftrules.engine.program import Program
from riftrules.errors import NOWHERE, RunError
from riftrules.facts.trace import Firing, Refusal, Waiting
from riftrules.facts.types import Call
from riftrules.language.model import ProofScope, Ruleset
from riftrules.scenario.board import Board
from riftrules.scenario.model import Beginning, Item, Requesting, Scenario

MOST_STATES = 1_000
"""A scope with more states than this is not gone through: it would take too long for each mutant."""

Seen: TypeAlias = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Open:
    """The script goes on from a starting board."""

    board: int


@dataclass(frozen=True, slots=True)
class Do:
    """Something is done, and this is seen."""

    step: Step
    seen: Seen


@dataclass(frozen=True, slots=True)
class Back:
    """What was done last is undone."""


Line: TypeAlias = Open | Do | Back


@dataclass(frozen=True, slots=True)
class Apart:
    """Where a mutant parts from the rules: a starting board, and what is done on it."""

    board: Board
    steps: tuple[Step, ...]

    def scenario(self, scope: ProofScope) -> Scenario:
        """The same as a scenario."""
        items = tuple(_item(step) for step in self.steps)
        said = f"scope {scope.name}"
        return Scenario(said, scope.place, self.board.facts, self.board.stack, items, mode=scope.modes[0])


def _item(step: Step) -> Item:
    match step.kind:
        case "choose":
            return chosen(step.option)
        case "begin":
            return Beginning((Call(step.name, step.fields),), NOWHERE)
    return Requesting(step.name, tuple(sorted(step.fields)), NOWHERE)


@dataclass(slots=True)
class Bound:
    """A scope gone through under the rules: the script, the states, the rules that act in it, of what there are facts."""

    ruleset: Ruleset
    scope: ProofScope
    boards: tuple[Board, ...] = ()
    lines: list[Line] = field(default_factory=list)
    states: set[int] = field(default_factory=set)
    acting: set[str] = field(default_factory=set)
    templates: set[str] = field(default_factory=set)

    @property
    def said(self) -> str:
        """The bound in a few words."""
        moves = sum(isinstance(line, Do) for line in self.lines)
        return f"up to bound scope {self.scope.name}, {len(self.states)} states, {moves} moves"

    def parts(self, program: Program) -> Apart | None:
        """Where a program first comes to something else than the rules do; None where it never does."""
        walk = _Walk(self, program)
        for line in self.lines:
            match line:
                case Open(board):
                    walk.open(board)
                case Do(step, seen) if walk.do(step) != seen:
                    return Apart(self.boards[walk.board], tuple(walk.way))
                case Back():
                    walk.back()
        return None


def bound_of(program: Program) -> Bound | None:
    """The first scope of a ruleset, gone through; None where there is none, or it is too large, or a run fails."""
    ruleset = program.ruleset
    scope = next((one for one in ruleset.scopes.values() if one.depth is None), None)
    if scope is None:
        return None
    bound = Bound(ruleset, scope)
    boards = []
    for board in starting_boards(ruleset, scope, scope.modes[0]):
        boards.append(board)
        if len(boards) > MOST_STATES:
            return None
    bound.boards = tuple(boards)
    bound.templates = {fact.template for board in boards for fact in (*board.facts, *(one.frame for one in board.stack))}
    return bound if boards and _written(bound, program) else None


def _written(bound: Bound, program: Program) -> bool:
    """Write the script, each state gone on from once; whether the scope was gone through."""
    walk = _Walk(bound, program)
    prints = Fingerprints(bound.ruleset, bound.scope.ignored, bound.boards[0].facts)
    for board in range(len(bound.boards)):
        bound.lines.append(Open(board))
        walk.open(board)
        going: list[Iterator[Step]] = [walk.steps()] if _is_new(bound, walk, prints) else []
        while going:
            step = next(going[-1], None)
            if step is None:
                going.pop()
                if going:
                    _back(bound, walk)
                continue
            seen = walk.do(step)
            if walk.failed or len(bound.states) > MOST_STATES:
                return False
            bound.acting |= walk.acted
            bound.templates |= walk.wrote
            bound.lines.append(Do(step, seen))
            if walk.moved and _is_new(bound, walk, prints):
                going.append(walk.steps())
            else:
                _back(bound, walk)
    return True


def _back(bound: Bound, walk: _Walk) -> None:
    bound.lines.append(Back())
    walk.back()


def _is_new(bound: Bound, walk: _Walk, prints: Fingerprints) -> bool:
    number = prints.of(walk.trial.memory, walk.trial.standing)
    known = number in bound.states
    bound.states.add(number)
    return not known


class _Walk:
    """A session that does what a script says. `way` is what has been done since the board.

    Of what was done last, `failed` says that the run could not finish, `moved` that it was not refused, `acted` which
    rules fired, refused or ask, `wrote` of which templates there were facts, frames and events.
    """

    trial: Trial

    def __init__(self, bound: Bound, program: Program) -> None:
        self.bound, self.program = bound, program
        self.strict = Fingerprints(bound.ruleset, (), bound.boards[0].facts, symmetric=False)
        self.board = 0
        self.way: list[Step] = []
        self.marks: list[object] = []
        self.failed = self.moved = False
        self.acted: set[str] = set()
        self.wrote: set[str] = set()

    def open(self, board: int) -> None:
        """Begin on a starting board."""
        opened = self.bound.boards[board]
        self.board, self.way, self.marks = board, [], []
        self.trial = Trial(self.program, opened.facts, opened.stack)
        self.trial.settle()

    def steps(self) -> Iterator[Step]:
        """What is tried here."""
        found = tuple(steps(self.bound.ruleset, self.bound.scope, self.trial.waiting, self.trial.memory))
        return iter(found)

    def back(self) -> None:
        """Undo what was done last."""
        self.trial.undo(self.marks.pop())  # type: ignore[arg-type]
        self.way.pop()

    def do(self, step: Step) -> Seen:
        """What is seen of something that is done."""
        trial = self.trial
        entries, written = len(trial.trace.entries), len(trial.memory.log)
        self.marks.append(trial.mark())
        self.way.append(step)
        try:
            answer = trial.do(step)
        except RunError as error:
            self.failed, self.moved = True, False
            return ("error", error.message)
        if isinstance(answer, Refusal):
            self.moved = False
            self.failed = step.kind == "choose"  # then the session is back before what it had to choose for
            rules = tuple(sorted(one.rule for one in answer.rules))
            self.acted = set(rules)
            return ("refused", rules, answer.reason)
        self.moved = True
        firings = [entry for entry in trial.trace.entries[entries:] if isinstance(entry, Firing)]
        self.acted = {one.rule for one in firings} | {ask.rule for ask in answer.asks}
        self.wrote = {one.template for one in trial.memory.log[written:]}
        self.wrote |= {event.template for one in firings for event in one.emitted}
        return (*_waiting(answer), _counts(firings), self.strict.of(trial.memory, trial.standing))


def _waiting(waiting: Waiting) -> Seen:
    asks = tuple((ask.player, ask.requests) for ask in waiting.asks)
    choice = waiting.choice
    return waiting.kind, asks, choice and (choice.by, choice.options, choice.optional)


def _counts(firings: Sequence[Firing]) -> frozenset[tuple[str, int]]:
    """How often which rule has fired, and which event has happened."""
    names = [one.rule for one in firings]
    names += [f"event {event.template}" for one in firings for event in one.emitted]
    return frozenset(Counter(names).items())
