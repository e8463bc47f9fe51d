"""Rules as plain data for the page: citations, our words, and the rule as its author would write it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from riftrules.language.model import Derived, Rule, Ruleset
from riftrules.language.saying import say
from riftrules.report.plan import Plan, plan_of


class Library:
    """What pages tell of rulesets, and how their boards are drawn, worked out once for each."""

    def __init__(self) -> None:
        self._plans: dict[int, Plan] = {}
        self._rules: dict[int, dict[str, dict[str, Any]]] = {}
        self._derived: dict[int, dict[str, Any]] = {}

    def plan(self, ruleset: Ruleset) -> Plan:
        """How boards of the ruleset are drawn."""
        found = self._plans.get(id(ruleset))
        if found is None:  # the plan holds the ruleset, so that no other takes its number
            found = self._plans[id(ruleset)] = plan_of(ruleset)
            self._rules[id(ruleset)] = {rule.id: _rule(rule) for rule in ruleset.rules}
            self._derived[id(ruleset)] = {
                f"{template.name}.{name}": _derived(derived)
                for template in ruleset.templates.values()
                for name, derived in template.derived.items()
            }
        return found

    def told(self, ruleset: Ruleset, named: Iterable[str]) -> dict[str, Any]:
        """These rules of it, the printed numbers they cite, and its derived fields."""
        self.plan(ruleset)
        rules = self._rules[id(ruleset)]
        found = {name: rules[name] for name in named if name in rules}
        cited = {number for rule in found.values() for number in rule["cites"]}
        printed = {number: ruleset.rulebook[number].summary for number in cited if number in ruleset.rulebook}
        return {"rules": found, "printed": printed, "derived": self._derived[id(ruleset)]}


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
