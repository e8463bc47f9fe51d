"""One rule, compiled: from the board to its activations, and from an activation to what it would do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NoReturn, TypeAlias

from riftrules.engine.board import Board
from riftrules.engine.conditions import Late, compile_body
from riftrules.engine.definitions import Definitions
from riftrules.engine.effects import Effects, ImpossibleError, Key, compile_consequents
from riftrules.engine.expressions import (
    Check,
    Environment,
    Evaluate,
    Scope,
    compile_expression,
)
from riftrules.engine.joins import JoinPlan, plan_join
from riftrules.engine.ranging import binder, naming
from riftrules.engine.syntax_tree import Dependencies, bindable, binds
from riftrules.errors import RunError
from riftrules.facts.trace import Ask, FieldRead, Refused
from riftrules.facts.types import Value, value_order
from riftrules.language.model import (
    AskFor,
    Bind,
    Choose,
    Each,
    Pattern,
    Read,
    Rule,
    Ruleset,
)

Identity: TypeAlias = tuple[Value, ...]

_MATCHES, _EVENT = 0, 1
"""The places of an environment where the matches are gathered, and where the event heard is kept."""


@dataclass(slots=True)
class Activation:
    """A rule with the values under which its conditions hold. `effects` is None where they could not be evaluated."""

    production: Production
    environment: Environment
    identity: Identity
    effects: Effects | None = None

    @property
    def bindings(self) -> tuple[tuple[str, Value], ...]:
        """The variables bound outside quantifiers, by name."""
        values = self.environment
        return tuple([(name, values[place]) for name, place in self.production.variables])

    @property
    def matched(self) -> tuple[Key, ...]:
        """The facts of the named patterns, in standing order."""
        values = self.environment
        return tuple([(template, values[place]) for template, place in self.production.patterns])

    def value(self, variable: str) -> Value:
        """The value of a variable bound outside quantifiers."""
        return self.environment[self.production.places[variable]]

    @property
    def group(self) -> tuple[int, Value]:
        """The activations among which one choice picks."""
        choose = self.production.rule.choose
        return self.production.rule.number, self.value(choose.per) if choose is not None and choose.per is not None else None

    def evaluate(self, board: Board) -> Effects:
        """What firing it does. Raises RunError where that cannot be done."""
        if self.effects is not None:
            return self.effects
        try:
            return self.production.effects(self.environment, board)
        except ImpossibleError as error:
            self.fail(str(error))
        except ZeroDivisionError:
            self.fail("the remainder by 0 is nothing")

    def fail(self, text: str) -> NoReturn:
        """It cannot be carried out."""
        rule = self.production.rule.id
        message = f"rule `{rule}`: {text}"
        raise RunError(message, rule=rule, bindings=self.bindings)


@dataclass(frozen=True, slots=True, eq=False)
class Production:
    """A compiled rule. `frames` are the procedures it has patterns over; `mask` is its own bit among all rules."""

    rule: Rule
    size: int
    check: Check
    effects: Callable[[Environment, Board], Effects]
    chooser: Evaluate | None
    player: Evaluate | None
    identity: tuple[int, ...] | tuple[tuple[int, ...], ...]
    standing: tuple[int, ...]
    places: dict[str, int]
    variables: tuple[tuple[str, int], ...]
    patterns: tuple[tuple[str, int], ...]
    reads: tuple[tuple[str, str, Evaluate], ...]
    frames: frozenset[str]
    mask: int

    def matches(self, board: Board) -> list[Activation]:
        """The activations on the board, the highest first."""
        memory = board.memory
        for name in self.rule.singletons:
            if memory.get(name, name) is None:
                return []
        environment: Environment = [None] * self.size
        found: dict[Identity, Environment] = {}
        environment[_MATCHES] = found
        environment[_EVENT] = board.event
        self.check(environment, board)
        activations = [Activation(self, values, identity) for identity, values in found.items()]
        if len(activations) > 1:
            activations.sort(key=self._order)
        return activations

    def _order(self, activation: Activation) -> tuple[object, ...]:
        return tuple(value_order(activation.identity[place]) for place in self.standing)

    def asks(self, activation: Activation, board: Board) -> Ask | None:
        """Whom an ask rule asks, where its player is somebody."""
        consequent = self.rule.then[0]
        assert self.player is not None
        assert isinstance(consequent, AskFor)
        player = self.player(activation.environment, board)
        return None if player is None else Ask(player, consequent.requests, self.rule.id)

    def refused(self, activation: Activation) -> Refused:
        """The rule as one that refuses."""
        return Refused(self.rule.id, self.rule.cites, activation.bindings)

    def fields_read(self, activation: Activation, board: Board) -> tuple[FieldRead, ...]:
        """The stored fields of facts that the rule reads under these values, sorted."""
        found = set()
        for template, name, holder in self.reads:
            id_ = holder(activation.environment, board)
            if id_ is not None and board.memory.last(template, id_) is not None:
                found.add((template, id_, name))
        return tuple(sorted(found))


class RuleCompiler:
    """Compiles the rules of one ruleset; `joins` are what it leaves to a matcher."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.definitions = Definitions(ruleset)
        self.dependencies = Dependencies(ruleset)
        self.joins: list[JoinPlan] = []

    def production(self, rule: Rule, *, joined: bool = True) -> Production:
        """The rule, compiled. Where it is not `joined`, nothing of it is left to a matcher."""
        event = rule.event
        names = bindable(rule.when, quantified=False) | (binds(event, lone=True) if event is not None else set())
        scope = self.definitions.scope(names, (" matches", " event"))
        heard = [] if event is None else _hearing(event, scope)
        late = [] if event is None else [Late(test, event.template, _EVENT) for test in event.tests]
        body = compile_body(
            rule.when, scope, quantified=False, joiner=_Joiner(rule.id, self, scope) if joined else None, late=late
        )
        identity = tuple(_identity_place(one, scope) for one in rule.ranged)
        check = body(_gather(identity))
        for test in reversed(heard):
            check = _then(test, check)
        strict = scope.inner(set())
        strict.strict = True
        asks = isinstance(rule.then[0], AskFor) if rule.then else False
        effects = compile_consequents(() if rule.kind in {"ask", "legality"} else rule.then, strict, self.ruleset)
        return Production(
            rule=rule,
            size=scope.size[0],
            check=check,
            effects=effects,
            chooser=_chooser(rule.choose, scope),
            player=compile_expression(rule.then[0].player, scope) if asks and isinstance(rule.then[0], AskFor) else None,
            identity=identity,
            standing=rule.standing,
            places=scope.places,
            variables=tuple((name, scope.places[name]) for name in sorted(names)),
            patterns=_patterns(rule, scope),
            reads=tuple(self._read(read, scope) for read in rule.reads if self._is_recorded(read)),
            frames=self.dependencies.frames((rule.when, rule.then, rule.choose)),
            mask=1 << rule.number,
        )

    def _is_recorded(self, read: Read) -> bool:
        last = read.hops[-1] if read.hops else None
        return last is not None and not last.derived and last.field != "id" and self.definitions.kind(last.template) != "event"

    def _read(self, read: Read, scope: Scope) -> tuple[str, str, Evaluate]:
        last = read.hops[-1]
        return last.template, last.field, compile_expression(Read(read.variable, read.hops[:-1], read.singleton), scope)


