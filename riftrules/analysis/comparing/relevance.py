"""What a search for a difference looks at: the rules that edits concern, and what those read, write and compare."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from riftrules.analysis.comparing.edits import Edit
from riftrules.analysis.comparing.impact import uses, using
from riftrules.analysis.comparing.mixing import Revision
from riftrules.engine.syntax_tree import Dependencies
from riftrules.facts.types import Value
from riftrules.language.model import (
    Begin,
    Case,
    Derived,
    FieldTest,
    Hop,
    Literal,
    Pattern,
    Procedure,
    Read,
    Rule,
    Ruleset,
    Step,
    Template,
)
from riftrules.language.rebuilding import parts_of

FieldName = tuple[str, str]

BESIDE = {"step", "salience"}
"""Fields that say before which other rules a rule fires."""


@dataclass(slots=True)
class Relevance:
    """The rules concerned, each with its ruleset; the (template, field) pairs that matter to them; the values they name.

    `derived` are the cases of derived fields that edits are of, with their templates.
    """

    rules: list[tuple[Rule, Ruleset]] = field(default_factory=list)
    fields: set[FieldName] = field(default_factory=set)
    literals: dict[FieldName, set[Value]] = field(default_factory=dict)
    numbers: set[int] = field(default_factory=set)
    derived: list[tuple[str, Case]] = field(default_factory=list)

    @property
    def templates(self) -> set[str]:
        """The templates that matter."""
        return {template for template, _ in self.fields}


def relevance(revision: Revision) -> Relevance:
    """What matters to the edits that play."""
    found = Relevance()
    for side in (revision.old, revision.new):
        rules = {rule.id: rule for edit in revision.playing for rule in concerned(edit, revision, side)}
        depends = Dependencies(side)
        for rule in rules.values():
            found.rules.append((rule, side))
            parts = (rule.event, rule.when, rule.choose)
            found.fields |= depends.of(parts) | depends.of_consequents(rule.then)
            found.fields |= {(name, "") for name in rule.singletons}
            for part in (*parts_of(tuple(one for one in parts if one is not None)), *parts_of(_used(rule, side))):
                _literals(part, found)
    for edit in revision.playing:
        if edit.item[0] == "template":
            name, member = edit.item[1], edit.part.split("`")[1] if "`" in edit.part else ""
            found.fields.add((name, member))
            for side in (revision.old, revision.new):
                derived = side.templates[name].derived.get(member) if name in side.templates else None
                found.derived += [(name, case) for case in (derived.cases if derived else ()) if case.when]
    return found


def _used(rule: Rule, ruleset: Ruleset) -> tuple[Any, ...]:
    """The bodies of the definitions a rule uses, and of those they use; and the derived fields it reads."""
    names = set(uses(rule))
    while more := {name for one in names for name in uses(ruleset.definitions[one].when)} - names:
        names |= more
    bodies = tuple(ruleset.definitions[name].when for name in sorted(names))
    derived = tuple(case for one in _derived((rule.event, rule.when, rule.then, *bodies), ruleset) for case in one.cases)
    return (*bodies, *((case.when, case.value) for case in derived))


def _derived(parts: Any, ruleset: Ruleset) -> Iterator[Derived]:
    for template, name in dict.fromkeys(_derived_names(parts)):
        if name in ruleset.templates[template].derived:
            yield ruleset.templates[template].derived[name]


def _derived_names(parts: Any) -> Iterator[FieldName]:
    for part in parts_of(tuple(one for one in parts if one is not None)):
        match part:
            case Hop(template, name, True):
                yield template, name
            case Pattern(template, _, tests):
                yield from ((template, test.field) for test in tests if test.derived)


def _literals(part: Any, into: Relevance) -> None:
    if isinstance(part, Literal) and isinstance(part.value, int) and not isinstance(part.value, bool):
        into.numbers.add(part.value)
    if isinstance(part, Pattern):
        for test in part.tests:
            _field_literals(part.template, test, into)


def _field_literals(template: str, test: FieldTest, into: Relevance) -> None:
    held = {one.value for one in parts_of(test.test) if isinstance(one, Literal) and one.value is not None}
    into.literals.setdefault((template, test.field), set()).update(held)


# ------------------------------------------------------------------------------------------------ edits and rules


def concerned(edit: Edit, revision: Revision, side: Ruleset) -> Iterator[Rule]:
    """The rules of one side that an edit may make act otherwise."""
    item = revision.found.items.get(edit.item)
    one = None if item is None else item.old if side is revision.old else item.new
    kind, name = edit.item
    match one:
        case Rule():
            yield one
            if edit.field in BESIDE:
                yield from (rule for rule in side.rules if rule.step and rule.step == one.step and rule.id != one.id)
        case Procedure():
            yield from (rule for rule in side.rules if rule.step in one.steps or _begins(rule, name))
        case Step():
            yield from (rule for rule in side.rules if rule.step == name)
        case Template():
            member = edit.part.split("`")[1] if "`" in edit.part else ""
            yield from (rule for rule in side.rules if _reads(rule, name, member, side))
        case _ if kind == "definition":
            names = using(side, {name})
            yield from (rule for rule in side.rules if uses(rule) & names)
        case _ if kind == "mode":
            yield from (rule for rule in side.rules if _reads(rule, "settings", "", side))


def _begins(rule: Rule, procedure: str) -> bool:
    return any(isinstance(one, Begin) and one.procedure == procedure for one in rule.then)


def _reads(rule: Rule, template: str, member: str, ruleset: Ruleset) -> bool:
    """Whether a rule reads or writes a field, also through definitions and derived fields; without one: the template."""
    parts = ((rule.event, rule.when, rule.then, rule.choose), *_used(rule, ruleset))
    return any(_mentions(part, template, member) for group in parts for part in parts_of(_some(group)))


def _some(group: Any) -> Any:
    return tuple(one for one in group if one is not None) if isinstance(group, tuple) else group


def _mentions(part: Any, template: str, member: str) -> bool:
    match part:
        case Hop():
            return part.template == template and member in {"", part.field}
        case Pattern():
            return part.template == template and (not member or any(test.field == member for test in part.tests))
        case Read(variable, _, True):
            return variable == template and not member
    made = getattr(part, "template", None) or getattr(part, "event", None) or getattr(part, "procedure", None)
    names = [getattr(one, "field", one[0] if isinstance(one, tuple) else "") for one in _members(part)]
    return made == template and (not member or member in names or not names)


def _members(part: Any) -> Iterable[Any]:
    return getattr(part, "changes", ()) or getattr(part, "fields", ())
