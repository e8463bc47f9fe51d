"""What a consequent would do: everything it says, evaluated on the board as it stands, before anything is written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NoReturn

from riftrules.engine.reference.matching import Bindings, Board, Key
from riftrules.engine.reference.state import Identity
from riftrules.errors import RunError
from riftrules.facts.memory import WorkingMemory, missing_ref
from riftrules.facts.types import Call, Value, fault, keyed_id
from riftrules.language.defaults import complete
from riftrules.language.model import (
    Assert,
    Begin,
    BeginEach,
    Consequent,
    Emit,
    EndGame,
    Expression,
    Leave,
    Modify,
    Position,
    Read,
    Retract,
    Rule,
    Template,
)


@dataclass(frozen=True, slots=True)
class Activation:
    """A rule with the bindings under which its conditions hold. `per` is the value its choice is grouped by."""

    rule: Rule
    env: Bindings
    identity: Identity
    standing: tuple[object, ...]

    @property
    def group(self) -> Identity:
        """The activations among which one choice picks."""
        choose = self.rule.choose
        per = self.env[choose.per] if choose is not None and choose.per is not None else None
        return self.rule.id, (per,)

    def fail(self, text: str) -> NoReturn:
        """Say that this activation cannot be carried out. Raises RunError."""
        message = f"rule `{self.rule.id}`: {text}"
        raise RunError(message, rule=self.rule.id, bindings=tuple(sorted(self.env.items())))


@dataclass(frozen=True, slots=True)
class FieldWrite:
    """One field of one fact that is there, changed."""

    key: Key
    field: str
    op: str
    value: Value
    by: Activation


@dataclass(frozen=True, slots=True)
class Unmade:
    """The id that a new fact is going to have: the fact is the plan's assert of this number, from 0."""

    number: int


@dataclass(frozen=True, slots=True)
class New:
    """A fact that is not there yet. `id` is empty where it gets one of its own; `within` a frame's id, or empty.

    Where an unmade id is part of its key, its own id is not known yet either.
    """

    template: str
    id: str
    fields: dict[str, Value]
    within: str


@dataclass(slots=True)
class Plan:
    """What one activation would do, in the order written. `env` are its bindings and the names of what it makes."""

    activation: Activation
    env: dict[str, Value]
    writes: list[FieldWrite] = field(default_factory=list)
    retracts: list[Key] = field(default_factory=list)
    asserts: list[New] = field(default_factory=list)
    leaves: list[Key] = field(default_factory=list)
    dues: list[Call] = field(default_factory=list)
    emits: list[Call] = field(default_factory=list)
    begins: list[Call] = field(default_factory=list)
    ends_game: bool = False


def plan(board: Board, activation: Activation) -> Plan:
    """Evaluate a consequent. Raises RunError where that cannot be done. `board` is strict."""
    made = Plan(activation, dict(activation.env))
    try:
        for consequent in activation.rule.then:
            _add(made, board, consequent)
    except ZeroDivisionError:
        activation.fail("the remainder by 0 is nothing")
    return made


def _add(made: Plan, board: Board, consequent: Consequent) -> None:
    activation = made.activation
    match consequent:
        case Modify(target, template, changes):
            key = _target(board, activation, target, template)
            values = [board.evaluate(change.to, activation.env) for change in changes]
            pairs = zip(changes, values, strict=True)
            made.writes += [FieldWrite(key, change.field, change.op, value, activation) for change, value in pairs]
        case Retract(target, template):
            made.retracts.append(_target(board, activation, target, template))
        case Leave(target, procedure):
            made.leaves.append(_target(board, activation, target, procedure))
        case Assert():
            _assert(made, board, consequent)
        case Emit(event, fields):
            made.emits.append(_call(board, made, event, fields))
        case Begin(procedure, fields, due):
            (made.dues if due else made.begins).append(_call(board, made, procedure, fields))
        case BeginEach(calls):
            made.begins += board.evaluate(calls, activation.env) or ()
        case EndGame():
            made.ends_game = True


def _call(board: Board, made: Plan, name: str, fields: Iterable[tuple[str, Expression]]) -> Call:
    return Call(name, tuple((field, board.evaluate(value, made.env)) for field, value in fields))


def _target(board: Board, activation: Activation, target: Read, template: str) -> Key:
    id_ = board.evaluate(target, activation.env)
    if id_ is None:
        activation.fail(f"`${target.variable}` is none")
    if board.memory.get(template, id_) is None:
        activation.fail(f"{template} `{id_}` is gone")
    return template, id_


