"""Working memory: identity, cascades, ids, and undo to any mark."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riftrules.facts.memory import Fact, WorkingMemory
from riftrules.facts.types import FieldShape, IntType, ListType, MapType, RefType, SetType, Shape, TextType, id_order, keyed_id

SHAPES = {
    "room": Shape("room", {"name": FieldShape(TextType())}),
    "lamp": Shape("lamp", {"at": FieldShape(RefType("room", ("store",))), "next": FieldShape(RefType("lamp"), optional=True)}),
    "list": Shape(
        "list",
        {
            "lamps": FieldShape(ListType(RefType("lamp"))),
            "seen": FieldShape(SetType(RefType("lamp"))),
            "share": FieldShape(MapType(RefType("lamp"), IntType())),
        },
    ),
    "task": Shape("task", {"lamp": FieldShape(RefType("lamp"))}, keeps=True),
}


def lamp(name: str, at: str = "store", following: str | None = None) -> Fact:
    return Fact("lamp", name, {"at": at, "next": following})


@pytest.fixture
def memory() -> WorkingMemory:
    memory = WorkingMemory(SHAPES)
    memory.put(Fact("room", "hall", {"name": "hall"}))
    for fact in (lamp("a", "hall"), lamp("b", "store", "a"), lamp("c", "hall", "b")):
        memory.put(fact)
    memory.put(Fact("list", "all", {"lamps": ("a", "b", "a"), "seen": frozenset({"a", "c"}), "share": (("a", 1), ("b", 2))}))
    memory.put(Fact("task", "task-1", {"lamp": "a"}))
    return memory


def test_what_refers_to_a_retracted_fact_lets_go_of_it(memory: WorkingMemory) -> None:
    memory.retract("lamp", "a")
    assert memory.get("lamp", "a") is None
    assert memory.get("lamp", "b") == lamp("b")
    assert memory.get("list", "all") == Fact("list", "all", {"lamps": ("b",), "seen": frozenset({"c"}), "share": (("b", 2),)})


def test_a_frame_keeps_what_is_gone_and_reads_its_last_values(memory: WorkingMemory) -> None:
    memory.retract("lamp", "a")
    assert memory.get("task", "task-1") == Fact("task", "task-1", {"lamp": "a"})
    assert memory.last("lamp", "a") == lamp("a", "hall")


def test_a_required_reference_takes_its_fact_along_and_so_on(memory: WorkingMemory) -> None:
    memory.retract("room", "hall")
    assert [fact.id for fact in memory.all("lamp")] == ["b"]
    assert memory.get("lamp", "b") == lamp("b")


def test_ids_are_new_and_undone(memory: WorkingMemory) -> None:
    mark = memory.mark()
    assert [memory.new_id("lamp"), memory.new_id("lamp")] == ["lamp-1", "lamp-2"]
    memory.put(lamp("lamp-3"))
    assert memory.new_id("lamp") == "lamp-4"
    memory.undo(mark)
    assert memory.new_id("lamp") == "lamp-1"


def test_ids_compare_numbers_as_numbers() -> None:
    assert sorted(["unit-10", "unit-9", "b", "unit-1"], key=id_order) == ["b", "unit-1", "unit-9", "unit-10"]


def test_two_keys_never_make_one_id() -> None:
    assert keyed_id(("a, b", "c")) != keyed_id(("a", "b, c"))


def _snapshot(memory: WorkingMemory) -> object:
    known = [(name, f"{name}-{n}") for name in SHAPES for n in range(4)]
    return list(memory), [(memory.last(*one), memory.within(*one)) for one in known]


def _step(memory: WorkingMemory, pick: random.Random) -> None:
    template = pick.choice(("room", "lamp", "list"))
    id_ = f"{template}-{pick.randrange(4)}"
    if pick.random() < 0.3 and memory.get(template, id_):
        memory.retract(template, id_)
        return
    rooms = [fact.id for fact in memory.all("room")] or ["store"]
    lamps = [fact.id for fact in memory.all("lamp")]
    some = tuple(pick.choice(lamps) for _ in range(pick.randrange(3))) if lamps else ()
    values = {
        "room": {"name": str(pick.randrange(3))},
        "lamp": {"at": pick.choice(rooms), "next": pick.choice([*lamps, None])},
        "list": {"lamps": some, "seen": frozenset(some), "share": tuple((one, 1) for one in sorted(set(some)))},
    }[template]
    memory.put(Fact(template, id_, values), pick.choice(("", "task-1")))


@given(st.integers(0, 10_000), st.integers(1, 30), st.integers(0, 30))
def test_undo_to_any_mark_gives_the_memory_as_it_was(seed: int, steps: int, back: int) -> None:
    pick = random.Random(seed)
    memory = WorkingMemory(SHAPES)
    marks = []
    for _ in range(steps):
        marks.append((memory.mark(), _snapshot(memory)))
        _step(memory, pick)
    mark, before = marks[min(back, len(marks) - 1)]
    memory.undo(mark)
    assert _snapshot(memory) == before
