"""Says a scene in words: what the picture shows, no more and no less, each value known by its fact and field."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from riftrules.report.scene import Part, Scene, Seat


@dataclass(frozen=True, slots=True)
class Said:
    """A value as it is said, and where it comes from: `field` is empty for a fact as a whole."""

    text: str
    template: str
    id: str
    field: str = ""


Words: TypeAlias = tuple[str | Said, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """One sentence of a description: what it is about, and what is said of it."""

    about: Words
    words: Words

    def __str__(self) -> str:
        return f"{plain(self.about)}: {plain(self.words)}."


def plain(words: Words) -> str:
    """The words alone."""
    return "".join(word if isinstance(word, str) else word.text for word in words)


def in_words(scene: Scene) -> tuple[Line, ...]:
    """The scene as lines, from the far side of the board to the near one."""
    return Describer().lines(scene)


class Describer:
    """Describes scene after scene; the line on a part that has not changed is the same line."""

    def __init__(self) -> None:
        self._said: dict[tuple[int, str], tuple[Part, Line]] = {}

    def lines(self, scene: Scene) -> tuple[Line, ...]:
        """The scene as lines, from the far side of the board to the near one."""
        return tuple(self._lines(scene))

    def _lines(self, scene: Scene) -> Iterator[Line]:
        if scene.turn is not None:
            yield self._line("", scene.turn, _plainly)
        for seat in scene.far:
            yield from self._seat(seat, scene.home)
        for place in scene.places:
            yield self._line("", place, _place)
        for name, parts in scene.lists:
            if parts:
                yield Line((name,), _things(parts, owned=False))
        for seat in scene.near:
            yield from self._seat(seat, scene.home)
        for part in scene.others:
            yield self._line("also", part, _also)

    def _seat(self, seat: Seat, home: str) -> Iterator[Line]:
        yield self._line("", seat.part, _plainly)
        if home:
            yield self._line(home, seat.part, lambda part: Line((f"{home} of ", _whole(part)), _things(part.parts, owned=False)))

    def _line(self, kind: str, part: Part, made: Callable[[Part], Line]) -> Line:
        kept = self._said.get((id(part), kind))
        if kept is None:
            kept = self._said[id(part), kind] = (part, made(part))
        return kept[1]


def _plainly(part: Part) -> Line:
    return Line((_whole(part),), _listed(_about(part)) or ("nothing",))


def _place(part: Part) -> Line:
    return Line(_head(part), _things(part.parts, owned=True))


def _also(part: Part) -> Line:
    return Line(("also ", _whole(part)), _listed(_about(part)) or ("it is there",))


def _head(part: Part) -> Words:
    """A place with what is said of it."""
    about = _listed(_about(part))
    return (f"{part.template} ", _whole(part), *((" (", *about, ")") if about else ()))


def _things(parts: Iterable[Part], *, owned: bool) -> Words:
    """Things with what is said of each, or `nothing`."""
    found: list[str | Said] = []
    for part in parts:
        found.append("; " if found else "")
        found.append(_whole(part))
        if owned and part.owner:
            found.append(f" of {part.owner}")
        for about in _about(part):
            found.extend((", ", about))
    return tuple(word for word in found if word) or ("nothing",)


def _about(part: Part) -> tuple[Said, ...]:
    values = (Said(shown.text, part.template, part.id, shown.field) for shown in part.values if shown.text)
    marks = (Said(mark.text, mark.template, mark.id) for mark in part.marks)
    return (*values, *marks)


def _whole(part: Part) -> Said:
    return Said(part.title, part.template, part.id)


def _listed(words: Iterable[Said]) -> Words:
    found: list[str | Said] = []
    for word in words:
        found.extend((", ", word) if found else (word,))
    return tuple(found)
