"""Facts and the working memory that holds them: immutable, in one canonical order, undoable."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from riftrules.facts.types import ListType, MapType, RefType, SetType, Shape, Type, Value, id_order, value_order


@dataclass(frozen=True, slots=True, eq=False, init=False)
class Fact:
    """One fact as it stands: its template, its id, and a value for every field. `values` is never changed."""

    template: str
    id: str
    values: Mapping[str, Value]

    def __init__(self, template: str, id: str, values: Mapping[str, Value]) -> None:  # noqa: A002 - the name of the field
        # As a frozen dataclass does it, but for going by way of `object.__setattr__`, which takes three times as long.
        _set_template(self, template)
        _set_id(self, id)
        _set_values(self, values)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Fact):
            return NotImplemented
        return self.template == other.template and self.id == other.id and self.values == other.values

    def __hash__(self) -> int:
        return hash((self.template, self.id))

    def __reduce__(self) -> tuple[type[Fact], tuple[str, str, Mapping[str, Value]]]:
        # Without it, what is frozen and compiled can be pickled but not be read again.
        return Fact, (self.template, self.id, self.values)

    def with_values(self, changed: Mapping[str, Value]) -> Fact:
        """The same fact with some fields changed."""
        return Fact(self.template, self.id, {**self.values, **changed})

    def __str__(self) -> str:
        return f"{self.template} {self.id}" if self.id else self.template


_set_template, _set_id, _set_values = (vars(Fact)[name].__set__ for name in ("template", "id", "values"))


class Write(NamedTuple):
    """One change of working memory and what undoes it: a fact before and after (None where it was or is not there).

    `fields` are those that have another value; there are none where it has come or gone.
    """

    template: str
    id: str
    before: Fact | None
    after: Fact | None
    fields: tuple[str, ...]
    gone_before: Fact | None
    within_before: str
    within: str


_write = tuple.__new__  # what the call of a named tuple comes to, in half the time


class WorkingMemory:
    """The facts that hold, one current value per identity, with every change kept so that it can be undone.

    Frames are facts too (of the procedure's name). `within` is the id of the frame whose end takes a fact away.
    """

    def __init__(self, shapes: Mapping[str, Shape]) -> None:
        self.shapes = shapes
        self.log: list[Write] = []
        self._facts: dict[str, dict[str, Fact]] = {name: {} for name in shapes}
        self._gone: dict[tuple[str, str], Fact] = {}
        self._within: dict[tuple[str, str], str] = {}
        self._counters: dict[str, int] = {}
        self._numbered: list[tuple[str, int]] = []
        self._sorted: dict[str, tuple[Fact, ...]] = {}
        self._referring = _referring_fields(shapes)

    @property
    def facts(self) -> Mapping[str, Mapping[str, Fact]]:
        """The facts that hold, by template and id; the same mappings for as long as there is this memory."""
        return self._facts

    def get(self, template: str, id_: str) -> Fact | None:
        """The fact that holds under this identity, if there is one."""
        return self._facts[template].get(id_)

    def last(self, template: str, id_: str) -> Fact | None:
        """The fact under this identity, or what it was when it went."""
        found = self._facts[template].get(id_)
        return found if found is not None else self._gone.get((template, id_))

    def all(self, template: str) -> tuple[Fact, ...]:
        """The facts of a template in the natural order of their ids."""
        found = self._sorted.get(template)
        if found is None:
            found = tuple(sorted(self._facts[template].values(), key=lambda fact: id_order(fact.id)))
            self._sorted[template] = found
        return found

    def count(self, template: str) -> int:
        """How many facts of the template hold."""
        return len(self._facts[template])

    def within(self, template: str, id_: str) -> str:
        """The id of the frame this fact goes with, or an empty text."""
        return self._within.get((template, id_), "")

    def owned(self, frame: str) -> tuple[tuple[str, str], ...]:
        """The (template, id) of the facts that go with this frame, by template name and then by id."""
        found = [key for key, owner in self._within.items() if owner == frame] if self._within else ()
        return tuple(sorted(found, key=lambda key: (key[0], id_order(key[1]))))

    def __iter__(self) -> Iterator[Fact]:
        """Every fact, by template name and then by id."""
        for template in sorted(self._facts):
            yield from self.all(template)

    def new_id(self, template: str) -> str:
        """An id no fact of the template has had in this session, like `template-1`."""
        before = self._counters.get(template, 0)
        number = before + 1
        found = f"{template}-{number}"
        while found in self._facts[template] or (template, found) in self._gone:
            number += 1
            found = f"{template}-{number}"
        self._counters[template] = number
        self._numbered.append((template, before))
        return found

    def put(self, fact: Fact, within: str = "", fields: tuple[str, ...] | None = None) -> None:
        """Let this fact hold, in place of the one under its identity if there is one.

        `fields` are those in which it differs from that one, where they are known.
        """
        self._change(fact.template, fact.id, fact, within, fields)

    def remove(self, template: str, id_: str) -> None:
        """Let the fact under this identity hold no longer; nothing else is touched."""
        self._change(template, id_, None, "", ())

    def retract(self, template: str, id_: str) -> None:
        """Remove a fact with all that hangs on it.

        Facts with a required reference to it go too, optional references become none, sets, lists and maps lose it.
        Frames and events keep theirs.
        """
        self.remove(template, id_)
        for holder, field in self._referring.get(template, ()):
            for fact in self.all(holder):
                if self.get(holder, fact.id) is fact:
                    self._let_go(fact, field, id_)

    def _let_go(self, fact: Fact, field: str, gone: str) -> None:
        shape = self.shapes[fact.template].fields[field]
        value = fact.values[field]
        if isinstance(shape.type, RefType):
            if value != gone:
                return
            if not shape.optional:
                self.retract(fact.template, fact.id)
                return
            left: Value = None
        else:
            left = without(value, gone, shape.type)
        if left != value:
            self.put(fact.with_values({field: left}), self.within(fact.template, fact.id), (field,))

    def _change(self, template: str, id_: str, after: Fact | None, within: str, fields: tuple[str, ...] | None) -> None:
        key = (template, id_)
        before, owner = self._facts[template].get(id_), self._within.get(key, "") if self._within else ""
        if fields is None:
            fields = () if before is None or after is None else _differing(before.values, after.values)
        self.log.append(_write(Write, (template, id_, before, after, fields, self._gone.get(key), owner, within)))
        self._set(key, before, after, owner, within)

    def _set(self, key: tuple[str, str], before: Fact | None, after: Fact | None, owner: str, within: str) -> None:
        """Let a fact hold in place of what was there, within a frame in place of the one that owned it."""
        template, id_ = key
        if template in self._sorted:
            del self._sorted[template]
        if after is not None:
            self._facts[template][id_] = after
        elif before is not None:
            del self._facts[template][id_]
            self._gone[key] = before
        if within:
            self._within[key] = within
        elif owner:
            del self._within[key]

    def mark(self) -> tuple[int, int]:
        """A point to go back to: the lengths of the logs of writes and of ids."""
        return len(self.log), len(self._numbered)

    def undo(self, mark: tuple[int, int]) -> None:
        """Go back to a mark: facts, ownership and ids. What had not yet gone at the mark has not gone."""
        length, numbered = mark
        while len(self.log) > length:
            template, id_, before, after, _, gone, owner, within = self.log.pop()
            key = template, id_
            self._set(key, after, before, within, owner)
            if gone is not None:
                self._gone[key] = gone
            elif key in self._gone:
                del self._gone[key]
        while len(self._numbered) > numbered:
            template, number = self._numbered.pop()
            self._counters[template] = number


def _differing(before: Mapping[str, Value], after: Mapping[str, Value]) -> tuple[str, ...]:
    """The fields with another value."""
    return tuple([name for name, value in before.items() if after[name] is not value and after[name] != value])


def missing_ref(memory: WorkingMemory, value: Value, type_: Type) -> tuple[str, str] | None:
    """The (template, id) of a fact that the value refers to and that does not hold, if there is one."""
    match type_:
        case RefType(template, words):
            return None if value in words or memory.get(template, value) is not None else (template, value)
        case SetType(of) | ListType(of):
            found = (missing_ref(memory, item, of) for item in sorted(value, key=value_order))
            return next((one for one in found if one), None)
        case MapType(key):
            found = (missing_ref(memory, pair[0], key) for pair in value)
            return next((one for one in found if one), None)
    return None


def without(value: Value, gone: str, type_: Type) -> Value:
    """A set, list or map without one id."""
    match type_:
        case SetType():
            return value - {gone}
        case ListType():
            return tuple(item for item in value if item != gone)
        case MapType():
            return tuple(pair for pair in value if pair[0] != gone)
    return value


def _referring_fields(shapes: Mapping[str, Shape]) -> dict[str, tuple[tuple[str, str], ...]]:
    """For each template, the (template, field) pairs that may refer to its facts and must let go of them."""
    found: dict[str, list[tuple[str, str]]] = {}
    for name, shape in shapes.items():
        if shape.keeps:
            continue
        for field, field_shape in shape.fields.items():
            for target in _targets(field_shape.type):
                found.setdefault(target, []).append((name, field))
    return {target: tuple(holders) for target, holders in found.items()}


def _targets(type_: Type) -> Iterator[str]:
    match type_:
        case RefType(template):
            yield template
        case SetType(of) | ListType(of):
            yield from _targets(of)
        case MapType(key):
            yield from _targets(key)
