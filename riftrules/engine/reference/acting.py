"""Carrying out a consequent: what one activation, or all of a `together` step, does to facts, frames and events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from riftrules.engine.reference.frames import Frames
from riftrules.engine.reference.matching import Board, Key
from riftrules.engine.reference.planning import Activation, FieldWrite, Plan, check, combine, filled, identity, plan
from riftrules.engine.reference.state import Visit
from riftrules.errors import LimitError, RunError
from riftrules.facts.growth import growth
from riftrules.facts.memory import Fact, WorkingMemory
from riftrules.facts.trace import Change, FieldRead, Firing, Trace
from riftrules.language.defaults import complete
from riftrules.language.model import Pattern, Ruleset


@dataclass(slots=True)
class Done:
    """One activation within a change: its plan, the fields it reads, and what it has done so far (`ids`: of its asserts)."""

    plan: Plan
    reads: tuple[FieldRead, ...]
    ids: list[str] = field(default_factory=list)
    wrote: list[Key] = field(default_factory=list)
    emitted: list[Fact] = field(default_factory=list)
    begun: list[str] = field(default_factory=list)
    due: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)


Where: TypeAlias = tuple[str, str, int]
"""The frame on top, its step, its pass."""


class Acting(Frames):
    """Fires activations. `limit` is how many may fire, and how many frames may begin, before the session waits."""

    def __init__(self, ruleset: Ruleset, memory: WorkingMemory, limit: int) -> None:
        super().__init__(ruleset, memory, Trace())
        self.limit = limit
        self.fired = 0
        self.framed = 0

    def count_frame(self) -> None:
        """One more frame runs: a ring of procedures that only follow one another fires nothing, but must end too."""
        self.framed += 1
        if self.framed > self.limit:
            message = f"limit of {self.limit} frames reached"
            raise LimitError(message, trace=self.trace)

    def fire(self, board: Board, firing: Sequence[Activation]) -> None:
        """Carry out activations as one change. Raises RunError with the session as it was before."""
        self.fired += len(firing)
        if self.fired > self.limit:
            grows = growth(self.trace.firings())
            message = f"limit of {self.limit} firings reached"
            raise LimitError(f"{message}; {grows}" if grows else message, trace=self.trace)
        mark = self.mark()
        try:
            self._change(board, firing)
        except RunError as error:
            self.undo(mark)
            error.trace = self.trace
            raise

    def where(self) -> Where:
        """Where the session is: a frame that has been begun but not entered is in no step."""
        top = self.top()
        if top is None:
            return "", "", 0
        return (top.id, self.procedure(top).steps[top.index], top.pass_number) if top.entered else (top.id, "", 0)

    def _change(self, board: Board, firing: Sequence[Activation]) -> None:
        where = self.where()
        strict = replace(board, strict=True)
        done = [Done(plan(strict, activation), self._reads(board, activation)) for activation in firing]
        self.state.accepted |= {key for activation in firing for key in matched(activation)}
        start = len(self.memory.log)
        self._modify(done)
        self._retract(done)
        self._assert(done)
        self._leave(done)
        self._make_due(done)
        self._emit_and_begin(done, heard=board.event is not None)
        for does in done:
            self.state.firings += 1
            self.trace.entries.append(self._firing(does, start, where, board.event))
        self.state.over = any(does.plan.ends_game for does in done)

    # -------------------------------------------------------------------------------------------- facts

    def _modify(self, done: list[Done]) -> None:
        changed = combine(self.memory, [does.plan for does in done])
        writes = [write for does in done for write in does.plan.writes]
        for key, values in changed.items():
            for name, value in values.items():
                check(self.memory, _first(writes, key, name).by, key, {name: value})
            fact = self.memory.get(*key)
            assert fact is not None
            self.memory.put(fact.with_values(values), self.memory.within(*key))
        for does in done:
            does.wrote += [write.key for write in does.plan.writes if write.field in changed.get(write.key, {})]

    def _retract(self, done: list[Done]) -> None:
        for does in done:
            for key in does.plan.retracts:
                start = len(self.memory.log)
                if self.memory.get(*key) is not None:
                    self.memory.retract(*key)
                does.wrote += self._written(start)

    def _assert(self, done: list[Done]) -> None:
        made: dict[Key, Fact] = {}
        for does in done:
            by = does.plan.activation
            for new in does.plan.asserts:
                template, fields = self.ruleset.templates[new.template], filled(new.fields, does.ids)
                id_ = new.id or identity(template, fields, self.memory) or self.memory.new_id(new.template)
                fact = complete(template, id_, fields, self.memory)
                key = (new.template, id_)
                does.ids.append(id_)
                does.wrote.append(key)
                if key in made:
                    _same(by, made[key], fact)
                    continue
                check(self.memory, by, key, dict(fact.values))
                if new.within and not self._is_there(new.within):
                    by.fail(f"frame `{new.within}` has ended")
                self.memory.put(fact, new.within)
                made[key] = fact

    def _is_there(self, frame: str) -> bool:
        return any(key[1] == frame for key in (*(entry.key for entry in self.state.stack), *self.state.due))

    def _written(self, start: int) -> list[Key]:
        """The facts written since, in order."""
        return [(write.template, write.id) for write in self.memory.log[start:]]

    # -------------------------------------------------------------------------------------------- frames and events

    def _leave(self, done: list[Done]) -> None:
        for does in done:
            for key in does.plan.leaves:
                start = len(self.memory.log)
                does.left += [gone[1] for gone in self.leave(key)]
                does.wrote += self._written(start)

    def _make_due(self, done: list[Done]) -> None:
        for does in done:
            for call in does.plan.dues:
                id_ = self.make_due(call.procedure, filled(dict(call.fields), does.ids), does.plan.activation)
                does.due += [id_] if id_ else []

    def _emit_and_begin(self, done: list[Done], *, heard: bool) -> None:
        """Events queue up; what begins goes on top, or while an event is heard below what its hearing began earlier."""
        for does in done:
            calls = does.plan.emits
            by = does.plan.activation
            does.emitted += [self.make(call.procedure, filled(dict(call.fields), does.ids), by) for call in calls]
        at = self.state.base if heard else len(self.state.stack)
        for does in done:
            for call in does.plan.begins:
                frame = self.make(call.procedure, filled(dict(call.fields), does.ids), does.plan.activation)
                self.begin(frame, at)
                does.begun.append(frame.id)
        if not heard:
            self.state.base = len(self.state.stack)
            self.state.hearing = Visit()
        self.state.events += [event for does in done for event in does.emitted]

    # -------------------------------------------------------------------------------------------- record

    def _firing(self, does: Done, start: int, where: Where, event: Fact | None) -> Firing:
        activation = does.plan.activation
        frame, step, pass_number = where
        return Firing(
            number=self.state.firings,
            rule=activation.rule.id,
            cites=activation.rule.cites,
            bindings=tuple(sorted(activation.env.items())),
            matched=matched(activation),
            changes=tuple(self._changes(does.wrote, start)),
            emitted=tuple(does.emitted),
            begun=tuple(does.begun),
            due=tuple(does.due),
            left=tuple(does.left),
            ends_game=does.plan.ends_game,
            frame=frame,
            step=step,
            pass_number=pass_number,
            event=event.id if event is not None else "",
            reads=does.reads,
        )

    def _changes(self, wrote: Sequence[Key], start: int) -> list[Change]:
        """What became of the facts written, over the whole change. A frame's coming or going is no change."""
        changes = []
        for key in dict.fromkeys(wrote):
            before = next(write.before for write in self.memory.log[start:] if (write.template, write.id) == key)
            after = self.memory.get(*key)
            if before != after and not (self.is_frame(key[0]) and (before is None or after is None)):
                changes.append(Change(before, after))
        return changes

    def _reads(self, board: Board, activation: Activation) -> tuple[FieldRead, ...]:
        """The stored fields of facts that the rule reads under these bindings."""
        found = set()
        for read in activation.rule.reads:
            *path, last = read.hops
            holder = board.evaluate(replace(read, hops=tuple(path)), activation.env)
            known = holder is not None and self.memory.last(last.template, holder) is not None
            if known and last.field != "id" and not last.derived:
                found.add((last.template, holder, last.field))
        return tuple(sorted(found))


def matched(activation: Activation) -> tuple[Key, ...]:
    """The facts of the named patterns, in the order of the rule's standing."""
    ranged = [activation.rule.ranged[place] for place in activation.rule.standing]
    return tuple((one.template, activation.env[one.name]) for one in ranged if isinstance(one, Pattern) and one.name is not None)


def _first(writes: Sequence[FieldWrite], key: Key, name: str) -> FieldWrite:
    return next(write for write in writes if write.key == key and write.field == name)


def _same(by: Activation, made: Fact, again: Fact) -> None:
    """Two asserts of one new identity in one change must agree."""
    for name, value in again.values.items():
        if made.values[name] != value:
            by.fail(f"`{name}` of {made.template} `{made.id}` is given two values in one change")
