"""Strict YAML with the place of every node: the only door to yaml.

A plain scalar stays the text that was typed (nothing is a boolean, a number or a date by its look); a quoted one is
marked as such. Tags, anchors, aliases, second documents, doubled keys and deep nesting are problems, never surprises.
"""

from __future__ import annotations

import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import yaml

from riftrules.errors import Place, Problem

MAX_BYTES = 5_000_000
MAX_DEPTH = 64

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
    data = _bytes(path, said)
    if isinstance(data, Problem):
        return None, (data,)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return None, (_not_utf8(data, error, said),)
    return parse(text, said)


def is_file(path: Path) -> bool:
    """Whether there is a file; a path that the system refuses, too long a name among them, names none."""
    try:
        return path.is_file()
    except OSError:
        return False


def is_folder(path: Path) -> bool:
    """Whether there is a folder; a path that the system refuses names none."""
    try:
        return path.is_dir()
    except OSError:
        return False


def real(path: Path) -> Path:
    """The path with its links followed, as far as they lead anywhere."""
    try:
        return path.resolve()
    except (OSError, RuntimeError):  # a ring of links: OSError from Python 3.13 on
        return path.absolute()


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
        return None, (*building.problems, _syntax(error, text, shown))
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


# ------------------------------------------------------------------------------------------------ files


def _bytes(path: Path, shown: str) -> bytes | Problem:
    """What the file holds, or the problem why it cannot be read."""
    place = Place(shown)
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            return Problem(place, "directory", "this is a folder, not a file", "name a file in it")
        if not stat.S_ISREG(mode):  # a pipe or a device might never end
            return Problem(place, "unreadable", "this is not a plain file", "copy what it holds into one")
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except FileNotFoundError:
        return missing_file(place, path)
    except (OSError, ValueError) as error:
        why = (getattr(error, "strerror", None) or "it has an impossible name").lower()
        return Problem(place, "unreadable", f"this file cannot be read: {why}", "look at its name and permissions")
    if len(data) > MAX_BYTES:
        return Problem(place, "too-large", f"this file is larger than {MAX_BYTES // 1_000_000} MB", "split it into several files")
    return data


def missing_file(place: Place, path: Path) -> Problem:
    """That there is no such file; of a link, where it should lead."""
    if not path.is_symlink():
        return Problem(place, "missing-file", "there is no such file", "look at the path")
    said = f"this link leads nowhere: there is no `{path.readlink().as_posix()}`"
    return Problem(place, "missing-file", said, "take it away, or bring back what it leads to")


def _not_utf8(data: bytes, error: UnicodeDecodeError, shown: str) -> Problem:
    before = data[: error.start]
    line_start = before.rfind(b"\n") + 1
    column = len(before[line_start:].decode("utf-8", "replace")) + 1
    place = Place(shown, before.count(b"\n") + 1, column)
    return Problem(place, "not-utf-8", "this file is not UTF-8 from here on", "save it as UTF-8 (without a choice of code page)")


# ------------------------------------------------------------------------------------------------ syntax