def _assert(made: Plan, board: Board, said: Assert) -> None:
    activation, memory = made.activation, board.memory
    template = board.ruleset.templates[said.template]
    given = {name: board.evaluate(value, made.env) for name, value in said.fields}
    within = ""
    if said.within is not None:
        within = board.evaluate(said.within, activation.env)
        if within is None:
            activation.fail(f"`${said.within.variable}` is none")
    id_ = identity(template, given, memory)
    if said.called:
        made.env[said.called] = id_ or Unmade(len(made.asserts))
    if not id_ or memory.get(template.name, id_) is None:
        made.asserts.append(New(template.name, id_, given, within))
        return
    whole = complete(template, id_, given, memory)
    for name, kind in template.fields.items():
        if name not in (template.key or ()) and (name in given or not isinstance(kind.default, Position)):
            made.writes.append(FieldWrite((template.name, id_), name, "set", whole.values[name], activation))


def identity(template: Template, given: Mapping[str, Value], memory: WorkingMemory) -> str:
    """The id that the fact's fields give it; an empty text where every assert is a new fact, or part of it is unmade."""
    if template.kind == "singleton":
        return template.name
    if template.key is None:
        return ""
    values = complete(template, "", given, memory).values
    key = tuple(values[name] for name in template.key)
    return "" if any(isinstance(value, Unmade) for value in key) else keyed_id(key)


def filled(fields: Mapping[str, Value], ids: Sequence[str]) -> dict[str, Value]:
    """The fields with the ids that the new facts of their plan have got by now."""
    return {name: ids[value.number] if isinstance(value, Unmade) else value for name, value in fields.items()}


# ------------------------------------------------------------------------------------------------ combining


def combine(memory: WorkingMemory, plans: Sequence[Plan]) -> dict[Key, dict[str, Value]]:
    """The new values of the fields that change, from all that is written to each. Facts retracted too are left out."""
    gone = {key for made in plans for key in made.retracts}
    written: dict[Key, dict[str, list[FieldWrite]]] = {}
    for made in plans:
        for write in made.writes:
            if write.key not in gone:
                written.setdefault(write.key, {}).setdefault(write.field, []).append(write)
    changed: dict[Key, dict[str, Value]] = {}
    for key, by_field in written.items():
        fact = memory.get(*key)
        assert fact is not None
        new = {name: _combined(fact.values[name], writes) for name, writes in by_field.items()}
        changed[key] = {name: value for name, value in new.items() if value != fact.values[name]}
    return {key: values for key, values in changed.items() if values}


def _combined(old: Value, writes: Sequence[FieldWrite]) -> Value:
    first = writes[0]
    for number, write in enumerate(writes):
        if any(_conflict(write, earlier) for earlier in writes[:number]):
            write.by.fail(f"{_named(write.field, write.key)} is given two values in one change")
    if first.op == "set":
        return first.value
    for write in writes:
        if old is None or write.value is None:
            write.by.fail(f"{_named(write.field, write.key)} cannot be none")
    if first.op in ("plus", "minus"):
        return old + sum(write.value if write.op == "plus" else -write.value for write in writes)
    added = tuple(write.value for write in writes if write.op == "add")
    removed = {write.value for write in writes if write.op == "remove"}
    if isinstance(old, frozenset):
        return (old - removed) | set(added)
    return tuple(item for item in old if item not in removed) + added


def _conflict(one: FieldWrite, other: FieldWrite) -> bool:
    if "set" in (one.op, other.op):
        return one.op != other.op or one.value != other.value
    return {one.op, other.op} == {"add", "remove"} and one.value == other.value


def _named(field_name: str, key: Key) -> str:
    return f"`{field_name}` of {key[0]} `{key[1]}`"


# ------------------------------------------------------------------------------------------------ checking


def check(memory: WorkingMemory, activation: Activation, key: Key, values: dict[str, Value]) -> None:
    """Refuse values that the fields do not admit. Raises RunError."""
    shape = memory.shapes[key[0]]
    for name, value in values.items():
        kind = shape.fields[name]
        if value is None:
            if not kind.optional:
                activation.fail(f"{_named(name, key)} cannot be none")
            continue
        said = fault(value, kind.type)
        if said:
            activation.fail(f"{_named(name, key)}: {said}")
        missing = None if shape.keeps else missing_ref(memory, value, kind.type)
        if missing:
            activation.fail(f"{_named(name, key)}: no {missing[0]} `{missing[1]}` holds")
