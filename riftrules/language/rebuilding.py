"""What a rule says of its own parts, found anew when a part of it has been changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from riftrules.errors import Place
from riftrules.facts.types import IntType, RefType, TextType, Type
from riftrules.language.model import (
    Bind,
    Case,
    Condition,
    Count,
    Definition,
    Each,
    Hop,
    Invariant,
    Pattern,
    Read,
    Refuse,
    Rule,
    Sum,
    Template,
)
from riftrules.language.standing import standing_order


def parts_of(node: Any) -> Iterator[Any]:
    """The node, if it is one of the language, and every node beneath it."""
    if isinstance(node, tuple):
        for item in node:
            yield from parts_of(item)
    elif is_dataclass(node) and not isinstance(node, Place):
        yield node
        for field in fields(node):
            yield from parts_of(getattr(node, field.name))


def rebuilt(rule: Rule, templates: Mapping[str, Template]) -> Rule:
    """The rule with `variables`, `ranged`, `standing`, `reads`, `singletons` and `request` as its parts have them."""
    heard = (rule.event,) if rule.event is not None else ()
    conditions: tuple[Condition, ...] = (*heard, *rule.when)
    ranged = tuple(one for one in conditions if isinstance(one, Each) or (isinstance(one, Pattern) and one.name is not None))
    whole = (*conditions, *rule.then, rule.choose)
    variables = _variables(conditions, rule.event, rule.variables)
    return replace(
        rule,
        ranged=ranged,
        standing=standing_order(ranged, whole),
        reads=_reads(whole, set(variables), templates),
        singletons=singletons_of(whole),
        request=next((one.target for one in rule.then if isinstance(one, Refuse)), None),
        variables=variables,
    )


def rebuilt_definition(definition: Definition) -> Definition:
    """The definition with the singletons that its conditions read."""
    return replace(definition, singletons=singletons_of(definition.when))


def rebuilt_case(case: Case) -> Case:
    """The case of a derived field with the singletons that it reads."""
    return replace(case, singletons=singletons_of((*case.when, case.value)))


def rebuilt_invariant(invariant: Invariant) -> Invariant:
    """The invariant with the singletons and variables of its conditions."""
    variables = _variables(invariant.when, None, invariant.variables)
    return replace(invariant, singletons=singletons_of(invariant.when), variables=variables)


def singletons_of(node: Any) -> tuple[str, ...]:
    """The singletons that the node reads outside patterns over them."""
    return tuple(sorted({part.variable for part in parts_of(node) if isinstance(part, Read) and part.singleton}))


def _variables(conditions: tuple[Condition, ...], event: Pattern | None, known: Mapping[str, Type]) -> dict[str, Type]:
    """The variables bound outside quantifiers; one that was known keeps its type."""
    found: dict[str, Type] = {}
    for one in conditions:
        match one:
            case Pattern(template, name, tests) if name is not None or one is event:
                bound = [test.test.variable for test in tests if isinstance(test.test, Bind)]
                found.update({variable: known.get(variable, TextType()) for variable in bound if variable not in found})
                if name is not None:
                    found[name] = known.get(name, RefType(template))
            case Each(_, names):
                found.update({variable: known.get(variable, TextType()) for variable in names})
            case Count(_, variable) | Sum(variable=variable):
                found[variable] = known.get(variable, IntType())
    ordered = [name for name in known if name in found]
    return {name: found[name] for name in (*ordered, *(name for name in found if name not in known))}


def _reads(whole: tuple[Any, ...], variables: set[str], templates: Mapping[str, Template]) -> tuple[Read, ...]:
    """The reads of rule-level variables and singletons, closed under prefixes; one-hop reads of events left out."""
    found: set[Read] = set()
    for read in _all_reads(whole):
        if not read.singleton and read.variable not in variables:
            continue
        for length in range(1, len(read.hops) + 1):
            if length == 1 and templates[read.hops[0].template].kind == "event":
                continue
            found.add(Read(read.variable, read.hops[:length], read.singleton))
    return tuple(sorted(found, key=lambda read: (read.variable, tuple((hop.template, hop.field) for hop in read.hops))))


def _all_reads(whole: tuple[Any, ...]) -> Iterator[Read]:
    for part in parts_of(whole):
        match part:
            case Read():
                yield part
            case Pattern(template, str(name), tests):
                named = [test for test in tests if test.field != "id"]
                yield from (Read(name, (Hop(template, test.field, test.derived),)) for test in named)