class _Joiner:
    """Takes the joins of one rule."""

    def __init__(self, rule: str, compiler: RuleCompiler, scope: Scope) -> None:
        self._rule = rule
        self._compiler = compiler
        self._scope = scope

    def join(self, patterns: Sequence[Pattern]) -> tuple[int, JoinPlan] | None:
        """Note the join of patterns that are linked, and tell its number."""
        plan = plan_join(self._rule, patterns, self._compiler.ruleset, self._scope)
        if plan is None:
            return None
        self._compiler.joins.append(plan)
        return len(self._compiler.joins) - 1, plan


def _hearing(event: Pattern, scope: Scope) -> list[Check]:
    """The checks that bind the event heard, its name and its bare variables."""
    checks = []
    if event.name is not None:
        checks.append(naming(_EVENT, scope.places[event.name]))
        scope.facts[event.name, event.template] = _EVENT
        scope.bound.add(event.name)
    for test in event.tests:
        if isinstance(test.test, Bind) and test.test.variable not in scope.bound:
            checks.append(binder(test, event.template, _EVENT, scope))
            scope.bound.add(test.test.variable)
    return checks


def _identity_place(one: Pattern | Each, scope: Scope) -> tuple[int, ...]:
    if isinstance(one, Each):
        return tuple(scope.places[name] for name in one.variables)
    assert one.name is not None
    return (scope.places[one.name],)


def _gather(identity: Sequence[tuple[int, ...]]) -> Check:
    """Ends a rule: each match is kept once, under the facts and members that identify it."""
    single = all(len(places) == 1 for places in identity)
    flat = tuple(places[0] for places in identity)

    def gather(environment: Environment, board: Board) -> bool:
        if single:
            key = tuple([environment[place] for place in flat])
        else:
            key = tuple(
                tuple(environment[place] for place in places) if len(places) > 1 else environment[places[0]]
                for places in identity
            )
        found = environment[_MATCHES]
        if key not in found:
            found[key] = kept = environment[:]
            kept[_MATCHES] = None
        return False

    return gather


def _then(test: Check, rest: Check) -> Check:
    return lambda environment, board: test(environment, board) and rest(environment, board)


def _chooser(choose: Choose | None, scope: Scope) -> Evaluate | None:
    return None if choose is None else compile_expression(choose.by, scope)


def _patterns(rule: Rule, scope: Scope) -> tuple[tuple[str, int], ...]:
    ranged = [rule.ranged[place] for place in rule.standing]
    return tuple((one.template, scope.places[one.name]) for one in ranged if isinstance(one, Pattern) and one.name is not None)
