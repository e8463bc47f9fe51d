"""Packs plain data into a table in which every distinct value stands once: boards that hardly change take hardly any room."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

LIST = -1


class Packer:
    """A table of values, each by its place.

    Texts, numbers, true, false and null stand as they are; a list is `[-1, items…]` and an object `[keys, values…]`,
    where items, keys and values are places in the table. What is packed is plain (dict, list, tuple, str, int, bool,
    None) and never changes afterwards.
    """

    def __init__(self) -> None:
        self.table: list[Any] = []
        self._places: dict[Any, int] = {}
        self._keys: dict[tuple[str, ...], int] = {}
        self._known: dict[int, tuple[Any, int]] = {}  # by identity, each kept alive so that no other takes its number

    def put(self, value: Any) -> int:
        """The place of a value in the table."""
        if isinstance(value, dict | list | tuple):
            known = self._known.get(id(value))
            if known is None:
                known = self._known[id(value)] = (value, self._composed(value))
            return known[1]
        # 1 and true are equal in Python and are not the same value
        key = value if isinstance(value, str) else (type(value), value)
        place = self._places.get(key)
        return self._add(key, value) if place is None else place

    def merge(self, table: Sequence[Any]) -> list[int]:
        """Take up the values of another table; their places here, in its order."""
        moved: list[int] = []
        for node in table:
            if isinstance(node, list):
                first, *rest = node
                key = (LIST if first == LIST else moved[first], *(moved[place] for place in rest))
                place = self._places.get(key)
                moved.append(self._add(key, list(key)) if place is None else place)
            else:
                moved.append(self.put(node))
        return moved

    def _composed(self, value: Any) -> int:
        put = self.put
        if isinstance(value, dict):
            names = tuple(value)
            keys = self._keys.get(names)
            if keys is None:
                keys = self._keys[names] = put(names)
            node = (keys, *self._all(value.values()))
        else:
            node = (LIST, *self._all(value))
        place = self._places.get(node)
        return self._add(node, list(node)) if place is None else place

    def _all(self, values: Iterable[Any]) -> Iterator[int]:
        """The places of values; of texts, which most are, without a call for each."""
        put, places = self.put, self._places
        for value in values:
            place = places.get(value) if type(value) is str else None
            yield put(value) if place is None else place

    def _add(self, key: Any, value: Any) -> int:
        self._places[key] = place = len(self.table)
        self.table.append(value)
        return place
