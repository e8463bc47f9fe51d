"""What a run says of itself: firings, requests and choices in order, what the session waits for, what was refused.

The engine and the reference speak in these values; two runs are the same when `Trace.lines()` gives the same text.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, MutableSequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from riftrules.facts.memory import Fact
from riftrules.facts.types import Value, canonical

FieldRead: TypeAlias = tuple[str, str, str]
"""(template, id, field)"""


class Change(NamedTuple):
    """One fact before and after a firing: `before` is None where it was not there, `after` where it is gone."""

    before: Fact | None
    after: Fact | None

    @property
    def fact(self) -> Fact:
        """The fact as it is, or as it was."""
        found = self.after if self.after is not None else self.before
        if found is None:
            message = "a change of nothing"
            raise ValueError(message)
        return found

    def fields(self) -> tuple[tuple[str, Value, Value], ...]:
        """(field, before, after) of each field that differs; every field where the fact came or went."""
        before = self.before.values if self.before else {}
        after = self.after.values if self.after else {}
        names = sorted({*before, *after})
        return tuple((name, before.get(name), after.get(name)) for name in names if before.get(name) != after.get(name))


class Firing(NamedTuple):
    """One rule fired once.

    `number` counts firings of the session from 1. `bindings` are (variable, value), sorted by variable. `matched` are
    the (template, id) of the named patterns in the order of the rule's standing. `begun`, `due` and `left` are frame
    ids (`procedure-n`). `event` is the id of the event heard, empty in a step. `reads` are the fields read of matched
    facts, sorted.
    """

    number: int
    rule: str
    cites: tuple[str, ...]
    bindings: tuple[tuple[str, Value], ...]
    matched: tuple[tuple[str, str], ...]
    changes: tuple[Change, ...]
    emitted: tuple[Fact, ...] = ()
    begun: tuple[str, ...] = ()
    due: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    ends_game: bool = False
    frame: str = ""
    step: str = ""
    pass_number: int = 0
    event: str = ""
    reads: tuple[FieldRead, ...] = ()


@dataclass(frozen=True, slots=True)
class Requested:
    """A player's request was accepted and begun as `frame`."""

    frame: str
    procedure: str
    fields: tuple[tuple[str, Value], ...]


@dataclass(frozen=True, slots=True)
class Began:
    """Procedures were begun from outside, as one instruction: their frame ids and names."""

    frames: tuple[str, ...]
    calls: tuple[tuple[str, tuple[tuple[str, Value], ...]], ...]


@dataclass(frozen=True, slots=True)
class Chosen:
    """A choice was answered: `option` is None where `by` chose nothing."""

    rule: str
    by: Value
    option: Value


Entry: TypeAlias = Firing | Requested | Began | Chosen


@dataclass(frozen=True, slots=True)
class Ask:
    """A player may now make one of `requests`. `rule` is the rule that asks."""

    player: Value
    requests: tuple[str, ...]
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """`by` must choose one of `options` (values of the rule's variable `variable`), or none where it is optional."""

    rule: str
    by: Value
    variable: str
    options: tuple[Value, ...]
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Waiting:
    """Why a session has stopped.

    kind: `idle` (the stack is empty: any request may be made), `asked` (one of `asks`), `choosing` (`choice`), or
    `over` (the game has ended). `frame`, `step` and `pass_number` say which step is asking or choosing, in which pass;
    they are empty and 0 when idle or over.
    """

    kind: str
    asks: tuple[Ask, ...] = ()
    choice: Choice | None = None
    frame: str = ""
    step: str = ""
    pass_number: int = 0


@dataclass(frozen=True, slots=True)
class Refused:
    """A rule that refuses a request, with the bindings under which it does (the first in standing order)."""

    rule: str
    cites: tuple[str, ...]
    bindings: tuple[tuple[str, Value], ...]


@dataclass(frozen=True, slots=True)
class Refusal:
    """A request that was refused: nothing has happened. `rules` are all that refuse it; `reason` says it in words."""

    procedure: str
    fields: tuple[tuple[str, Value], ...]
    rules: tuple[Refused, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class StackedFrame:
    """A frame with which a session starts in the middle: the step it is in, and its pass from 1."""

    frame: Fact
    step: str
    pass_number: int = 1


@dataclass(slots=True)
class Trace:
    """Everything that has happened in a session, in order."""

    # Not `list`: whoever watches a run puts a list of their own here, whose `append` a compiled caller would not call.
    entries: MutableSequence[Entry] = field(default_factory=list)

    def firings(self) -> Iterator[Firing]:
        """The firings alone."""
        for entry in self.entries:
            if isinstance(entry, Firing):
                yield entry

    def events(self) -> Iterator[Fact]:
        """The events emitted, oldest first."""
        for firing in self.firings():
            yield from firing.emitted

    def causes(self) -> Mapping[int, Mapping[FieldRead, int]]:
        """For each firing, the number of the firing that had last written each field it read (0: it was given)."""
        writers: dict[FieldRead, int] = {}
        found: dict[int, dict[FieldRead, int]] = {}
        for firing in self.firings():
            found[firing.number] = {read: writers.get(read, 0) for read in firing.reads}
            for change in firing.changes:
                fact = change.fact
                writers.update({(fact.template, fact.id, name): firing.number for name, _, _ in change.fields()})
        return found

    def as_data(self) -> list[dict[str, Any]]:
        """The trace as plain data for JSON, one object for each entry."""
        causes = self.causes()
        return [_entry_data(entry, causes.get(entry.number, {}) if isinstance(entry, Firing) else {}) for entry in self.entries]

    def lines(self) -> str:
        """The canonical text: one JSON object a line, keys sorted."""
        return "".join(json.dumps(entry, sort_keys=True, ensure_ascii=False) + "\n" for entry in self.as_data())


def _entry_data(entry: Entry, causes: Mapping[FieldRead, int]) -> dict[str, Any]:
    match entry:
        case Requested(frame, procedure, fields):
            return {"request": procedure, "frame": frame, "fields": _pairs(fields)}
        case Began(frames, calls):
            return {"begin": [{name: _pairs(fields)} for name, fields in calls], "frames": list(frames)}
        case Chosen(rule, by, option):
            return {"choice": canonical(option), "by": canonical(by), "rule": rule}
    return _firing_data(entry, causes)


def _firing_data(firing: Firing, causes: Mapping[FieldRead, int]) -> dict[str, Any]:
    return {
        "firing": firing.number,
        "rule": firing.rule,
        "cites": list(firing.cites),
        "bindings": _pairs(firing.bindings),
        "matched": [list(pair) for pair in firing.matched],
        "changes": [_change_data(change) for change in firing.changes],
        "emitted": [
            {"event": event.template, "id": event.id, "fields": _pairs(tuple(event.values.items()))} for event in firing.emitted
        ],
        "begun": list(firing.begun),
        "due": list(firing.due),
        "left": list(firing.left),
        "ends_game": firing.ends_game,
        "frame": firing.frame,
        "step": firing.step,
        "pass": firing.pass_number,
        "event": firing.event,
        "causes": [[*read, causes[read]] for read in firing.reads],
    }


def _change_data(change: Change) -> dict[str, Any]:
    kind = "modify" if change.before and change.after else "assert" if change.after else "retract"
    fields = {name: [canonical(before), canonical(after)] for name, before, after in change.fields()}
    return {kind: [change.fact.template, change.fact.id], "fields": fields}


def _pairs(pairs: tuple[tuple[str, Value], ...]) -> dict[str, Any]:
    return {name: canonical(value) for name, value in pairs}
