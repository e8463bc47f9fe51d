"""Rules as plain data for the page: citations, our words, and the rule as its author would write it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from riftrules.language.model import Derived, Rule, Ruleset
from riftrules.language.saying import say


def ruleset_data(ruleset: Ruleset, named: Iterable[str]) -> dict[str, Any]:
    """What a page tells of a ruleset: these of its rules, the printed numbers they cite, and its derived fields."""
    rules = {rule.id: rule for rule in ruleset.rules}
    found = [rules[name] for name in named if name in rules]
    cited = {number for rule in found for number in rule.cites}
    return {
        "rules": {rule.id: _rule(rule) for rule in found},
        "printed": {number: ruleset.rulebook[number].summary for number in cited if number in ruleset.rulebook},
        "derived": {
            f"{template.name}.{name}": _derived(derived)
            for template in ruleset.templates.values()
            for name, derived in template.derived.items()
        },
    }


def _rule(rule: Rule) -> dict[str, Any]:
    return {
        "cites": list(rule.cites),
        "says": rule.says,
        "note": rule.note,
        "house": rule.house,
        "place": str(rule.place),
        "where": f"after: {say(rule.event)}" if rule.event is not None else f"step: {rule.step}" if rule.step else "legality",
        "when": [say(condition) for condition in rule.when],
        "then": [say(consequent) for consequent in rule.then],
    }


def _derived(derived: Derived) -> list[list[str]]:
    """Each case: its conditions, and the value where they hold."""
    return [["; ".join(say(condition) for condition in case.when), say(case.value)] for case in derived.cases]
