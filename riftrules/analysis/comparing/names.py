"""What a ruleset names without having it: how a mixture of two rulesets is known not to hold together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from riftrules.analysis.comparing.edits import Key
from riftrules.engine.syntax_tree import bindable
from riftrules.facts.types import ListType, MapType, RefType, SetType, Type
from riftrules.language.model import (
    AskFor,
    Assert,
    Begin,
    Bind,
    Definition,
    Emit,
    Hop,
    Leave,
    Modify,
    Pattern,
    Read,
    Refuse,
    Retract,
    Rule,
    Ruleset,
    Template,
    Use,
)
from riftrules.language.rebuilding import parts_of


@dataclass(frozen=True, slots=True)
class Lack:
    """`by` names something that is not there: one of `named`, or its `member`."""

    by: Key
    named: tuple[Key, ...]
    member: str = ""


def lacking(ruleset: Ruleset) -> Iterator[Lack]:
    """Everything that is named and not there, or needed and not given."""
    for rule in ruleset.rules:
        yield from _of_rule(rule, ruleset)
    for definition in ruleset.definitions.values():
        yield from _of(("definition", definition.name), definition.when, ruleset)
        yield from _unbound_definition(definition)
    for invariant in ruleset.invariants:
        yield from _of(("invariant", invariant.name), invariant.when, ruleset)
    for template in ruleset.templates.values():
        yield from _of_template(template, ruleset)
    for procedure in ruleset.procedures.values():
        by = ("procedure", procedure.name)
        yield from _template(by, procedure.name, ruleset)
        yield from _procedure(by, procedure.then, ruleset) if procedure.then else ()
    for mode, values in ruleset.modes.items():
        for name in values:
            yield from _field(("mode", mode), "settings", name, ruleset)


def _of_rule(rule: Rule, ruleset: Ruleset) -> Iterator[Lack]:
    by = ("rule", rule.id)
    yield from _of(by, (rule.event, rule.when, rule.then, rule.choose), ruleset)
    yield from unbound(rule)
    if rule.step and not any(rule.step in one.steps for one in ruleset.procedures.values()):
        yield Lack(by, tuple(("procedure", name) for name in ruleset.procedures))


def _of(by: Key, parts: Any, ruleset: Ruleset) -> Iterator[Lack]:
    for part in parts_of(tuple(one for one in parts if one is not None)):
        yield from _of_part(by, part, ruleset)


def _of_part(by: Key, part: Any, ruleset: Ruleset) -> Iterator[Lack]:
    match part:
        case Pattern(template, _, tests):
            yield from _fields(by, template, [test.field for test in tests], ruleset)
        case Hop(template, name):
            yield from _fields(by, template, [name], ruleset)
        case Modify(_, template, changes):
            yield from _fields(by, template, [change.field for change in changes], ruleset)
        case Read(template, _, True) | Retract(_, template) | Leave(_, template) | Refuse(_, template):
            yield from _template(by, template, ruleset)
        case Use(definition, arguments):
            yield from _definition(by, definition, len(arguments), ruleset)
        case Assert() | Emit() | Begin():
            yield from _made(by, part, ruleset)
        case AskFor(_, requests):
            for name in requests:
                yield from _procedure(by, name, ruleset)


def _fields(by: Key, template: str, names: Sequence[str], ruleset: Ruleset) -> Iterator[Lack]:
    yield from _template(by, template, ruleset)
    if template in ruleset.templates:
        for name in names:
            yield from _field(by, template, name, ruleset)


def _made(by: Key, part: Assert | Emit | Begin, ruleset: Ruleset) -> Iterator[Lack]:
    """What a consequent makes: its template, the fields it gives, the fields that must be given."""
    name = part.template if isinstance(part, Assert) else part.event if isinstance(part, Emit) else part.procedure
    if isinstance(part, Begin):
        yield from _procedure(by, name, ruleset)
    template = ruleset.templates.get(name)
    if template is None:
        yield Lack(by, (("template", name), ("procedure", name)))
        return
    given = [field for field, _ in part.fields]
    for field in given:
        yield from _field(by, name, field, ruleset)
    for one in template.fields.values():
        if one.required and one.name not in given:
            yield Lack(by, (("template", name),), one.name)


def _template(by: Key, name: str, ruleset: Ruleset) -> Iterator[Lack]:
    if name not in ruleset.templates:
        yield Lack(by, (("template", name), ("procedure", name)))


def _procedure(by: Key, name: str, ruleset: Ruleset) -> Iterator[Lack]:
    if name not in ruleset.procedures:
        yield Lack(by, (("procedure", name), ("template", name)))


def _definition(by: Key, name: str, arguments: int, ruleset: Ruleset) -> Iterator[Lack]:
    found = ruleset.definitions.get(name)
    if found is None or len(found.parameters) != arguments:
        yield Lack(by, (("definition", name),))


def _field(by: Key, template: str, name: str, ruleset: Ruleset) -> Iterator[Lack]:
    found = ruleset.templates.get(template)
    if found is None:
        yield Lack(by, (("template", template), ("procedure", template)))
    elif name != "id" and name not in found.fields and name not in found.derived:
        yield Lack(by, (("template", template),), name)


def _of_template(template: Template, ruleset: Ruleset) -> Iterator[Lack]:
    by = ("template", template.name)
    for one in template.fields.values():
        for ref in _refs(one.type):
            yield from _template(by, ref.template, ruleset)
    for derived in template.derived.values():
        yield from _of(by, derived.cases, ruleset)
    for name in template.key or ():
        yield from _field(by, template.name, name, ruleset)
    if template.kind == "frame" and template.name not in ruleset.procedures:
        yield Lack(by, (("procedure", template.name),))


def _refs(type_: Type) -> Iterator[RefType]:
    match type_:
        case RefType():
            yield type_
        case SetType(of) | ListType(of) | MapType(of):
            yield from _refs(of)


def unbound(rule: Rule) -> Iterator[Lack]:
    """A variable read in consequents or choices that no condition binds any more, or in conditions that none can bind."""
    heard = _heard(rule.event)
    bound = heard | bindable(rule.when, quantified=False)
    read = _outer_reads((rule.then, rule.choose)) | _needed(rule.when)
    if rule.choose is not None:
        read |= {name for name in (rule.choose.one, rule.choose.per) if name}
    if read - bound:
        yield Lack(("rule", rule.id), (("rule", rule.id),))


def _unbound_definition(definition: Definition) -> Iterator[Lack]:
    if _needed(definition.when) - bindable(definition.when, quantified=False) - set(definition.parameters):
        yield Lack(("definition", definition.name), (("definition", definition.name),))


def _heard(event: Pattern | None) -> set[str]:
    if event is None:
        return set()
    names = {test.test.variable for test in event.tests if isinstance(test.test, Bind)}
    return names | ({event.name} if event.name is not None else set())


def _outer_reads(parts: Any) -> set[str]:
    return {part.variable for part in parts_of(parts) if isinstance(part, Read) and not part.singleton}


def _needed(conditions: tuple[Any, ...]) -> set[str]:
    """The variables read in conditions outside quantifiers, or within them without being bound there."""
    found: set[str] = set()
    for one in conditions:
        inner = _inner_bound(one)
        found |= _outer_reads((one,)) - inner
    return found


def _inner_bound(condition: Any) -> set[str]:
    """Every variable that something within a quantifier binds."""
    bound: set[str] = set()
    for name in ("conditions", "has"):
        body = getattr(condition, name, ())
        bound |= bindable(body, quantified=True)
        for one in body:
            bound |= _inner_bound(one)
    return bound
