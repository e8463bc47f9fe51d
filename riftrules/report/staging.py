"""Makes scenes: says of a board, as the ruleset's view tells, what is drawn and where."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TypeAlias

from riftrules.facts.memory import Fact, WorkingMemory
from riftrules.facts.types import BoolType, IntType, RefType, Type, Value, WordType, id_order, value_order
from riftrules.language.model import Ruleset, Template
from riftrules.report.plan import FIELD, Marking, Plan, plan_of
from riftrules.report.readings import Readings, Seen, memory_of
from riftrules.report.scene import FLAG, NUMBER, PLAYER, SCORE, WORDS, Mark, Part, Scene, Seat, Shown
from riftrules.report.view import View, spoken
from riftrules.scenario.words import said

Marks: TypeAlias = Mapping[tuple[str, str], list[Mark]]
"""The marks of each part, by its template and id."""


def scene_of(ruleset: Ruleset, facts: Iterable[Fact]) -> Scene:
    """The scene of a board that does not change."""
    return Stage(plan_of(ruleset), memory_of(ruleset, facts)).scene()


class Stage:
    """Makes scenes of one working memory as it changes: players keep the numbers with which they first came."""

    def __init__(self, plan: Plan, memory: WorkingMemory) -> None:
        self.plan = plan
        self.ruleset = plan.ruleset
        self.view = plan.view
        self.readings = Readings(plan.ruleset, memory, plan.looks_at)
        self.numbers: dict[str, int] = {}
        self._seen: Seen = ()
        self._scene = Scene()
        self._ordered: dict[str, tuple[tuple[Fact, ...], tuple[Fact, ...]]] = {}
        self._parts: dict[tuple[str, str], tuple[Fact, tuple[Mark, ...], tuple[Value, ...], Part]] = {}
        self._values: dict[tuple[str, str, str], tuple[Value, int | None, Shown]] = {}
        self._filled: dict[tuple[str, str], tuple[Part, tuple[Part, ...], Part]] = {}

    def scene(self) -> Scene:
        """The board as it stands. The same scene where nothing that is drawn has changed."""
        seen = self.readings.seen(self.plan.looks)
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
        drawn = [*(seat.part for seat in seats), *places, *(part for _, parts in lists for part in parts)]
        return Scene(turn, seats, places, view.elsewhere, lists, tuple(self._others(marks, drawn)))

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
        looked_up = tuple(self.readings.value(fact, name) for name in self.plan.derived.get(fact.template, ()))
        if fact.template == self.view.players:
            looked_up = (*looked_up, self._whole())
        kept = self._parts.get(key)
        if kept is None or kept[0] is not fact or kept[1] != said_of or kept[2] != looked_up:
            kept = self._parts[key] = (fact, said_of, looked_up, self._drawn(fact, said_of))
        return kept[3]

    def _drawn(self, fact: Fact, marks: tuple[Mark, ...]) -> Part:
        view = self.view
        names = view.shows[fact.template] if fact.template in view.shows else _all(fact, view)
        title = self.readings.value(fact, view.titles.get(fact.template, "id"))
        owner = fact.values.get(view.owner)
        turned = view.turned.get(fact.template)
        return Part(
            fact.template,
            fact.id,
            str(title or fact.id),
            owner if isinstance(owner, str) else "",
            (*self._kind_of(fact), *(shown for name in names if (shown := self._shown(fact, name)) is not None)),
            marks,
            seal=view.seal.get(fact.template, ""),
            against=view.against.get(fact.template, ""),
            stands=dict(view.here).get(fact.template, ""),
            turned=turned is not None and self.readings.value(fact, turned) is True,
        )

    def _kind_of(self, fact: Fact) -> tuple[Shown, ...]:
        """What a piece is, where it is not of the kind that usually stands in a place."""
        unusual = {template for template, _ in self.view.here[1:]}
        return (Shown("", "", spoken(fact.template), WORDS, fact.template),) if fact.template in unusual else ()

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
        if type_ is None:
            return None
        value = self.readings.value(fact, name)
        whole = self._whole() if fact.template == self.view.players else None
        kept = self._values.get((fact.template, fact.id, name))
        if kept is None or kept[:2] != (value, whole):
            kept = self._values[fact.template, fact.id, name] = (
                value,
                whole,
                self._said(fact.template, name, type_, value, whole),
            )
        return kept[2]

    def _said(self, template: str, name: str, type_: Type, value: Value, whole: int | None) -> Shown:
        scored = self.view.score is not None and (template, name) == (self.view.players, self.view.score[0])
        kind = SCORE if scored else _kind(type_, self.view)
        label, without = self.view.label(name), self.view.without(name)
        absent = value is None or value is False or value in ((), frozenset())
        kept = template == self.view.players or self.view.seal.get(template) == name
        if absent or (value == 0 and kind == NUMBER and not kept):
            return Shown(name, label, without, kind, value, off=True)
        if kind == SCORE:
            text = f"{label} {said(value)}" if whole is None else f"{label} {said(value)} of {whole}"
            return Shown(name, label, text, kind, value, whole=whole)
        choices = type_.words if isinstance(type_, WordType) else ()
        return Shown(name, label, _text(kind, label, value), kind, value, choices=choices)

    # -------------------------------------------------------------------------------------------- marks and the rest

    def _marks(self) -> Marks:
        found: dict[tuple[str, str], list[Mark]] = {}
        for template, marking in self.plan.markings.items():
            for fact in self._facts(template):
                about = fact.values.get(marking.target)
                if isinstance(about, str):
                    found.setdefault((marking.template, about), []).append(self._mark(fact, marking))
        return found

    def _mark(self, fact: Fact, marking: Marking) -> Mark:
        player = fact.values.get(marking.player) if marking.player else None
        if marking.words:
            text = FIELD.sub(lambda found: said(self.readings.value(fact, found[1])), marking.words)
        else:
            rest = (value for name, value in fact.values.items() if name != marking.target and value not in (None, False, ()))
            text = " ".join([spoken(fact.template), *(said(value) for value in rest)])
        return Mark(fact.template, fact.id, text, player if isinstance(player, str) else "")

    def _others(self, marks: Marks, drawn: Iterable[Part]) -> Iterator[Part]:
        """The standing facts that are drawn nowhere else: neither as parts nor as marks of parts."""
        told: set[tuple[str, str]] = set()
        for part in drawn:
            for one in (part, *part.parts):
                told.add((one.template, one.id))
                told.update((mark.template, mark.id) for mark in one.marks)
        for template in self.plan.others:
            for fact in self._facts(template):
                if (template, fact.id) not in told:
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
