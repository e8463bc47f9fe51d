"""What a consequent would do: evaluated on the board as it stands before anything is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, NoReturn, TypeAlias

from riftrules.facts.memory import WorkingMemory
from riftrules.facts.types import Call, Value, keyed_id
from riftrules.language.defaults import complete
from riftrules.language.model import Position, Template

Key: TypeAlias = tuple[str, str]
"""(template, id)"""


class ImpossibleError(Exception):
    """A consequent cannot be carried out, for the reason given."""


class FieldWrite(NamedTuple):
    """One field of one fact that is there, changed."""

    key: Key
    field: str
    op: str
    value: Value


@dataclass(frozen=True, slots=True)
class Unmade:
    """The id that a new fact is going to have: the fact is the activation's assert of this number, from 0."""

    number: int


class NewFact(NamedTuple):
    """A fact that is not there yet. `id` is empty where it gets one of its own; `within` is a frame's id, or empty.

    Where an unmade id is part of its key, its own id is not known yet either.
    """

    template: Template
    id: str
    fields: Mapping[str, Value]
    within: str


class Effects:
    """All that one activation would do, each kind in the order written."""

    __slots__ = ("asserts", "begins", "dues", "emits", "ends_game", "leaves", "retracts", "writes")

    def __init__(
        self,
        *,
        writes: tuple[FieldWrite, ...] = (),
        retracts: tuple[Key, ...] = (),
        asserts: tuple[NewFact, ...] = (),
        leaves: tuple[Key, ...] = (),
        dues: tuple[Call, ...] = (),
        emits: tuple[Call, ...] = (),
        begins: tuple[Call, ...] = (),
        ends_game: bool = False,
    ) -> None:
        self.writes = writes
        self.retracts = retracts
        self.asserts = asserts
        self.leaves = leaves
        self.dues = dues
        self.emits = emits
        self.begins = begins
        self.ends_game = ends_game

    def certain(self) -> bool:
        """Whether something comes of it whatever the board holds."""
        return bool(self.emits or self.begins or self.retracts or self.asserts or self.leaves or self.ends_game)


def asserting(
    template: Template, given: Mapping[str, Value], within: str, number: int, memory: WorkingMemory
) -> tuple[tuple[FieldWrite, ...], tuple[NewFact, ...], str | Unmade]:
    """What an assert comes to: fields of the fact that is there under its identity, or a new fact; and its id.

    `number` is how many new facts there are before it.
    """
    id_ = identity(template, given, memory)
    if id_ and memory.get(template.name, id_) is not None:
        return _overwrites(template, id_, given, memory), (), id_
    return (), (NewFact(template, id_, given, within),), id_ or Unmade(number)


def identity(template: Template, given: Mapping[str, Value], memory: WorkingMemory) -> str:
    """The id that the fact's fields give it; an empty text where every assert is a new fact, or part of it is unmade."""
    if template.kind == "singleton":
        return template.name
    if template.key is None:
        return ""
    key, whole = [], given
    for name in template.key:
        if name not in whole:
            whole = complete(template, "", given, memory).values
        value = whole[name]
        if type(value) is Unmade:
            return ""
        key.append(value)
    return keyed_id(key)


def filled(fields: Mapping[str, Value], ids: Sequence[str]) -> dict[str, Value]:
    """The fields with the ids that the new facts of their activation have got by now."""
    if not ids:
        return fields if isinstance(fields, dict) else dict(fields)
    return {name: ids[value.number] if type(value) is Unmade else value for name, value in fields.items()}


def _overwrites(template: Template, id_: str, given: Mapping[str, Value], memory: WorkingMemory) -> tuple[FieldWrite, ...]:
    """An assert of what is there sets every field but the key; a position stays as it is."""
    whole, key, keyed = complete(template, id_, given, memory).values, (template.name, id_), template.key or ()
    return tuple(
        FieldWrite(key, name, "set", whole[name])
        for name, kind in template.fields.items()
        if name not in keyed and (name in given or not isinstance(kind.default, Position))
    )


def fail(text: str) -> NoReturn:
    """A consequent cannot be carried out."""
    raise ImpossibleError(text)


# ------------------------------------------------------------------------------------------------ combining


def combined(old: Value, field: str, key: Key, writes: Sequence[FieldWrite]) -> tuple[Value, int, str]:
    """The new value of a field from all that is written to it; or which write cannot be, and why."""
    for number, write in enumerate(writes):
        if any(_conflict(write, earlier) for earlier in writes[:number]):
            return None, number, f"`{field}` of {key[0]} `{key[1]}` is given two values in one change"
    if writes[0].op == "set":
        return writes[0].value, -1, ""
    for number, write in enumerate(writes):
        if old is None or write.value is None:
            return None, number, f"`{field}` of {key[0]} `{key[1]}` cannot be none"
    return _apply(old, writes), -1, ""


def _apply(old: Value, writes: Sequence[FieldWrite]) -> Value:
    if writes[0].op in {"plus", "minus"}:
        return old + sum(write.value if write.op == "plus" else -write.value for write in writes)
    added = tuple(write.value for write in writes if write.op == "add")
    removed = {write.value for write in writes if write.op == "remove"}
    if isinstance(old, frozenset):
        return (old - removed) | set(added)
    return tuple(item for item in old if item not in removed) + added


def _conflict(one: FieldWrite, other: FieldWrite) -> bool:
    if "set" in {one.op, other.op}:
        return one.op != other.op or bool(one.value != other.value)
    return {one.op, other.op} == {"add", "remove"} and bool(one.value == other.value)


def differs(old: Value, op: str, value: Value) -> bool:
    """Whether one `plus`, `minus`, `add` or `remove` gives a field another value. What cannot be carried out counts."""
    if old is None or value is None:
        return True
    return bool(_apply(old, (FieldWrite(("", ""), "", op, value),)) != old)


def writes_something(effects: Effects, memory: WorkingMemory) -> bool:
    """Whether the writes of one activation give any field another value. What cannot be carried out counts."""
    if len(effects.writes) == 1:
        (write,) = effects.writes
        return _is_new(memory, write.key, write.field, (write,))
    by_field: dict[tuple[Key, str], list[FieldWrite]] = {}
    for write in effects.writes:
        by_field.setdefault((write.key, write.field), []).append(write)
    return any(_is_new(memory, key, name, writes) for (key, name), writes in by_field.items())


def _is_new(memory: WorkingMemory, key: Key, name: str, writes: Sequence[FieldWrite]) -> bool:
    fact = memory.get(*key)
    assert fact is not None, "its target held when the effects were evaluated"
    value, faulty, _ = combined(fact.values[name], name, key, writes)
    return faulty >= 0 or value != fact.values[name]
