"""The edits between two rulesets: of what, of which part, before and after; and nothing that is said goes unnoticed."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from riftrules.analysis.comparing.bare import alike, bare
from riftrules.analysis.comparing.between import edits_between
from riftrules.analysis.comparing.mixing import Revision
from riftrules.errors import Place
from riftrules.facts import types
from riftrules.language import model
from riftrules.language.loader import load_ruleset
from riftrules.language.model import Ruleset
from tests.language.test_readme import of_the_page

ROOT = Path(__file__).parents[3]
NOT_SAID = {"place", "text", "path", "files", "warnings"}
"""Where something stands, and texts kept for messages: no part of what a ruleset says."""

Step = str | int
Where = tuple[Step, ...]


@cache
def lamps() -> Ruleset:
    """A small ruleset."""
    return load_ruleset(ROOT / "tests" / "rulesets" / "lamps")


@pytest.fixture(scope="session")
def everything(tmp_path_factory: pytest.TempPathFactory) -> tuple[Ruleset, ...]:
    """Rulesets that together use all of the language."""
    rule = lamps().rule("the-goal-wins")
    begins = model.BeginEach(model.Literal((types.Call("dim", (("by", "ada"),)),)))
    calling = changed(rule.id, then=(begins, *rule.then))
    scoped = replace(calling, scopes=load_ruleset(ROOT / "rulesets" / "riftbound").scopes)
    return of_the_page(tmp_path_factory.mktemp("page")), scoped


def said(old: Ruleset, new: Ruleset) -> list[str]:
    """The edits, each on a line."""
    return [
        f"{one.change} {one.kind} {one.name}: {one.part}: {one.before} → {one.after}" for one in edits_between(old, new).edits
    ]


# ------------------------------------------------------------------------------------------------ every field


def every(node: Any, where: Where = ()) -> Iterator[tuple[Where, Any]]:
    """Every part of a ruleset, with the way to it."""
    yield where, node
    if isinstance(node, Place) or (where and where[-1] in NOT_SAID):
        return
    if is_dataclass(node):
        for one in fields(node):
            yield from every(getattr(node, one.name), (*where, one.name))
    elif isinstance(node, Mapping):
        for key, value in node.items():
            yield from every(value, (*where, key))
    elif isinstance(node, tuple):
        for place, value in enumerate(node):
            yield from every(value, (*where, place))


def with_value(node: Any, where: Where, value: Any) -> Any:
    """The node with another value in one place."""
    if not where:
        return value
    step, *rest = where
    if is_dataclass(node):
        return replace(node, **{str(step): with_value(getattr(node, str(step)), tuple(rest), value)})
    if isinstance(node, Mapping):
        return {**node, step: with_value(node[step], tuple(rest), value)}
    assert isinstance(step, int)
    return (*node[:step], with_value(node[step], tuple(rest), value), *node[step + 1 :])


MEMBERS: Mapping[str, Any] = {
    "hops": model.Hop("other", "other"),
    "when": model.Pattern("other", None, ()),
    "tests": model.FieldTest("other", model.Known()),
    "ranged": model.Pattern("other", "other", ()),
    "reads": model.Read("other"),
    "arguments": model.Literal("other"),
    "fields": ("other", model.Literal("other")),
}


def another(value: Any, field: str) -> Any:
    """Some other value in the place of this one."""
    if value == () and field in MEMBERS:
        return (MEMBERS[field],)
    if field == "op":
        return "+" if value != "+" else "-"
    match value:
        case bool():
            return not value
        case int():
            return value + 10_000  # of a rule's number: it is declared elsewhere now
        case str():
            return f"{value}-other"
        case None:
            return "other"
    return _another(value)


def _another(value: Any) -> Any:
    match value:
        case tuple():
            return value[:-1] if value else ("other",)
        case frozenset():
            return value ^ {"other"}
        case Mapping():
            return dict(list(value.items())[:-1]) if value else {"other": "other"}
        case types.IntType():
            return types.TextType()
    return types.IntType(-7) if isinstance(value, KINDS) else model.Literal("other")


KINDS = (
    types.RefType,
    types.BoolType,
    types.TextType,
    types.WordType,
    types.SetType,
    types.ListType,
    types.MapType,
    types.CallsType,
)


def first_of_each(rulesets: tuple[Ruleset, ...]) -> dict[tuple[str, str], tuple[Ruleset, Where]]:
    """For each class of the model and each of its fields, one place where it stands."""
    found: dict[tuple[str, str], tuple[Ruleset, Where]] = {}
    for ruleset in rulesets:
        for where, node in every(ruleset):
            if is_dataclass(node) and not isinstance(node, Place):
                for one in fields(node):
                    found.setdefault((type(node).__name__, one.name), (ruleset, (*where, one.name)))
    return found


def language() -> set[tuple[str, str]]:
    """Every field of every class of the model and of the types of values."""
    classes = [getattr(model, name) for name in model.__all__]
    classes += [one for one in vars(types).values() if dataclasses.is_dataclass(one) and isinstance(one, type)]
    return {(one.__name__, field.name) for one in classes if dataclasses.is_dataclass(one) for field in fields(one)}


def test_rulesets_that_differ_in_any_one_field_are_never_the_same(everything: tuple[Ruleset, ...]) -> None:
    places = first_of_each(everything)
    missing = {pair for pair in language() if pair not in places and pair[1] not in NOT_SAID}
    assert missing == set(), "no example has these"
    unnoticed = []
    for (kind, name), (ruleset, where) in places.items():
        if name not in NOT_SAID and where[0] not in NOT_SAID:
            held = ruleset
            for step in where:
                held = getattr(held, str(step)) if is_dataclass(held) else held[step]
            changed = with_value(ruleset, where, another(held, str(where[-1])))
            if not edits_between(ruleset, changed).edits or not edits_between(changed, ruleset).edits:
                unnoticed.append(f"{kind}.{name}")
    assert unnoticed == []


def test_a_ruleset_is_the_same_as_itself(everything: tuple[Ruleset, ...]) -> None:
    for ruleset in (*everything, lamps()):
        assert edits_between(ruleset, ruleset).edits == ()


def test_where_something_stands_makes_no_difference() -> None:
    moved = load_ruleset(ROOT / "tests" / "rulesets" / "lamps", shown="elsewhere")
    assert moved.rules[0].place != lamps().rules[0].place
    assert edits_between(lamps(), moved).edits == ()


# ------------------------------------------------------------------------------------------------ how they are said


def changed(name: str, **values: Any) -> Ruleset:
    """The lamps with one rule otherwise."""
    rules = tuple(replace(rule, **values) if rule.id == name else rule for rule in lamps().rules)
    return replace(lamps(), rules=rules)


def test_conditions_are_compared_one_by_one() -> None:
    rule = lamps().rule("broken-lamps-stay-dark")
    assert said(lamps(), changed(rule.id, when=rule.when[:1])) == [
        "dropped rule broken-lamps-stay-dark: condition: lamp: {id: $l.lamp, broken: true} → "
    ]
    assert said(changed(rule.id, when=rule.when[:1]), lamps()) == [
        "added rule broken-lamps-stay-dark: condition:  → lamp: {id: $l.lamp, broken: true}"
    ]


def test_the_order_of_conditions_is_told_and_plays_no_part() -> None:
    rule = lamps().rule("broken-lamps-stay-dark")
    (edit,) = edits_between(lamps(), changed(rule.id, when=rule.when[::-1])).edits
    assert (edit.part, edit.plays) == ("order of conditions", False)


def test_consequents_are_compared_in_their_order() -> None:
    rule = lamps().rule("a-lamp-is-lit")
    assert said(lamps(), changed(rule.id, then=rule.then[::-1])) == [
        "added rule a-lamp-is-lit: consequent:  → emit lit: {lamp: $x}",
        "dropped rule a-lamp-is-lit: consequent: emit lit: {lamp: $x} → ",
    ]


def test_citations_and_words_are_edits_that_do_not_play() -> None:
    revision = Revision(lamps(), changed("the-goal-wins", cites=("4", "3"), says="Whoever gets there wins."))
    assert said(revision.old, revision.new) == [
        "changed rule the-goal-wins: citations: [4] → [4, 3]",
        "changed rule the-goal-wins: summary: A player who reaches the goal wins. → Whoever gets there wins.",
    ]
    assert revision.playing == ()


def test_a_rule_of_another_name_is_not_another_rule() -> None:
    found = edits_between(lamps(), changed("the-goal-wins", id="reaching-the-goal-wins"))
    assert [(one.part, one.before, one.after) for one in found.edits] == [("name", "the-goal-wins", "reaching-the-goal-wins")]
    assert found.renamed == {"the-goal-wins": "reaching-the-goal-wins"}


def test_fields_settings_and_derived_fields_are_edits_of_their_own() -> None:
    settings = lamps().templates["settings"]
    goal = replace(settings.fields["goal"], default=model.Literal(5))
    room = lamps().templates["room"]
    less = replace(room, derived=MappingProxyType({}))
    five = replace(settings, fields={**settings.fields, "goal": goal})
    new = replace(lamps(), templates={**lamps().templates, "settings": five, "room": less})
    assert said(lamps(), new) == [
        "changed setting settings: field `goal`: {int: {min: 1}, default: 3} → {int: {min: 1}, default: 5}",
        "dropped template room: derived field `lit`: when count: {lamp: {at: $this, lit: true}}, as: $n is $n → ",
    ]


def test_rules_declared_in_another_order_are_told() -> None:
    rules = tuple(replace(rule, number=-1) if rule.id == "the-goal-wins" else rule for rule in lamps().rules)
    (line,) = said(lamps(), replace(lamps(), rules=rules))
    assert line.startswith("changed ruleset lamps: order of rules: the-goal-wins after ")
    assert line.endswith(" → the-goal-wins first")


def test_two_parts_are_alike_just_when_their_bare_values_are_equal(everything: tuple[Ruleset, ...]) -> None:
    sides = [[one for one in every(ruleset) if not isinstance(one[1], Place)] for ruleset in everything]
    for one, other in zip(*sides, strict=False):
        assert alike(one[1], other[1]) == (bare(one[1]) == bare(other[1])), (one, other)
    assert alike([1, "a"], (1, "a"))
    assert not alike((1,), (True,))
    assert alike({"a": (1,), "b": 2}, MappingProxyType({"b": 2, "a": [1]}))
    assert not alike({"a": 1}, {"a": 1, "b": None})
