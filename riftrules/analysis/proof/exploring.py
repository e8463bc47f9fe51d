"""Goes on from states in every way the scope tries, and checks all that comes of it.

A state is known by the way to it. Going from one to the next undoes what their ways do not share and does the rest:
nothing is built anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from riftrules.analysis.proof.agreement import Agreement
from riftrules.analysis.proof.findings import Batch, Expanded, Finding, Node, Trail
from riftrules.analysis.proof.setup import Setup
from riftrules.analysis.proof.steps import steps
from riftrules.engine.fingerprints import Fingerprints
from riftrules.engine.orders import REFUSED, Step, Tie, Trial, ends
from riftrules.engine.stack import Mark
from riftrules.errors import LimitError, RunError
from riftrules.facts.trace import Firing, Refusal
from riftrules.scenario.words import said


@lru_cache(maxsize=2)
def explorer(setup: Setup) -> Explorer:
    """The explorer of a setup, one for the life of a process."""
    return Explorer(setup)


def expand(setup: Setup, batch: Batch) -> Expanded:
    """What comes of going on from every state of the batch."""
    return explorer(setup).expand(batch)


def starts(setup: Setup) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Each starting board by its place: its fingerprint, and the invariants it violates."""
    found = explorer(setup)
    for board in range(len(setup.boards)):
        trial = found.at(Node(board, (), 0))
        violated = tuple(one.rule for one in trial.violations())
        yield board, found.prints.of(trial.memory, trial.standing), violated


@dataclass(slots=True)
class Explorer:
    """Walks over states of one setup."""

    setup: Setup
    prints: Fingerprints = field(init=False)
    strict: Fingerprints = field(init=False)
    trial: Trial | None = None
    board: int = -1
    trail: list[int] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    moved: bool = False
    agreement: Agreement = field(init=False)

    def __post_init__(self) -> None:
        setup = self.setup
        facts = setup.boards[0].facts if setup.boards else ()
        self.prints = Fingerprints(setup.ruleset, setup.scope.ignored, facts)
        self.strict = Fingerprints(setup.ruleset, (), facts, symmetric=False)
        self.agreement = Agreement(setup.ruleset)

    # -------------------------------------------------------------------------------------------- walking

    def at(self, node: Node) -> Trial:
        """The session at a state. Raises RunError where the way to it cannot be gone."""
        trial = self.trial
        if trial is None or self.board != node.board:
            trial = self._open(node.board)
        if not self.moved and len(self.trail) == len(node.trail) and tuple(self.trail) == node.trail:
            return trial
        shared = 0
        while shared < min(len(self.trail), len(node.trail)) and self.trail[shared] == node.trail[shared]:
            shared += 1
        trial.undo(self.marks[shared])
        del self.trail[shared:], self.marks[shared + 1 :]
        for place in node.trail[shared:]:
            trial.do(self.steps(trial)[place])
            self.trail.append(place)
            self.marks.append(trial.mark())
        self.moved = False
        return trial

    def _open(self, board: int) -> Trial:
        if self.trial is not None:
            self.trial.close()
        opened = self.setup.boards[board]
        trial = Trial(self.setup.program, opened.facts, opened.stack)
        trial.settle()
        self.trial, self.board, self.moved = trial, board, False
        self.trail, self.marks = [], [trial.mark()]
        return trial

    def lost(self) -> None:
        """The session is no longer where it should be: the next state is gone to from its board."""
        self.board = -1

    def steps(self, trial: Trial) -> tuple[Step, ...]:
        """What is tried where the session waits."""
        return tuple(steps(self.setup.ruleset, self.setup.scope, trial.waiting, trial.memory))

    # -------------------------------------------------------------------------------------------- going on

    def expand(self, batch: Batch) -> Expanded:
        """Go on from each state."""
        found = Expanded()
        met: set[int] = set()
        unwitnessed = set(batch.unwitnessed)
        for node in batch.nodes:
            going = _Going(self, node, found, met, unwitnessed)
            going.all()
            found.successors.append(going.successors)
        return found


