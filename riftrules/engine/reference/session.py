"""A session played by the reference: what players and scenarios may do to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from riftrules.engine.reference.cycle import Cycle
from riftrules.engine.reference.frames import UnacceptedError
from riftrules.engine.reference.matching import ranged_order
from riftrules.engine.reference.state import Asked, Entry, Mark, Visit
from riftrules.facts.marks import check_mark
from riftrules.facts.memory import Fact, WorkingMemory
from riftrules.facts.trace import Began, Choice, Chosen, Refusal, Refused, Requested, StackedFrame, Trace, Waiting
from riftrules.facts.types import Call, Value
from riftrules.language.model import Ruleset
from riftrules.language.requests import check_readable, given_values, misgiven, possible, unfit


class Session:
    """One game in progress. `facts` are complete; `stack` is bottom first.

    Nothing fires before the first request or begin. Raises RunError where a rule cannot be carried out, LimitError
    where a run does not end; ValueError where the caller asks for what cannot be.
    """

    cycle_type: ClassVar[type[Cycle]] = Cycle  # what explains a run watches a cycle of its own

    def __init__(self, ruleset: Ruleset, facts: Sequence[Fact], stack: Sequence[StackedFrame] = (), limit: int = 10_000) -> None:
        self.ruleset = ruleset
        self.memory = WorkingMemory(ruleset.shapes)
        self._cycle = self.cycle_type(ruleset, self.memory, limit)
        for fact in (*facts, *(item.frame for item in stack)):
            self.memory.put(fact)
        for place, item in enumerate(stack):
            above = stack[place + 1].frame.template if place + 1 < len(stack) else ""
            self._cycle.state.stack.append(self._given(item, above))
        self._cycle.state.settled = not stack

    def _given(self, item: StackedFrame, above: str) -> Entry:
        """A frame given in a step: a step that is a procedure has begun it if its frame is the next above."""
        index = self.ruleset.procedures[item.frame.template].steps.index(item.step)
        entered = item.step not in self.ruleset.procedures or item.step == above
        return Entry(item.frame.template, item.frame.id, index, item.pass_number, entered, log=len(self.memory.log))

    @property
    def waiting(self) -> Waiting:
        """Why the session has stopped."""
        return self._cycle.state.waiting

    @property
    def trace(self) -> Trace:
        """Everything that has happened."""
        return self._cycle.trace

    # -------------------------------------------------------------------------------------------- what is done to it

    def settle(self) -> Waiting | Refusal:
        """Run from where it stands, if it was opened in the middle and has not run yet."""
        return self.waiting if self._cycle.state.settled else self._run()

    def request(self, name: str, fields: Mapping[str, Value]) -> Waiting | Refusal:
        """A player asks for something: it is refused and nothing has happened, or it is done until the session waits.

        Where an earlier request that still ran turns out to be accepted by no rule, that one is refused instead, and the
        session goes back to before it: the refusal names it.
        """
        given = tuple(sorted(fields.items()))
        if self.waiting.kind != "over":
            self.settle()
        reason = self._out_of_place(name)
        if reason:
            return Refusal(name, given, reason=reason)
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
        procedure = self.ruleset.procedures.get(name)
        return "" if procedure is not None and procedure.request else f"`{name}` is not a request"

    def _begin_request(self, name: str, fields: Mapping[str, Value], mark: Mark) -> Refusal | None:
        """Put the request on the stack, or say why it is refused."""
        template = self.ruleset.templates[name]
        reason = misgiven(template, fields)
        if reason:
            return Refusal(name, tuple(sorted(fields.items())), reason=reason)
        frame = self._cycle.make(name, fields, asked=self._asked())
        reason = unfit(template, frame.values, self.memory, holding=True)
        if reason:
            return Refusal(name, tuple(sorted(fields.items())), reason=reason)
        values = tuple(sorted(frame.values.items()))
        self.memory.put(frame)
        rules = tuple(self._refused(frame))
        nobody = self.waiting.kind == "asked" and not any(name in ask.requests for ask in self.waiting.asks)
        if rules or nobody:
            return Refusal(name, values, rules, f"nobody is asked for `{name}`" if nobody else "")
        self._visit_anew()
        self._cycle.begin(frame, len(self._cycle.state.stack))
        self._cycle.state.requests += (Asked((name, frame.id), values, mark),)
        self.trace.entries.append(Requested(frame.id, name, values))
        return None

    def _asked(self) -> Value:
        return self.waiting.asks[0].player if self.waiting.asks else None

    def _refused(self, frame: Fact) -> Iterator[Refused]:
        """Every rule that refuses the request, once each, with the first bindings under which it does."""
        board = self._cycle.board((frame.template, frame.id))
        for rule in self.ruleset.rules:
            if rule.kind == "legality":
                activations = self._cycle.activations(board, [rule])
                refusing = [one for one in activations if rule.request and board.evaluate(rule.request, one.env) == frame.id]
                if refusing:
                    yield Refused(rule.id, rule.cites, tuple(sorted(refusing[0].env.items())))

    def begin(self, calls: Sequence[Call]) -> Waiting | Refusal:
        """Procedures begin from outside, as one uninterrupted instruction: the first runs first."""
        if self.waiting.kind == "over":
            return self.waiting
        if self.waiting.kind == "choosing":
            message = "a choice is waiting"
            raise ValueError(message)
        mark = self._cycle.mark()
        try:
            frames = [self._called(call) for call in calls]
        except ValueError:
            self._cycle.undo(mark)
            raise
        self._visit_anew()
        at = len(self._cycle.state.stack)
        for frame in frames:
            self._cycle.begin(frame, at)
        begun = tuple((frame.template, tuple(sorted(frame.values.items()))) for frame in frames)
        self.trace.entries.append(Began(tuple(frame.id for frame in frames), begun))
        return self._run()

    def _called(self, call: Call) -> Fact:
        if call.procedure not in self.ruleset.procedures:
            message = f"`{call.procedure}` is not a procedure"
            raise ValueError(message)
        template = self.ruleset.templates[call.procedure]
        reason = misgiven(template, dict(call.fields))
        if not reason:
            frame = self._cycle.make(call.procedure, dict(call.fields), asked=self._asked())
            reason = unfit(template, frame.values, self.memory, holding=False)
        if reason:
            raise ValueError(reason)
        return frame

    def _visit_anew(self) -> None:
        """The step that was asking, or waited for an instruction, is visited anew when what is begun now has ended."""
        top = self._cycle.top()
        if top is not None:
            top.visit = Visit()

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
        self._cycle.state.settled = True
        self._cycle.fired = self._cycle.framed = 0
        try:
            if choice is not None:
                self.trace.entries.append(Chosen(choice.rule, choice.by, option))
                self._cycle.answer(option)
            return self._cycle.run()
        except UnacceptedError as error:
            self._cycle.undo(error.asked.mark)
            return Refusal(error.asked.frame[0], error.asked.fields, reason="no rule accepts it")

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
        for name in self.ruleset.procedures:
            if not self._out_of_place(name):
                for fields in possible(self.ruleset.templates[name], self.memory):
                    mark = self._cycle.mark()
                    refusal = self._begin_request(name, fields, mark)
                    values = dict(self.trace.entries[-1].fields) if refusal is None else {}  # type: ignore[union-attr]
                    self._cycle.undo(mark)
                    if refusal is None:
                        yield name, values

    def read(self, template: str, id_: str, field: str) -> Value:
        """A field, stored or derived, of a fact."""
        check_readable(self.ruleset.templates, template, field)
        derived = field in self.ruleset.templates[template].derived
        return self._cycle.board(None).read(template, id_, field, derived=derived)

    def violations(self) -> tuple[Refused, ...]:
        """The invariants that are violated now, with the first bindings under which they are."""
        board = self._cycle.board(None)
        found = []
        for invariant in self.ruleset.invariants:
            matches = list(board.matches(invariant.when, {})) if board.present(invariant.singletons) else []
            if matches:
                first = min(matches, key=lambda env, when=invariant.when: ranged_order(when, env))  # type: ignore[misc]
                found.append(Refused(invariant.name, invariant.cites, tuple(sorted(first.items()))))
        return tuple(found)
