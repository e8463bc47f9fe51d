"""Answers one question about one scenario: what `riftrules explain` and a session's `explain` call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from riftrules.analysis.questions import QuestionError, question
from riftrules.analysis.smallest_change import SmallestChange, smallest_change
from riftrules.analysis.trials import Trials
from riftrules.analysis.watching import Observation, observe
from riftrules.analysis.why import Why, why
from riftrules.analysis.why_not import FIRED, MISSED, NEVER_STEP, NO_EFFECT, WITHDRAWN, WhyNot, target, why_not
from riftrules.engine.program import Program
from riftrules.language.model import Ruleset
from riftrules.scenario.model import Scenario

ORDER = (MISSED, NO_EFFECT, WITHDRAWN, NEVER_STEP, FIRED)
MOST_COULD = 12
LITTLE_WORK = 1_000


@dataclass(frozen=True, slots=True)
class Withheld:
    """Why a rule has not fired, with the smallest change of the board that was looked for (None where none was)."""

    why_not: WhyNot
    change: SmallestChange | None
    seen: Observation


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
    return Explained(scenario, found, _withheld(found.could, scenario, ruleset, trials))


def explain_why_not(
    name: str,
    scenario: Scenario,
    ruleset: Ruleset,
    fixed: Sequence[str] = (),
    *,
    at: str = "",
    program: Program | None = None,
) -> Withheld:
    """Why a rule has not fired in a scenario, and with which board it would. Raises QuestionError."""
    found, seen = why_not(target(name, ruleset, fixed, at), scenario, ruleset)
    change = None if found.kind == FIRED else smallest_change(found, seen, Trials(scenario, ruleset, program))
    return Withheld(found, change, seen)


def _withheld(rules: Sequence[str], scenario: Scenario, ruleset: Ruleset, trials: Trials) -> tuple[Withheld, ...]:
    """The rules, the nearest first; only for the nearest is a change of the board looked for."""
    found = [Withheld(*_swapped(why_not(target(rule, ruleset), scenario, ruleset))) for rule in rules[:MOST_COULD]]
    ordered = sorted(found, key=_nearness)
    return tuple(
        Withheld(one.why_not, smallest_change(one.why_not, one.seen, trials, LITTLE_WORK), one.seen)
        if place == 0 and one.why_not.kind not in {FIRED, NEVER_STEP}
        else one
        for place, one in enumerate(ordered)
    )


def _swapped(found: tuple[WhyNot, Observation]) -> tuple[WhyNot, None, Observation]:
    return found[0], None, found[1]


def _nearness(one: Withheld) -> tuple[int, int, int]:
    found = one.why_not
    return ORDER.index(found.kind), found.miss.failed if found.miss else 0, found.target.rule.number


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
