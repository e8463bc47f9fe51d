"""How near a rule came to matching a board: the bindings under which the fewest of its conditions fail."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from riftrules.analysis.failures import failure, field_failure
from riftrules.engine.reference.matching import Bindings, Board
from riftrules.engine.reference.scopes import binds, ranges
from riftrules.facts.memory import Fact
from riftrules.language.model import Bind, Condition, Count, Each, FieldTest, Pattern, Rule, Sum
from riftrules.language.saying import say
from riftrules.scenario.words import said

MET, FAILED, NOT_REACHED = "met", "failed", "not reached"


@dataclass(frozen=True, slots=True)
class Finding:
    """One condition of a rule: as written, whether it is met, failed or not reached, and in a few words why."""

    condition: str
    status: str
    said: str = ""


@dataclass(frozen=True, slots=True)
class Miss:
    """The bindings that come nearest, how many tests and conditions fail under them, and each condition.

    `elsewhere` is how many of them are tests of the frame, event or request it was looked at for: with such it was not its case.
    """

    env: Bindings
    failed: int
    findings: tuple[Finding, ...]
    elsewhere: int = 0


@dataclass(frozen=True, slots=True)
class _Held:
    """A test of a fact taken up by a condition, which waits for variables."""

    place: int
    fact: Fact
    test: FieldTest


@dataclass(frozen=True, slots=True)
class _State:
    """A search on its way. `taken` is the fact of each pattern, `failing` the tests or conditions that fail, by place."""

    env: Bindings
    pending: tuple[int, ...]
    held: tuple[_Held, ...] = ()
    taken: Mapping[int, Fact] = field(default_factory=dict)
    failing: Mapping[int, tuple[FieldTest, ...]] = field(default_factory=dict)
    cost: int = 0

    def fails(self, place: int, tests: tuple[FieldTest, ...] = ()) -> _State:
        """The state with one more failure (of one condition, or of these tests of its fact)."""
        before = self.failing.get(place, ())
        return replace(self, failing={**self.failing, place: (*before, *tests)}, cost=self.cost + (len(tests) or 1))


def nearest_miss(rule: Rule, board: Board, fixed: Bindings, below: int = 1_000_000) -> Miss | None:
    """The nearest miss of a rule with these variables fixed; None where every one fails in `below` ways or more.

    A miss in nothing (`failed` is 0) is a match. Of equals it is the first in the order of facts.
    """
    missing = [name for name in rule.singletons if board.memory.get(name, name) is None]
    if missing:
        findings = tuple(Finding(f"{name}: {{}}", FAILED, f"there is no {name}") for name in missing)
        rest = tuple(Finding(say(one), NOT_REACHED) for one in rule.when)
        return Miss(fixed, len(findings) + len(rest), (*findings, *rest))
    return _Search(rule, board, below).run(fixed)


class _Search:
    """Branch and bound over the facts that the rule's patterns might take."""

    def __init__(self, rule: Rule, board: Board, below: int) -> None:
        self.conditions: tuple[Condition, ...] = (rule.event, *rule.when) if rule.event is not None else rule.when
        self.event = rule.event is not None
        self.board = board
        self.alone = [(one,) for one in self.conditions]
        named = {name for one in rule.when for name in binds(one, alone=False)}
        self.bound = frozenset(named | (set(binds(rule.event, alone=True)) if rule.event is not None else set()))
        self.below = below
        self.best: _State | None = None

    def run(self, fixed: Bindings) -> Miss | None:
        self._go(_State(dict(fixed), tuple(range(len(self.conditions)))))
        if self.best is None:
            return None
        return Miss(self.best.env, self.best.cost, tuple(_Telling(self, self.best).findings()), self._elsewhere(self.best))

    def _elsewhere(self, state: _State) -> int:
        own = {self.board.own} if self.board.own is not None else set()
        own |= {(self.board.event.template, self.board.event.id)} if self.board.event is not None else set()
        return sum(len(state.failing.get(place, ())) for place, fact in state.taken.items() if (fact.template, fact.id) in own)

    def _go(self, state: _State) -> None:
        state = self._decide(state)
        if state.cost >= self.below:
            return
        place = self._next(state)
        if place is None:
            cost = state.cost + len(state.pending)
            if cost < self.below:
                self.below, self.best = cost, replace(state, cost=cost)
            return
        for found in sorted(self._ways(place, state), key=lambda one: one.cost):
            self._go(found)

    def _decide(self, state: _State) -> _State:
        """Decide whatever has all its variables."""
        for waiting in state.held:
            if self._known(waiting.test, state.env):
                state = replace(state, held=tuple(one for one in state.held if one is not waiting))
                state = (
                    state if self._passes(waiting.fact, waiting.test, state.env) else state.fails(waiting.place, (waiting.test,))
                )
        for place in state.pending:
            one = self.conditions[place]
            if not self._ranging(place) and not isinstance(one, Each) and self._ready(place, state.env):
                found = next(self.board.matches(self.alone[place], state.env), None)
                state = replace(state, pending=tuple(other for other in state.pending if other != place))
                state = replace(state, env=found) if found is not None else state.fails(place)
        return state

    def _next(self, state: _State) -> int | None:
        """What to branch over next: an `each` that is ready, a pattern whose fact is known, then the first pattern."""
        eaches = [place for place in state.pending if isinstance(self.conditions[place], Each) and self._ready(place, state.env)]
        patterns = [place for place in state.pending if self._ranging(place)]
        known = [place for place in patterns if getattr(self.conditions[place], "name", None) in state.env]
        return next(iter((*eaches, *known, *patterns)), None)

    def _ranging(self, place: int) -> bool:
        return ranges(self.conditions[place], alone=False) or (self.event and place == 0)

    def _ready(self, place: int, env: Bindings) -> bool:
        own = set(binds(self.conditions[place], alone=False))
        return not (self.board.scopes.mentioned(self.conditions[place]) & self.bound) - env.keys() - own

    def _known(self, test: FieldTest, env: Bindings) -> bool:
        return not (self.board.scopes.mentioned(test) & self.bound) - env.keys()

    def _passes(self, fact: Fact, test: FieldTest, env: Bindings) -> bool:
        return self.board.field_holds(fact.template, fact.id, test, env)

    # -------------------------------------------------------------------------------------------- branching

    def _ways(self, place: int, state: _State) -> Iterator[_State]:
        one = self.conditions[place]
        rest = replace(state, pending=tuple(other for other in state.pending if other != place))
        if isinstance(one, Each):
            values = tuple(dict.fromkeys(self.board.evaluate(one.of, state.env) or ()))
            for value in values:
                pairs = dict(zip(one.variables, value if len(one.variables) > 1 else (value,), strict=True))
                clash = any(state.env.get(name, value) != value for name, value in pairs.items())
                yield rest.fails(place) if clash else replace(rest, env={**state.env, **pairs})
            if not values:
                yield rest.fails(place)
            return
        assert isinstance(one, Pattern)  # noqa: S101 - `_next` gives nothing else
        facts = self._facts(one, place, state.env)
        if not facts:
            yield rest.fails(place)
        for fact in facts:
            yield self._take(place, one, fact, rest)

    def _facts(self, pattern: Pattern, place: int, env: Bindings) -> Sequence[Fact]:
        if self.event and place == 0:
            return (self.board.event,) if self.board.event is not None else ()
        facts = self.board.facts(pattern.template)
        return [fact for fact in facts if env.get(pattern.name or "", fact.id) == fact.id]

    def _take(self, place: int, pattern: Pattern, fact: Fact, state: _State) -> _State:
        env = dict(state.env)
        if pattern.name is not None:
            env[pattern.name] = fact.id
        failing: list[FieldTest] = []
        for test in pattern.tests:
            if isinstance(test.test, Bind):
                value = self.board.read(fact.template, fact.id, test.field, derived=test.derived)
                if value is None or env.setdefault(test.test.variable, value) != value:
                    failing.append(test)
        state = replace(state, env=env, taken={**state.taken, place: fact})
        for test in pattern.tests:
            if not isinstance(test.test, Bind):
                if not self._known(test, env):
                    state = replace(state, held=(*state.held, _Held(place, fact, test)))
                elif not self._passes(fact, test, env):
                    failing.append(test)
        return state.fails(place, tuple(failing)) if failing else state


