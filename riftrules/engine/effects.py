"""What a consequent would do: compiled once, evaluated on the board as it stands before anything is written."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, NoReturn, TypeAlias

from riftrules.engine.board import Board
from riftrules.engine.expressions import (
    Environment,
    Evaluate,
    Scope,
    compile_expression,
)
from riftrules.facts.memory import WorkingMemory
from riftrules.facts.types import Call, Value, keyed_id
from riftrules.language.defaults import complete
from riftrules.language.model import (
    Assert,
    Begin,
    BeginEach,
    Consequent,
    Emit,
    EndGame,
    Leave,
    Modify,
    Position,
    Read,
    Retract,
    Ruleset,
    Template,
)

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


@dataclass(slots=True)
class Effects:
    """All that one activation would do, each kind in the order written."""

    writes: tuple[FieldWrite, ...] = ()
    retracts: tuple[Key, ...] = ()
    asserts: tuple[NewFact, ...] = ()
    leaves: tuple[Key, ...] = ()
    dues: tuple[Call, ...] = ()
    emits: tuple[Call, ...] = ()
    begins: tuple[Call, ...] = ()
    ends_game: bool = False

    def certain(self) -> bool:
        """Whether something comes of it whatever the board holds."""
        return bool(self.emits or self.begins or self.retracts or self.asserts or self.leaves or self.ends_game)


Add: TypeAlias = Callable[[Effects, Environment, Board], None]
Find: TypeAlias = Callable[[Environment, Board], Key]
Fields: TypeAlias = Callable[[Environment, Board], tuple[tuple[str, Value], ...]]


def compile_consequents(
    consequents: Sequence[Consequent], scope: Scope, ruleset: Ruleset
) -> Callable[[Environment, Board], Effects]:
    """The consequents as one function. It raises ImpossibleError or ZeroDivisionError where they cannot be evaluated."""
    adds = tuple(_compile(consequent, scope, ruleset) for consequent in consequents)

    def evaluate(environment: Environment, board: Board) -> Effects:
        effects = Effects()
        for add in adds:
            add(effects, environment, board)
        return effects

    return evaluate


def _compile(consequent: Consequent, scope: Scope, ruleset: Ruleset) -> Add:
    match consequent:
        case Assert():
            return _assert(consequent, scope, ruleset.templates[consequent.template])
        case Modify():
            return _modify(consequent, scope)
        case Retract(target, template):
            return _retract(_target(target, template, scope))
        case Leave(target, procedure):
            return _leave(_target(target, procedure, scope))
        case Emit(event, fields):
            return _emit(event, _fields(fields, scope))
        case Begin():
            return _begin(consequent, scope)
        case BeginEach(calls):
            return _begin_each(compile_expression(calls, scope))
        case EndGame():
            return _end_game
    message = f"a consequent that does nothing by itself: {consequent!r}"
    raise TypeError(message)


def _end_game(effects: Effects, environment: Environment, board: Board) -> None:
    effects.ends_game = True


def _retract(find: Find) -> Add:
    def add(effects: Effects, environment: Environment, board: Board) -> None:
        effects.retracts += (find(environment, board),)

    return add


def _leave(find: Find) -> Add:
    def add(effects: Effects, environment: Environment, board: Board) -> None:
        effects.leaves += (find(environment, board),)

    return add


def _emit(event: str, values: Fields) -> Add:
    def add(effects: Effects, environment: Environment, board: Board) -> None:
        effects.emits += (Call(event, values(environment, board)),)

    return add


def _begin_each(calls: Evaluate) -> Add:
    def add(effects: Effects, environment: Environment, board: Board) -> None:
        effects.begins += tuple(calls(environment, board) or ())

    return add


def _begin(begin: Begin, scope: Scope) -> Add:
    name, values, due = begin.procedure, _fields(begin.fields, scope), begin.due

    def add(effects: Effects, environment: Environment, board: Board) -> None:
        call = Call(name, values(environment, board))
        if due:
            effects.dues += (call,)
        else:
            effects.begins += (call,)

    return add


def _fields(fields: Sequence[tuple[str, object]], scope: Scope) -> Fields:
    compiled = tuple((name, compile_expression(value, scope)) for name, value in fields)  # type: ignore[arg-type]
    return lambda environment, board: tuple((name, value(environment, board)) for name, value in compiled)


def _target(target: Read, template: str, scope: Scope) -> Find:
    """The fact that is changed or ends. It must hold."""
    read, variable = compile_expression(target, scope), target.variable

    def find(environment: Environment, board: Board) -> Key:
        id_ = read(environment, board)
        if id_ is None:
            _fail(f"`${variable}` is none")
        if board.memory.get(template, id_) is None:
            _fail(f"{template} `{id_}` is gone")
        return template, id_

    return find


def _modify(modify: Modify, scope: Scope) -> Add:
    find = _target(modify.target, modify.template, scope)
    changes = tuple((change.field, change.op, compile_expression(change.to, scope)) for change in modify.changes)

    def add(effects: Effects, environment: Environment, board: Board) -> None:
        key = find(environment, board)
        effects.writes += tuple([FieldWrite(key, name, op, value(environment, board)) for name, op, value in changes])

    return add


def _assert(said: Assert, scope: Scope, template: Template) -> Add:
    values = _fields(said.fields, scope)
    within = _within(said.within, scope)
    called = _place(said.called, scope)

    def add(effects: Effects, environment: Environment, board: Board) -> None:
        given = dict(values(environment, board))
        frame = within(environment, board)
        id_ = identity(template, given, board.memory)
        if called:
            environment[called] = id_ or Unmade(len(effects.asserts))
        if id_ and board.memory.get(template.name, id_) is not None:
            effects.writes += _overwrites(template, id_, given, board.memory)
        else:
            effects.asserts += (NewFact(template, id_, given, frame),)

    return add


def _place(called: str, scope: Scope) -> int:
    """Where the id of a new fact is kept for the consequents after it; 0, which is no variable's place, where nobody asks."""
    if not called:
        return 0
    scope.places[called] = scope.fresh()
    return scope.places[called]


