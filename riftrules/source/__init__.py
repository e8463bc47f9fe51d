"""Strict YAML with the place of every node: the only door to yaml.

A plain scalar stays the text that was typed (nothing is a boolean, a number or a date by its look); a quoted one is
marked as such. Tags, anchors, aliases, second documents, doubled keys and deep nesting are problems, never surprises.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import yaml

from riftrules.errors import Place, Problem
from riftrules.source.paths import MAX_BYTES as MAX_BYTES
from riftrules.source.paths import bytes_of, not_utf8
from riftrules.source.paths import is_file as is_file
from riftrules.source.paths import is_folder as is_folder
from riftrules.source.paths import missing_file as missing_file
from riftrules.source.paths import real as real
from riftrules.source.wording import MAX_DEPTH, syntax_problem

# The C parser where PyYAML was built with it; both give the same events.
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True)
class Scalar:
    """A text as typed. `quoted` is true of quoted and block scalars; `key:` with nothing behind it is an empty plain one."""

    text: str
    quoted: bool
    place: Place


@dataclass(frozen=True, slots=True)
class Items:
    """A sequence. `flow` is true where it was written in brackets."""

    items: tuple[Node, ...]
    place: Place
    flow: bool = False


@dataclass(frozen=True, slots=True)
class Entries:
    """A mapping, its pairs in the order written, no key twice."""

    pairs: tuple[tuple[Scalar, Node], ...]
    place: Place

    def get(self, key: str) -> Node | None:
        """The node under a key, or None."""
        return next((node for name, node in self.pairs if name.text == key), None)

    def keys(self) -> tuple[str, ...]:
        """The keys in the order written."""
        return tuple(name.text for name, _ in self.pairs)


Node: TypeAlias = Scalar | Items | Entries


def place_at(node: Node, key: str) -> Place:
    """Where the value of a key stands; where there is none, where the node itself does."""
    value = node.get(key) if isinstance(node, Entries) else None
    return node.place if value is None else value.place


def read(path: Path, shown: str | None = None) -> tuple[Node | None, tuple[Problem, ...]]:
    """The document in a file, or why there is none. `shown` is the path as messages say it. Raises nothing."""
    said = path.as_posix() if shown is None else shown
    data = bytes_of(path, said)
    if isinstance(data, Problem):
        return None, (data,)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return None, (not_utf8(data, error, said),)
    return parse(text, said)


def parse(text: str, shown: str) -> tuple[Node | None, tuple[Problem, ...]]:
    """The document in a text, or why there is none.

    With a doubled key (the first value counts), a tag or an anchor (ignored) the document is given beside the problems.
    """
    building = _Building(shown)
    try:
        for event in yaml.parse(text.removeprefix("\ufeff"), Loader=_LOADER):
            building.take(event)
    except _StopReading:
        return None, tuple(building.problems)
    except (yaml.YAMLError, UnicodeError) as error:
        return None, (*building.problems, syntax_problem(error, text, shown))
    return building.result()


class _StopReading(Exception):  # noqa: N818 - a signal within this module, not an error
    """The rest of the document cannot be read."""


@dataclass(slots=True)
class _Open:
    """A sequence or mapping whose end has not come yet."""

    place: Place
    mapping: bool
    flow: bool
    items: list[Node] = field(default_factory=list)
    pairs: dict[str, tuple[Scalar, Node]] = field(default_factory=dict)
    key: Scalar | None = None

    def node(self) -> Node:
        return (
            Entries(tuple(self.pairs.values()), self.place) if self.mapping else Items(tuple(self.items), self.place, self.flow)
        )


class _Building:
    """Builds one document from the event stream, without recursion."""

    def __init__(self, shown: str) -> None:
        self.shown = shown
        self.problems: list[Problem] = []
        self.open: list[_Open] = []
        self.root: Node | None = None
        self.documents = 0

    def result(self) -> tuple[Node | None, tuple[Problem, ...]]:
        empty = self.root is None or (isinstance(self.root, Scalar) and not self.root.text and not self.root.quoted)
        if empty and not self.problems:
            hint = "write the document, or delete the file"
            self.problems.append(Problem(Place(self.shown), "empty-file", "nothing is in this file", hint))
        return (None if empty else self.root), tuple(self.problems)

    def take(self, event: Any) -> None:
        match event:
            case yaml.DocumentStartEvent():
                self._document(self._place(event))
            case yaml.AliasEvent():
                self._anchored(self._place(event))
                raise _StopReading
            case yaml.ScalarEvent():
                self._named(event)
                self._add(Scalar(event.value, event.style not in (None, ""), self._place(event)))
            case yaml.MappingStartEvent() | yaml.SequenceStartEvent():
                self._named(event)
                self._begin(_Open(self._place(event), isinstance(event, yaml.MappingStartEvent), bool(event.flow_style)))
            case yaml.MappingEndEvent() | yaml.SequenceEndEvent():
                self._add(self.open.pop().node())

    def _document(self, place: Place) -> None:
        self.documents += 1
        if self.documents > 1:
            self._problem(
                place, "many-documents", "a second document begins here", "one file holds one document: write a second file"
            )
            raise _StopReading

    def _begin(self, opened: _Open) -> None:
        if len(self.open) >= MAX_DEPTH:
            self._problem(opened.place, "too-deep", f"more than {MAX_DEPTH} levels are nested in each other", "write it flatter")
            raise _StopReading
        self.open.append(opened)

    def _add(self, node: Node) -> None:
        if not self.open:
            self.root = node
            return
        holder = self.open[-1]
        if not holder.mapping:
            holder.items.append(node)
        elif holder.key is None:
            holder.key = self._key(node)
        else:
            self._pair(holder, holder.key, node)
            holder.key = None

    def _key(self, node: Node) -> Scalar:
        if not isinstance(node, Scalar):
            self._problem(
                node.place, "bad-key", "a key is a text, not a list or a mapping", "quote it if its brackets belong to it"
            )
            raise _StopReading
        if not node.text:
            self._problem(node.place, "bad-key", "there is no key before this `:`", "write one, or take the `:` away")
        return node

    def _pair(self, holder: _Open, key: Scalar, node: Node) -> None:
        first = holder.pairs.setdefault(key.text, (key, node))[0]
        if first is not key:
            said = f"`{key.text}` is here twice: it stands at {first.place} already"
            self._problem(key.place, "doubled-key", said, "keep one of them")

    def _named(self, event: Any) -> None:
        if event.anchor is not None:
            self._anchored(self._place(event))
        if event.tag is not None:
            said = f"tags (`{event.tag}`) are not part of the language"
            self._problem(self._place(event), "tag", said, "quote the text if the `!` belongs to it")

    def _anchored(self, place: Place) -> None:
        hint = "write it out; quote the text if the `&` or `*` belongs to it"
        self._problem(place, "anchor", "anchors and aliases are not part of the language", hint)

    def _place(self, event: Any) -> Place:
        return Place(self.shown, event.start_mark.line + 1, event.start_mark.column + 1)

    def _problem(self, place: Place, code: str, message: str, hint: str) -> None:
        self.problems.append(Problem(place, code, message, hint))