# ------------------------------------------------------------------------------------------------ telling


@dataclass(frozen=True, slots=True)
class _Telling:
    """Says of each condition how it stands under the bindings that come nearest."""

    search: _Search
    state: _State

    def findings(self) -> Iterator[Finding]:
        for place, one in enumerate(self.search.conditions):
            text = say(one)
            if place in self.state.pending:
                yield Finding(text, NOT_REACHED, self._awaited(place))
            elif place in self.state.failing:
                yield Finding(text, FAILED, self._failed(place, one))
            else:
                yield Finding(text, MET, self._met(place, one))

    def _awaited(self, place: int) -> str:
        needed = (self.search.board.scopes.mentioned(self.search.conditions[place]) & self.search.bound) - self.state.env.keys()
        return f"nothing binds {', '.join(f'${name}' for name in sorted(needed))}" if needed else ""

    def _met(self, place: int, one: Condition) -> str:
        match one:
            case Pattern() if place in self.state.taken:
                return str(self.state.taken[place].id)
            case Each(_, variables):
                return ", ".join(f"${name} is {said(self.state.env[name])}" for name in variables)
            case Count(_, variable) | Sum(_, _, variable):
                return f"${variable} is {said(self.state.env[variable])}"
        return ""

    def _failed(self, place: int, one: Condition) -> str:
        tests = self.state.failing[place]
        if tests:
            fact = self.state.taken[place]
            said_tests = (field_failure(fact, test, self.search.board, self.state.env) for test in tests)
            return f"{fact.id}: {'; '.join(said_tests)}"
        return failure(one, self.search.board, self.state.env)