_WORDS: tuple[tuple[str, str, str], ...] = (
    (
        "mapping values are not allowed",
        "a `:` stands where no key can be",
        "quote a text that has `: ` in it; look at the indentation",
    ),
    (
        "could not find expected ':'",
        "this should be a key with a `:` behind it",
        "write `key: value`; indent a text of several lines",
    ),
    ("did not find expected ',' or '}'", "a `{` is not closed before this", "put a `,` between entries and a `}` at the end"),
    ("did not find expected ',' or ']'", "a `[` is not closed before this", "put a `,` between items and a `]` at the end"),
    (
        "did not find expected key",
        "this does not belong to the mapping above it",
        "indent it like its neighbours; look for a stray quote or bracket",
    ),
    (
        "did not find expected '-' indicator",
        "this does not belong to the list above it",
        "begin it with `- `, or indent it like its neighbours",
    ),
    ("did not find expected node content", "a value is missing here", "write one, or take the comma or bracket away"),
    ("unexpected end of stream", "a quoted text is never closed", "close the quote"),
    ("unexpected document indicator", "a quoted text is never closed", "close the quote"),
    ("escape character", "a `\\` in double quotes is followed by no known letter", "use single quotes, or write `\\\\`"),
    ("hexdecimal number", "a `\\` in double quotes is followed by no known number", "use single quotes, or write `\\\\`"),
    ("entries are not allowed", "a `- ` stands where no list can be", "begin the list on a line of its own"),
    ("mapping keys are not allowed", "a `? ` stands where no key can be", "write `key: value`"),
    (
        "alphabetic or numeric character",
        "anchors and aliases are not part of the language",
        "quote the text if the `&` or `*` belongs to it",
    ),
    ("tab character", "a tab is used to indent", "indent with spaces"),
    (
        "invalid leading utf-8",
        "there is a character here that no text may hold",
        "take it away, or write it as an escape in double quotes",
    ),
    ("control characters", "there is a control character here", "take it away, or write it as an escape in double quotes"),
    ("surrogates", "there is half a character here", "type it anew"),
    ("special characters", "there is a control character here", "take it away, or write it as an escape in double quotes"),
    ("tag", "tags are not part of the language", "quote the text if the `!` belongs to it"),
    ("<document start>", "the document has ended before this", "indent it like the lines above; one file holds one document"),
    ("directive", "a line that begins with `%` is not part of the language", "quote the text if the `%` belongs to it"),
    ("exceeded max", f"more than {MAX_DEPTH} levels are nested in each other", "write it flatter"),
)


def _syntax(error: Exception, text: str, shown: str) -> Problem:
    """A syntax error in our words."""
    theirs = str(getattr(error, "problem", None) or getattr(error, "reason", None) or error)
    place = _error_place(error, text, shown)
    if "cannot start any token" in theirs:
        return _bad_start(text, place)
    for part, message, hint in _WORDS:
        if part in theirs:
            return Problem(place, "syntax", message, hint + _opening(error, message))
    return Problem(place, "syntax", f"this is not YAML: {theirs}", "look at quotes, brackets and indentation here")


def _opening(error: Exception, message: str) -> str:
    """Where the bracket that is not closed was opened."""
    mark = getattr(error, "context_mark", None)
    return f" (it opens in line {mark.line + 1}, column {mark.column + 1})" if mark and "not closed" in message else ""


def _bad_start(text: str, place: Place) -> Problem:
    """The scanner met a character with which no text may begin."""
    character = next(iter(_line(text, place.line)[place.column - 1 :]), "")
    if character == "\t":
        return Problem(place, "syntax", "a tab is used to indent", "indent with spaces")
    return Problem(place, "syntax", f"a text cannot begin with {character!r} unless it is quoted".replace("'", "`"), "quote it")


def _line(text: str, number: int) -> str:
    return next((line for count, line in enumerate(_lines(text), 1) if count == number), "")


def _lines(text: str) -> Iterator[str]:
    yield from text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _error_place(error: Exception, text: str, shown: str) -> Place:
    """Where a syntax error is: the quote's beginning where a quote is never closed."""
    theirs = str(getattr(error, "problem", ""))
    mark = getattr(error, "problem_mark", None)
    begun = getattr(error, "context_mark", None)
    if begun is not None and "quoted scalar" in str(getattr(error, "context", "")) and "unexpected" in theirs:
        mark = begun
    if mark is not None:
        return Place(shown, mark.line + 1, mark.column + 1)
    offset = getattr(error, "position", getattr(error, "start", None))
    return _offset_place(text, offset if isinstance(offset, int) else 0, shown)


def _offset_place(text: str, offset: int, shown: str) -> Place:
    """The place of a character, for errors that give only its distance from the beginning."""
    before = text[:offset]
    return Place(shown, before.count("\n") + 1, offset - (before.rfind("\n") + 1) + 1)
