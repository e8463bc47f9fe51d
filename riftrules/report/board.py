"""Draws boards as the ruleset's view says: what is a place, what stands in it, what is shown of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.table import Table
from rich.text import Text

from riftrules.facts.memory import Fact
from riftrules.facts.types import Value, id_order
from riftrules.language.model import Ruleset
from riftrules.scenario.words import said, said_fields


@dataclass(frozen=True, slots=True)
class View:
    """A ruleset's `view`, read with care: what is not said is not drawn."""

    place: str = ""
    here: tuple[tuple[str, str], ...] = ()
    elsewhere: str = ""
    owner: str = ""
    players: str = ""
    shows: Mapping[str, tuple[str, ...]] | None = None
    marks: tuple[str, ...] = ()
    score: tuple[str, str, str] | None = None
    turn: str = ""

    def shown(self, template: str) -> tuple[str, ...]:
        """The fields shown of a template."""
        return (self.shows or {}).get(template, ())


def view_of(ruleset: Ruleset) -> View:
    """The view of a ruleset; of one without, an empty view, with which every fact is simply listed."""
    view = ruleset.view
    score = view.get("score")
    whole = str(score["of"]).split(".") if isinstance(score, Mapping) and "of" in score else []
    return View(
        place=_word(view.get("place")),
        here=tuple((str(one["template"]), str(one["at"])) for one in view.get("here", ()) if isinstance(one, Mapping)),
        elsewhere=_word(view.get("elsewhere")),
        owner=_word(view.get("owner")),
        players=_word(view.get("players")),
        shows={str(name): tuple(map(str, fields)) for name, fields in dict(view.get("shows") or {}).items()},
        marks=tuple(map(str, view.get("marks") or ())),
        score=(str(score["field"]), whole[0], whole[1])
        if isinstance(score, Mapping) and len(whole) == len(("settings", "x"))
        else None,
        turn=_word(view.get("turn")),
    )


def _word(value: Any) -> str:
    return "" if value is None else str(value)


Rows = dict[str, tuple[str, ...]]


def board_rows(ruleset: Ruleset, facts: Sequence[Fact]) -> Rows:
    """The board in rows: a label, and lines that say what is there."""
    view = view_of(ruleset)
    by_template: dict[str, list[Fact]] = {}
    for fact in sorted(facts, key=lambda fact: (fact.template, id_order(fact.id))):
        by_template.setdefault(fact.template, []).append(fact)
    rows = {**_singletons(view, by_template), **_players(view, by_template), **_places(view, by_template)}
    marks = view.marks if view.place else tuple(name for name, one in ruleset.templates.items() if one.kind == "standing")
    outcomes = [
        name for name, one in ruleset.templates.items() if one.kind == "singleton" and name not in {view.turn, "settings"}
    ]
    frames = [name for name, one in ruleset.templates.items() if one.kind == "frame"]
    for template in (*marks, *outcomes, *frames):
        lines = tuple(_plain(fact) for fact in by_template.get(template, ()))
        if lines:
            rows[template] = lines
    return rows


def _singletons(view: View, facts: Mapping[str, Sequence[Fact]]) -> Rows:
    turn = facts.get(view.turn, ())
    return (
        {view.turn: tuple(said_fields([pair for pair in fact.values.items() if pair[1] is not None]) for fact in turn)}
        if turn
        else {}
    )


def _players(view: View, facts: Mapping[str, Sequence[Fact]]) -> Rows:
    rows: Rows = {}
    for fact in facts.get(view.players, ()):
        rows[f"{fact.template} {fact.id}"] = (", ".join(_shown(fact, name, view, facts) for name in view.shown(fact.template)),)
    return rows


def _shown(fact: Fact, name: str, view: View, facts: Mapping[str, Sequence[Fact]]) -> str:
    value = said(fact.values.get(name))
    if view.score and name == view.score[0]:
        whole = facts.get(view.score[1], ())
        return f"{name} {value}/{said(whole[0].values.get(view.score[2]))}" if whole else f"{name} {value}"
    return f"{name} {value}"


def _places(view: View, facts: Mapping[str, Sequence[Fact]]) -> Rows:
    rows: Rows = {}
    for place in facts.get(view.place, ()):
        own = [_field(name, place.values.get(name)) for name in view.shown(place.template)]
        head = ", ".join(part for part in own if part)
        rows[f"{place.template} {place.id}"] = tuple(filter(None, (head, *_standing(place.id, view, facts))))
    if view.elsewhere:
        rows[view.elsewhere] = tuple(_standing(view.elsewhere, view, facts))
    return rows


def _standing(where: str, view: View, facts: Mapping[str, Sequence[Fact]]) -> list[str]:
    return [
        _described(fact, view) for template, at in view.here for fact in facts.get(template, ()) if fact.values.get(at) == where
    ]


def _described(fact: Fact, view: View) -> str:
    """A fact in a few words: whose it is, its name, and what is worth saying of it."""
    owner = fact.values.get(view.owner)
    parts = [part for name in view.shown(fact.template) if (part := _field(name, fact.values.get(name)))]
    about = f" ({', '.join(parts)})" if parts else ""
    return f"{f'{owner}: ' if owner else ''}{fact.id}{about}"


def _field(name: str, value: Value) -> str:
    """A field where there is something to say: `might 2`, `exhausted`; nothing of none, false and the empty."""
    if value is True:
        return name
    if value is None or value is False or value in {0, (), frozenset()}:
        return ""
    return f"{name} {said(value)}"


def _plain(fact: Fact) -> str:
    fields = said_fields([pair for pair in fact.values.items() if pair[1] is not None])
    return fields if fact.id == fact.template else f"{fact.id} {{{fields}}}"


def board_table(ruleset: Ruleset, before: Sequence[Fact], after: Sequence[Fact]) -> Table:
    """The board before and after, side by side, what has changed marked."""
    left, right = board_rows(ruleset, before), board_rows(ruleset, after)
    table = Table("", "before", "after", show_lines=True)
    for label in dict.fromkeys((*left, *right)):
        was, is_ = "\n".join(left.get(label, ())), "\n".join(right.get(label, ()))
        style = "bold yellow" if was != is_ else ""
        table.add_row(Text(label), Text(was), Text(is_, style=style))
    return table
