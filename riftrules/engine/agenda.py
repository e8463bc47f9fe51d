"""The agenda: which activations the rules of a step have, each rule's verdict kept until something it hangs on changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from riftrules.engine.board import Board
from riftrules.engine.effects import Effects, ImpossibleError, Key, writes_something
from riftrules.engine.productions import Activation, Production
from riftrules.engine.program import Program, StepPlan
from riftrules.engine.stack import Visit
from riftrules.facts.memory import Write
from riftrules.facts.trace import Ask
from riftrules.facts.types import Call
from riftrules.language.defaults import complete


class Agenda:
    """Recognises: gives activations that would do something, the highest first.

    `due` is the session's list of frames that are due. A verdict is kept for the frame it was made for. A rule's bit is
    in `stale` where its verdict must be made anew, and in `full` where the verdict holds activations.
    """

    def __init__(self, program: Program, board: Board) -> None:
        self._program = program
        self._board = board
        self.due: list[Key] = []
        # A variant that drops rules of its base leaves gaps in their numbers.
        count = max((production.rule.number for production in program.productions), default=-1) + 1
        self._stale = program.all_rules
        self._full = 0
        self._verdicts: list[list[Activation]] = [[] for _ in range(count)]
        self._frames = [""] * count

    def note(self, writes: Iterable[Write]) -> None:
        """These changes were made: the verdicts that hang on what differs are stale."""
        dependents = self._program.dependents
        for template, _, before, after, *_ in writes:
            if before is None or after is None:
                self._stale |= dependents.get((template, ""), 0)
                continue
            values = after.values
            for name, value in before.values.items():
                if values[name] is not value and values[name] != value:
                    self._stale |= dependents.get((template, name), 0)

    def touch(self, procedure: str) -> None:
        """A frame of this procedure is due no longer."""
        self._stale |= self._program.dependents.get((procedure, ""), 0)

    def forget(self) -> None:
        """Every verdict is stale."""
        self._stale = self._program.all_rules

    # -------------------------------------------------------------------------------------------- the rules of a step

    def is_quiet(self, step: StepPlan) -> bool:
        """Whether it is known that no rule of the step has an activation. False may mean that it is not known yet."""
        return not (self._stale | self._full) & step.mask and not step.sensitive

    def highest(self, step: StepPlan, visit: Visit) -> Activation | None:
        """What is to fire in this visit of the step; verdicts are made only as far as they are wanted."""
        for production in step.productions:
            for activation in self._verdict(production):
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
                ask = production.asks(activation, self._board)
                if ask is not None:
                    found[ask] = None
        return tuple(found)

    def _verdict(self, production: Production) -> list[Activation]:
        number, mask, board = production.rule.number, production.mask, self._board
        frame = board.own if board.procedure in production.frames else ""
        if not self._stale & mask and self._frames[number] == frame:
            return self._verdicts[number]
        found = production.matches(board) if production.rule.kind == "ask" else self.effective(production)
        self._verdicts[number] = found
        self._frames[number] = frame
        self._stale &= ~mask
        self._full = self._full | mask if found else self._full & ~mask
        return found

    # -------------------------------------------------------------------------------------------- effects

    def hears(self, productions: Sequence[Production], visit: Visit) -> Iterator[Activation]:
        """What may fire for the event on the board, the highest first."""
        for production in productions:
            yield from (activation for activation in self.effective(production) if _is_open(activation, visit))

    def effective(self, production: Production) -> list[Activation]:
        """The activations of a rule that would do something, and have somebody to choose where there is a choice."""
        board, chooser = self._board, production.chooser
        found = []
        for activation in production.matches(board):
            if chooser is not None and chooser(activation.environment, board) is None:
                continue
            try:
                effects = production.effects(activation.environment, board)
            except (ImpossibleError, ZeroDivisionError):
                found.append(activation)  # it is told when it fires
                continue
            activation.effects = effects
            if effects.certain() or writes_something(effects, board.memory) or self._makes_due(effects):
                found.append(activation)
        return found

    def _makes_due(self, effects: Effects) -> bool:
        return any(not self._is_due(call) for call in effects.dues)

    def _is_due(self, call: Call) -> bool:
        """Whether a frame with these fields is due already. One whose fields hang on its own id never is."""
        memory, name = self._board.memory, call.procedure
        same = [id_ for procedure, id_ in self.due if procedure == name]
        if not same:
            return False
        values = complete(self._program.ruleset.templates[name], f"{name}-0", dict(call.fields), memory).values
        return any(frame.values == values for id_ in same if (frame := memory.get(name, id_)) is not None)


def _is_open(activation: Activation, visit: Visit) -> bool:
    """Whether it has not fired in this visit, and its choice is not made."""
    rule = activation.production.rule
    if visit.fired and (rule.number, activation.identity) in visit.fired:
        return False
    return not visit.closed or rule.choose is None or activation.group not in visit.closed
