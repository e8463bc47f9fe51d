"""Arguments that an edit changes nothing on any board, from what the rules say alone.

Two edits can be argued about: of salience, where the rule is never eligible together with one that it stands beside;
and of whether a step fires together, where there is nothing in it to fire beside anything else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from riftrules.analysis.mutation.mutants import Mutant
from riftrules.analysis.mutation.rules import is_beside
from riftrules.facts.types import Value
from riftrules.language.model import AnyOf, Bind, Compare, Equals, Known, Literal, Modify, Not, Pattern, Rule, Ruleset, Step, Test

Path: TypeAlias = tuple[str, ...]
"""One single fact: the event, the running frame or a singleton, or what fields of those refer to."""

NEVER_BESIDE = "on every board, since no rule it stands beside is ever eligible with it"
NOTHING_BESIDE = "on every board, since nothing in the step can fire beside anything else"

EVENT, FRAME = "event", "frame"


def argument(mutant: Mutant, ruleset: Ruleset) -> str:
    """Why a mutant is the same as the rules on every board; empty where there is no argument."""
    match mutant.part:
        case Rule() if mutant.operator == "another salience":
            return NEVER_BESIDE if _never_beside(ruleset.rule(mutant.rule), ruleset) else ""
        case Step(name):
            return NOTHING_BESIDE if _nothing_beside(name, ruleset) else ""
    return ""


def _never_beside(rule: Rule, ruleset: Ruleset) -> bool:
    own = _asked(rule, ruleset)
    others = [one for one in ruleset.rules if one.id != rule.id and one.kind == rule.kind and is_beside(one, rule)]
    return all(_apart(own, _asked(one, ruleset)) for one in others)


def _nothing_beside(step: str, ruleset: Ruleset) -> bool:
    rules = [rule for rule in ruleset.rules if rule.step == step]
    return not rules or (len(rules) == 1 and _has_one_activation(rules[0], ruleset))


def _has_one_activation(rule: Rule, ruleset: Ruleset) -> bool:
    """Whether it ranges over nothing but the running frame and singletons, and writes nothing twice."""
    written = [one.template for one in rule.then if isinstance(one, Modify)]
    return len(written) == len(set(written)) and all(
        isinstance(one, Pattern) and _single(one, rule, ruleset) is not None for one in rule.ranged
    )


# ------------------------------------------------------------------------------------------------ what is asked of single facts


def _asked(rule: Rule, ruleset: Ruleset) -> dict[tuple[Path, str], list[Test]]:
    """The tests that a rule makes of fields of single facts."""
    found: dict[tuple[Path, str], list[Test]] = {}
    named: dict[str, Path] = {}
    patterns = [one for one in rule.when if isinstance(one, Pattern)]
    for pattern, path in _singles(rule, patterns, ruleset):
        _gather(pattern, path, found, named)
    for pattern in patterns:
        if pattern.name in named:
            _gather(pattern, named[pattern.name], found, {})
    return found


def _singles(rule: Rule, patterns: list[Pattern], ruleset: Ruleset) -> Iterator[tuple[Pattern, Path]]:
    if rule.event is not None:
        # What it has heard is over and done with; all else may change from one rule that hears it to the next.
        yield rule.event, (EVENT,)
        return
    for pattern in patterns:
        path = _single(pattern, rule, ruleset)
        if path is not None:
            yield pattern, path


def _single(pattern: Pattern, rule: Rule, ruleset: Ruleset) -> Path | None:
    """The one fact a pattern can match."""
    if ruleset.templates[pattern.template].kind == "singleton":
        return (pattern.template,)
    running = {name for name, one in ruleset.procedures.items() if rule.step and rule.step in one.steps}
    return (FRAME,) if running == {pattern.template} else None


def _gather(pattern: Pattern, path: Path, found: dict[tuple[Path, str], list[Test]], named: dict[str, Path]) -> None:
    for test in pattern.tests:
        if test.derived and path == (EVENT,):
            continue  # what it is derived from may have changed meanwhile
        found.setdefault((path, test.field), []).append(test.test)
        if isinstance(test.test, Bind) and path != (EVENT,):
            named[test.test.variable] = (*path, test.field)


def _apart(one: Mapping[tuple[Path, str], list[Test]], other: Mapping[tuple[Path, str], list[Test]]) -> bool:
    """Whether one field of one fact would have to pass two tests that nothing passes both."""
    pairs = ((mine, theirs) for key in one.keys() & other.keys() for mine in one[key] for theirs in other[key])
    return any(_excludes(mine, theirs) or _excludes(theirs, mine) for mine, theirs in pairs)


def _excludes(one: Test, other: Test) -> bool:
    """Whether no value that passes the first, which names its values, passes the other."""
    match one:
        case Equals(Literal(value)):
            return _passes(value, other) is False
        case AnyOf(tests):
            return all(_excludes(test, other) for test in tests)
    return False


def _passes(value: Value, test: Test) -> bool | None:
    """Whether a value passes a test; None where that depends on the board."""
    match test:
        case Equals(Literal(other)):
            return type(value) is type(other) and value == other
        case Known():
            return value is not None
        case Not(inner):
            passed = _passes(value, inner)
            return None if passed is None else not passed
        case AnyOf(tests):
            passed_all = [_passes(value, one) for one in tests]
            return True if True in passed_all else None if None in passed_all else False
        case Compare(op, Literal(limit)):
            return _compared(op, value, limit)
    return None


def _compared(op: str, value: Any, limit: Any) -> bool | None:
    if not isinstance(value, int) or not isinstance(limit, int):
        return None
    return {"at least": value >= limit, "at most": value <= limit, "more than": value > limit, "less than": value < limit}[op]
