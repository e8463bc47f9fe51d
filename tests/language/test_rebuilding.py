"""A rule that is rebuilt from its parts is the rule that was read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from riftrules.language.loader import load_ruleset
from riftrules.language.rebuilding import rebuilt, rebuilt_case, rebuilt_definition, rebuilt_invariant

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("folder", ["rulesets/riftbound", "tests/rulesets/lamps"])
def test_what_has_not_changed_is_rebuilt_as_it_was(folder: str) -> None:
    ruleset = load_ruleset(ROOT / folder)
    assert [rebuilt(rule, ruleset.templates) for rule in ruleset.rules] == list(ruleset.rules)
    assert [rebuilt_definition(one) for one in ruleset.definitions.values()] == list(ruleset.definitions.values())
    assert [rebuilt_invariant(one) for one in ruleset.invariants] == list(ruleset.invariants)
    cases = [case for template in ruleset.templates.values() for one in template.derived.values() for case in one.cases]
    assert [rebuilt_case(case) for case in cases] == cases


def test_a_dropped_pattern_is_no_longer_ranged_over_nor_read() -> None:
    ruleset = load_ruleset(ROOT / "tests/rulesets/lamps")
    rule = ruleset.rule("ask-who-has-not-had-enough")
    less = rebuilt(replace(rule, when=rule.when[1:]), ruleset.templates)
    assert [one.name for one in less.ranged] == ["p"]
    assert less.standing == (0,)
    assert [(read.variable, read.hops[0].field) for read in less.reads] == [("p", "seat")]