def _within(target: Read | None, scope: Scope) -> Evaluate:
    if target is None:
        return lambda environment, board: ""
    read, variable = compile_expression(target, scope), target.variable

    def evaluate(environment: Environment, board: Board) -> Value:
        id_ = read(environment, board)
        if id_ is None:
            _fail(f"`${variable}` is none")
        return id_

    return evaluate


def identity(template: Template, given: Mapping[str, Value], memory: WorkingMemory) -> str:
    """The id that the fact's fields give it; an empty text where every assert is a new fact, or part of it is unmade."""
    if template.kind == "singleton":
        return template.name
    if template.key is None:
        return ""
    whole = given if all(name in given for name in template.key) else complete(template, "", given, memory).values
    key = tuple(whole[name] for name in template.key)
    return "" if any(type(value) is Unmade for value in key) else keyed_id(key)


def filled(fields: Mapping[str, Value], ids: Sequence[str]) -> dict[str, Value]:
    """The fields with the ids that the new facts of their activation have got by now."""
    if not ids:
        return dict(fields)
    return {name: ids[value.number] if type(value) is Unmade else value for name, value in fields.items()}


def _overwrites(template: Template, id_: str, given: Mapping[str, Value], memory: WorkingMemory) -> tuple[FieldWrite, ...]:
    """An assert of what is there sets every field but the key; a position stays as it is."""
    whole, key, keyed = complete(template, id_, given, memory).values, (template.name, id_), template.key or ()
    return tuple(
        FieldWrite(key, name, "set", whole[name])
        for name, kind in template.fields.items()
        if name not in keyed and (name in given or not isinstance(kind.default, Position))
    )


def _fail(text: str) -> NoReturn:
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
