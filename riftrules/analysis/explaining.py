"""Answers one question about one scenario: what `riftrules explain` and a session's `explain` call."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from riftrules.analysis.leading import leading_rules
from riftrules.analysis.questions import QuestionError, question
from riftrules.analysis.smallest_change import SmallestChange, smallest_change
from riftrules.analysis.trials import Trials
from riftrules.analysis.watching import Observation, observe
from riftrules.analysis.why import Why, why
from riftrules.analysis.why_not import (
    FIRED,
    MISSED,
    NEVER_STEP,
    NO_EFFECT,
    OFFERED,
    WITHDRAWN,
    WhyNot,
    target,
    why_not,
    why_not_each,
)
from riftrules.engine.program import Program
from riftrules.language.model import Ruleset
from riftrules.scenario.model import Scenario

ORDER = (OFFERED, MISSED, NO_EFFECT, WITHDRAWN, NEVER_STEP, FIRED)
MOST_COULD = 12
LITTLE_WORK = 1_000
FARTHEST = 4
"""So many rules back it is looked for what would have led to a rule that the run never came to."""


@dataclass(frozen=True, slots=True)
class Withheld:
    """Why a rule has not fired, with the smallest change of the board that was looked for (None where none was).

    Where the run never came to it, `leading` are the rules that would have led to it, the nearest first.
    """

    why_not: WhyNot
    change: SmallestChange | None
    seen: Observation
    leading: tuple[Withheld, ...] = ()


@dataclass(frozen=True, slots=True)
class Explained:
    """Why something is so, and where nothing made it so, why the rules that might have done otherwise have not."""

    scenario: Scenario
    why: Why
    withheld: tuple[Withheld, ...] = ()


def explain_why(
    text: str, scenario: Scenario, ruleset: Ruleset, *, full: bool = False, program: Program | None = None
) -> Explained:
    """Why something is as it is at the end of a scenario. Raises QuestionError.

    `program` is the ruleset compiled, for those who ask more than one question.
    """
    seen, trials = observe(scenario, ruleset), Trials(scenario, ruleset, program)
    found = why(question(text, seen), seen, trials, full=full)
    return Explained(scenario, found, _Withholding(scenario, ruleset, trials, full).of(found.could))


def explain_why_not(
    name: str,
    scenario: Scenario,
    ruleset: Ruleset,
    fixed: Sequence[str] = (),
    *,
    at: str = "",
    full: bool = False,
    program: Program | None = None,
) -> Withheld:
    """Why a rule has not fired in a scenario, and with which board it would. Raises QuestionError."""
    trials = Trials(scenario, ruleset, program)
    found, seen = why_not(target(name, ruleset, fixed, at), scenario, ruleset, full=full)
    change = smallest_change(found, seen, trials) if found.kind not in {FIRED, OFFERED} else None
    behind = leading_rules(found.target.rule, ruleset) if found.kind == NEVER_STEP else ()
    return Withheld(found, change, seen, _Withholding(scenario, ruleset, trials, full).of(behind, {name}))


@dataclass(frozen=True, slots=True)
class _Withholding:
    """Finds why rules have not fired, the nearest first; only for the nearest is a change of the board looked for."""

    scenario: Scenario
    ruleset: Ruleset
    trials: Trials
    full: bool

    def of(self, rules: Sequence[str], met: Collection[str] = ()) -> tuple[Withheld, ...]:
        """These rules, and of those that the run never came to what would have led there."""
        ordered = self._ordered(rules, {*met}, FARTHEST)
        kept = ordered if self.full else ordered[:MOST_COULD]
        return (self._changed(kept[0]), *kept[1:]) if kept else ()

    def _ordered(self, rules: Sequence[str], met: set[str], far: int) -> list[Withheld]:
        asked = [target(rule, self.ruleset) for rule in rules]
        found, seen = why_not_each(asked, self.scenario, self.ruleset, full=self.full) if asked else ((), None)
        met |= set(rules)
        behind = {
            one.target.rule.id: leading_rules(one.target.rule, self.ruleset) if one.kind == NEVER_STEP and far else ()
            for one in found
        }
        names = tuple(dict.fromkeys(name for names in behind.values() for name in names if name not in met))
        further = self._ordered(names, met, far - 1) if names else []
        withheld = [
            Withheld(one, None, seen, tuple(two for two in further if two.why_not.target.rule.id in behind[one.target.rule.id]))
            for one in found
            if seen is not None
        ]
        return sorted(withheld, key=_nearness)

    def _changed(self, one: Withheld) -> Withheld:
        """The same with the change of the board that was looked for: of what leads to it, where the run never came to it."""
        if one.why_not.kind == NEVER_STEP and one.leading:
            return replace(one, leading=(self._changed(one.leading[0]), *one.leading[1:]))
        if one.why_not.kind in {FIRED, NEVER_STEP, OFFERED}:
            return one
        return replace(one, change=smallest_change(one.why_not, one.seen, self.trials, LITTLE_WORK))


def _nearness(one: Withheld) -> tuple[int, ...]:
    """How many rules away, in what way it was withheld, whether it was its case, how much failed, and where it stands."""
    found = one.why_not
    if found.kind == NEVER_STEP and one.leading:
        away, *rest = _nearness(one.leading[0])
        return (away + 1, *rest)
    away = {NEVER_STEP: FARTHEST + 1, FIRED: FARTHEST + 2}.get(found.kind, 0)
    failed = (found.miss.elsewhere, found.miss.failed) if found.miss else (0, 0)
    return (away, ORDER.index(found.kind), *failed, found.target.rule.number)


def first_question(scenario: Scenario, ruleset: Ruleset) -> str:
    """What the scenario itself gives cause to ask: what is not as expected, else what it expects. Raises QuestionError."""
    seen = observe(scenario, ruleset)
    wrong = [difference.path.removeprefix("no ") for difference in seen.run.verdict.differences]
    paths = [one.path.removeprefix("no ") for one in scenario.then.facts]
    fields = [
        f"{path}.{test.field}" for path, one in zip(paths, scenario.then.facts, strict=True) if one.id for test in one.tests
    ]
    refused = [f"item {moment.item}" for moment in seen.run.moments if moment.refusal is not None]
    for text in (*wrong, *(refused if wrong else ()), *fields, *paths, *refused):
        if _is_question(text, seen):
            return str(text)
    message = "ask a question: --why WHAT or --why-not RULE"
    raise QuestionError(message)


def _is_question(text: str, seen: Observation) -> bool:
    try:
        question(text, seen)
    except QuestionError:
        return False
    return True
