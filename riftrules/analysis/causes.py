"""What one firing (or refusal) rests on: who wrote what it read, what made its conditions hold, who began its frame."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from riftrules.analysis.watching import Observation
from riftrules.analysis.witnesses import fields_read, witnessed
from riftrules.engine.reference.matching import Bindings, Board, Key, ranged_order
from riftrules.facts.memory import Fact
from riftrules.facts.trace import Began, Chosen, Entry, FieldRead, Firing, Refusal, Refused, Requested
from riftrules.facts.types import Value
from riftrules.language.model import Condition, Each, Pattern, Read, Rule
from riftrules.language.rebuilding import parts_of

# ------------------------------------------------------------------------------------------------ values


@dataclass(frozen=True, slots=True)
class Fired:
    """A firing."""

    firing: Firing


@dataclass(frozen=True, slots=True)
class Asked:
    """An item of the scenario: a request, procedures begun from outside, or an answer to a choice."""

    item: int
    entry: Entry


@dataclass(frozen=True, slots=True)
class Given:
    """A field as it was given, or with an empty `field` that the fact was given at all."""

    template: str
    id: str
    field: str
    value: Value


@dataclass(frozen=True, slots=True)
class RefusedBy:
    """A rule that refused the request of an item, with the request's complete fields."""

    item: int
    refused: Refused
    refusal: Refusal


Cause: TypeAlias = Fired | Asked | Given | RefusedBy

Identity: TypeAlias = tuple[str, str]
"""(kind, name): two causes with the same are the same."""


def identity(cause: Cause) -> Identity:
    """What tells causes apart."""
    match cause:
        case Fired(firing):
            return "firing", str(firing.number)
        case Asked(item, entry):
            return "item", f"{item} {entry!r}"
        case Given(template, id_, name, _):
            return "given", f"{template} {id_}.{name}"
        case RefusedBy(item, refused, _):
            return "refused", f"{item} {refused.rule}"


# ------------------------------------------------------------------------------------------------ finding them


@dataclass(frozen=True, slots=True)
class Stance:
    """A rule with its bindings, on the board as it stood before the memory's log was `log` long. `firings` came before."""

    rule: Rule
    env: Bindings
    log: int
    firings: int
    own: Key | None = None
    event: Fact | None = None
    request: Fact | None = None


