"""Makes scenes: says of a board, as the ruleset's view tells, what is drawn and where."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from riftrules.facts.memory import Fact
from riftrules.facts.types import BoolType, IntType, RefType, Type, Value, WordType, id_order, value_order
from riftrules.language.model import Ruleset, Template
from riftrules.report.readings import Readings, Seen, memory_of
from riftrules.report.scene import FLAG, NUMBER, PLAYER, SCORE, WORDS, Mark, Part, Scene, Seat, Shown
from riftrules.report.view import View, spoken, view_of
from riftrules.scenario.words import said

SETTINGS = "settings"
_FIELD = re.compile(r"\$(\w+(?:-\w+)*)")

Marks: TypeAlias = Mapping[tuple[str, str], list[Mark]]
"""The marks of each part, by its template and id."""


def scene_of(ruleset: Ruleset, facts: Iterable[Fact]) -> Scene:
    """The scene of a board that does not change."""
    return Stage(Readings(ruleset, memory_of(ruleset, facts))).scene()


@dataclass(frozen=True, slots=True)
class _Marking:
    """How facts of a template become marks: the field that says of what, the words, the field that says whose."""

    target: str
    template: str
    words: str
    player: str


class Stage:
    """Makes scenes of one run: players keep the numbers with which they first came."""

    def __init__(self, readings: Readings) -> None:
        self.readings = readings
        self.ruleset = readings.ruleset
        self.view = view_of(self.ruleset)
        self.numbers: dict[str, int] = {}
        self._derived = _derived(self.ruleset, self.view)
        self._looks = _looks(self.ruleset, readings, self.view)
        self._markings = _markings(self.ruleset, self.view)
        self._seen: Seen = ()
        self._scene = Scene()
        self._ordered: dict[str, tuple[tuple[Fact, ...], tuple[Fact, ...]]] = {}
        self._parts: dict[tuple[str, str], tuple[Fact, tuple[Mark, ...], tuple[Value, ...], Part]] = {}
        self._filled: dict[tuple[str, str], tuple[Part, tuple[Part, ...], Part]] = {}

    def scene(self) -> Scene:
        """The board as it stands. The same scene where nothing that is drawn has changed."""
        seen = self.readings.seen(self._looks)
        if not self._seen or any(was is not now for was, now in zip(self._seen, seen, strict=True)):
            self._seen, self._scene = seen, self._made()
        return self._scene

    def _made(self) -> Scene:
        view = self.view
        marks = self._marks()
        seats = tuple(self._seat(fact, marks) for fact in self._facts(view.players))
        places = tuple(self._place(fact, marks) for fact in self._facts(view.place))
        lists = tuple((name, tuple(self._part(fact, marks) for fact in self._facts(name))) for name in view.lists)
        turn = next((self._part(fact, marks) for fact in self._facts(view.turn)), None)
        return Scene(turn, seats, places, view.elsewhere, lists, tuple(self._others(marks)))

    def _facts(self, template: str) -> tuple[Fact, ...]:
        """The facts of a template in the order of the view, else of their ids."""
        if template not in self.ruleset.templates:
            return ()
        facts = self.readings.memory.all(template)
        kept = self._ordered.get(template)
        if kept is None or kept[0] is not facts:
            kept = self._ordered[template] = (facts, self._sorted(template, facts))
        return kept[1]

    def _sorted(self, template: str, facts: tuple[Fact, ...]) -> tuple[Fact, ...]:
        by = self.view.order.get(template)
        if not by:
            return facts
        return tuple(sorted(facts, key=lambda fact: (value_order(fact.values.get(by)), id_order(fact.id))))

    # -------------------------------------------------------------------------------------------- places and players

    def _seat(self, fact: Fact, marks: Marks) -> Seat:
        number = self.numbers.setdefault(fact.id, len(self.numbers) + 1)
        part = self._part(fact, marks)
        turn = next(iter(self._facts(self.view.turn)), None)
        on_turn = turn is not None and fact.id in turn.values.values()
        at_home = tuple(self._pieces(self.view.elsewhere, fact.id, marks)) if self.view.elsewhere else ()
        return Seat(self._with(part, at_home), number, on_turn)

    def _whole(self) -> int | None:
        if self.view.score is None:
            return None
        _, singleton, name = self.view.score
        found = next(iter(self._facts(singleton)), None)
        value = None if found is None else self.readings.value(found, name)
        return value if isinstance(value, int) else None

    def _place(self, fact: Fact, marks: Marks) -> Part:
        return self._with(self._part(fact, marks), tuple(self._pieces(fact.id, None, marks)))

    def _pieces(self, where: str, owner: str | None, marks: Marks) -> Iterator[Part]:
        for template, at in self.view.here:
            for fact in self._facts(template):
                if fact.values.get(at) == where and owner in {None, fact.values.get(self.view.owner)}:
                    yield self._part(fact, marks)

    # -------------------------------------------------------------------------------------------- one fact

    def _part(self, fact: Fact, marks: Marks) -> Part:
        """A fact as it is drawn: the same part as before where nothing that is drawn of it has changed."""
        key = (fact.template, fact.id)
        said_of = tuple(marks.get(key, ()))
        looked_up = tuple(self.readings.value(fact, name) for name in self._derived.get(fact.template, ()))
        if fact.template == self.view.players:
            looked_up = (*looked_up, self._whole())
        kept = self._parts.get(key)
        if kept is None or kept[0] is not fact or kept[1] != said_of or kept[2] != looked_up:
            kept = self._parts[key] = (fact, said_of, looked_up, self._drawn(fact, said_of))
        return kept[3]

    def _drawn(self, fact: Fact, marks: tuple[Mark, ...]) -> Part:
        view = self.view
        names = view.shown(fact.template) or _all(fact, view)
        title = self.readings.value(fact, view.titles.get(fact.template, "id"))
        owner = fact.values.get(view.owner)
        turned = view.turned.get(fact.template)
        return Part(
            fact.template,
            fact.id,
            str(title or fact.id),
            owner if isinstance(owner, str) else "",
            tuple(shown for name in names if (shown := self._shown(fact, name)) is not None),
            marks,
            seal=view.seal.get(fact.template, ""),
            against=view.against.get(fact.template, ""),
            stands=dict(view.here).get(fact.template, ""),
            turned=turned is not None and self.readings.value(fact, turned) is True,
        )

    def _with(self, part: Part, parts: tuple[Part, ...]) -> Part:
        """A part with what stands in it."""
        key = (part.template, part.id)
        kept = self._filled.get(key)
        if (
            kept is None
            or kept[0] is not part
            or len(kept[1]) != len(parts)
            or any(was is not now for was, now in zip(kept[1], parts, strict=True))
        ):
            kept = self._filled[key] = (part, parts, replace(part, parts=parts))
        return kept[2]

    def _shown(self, fact: Fact, name: str) -> Shown | None:
        template = self.ruleset.templates[fact.template]
        type_ = _type(template, name)
        value = self.readings.value(fact, name)
        if type_ is None:
            return None
        scored = self.view.score is not None and (fact.template, name) == (self.view.players, self.view.score[0])
        kind = SCORE if scored else _kind(type_, self.view)
        label, without = self.view.label(name), self.view.without(name)
        absent = value is None or value is False or value in ((), frozenset())
        kept = fact.template == self.view.players or self.view.seal.get(fact.template) == name
        if absent or (value == 0 and kind == NUMBER and not kept):
            return Shown(name, label, without, kind, value, off=True)
        if kind == SCORE:
            whole = self._whole()
            text = f"{label} {said(value)}" if whole is None else f"{label} {said(value)} of {whole}"
            return Shown(name, label, text, kind, value, whole=whole)
        choices = type_.words if isinstance(type_, WordType) else ()
        return Shown(name, label, _text(kind, label, value), kind, value, choices=choices)

    # -------------------------------------------------------------------------------------------- marks and the rest

    def _marks(self) -> Marks:
        found: dict[tuple[str, str], list[Mark]] = {}
        for template, marking in self._markings.items():
            for fact in self._facts(template):
                about = fact.values.get(marking.target)
                if isinstance(about, str):
                    found.setdefault((marking.template, about), []).append(self._mark(fact, marking))
        return found

    def _mark(self, fact: Fact, marking: _Marking) -> Mark:
        player = fact.values.get(marking.player) if marking.player else None
        if marking.words:
            text = _FIELD.sub(lambda found: said(self.readings.value(fact, found[1])), marking.words)
        else:
            rest = (value for name, value in fact.values.items() if name != marking.target and value not in (None, False, ()))
            text = " ".join([spoken(fact.template), *(said(value) for value in rest)])
        return Mark(fact.template, fact.id, text, player if isinstance(player, str) else "")

    def _others(self, marks: Marks) -> Iterator[Part]:
        """The standing facts that are drawn nowhere else, and pieces that stand nowhere."""
        drawn = {(mark.template, mark.id) for said_of in marks.values() for mark in said_of}
        view = self.view
        standing = {template for template, _ in view.here}
        where = {fact.id for fact in self._facts(view.place)} | ({view.elsewhere} if view.elsewhere and view.players else set())
        elsewhere = {view.place, view.players, view.turn, SETTINGS, *view.lists}
        for template in self.ruleset.templates.values():
            if template.name in elsewhere or template.kind not in {"standing", "singleton"}:
                continue
            at = dict(view.here).get(template.name, "")
            for fact in self._facts(template.name):
                homeless = template.name not in standing or fact.values.get(at) not in where
                if homeless and (fact.template, fact.id) not in drawn:
                    yield self._part(fact, marks)


def _all(fact: Fact, view: View) -> Iterable[str]:
    """What is shown of a fact of which the view says nothing: every field."""
    return () if fact.template in {view.place, view.players} else fact.values


def _type(template: Template, name: str) -> Type | None:
    if name in template.fields:
        return template.fields[name].type
    return template.derived[name].type if name in template.derived else None


def _kind(type_: Type, view: View) -> str:
    match type_:
        case BoolType():
            return FLAG
        case IntType():
            return NUMBER
        case RefType(template) if template == view.players:
            return PLAYER
    return WORDS


def _text(kind: str, label: str, value: Value) -> str:
    if kind == FLAG:
        return label
    if isinstance(value, frozenset) or (isinstance(value, tuple) and all(isinstance(item, str) for item in value)):
        return ", ".join(said(item) for item in sorted(value, key=value_order))
    return f"{label} {said(value)}"


def _markings(ruleset: Ruleset, view: View) -> dict[str, _Marking]:
    """How the view's marks hang on what is drawn."""
    found = {}
    targets = (*(name for name, _ in view.here), *view.lists, view.place, view.players)
    for template, words in view.marks.items():
        fields = ruleset.templates[template].fields if template in ruleset.templates else {}
        refers = {name: field.type.template for name, field in fields.items() if isinstance(field.type, RefType)}
        target = _target(refers, targets, set(_FIELD.findall(words)))
        if target:
            player = next((name for name, of in refers.items() if of == view.players and name != target), "")
            found[template] = _Marking(target, refers[target], words, player)
    return found


def _target(refers: Mapping[str, str], targets: Iterable[str], named: set[str]) -> str:
    """The field a mark hangs on: one that refers to the likeliest kind of part, and rather one its words do not name."""
    for target in targets:
        fields = [name for name, of in refers.items() if of == target]
        if fields:
            return min(fields, key=lambda name: name in named)
    return ""


def _looks(ruleset: Ruleset, readings: Readings, view: View) -> tuple[str, ...]:
    """The templates a scene depends on: all that stand, the frames that are marks, and what derived fields look at."""
    found = {
        name for name, template in ruleset.templates.items() if template.kind in {"standing", "singleton"} or name in view.marks
    }
    for template, names in _derived(ruleset, view).items():
        found.update(*(readings.looks_at(template, name) for name in names))
    return tuple(sorted(found))


def _derived(ruleset: Ruleset, view: View) -> dict[str, tuple[str, ...]]:
    """The derived fields that are drawn, by template."""
    shown = {template: names for template, names in view.shows.items() if template in ruleset.templates}
    return {
        template: tuple(name for name in names if name in ruleset.templates[template].derived)
        for template, names in shown.items()
    }
