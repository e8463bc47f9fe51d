"""What the match network is asked to match, and what it refuses to be asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from operator import eq, ge, gt, le, lt, ne

from riftrules.errors import EngineError

COMPARISONS: Mapping[str, Callable[[int, int], bool]] = {"==": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}
# Limits of durable_rules 2.0.28 that nothing can be done about; tests/engine/test_durable_rules.py shows what lies beyond.
JOINS_PER_PATTERN = 28
FIELDS_PER_KIND = 240


@dataclass(frozen=True, slots=True)
class Join:
    """`field` of this pattern `op` `other` of an earlier `pattern` plus `plus`."""

    op: str
    field: str
    pattern: int
    other: str
    plus: int = 0


@dataclass(frozen=True, slots=True)
class NetPattern:
    """One fact of `kind`, joined with earlier patterns of the rule. All patterns over a kind name the same fields."""

    kind: str
    fields: tuple[str, ...] = ()
    joins: tuple[Join, ...] = ()


@dataclass(frozen=True, slots=True)
class NetRule:
    """At least one pattern, all positive. Order them so that each is joined with an earlier one where it can be."""

    name: str
    patterns: tuple[NetPattern, ...]


def fields_of_kinds(rules: Iterable[NetRule]) -> dict[str, tuple[str, ...]]:
    """The fields of each kind, in the order in which the rules name them.

    Raises EngineError, naming the rule, where a rule is beyond what the network can match.
    """
    fields: dict[str, tuple[str, ...]] = {}
    for rule in rules:
        if not rule.patterns:
            raise _refusal(rule, "has no pattern")
        for number, pattern in enumerate(rule.patterns):
            if fields.setdefault(pattern.kind, pattern.fields) != pattern.fields:
                raise _refusal(rule, f"pattern {number + 1} gives kind `{pattern.kind}` other fields than an earlier one")
            _check(rule, number)
    return fields


def _check(rule: NetRule, number: int) -> None:
    pattern = rule.patterns[number]
    fields, joins = len(pattern.fields), len(pattern.joins)
    if fields > FIELDS_PER_KIND:
        raise _refusal(rule, f"pattern {number + 1} has {fields} fields; the match network takes at most {FIELDS_PER_KIND}", 302)
    if joins > JOINS_PER_PATTERN:
        raise _refusal(rule, f"pattern {number + 1} has {joins} joins; the match network takes at most {JOINS_PER_PATTERN}", 113)
    for join in pattern.joins:
        _check_join(rule, number, join)


def _check_join(rule: NetRule, number: int, join: Join) -> None:
    if join.op not in COMPARISONS:
        raise _refusal(rule, f"pattern {number + 1} joins by `{join.op}`, which the match network does not know")
    if not 0 <= join.pattern < number:
        raise _refusal(rule, f"pattern {number + 1} is joined with pattern {join.pattern + 1}, which is not before it")
    if join.field not in rule.patterns[number].fields or join.other not in rule.patterns[join.pattern].fields:
        raise _refusal(rule, f"pattern {number + 1} joins `{join.field}` with `{join.other}`, and one of them is not sent")


def _refusal(rule: NetRule, why: str, code: int = 0) -> EngineError:
    return EngineError(f"rule `{rule.name}`: {why}", code=code)
