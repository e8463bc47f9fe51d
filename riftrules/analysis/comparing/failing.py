"""Rules of which one condition, or one test of a condition, does not hold: on their boards it is seen what that one decides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from riftrules.language.model import Compare, Count, Every, No, Not, Pattern, Rule, Ruleset, Some, Sum, Test, Use, Where

Failing: TypeAlias = tuple[Any, Ruleset]
"""A condition in place of one, and the ruleset with a definition in place of one where that is what fails."""

DEEPEST = 3
TURNED = {"at least": "less than", "less than": "at least", "at most": "more than", "more than": "at most"}


@dataclass(frozen=True, slots=True)
class Failings:
    """Makes what fails of one ruleset."""

    ruleset: Ruleset

    def rules(self, rule: Rule) -> Iterator[tuple[Rule, Ruleset]]:
        """The rule with one thing that fails in it, and the ruleset to read it by."""
        for when, ruleset in self.joined(rule.when):
            yield replace(rule, when=when), ruleset

    def joined(self, conditions: Sequence[Any], depth: int = 0) -> Iterator[tuple[tuple[Any, ...], Ruleset]]:
        """The conditions with one of them failing, each in turn."""
        for place, one in enumerate(conditions):
            for other, ruleset in self._condition(one, depth):
                # Last, so that what it must not be is known by then.
                yield (*conditions[:place], *conditions[place + 1 :], other), ruleset

    def _condition(self, one: Any, depth: int) -> Iterator[Failing]:
        """What stands in place of a condition so that it fails by one thing alone."""
        match one:
            case Pattern():
                yield from self._pattern(one)
            case No(inner):
                yield Some(inner), self.ruleset
                yield from ((Some(other), ruleset) for other, ruleset in self.joined(inner, depth))
            case Some(inner):
                yield from ((Some(other), ruleset) for other, ruleset in self.joined(inner, depth))
            case Every(inner, has):
                yield Some(inner), self.ruleset
                yield from ((Some((*inner, *other)), ruleset) for other, ruleset in self.joined(has, depth))
            case Count(inner) | Sum(_, inner):
                yield from ((replace(one, conditions=other), ruleset) for other, ruleset in self.joined(inner, depth))
            case Where():
                yield replace(one, test=negated(one.test)), self.ruleset
            case Use(name) if depth < DEEPEST:
                yield from self._use(one, name, depth)

    def _pattern(self, pattern: Pattern) -> Iterator[Failing]:
        for place, test in enumerate(pattern.tests):
            other = replace(test, test=negated(test.test))
            yield replace(pattern, tests=(*pattern.tests[:place], other, *pattern.tests[place + 1 :])), self.ruleset

    def _use(self, use: Use, name: str, depth: int) -> Iterator[Failing]:
        definition = self.ruleset.definitions.get(name)
        for when, ruleset in self.joined(definition.when, depth + 1) if definition else ():
            assert definition is not None  # noqa: S101 - else there is nothing joined
            yield use, replace(ruleset, definitions={**ruleset.definitions, name: replace(definition, when=when)})


def negated(test: Test) -> Test:
    """The test of what does not pass this one; of a comparison its opposite, for none passes neither."""
    match test:
        case Not(inner):
            return inner
        case Compare(op, to):
            return Compare(TURNED[op], to)
    return Not(test)
