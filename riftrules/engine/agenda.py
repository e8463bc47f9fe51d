"""The agenda: which activations the rules of a step have, each rule's verdict kept until something it hangs on changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from riftrules.engine.board import Board
from riftrules.engine.effects import Key
from riftrules.engine.gates import OpenGates
from riftrules.engine.productions import Activation, Production
from riftrules.engine.program import Program
from riftrules.engine.routines import StepPlan
from riftrules.engine.stack import Visit
from riftrules.facts.differences import Difference
from riftrules.facts.trace import Ask


class Agenda:
    """Recognises: gives activations that would do something, the highest first.

    A verdict is kept for the frame it was made for. A rule's bit is in `stale` where its verdict must be made anew, and
    in `full` where the verdict holds activations; a rule that is closed is not looked at.
    """

    def __init__(self, program: Program, board: Board) -> None:
        self._program = program
        self._board = board
        count = program.all_rules.bit_length()  # a variant that drops rules of its base leaves gaps in their numbers
        self._stale = program.all_rules
        self._full = 0
        self._watches = program.watches
        self._gates = OpenGates(program.gates, board.memory)
        self._verdicts: list[list[Activation]] = [[] for _ in range(count)]
        self._frames = [""] * count
        self._recognise: dict[int, Callable[[Board], list[Activation]]] = {}

    @property
    def due(self) -> list[Key]:
        """The session's frames that are due."""
        return self._board.due

    @due.setter
    def due(self, due: list[Key]) -> None:
        self._board.due = due

    def note(self, differences: Sequence[Difference]) -> int:
        """The verdicts that hang on what differs are stale. How many of the differences are effects."""
        stale, effects, watches, gates = self._stale, 0, self._watches, self._gates
        for template, _, before, after, fields in differences:
            watch = watches.get((template, fields)) or self._program.watch(template, fields)
            stale |= watch[0]
            effects += watch[1]
            if watch[2] is not None:
                gates.note(watch[2], before, after)
        self._stale = stale
        return effects

    def touch(self, procedure: str) -> None:
        """A frame of this procedure is due no longer."""
        self._stale |= self._program.dependents.get((procedure, ""), 0)

    def forget(self) -> None:
        """Every verdict is stale."""
        self._stale = self._program.all_rules

    # -------------------------------------------------------------------------------------------- the rules of a step

    def next_noisy(self, steps: Sequence[StepPlan], index: int) -> int:
        """The place, from this one on, of the next step in which anything may happen; how many steps there are, if in none."""
        open_ = self._gates.rules
        noisy = (self._stale | self._full) & open_
        count = len(steps)
        while index < count:
            step = steps[index]
            if step.stops or step.mask & noisy or step.changing & open_:
                break
            index += 1
        return index

    def candidates(self, step: StepPlan) -> tuple[Production, ...]:
        """The rules of the step that may have activations, the highest first: of the others it is known that they have none."""
        bits = (self._stale | self._full | step.changing) & self._gates.rules & step.mask
        return (step.kept.get(bits) or step.among(bits)) if bits else ()

    def highest(self, step: StepPlan, visit: Visit) -> Activation | None:
        """What is to fire in this visit of the step; verdicts are made only as far as they are wanted."""
        for production in self.candidates(step):
            for activation in self._recognised(production):
                if _is_open(activation, visit):
                    return activation
        return None

    def eligible(self, step: StepPlan, visit: Visit) -> list[Activation]:
        """All that may fire in this visit of the step, the highest first."""
        return [activation for production in self.candidates(step) for activation in self.of(production, visit)]

    def of(self, production: Production, visit: Visit) -> Iterator[Activation]:
        """What may fire of one rule of the step."""
        return (activation for activation in self._verdict(production) if _is_open(activation, visit))

    def asks(self, step: StepPlan) -> tuple[Ask, ...]:
        """Whom the step's asking rules ask, and for what; the same once."""
        found: dict[Ask, None] = {}
        for production in step.asks:
            for activation in self._verdict(production):
                ask = production.asks(activation)
                if ask is not None:
                    found[ask] = None
        return tuple(found)

    def _verdict(self, production: Production) -> list[Activation]:
        return self._recognised(production) if production.mask & self._gates.rules else []

    def _recognised(self, production: Production) -> list[Activation]:
        """The verdict of a rule that is open."""
        mask, number, board = production.mask, production.number, self._board
        frame = board.own if board.procedure in production.frames else ""
        if self._frames[number] == frame and not self._stale & mask:
            return self._verdicts[number]
        recognise = self._recognise.get(number) or self._recogniser(production)
        found = recognise(board)
        if len(found) > 1:
            production.arrange(found)
        self._verdicts[number], self._frames[number] = found, frame
        self._stale &= ~mask
        if found:
            self._full |= mask
        else:
            self._full &= ~mask
        return found

    def _recogniser(self, production: Production) -> Callable[[Board], list[Activation]]:
        found = self._recognise[production.number] = production.recogniser(self._board)
        return found

    # -------------------------------------------------------------------------------------------- events and requests

    def activations(self, production: Production) -> list[Activation]:
        """What a rule has on the board as it stands, the highest first, kept by nobody."""
        if not production.mask & self._gates.rules:
            return []
        recognise = self._recognise.get(production.number) or self._recogniser(production)
        found = recognise(self._board)
        if len(found) > 1:
            production.arrange(found)
        return found

    def hears(self, productions: Sequence[Production], visit: Visit) -> Iterator[Activation]:
        """What may fire for the event on the board, the highest first."""
        for production in productions:
            for activation in self.activations(production):
                if _is_open(activation, visit):
                    yield activation


def _is_open(activation: Activation, visit: Visit) -> bool:
    """Whether it has not fired in this visit, and its choice is not made."""
    if visit.fired and (activation.production.number, activation.identity) in visit.fired:
        return False
    return not visit.closed or activation.production.rule.choose is None or activation.group not in visit.closed
