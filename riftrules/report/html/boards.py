"""Scenes as plain data for the page: what its script draws, and the description that stands beside it."""

from __future__ import annotations

from typing import Any

from riftrules.facts.types import canonical
from riftrules.report.describing import Describer, Line, Said, Words
from riftrules.report.scene import FLAG, Mark, Part, Scene, Seat, Shown


def key_of(template: str, id_: str, field: str = "") -> str:
    """What the page knows a value by; the field is empty for a fact as a whole."""
    return f"{template}\t{id_}\t{field}"


class Boards:
    """Tells scene after scene as plain data; what has not changed from one to the next is the same data."""

    def __init__(self) -> None:
        self._describer = Describer()
        self._told: dict[int, tuple[Part | Line | Shown, Any]] = {}

    def data(self, scene: Scene) -> dict[str, Any]:
        """A scene with its description."""
        return {
            "turn": None if scene.turn is None else self._part(scene.turn),
            "far": [self._seat(seat) for seat in scene.far],
            "places": [self._part(place) for place in scene.places],
            "near": [self._seat(seat) for seat in scene.near],
            "home": scene.home,
            "lists": [[name, [self._part(part) for part in parts]] for name, parts in scene.lists if parts],
            "others": [self._part(part) for part in scene.others],
            "words": [self._line(line) for line in self._describer.lines(scene)],
        }

    def _seat(self, seat: Seat) -> dict[str, Any]:
        return {"part": self._part(seat.part), "number": seat.number, "turn": seat.on_turn}

    def _part(self, part: Part) -> Any:
        kept = self._told.get(id(part))
        if kept is None:
            values = tuple(self._shown(shown, part) for shown in part.values if not shown.off or shown.kind != FLAG)
            made = {**_alone(part), "values": values, "parts": tuple(self._part(inner) for inner in part.parts)}
            kept = self._told[id(part)] = (part, made)
        return kept[1]

    def _shown(self, shown: Shown, part: Part) -> Any:
        """A value: the very same one is only ever shown of one part."""
        kept = self._told.get(id(shown))
        if kept is None:
            kept = self._told[id(shown)] = (shown, _value(shown, part))
        return kept[1]

    def _line(self, line: Line) -> Any:
        kept = self._told.get(id(line))
        if kept is None:
            kept = self._told[id(line)] = (line, [_words(line.about), _words(line.words)])
        return kept[1]


def _alone(part: Part) -> dict[str, Any]:
    return {
        "key": key_of(part.template, part.id),
        "template": part.template,
        "title": part.title,
        "owner": part.owner,
        "seal": part.seal,
        "against": part.against,
        "stands": part.stands,
        "turned": part.turned,
        "marks": tuple(_mark(mark) for mark in part.marks),
    }


def _value(shown: Shown, part: Part) -> dict[str, Any]:
    return {
        "key": key_of(part.template, part.id, shown.field),
        "field": shown.field,
        "label": shown.label,
        "text": shown.text,
        "kind": shown.kind,
        "value": canonical(shown.value) if isinstance(shown.value, str | int | None) else None,
        "off": shown.off,
        "choices": shown.choices,
        "whole": shown.whole,
    }


def _mark(mark: Mark) -> dict[str, Any]:
    return {"key": key_of(mark.template, mark.id), "text": mark.text, "player": mark.player}


def _words(words: Words) -> tuple[str, ...]:
    """Each word and, after it, the key of what it says; an empty key where it only joins."""
    return tuple(
        text
        for word in words
        for text in ((word.text, key_of(word.template, word.id, word.field)) if isinstance(word, Said) else (word, ""))
    )
