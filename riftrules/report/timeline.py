"""A run as stops to go through one by one: what was done, what fired, what was refused and expected, in order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from riftrules.facts.trace import Began, Chosen, Entry, Firing, Requested, Waiting
from riftrules.scenario.model import Difference, Expecting, Item, Moment
from riftrules.scenario.recording import Recording

START, REQUEST, BEGIN, CHOICE, FIRING, REFUSED, EXPECT, END = (
    "start",
    "request",
    "begin",
    "choice",
    "firing",
    "refused",
    "expect",
    "end",
)


@dataclass(frozen=True, slots=True)
class Stop:
    """One thing that happened, and the board after it (so many `writes`).

    `key` names it in links: the number of a firing, or that of the firing before it with a number after a point.
    `waiting` is what the session waited for then, where it waited; `moment` is of the item that is done.
    """

    kind: str
    key: str
    writes: int
    entry: Entry | None = None
    moment: Moment | None = None
    item: Item | None = None
    waiting: Waiting | None = None
    differences: tuple[Difference, ...] = ()


def stops_of(recording: Recording) -> tuple[Stop, ...]:
    """Every stop of a run: the board given, then item by item what came of it, then what was expected of the end."""
    return tuple(_keyed(_stops(recording)))


def _stops(recording: Recording) -> Iterator[Stop]:
    run = recording.run
    entries = run.trace.entries
    yield Stop(START, "", recording.given)
    done = 0
    for moment, item in zip(run.moments, run.scenario.items, strict=False):
        until = min(moment.entries, len(entries))  # a request may have been undone whole by a later choice
        found = [_entry(entries[number], recording.written[number]) for number in range(done, until)]
        done = max(done, until)
        yield from found[:-1]
        if found:
            yield replace(found[-1], writes=moment.writes, waiting=moment.waiting)
        if moment.refusal is not None or moment.differences or isinstance(item, Expecting):
            kind = EXPECT if isinstance(item, Expecting) else REFUSED
            yield Stop(kind, "", moment.writes, None, moment, item, moment.waiting, moment.differences)
    for number in range(done, len(entries)):
        yield _entry(entries[number], recording.written[number])
    told = {difference for moment in run.moments for difference in moment.differences}
    left = tuple(difference for difference in run.verdict.differences if difference not in told)
    yield Stop(END, "", len(recording.writes), waiting=run.waiting, differences=left)


def _entry(entry: Entry, writes: int) -> Stop:
    match entry:
        case Firing(number):
            return Stop(FIRING, str(number), writes, entry)
        case Requested():
            return Stop(REQUEST, "", writes, entry)
        case Began():
            return Stop(BEGIN, "", writes, entry)
        case Chosen():
            return Stop(CHOICE, "", writes, entry)


def _keyed(stops: Iterator[Stop]) -> Iterator[Stop]:
    firing, after = "0", 0
    for stop in stops:
        if stop.kind == FIRING:
            firing, after = stop.key, 0
            yield stop
        else:
            key = "end" if stop.kind == END else firing if stop.kind == START else f"{firing}.{after + 1}"
            after += stop.kind != START
            yield replace(stop, key=key)
