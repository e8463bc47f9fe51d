"""Fires activations, one or all of a `together` step as one change, and writes down what came of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from riftrules.engine.board import Board
from riftrules.engine.consequences import Consequences, Doing
from riftrules.engine.effects import Key
from riftrules.engine.matcher import Matcher
from riftrules.engine.productions import Activation
from riftrules.engine.program import Program
from riftrules.errors import LimitError, RunError
from riftrules.facts.growth import growth
from riftrules.facts.memory import Fact, WorkingMemory
from riftrules.facts.trace import Change, Firing

Where: TypeAlias = tuple[str, str, int]
"""The frame on top, its step, its pass."""

_new = tuple.__new__  # what the call of a named tuple comes to, in half the time


class Acting(Consequences):
    """Fires activations. `limit` is how many may fire, and how many frames may begin, before the session waits."""

    def __init__(self, program: Program, memory: WorkingMemory, board: Board, matcher: Matcher, limit: int) -> None:
        super().__init__(program, memory, board, matcher)
        self.limit = limit
        self.fired = 0
        self.framed = 0

    def count_frame(self) -> None:
        """One more frame runs: a ring of procedures that only follow one another fires nothing, but must end too."""
        self.framed += 1
        if self.framed > self.limit:
            message = f"limit of {self.limit} frames reached"
            raise LimitError(message, trace=self.trace)

    def fire(self, firing: Sequence[Activation], event: Fact | None) -> None:
        """Carry out activations as one change. Raises RunError with the session as it was before."""
        self.fired += len(firing)
        if self.fired > self.limit:
            raise LimitError(self._too_many(), trace=self.trace)
        standing = self.standing
        start, before = (
            self.memory.mark(),
            (standing.stack[:], standing.due[:], standing.base, standing.requests, standing.accepted),
        )
        try:
            if len(firing) == 1:
                self._change_alone(firing[0], event)
            else:
                self._change(firing, event)
        except RunError as error:
            self.memory.undo(start)
            standing.stack, standing.due, standing.base, standing.requests, standing.accepted = before
            self.agenda.due = standing.due
            self.agenda.forget()
            error.trace = self.trace
            raise

    def _too_many(self) -> str:
        grows = growth(self.trace.firings())
        return f"limit of {self.limit} firings reached" + (f"; {grows}" if grows else "")

    def where(self) -> Where:
        """Where the session is: a frame that has been begun but not entered is in no step."""
        if not self.standing.stack:
            return "", "", 0
        top = self.standing.stack[-1]
        return (top.id, top.routine.steps[top.index].name, top.pass_number) if top.entered else (top.id, "", 0)

    def _change_alone(self, activation: Activation, event: Fact | None) -> None:
        """What `_change` comes to where it is one activation."""
        where, start = self.where(), len(self.memory.log)
        does = Doing(activation, self.board)
        if self.standing.requests:
            self._accept((does,))
        self.do_alone(does, heard=event is not None)
        self._record(does, self._changed(does, start), where, event)

    def _change(self, firing: Sequence[Activation], event: Fact | None) -> None:
        where, board, start = self.where(), self.board, len(self.memory.log)
        doing = [Doing(one, board) for one in firing]
        if self.standing.requests:
            self._accept(doing)
        self.do(doing, heard=event is not None)
        before = self._before(start)
        for does in doing:
            self._record(does, self._differing(dict.fromkeys(does.wrote), before), where, event)

    def _accept(self, doing: Sequence[Doing]) -> None:
        """Note the requests whose frames are matched by what fires."""
        standing = self.standing
        for pending in standing.requests:
            frame = pending.frame
            if frame not in standing.accepted:
                for does in doing:
                    if frame in does.told[1]:
                        standing.accepted |= {frame}
                        break

    # -------------------------------------------------------------------------------------------- record

    def _record(self, does: Doing, changes: tuple[Change, ...], where: Where, event: Fact | None) -> None:
        """Write down that it has fired."""
        standing, rule, (bindings, matched, reads) = self.standing, does.activation.production.rule, does.told
        standing.firings += 1
        if does.effects.ends_game:
            standing.over = True
        said = (
            standing.firings,
            rule.id,
            rule.cites,
            bindings,
            matched,
            changes,
            does.emitted,
            does.begun,
            does.due,
            does.left,
            does.effects.ends_game,
            *where,
            "" if event is None else event.id,
            reads,
        )
        self.trace.entries.append(_new(Firing, said))

    def _changed(self, does: Doing, start: int) -> tuple[Change, ...]:
        """What became of the facts written since, by one activation alone. A frame's coming or going is no change."""
        log = self.memory.log
        match len(log) - start:
            case 0:
                return ()
            case 1:
                template, _, was, now, fields, *_ = log[start]
                differs = fields or ((was is None) is not (now is None) and template not in self.program.frames)
                return (_new(Change, (was, now)),) if differs else ()
        return self._differing(dict.fromkeys(does.wrote), self._before(start))

    def _before(self, start: int) -> dict[Key, Fact | None]:
        """The facts written since as they were before it."""
        before: dict[Key, Fact | None] = {}
        for template, id_, was, *_ in self.memory.log[start:]:
            before.setdefault((template, id_), was)
        return before

    def _differing(self, keys: Iterable[Key], before: Mapping[Key, Fact | None]) -> tuple[Change, ...]:
        changes = []
        for key in keys:
            was, now = before[key], self.memory.get(*key)
            if was != now and not (key[0] in self.program.frames and (was is None or now is None)):
                changes.append(Change(was, now))
        return tuple(changes)