@dataclass(slots=True)
class Causes:
    """Finds causes in one run. What is found once is kept."""

    seen: Observation
    firings: dict[int, Firing] = field(init=False)
    entries: dict[int, int] = field(init=False)
    _writers: dict[FieldRead, list[int]] = field(init=False)
    _makers: dict[Key, list[int]] = field(init=False)
    _begun: dict[str, Cause] = field(init=False)
    _emitted: dict[str, Firing] = field(init=False)
    _boards: dict[int, Board] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.firings, self.entries = {}, {}
        self._writers, self._makers, self._begun, self._emitted = {}, {}, {}, {}
        for place, entry in enumerate(self.seen.run.trace.entries):
            match entry:
                case Firing():
                    self.entries[entry.number] = place
                    self._note(entry)
                case Requested(frame, _, _):
                    self._begun[frame] = Asked(self.seen.item_of(place), entry)
                case Began(frames, _):
                    self._begun.update(dict.fromkeys(frames, Asked(self.seen.item_of(place), entry)))

    def _note(self, firing: Firing) -> None:
        self.firings[firing.number] = firing
        for change in firing.changes:
            key = (change.fact.template, change.fact.id)
            for name, _, _ in change.fields():
                self._writers.setdefault((*key, name), []).append(firing.number)
            if change.before is None or change.after is None:
                self._makers.setdefault(key, []).append(firing.number)
        self._begun.update(dict.fromkeys((*firing.begun, *firing.due), Fired(firing)))
        self._emitted.update({event.id: firing for event in firing.emitted})

    # -------------------------------------------------------------------------------------------- single causes

    def writer(self, read: FieldRead, before: int) -> Cause | None:
        """Who last wrote a field before a firing: a firing, or what gave it, or who began the frame it is of."""
        template, id_, name = read
        numbers = [number for number in self._writers.get(read, ()) if number < before]
        if numbers:
            return Fired(self.firings[numbers[-1]])
        kind = self.seen.ruleset.templates[template].kind
        if kind == "event":
            return self.emitter(id_)
        if kind == "frame":
            return self.beginner(id_) or self._given(template, id_, name)
        return self.maker((template, id_), before, name)

    def writers(self, read: FieldRead) -> tuple[int, ...]:
        """The numbers of the firings that wrote a field, the first first."""
        return tuple(self._writers.get(read, ()))

    def maker(self, key: Key, before: int, name: str = "") -> Cause | None:
        """Who last let a fact come or go before a firing, or that it (or its field) was given."""
        numbers = [number for number in self._makers.get(key, ()) if number < before]
        return Fired(self.firings[numbers[-1]]) if numbers else self._given(*key, name)

    def _given(self, template: str, id_: str, name: str) -> Cause | None:
        fact = next((fact for fact in self.seen.run.before if (fact.template, fact.id) == (template, id_)), None)
        if fact is None or (name and name not in fact.values):
            return None
        return Given(template, id_, name, fact.values[name] if name else None)

    def emitter(self, event: str) -> Cause | None:
        """The firing that emitted an event."""
        firing = self._emitted.get(event)
        return None if firing is None else Fired(firing)

    def beginner(self, frame: str) -> Cause | None:
        """Who began a frame: a firing or an item, found through the frames that it follows or is a step of."""
        met: set[str] = set()
        while frame and frame not in met:
            if frame in self._begun:
                return self._begun[frame]
            met.add(frame)
            frame = self.seen.watch.origins.get(frame, "")
        return None

    # -------------------------------------------------------------------------------------------- all of a firing's

    def of(self, cause: Cause) -> tuple[Cause, ...]:
        """What a cause rests on itself: each once, what was read first, then conditions, then who began its frame."""
        match cause:
            case Fired(firing):
                found = self._of_firing(firing)
            case RefusedBy():
                found = self._of_refusal(cause)
            case _:
                return ()
        once = {identity(one): one for one in found if one is not None and identity(one) != identity(cause)}
        return tuple(once.values())

    def _of_firing(self, firing: Firing) -> Iterator[Cause | None]:
        place, entries = self.entries[firing.number], self.seen.run.trace.entries
        before = entries[place - 1] if place else None
        if isinstance(before, Chosen) and before.rule == firing.rule:
            yield Asked(self.seen.item_of(place - 1), before)
        if firing.event:
            yield self.emitter(firing.event)
        stood = self.seen.watch.stood[firing.number]
        rule = self.seen.ruleset.rule(firing.rule)
        first = self._first_of_change(firing.number)
        stance = Stance(rule, dict(firing.bindings), stood.before, first - 1, stood.own, stood.event)
        yield from self._read(firing.reads, firing.matched, first)
        yield from self._conditions(stance)
        yield self.beginner(firing.frame)
        yield from self._answers(firing.frame, place)

    def _answers(self, frame: str, place: int) -> Iterator[Cause]:
        """The requests made while a step of this frame asked: without them it would still be asking."""
        begun, asking = 0, ""
        for moment in self.seen.run.moments:
            entries = self.seen.run.trace.entries[begun : min(moment.entries, place)]
            if frame and asking == frame and moment.refusal is None:
                yield from (Asked(moment.item, entry) for entry in entries if isinstance(entry, Requested))
            begun, asking = moment.entries, moment.waiting.frame

    def _first_of_change(self, number: int) -> int:
        """The first firing of the change a firing is part of: in a step that is `together` they are one."""
        stood = self.seen.watch.stood
        while (
            number - 1 in stood
            and stood[number - 1].before == stood[number].before
            and stood[number].before != stood[number].after
        ):
            number -= 1
        return number

    def _of_refusal(self, cause: RefusedBy) -> Iterator[Cause | None]:
        refused, refusal = cause.refused, cause.refusal
        rule = self.seen.ruleset.rule(refused.rule)
        env = dict(refused.bindings)
        moment = next(one for one in self.seen.run.moments if one.item == cause.item)
        firings = [entry.number for entry in self.seen.run.trace.entries[: moment.entries] if isinstance(entry, Firing)]
        frame = Fact(refusal.procedure, env[rule.request.variable] if rule.request else "", dict(refusal.fields))
        stance = Stance(rule, env, moment.writes, max(firings, default=0), (frame.template, frame.id), None, frame)
        board = self._board(stance.log, stance)
        matched = [(one.template, env[one.name]) for one in rule.ranged if isinstance(one, Pattern) and one.name is not None]
        yield from self._read(
            fields_read(rule, board, env), tuple(key for key in matched if key[0] != frame.template), stance.firings + 1
        )
        yield from self._conditions(stance)

    def of_violation(self, name: str) -> list[Cause | None]:
        """What the violation of an invariant first rested on: since when its conditions held, who wrote what it reads."""
        path = f"invariant {name}"
        moment = next((one for one in self.seen.run.moments if any(two.path == path for two in one.differences)), None)
        invariant = next(one for one in self.seen.ruleset.invariants if one.name == name)
        if moment is None:
            return []
        firings = [one.number for one in self.seen.run.trace.entries[: moment.entries] if isinstance(one, Firing)]
        board = self._boards.setdefault(moment.writes, self.seen.board_at(moment.writes))
        env = min(board.matches(invariant.when, {}), key=lambda env: ranged_order(invariant.when, env))
        found = (one for one in parts_of(invariant.when) if isinstance(one, Read) and (one.singleton or one.variable in env))
        read = tuple(replace(one, hops=one.hops[:length]) for one in found for length in range(1, len(one.hops) + 1))
        rule = Rule(name, 0, "legality", invariant.cites, invariant.says, invariant.when, (), reads=read)
        stance = Stance(rule, env, moment.writes, max(firings, default=0))
        numbers = [self._since(one, stance) for one in invariant.when]
        fields = (*fields_read(rule, board, env), *witnessed(invariant.when, env, board))
        written = [self.writer(one, stance.firings + 1) for one in dict.fromkeys(fields)]
        return [*(Fired(self.firings[number]) for number in sorted(numbers, reverse=True) if number), *written]

    def _read(self, reads: tuple[FieldRead, ...], matched: tuple[Key, ...], before: int) -> Iterator[Cause | None]:
        for read in reads:
            yield self.writer(read, before)
        touched = {(template, id_) for template, id_, _ in reads}
        for key in matched:
            if key not in touched and self.seen.ruleset.templates[key[0]].kind in {"standing", "singleton"}:
                yield self.maker(key, before)

    # -------------------------------------------------------------------------------------------- conditions

    def _conditions(self, stance: Stance) -> Iterator[Cause | None]:
        """For each condition that ranges over nothing, the firing since which it holds."""
        for condition in stance.rule.when:
            if not isinstance(condition, Each) and not (isinstance(condition, Pattern) and condition.name is not None):
                number = self._since(condition, stance)
                yield Fired(self.firings[number]) if number else None
                for read in witnessed((condition,), stance.env, self._board(stance.log, stance)):
                    yield self.writer(read, stance.firings + 1)

    def _since(self, condition: Condition, stance: Stance) -> int:
        """The firing that made the condition hold as it did; 0 where it has held from the start."""
        alone = (condition,)
        for number in range(stance.firings, 0, -1):
            stood = self.seen.watch.stood.get(number)
            if stood is None:
                continue
            if not self._holds(alone, stood.after, stance):
                return number + 1 if number < stance.firings else number
        return 0 if self._holds(alone, len(self.seen.run.before), stance) else min(1, stance.firings)

    def _holds(self, condition: tuple[Condition, ...], log: int, stance: Stance) -> bool:
        return next(self._board(log, stance).matches(condition, stance.env), None) is not None

    def _board(self, log: int, stance: Stance) -> Board:
        board = self._boards.get(log)
        if board is None:
            board = self.seen.board_at(log)
            self._boards[log] = board
        if stance.request is not None and board.memory.get(stance.request.template, stance.request.id) is None:
            board = self.seen.board_at(log)  # of its own: nobody else is to see the request
            board.memory.put(stance.request)
        return replace(board, own=stance.own, event=stance.event)
