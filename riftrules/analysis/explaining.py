"""Answers one question about one scenario: what `riftrules explain` and a session's `explain` call."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from riftrules.analysis.leading import is_dead_end, leading_rules
from riftrules.analysis.questions import Question, QuestionError, question
from riftrules.analysis.roots import aimed_at
from riftrules.analysis.smallest_change import SmallestChange, smallest_change
from riftrules.analysis.trials import Trials
from riftrules.analysis.unexpected import first_unexpected
from riftrules.analysis.watching import Observation, observe
from riftrules.analysis.why import Why, why
from riftrules.analysis.why_not import (
    FIRED,
    MISSED,
    NEVER_STEP,
    NO_EFFECT,
    OFFERED,
    WITHDRAWN,
    Target,
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
FAR, FARTHEST = 2, 4
"""So many rules back, and with `full`, it is looked for what would have led to a rule that the run never came to."""


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


@dataclass(frozen=True, slots=True)
class Answers:
    """What is not as a scenario expects, in words where the answers do not say it themselves, and why."""

    said: tuple[str, ...]
    answers: tuple[Explained | Withheld, ...]
    scenario: Scenario


def explain_unexpected(scenario: Scenario, ruleset: Ruleset, *, full: bool = False, program: Program | None = None) -> Answers:
    """Why the first thing that is not as expected is not; where all is, why what is expected is so. Raises QuestionError."""
    found = first_unexpected(scenario, ruleset)
    if found is None:
        asked = first_question(scenario, ruleset)
        return Answers((), (explain_why(asked, scenario, ruleset, full=full, program=program),), scenario)
    trials = Trials(found.scenario, ruleset, program)
    answers: list[Explained | Withheld] = [
        *(_withheld(one, trials, full=full) for one in found.why_nots),
        *(_explained(one, trials, full=full) for one in found.whys),
    ]
    return Answers(found.said, tuple(answers), found.scenario)


def explain_why(
    text: str, scenario: Scenario, ruleset: Ruleset, *, full: bool = False, program: Program | None = None
) -> Explained:
    """Why something is as it is at the end of a scenario. Raises QuestionError.

    `program` is the ruleset compiled, for those who ask more than one question.
    """
    return _explained(text, Trials(scenario, ruleset, program), full=full)


def _explained(asked: str | Question, trials: Trials, *, full: bool) -> Explained:
    seen = observe(trials.scenario, trials.ruleset)
    asked = question(asked, seen) if isinstance(asked, str) else asked
    found = why(asked, seen, trials, full=full)
    aimed = [one for name in found.could for one in aimed_at(asked, name, trials.ruleset)]
    return Explained(trials.scenario, found, _Withholding(trials, full).of(aimed))


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
    return _withheld(target(name, ruleset, fixed, at), Trials(scenario, ruleset, program), full=full)


def _withheld(asked: Target, trials: Trials, *, full: bool) -> Withheld:
    ruleset = trials.ruleset
    found, seen = why_not(asked, trials.scenario, ruleset, full=full)
    change = smallest_change(found, seen, trials) if found.kind not in {FIRED, OFFERED} else None
    behind = leading_rules(asked.rule, ruleset) if found.kind == NEVER_STEP else ()
    leading = _Withholding(trials, full).of([target(rule, ruleset) for rule in behind], {asked.rule.id})
    return Withheld(found, change, seen, leading)


@dataclass(frozen=True, slots=True)
class _Withholding:
    """Finds why rules have not fired, the nearest first; only for the nearest is a change of the board looked for."""

    trials: Trials
    full: bool

    def of(self, asked: Sequence[Target], met: Collection[str] = ()) -> tuple[Withheld, ...]:
        """These rules, and of those that the run never came to what would have led there."""
        ordered = self._ordered(asked, {*met}, FARTHEST if self.full else FAR)
        kept = ordered if self.full else ordered[:MOST_COULD]
        return (self._changed(kept[0]), *kept[1:]) if kept else ()

    def _ordered(self, asked: Sequence[Target], met: set[str], far: int) -> list[Withheld]:
        ruleset = self.trials.ruleset
        found, seen = why_not_each(asked, self.trials.scenario, ruleset, full=self.full) if asked else ((), None)
        met |= {one.rule.id for one in asked}
        behind = {
            one.target.rule.id: leading_rules(one.target.rule, ruleset) if one.kind == NEVER_STEP and far else () for one in found
        }
        names = tuple(dict.fromkeys(name for names in behind.values() for name in names if name not in met))
        further = self._ordered([target(name, ruleset) for name in names], met, far - 1) if names else []
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
    away = {NEVER_STEP: FARTHEST + 1, FIRED: 2 * FARTHEST + 2}.get(found.kind, 0)
    if found.kind == NEVER_STEP and is_dead_end(found.target.rule, one.seen.ruleset):
        away = 2 * FARTHEST + 3
    failed = (found.miss.elsewhere, found.miss.failed) if found.miss else (0, 0)
    return (away, ORDER.index(found.kind), *failed, found.target.rule.number)


def first_question(scenario: Scenario, ruleset: Ruleset) -> str:
    """What the scenario itself gives cause to ask: what is written as expected, or was refused. Raises QuestionError."""
    seen = observe(scenario, ruleset)
    paths = [one.path.removeprefix("no ") for one in scenario.then.facts]
    fields = [
        f"{path}.{test.field}" for path, one in zip(paths, scenario.then.facts, strict=True) if one.id for test in one.tests
    ]
    refused = [f"item {moment.item}" for moment in seen.run.moments if moment.refusal is not None]
    for text in (*fields, *paths, *refused):
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
