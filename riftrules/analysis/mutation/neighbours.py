"""Scenarios near a scenario: one thing of what is given or done is otherwise, or two."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from riftrules.analysis.domains import Domains
from riftrules.analysis.edits import Addition, Edit, FieldEdit, ItemRemoval, Removal, edited
from riftrules.facts.memory import Fact
from riftrules.language.model import Ruleset
from riftrules.scenario.model import Requesting, Scenario

MOST_VALUES = 16
"""So many other values of a field are tried at most, the nearest first."""

MOST_ADDED = 10
"""So many facts of a template that might be there besides."""

SEED = 1


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Scenarios near one. Only these fields are given other values, and facts of only these templates come and go."""

    scenario: Scenario
    ruleset: Ruleset
    fields: frozenset[tuple[str, str]]

    def edits(self) -> tuple[Edit, ...]:
        """Every single change."""
        return (*self._fields(), *self._removals(), *self._additions(), *self._items())

    def single(self) -> Iterator[tuple[Edit, Scenario]]:
        """Every scenario with one change, and which."""
        for edit in self.edits():
            yield edit, edited(self.scenario, (edit,), self.ruleset)

    def near(self, most: int) -> Iterator[Scenario]:
        """So many scenarios with two changes, the same ones every time."""
        edits = self.edits()
        chance = random.Random(f"{SEED} {self.scenario.name}")  # noqa: S311 - a sample, and the same one every time
        for _ in range(most if len(edits) > 1 else 0):
            yield edited(self.scenario, chance.sample(edits, 2), self.ruleset)

    @property
    def _given(self) -> Sequence[Fact]:
        return (*self.scenario.facts, *(one.frame for one in self.scenario.stack))

    def _fields(self) -> Iterator[Edit]:
        domains = Domains(self.ruleset, self._given)
        for fact in self._given:
            for name in self.ruleset.templates[fact.template].fields:
                if (fact.template, name) in self.fields:
                    for value in islice(domains.others(fact, name), MOST_VALUES):
                        yield FieldEdit(fact.template, fact.id, name, value)

    def _removals(self) -> Iterator[Edit]:
        for fact in self.scenario.facts:
            if self.ruleset.templates[fact.template].kind == "standing" and self._matters(fact.template):
                yield Removal(fact.template, fact.id)

    def _matters(self, template: str) -> bool:
        return (template, "") in self.fields

    def _additions(self) -> Iterator[Edit]:
        domains = Domains(self.ruleset, self._given)
        for template in self.ruleset.templates.values():
            if template.kind == "standing" and self._matters(template.name) and not template.symmetric:
                there = [fact for fact in self._given if fact.template == template.name]
                wanted = {name: tuple(dict.fromkeys(fact.values[name] for fact in there)) for name in template.fields}
                for fact in islice(domains.added(template, wanted), MOST_ADDED):
                    yield Addition(fact)

    def _items(self) -> Iterator[Edit]:
        for number, item in enumerate(self.scenario.items, 1):
            if isinstance(item, Requesting):
                yield ItemRemoval(number)


def touches(edit: Edit, fields: Collection[tuple[str, str]]) -> bool:
    """Whether a change is of one of these fields, or of whether there are facts of a template (the field is empty then)."""
    match edit:
        case FieldEdit(template, _, name, _):
            return (template, name) in fields
        case Removal(template, _):
            return (template, "") in fields
        case Addition(fact):
            return (fact.template, "") in fields
    return True
