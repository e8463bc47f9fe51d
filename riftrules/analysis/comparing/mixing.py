"""Rulesets between two rulesets: with some of the edits between them made and the others not."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from riftrules.analysis.comparing.between import edits_between
from riftrules.analysis.comparing.edits import ORDER, WHOLE, Edit, Found, Item, Key, Slot
from riftrules.analysis.comparing.names import Lack, lacking
from riftrules.language.fields import shape_of
from riftrules.language.model import Definition, Invariant, Rule, Ruleset, Template
from riftrules.language.rebuilding import rebuilt, rebuilt_definition, rebuilt_invariant


@dataclass(slots=True)
class Revision:
    """Two rulesets and the edits between them, any of which can be made without the others."""

    old: Ruleset
    new: Ruleset
    found: Found = field(init=False)

    def __post_init__(self) -> None:
        self.found = edits_between(self.old, self.new)

    @property
    def edits(self) -> tuple[Edit, ...]:
        """Every edit."""
        return self.found.edits

    @property
    def playing(self) -> tuple[Edit, ...]:
        """The edits that may change what comes of a board."""
        return tuple(edit for edit in self.edits if edit.plays)

    def alone(self, edit: Edit) -> tuple[Ruleset, tuple[Edit, ...]] | None:
        """The old ruleset with this edit, and the others it cannot be made without; None where it cannot be."""
        return self._mended({edit}, grow=True, kept=edit)

    def without(self, edit: Edit) -> tuple[Ruleset, tuple[Edit, ...]] | None:
        """The new ruleset without this edit, and those others that cannot be made without it; None where it cannot be."""
        return self._mended(set(self.playing) - {edit}, grow=False, kept=edit)

    def _mended(self, made: set[Edit], *, grow: bool, kept: Edit) -> tuple[Ruleset, tuple[Edit, ...]] | None:
        """Make more edits, or fewer, until the ruleset lacks nothing that it names."""
        first = set(made)
        while True:
            mixed = self.mixed(made)
            lack = next(lacking(mixed), None)
            if lack is None:
                changed = made ^ first
                return mixed, tuple(edit for edit in self.edits if edit in changed)
            helps = [edit for edit in self._helping(lack) if (edit not in made) is grow and edit is not kept]
            if not helps:
                return None
            made = made | set(helps) if grow else made - set(helps)

    def _helping(self, lack: Lack) -> Iterator[Edit]:
        """Edits that may give or take the name: those of the thing that is named, else those of the thing that names it."""
        given = [
            edit
            for edit in self.playing
            if edit.item in lack.named and (edit.part == WHOLE or lack.member in {"", _member(edit)})
        ]
        if given:
            yield from given
        else:
            yield from (edit for edit in self.playing if edit.item == lack.by)

    def mixed(self, made: Collection[Edit]) -> Ruleset:
        """The old ruleset with these edits made. What does not play is taken from the new one where all that plays is made."""
        if set(made) >= set(self.playing):
            return self.new
        if not made:
            return self.old
        return _Mixing(self, frozenset(made)).ruleset()


def _member(edit: Edit) -> str:
    return edit.part.split("`")[1] if "`" in edit.part else ""


class _Mixing:
    """One mixture."""

    def __init__(self, revision: Revision, made: frozenset[Edit]) -> None:
        self.old, self.new = revision.old, revision.new
        self.items = revision.found.items
        self.made: dict[Key, list[Edit]] = {}
        self.edits: dict[Key, list[Edit]] = {}
        for edit in revision.playing:
            self.edits.setdefault(edit.item, []).append(edit)
            if edit in made:
                self.made.setdefault(edit.item, []).append(edit)
        self.templates: dict[str, Template] = self._named("template")

    def ruleset(self) -> Ruleset:
        modes = self._named("mode")
        order = self.new.modes if self.made.get(("modes", ORDER)) else self.old.modes
        return replace(
            self.old,
            templates=self.templates,
            procedures=self._named("procedure"),
            definitions=self._named("definition"),
            steps=self._named("step"),
            rules=tuple(self._rules()),
            invariants=tuple(self._named("invariant").values()),
            modes={name: modes[name] for name in (*order, *modes) if name in modes},
            rulebook={**self.old.rulebook, **self.new.rulebook},
        )

    def _named(self, kind: str) -> dict[str, Any]:
        mixed = {item.key[1]: self._item(item) for item in self.items.values() if item.key[0] == kind}
        return {name: one for name, one in mixed.items() if one is not None}

    def _item(self, item: Item) -> Any:
        made, edits = self.made.get(item.key, []), self.edits.get(item.key, [])
        if not made:
            return item.old
        if len(made) == len(edits):
            return item.new
        if isinstance(item.old, Mapping):
            return _mapping(item.slots[""], made)
        return self._partly(item, made)

    def _partly(self, item: Item, made: Sequence[Edit]) -> Any:
        values: dict[str, Any] = {edit.field: getattr(item.new, edit.field) for edit in made if edit.slot is None}
        for name in {edit.field for edit in made if edit.slot is not None}:
            here = [edit for edit in made if edit.field == name]
            held = getattr(item.old, name)
            values[name] = _mapping(item.slots[name], here) if isinstance(held, Mapping) else _sequence(item.slots[name], here)
        mixed = replace(item.old, **values)
        match mixed:
            case Rule():
                variables = {**item.old.variables, **item.new.variables}
                return rebuilt(replace(mixed, variables=variables), self.templates)
            case Definition():
                return rebuilt_definition(mixed)
            case Invariant():
                return rebuilt_invariant(mixed)
            case Template():
                return replace(mixed, shape=shape_of(mixed.name, mixed.kind, mixed.fields, mixed.key))
        return mixed

    def _rules(self) -> Iterator[Rule]:
        """The rules in the order of the new ruleset if that edit is made, else of the old; others after whom they stand."""
        mixed = self._named("rule")
        new_order = bool(self.made.get(("rules", ORDER)))
        names = {rule.id: item.key[1] for item in self.items.values() if isinstance(rule := item.new, Rule)}
        olds = [rule.id for rule in self.old.rules]
        news = [names[rule.id] for rule in self.new.rules]
        order = merged(news, olds) if new_order else merged(olds, news)
        for number, name in enumerate(name for name in order if name in mixed):
            yield replace(mixed[name], number=number)


def merged(first: Sequence[str], other: Sequence[str]) -> list[str]:
    """The names of the first in their order, those of the other that it lacks put after whom they follow there."""
    order = list(first)
    for place, name in enumerate(other):
        if name not in order:
            before = next((one for one in reversed(other[:place]) if one in order), None)
            order.insert(0 if before is None else order.index(before) + 1, name)
    return order


def _chosen(slots: Sequence[Slot], made: Sequence[Edit]) -> list[Any]:
    places = {edit.slot for edit in made}
    found = [slot.new if place in places else slot.old for place, slot in enumerate(slots)]
    return [one for one in found if one is not None]


def _mapping(slots: Sequence[Slot], made: Sequence[Edit]) -> dict[str, Any]:
    return dict(_chosen(slots, made))


def _sequence(slots: Sequence[Slot], made: Sequence[Edit]) -> tuple[Any, ...]:
    return tuple(_chosen(slots, made))
