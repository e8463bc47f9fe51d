"""Checks for what is declared, bound or written and then made no use of, and for what is used and never there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from riftrules.analysis.lint.material import Material, doubt
from riftrules.errors import Place, Problem
from riftrules.language.model import Bind, Count, Each, EndGame, Pattern, Read, Rule, Sum, Use
from riftrules.language.rebuilding import parts_of


def unused_variables(material: Material) -> Iterator[Problem]:
    """`unused-variable`: a variable that a rule binds and nothing else in it mentions."""
    for rule in material.ruleset.rules:
        counts = _mentions(rule)
        for field, name, place in _bare(rule):
            if counts[name] == 1:
                hint = f"write `{field}: some` if it only must be something, else leave the test out"
                yield doubt(place, "unused-variable", f"rule `{rule.id}` binds `${name}` and makes no use of it", hint)
        for name, place in _counted(rule):
            if counts[name] == 1:
                yield doubt(place, "unused-variable", f"rule `{rule.id}` counts `${name}` and makes no use of it", "leave it out")


def _mentions(rule: Rule) -> Counter[str]:
    """How often each variable stands in a rule, where it is bound included."""
    counts: Counter[str] = Counter()
    for part in parts_of((rule.when, rule.event, rule.then, rule.choose)):
        match part:
            case Bind(name) | Read(name, _, False) | Pattern(name=str(name)) | Count(variable=name) | Sum(variable=name):
                counts[name] += 1
            case Each(variables=names):
                counts.update(names)
    if rule.choose is not None:
        counts.update([rule.choose.one, *([rule.choose.per] if rule.choose.per else [])])
    return counts


def _bare(rule: Rule) -> Iterator[tuple[str, str, Place]]:
    """The bare variables of patterns: (field, variable, place)."""
    for part in parts_of((rule.event, rule.when) if rule.event is not None else rule.when):
        if isinstance(part, Pattern):
            for test in part.tests:
                if isinstance(test.test, Bind):
                    yield test.field, test.test.variable, test.place


def _counted(rule: Rule) -> Iterator[tuple[str, Place]]:
    for part in parts_of(rule.when):
        match part:
            case Count(_, name, place) | Sum(_, _, name, place):
                yield name, place


def unused_declarations(material: Material) -> Iterator[Problem]:
    """`unused-template` and `unused-definition`: declared, and then neither read, written nor given."""
    ruleset = material.ruleset
    read = {template for template, _ in material.read}
    written = {*material.asserted, *(template for template, _ in material.modified)}
    for name, template in ruleset.templates.items():
        if template.kind in {"standing", "singleton"} and name != "settings" and name not in read | written | material.viewed:
            referred = any(getattr(part, "template", "") == name for one in ruleset.templates.values() for part in _types(one))
            if not referred:
                yield doubt(template.place, "unused-template", f"no rule reads or writes a `{name}`", "take it away")
    used = {part.definition for node in _everything(material) for part in parts_of(node) if isinstance(part, Use)}
    for name, definition in ruleset.definitions.items():
        if name not in used:
            yield doubt(definition.place, "unused-definition", f"nothing uses the definition `{name}`", "take it away")


def _types(template: object) -> Iterator[object]:
    for field in getattr(template, "fields", {}).values():
        yield from parts_of(field.type)


def _everything(material: Material) -> list[object]:
    ruleset = material.ruleset
    derived = tuple(one for template in ruleset.templates.values() for one in template.derived.values())
    return [ruleset.rules, tuple(ruleset.definitions.values()), derived, ruleset.invariants]


def written_never_read(material: Material) -> Iterator[Problem]:
    """`written-never-read`: rules make facts no rule reads, or set a field nothing reads, shows or expects."""
    read = {template for template, _ in material.read}
    for name, rules in material.asserted.items():
        results = any(isinstance(said, EndGame) for rule in rules for said in rule.then)
        if name not in read | material.viewed and not results:
            place = rules[0].place
            said = f"rule `{rules[0].id}` makes a `{name}`, which no rule reads"
            yield doubt(place, "written-never-read", said, "take it away, or show it in `view.yaml`")
    for (template, field), rules in material.modified.items():
        kind = material.ruleset.templates[template].kind
        told = field in material.viewed or field in material.mentioned or not material.fixtures
        if (template, field) not in material.read and not told and kind in {"standing", "singleton"}:
            said = f"rule `{rules[0].id}` sets `{field}` of `{template}`, which no rule reads"
            yield doubt(rules[0].place, "written-never-read", said, "take it away, or show it in `view.yaml`")


def read_never_written(material: Material) -> Iterator[Problem]:
    """`read-never-written`: rules wait for an event or a fact that nothing makes and no fixture gives."""
    for rule in material.ruleset.rules:
        if rule.event is not None and rule.event.template not in material.emitted:
            said = f"rule `{rule.id}` hears `{rule.event.template}`, which no rule emits"
            yield doubt(rule.event.place, "read-never-written", said, "emit it, or take the rule away")
    if not material.fixtures:
        return
    for name, template in material.ruleset.templates.items():
        given = {name, template.plural} & material.mentioned
        if template.kind in {"standing", "singleton"} and name not in material.asserted and not given and name != "settings":
            place = _first_reader(material, name)
            if place is not None:
                said = f"rules read a `{name}`, which no rule makes and no fixture gives"
                yield doubt(place, "read-never-written", said, "give one in a fixture, or take it away")


def _first_reader(material: Material, template: str) -> Place | None:
    for rule in material.ruleset.rules:
        for part in parts_of((rule.when, rule.event) if rule.event is not None else rule.when):
            if isinstance(part, Pattern) and part.template == template:
                return part.place
    return None