@dataclass(slots=True)
class _Going:
    """Going on from one state."""

    by: Explorer
    node: Node
    found: Expanded
    met: set[int]
    unwitnessed: set[int]
    successors: list[tuple[int, int]] = field(default_factory=list)

    def all(self) -> None:
        trial = self.by.at(self.node)
        tried = self.by.steps(trial)
        for place, step in enumerate(tried):
            trial = self.by.at(self.node)
            self._go(trial, place, step)
        every = self.by.setup.scope.agreement
        if every and self.node.number % every == 0:
            self._compare(tried)

    def _go(self, trial: Trial, place: int, step: Step) -> None:
        entries = len(trial.trace.entries)
        try:
            answer = trial.do(step)
        except RunError as error:
            self._failed(error, place)
            return
        if isinstance(answer, Refusal):
            self.found.refused += 1
            self.found.fired.update(refused.rule for refused in answer.rules)
            if step.kind == "choose":
                self.by.lost()
            return
        self.by.moved = True
        self.found.transitions += 1
        fired = [entry.rule for entry in trial.trace.entries[entries:] if isinstance(entry, Firing)]
        self.found.fired.update(fired)
        self.found.fired.update(ask.rule for ask in answer.asks)
        self.found.longest = max(self.found.longest, len(fired))
        ties = tuple(trial.agenda.ties)
        number = self.by.prints.of(trial.memory, trial.standing)
        if number not in self.met:
            self.met.add(number)
            self.successors.append((number, place))
            self._look(trial, place)
        if ties:
            self._reorder(trial, place, step, ties)

    def _trail(self, place: int) -> Trail:
        return (*self.node.trail, place)

    def _say(self, kind: str, about: tuple[str, ...], message: str, place: int) -> None:
        self.found.findings.append(Finding(kind, about, message, self.node.board, self._trail(place)))

    def _failed(self, error: RunError, place: int) -> None:
        self.by.lost()
        if isinstance(error, LimitError):
            self._say("termination", _rules_of(error), error.message, place)
        else:
            self._say("failure", (error.rule,), error.message, place)

    # -------------------------------------------------------------------------------------------- the state that comes of it

    def _look(self, trial: Trial, place: int) -> None:
        """Invariants hold here, and which of their conditions this is a witness of."""
        for broken in trial.violations():
            bound = ", ".join(f"${name} = {said(value)}" for name, value in broken.bindings)
            message = f"invariant `{broken.rule}` is violated" + (f" by {bound}" if bound else "")
            self._say("invariant", (broken.rule,), message, place)
        if self.unwitnessed:
            wanted = sorted(self.unwitnessed)
            productions = self.by.setup.weaker[1]
            for number, _ in trial.matching([productions[one] for one in wanted]):
                self.found.witnesses[wanted[number]] = (self.node.board, self._trail(place))
                self.unwitnessed.discard(wanted[number])

    # -------------------------------------------------------------------------------------------- other orders

    def _reorder(self, trial: Trial, place: int, step: Step, ties: Sequence[Tie]) -> None:
        """Let each alternative of each tie go first: the same boards must come of it."""
        self.found.ties += len(ties)
        usual = self._ends(trial)
        for tie in ties:
            for other in range(1, len(tie.rules)):
                self.found.orders += 1
                if self._ends_otherwise(step, tie.number, other) != usual:
                    first, second = tie.rules[0], tie.rules[other]
                    said_tie = f"`{first}` and `{second}`" if first != second else f"two activations of `{first}`"
                    message = f"the order of {said_tie} decides what comes of it"
                    about, trail = tuple(sorted({first, second})), self._trail(place)
                    one = Finding("confluence", about, message, self.node.board, trail, tie.number, other)
                    self.found.findings.append(one)

    def _ends(self, trial: Trial) -> frozenset[object]:
        found = ends(trial, trial.waiting, self.by.strict)
        if REFUSED in found:
            self.by.lost()
        return found

    def _ends_otherwise(self, step: Step, tie: int, other: int) -> frozenset[object]:
        """What the step comes to where an alternative goes first at a tie."""
        trial = self.by.at(self.node)
        self.by.moved = True
        try:
            answer = trial.do(step, tie=tie, other=other)
        except RunError as error:
            self.by.lost()
            return frozenset({error.message})
        if isinstance(answer, Refusal):
            self.by.lost()
            return frozenset({REFUSED})
        return self._ends(trial)

    # -------------------------------------------------------------------------------------------- the reference

    def _compare(self, tried: Sequence[Step]) -> None:
        self.found.compared += 1
        by = self.by
        way = self._way()  # it is walked with the same session, which then goes on to the state
        found = by.agreement.differences(by.setup.boards[self.node.board], by.at(self.node), way, tried)
        for place, message in found:
            trail = self.node.trail if place < 0 else self._trail(place)
            self.found.findings.append(Finding("agreement", (message,), message, self.node.board, trail))
        by.lost()

    def _way(self) -> tuple[Step, ...]:
        """The steps on the way here."""
        way = []
        for length, place in enumerate(self.node.trail):
            trial = self.by.at(Node(self.node.board, self.node.trail[:length], 0))
            way.append(self.by.steps(trial)[place])
        return tuple(way)


def _rules_of(error: LimitError) -> tuple[str, ...]:
    """The rules that fire again and again."""
    wanted = set(error.cycle)
    firings = list(error.trace.firings()) if error.trace is not None else []
    found = [firing.rule for firing in firings if firing.number in wanted] if wanted else [one.rule for one in firings[-20:]]
    return tuple(sorted(set(found)))
