"""The recognise-act cycle: hear what has happened, fire what is eligible, run what is due, ask, go on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from riftrules.engine.reference.acting import Acting
from riftrules.engine.reference.matching import Board, Key, ranged_order, ranged_values
from riftrules.engine.reference.planning import Activation, combine, plan
from riftrules.engine.reference.scopes import Scopes
from riftrules.engine.reference.state import Entry, Visit
from riftrules.errors import RunError
from riftrules.facts.memory import Fact, WorkingMemory
from riftrules.facts.trace import Ask, Choice, Waiting
from riftrules.facts.types import Value
from riftrules.language.model import AskFor, Rule, Ruleset


class Cycle(Acting):
    """Runs a session until it must wait."""

    def __init__(self, ruleset: Ruleset, memory: WorkingMemory, limit: int) -> None:
        super().__init__(ruleset, memory, limit)
        self.scopes = Scopes()

    def run(self) -> Waiting:
        """The cycle, from where it stands. Raises RunError, LimitError, UnacceptedError."""
        waiting = None
        while waiting is None:
            waiting = self._advance()
        self.state.waiting = waiting
        return waiting

    def _advance(self) -> Waiting | None:
        if self.state.over:
            self.drop_all()
            return Waiting("over")
        if self.state.events:
            return self._hear()
        top = self.top()
        if top is None:
            if not self.state.due:
                return Waiting("idle")
            self.run_due()
            return None
        if not top.entered:
            self._enter(top)
            return None
        step = self.procedure(top).steps[top.index]
        if step in self.ruleset.procedures:
            self.next_step(top)
            return None
        return self._visit(top, step)

    def _enter(self, entry: Entry) -> None:
        """A new frame, a new pass or a new step: a new visit. A step that is a procedure begins it."""
        if entry.index == 0:
            if entry.pass_number == 1:
                self.count_frame()
            self.begin_pass(entry)
        steps = self.procedure(entry).steps
        if not steps:
            self.end()
            return
        entry.entered = True
        entry.visit = Visit()
        if steps[entry.index] in self.ruleset.procedures:
            self.begin(self.make(steps[entry.index], {}), len(self.state.stack))

    def _visit(self, entry: Entry, step: str) -> Waiting | None:
        board, visit, eligible = self._eligible()
        if step in self.ruleset.steps and self.ruleset.steps[step].together:
            eligible = [] if visit.changed_together else eligible
            if eligible:
                self.fire(board, eligible)
            visit.changed_together = True
            if eligible:
                return None
        if eligible:
            return self._fire_highest(board, eligible, visit)
        if self.state.due and self.all_yield():
            self.run_due()
            return None
        asks = self._asks(board, [rule for rule in self.ruleset.rules if rule.kind == "ask" and rule.step == step])
        if asks:
            return Waiting("asked", asks=asks, frame=entry.id, step=step, pass_number=entry.pass_number)
        self.next_step(entry)
        return None

    def _hear(self) -> Waiting | None:
        board, visit, eligible = self._eligible()
        if eligible:
            return self._fire_highest(board, eligible, visit)
        self.state.events.pop(0)
        self.state.hearing = Visit()
        return None

    # -------------------------------------------------------------------------------------------- recognise

    def board(self, own: Key | None, event: Fact | None = None) -> Board:
        """The board as the rules of this step, request or event see it."""
        return Board(self.ruleset, self.memory, self.scopes, own, event)

    def activations(self, board: Board, rules: Iterable[Rule]) -> list[Activation]:
        """Every activation of the rules on the board, the highest first."""
        found: dict[object, Activation] = {}
        for rule in rules:
            if not board.present(rule.singletons):
                continue
            for env in board.matches(rule.when, {}) if rule.event is None else board.heard(rule.event, rule.when):
                identity = (rule.id, ranged_values(rule.ranged, env))
                order = ranged_order(tuple(rule.ranged[place] for place in rule.standing), env)
                found.setdefault(identity, Activation(rule, env, identity, (-rule.salience, rule.number, order)))
        return sorted(found.values(), key=lambda activation: activation.standing)

    def _eligible(self) -> tuple[Board, Visit, list[Activation]]:
        """What may fire now: for the event being heard, else in the step on top. With its board and its visit."""
        if self.state.events:
            event = self.state.events[0]
            rules = [rule for rule in self.ruleset.rules if rule.event is not None and rule.event.template == event.template]
            board, visit = self.board(None, event), self.state.hearing
        else:
            top = self.state.stack[-1]
            step = self.procedure(top).steps[top.index]
            rules = [rule for rule in self.ruleset.rules if rule.kind == "step" and rule.step == step]
            board, visit = self.board(top.key), top.visit
        found = [one for one in self.activations(board, rules) if one.identity not in visit.fired]
        return board, visit, [one for one in found if self._may(board, one, visit) and self._has_effect(board, one)]

    def _may(self, board: Board, activation: Activation, visit: Visit) -> bool:
        choose = activation.rule.choose
        if choose is None:
            return True
        return activation.group not in visit.closed and board.evaluate(choose.by, activation.env) is not None

    def _has_effect(self, board: Board, activation: Activation) -> bool:
        """Whether firing would do anything. What cannot be carried out counts: it is told when it fires."""
        mark = self.memory.mark()
        try:
            made = plan(replace(board, strict=True), activation)
            if made.retracts or made.asserts or made.leaves or made.emits or made.begins or made.ends_game:
                return True
            if combine(self.memory, [made]):
                return True
            return any(not self.is_due(self.make(call.procedure, dict(call.fields))) for call in made.dues)
        except RunError:
            return True
        finally:
            self.memory.undo(mark)

    def _asks(self, board: Board, rules: Iterable[Rule]) -> tuple[Ask, ...]:
        asks: dict[Ask, None] = {}
        for activation in self.activations(board, rules):
            for said in activation.rule.then:
                player = board.evaluate(said.player, activation.env) if isinstance(said, AskFor) else None
                if isinstance(said, AskFor) and player is not None:
                    asks[Ask(player, said.requests, activation.rule.id)] = None
        return tuple(asks)

    # -------------------------------------------------------------------------------------------- choose

    def _fire_highest(self, board: Board, eligible: list[Activation], visit: Visit) -> Waiting | None:
        choice = self._choice(board, eligible)
        if choice is not None and (choice.optional or len(choice.options) > 1):
            return Waiting("choosing", (), choice, *self.where())
        self.fire(board, eligible[:1])
        visit.fired.add(eligible[0].identity)
        if choice is not None:
            visit.closed.add(eligible[0].group)
        return None

    def _choice(self, board: Board, eligible: list[Activation]) -> Choice | None:
        """What the highest activation leaves to be chosen among those of its group."""
        choose = eligible[0].rule.choose
        if choose is None:
            return None
        options = tuple(dict.fromkeys(one.env[choose.one] for one in _group(eligible)))
        by = board.evaluate(choose.by, eligible[0].env)
        return Choice(eligible[0].rule.id, by, choose.one, options, choose.optional)

    def answer(self, option: Value) -> None:
        """Fire what was chosen, if anything was; the others of its group are spent for this visit."""
        board, visit, eligible = self._eligible()
        choose = eligible[0].rule.choose
        assert choose is not None
        picked = [one for one in _group(eligible) if option is not None and one.env[choose.one] == option]
        self.fire(board, picked[:1])
        visit.fired.update(one.identity for one in picked[:1])
        visit.closed.add(eligible[0].group)


def _group(eligible: list[Activation]) -> list[Activation]:
    """The activations that one choice is among: those of the highest one's rule, and of its `per` value."""
    return [one for one in eligible if one.group == eligible[0].group]
