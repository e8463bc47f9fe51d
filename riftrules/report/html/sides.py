"""A run as plain data for the page: every stop with its board, what is pointed at there, and what was expected."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from riftrules.errors import Place
from riftrules.facts.memory import Fact, WorkingMemory
from riftrules.facts.trace import Began, Change, Chosen, FieldRead, Firing, Requested
from riftrules.report.html.boards import Boards, key_of
from riftrules.report.plan import Plan
from riftrules.report.scene import Scene
from riftrules.report.staging import Stage
from riftrules.report.timeline import EXPECT, Stop, stops_of
from riftrules.scenario.model import Difference, Expectation, Expecting, FactExpectation, Requesting
from riftrules.scenario.recording import Recording
from riftrules.scenario.words import said, said_fields, said_waiting

Target = tuple[str, str, str]
"""(template, id, field): what is pointed at on a board; the field is empty for a fact as a whole."""

Key = tuple[Place, str]
"""The place and path by which a difference is told from others."""


def side_data(recording: Recording, rules: str, plan: Plan) -> dict[str, Any]:
    """One run: its ruleset, the players by number, and every stop. `rules` is where the page finds the rules."""
    stops = stops_of(recording)
    side = _Side(recording, plan)
    shown = list(side.all(stops))
    ruleset = recording.run.ruleset
    return {
        "rules": rules,
        "ruleset": f"{ruleset.name} {ruleset.version}",
        "mode": recording.run.scenario.mode,
        "status": recording.run.verdict.status,
        "reason": recording.run.verdict.reason,
        "players": list(side.numbers),
        "stops": shown,
    }


class _Side:
    """Tells the stops of one run."""

    def __init__(self, recording: Recording, plan: Plan) -> None:
        self.plan = plan
        self.recording = recording
        self.run = recording.run
        self.causes = self.run.trace.causes()
        self.numbers: Mapping[str, int] = {}
        self.memory: WorkingMemory | None = None
        self.born: dict[str, str] = {}  # the stop at which each frame came, by the frame's id
        self._boards = Boards()
        self._told: tuple[Scene, dict[str, Any]] | None = None

    def all(self, stops: tuple[Stop, ...]) -> Iterator[dict[str, Any]]:
        stage: Stage | None = None
        for stop, memory in zip(stops, self.recording.boards([stop.writes for stop in stops]), strict=True):
            if stage is None:
                stage = Stage(self.plan, memory)
                self.numbers = stage.numbers
            self.memory = memory
            self._note(stop)
            yield {"kind": stop.kind, "key": stop.key, "board": self._board(stage.scene()), **self._what(stop)}

    def _note(self, stop: Stop) -> None:
        match stop.entry:
            case Firing():
                self.born.update(dict.fromkeys((*stop.entry.begun, *stop.entry.due), stop.key))
            case Requested(frame):
                self.born[frame] = stop.key
            case Began(frames):
                self.born.update(dict.fromkeys(frames, stop.key))

    def _board(self, scene: Scene) -> dict[str, Any]:
        if self._told is None or self._told[0] is not scene:
            self._told = (scene, self._boards.data(scene))
        return self._told[1]

    def _what(self, stop: Stop) -> dict[str, Any]:
        data: dict[str, Any] = {"text": "", "waiting": said_waiting(stop.waiting) if stop.waiting else ""}
        match stop.entry:
            case Firing():
                data |= self._firing(stop.entry)
            case Requested(_, procedure, fields):
                data["text"] = f"{procedure} {{{said_fields(fields)}}}"
            case Began(_, calls):
                data["text"] = "; ".join(f"{name} {{{said_fields(fields)}}}" for name, fields in calls)
            case Chosen(rule, by, option):
                data |= {"text": f"{said(by)} chooses {said(option)}", "rule": rule}
        match stop.kind:
            case "start":
                data["callouts"] = [
                    _callout((template, id_, ""), text, "note") for template, id_, text in self.run.scenario.callouts
                ]
            case "expect" | "end":
                data |= self._expected(stop)
            case "refused":
                data |= self._refused(stop)
        return data

    # -------------------------------------------------------------------------------------------- firings

    def _firing(self, firing: Firing) -> dict[str, Any]:
        causes = self.causes.get(firing.number, {})
        before = {(change.fact.template, change.fact.id): change.before for change in firing.changes if change.before}
        return {
            "text": firing.rule,
            "rule": firing.rule,
            "frame": firing.frame,
            "step": firing.step,
            "pass": firing.pass_number,
            "event": firing.event,
            "bindings": tuple(text for name, value in firing.bindings for text in (name, said(value))),
            "changes": tuple(_change(change) for change in firing.changes),
            "emitted": tuple(f"{event} {{{said_fields(_known(event.values))}}}" for event in firing.emitted),
            "begun": firing.begun,
            "due": firing.due,
            "left": firing.left,
            "ends": firing.ends_game,
            "reads": tuple(
                text
                for read in firing.reads
                for text in (key_of(*read), self._writer(read, causes.get(read, 0)), self._read(read, before))
            ),
            "source": self.born.get(firing.frame, ""),
            "callouts": tuple(callout for change in self._drawn(firing) for callout in _changed(change)),
        }

    def _writer(self, read: FieldRead, writer: int) -> str:
        """The stop at which a value read was written: a frame comes with its fields, which is no change. Empty: given."""
        return str(writer) if writer else self.born.get(read[1], "")

    def _read(self, read: FieldRead, before: Mapping[tuple[str, str], Fact]) -> str:
        """The value a firing read: what it changed, as it was before."""
        template, id_, name = read
        fact = before.get((template, id_)) or (self.memory.last(template, id_) if self.memory else None)
        return said(fact.values.get(name)) if fact else "none"

    def _drawn(self, firing: Firing) -> Iterator[Change]:
        """The changes to point at: of facts that stand, and of frames the view shows."""
        templates = self.run.ruleset.templates
        marks = self.plan.view.marks
        return (
            change
            for change in firing.changes
            if templates[change.fact.template].kind != "frame" or change.fact.template in marks
        )

    # -------------------------------------------------------------------------------------------- expectations

    def _expected(self, stop: Stop) -> dict[str, Any]:
        expectation = stop.item.expectation if isinstance(stop.item, Expecting) else self.run.scenario.then
        wrong = {(difference.place, difference.path) for difference in stop.differences}
        targets = dict(_targets(expectation))
        finished = stop.kind == EXPECT or self.run.verdict.status in {"passed", "failed"}
        return {
            "text": "expected" if stop.kind == EXPECT else "the end",
            "expected": [[text, not wrong.intersection(keys)] for keys, text in _lines(expectation)] if finished else [],
            "differences": [_difference(difference, targets) for difference in stop.differences],
            "callouts": [
                _callout(target, f"expected {difference.expected}, found {difference.actual}", "wrong")
                for difference in stop.differences
                if (target := targets.get((difference.place, difference.path)))
            ],
        }

    def _refused(self, stop: Stop) -> dict[str, Any]:
        refusal = stop.moment.refusal if stop.moment else None
        asked = stop.item.procedure if isinstance(stop.item, Requesting) else ""
        fields = refusal.fields if refusal else ()
        return {
            "text": f"{asked} {{{said_fields(fields)}}}" if refusal else asked or "not as written",
            "refused": [
                [one.rule, list(one.cites), [[name, said(value)] for name, value in one.bindings]] for one in refusal.rules
            ]
            if refusal
            else [],
            "why": refusal.reason if refusal else "",
            "differences": [_difference(difference, {}) for difference in stop.differences],
        }


def _callout(target: Target, text: str, kind: str) -> dict[str, Any]:
    return {"target": key_of(*target), "text": text, "kind": kind}


def _known(values: Mapping[str, Any]) -> list[tuple[str, Any]]:
    return [(name, value) for name, value in values.items() if value is not None]


def _change(change: Change) -> dict[str, Any]:
    kind = "modify" if change.before and change.after else "assert" if change.after else "retract"
    fields = tuple(text for name, before, after in change.fields() for text in (name, said(before), said(after)))
    return {"kind": kind, "key": key_of(change.fact.template, change.fact.id), "fields": fields}


def _changed(change: Change) -> Iterator[dict[str, Any]]:
    """What there is to point at of a change: each field, `none → you`, or that the fact is new or gone."""
    template, id_ = change.fact.template, change.fact.id
    if change.before is None or change.after is None:
        yield _callout((template, id_, ""), "new" if change.before is None else "gone", "change")
        return
    for name, before, after in change.fields():
        yield _callout((template, id_, name), f"{said(before)} → {said(after)}", "change")


def _targets(expectation: Expectation) -> Iterator[tuple[Key, Target]]:
    """For each thing that may differ, by its place and path, what it is about."""
    for fact in expectation.facts:
        yield (fact.place, fact.path), (fact.template, fact.id or "", "")
        for test in fact.tests:
            yield (test.place, f"{fact.path}.{test.field}"), (fact.template, fact.id or "", test.field)


def _lines(expectation: Expectation) -> Iterator[tuple[tuple[Key, ...], str]]:
    """Each thing expected, with the places and paths by which a difference would tell of it."""
    for fact in expectation.facts:
        yield from _fact_lines(fact)
    words = {"waiting": expectation.waiting, "asked": expectation.asked, "choosing": expectation.choosing}
    for name, word in words.items():
        if word is not None:
            yield ((expectation.place, name),), f"{name}: {word}"
    if expectation.options is not None:
        yield ((expectation.place, "options"),), f"options: {', '.join(expectation.options)}"
    for path, counts in (("fired", expectation.fired), ("events", expectation.events)):
        if counts is not None and not counts.counts:
            yield ((counts.place, path),), f"{path}: nothing"
        for name, count, place in counts.counts if counts else ():
            yield ((place, path),), f"{path}: {name}" + ("" if count is None else f", {count} times")
    for name, place in expectation.not_fired:
        yield ((place, "not_fired"),), f"not fired: {name}"


def _fact_lines(fact: FactExpectation) -> Iterator[tuple[tuple[Key, ...], str]]:
    whole = (fact.place, fact.path)
    if fact.id is None or fact.negated or not fact.tests:
        tests = ", ".join(f"{test.field}: {test.text}" for test in fact.tests)
        yield (whole,), f"{fact.path} {{{tests}}}" if tests else fact.path
        return
    for test in fact.tests:
        path = f"{fact.path}.{test.field}"
        yield (whole, (test.place, path)), f"{path}: {test.text}"


def _difference(difference: Difference, targets: Mapping[Key, Target]) -> dict[str, Any]:
    target = targets.get((difference.place, difference.path))
    return {
        "what": difference.path,
        "expected": difference.expected,
        "found": difference.actual,
        "firing": difference.firing,
        "rule": difference.rule,
        "note": difference.note,
        "place": str(difference.place),
        "target": key_of(*target) if target else "",
    }
