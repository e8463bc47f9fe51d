"""One number for a state and for all that differ from it in names only, the same in every process.

A state is a graph: facts, frames and what has fired in a visit are its nodes, references its edges. Nodes are told
apart by colour refinement: a colour is mixed from what a node says and from the colours of its neighbours, until no
more are told apart. What is still alike is either interchangeable, or is tried one after the other and the least of
the numbers found is taken. Facts that have a name of their own (templates that are not symmetric) keep it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from hashlib import blake2b
from typing import Any

from riftrules.engine.stack import StackEntry, Standing, Visit
from riftrules.facts.memory import Fact, WorkingMemory
from riftrules.facts.types import BoolType, Call, IntType, ListType, MapType, RefType, SetType, Type, Value, WordType, canonical
from riftrules.language.model import Ruleset
from riftrules.language.model.proof_scopes import Path

MOST_TRIED = 64
SELF, GONE, STANDING, PENDING, DUE, CLOSED = 1, 2, 3, 4, 1000, 100_000
# INVARIANT: no number that is mixed is negative, since -1 and -2 have the same hash.


@cache
def number_of(text: str) -> int:
    """A text as a number that is the same in every process."""
    return int.from_bytes(blake2b(text.encode(), digest_size=7).digest(), "big")


@lru_cache(maxsize=65536, typed=True)
def _constant(value: Value) -> int:
    """A value without references as a number; a number is not a truth, nor a text."""
    return number_of(f"{type(value).__name__}:{canonical(value)!r}")


@dataclass(slots=True)
class Graph:
    """Nodes by colour, with their edges both ways: (label, other node)."""

    colours: list[int] = field(default_factory=list)
    out: list[list[tuple[int, int]]] = field(default_factory=list)
    into: list[list[tuple[int, int]]] = field(default_factory=list)

    def node(self, colour: int) -> int:
        """A new node of this colour."""
        self.colours.append(colour)
        self.out.append([])
        self.into.append([])
        return len(self.colours) - 1

    def edge(self, label: int, source: int, target: int) -> None:
        """A new edge."""
        self.out[source].append((label, target))
        self.into[target].append((label, source))

    def number(self) -> int:
        """The number of the graph, whatever the order of its nodes."""
        self.tried = 0
        return self._least(self._refined(self.colours))

    tried: int = 0

    def _refined(self, colours: Sequence[int]) -> list[int]:
        found, count = list(colours), len(set(colours))
        while True:
            found = [self._mixed(place, found) for place in range(len(found))]
            told_apart = len(set(found))
            if told_apart == count:
                return found
            count = told_apart

    def _mixed(self, place: int, colours: list[int]) -> int:
        out, into = self.out[place], self.into[place]
        if not out and not into:
            return colours[place]
        return hash(
            (
                colours[place],
                tuple(sorted([(label, colours[other]) for label, other in out])),
                tuple(sorted([(label, colours[other]) for label, other in into])),
            )
        )

    def _least(self, colours: list[int]) -> int:
        """The least number over every way to tell apart what is alike but not interchangeable."""
        cell = self._cell(colours)
        if not cell:
            return hash(tuple(sorted(colours)))
        found: list[int] = []
        for place in cell:
            self.tried += 1
            if found and self.tried > MOST_TRIED:
                break  # states that are alike may then count as two: more is looked at, nothing is left out
            marked = list(colours)
            marked[place] = hash((colours[place], SELF))
            found.append(self._least(self._refined(marked)))
        return min(found)

    def _cell(self, colours: list[int]) -> list[int]:
        """The smallest set of nodes that are alike but not interchangeable; the lowest colour where several are."""
        cells: dict[int, list[int]] = {}
        for place, colour in enumerate(colours):
            cells.setdefault(colour, []).append(place)
        alike = [(len(cell), colour, cell) for colour, cell in cells.items() if len(cell) > 1 and not self._interchangeable(cell)]
        return min(alike)[2] if alike else []

    def _interchangeable(self, cell: Sequence[int]) -> bool:
        """Whether all have the same neighbours, so that it does not matter which is which."""
        first_out, first_into = sorted(self.out[cell[0]]), sorted(self.into[cell[0]])
        return all(sorted(self.out[one]) == first_out and sorted(self.into[one]) == first_into for one in cell[1:])


class Fingerprints:
    """Makes the numbers of the states of one ruleset, blind to some fields.

    `named` are the facts there were from the beginning: they keep their names, save (with `symmetric`) those of
    symmetric templates. What has been made since has none.
    """

    def __init__(self, ruleset: Ruleset, ignored: Collection[Path], named: Iterable[Fact], *, symmetric: bool = True) -> None:
        self._fields = {
            name: tuple(
                (number, key, _referred(one.type))
                for number, (key, one) in enumerate(template.fields.items())
                if (name, key) not in ignored
            )
            for name, template in ruleset.templates.items()
        }
        nameless = {name for name, one in ruleset.templates.items() if one.key or (symmetric and one.symmetric)}
        self._named = {(fact.template, fact.id) for fact in named if fact.template not in nameless}

    def of(self, memory: WorkingMemory, standing: Standing) -> int:
        """The number of a state."""
        return _Drawing(self._fields, self._named, memory).number(standing)

    def of_facts(self, memory: WorkingMemory, standing: Standing) -> int:
        """The number of a working memory, whatever has fired to get there."""
        return _Drawing(self._fields, self._named, memory).number(standing, visits=False)


def _referred(type_: Type) -> str | None:
    """The template a value refers to; an empty text where that is open, None where it refers to nothing."""
    match type_:
        case RefType(template):
            return template
        case SetType(of) | ListType(of) | MapType(of):
            return _referred(of)
        case IntType() | BoolType() | WordType():
            return None
    return ""


class _Drawing:
    """One state being drawn as a graph."""

    def __init__(self, fields: Any, named: set[tuple[str, str]], memory: WorkingMemory) -> None:
        self.fields = fields
        self.named = named
        self.memory = memory
        self.graph = Graph()
        self.places: dict[tuple[str, str], int] = {}
        self.by_id: dict[str, int] = {}
        self.to = ""

    def number(self, standing: Standing, *, visits: bool = True) -> int:
        facts = [fact for name in self.fields for fact in self.memory.all(name)]
        for fact in facts:
            self._place(fact)
        for fact in facts:
            self._draw(fact)
        self._stack(standing, visits=visits)
        for place, event in enumerate(standing.events):
            self._values(self.graph.node(hash((number_of(event.template), place))), event)
        waiting = standing.waiting
        rule = waiting.choice.rule if waiting.choice is not None else ""
        self.graph.node(hash((STANDING, number_of(waiting.kind), number_of(rule), standing.over)))
        return self.graph.number()

    # -------------------------------------------------------------------------------------------- facts

    def _place(self, fact: Fact, kind: int = 0) -> int:
        key = (fact.template, fact.id)
        named = number_of(fact.id) if key in self.named else 0
        place = self.graph.node(hash((number_of(fact.template), named, kind)))
        self.places[key] = place
        if not named:
            self.by_id.setdefault(fact.id, place)
        return place

    def _draw(self, fact: Fact) -> None:
        place = self.places[fact.template, fact.id]
        self._values(place, fact)
        within = self.memory.within(fact.template, fact.id)
        if within and within in self.by_id:
            self.graph.edge(STANDING, place, self.by_id[within])

    def _values(self, place: int, fact: Fact) -> None:
        said = []
        for number, name, to in self.fields[fact.template]:
            value = fact.values[name]
            if to is None or value is None:
                said.append(_constant(value))
            else:
                self.to = to
                said.append(self._value(place, number, value, fact))
        self.graph.colours[place] = hash((self.graph.colours[place], *said))

    def _value(self, place: int, label: int, value: Value, fact: Fact | None) -> int:
        """What a value says besides its references, which become edges."""
        match value:
            case str():
                return self._text(place, label, value, fact)
            case frozenset():
                return hash(tuple(sorted(self._value(place, label, member, fact) for member in value)))
            case tuple():
                return hash(tuple(self._value(place, hash((label, at)), item, fact) for at, item in enumerate(value)))
            case Call(procedure, fields):
                inner = tuple(self._value(place, hash((label, number_of(name))), item, fact) for name, item in fields)
                return hash((number_of(procedure), *inner))
        return _constant(value)

    def _text(self, place: int, label: int, value: str, fact: Fact | None) -> int:
        """A text that is the id of something without a name of its own is a reference."""
        if fact is not None and value == fact.id and not self.to and (fact.template, fact.id) not in self.named:
            return SELF
        key = (self.to, value)
        if key in self.named:
            return _constant(value)
        target = self.places.get(key) if self.to else self.by_id.get(value)
        if target is None and self.to:
            target = self._gone(self.to, value)
        if target is None:
            return _constant(value)
        self.graph.edge(label, place, target)
        return 0

    def _gone(self, template: str, value: str) -> int | None:
        """A fact that is gone but still referred to is known by its last values."""
        last = self.memory.last(template, value)
        if last is None:
            return None
        place = self._place(last, GONE)
        self._values(place, last)
        self.to = template
        return place

    # -------------------------------------------------------------------------------------------- where it stands

    def _stack(self, standing: Standing, *, visits: bool) -> None:
        pending = {request.frame for request in standing.requests}
        for height, entry in enumerate(standing.stack):
            self._frame(height, entry, standing)
            if visits:
                self._visit(self.places[entry.key], entry.visit)
        for order, key in enumerate(standing.due):
            self._mark(key, DUE + order)
        for key in pending:
            if key in self.places:
                self._mark(key, hash((PENDING, key in standing.accepted)))
        if standing.events and visits:
            self._visit(self.graph.node(hash((STANDING, standing.base))), standing.hearing)

    def _frame(self, height: int, entry: StackEntry, standing: Standing) -> None:
        unstable = entry.routine.until_stable and standing.writes > entry.writes
        self._mark(entry.key, hash((height, entry.index, entry.entered, unstable)))

    def _mark(self, key: tuple[str, str], mark: int) -> None:
        place = self.places[key]
        self.graph.colours[place] = hash((self.graph.colours[place], mark))

    def _visit(self, place: int, visit: Visit) -> None:
        self.graph.colours[place] = hash((self.graph.colours[place], visit.changed_together))
        for rule, identity in visit.fired:
            self._past(place, rule, identity)
        for rule, value in visit.closed:
            self._past(place, CLOSED + rule, (value,))

    def _past(self, place: int, rule: int, identity: tuple[Value, ...]) -> None:
        node = self.graph.node(hash((PENDING, rule)))
        self.to = ""
        self.graph.edge(PENDING, place, node)
        said = tuple(self._value(node, at, value, None) if value is not None else 0 for at, value in enumerate(identity))
        self.graph.colours[node] = hash((self.graph.colours[node], *said))
