"""Data packed for pages comes out as it went in."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from riftrules.report.html.packing import LIST, Packer

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3),
    max_leaves=12,
)


def unpacked(table: list[Any], place: int) -> Any:
    node = table[place]
    if not isinstance(node, list):
        return node
    if node[0] == LIST:
        return [unpacked(table, at) for at in node[1:]]
    return dict(zip(unpacked(table, node[0]), (unpacked(table, at) for at in node[1:]), strict=True))


@given(PLAIN)
def test_what_is_packed_can_be_unpacked(value: Any) -> None:
    packer = Packer()
    found = unpacked(packer.table, packer.put(value))
    assert repr(found) == repr(value)  # by text, for 1 and true are equal in Python


@given(st.lists(PLAIN, max_size=4))
def test_no_value_stands_twice(values: list[Any]) -> None:
    packer = Packer()
    for value in values:
        packer.put(value)
    texts = [repr(node) for node in packer.table]
    assert len(texts) == len(set(texts))


def test_the_same_value_has_the_same_place() -> None:
    packer = Packer()
    first = packer.put({"a": [1, 2], "b": "x"})
    assert packer.put({"a": (1, 2), "b": "x"}) == first
    assert packer.put({"a": [1, 2], "b": "y"}) != first


@given(PLAIN, PLAIN)
def test_tables_can_be_merged(one: Any, other: Any) -> None:
    first, second = Packer(), Packer()
    first.put(one)
    place = second.put(other)
    moved = first.merge(second.table)
    assert repr(unpacked(first.table, moved[place])) == repr(other)
    assert first.put(other) == moved[place]
