"""Neither the order of patterns nor the names of variables change what is compared first."""

from __future__ import annotations

import itertools
import random
from pathlib import Path

from riftrules.language.model import Pattern, Rule
from tests.language.small import load

PATTERNS = (
    "lamp $a: {at: $r, lit: true}",
    "lamp $b: {at: $r, lit: false}",
    "lamp $c: {at: store}",
    "room $r: {}",
    "lamp $d: {at: $r, lit: false}",
)


def order(folder: Path, patterns: tuple[str, ...], then: str = "retract $b", more: str = "") -> list[str]:
    """The patterns of the rule in the canonical order, by their texts of tests and names."""
    when = "".join(f"      - {pattern}\n" for pattern in patterns)
    ruleset = load(
        folder, f"rules:\n  - rule: tried\n    house: true\n    step: light\n{more}    when:\n{when}    then: [{then}]\n"
    )
    (rule,) = ruleset.rules
    return [_shown(rule, position) for position in rule.standing]


def _shown(rule: Rule, position: int) -> str:
    pattern = rule.ranged[position]
    assert isinstance(pattern, Pattern)
    return f"{pattern.name} {[test.text for test in pattern.tests]}"


def test_the_order_of_patterns_changes_nothing(tmp_path: Path) -> None:
    expected = order(tmp_path, PATTERNS)
    orders = random.Random(1).sample(list(itertools.permutations(PATTERNS)), 20)
    assert [found for one in orders if (found := order(tmp_path, one)) != expected] == []


def test_the_names_of_variables_change_nothing(tmp_path: Path) -> None:
    names = {"$a": "$z", "$b": "$y", "$d": "$b", "$r": "$a", "$c": "$q"}

    def renamed(text: str) -> str:
        return "".join(names.get(part, part) for part in _parts(text))

    expected = [" ".join((names["$" + one[0]][1:], renamed(one[2:]))) for one in order(tmp_path, PATTERNS)]
    assert order(tmp_path, tuple(renamed(pattern) for pattern in PATTERNS), renamed("retract $b")) == expected


def _parts(text: str) -> list[str]:
    return [text[i : i + 2] if text[i] == "$" else text[i] for i in range(len(text)) if i == 0 or text[i - 1] != "$"]


def test_what_is_chosen_is_told_apart_from_its_twin(tmp_path: Path) -> None:
    twins, choose = (
        ("lamp $a: {at: $r}", "lamp $b: {at: $r}", "room $r: {}"),
        "    choose: {by: $turn.keeper, one: $b, per: $r}\n",
    )
    orders = [order(tmp_path, one, "modify $r: {keeper: none}", choose) for one in itertools.permutations(twins)]
    assert orders.count(orders[0]) == len(orders)


def test_the_name_of_what_is_chosen_changes_nothing(tmp_path: Path) -> None:
    def said(one: str, other: str) -> list[bool]:
        twins = (f"lamp ${one}: {{at: $r}}", f"lamp ${other}: {{at: $r}}", "room $r: {}")
        found = order(tmp_path, twins, "modify $r: {keeper: none}", f"    choose: {{by: $turn.keeper, one: ${one}}}\n")
        return [text.startswith(one) for text in found]

    assert said("a", "b") == said("b", "a")
