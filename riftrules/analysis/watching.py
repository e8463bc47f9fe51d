"""Plays a scenario on the reference and keeps what a trace does not say: where each firing stood, whence frames came."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, TypeAlias

from riftrules.engine.reference import Session
from riftrules.engine.reference.cycle import Cycle
from riftrules.engine.reference.matching import Board, Key
from riftrules.engine.reference.planning import Activation
from riftrules.engine.reference.scopes import Scopes
from riftrules.engine.reference.state import Entry, Visit
from riftrules.facts.memory import Fact, WorkingMemory
from riftrules.facts.trace import Ask, FieldRead, Refused, StackedFrame, Waiting
from riftrules.facts.types import Value
from riftrules.language.model import Modify, Refuse, Rule, Ruleset
from riftrules.scenario.model import Run, Scenario
from riftrules.scenario.playing import play


@dataclass(frozen=True, slots=True)
class Point:
    """A point of a run at which rules were looked at.

    kind: `step`, `event`, `ask` or `request`. `log` is the length of the memory's log, `entries` that of the trace,
    `firings` the number of the last firing. `event` is the one heard, `own` the frame or request that rules see alone.
    """

    kind: str
    log: int
    firings: int
    frame: str
    step: str
    pass_number: int
    entries: int
    own: Key | None = None
    event: Fact | None = None


@dataclass(frozen=True, slots=True)
class Stood:
    """Where a firing stood: the memory's log before and after its change, its own frame, the event it heard."""

    before: int
    after: int
    own: Key | None
    event: Fact | None


Look: TypeAlias = Callable[[Point, Board, Sequence[Rule], Sequence[Activation], Visit | None], None]
"""Called at each point with the board, the rules looked at, and those activations of them that may fire."""


@dataclass(frozen=True, slots=True)
class ReadingBoard(Board):
    """A board that remembers what is read: each (template, id, field), and with empty fields the templates gone through."""

    reads: set[FieldRead] = field(default_factory=set)

    def facts(self, template: str) -> Sequence[Fact]:
        """The facts a pattern over the template goes through."""
        self.reads.add((template, "", ""))
        return Board.facts(self, template)

    def read(self, template: str, id_: str, field: str, *, derived: bool = False) -> Value:
        """A field of a fact."""
        self.reads.add((template, id_, field))
        return Board.read(self, template, id_, field, derived=derived)


@dataclass(frozen=True, slots=True)
class Rest:
    """A point at which a session waits: how much had been written, and the stack, bottom first."""

    entries: int
    log: int
    firings: int
    waiting: Waiting
    stack: tuple[StackedFrame, ...]


Alter: TypeAlias = Callable[[int, WorkingMemory], None]
"""Called after each firing with its number: it may change the facts."""


@dataclass(slots=True)
class Watch:
    """What has been seen of a run.

    `origins` gives the frame that another frame follows or is a step of. `reads` is every field a rule has looked at or
    set, whether it fired or not: a given field that is not among them has made no difference. `rests` is where it waited.
    """

    look: Look | None = None
    alter: Alter | None = None
    rests: list[Rest] = field(default_factory=list)
    reads: set[FieldRead] = field(default_factory=set)
    stood: dict[int, Stood] = field(default_factory=dict)
    origins: dict[str, str] = field(default_factory=dict)


