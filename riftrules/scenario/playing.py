"""Plays a scenario on a session: each item in turn, up to the first that does not go as written."""

from __future__ import annotations

import time
import traceback
from dataclasses import dataclass, field, replace

from riftrules.errors import Place, RunError
from riftrules.facts.memory import Fact
from riftrules.facts.trace import Refusal, Trace, Waiting
from riftrules.facts.types import Value
from riftrules.language.model import Ruleset
from riftrules.language.problems import near
from riftrules.scenario.ends import tried_rule, unfinished, verdict_of
from riftrules.scenario.expecting import written
from riftrules.scenario.judging import differences
from riftrules.scenario.model import (
    Beginning,
    Choosing,
    Difference,
    Expecting,
    Item,
    Moment,
    Refusing,
    Requesting,
    Run,
    Scenario,
    Verdict,
)
from riftrules.scenario.refusals import as_expected, said_refusing
from riftrules.scenario.session import Opener, Session, close
from riftrules.scenario.undone import undone_firings
from riftrules.scenario.words import listed, said, said_firing, said_refusal, said_waiting
from riftrules.source import Items, Scalar

REPEATS = 1_000


def play(scenario: Scenario, ruleset: Ruleset, open_session: Opener, *, lenient: bool = False) -> Run:
    """The run of a scenario with its verdict. A run that cannot finish is a verdict too; nothing is raised."""
    begun = time.perf_counter()
    before: tuple[Fact, ...] = (*scenario.facts, *(standing.frame for standing in scenario.stack))
    session: Session | None = None
    moments: list[Moment] = []
    try:
        session = open_session(ruleset, scenario.facts, scenario.stack)
        playing = _Playing(session, moments, lenient=lenient or scenario.lenient)
        playing.all(scenario)
        verdict = _judged(scenario, playing)
        if scenario.any_order and verdict.status == "passed":
            verdict = _in_any_order(scenario, ruleset, verdict)
    except RunError as error:
        verdict = unfinished(scenario, error.message, session, tried_rule(error))
    except Exception as error:  # noqa: BLE001 - a fault of the engine is this scenario's verdict, the others go on
        last = traceback.extract_tb(error.__traceback__)[-1]
        reason = f"the engine has a fault: {error} ({last.name}, line {last.lineno})"
        verdict = unfinished(scenario, reason, session, ())
    run = _run(scenario, ruleset, before, session, replace(verdict, seconds=time.perf_counter() - begun))
    return replace(run, moments=tuple(moments))


def _run(scenario: Scenario, ruleset: Ruleset, before: tuple[Fact, ...], session: Session | None, verdict: Verdict) -> Run:
    """What is left of a session when it is closed."""
    if session is None:
        return Run(scenario, ruleset, before, before, Trace(), Waiting("idle"), verdict)
    fired = tuple(sorted({firing.rule for firing in session.trace.firings()}))
    run = Run(scenario, ruleset, before, tuple(session.memory), session.trace, session.waiting, replace(verdict, fired=fired))
    close(session)
    return run


def skipped(scenario: Scenario) -> Verdict:
    """The verdict on a scenario that says `skip`."""
    return replace(verdict_of(scenario, "skipped"), reason=scenario.skip)


def _judged(scenario: Scenario, playing: _Playing) -> Verdict:
    found = list(playing.found)
    fired = sum(1 for _ in playing.session.trace.firings())
    if not playing.stopped:
        found.extend(differences(scenario.then, playing.session))
        found.extend(playing.left_over(scenario))
        if not playing.lenient and not playing.looked and scenario.then.empty and not fired:
            hint = "say under `then` what must come of it, or `fired: []`"
            found.append(
                Difference(
                    scenario.place,
                    "then",
                    "something",
                    "the scenario is vacuous: it expects nothing and nothing fires",
                    note=hint,
                )
            )
    verdict = verdict_of(scenario, "failed" if found else "passed")
    return replace(verdict, differences=tuple(found), details=playing.details, firings=fired)


