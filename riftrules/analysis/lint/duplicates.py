"""`duplicate-rule` and `subsumed-rule`: rules that say again what another says already."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

from riftrules.analysis.lint.material import Material, doubt
from riftrules.errors import Place, Problem
from riftrules.language.model import Bind, Condition, Count, Each, Pattern, Read, Rule, Sum

IGNORED = frozenset({"place", "text"})
VARIABLES = {Bind: ("variable",), Pattern: ("name",), Each: ("variables",), Count: ("variable",), Sum: ("variable",)}


def repeated_rules(material: Material) -> Iterator[Problem]:
    """`duplicate-rule` where two rules say the same, `subsumed-rule` where one says it of fewer boards."""
    alike: dict[tuple[object, ...], list[Rule]] = {}
    for rule in material.ruleset.rules:
        event = rule.event.template if rule.event is not None else ""
        request = next((getattr(said, "procedure", "") for said in rule.then), "") if rule.kind == "legality" else ""
        kinds = tuple(type(said).__name__ for said in rule.then)
        alike.setdefault((rule.kind, rule.step, event, request, kinds), []).append(rule)
    for rules in alike.values():
        for place, rule in enumerate(rules):
            yield from _against(rule, rules[:place])


def _against(rule: Rule, earlier: Sequence[Rule]) -> Iterator[Problem]:
    for other in earlier:
        wider, narrower = covers(other, rule), covers(rule, other)
        if wider and narrower:
            yield doubt(
                rule.place, "duplicate-rule", f"rule `{rule.id}` says the same as `{other.id}` at {other.place}", "take one away"
            )
        elif wider:
            said = f"rule `{rule.id}` fires only where `{other.id}` at {other.place} does, and does the same"
            yield doubt(rule.place, "subsumed-rule", said, "take it away, or let it do something else")
        elif narrower:
            said = f"rule `{other.id}` fires only where `{rule.id}` at {rule.place} does, and does the same"
            yield doubt(other.place, "subsumed-rule", said, "take it away, or let it do something else")


def covers(wide: Rule, narrow: Rule) -> bool:
    """Whether every board on which `narrow` fires is one on which `wide` does the same: it asks for no more."""
    if wide.salience != narrow.salience or len(wide.when) > len(narrow.when):
        return False
    start = _same(wide.event, narrow.event, {})
    if start is None:
        return False
    return any(
        _same((wide.then, wide.choose), (narrow.then, narrow.choose), found) is not None
        for found in _fits(wide.when, narrow.when, start)
    )


def _fits(wide: Sequence[Condition], narrow: Sequence[Condition], names: Mapping[str, str]) -> Iterator[Mapping[str, str]]:
    """Every way in which each condition of `wide` is one of `narrow`, each used once."""
    if not wide:
        yield names
        return
    for place, one in enumerate(narrow):
        found = _same(wide[0], one, names)
        if found is not None:
            yield from _fits(wide[1:], [*narrow[:place], *narrow[place + 1 :]], found)


def _same(one: Any, other: Any, names: Mapping[str, str]) -> Mapping[str, str] | None:
    """The variables' names matched so that both are the same; None where they are not."""
    if type(one) is not type(other):
        return None
    if isinstance(one, Read):
        if one.singleton != other.singleton or one.hops != other.hops:
            return None
        return names if one.singleton and one.variable == other.variable else _named(one.variable, other.variable, names)
    if isinstance(one, tuple):
        return _items(one, other, names)
    if not is_dataclass(one):
        return names if one == other else None
    found: Mapping[str, str] | None = names
    for field in fields(one):
        if found is None or field.name in IGNORED or isinstance(getattr(one, field.name), Place):
            continue
        pair = getattr(one, field.name), getattr(other, field.name)
        found = _variables(*pair, found) if field.name in VARIABLES.get(type(one), ()) else _same(*pair, found)
    return found


def _items(one: tuple[Any, ...], other: tuple[Any, ...], names: Mapping[str, str]) -> Mapping[str, str] | None:
    """Two sequences, item by item; the tests of a pattern in any order, since it does not matter."""
    if len(one) != len(other):
        return None
    found: Mapping[str, str] | None = names
    ordered = sorted(other, key=_by_field), sorted(one, key=_by_field)
    for mine, theirs in zip(ordered[1], ordered[0], strict=True):
        if found is None:
            return None
        found = _same(mine, theirs, found)
    return found


def _by_field(item: Any) -> str:
    return getattr(item, "field", "") if type(item).__name__ == "FieldTest" else ""


def _variables(one: Any, other: Any, names: Mapping[str, str]) -> Mapping[str, str] | None:
    if isinstance(one, tuple):
        found: Mapping[str, str] | None = names if len(one) == len(other) else None
        for mine, theirs in zip(one, other, strict=False):
            found = None if found is None else _named(mine, theirs, found)
        return found
    return names if one is None and other is None else None if one is None or other is None else _named(one, other, names)


def _named(one: str, other: str, names: Mapping[str, str]) -> Mapping[str, str] | None:
    if one in names:
        return names if names[one] == other else None
    return None if other in names.values() else {**names, one: other}