class WatchedCycle(Cycle):
    """A cycle that tells its watch what it does."""

    def __init__(self, ruleset: Ruleset, memory: WorkingMemory, limit: int) -> None:
        super().__init__(ruleset, memory, limit)
        self.watch = Watch()
        self._ended = ""

    def board(self, own: Key | None, event: Fact | None = None) -> Board:
        """The board as the rules see it, watched."""
        return ReadingBoard(self.ruleset, self.memory, self.scopes, own, event, strict=False, reads=self.watch.reads)

    def _has_effect(self, board: Board, activation: Activation) -> bool:
        for said in activation.rule.then:
            if isinstance(said, Modify):
                target = board.evaluate(said.target, activation.env)
                self.watch.reads.update((said.template, target, change.field) for change in said.changes)
        return super()._has_effect(board, activation)

    def _eligible(self) -> tuple[Board, Visit, list[Activation]]:
        board, visit, found = super()._eligible()
        if self.watch.look is not None:
            event = self.state.events[0] if self.state.events else None
            rules = self._listening(event) if event is not None else self._in_step("step")
            self.watch.look(self._point("step" if event is None else "event", board), board, rules, found, visit)
        return board, visit, found

    def _listening(self, event: Fact) -> list[Rule]:
        return [rule for rule in self.ruleset.rules if rule.event is not None and rule.event.template == event.template]

    def _in_step(self, kind: str) -> list[Rule]:
        _, step, _ = self.where()
        return [rule for rule in self.ruleset.rules if rule.kind == kind and rule.step == step]

    def _asks(self, board: Board, rules: Iterable[Rule]) -> tuple[Ask, ...]:
        listed = list(rules)
        if self.watch.look is not None and listed:
            self.watch.look(self._point("ask", board), board, listed, self.activations(board, listed), None)
        return super()._asks(board, listed)

    def _point(self, kind: str, board: Board) -> Point:
        frame, step, pass_number = self.where()
        entries = len(self.trace.entries)
        return Point(kind, len(self.memory.log), self.state.firings, frame, step, pass_number, entries, board.own, board.event)

    def fire(self, board: Board, firing: Sequence[Activation]) -> None:
        """Carry out activations, and remember where they stood."""
        before, first = len(self.memory.log), self.state.firings
        super().fire(board, firing)
        stood = Stood(before, len(self.memory.log), board.own, board.event)
        self.watch.stood.update(dict.fromkeys(range(first + 1, self.state.firings + 1), stood))
        if self.watch.alter is not None:
            for number in range(first + 1, self.state.firings + 1):
                self.watch.alter(number, self.memory)

    def run(self) -> Waiting:
        """The cycle, from where it stands, and note where it comes to rest."""
        waiting = super().run()
        stack = tuple(self._stacked(entry) for entry in self.state.stack if entry.entered)
        rest = Rest(len(self.trace.entries), len(self.memory.log), self.state.firings, waiting, stack)
        self.watch.rests.append(rest)
        return waiting

    def _stacked(self, entry: Entry) -> StackedFrame:
        frame = self.memory.get(*entry.key)
        assert frame is not None  # noqa: S101 - the frames of the stack are facts
        return StackedFrame(frame, self.procedure(entry).steps[entry.index], entry.pass_number)

    def end(self) -> Key:
        """The frame on top ends; what follows it comes from it."""
        self._ended = self.state.stack[-1].id
        return super().end()

    def make_due(self, name: str, given: Mapping[str, Value], by: Activation | None = None) -> str:
        """A frame is due; where no rule makes it, it comes from the frame that has just ended."""
        id_ = super().make_due(name, given, by)
        if id_ and by is None:
            self.watch.origins[id_] = self._ended
        return id_

    def _enter(self, entry: Entry) -> None:
        height = len(self.state.stack)
        super()._enter(entry)
        for above in self.state.stack[height:]:
            self.watch.origins[above.id] = entry.id


class WatchedSession(Session):
    """A session of the reference that is watched."""

    cycle_type: ClassVar[type[Cycle]] = WatchedCycle

    @property
    def watch(self) -> Watch:
        """What has been seen."""
        assert isinstance(self._cycle, WatchedCycle)  # noqa: S101 - see `cycle_type`
        return self._cycle.watch

    def _refused(self, frame: Fact) -> Iterator[Refused]:
        watch, cycle = self.watch, self._cycle
        if watch.look is not None:
            board = cycle.board((frame.template, frame.id))
            rules = [rule for rule in self.ruleset.rules if _refuses(rule) == frame.template]
            log, entries = len(self.memory.log), len(self.trace.entries)
            point = Point("request", log, cycle.state.firings, *cycle.where(), entries, board.own)
            watch.look(point, board, rules, cycle.activations(board, rules), None)
        yield from super()._refused(frame)


def _refuses(rule: Rule) -> str:
    """The request that a rule of legality refuses."""
    return next((said.procedure for said in rule.then if isinstance(said, Refuse)), "")


@dataclass(frozen=True, slots=True)
class Observation:
    """A run on the reference, with its session as it stands at the end, and what was seen on the way."""

    run: Run
    session: WatchedSession

    @property
    def watch(self) -> Watch:
        """What has been seen."""
        return self.session.watch

    @property
    def ruleset(self) -> Ruleset:
        """The rules that were played."""
        return self.session.ruleset

    def board_at(self, log: int, own: Key | None = None, event: Fact | None = None) -> Board:
        """The board as it was when the memory's log had this length."""
        memory = WorkingMemory(self.ruleset.shapes)
        for write in self.session.memory.log[:log]:
            if write.after is None:
                memory.remove(write.template, write.id)
            else:
                memory.put(write.after, write.within)
        return Board(self.ruleset, memory, Scopes(), own, event)

    def item_of(self, entry: int) -> int:
        """The item of the scenario, from 1, in which this entry of the trace was made (the last, where a run broke off)."""
        done = (moment.item for moment in self.run.moments if entry < moment.entries)
        return next(done, len(self.run.moments) + 1)


def observe(scenario: Scenario, ruleset: Ruleset, look: Look | None = None, alter: Alter | None = None) -> Observation:
    """Play a scenario on the reference and watch it; `alter` may change facts on the way."""
    opened: list[WatchedSession] = []

    def open_session(ruleset: Ruleset, facts: Sequence[Fact], stack: Sequence[StackedFrame]) -> WatchedSession:
        session = WatchedSession(ruleset, facts, stack)
        session.watch.look, session.watch.alter = look, alter
        opened.append(session)
        return session

    run = play(scenario, ruleset, open_session)
    return Observation(run, opened[0])
