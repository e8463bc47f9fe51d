"""A session: one game in progress, and what players and scenarios may do to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Self

from riftrules.engine.board import Board
from riftrules.engine.cycle import Cycle
from riftrules.engine.frames import UnacceptedError
from riftrules.engine.matcher import DemandMatcher, Matcher
from riftrules.engine.network_matcher import NetworkMatcher
from riftrules.engine.productions import Production
from riftrules.engine.program import Program, compile_ruleset
from riftrules.engine.stack import Mark, Pending, StackEntry, Visit
from riftrules.facts.marks import check_mark
from riftrules.facts.memory import Fact, WorkingMemory
from riftrules.facts.trace import (
    Began,
    Choice,
    Chosen,
    Refusal,
    Refused,
    Requested,
    StackedFrame,
    Trace,
    Waiting,
)
from riftrules.facts.types import Call, Value
from riftrules.language.model import Ruleset
from riftrules.language.requests import check_readable, given_values, misgiven, possible, unfit


class Session:
    """One game in progress. `facts` are complete; `stack` is bottom first.

    Nothing fires before the first request or begin. Raises RunError where a rule cannot be carried out, LimitError
    where a run does not end, EngineError where the match network refuses; ValueError where the caller asks for what
    cannot be. `matcher` is `network` or `demand`: which of them it is cannot be seen, except in how long it takes.
    """

    cycle_type: ClassVar[type[Cycle]] = Cycle  # what measures coverage watches a cycle of its own

    def __init__(
        self,
        ruleset: Ruleset | Program,
        facts: Sequence[Fact],
        stack: Sequence[StackedFrame] = (),
        limit: int = 10_000,
        matcher: str = "network",
    ) -> None:
        self.program = compile_ruleset(ruleset) if isinstance(ruleset, Ruleset) else ruleset
        self.ruleset = self.program.ruleset
        self.memory = WorkingMemory(self.program.shapes)
        self._matcher = _matcher(matcher, self.program, self.memory)
        board = Board(self.memory, self.ruleset.templates, self._matcher if isinstance(self._matcher, NetworkMatcher) else None)
        self._cycle = self.cycle_type(self.program, self.memory, board, self._matcher, limit)
        for fact in (*facts, *(item.frame for item in stack)):
            self.memory.put(fact)
        self._cycle.tell()
        for place, item in enumerate(stack):
            above = stack[place + 1].frame.template if place + 1 < len(stack) else ""
            self._cycle.standing.stack.append(self._given(item, above))
        self._cycle.standing.settled = not stack

    def _given(self, item: StackedFrame, above: str) -> StackEntry:
        """A frame given in a step: a step that is a procedure has begun it if its frame is the next above."""
        routine = self.program.routines[item.frame.template]
        index = [step.name for step in routine.steps].index(item.step)
        entered = not routine.steps[index].begins or item.step == above
        return StackEntry(routine, item.frame.id, index, item.pass_number, entered=entered, writes=self._cycle.standing.writes)

    @property
    def waiting(self) -> Waiting:
        """Why the session has stopped."""
        return self._cycle.standing.waiting

    @property
    def trace(self) -> Trace:
        """Everything that has happened."""
        return self._cycle.trace

    def close(self) -> None:
        """Give back what the session holds of the match network. Nothing may be done to it afterwards."""
        self._matcher.close()

    def __enter__(self) -> Self:
        """The session, closed at the end of the block."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    # -------------------------------------------------------------------------------------------- what is done to it

    def settle(self) -> Waiting | Refusal:
        """Run from where it stands, if it was opened in the middle and has not run yet."""
        return self.waiting if self._cycle.standing.settled else self._run()

    def request(self, name: str, fields: Mapping[str, Value]) -> Waiting | Refusal:
        """A player asks for something: it is refused and nothing has happened, or it is done until the session waits.

        Where an earlier request that still ran turns out to be accepted by no rule, that one is refused instead, and the
        session goes back to before it: the refusal names it.
        """
        if self.waiting.kind != "over":
            self.settle()
        reason = self._out_of_place(name)
        if reason:
            return Refusal(name, tuple(sorted(fields.items())), reason=reason)
        fields = given_values(self.ruleset.templates[name], fields)
        mark = self._cycle.mark()
        refusal = self._begin_request(name, fields, mark)
        if refusal is not None:
            self._cycle.undo(mark)
            return refusal
        return self._run()

    def _out_of_place(self, name: str) -> str:
        if self.waiting.kind == "over":
            return "the game is over"
        if self.waiting.kind == "choosing":
            return "a choice is waiting"
        routine = self.program.routines.get(name)
        return "" if routine is not None and routine.request else f"`{name}` is not a request"

    def _begin_request(self, name: str, fields: Mapping[str, Value], mark: Mark) -> Refusal | None:
        """Put the request on the stack, or say why it is refused."""
        template, cycle = self.ruleset.templates[name], self._cycle
        reason = misgiven(template, fields)
        if reason:
            return Refusal(name, tuple(sorted(fields.items())), reason=reason)
        frame = cycle.make(name, fields, asked=self._asked())
        fits = self.program.fillers[name].fits(frame.values, self.memory.facts)
        reason = "" if fits else unfit(template, frame.values, self.memory, holding=True)
        if reason:
            return Refusal(name, tuple(sorted(fields.items())), reason=reason)
        values = tuple(sorted(frame.values.items()))
        self.memory.put(frame)
        rules = self._refused(frame)
        nobody = self._is_nobodys(name)
        if rules or nobody:
            return Refusal(name, values, rules, f"nobody is asked for `{name}`" if nobody else "")
        self._visit_anew()
        cycle.begin(frame, len(cycle.standing.stack))
        cycle.standing.requests += (Pending((name, frame.id), values, mark),)
        self.trace.entries.append(Requested(frame.id, name, values))
        return None

    def _asked(self) -> Value:
        return self.waiting.asks[0].player if self.waiting.asks else None

    def _is_nobodys(self, name: str) -> bool:
        """Whether somebody is asked for something, but nobody for this request."""
        return self.waiting.kind == "asked" and not any(name in ask.requests for ask in self.waiting.asks)

    def _refused(self, frame: Fact) -> tuple[Refused, ...]:
        """Every rule that refuses the request, once each, with the first bindings under which it does."""
        productions = self.program.refuses.get(frame.template, ())
        if not productions:
            return ()
        self._look(frame)
        return tuple([refused for one in productions if (refused := self._refusal(one, frame)) is not None])

    def _look(self, frame: Fact) -> None:
        """See the board as what refuses this request sees it."""
        self._cycle.tell()
        board = self._cycle.board
        board.procedure, board.own, board.event = frame.template, frame.id, None

    def _refusal(self, production: Production, frame: Fact) -> Refused | None:
        """The rule as one that refuses the request, if it does."""
        for one in self._cycle.agenda.activations(production):
            request = production.rule.request
            assert request is not None
            if one.value(request.variable) == frame.id:
                return production.refused(one)
        return None

    def begin(self, calls: Sequence[Call]) -> Waiting | Refusal:
        """Procedures begin from outside, as one uninterrupted instruction: the first runs first."""
        if self.waiting.kind == "over":
            return self.waiting
        if self.waiting.kind == "choosing":
            message = "a choice is waiting"
            raise ValueError(message)
        cycle = self._cycle
        mark = cycle.mark()
        try:
            frames = [self._called(call) for call in calls]
        except ValueError:
            cycle.undo(mark)
            raise
        self._visit_anew()
        at = len(cycle.standing.stack)
        for frame in frames:
            cycle.begin(frame, at)
        begun = tuple((frame.template, tuple(sorted(frame.values.items()))) for frame in frames)
        self.trace.entries.append(Began(tuple(frame.id for frame in frames), begun))
        return self._run()

    def _called(self, call: Call) -> Fact:
        if call.procedure not in self.program.routines:
            message = f"`{call.procedure}` is not a procedure"
            raise ValueError(message)
        template = self.ruleset.templates[call.procedure]
        reason = misgiven(template, dict(call.fields))
        if reason:
            raise ValueError(reason)
        frame = self._cycle.make(call.procedure, dict(call.fields), asked=self._asked())
        reason = unfit(template, frame.values, self.memory, holding=False)
        if reason:
            raise ValueError(reason)
        return frame

    def _visit_anew(self) -> None:
        """The step that was asking, or waited for an instruction, is visited anew when what is begun now has ended."""
        if self._cycle.standing.stack:
            self._cycle.standing.stack[-1].visit = Visit()

    def choose(self, option: Value | None) -> Waiting | Refusal:
        """Answer the choice the session waits for; none chooses nothing, where that is allowed."""
        choice = self.waiting.choice
        if choice is None:
            message = "no choice is waiting"
            raise ValueError(message)
        if option not in choice.options and not (option is None and choice.optional):
            message = f"`{option}` is not one of the options"
            raise ValueError(message)
        return self._run(choice, option)

    def _run(self, choice: Choice | None = None, option: Value = None) -> Waiting | Refusal:
        cycle = self._cycle
        cycle.standing.settled = True
        cycle.fired = cycle.framed = 0
        try:
            if choice is not None:
                self.trace.entries.append(Chosen(choice.rule, choice.by, option))
                cycle.answer(option)
            return cycle.run()
        except UnacceptedError as error:
            cycle.undo(error.pending.mark)
            return Refusal(error.pending.frame[0], error.pending.fields, reason="no rule accepts it")

    def mark(self) -> Mark:
        """A point to go back to."""
        return self._cycle.mark()

    def undo(self, mark: Mark) -> None:
        """Go back to a mark made earlier on the way here. Raises ValueError where the session has gone back behind it since."""
        check_mark(mark, self.memory, self.trace)
        self._cycle.undo(mark)

    # -------------------------------------------------------------------------------------------- what is read from it

    def legal(self) -> Iterator[tuple[str, dict[str, Value]]]:
        """Every request that no rule refuses now, over the domains of the fields."""
        self.settle()
        for name in self.program.routines:
            if not self._out_of_place(name) and not self._is_nobodys(name):
                mark = self._cycle.mark()
                try:
                    found = [*self._legal(name)]
                finally:
                    self._cycle.undo(mark)
                yield from found

    def _legal(self, name: str) -> Iterator[tuple[str, dict[str, Value]]]:
        """Those of one kind: one frame in working memory has the fields of each in turn."""
        cycle, fits = self._cycle, self.program.fillers[name].fits
        template, asked = self.ruleset.templates[name], self._asked()
        refusing = list(self.program.refuses.get(name, ()))
        frame = cycle.make(name, {}, asked=asked)
        for fields in possible(template, self.memory):
            frame = self.program.fillers[name].fill(frame.id, fields, self.memory, asked)
            if fits(frame.values, self.memory.facts) or not unfit(template, frame.values, self.memory, holding=True):
                self.memory.put(frame)
                self._look(frame)
                place = next((place for place, one in enumerate(refusing) if self._refusal(one, frame) is not None), None)
                if place is None:
                    yield name, dict(sorted(frame.values.items()))
                elif place:
                    refusing.insert(0, refusing.pop(place))  # what refuses one often refuses the next

    def read(self, template: str, id_: str, field: str) -> Value:
        """A field, stored or derived, of a fact, or of what it was last; none where there never was one.

        Raises ValueError where there is no such field.
        """
        check_readable(self.ruleset.templates, template, field)
        fact = self.memory.last(template, id_)
        if fact is None:
            return None
        if field not in self.ruleset.templates[template].derived:
            return id_ if field == "id" else fact.values[field]
        return self.program.compiler.definitions.derived(template, field)(self._unframed(), id_)

    def violations(self) -> tuple[Refused, ...]:
        """The invariants that are violated now, with the first bindings under which they are."""
        board = self._unframed()
        found = ((invariant, invariant.matches(board)) for invariant in self.program.invariants)
        return tuple(invariant.refused(matches[0]) for invariant, matches in found if matches)

    def _unframed(self) -> Board:
        """The board as no frame's own."""
        self._cycle.tell()
        board = self._cycle.board
        board.procedure, board.own, board.event = "", "", None
        return board


def _matcher(name: str, program: Program, memory: WorkingMemory) -> Matcher:
    match name:
        case "demand":
            return DemandMatcher()
        case "network":
            return NetworkMatcher(program.network, memory)
    message = f"`{name}` is no matcher: `network` and `demand` are"
    raise ValueError(message)
