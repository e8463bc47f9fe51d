"""What activations do to facts, frames and events, each kind of it in the order in which all of that kind is applied."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from riftrules.engine.board import Board
from riftrules.engine.effects import Effects, FieldWrite, Key, combined, filled, identity
from riftrules.engine.frames import Frames
from riftrules.engine.productions import Activation
from riftrules.engine.stack import Visit
from riftrules.engine.writing import refused
from riftrules.facts.memory import Fact
from riftrules.facts.types import Call, Value


class Doing:
    """One activation within a change: what it would do, what it says of itself, and what it has done so far.

    `ids` are those of its new facts, in the order of its asserts; `wrote` the facts it has written, in order.
    """

    __slots__ = ("activation", "begun", "due", "effects", "emitted", "ids", "left", "told", "wrote")

    def __init__(self, activation: Activation, board: Board) -> None:
        self.activation = activation
        self.effects: Effects = activation.outcome()
        self.told = activation.production.told(activation, board)
        self.ids: tuple[str, ...] = ()
        self.wrote: tuple[Key, ...] = ()
        self.emitted: tuple[Fact, ...] = ()
        self.begun: tuple[str, ...] = ()
        self.due: tuple[str, ...] = ()
        self.left: tuple[str, ...] = ()


class Consequences(Frames):
    """Carries out consequents. Raises RunError where one cannot be: what has been written by then is the caller's to undo."""

    def do_alone(self, does: Doing, *, heard: bool) -> None:
        """What `do` comes to where it is one activation."""
        effects, doing = does.effects, (does,)
        if effects.writes and not self._modify_alone(does):
            self._modify(doing)
        if effects.retracts:
            self._retract(doing)
        if effects.asserts:
            self._assert(doing)
        if effects.leaves:
            self._leave(doing)
        if effects.dues:
            self._make_due(doing)
        self._emit_and_begin(doing, heard=heard)

    def do(self, doing: Sequence[Doing], *, heard: bool) -> None:
        """Carry out activations as one change; `heard` is whether they fire for an event."""
        self._modify(doing)
        self._retract(doing)
        self._assert(doing)
        self._leave(doing)
        self._make_due(doing)
        self._emit_and_begin(doing, heard=heard)

    # -------------------------------------------------------------------------------------------- facts

    def _modify_alone(self, does: Doing) -> bool:
        """What one activation writes, as `_modify` does it; false where that is not as simple, and nothing is written."""
        effects, facts = does.effects, self.memory.facts
        if effects.retracts:
            return False
        changed: dict[Key, dict[str, Value]] = {}
        for write in effects.writes:
            key, name, op, value = write
            old = facts[key[0]][key[1]].values[name]
            if op != "set":
                value, faulty, _ = combined(old, name, key, (write,))
                if faulty >= 0:
                    return False
            new = changed.get(key)
            if new is None:
                new = changed[key] = {}
            elif name in new:
                return False
            new[name] = old if value == old else value
        for key, new in changed.items():
            self._put(does, key, new)
        does.wrote += tuple([key for key, name, _, _ in effects.writes if name in changed[key]])
        return True

    def _put(self, does: Doing, key: Key, values: dict[str, Value]) -> None:
        """Write the values that are otherwise, and leave only those."""
        template, id_ = key
        memory, accepts = self.memory, self.program.fillers[template].accepts
        fact, facts = memory.facts[template][id_], memory.facts
        for name, value in [*values.items()]:
            if value is fact.values[name]:
                del values[name]
            elif not accepts[name](value, facts):
                self._refuse(does, key, {name: value})
        if values:
            memory.put(fact.with_values(values), memory.within(template, id_), tuple(values))

    def _modify(self, doing: Sequence[Doing]) -> None:
        """What is written to each fact, put together and written at once. Facts that are retracted too are left out."""
        gone = {key for does in doing for key in does.effects.retracts}
        written: dict[Key, dict[str, list[tuple[Doing, FieldWrite]]]] = {}
        for does in doing:
            for write in does.effects.writes:
                key, name = write.key, write.field
                if key in gone:
                    continue
                by_field = written.get(key)
                if by_field is None:
                    written[key] = {name: [(does, write)]}
                elif name in by_field:
                    by_field[name].append((does, write))
                else:
                    by_field[name] = [(does, write)]
        changed = {key: self._combined(key, by_field) for key, by_field in written.items()}
        for key, values in changed.items():
            for name, value in values.items():
                self._check(written[key][name][0][0], key, name, value)
            if values:
                self.memory.put(self._fact(key).with_values(values), self.memory.within(*key), tuple(values))
        for does in doing:
            does.wrote += tuple([write.key for write in does.effects.writes if write.field in changed.get(write.key, ())])

    def _combined(self, key: Key, by_field: dict[str, list[tuple[Doing, FieldWrite]]]) -> dict[str, Value]:
        """The fields of one fact that get another value."""
        old, new = self._fact(key).values, {}
        for name, pairs in by_field.items():
            first = pairs[0][1]
            if len(pairs) == 1 and first.op == "set":
                value = first.value
            else:
                value, faulty, why = combined(old[name], name, key, [write for _, write in pairs])
                if faulty >= 0:
                    pairs[faulty][0].activation.fail(why)
            if value != old[name]:
                new[name] = value
        return new

    def _check(self, does: Doing, key: Key, name: str, value: Value) -> None:
        """Refuse a value that may not be written."""
        if not self.program.fillers[key[0]].accepts[name](value, self.memory.facts):
            self._refuse(does, key, {name: value})

    def _fact(self, key: Key) -> Fact:
        fact = self.memory.get(*key)
        assert fact is not None, "targets hold when effects are evaluated, and what is retracted was left out"
        return fact

    def _refuse(self, does: Doing, key: Key, values: Mapping[str, Value]) -> None:
        why = refused(self.memory, key, values)
        if why:
            does.activation.fail(why)

    def _retract(self, doing: Sequence[Doing]) -> None:
        for does in doing:
            for key in does.effects.retracts:
                start = len(self.memory.log)
                if self.memory.get(*key) is not None:
                    self.memory.retract(*key)
                does.wrote += self._written(start)

    def _assert(self, doing: Sequence[Doing]) -> None:
        made: dict[Key, Fact] = {}
        for does in doing:
            for new in does.effects.asserts:
                name = new.template.name
                fields = filled(new.fields, does.ids)
                id_ = new.id or identity(new.template, fields, self.memory) or self.memory.new_id(name)
                filling = self.program.fillers[name]
                fact, key = filling.fill(id_, fields, self.memory), (name, id_)
                does.ids += (id_,)
                does.wrote += (key,)
                if key in made:
                    _agree(does.activation, made[key], fact)
                    continue
                if not filling.accepts_all(fields, self.memory.facts):
                    self._refuse(does, key, fact.values)
                if new.within and not self._is_there(new.within):
                    does.activation.fail(f"frame `{new.within}` has ended")
                self.memory.put(fact, new.within)
                made[key] = fact

    def _is_there(self, frame: str) -> bool:
        return any(entry.id == frame for entry in self.standing.stack) or any(id_ == frame for _, id_ in self.standing.due)

    def _written(self, start: int) -> tuple[Key, ...]:
        """The facts written since, in order."""
        return tuple([(write.template, write.id) for write in self.memory.log[start:]])

    # -------------------------------------------------------------------------------------------- frames and events

    def _leave(self, doing: Sequence[Doing]) -> None:
        for does in doing:
            for key in does.effects.leaves:
                start = len(self.memory.log)
                does.left += tuple([gone[1] for gone in self.leave(key)])
                does.wrote += self._written(start)

    def _make_due(self, doing: Sequence[Doing]) -> None:
        for does in doing:
            for call in does.effects.dues:
                id_ = self.make_due(call.procedure, filled(dict(call.fields), does.ids), does.activation)
                does.due += (id_,) if id_ else ()

    def _emit_and_begin(self, doing: Sequence[Doing], *, heard: bool) -> None:
        """Events queue up; what begins goes on top, or while an event is heard below what its hearing began earlier."""
        standing = self.standing
        emitted: list[Fact] = []
        for does in doing:
            if does.effects.emits:
                does.emitted = tuple([self._made(does, call) for call in does.effects.emits])
                emitted += does.emitted
        at = standing.base if heard else len(standing.stack)
        for does in doing:
            for call in does.effects.begins:
                frame = self._made(does, call)
                self.begin(frame, at)
                does.begun += (frame.id,)
        if not heard:
            standing.base = len(standing.stack)
            if not standing.hearing.is_new():
                standing.hearing = Visit()
        standing.events += emitted

    def _made(self, does: Doing, call: Call) -> Fact:
        """The frame or event that an activation begins or emits."""
        return self.make(call.procedure, filled(dict(call.fields), does.ids), does.activation)


def _agree(activation: Activation, made: Fact, again: Fact) -> None:
    """Two asserts of one new identity in one change must agree."""
    for name, value in again.values.items():
        if made.values[name] != value:
            activation.fail(f"`{name}` of {made.template} `{made.id}` is given two values in one change")