def _in_any_order(scenario: Scenario, ruleset: Ruleset, verdict: Verdict) -> Verdict:
    """The verdict, failed where the board at the end hangs on the last tie-breaks."""
    from riftrules.engine.program import compile_ruleset  # few scenarios ask for it
    from riftrules.scenario.orders import order_differences

    program = compile_ruleset(ruleset)
    found = tuple(order_differences(scenario, program, lambda session: _Playing(session, [], lenient=False).all(scenario)))
    return replace(verdict, status="failed", differences=found) if found else verdict


@dataclass(slots=True)
class _Playing:
    """A session, what has gone otherwise than written, and whether the rest was left out for it."""

    session: Session
    moments: list[Moment]
    lenient: bool
    refusal: Refusal | None = None
    found: list[Difference] = field(default_factory=list)
    stopped: bool = False
    looked: bool = False
    details: tuple[str, ...] = ()

    def all(self, scenario: Scenario) -> None:
        for number, item in enumerate(scenario.items, 1):
            self.refusal, before = None, len(self.found)
            self._item(number, item)
            self.moments.append(self._moment(number, before))
            if self.stopped:
                return

    def _moment(self, number: int, before: int) -> Moment:
        session = self.session
        written = (len(session.trace.entries), len(session.memory.log))
        return Moment(number, *written, session.waiting, self.refusal, tuple(self.found[before:]))

    def left_over(self, scenario: Scenario) -> list[Difference]:
        """What is wrong with the end: a choice without an answer, an invariant violated."""
        waiting = self.session.waiting
        expected = scenario.then
        open_choice = (
            waiting.kind == "choosing" and expected.waiting is None and expected.choosing is None and expected.options is None
        )
        if open_choice and not self.lenient:
            hint = "answer with `- choose: NAME`, or expect `waiting: choosing`"
            return [Difference(scenario.place, "the end", "no choice is open", said_waiting(waiting), note=hint)]
        return []

    def _item(self, number: int, item: Item) -> None:
        match item:
            case Expecting(expectation):
                self.looked = self.looked or not expectation.empty
                self.found.extend(differences(expectation, self.session))
                return
            case Choosing():
                self._choose(number, item)
            case Beginning():
                self._answer_openly()
                self._begin(number, item)
            case Requesting():
                self._answer_openly()
                self._request(number, item)
        if not self.stopped:
            self._check_invariants(item.place)

    def _stop(self, place: Place, path: str, expected: str, actual: str, note: str = "") -> None:
        self.stopped = True
        self.found.append(Difference(place, path, expected, actual, note=note))

    def _answer_openly(self) -> None:
        """With `lenient`, an open choice is answered by its first option before something else is done."""
        while self.lenient and self.session.waiting.choice is not None:
            self.session.choose(self.session.waiting.choice.options[0])

    def _check_invariants(self, place: Place) -> None:
        for broken in self.session.violations():
            bound = ", ".join(f"${name} = {said(value)}" for name, value in broken.bindings)
            self.found.append(
                Difference(place, f"invariant {broken.rule}", "never", f"it holds of {bound}" if bound else "it holds")
            )

    # -------------------------------------------------------------------------------------------- requests

    def _request(self, number: int, item: Requesting) -> None:
        path = f"item {number}: {item.procedure}"
        if self._unanswered(item.place, path):
            return
        if item.refused is not None:
            self.looked = True
            self._refused(path, item, item.refused)
        elif item.everyone:
            self._everyone(path, item)
        else:
            answer = self.session.request(item.procedure, dict(item.fields))
            if isinstance(answer, Refusal):
                self.refusal = answer
                self._stop(item.place, path, "accepted", said_refusal(answer), self._meant(item.fields))
                self._tell_undone(answer)

    def _unanswered(self, place: Place, path: str) -> bool:
        waiting = self.session.waiting
        if waiting.kind != "choosing":
            return False
        self._stop(place, path, "a choice is answered first", said_waiting(waiting), "put `- choose: NAME` before it")
        return True

    def _meant(self, fields: tuple[tuple[str, Value], ...]) -> str:
        """A hint for an id in a request that names nothing."""
        known = {fact.id for fact in self.session.memory}
        for _, value in fields:
            for one in value if isinstance(value, tuple | frozenset) else (value,):
                if isinstance(one, str) and one not in known:
                    hint = near(one, known, otherwise=False)
                    if hint:
                        return hint
        return ""

    def _refused(self, path: str, item: Requesting, expected: Refusing) -> None:
        answer = self.session.request(item.procedure, dict(item.fields))
        if not isinstance(answer, Refusal):
            self._stop(item.place, path, said_refusing(expected), "accepted")
            return
        self.refusal = answer
        if not as_expected(answer, expected):
            self._stop(item.place, path, said_refusing(expected), said_refusal(answer), self._meant(item.fields))
            self._tell_undone(answer)

    def _tell_undone(self, refusal: Refusal) -> None:
        """Say what fired and was undone again: nothing else tells it."""
        fired = undone_firings(self.session, refusal)
        self.details = tuple(f"fired and was undone: {said_firing(firing)}" for firing in fired)

    def _everyone(self, path: str, item: Requesting) -> None:
        """The request again and again, until the step that was asking is left."""
        self.session.settle()
        asking = self.session.waiting
        if not any(item.procedure in ask.requests for ask in asking.asks):
            self._stop(item.place, path, f"somebody is asked for `{item.procedure}`", said_waiting(asking))
            return
        for _ in range(REPEATS):
            answer = self.session.request(item.procedure, {})
            if isinstance(answer, Refusal):
                self._stop(item.place, path, "accepted", said_refusal(answer))
                self._tell_undone(answer)
                return
            if _step(answer) != _step(asking):
                return
        self._stop(item.place, path, "the step is left", f"it still asks after {REPEATS} times")

    # -------------------------------------------------------------------------------------------- the rest

    def _begin(self, number: int, item: Beginning) -> None:
        path = f"item {number}: begin"
        if self._unanswered(item.place, path):
            return
        if self.session.waiting.kind == "over":
            self._stop(item.place, path, "it begins", "the game is over")
            return
        answer = self.session.begin(item.calls)
        if isinstance(answer, Refusal):
            self._stop(item.place, path, "it begins", said_refusal(answer))

    def _choose(self, number: int, item: Choosing) -> None:
        path = f"item {number}: choose"
        choice = self.session.waiting.choice
        if choice is None:
            if not self.lenient:
                self._stop(item.place, path, "a choice is waiting", said_waiting(self.session.waiting), "take this answer away")
            return
        wanted = _option_text(item)
        options = {said(option): option for option in choice.options}
        nothing = isinstance(item.option, Scalar) and not item.option.quoted and wanted == "none"
        if nothing and choice.optional:
            answer = self.session.choose(None)
        elif wanted in options:
            answer = self.session.choose(options[wanted])
        else:
            known = [*options, *(["none"] if choice.optional else [])]
            self._stop(item.place, path, f"one of {listed(known)}", f"`{wanted}`", near(wanted, known, otherwise=False))
            return
        if isinstance(answer, Refusal):
            self._stop(item.place, path, "accepted", said_refusal(answer))


def _step(waiting: Waiting) -> tuple[str, str, str, int]:
    """The step that asks, in its pass: the same step asks anew in the next."""
    return waiting.kind, waiting.frame, waiting.step, waiting.pass_number


def _option_text(item: Choosing) -> str:
    """An answer as `said` says the option it means: a list stands for a list or set, whatever its order."""
    match item.option:
        case Scalar(text):
            return text
        case Items():
            return written(item.option)
    return written(item.option)
