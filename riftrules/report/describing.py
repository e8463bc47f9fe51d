"""Says a scene in words: what the picture shows, no more and no less, each value known by its fact and field."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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
    lines: list[Line] = []
    if scene.turn is not None:
        lines.append(Line((scene.turn.title,), _listed(_about(scene.turn))))
    for seat in scene.far:
        lines.extend(_seat(seat, scene.home))
    for place in scene.places:
        lines.append(Line(_head(place), _things(place.parts, scene, owned=True)))
    for name, parts in scene.lists:
        lines.extend([Line((name,), _things(parts, scene, owned=False))] if parts else [])
    for seat in scene.near:
        lines.extend(_seat(seat, scene.home))
    for part in scene.others:
        lines.append(Line(("also ", _whole(part)), _listed(_about(part)) or ("it is there",)))
    return tuple(lines)


def _seat(seat: Seat, home: str) -> Iterator[Line]:
    yield Line((_whole(seat.part),), _listed(_about(seat.part)) or ("nothing",))
    if home:
        yield Line((f"{home} of ", _whole(seat.part)), _things(seat.part.parts, None, owned=False))


def _head(part: Part) -> Words:
    """A place with what is said of it."""
    about = _listed(_about(part))
    return (f"{part.template} ", _whole(part), *((" (", *about, ")") if about else ()))


def _things(parts: Iterable[Part], scene: Scene | None, *, owned: bool) -> Words:
    """Things with what is said of each, or `nothing`."""
    found: list[str | Said] = []
    for part in parts:
        found.append("; " if found else "")
        found.append(_whole(part))
        if owned and part.owner and scene is not None:
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
