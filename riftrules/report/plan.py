"""What the view of a ruleset means for its templates: worked out once, for every board that is drawn."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from riftrules.facts.types import RefType
from riftrules.language.model import Ruleset
from riftrules.report.readings import looked_at
from riftrules.report.view import View, view_of

SETTINGS = "settings"
FIELD = re.compile(r"\$(\w+(?:-\w+)*)")
"""A field named in the words of a mark."""


@dataclass(frozen=True, slots=True)
class Marking:
    """How facts of a template become marks: the field that says of what (and its template), the words, whose it is."""

    target: str
    template: str
    words: str
    player: str


@dataclass(frozen=True, slots=True)
class Plan:
    """A ruleset with its view, and what follows from both.

    `derived` are the derived fields that are drawn, by template, and `looks_at` the templates each of them looks at.
    `looks` are all templates a scene depends on, `others` those that are only listed where they are drawn nowhere else.
    """

    ruleset: Ruleset
    view: View
    markings: Mapping[str, Marking]
    derived: Mapping[str, tuple[str, ...]]
    looks_at: Mapping[tuple[str, str], tuple[str, ...]]
    looks: tuple[str, ...]
    others: tuple[str, ...]


def plan_of(ruleset: Ruleset) -> Plan:
    """The plan by which boards of this ruleset are drawn."""
    view = view_of(ruleset)
    derived = _derived(ruleset, view)
    looks_at = {(template, name): looked_at(ruleset, template, name) for template, names in derived.items() for name in names}
    standing = [name for name, template in ruleset.templates.items() if template.kind in {"standing", "singleton"}]
    frames = [name for name in view.marks if name in ruleset.templates]
    looks = {*standing, *frames, *(name for names in looks_at.values() for name in names)}
    apart = {view.place, view.players, view.turn, SETTINGS, *view.lists}
    others = tuple(name for name in standing if name not in apart)
    return Plan(ruleset, view, _markings(ruleset, view), derived, looks_at, tuple(sorted(looks)), others)


def _derived(ruleset: Ruleset, view: View) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for name, template in ruleset.templates.items():
        drawn = (*view.shown(name), *(by[name] for by in (view.seal, view.turned, view.titles) if name in by))
        found[name] = tuple(field for field in dict.fromkeys(drawn) if field in template.derived)
    return {name: fields for name, fields in found.items() if fields}


def _markings(ruleset: Ruleset, view: View) -> dict[str, Marking]:
    found = {}
    targets = (*(name for name, _ in view.here), *view.lists, view.place, view.players)
    for template, words in view.marks.items():
        fields = ruleset.templates[template].fields if template in ruleset.templates else {}
        refers = {name: field.type.template for name, field in fields.items() if isinstance(field.type, RefType)}
        target = _target(refers, targets, set(FIELD.findall(words)))
        if target:
            player = next((name for name, of in refers.items() if of == view.players and name != target), "")
            found[template] = Marking(target, refers[target], words, player)
    return found


def _target(refers: Mapping[str, str], targets: Iterable[str], named: set[str]) -> str:
    """The field a mark hangs on: one that refers to the likeliest kind of part, and rather one its words do not name."""
    for target in targets:
        fields = [name for name, of in refers.items() if of == target]
        if fields:
            return min(fields, key=lambda name: name in named)
    return ""
