"""The frames of a session: how they come, wait, pass by and end. Each is a fact of its procedure's name all that while."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from riftrules.engine.agenda import Agenda
from riftrules.engine.board import Board
from riftrules.engine.effects import Key
from riftrules.engine.matcher import Matcher
from riftrules.engine.passes import Passes
from riftrules.engine.productions import Activation
from riftrules.engine.program import Program
from riftrules.engine.stack import Mark, Pending, StackEntry, Standing
from riftrules.engine.writing import refused
from riftrules.errors import LimitError
from riftrules.facts.differences import Difference, differences, undone
from riftrules.facts.marks import last_of
from riftrules.facts.memory import Fact, WorkingMemory
from riftrules.facts.trace import Firing, Trace
from riftrules.facts.types import Value


class UnacceptedError(Exception):
    """A request's frame has ended and no rule that binds it has fired."""

    def __init__(self, pending: Pending) -> None:
        self.pending = pending
        super().__init__(pending.frame[0])


class Frames:
    """Working memory, the stack and what is due, kept in step with agenda and matcher.

    What is written goes to working memory at once, and to board, agenda and matcher at `tell`.
    """

    def __init__(self, program: Program, memory: WorkingMemory, board: Board, matcher: Matcher) -> None:
        self.program = program
        self.memory = memory
        self.board = board
        self.matcher = matcher
        self.agenda = Agenda(program, board)
        self.trace = Trace()
        self.standing = Standing()
        self.agenda.due = self.standing.due
        self._told = 0
        self._within: dict[str, int] = {}

    # -------------------------------------------------------------------------------------------- keeping in step

    def tell(self) -> None:
        """Let everybody know of the writes since the last time."""
        log, told = self.memory.log, self._told
        if len(log) != told:
            self._told = len(log)
            self.standing.writes += self._pass_on(differences(log[told:]))

    def _pass_on(self, found: Sequence[Difference]) -> int:
        """Tell everybody what differs. How many of the differences are effects."""
        self.board.note(found)
        self.matcher.update(found)
        return self.agenda.note(found)

    def mark(self) -> Mark:
        """A point to go back to."""
        self.tell()
        return Mark(self.memory.mark(), self.standing.copy(), len(self.trace.entries), last_of(self.memory, self.trace))

    def undo(self, mark: Mark) -> None:
        """Go back: facts, stack, dues, events, visits and trace; board, agenda and matcher are told the inverse changes."""
        length = mark.memory[0]
        back = undone(self.memory.log[length : self._told])
        self.memory.undo(mark.memory)
        self._told = min(self._told, length)
        dues = self.standing.due
        self.standing = mark.standing.copy()
        self.agenda.due = self.standing.due
        for procedure in {name for name, _ in {*dues} ^ {*self.standing.due}}:
            self.agenda.touch(procedure)
        self._pass_on(back)
        del self.trace.entries[mark.entries :]

    # -------------------------------------------------------------------------------------------- coming

    def make(self, name: str, given: Mapping[str, Value], by: Activation | None = None, asked: Value = None) -> Fact:
        """A frame or an event with an id of its own and its defaults; not in working memory yet."""
        filling = self.program.fillers[name]
        fact = filling.fill(self.memory.new_id(name), given, self.memory, asked)
        if by is not None and not filling.accepts_all(given, self.memory.facts):
            why = refused(self.memory, (name, fact.id), fact.values)
            if why:
                by.fail(why)
        return fact

    def begin(self, fact: Fact, at: int) -> None:
        """Put a frame on the stack: what is begun later at the same height runs later."""
        self.memory.put(fact)
        self.standing.stack.insert(at, StackEntry(self.program.routines[fact.template], fact.id))

    def make_due(self, name: str, given: Mapping[str, Value], by: Activation | None = None) -> str:
        """The id of the frame that is now due; an empty text where the same is due already."""
        mark = self.memory.mark()
        fact = self.make(name, given, by)
        same = (self.memory.get(*key) for key in self.standing.due if key[0] == name)
        if any(frame is not None and frame.values == fact.values for frame in same):
            self.memory.undo(mark)  # only the id is taken back: nothing was written
            return ""
        self.memory.put(fact)
        self.standing.due.append((name, fact.id))
        return fact.id

    def run_due(self) -> None:
        """The oldest frame that is due goes on the stack."""
        name, id_ = self.standing.due.pop(0)
        self.agenda.touch(name)
        self.standing.stack.append(StackEntry(self.program.routines[name], id_))

    def all_yield(self) -> bool:
        """Whether every frame on the stack lets what is due run."""
        for entry in self.standing.stack:  # noqa: SIM110 - half the time of `all` over a generator
            if not entry.routine.yields:
                return False
        return True

    # -------------------------------------------------------------------------------------------- going

    def end(self) -> Key:
        """The frame on top ends: what is within it goes, then it goes, then what follows it is due."""
        standing = self.standing
        entry = standing.stack.pop()
        standing.base = min(standing.base, len(standing.stack))
        key = entry.key
        self._remove(key)
        if entry.routine.then:
            self.make_due(entry.routine.then, {})
        if standing.requests:
            for pending in standing.requests:
                if pending.frame == key:
                    self.check_accepted(pending)
            standing.requests = tuple(pending for pending in standing.requests if pending.frame != key)
        return key

    def check_accepted(self, pending: Pending) -> None:
        """Raise UnacceptedError if no rule that binds this request has fired."""
        if pending.frame not in self.standing.accepted:
            raise UnacceptedError(pending)

    def leave(self, key: Key) -> list[Key]:
        """End a frame with everything above it, top first; drop one that is due. The frames that have gone."""
        if key in self.standing.due:
            self.standing.due.remove(key)
            self.agenda.touch(key[0])
            self._remove(key)
            return [key]
        gone: list[Key] = []
        while any(entry.key == key for entry in self.standing.stack):
            gone.append(self.end())
        return gone

    def drop_all(self) -> None:
        """The game is over: nothing runs, nothing is due, nothing is heard, nothing follows."""
        standing = self.standing
        for pending in reversed(standing.requests):
            self.check_accepted(pending)
        standing.requests = ()
        standing.events.clear()
        while standing.stack:
            self._remove(standing.stack.pop().key)
        while standing.due:
            key = standing.due.pop(0)
            self.agenda.touch(key[0])
            self._remove(key)

    def _remove(self, key: Key) -> None:
        for template, id_ in self.memory.owned(key[1]):
            if self.memory.get(template, id_) is not None:
                self.memory.retract(template, id_)
        self.memory.remove(*key)

    # -------------------------------------------------------------------------------------------- passes

    def next_step(self, entry: StackEntry) -> None:
        """The step on top is over: the next one that is not quiet, the next pass, or the end of the frame."""
        self.tell()
        entry.index = index = self._next_index(entry)
        entry.entered = False
        if index < len(entry.routine.steps):
            return
        if entry.routine.until_stable and self.standing.writes > entry.writes:
            entry.index = 0
            entry.pass_number += 1
            return
        self.end()

    def _next_index(self, entry: StackEntry) -> int:
        """The number of the next step of this pass in which anything may happen, or the number of steps."""
        if self.standing.due and self.all_yield():
            return entry.index + 1  # what is due runs as soon as a step has nothing left to fire, be it a quiet one
        return self.agenda.next_noisy(entry.routine.steps, entry.index + 1)

    def begin_pass(self, entry: StackEntry) -> None:
        """Note the configuration with which a pass begins. Raises LimitError where an earlier pass began with it."""
        if not entry.routine.until_stable:
            return
        self.tell()
        entry.writes = self.standing.writes
        if entry.passes is None:
            entry.passes = Passes()
        around = tuple([(one.routine.name, one.id, one.index) for one in self.standing.stack]), tuple(self.standing.due)
        earlier = entry.passes.begin(self.memory.log, self.standing.firings, around)
        if earlier is None:
            return
        first = entry.pass_number - len(entry.passes.begun) + earlier
        since = entry.passes.begun[earlier].firings
        cycle = [firing for firing in self.trace.firings() if firing.number > since]
        rules = ", ".join(f"`{rule}`" for rule in dict.fromkeys(firing.rule for firing in cycle))
        message = f"the configuration repeats: `{entry.id}` passes {first} to {entry.pass_number}, rules {rules}"
        raise LimitError(message, trace=self.trace, cycle=_numbers(cycle))


def _numbers(firings: Sequence[Firing]) -> tuple[int, ...]:
    return tuple(firing.number for firing in firings)
