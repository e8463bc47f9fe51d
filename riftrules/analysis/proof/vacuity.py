"""Weaker forms of an invariant: what it says with one condition or one test left out.

An invariant that nothing violates may hold for want of what it is about. A board on which it would be violated, were
it not for one of its conditions, is a witness that this condition matters. (Beer et al., Efficient detection of
vacuity in temporal model checking, 1997.)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from riftrules.engine.productions import Production
from riftrules.engine.program import compile_ruleset
from riftrules.language.model import Bind, Condition, Count, Each, Invariant, Pattern, Ruleset, Sum
from riftrules.language.rebuilding import parts_of, rebuilt_invariant
from riftrules.language.saying import say


@dataclass(frozen=True, slots=True)
class Weakening:
    """An invariant without one of its conditions or tests, which is `left_out`, in the words of its author."""

    invariant: str
    left_out: str


def weakenings(ruleset: Ruleset) -> tuple[tuple[Weakening, ...], tuple[Production, ...]]:
    """Every invariant without each of its conditions and tests in turn, and what finds out whether one holds."""
    found = [(one, weaker) for invariant in ruleset.invariants for one, weaker in _weaker(invariant)]
    program = compile_ruleset(replace(ruleset, rules=(), invariants=tuple(weaker for _, weaker in found)))
    return tuple(one for one, _ in found), program.invariants


def _weaker(invariant: Invariant) -> Iterator[tuple[Weakening, Invariant]]:
    for place, condition in enumerate(invariant.when):
        for left_out, changed in _without(condition, invariant.when[:place] + invariant.when[place + 1 :]):
            when = (*invariant.when[:place], *changed, *invariant.when[place + 1 :])
            if when:
                weaker = rebuilt_invariant(replace(invariant, when=when))
                yield Weakening(invariant.name, left_out), weaker


def _without(condition: Condition, others: tuple[Condition, ...]) -> Iterator[tuple[str, tuple[Condition, ...]]]:
    """The condition without each test, or gone where nothing else needs what it binds."""
    if isinstance(condition, Pattern):
        for test in condition.tests:
            if isinstance(test.test, Bind) and condition.name is not None and _needed({test.test.variable}, others):
                continue
            rest = tuple(one for one in condition.tests if one is not test)
            text = f"{test.field}: {say(test.test)}"
            named = f" ${condition.name}" if condition.name is not None else ""
            yield f"{text} of {condition.template}{named}", (replace(condition, tests=rest),)
        if condition.tests and (condition.name is None or _needed({condition.name}, others)):
            return
    if not _needed(_bound(condition), others):
        yield say(condition), ()


def _bound(condition: Condition) -> set[str]:
    match condition:
        case Pattern(_, str(name), tests):
            return {name} | {test.test.variable for test in tests if isinstance(test.test, Bind)}
        case Each(_, names):
            return set(names)
        case Count(_, variable) | Sum(variable=variable):
            return {variable}
    return set()


def _needed(variables: set[str], others: tuple[Condition, ...]) -> bool:
    """Whether what is left reads a variable that nothing else of it binds."""
    mentioned = {getattr(part, "variable", "") for part in parts_of(others)}
    return bool(variables & mentioned - {name for one in others for name in _bound(one)})
