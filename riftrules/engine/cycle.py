"""The recognise-act cycle: hear what has happened, fire what is eligible, run what is due, ask, go on."""

from __future__ import annotations

from collections.abc import Iterable

from riftrules.engine.acting import Acting
from riftrules.engine.productions import Activation
from riftrules.engine.routines import StepPlan
from riftrules.engine.stack import StackEntry, Visit
from riftrules.facts.memory import Fact
from riftrules.facts.trace import Choice, Waiting
from riftrules.facts.types import Value


class Cycle(Acting):
    """Runs a session until it must wait."""

    def run(self) -> Waiting:
        """The cycle, from where it stands. Raises RunError, LimitError, UnacceptedError."""
        standing = self.standing
        waiting = None
        while waiting is None:
            if standing.over:
                self.drop_all()
                waiting = Waiting("over")
            elif standing.events:
                waiting = self._hear(standing.events[0])
            elif standing.stack:
                top = standing.stack[-1]
                if top.entered or self._enter(top):
                    step = top.routine.steps[top.index]
                    if step.begins:
                        self.next_step(top)  # the procedure that it began has ended
                    else:
                        waiting = self._visit(top, step)
            elif standing.due:
                self.run_due()
            else:
                waiting = Waiting("idle")
        standing.waiting = waiting
        return waiting

    def _enter(self, entry: StackEntry) -> bool:
        """A new frame, pass or step: a new visit. False where the step is a procedure, which begins, or there is none."""
        if entry.index == 0:
            if entry.pass_number == 1:
                self.count_frame()
            self.begin_pass(entry)
        if not entry.routine.steps:
            self.end()
            return False
        entry.entered = True
        if not entry.visit.is_new():
            entry.visit = Visit()
        begins = entry.routine.steps[entry.index].begins
        if begins:
            self.begin(self.make(begins, {}), len(self.standing.stack))
        return not begins

    def _visit(self, entry: StackEntry, step: StepPlan) -> Waiting | None:
        """The rules of the step, then what is due, then whom it asks; the next step where nothing is left."""
        if len(self.memory.log) != self._told:
            self.tell()
        board = self.board
        board.procedure, board.own, board.event = entry.routine.name, entry.id, None
        if step.together:
            if self._fire_together(step, entry.visit):
                return None
        elif (highest := self.agenda.highest(step, entry.visit)) is not None:
            return self._fire_highest(highest, entry.visit)
        if self.standing.due and self.all_yield():
            self.run_due()
            return None
        if step.asks:
            asks = self.agenda.asks(step)
            if asks:
                return Waiting("asked", asks=asks, frame=entry.id, step=step.name, pass_number=entry.pass_number)
        self.next_step(entry)
        return None

    def _fire_together(self, step: StepPlan, visit: Visit) -> bool:
        """Fire all there is of the step as one change, once in a visit; whether there was any."""
        firing = [] if visit.changed_together else self.agenda.eligible(step, visit)
        if firing:
            self.fire(firing, None)
        visit.changed_together = True
        return bool(firing)

    def _hear(self, event: Fact) -> Waiting | None:
        """Every rule that hears the event, each activation once; then it is only in the trace."""
        hears = self.program.hears.get(event.template)
        if hears:
            self.tell()
            self._listen(event)
            highest = next(self.agenda.hears(hears, self.standing.hearing), None)
            if highest is not None:
                return self._fire_highest(highest, self.standing.hearing)
        self.standing.events.pop(0)
        if not self.standing.hearing.is_new():
            self.standing.hearing = Visit()
        return None

    def _look(self, entry: StackEntry) -> None:
        """See the board as the rules of a step of this frame see it."""
        board = self.board
        board.procedure, board.own, board.event = entry.routine.name, entry.id, None

    def _listen(self, event: Fact | None) -> None:
        """See the board as no frame's own: as rules that hear an event see it."""
        board = self.board
        board.procedure, board.own, board.event = "", "", event

    # -------------------------------------------------------------------------------------------- choose

    def _fire_highest(self, highest: Activation, visit: Visit) -> Waiting | None:
        """Fire it, unless somebody has to choose first."""
        if highest.production.rule.choose is not None:
            choice = self._choice(highest, visit)
            if choice.optional or len(choice.options) > 1:
                return Waiting("choosing", (), choice, *self.where())
            visit.closed |= {highest.group}
        self._fire_one(highest, visit)
        return None

    def _fire_one(self, activation: Activation, visit: Visit) -> None:
        visit.note(activation.production.number, activation.identity)
        self.fire((activation,), self.board.event)

    def _group(self, highest: Activation, visit: Visit) -> list[Activation]:
        """The activations among which the choice is made: those of its rule, with its value of `per`."""
        production = highest.production
        heard = self.board.event is not None
        found: Iterable[Activation] = self.agenda.hears((production,), visit) if heard else self.agenda.of(production, visit)
        return [one for one in found if one.group == highest.group]

    def _choice(self, highest: Activation, visit: Visit) -> Choice:
        choose = highest.production.rule.choose
        assert choose is not None
        options = tuple(dict.fromkeys(one.value(choose.one) for one in self._group(highest, visit)))
        return Choice(highest.production.rule.id, highest.by, choose.one, options, choose.optional)

    def answer(self, option: Value) -> None:
        """Carry out the answer to the choice the session waits for."""
        standing = self.standing
        self.tell()
        if standing.events:
            visit = standing.hearing
            self._listen(standing.events[0])
            highest = next(self.agenda.hears(self.program.hears[standing.events[0].template], visit), None)
        else:
            top = standing.stack[-1]
            visit = top.visit
            self._look(top)
            highest = self.agenda.highest(top.routine.steps[top.index], visit)
        assert highest is not None, "it was there when the session stopped to ask"
        choose = highest.production.rule.choose
        assert choose is not None
        group = self._group(highest, visit)
        visit.closed |= {highest.group}
        picked = next((one for one in group if option is not None and one.value(choose.one) == option), None)
        if picked is not None:
            self._fire_one(picked, visit)
