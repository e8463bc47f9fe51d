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

CAME_OR_WENT = ("",)


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
        self._gates = OpenGates(program.gates, board.memory)
        self._verdicts: list[list[Activation]] = [[] for _ in range(count)]
        self._frames = [""] * count
        self._recognise: list[Callable[[Board], list[Activation]] | None] = [None] * count

    @property
    def due(self) -> list[Key]:
        """The session's frames that are due."""
        return self._board.due

    @due.setter
    def due(self, due: list[Key]) -> None:
        self._board.due = due

    def note(self, differences: Sequence[Difference]) -> None:
        """The verdicts that hang on what differs are stale."""
        stale, dependents = self._stale, self._program.dependents_of
        for template, _, _, _, fields in differences:
            by_field = dependents.get(template)
            if by_field is not None:
                for name in fields or CAME_OR_WENT:
                    stale |= by_field.get(name, 0)
        self._stale = stale
        self._gates.note(differences)

    def touch(self, procedure: str) -> None:
        """A frame of this procedure is due no longer."""
        self._stale |= self._program.dependents.get((procedure, ""), 0)

    def forget(self) -> None:
        """Every verdict is stale."""
        self._stale = self._program.all_rules

    # -------------------------------------------------------------------------------------------- the rules of a step

    def is_quiet(self, step: StepPlan) -> bool:
        """Whether it is known that no rule of the step has an activation. False may mean that it is not known yet."""
        return not (self._stale | self._full | step.changing) & ~self._gates.closed & step.mask

    @property
    def noisy(self) -> tuple[int, int]:
        """The bits of the rules that may have activations, and of those that may have them in a frame they hang on."""
        open_ = ~self._gates.closed
        return (self._stale | self._full) & open_, open_

    def highest(self, step: StepPlan, visit: Visit) -> Activation | None:
        """What is to fire in this visit of the step; verdicts are made only as far as they are wanted."""
        bits = (self._stale | self._full | step.changing) & ~self._gates.closed & step.mask
        if bits:
            for production in step.among(bits):
                for activation in self._recognised(production):
                    if _is_open(activation, visit):
                        return activation
        return None

    def eligible(self, step: StepPlan, visit: Visit) -> list[Activation]:
        """All that may fire in this visit of the step, the highest first."""
        return [activation for production in step.productions for activation in self.of(production, visit)]

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
        return [] if production.mask & self._gates.closed else self._recognised(production)

    def _recognised(self, production: Production) -> list[Activation]:
        """The verdict of a rule that is not closed."""
        mask, number, board = production.mask, production.number, self._board
        frame = board.own if board.procedure in production.frames else ""
        if not self._stale & mask and self._frames[number] == frame:
            return self._verdicts[number]
        found = self._verdicts[number] = self._matched(production)
        self._frames[number] = frame
        self._stale &= ~mask
        self._full = self._full | mask if found else self._full & ~mask
        return found

    # -------------------------------------------------------------------------------------------- events and requests

    def activations(self, production: Production) -> list[Activation]:
        """What a rule has on the board as it stands, the highest first, kept by nobody."""
        return [] if production.mask & self._gates.closed else self._matched(production)

    def hears(self, productions: Sequence[Production], visit: Visit) -> Iterator[Activation]:
        """What may fire for the event on the board, the highest first."""
        for production in productions:
            for activation in self.activations(production):
                if _is_open(activation, visit):
                    yield activation

    def _matched(self, production: Production) -> list[Activation]:
        recognise = self._recognise[production.number]
        if recognise is None:
            recognise = self._recognise[production.number] = production.recogniser(self._board)
        found = recognise(self._board)
        if len(found) > 1:
            production.arrange(found)
        return found


def _is_open(activation: Activation, visit: Visit) -> bool:
    """Whether it has not fired in this visit, and its choice is not made."""
    if visit.fired and (activation.production.number, activation.identity) in visit.fired:
        return False
    return not visit.closed or activation.production.rule.choose is None or activation.group not in visit.closed
