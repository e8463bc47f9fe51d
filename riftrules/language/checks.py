"""Checks over a whole ruleset: names that must exist elsewhere, rings, citations, the index of printed rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

from riftrules.errors import Place
from riftrules.language.model import Else, Printed, Procedure, Read, Ruleset, Template
from riftrules.language.naming import doubled
from riftrules.language.problems import Name as Called
from riftrules.language.problems import Problems, near
from riftrules.language.type_names import comparable, type_name

Name = TypeVar("Name", str, tuple[str, str])

STATUSES = ("implemented", "definition", "out of scope")


def check_procedures(ruleset: Ruleset, problems: Problems) -> None:
    """A procedure as a step needs no field; `ask` stands where the procedure yields; procedures do not nest in a ring."""
    for procedure in ruleset.procedures.values():
        for step in procedure.steps:
            if step in ruleset.procedures and needs_fields(ruleset.templates[step]):
                message = f"`{step}` is a step of `{procedure.name}` but has required fields"
                problems.say(procedure.place, "procedure-step", message, "give its fields defaults, or begin it from a rule")
        if procedure.then in ruleset.procedures and needs_fields(ruleset.templates[procedure.then]):
            message = f"`{procedure.then}` follows `{procedure.name}` but has required fields"
            problems.say(procedure.place, "procedure-step", message, "give its fields defaults, or make it due from a rule")
        for step in doubled(procedure.steps):
            problems.say(procedure.place, "duplicate", f"`{procedure.name}` lists the step `{step}` twice")
    nested = {
        name: {step for step in procedure.steps if step in ruleset.procedures} for name, procedure in ruleset.procedures.items()
    }
    for ring in rings(nested):
        problems.say(ruleset.procedures[ring[0]].place, "ring", f"procedures run in one another for ever: {_shown(ring)}")
    _check_asking(ruleset, problems)


def _check_asking(ruleset: Ruleset, problems: Problems) -> None:
    listed = _procedures_by_step(ruleset)
    for rule in ruleset.rules:
        if rule.kind == "ask":
            for procedure in listed.get(rule.step, ()):
                if not procedure.yields and not problems.is_lost("word", procedure.name):
                    message = f"rule `{rule.id}` asks in step `{rule.step}` of `{procedure.name}`, which does not yield"
                    problems.say(rule.place, "ask", message, f"say `yields: true` of `{procedure.name}`")


def check_defaults(ruleset: Ruleset, problems: Problems) -> None:
    """A default that reads a singleton reads what may stand in the field."""
    for template in ruleset.templates.values():
        for field in template.fields.values():
            for read in _default_reads(field.default):
                read_from = ruleset.templates[read.variable].fields[read.hops[0].field]
                if not comparable(field.type, read_from.type):
                    said = f"the default of `{field.name}` is {type_name(read_from.type)} where {type_name(field.type)} belongs"
                    problems.say(field.place, "default", said)


def _default_reads(default: object) -> Iterator[Read]:
    match default:
        case Else(left, right):
            yield from _default_reads(left)
            yield from _default_reads(right)
        case Read(singleton=True):
            yield default


def _procedures_by_step(ruleset: Ruleset) -> dict[str, list[Procedure]]:
    found: dict[str, list[Procedure]] = {}
    for procedure in ruleset.procedures.values():
        for step in procedure.steps:
            found.setdefault(step, []).append(procedure)
    return found


def needs_fields(template: Template) -> bool:
    """Whether a frame of this template cannot be made with defaults alone."""
    return any(field.required for field in template.fields.values())


def check_rings(uses: Mapping[tuple[str, str], set[tuple[str, str]]], ruleset: Ruleset, problems: Problems) -> None:
    """A definition or derived field must not need itself, through others either."""
    inner = {name: used for name, used in uses.items() if name[0] not in {"rule", "invariant"}}
    for ring in rings(inner):
        kind, name = ring[0]
        place = ruleset.definitions[name].place if kind == "definition" else ruleset.templates[kind].derived[name].place
        problems.say(place, "ring", f"these need one another: {_shown([_called(one) for one in ring])}")


def _called(name: tuple[str, str]) -> str:
    return name[1] if name[0] == "definition" else ".".join(name)


def _shown(ring: list[str]) -> str:
    return " → ".join(f"`{name}`" for name in (*ring, ring[0]))


def rings(edges: Mapping[Name, set[Name]]) -> Iterator[list[Name]]:
    """One ring for each group of names that need one another, each from its first name."""
    seen: set[Name] = set()
    for start in sorted(edges):
        if start in seen:
            continue
        path = _path_back(start, edges)
        if path is not None:
            seen.update(path)
            yield path


def _path_back(start: Name, edges: Mapping[Name, set[Name]]) -> list[Name] | None:
    """The shortest way from a name back to itself, or None."""
    before: dict[Name, Name] = {}
    waiting = [start]
    for name in waiting:
        for following in sorted(edges.get(name, ())):
            if following == start:
                path = [name]
                while path[-1] != start:
                    path.append(before[path[-1]])
                return path[::-1]
            if following not in before:
                before[following] = name
                waiting.append(following)
    return None


def check_cites(ruleset: Ruleset, problems: Problems) -> None:
    """Every rule cites numbers of the index, or says that it is a house rule."""
    if not ruleset.rulebook:
        return
    for kind, name, cites, place, house in _citing(ruleset):
        for number in cites:
            if number not in ruleset.rulebook:
                message = f"{kind} `{name}` cites `{number}`, which the index of printed rules does not have"
                hint = near(number, ruleset.rulebook, otherwise=False)
                problems.unknown(place, "unknown-citation", message, hint, name=("number", number))
        if kind == "rule" and not cites and not house:
            problems.say(place, "no-citation", f"rule `{name}` cites no printed rule", "cite one, or say `house: true`")


def _citing(ruleset: Ruleset) -> Iterator[tuple[str, str, tuple[str, ...], Place, bool]]:
    for rule in ruleset.rules:
        yield "rule", rule.id, rule.cites, rule.place, rule.house
    for kind, found in (
        ("procedure", ruleset.procedures.values()),
        ("step", ruleset.steps.values()),
        ("definition", ruleset.definitions.values()),
        ("invariant", ruleset.invariants),
    ):
        for one in found:
            yield kind, one.name, one.cites, one.place, True


def check_rulebook(ruleset: Ruleset, problems: Problems) -> None:
    """What the index says is held by something is held by something that exists."""
    names = set(holders(ruleset))
    for printed in ruleset.rulebook.values():
        if printed.status not in STATUSES:
            message = f"`{printed.number}`: `{printed.status}` is no status"
            problems.say(printed.place, "status", message, near(printed.status, STATUSES))
        for held in printed.held:
            if held not in names:
                message = f"`{printed.number}` is held by `{held}`, which does not exist"
                hint = near(held, names, otherwise=False)
                problems.unknown(printed.place, "unknown-holder", message, hint, name=_holder(held, ruleset))
        _reasoned(printed, problems)


def _reasoned(printed: Printed, problems: Problems) -> None:
    if printed.status == "out of scope" and not printed.reason:
        problems.say(printed.place, "reason", f"`{printed.number}` is out of scope without a reason")
    if printed.status == "definition" and not printed.held:
        problems.say(printed.place, "unknown-holder", f"`{printed.number}` is a definition, but nothing holds it")


_HOLDERS = {"template": "word", "event": "word", "procedure": "word", "definition": "word"}
"""What names the kinds of holders whose names are words."""


def _holder(held: str, ruleset: Ruleset) -> Called:
    """The name that a holder of a printed rule has elsewhere."""
    kind, _, name = held.partition(" ")
    if not name:
        return "rule", held
    if kind == "field" and (template := name.partition(".")[0]) not in ruleset.templates:
        return "word", template
    return ("field", f"settings.{name}") if kind == "setting" else (_HOLDERS.get(kind, kind), name)


def holders(ruleset: Ruleset) -> Iterator[str]:
    """Every name that may hold a printed rule: rule ids alone, the rest with their kind before them."""
    yield from (rule.id for rule in ruleset.rules)
    for template in ruleset.templates.values():
        yield f"{'event' if template.kind == 'event' else 'template'} {template.name}"
        yield from (f"field {template.name}.{name}" for name in (*template.fields, *template.derived))
    yield from (f"procedure {name}" for name in ruleset.procedures)
    yield from (f"step {name}" for name in ruleset.steps)
    yield from (f"definition {name}" for name in ruleset.definitions)
    yield from (f"setting {name}" for name in ruleset.templates["settings"].fields)
    yield from (f"mode {name}" for name in ruleset.modes)
    yield from (f"invariant {invariant.name}" for invariant in ruleset.invariants)
    yield "check internal"
