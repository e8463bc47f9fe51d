"""The stack of frames and the frames that are due: how they come, wait and end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from riftrules.engine.reference.matching import Key
from riftrules.engine.reference.planning import Activation, check
from riftrules.engine.reference.state import Asked, Entry, Mark, State
from riftrules.errors import LimitError
from riftrules.facts.marks import last_of
from riftrules.facts.memory import Fact, WorkingMemory
from riftrules.facts.trace import Firing, Trace
from riftrules.facts.types import Value
from riftrules.language.defaults import complete
from riftrules.language.model import Procedure, Ruleset


class UnacceptedError(Exception):
    """A request's frame has ended and no rule that binds it has fired."""

    def __init__(self, asked: Asked) -> None:
        self.asked = asked
        super().__init__(asked.frame[0])


class Frames:
    """The frames of a session: each is a fact of its procedure's name from `begin` or `due` until it ends."""

    def __init__(self, ruleset: Ruleset, memory: WorkingMemory, trace: Trace) -> None:
        self.ruleset = ruleset
        self.memory = memory
        self.trace = trace
        self.state = State()

    def procedure(self, entry: Entry) -> Procedure:
        """The procedure an entry of the stack runs."""
        return self.ruleset.procedures[entry.template]

    def top(self) -> Entry | None:
        """What runs."""
        return self.state.stack[-1] if self.state.stack else None

    def mark(self) -> Mark:
        """A point to go back to."""
        return Mark(self.memory.mark(), self.state.copy(), len(self.trace.entries), last_of(self.memory, self.trace))

    def undo(self, mark: Mark) -> None:
        """Go back: facts, stack, dues, events, visits and trace."""
        self.memory.undo(mark.memory)
        self.state = mark.state.copy()
        del self.trace.entries[mark.entries :]

    # -------------------------------------------------------------------------------------------- coming

    def make(self, name: str, given: Mapping[str, Value], by: Activation | None = None, asked: Value = None) -> Fact:
        """A frame or an event with an id of its own and its defaults; not in working memory yet."""
        fact = complete(self.ruleset.templates[name], self.memory.new_id(name), given, self.memory, asked=asked)
        if by is not None:
            check(self.memory, by, (name, fact.id), dict(fact.values))
        return fact

    def begin(self, fact: Fact, at: int) -> None:
        """Put a frame on the stack: what is begun later at the same height runs later."""
        self.memory.put(fact)
        self.state.stack.insert(at, Entry(fact.template, fact.id))

    def make_due(self, name: str, given: Mapping[str, Value], by: Activation | None = None) -> str:
        """The id of the frame that is now due; an empty text where the same is due already."""
        mark = self.memory.mark()
        fact = self.make(name, given, by)
        if self.is_due(fact):
            self.memory.undo(mark)
            return ""
        self.memory.put(fact)
        self.state.due.append((name, fact.id))
        return fact.id

    def is_due(self, fact: Fact) -> bool:
        """Whether a frame of the same procedure with the same fields is due."""
        frames = [self.memory.get(*key) for key in self.state.due if key[0] == fact.template]
        return any(frame is not None and frame.values == fact.values for frame in frames)

    def run_due(self) -> None:
        """The oldest frame that is due goes on the stack."""
        self.state.stack.append(Entry(*self.state.due.pop(0)))

    def all_yield(self) -> bool:
        """Whether every frame on the stack lets what is due run."""
        return all(self.procedure(entry).yields for entry in self.state.stack)

    # -------------------------------------------------------------------------------------------- going

    def end(self) -> Key:
        """The frame on top ends: what is within it goes, then it goes, then what follows it is due."""
        entry = self.state.stack.pop()
        self.state.base = min(self.state.base, len(self.state.stack))
        self._remove(entry.key)
        then = self.procedure(entry).then
        if then:
            self.make_due(then, {})
        for asked in self.state.requests:
            if asked.frame == entry.key:
                self.check_accepted(asked)
        self.state.requests = tuple(asked for asked in self.state.requests if asked.frame != entry.key)
        return entry.key

    def check_accepted(self, asked: Asked) -> None:
        """Raise UnacceptedError if no rule that binds this request has fired."""
        if asked.frame not in self.state.accepted:
            raise UnacceptedError(asked)

    def leave(self, key: Key) -> list[Key]:
        """End a frame with everything above it, top first; drop one that is due. The frames that have gone."""
        if key in self.state.due:
            self.state.due.remove(key)
            self._remove(key)
            return [key]
        gone: list[Key] = []
        while any(entry.key == key for entry in self.state.stack):
            gone.append(self.end())
        return gone

    def drop_all(self) -> None:
        """The game is over: nothing runs, nothing is due, nothing is heard, nothing follows."""
        for asked in reversed(self.state.requests):
            self.check_accepted(asked)
        self.state.requests = ()
        self.state.events.clear()
        while self.state.stack:
            self._remove(self.state.stack.pop().key)
        while self.state.due:
            self._remove(self.state.due.pop(0))

    def _remove(self, key: Key) -> None:
        for fact in list(self.memory):
            if self.memory.within(fact.template, fact.id) == key[1] and self.memory.get(fact.template, fact.id) is not None:
                self.memory.retract(fact.template, fact.id)
        self.memory.remove(*key)

    # -------------------------------------------------------------------------------------------- passes

    def next_step(self, entry: Entry) -> None:
        """The step on top is over: the next one, the next pass, or the end of the frame."""
        entry.index += 1
        entry.entered = False
        if entry.index < len(self.procedure(entry).steps):
            return
        if not self.procedure(entry).until_stable or not self._written_since(entry.log):
            self.end()
            return
        entry.index = 0
        entry.pass_number += 1

    def begin_pass(self, entry: Entry) -> None:
        """Note the configuration with which a pass begins. Raises LimitError where an earlier pass began with it."""
        entry.log = len(self.memory.log)
        if not self.procedure(entry).until_stable:
            return
        configuration = self._configuration()
        for number, (earlier, firings) in enumerate(entry.passes):
            if earlier == configuration:
                first = entry.pass_number - len(entry.passes) + number
                self._repeats(entry, first, firings)
        entry.passes.append((configuration, self.state.firings))

    def _written_since(self, log: int) -> bool:
        """Whether a fact was written with effect: a frame's coming or going is none, a value set in a frame is."""
        for write in self.memory.log[log:]:
            stays = write.before is not None and write.after is not None
            if write.before != write.after and (stays or not self.is_frame(write.template)):
                return True
        return False

    def is_frame(self, template: str) -> bool:
        """Whether facts of the template are frames."""
        return self.ruleset.templates[template].kind == "frame"

    def _configuration(self) -> Any:
        facts = tuple((fact, self.memory.within(fact.template, fact.id)) for fact in self.memory)
        return facts, tuple((entry.key, entry.index) for entry in self.state.stack), tuple(self.state.due)

    def _repeats(self, entry: Entry, first: int, firings: int) -> None:
        cycle = [entry for entry in self.trace.entries if isinstance(entry, Firing) and entry.number > firings]
        rules = ", ".join(f"`{rule}`" for rule in dict.fromkeys(firing.rule for firing in cycle))
        message = f"the configuration repeats: `{entry.id}` passes {first} to {entry.pass_number}, rules {rules}"
        raise LimitError(message, trace=self.trace, cycle=tuple(firing.number for firing in cycle))
