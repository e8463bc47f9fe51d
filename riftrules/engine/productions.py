"""One rule, compiled: from the board to its activations with what each would do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn, TypeAlias

from riftrules.engine.board import Board
from riftrules.engine.code import Code
from riftrules.engine.conditions import Late, write_body
from riftrules.engine.consequents import CALLED, ConsequentWriter
from riftrules.engine.definitions import KNOWN, Definitions
from riftrules.engine.effects import Effects, ImpossibleError, Key
from riftrules.engine.expressions import Scope, expression
from riftrules.engine.gates import GateKeeper
from riftrules.engine.joins import JoinPlan, plan_join
from riftrules.engine.ranging import binder
from riftrules.engine.syntax_tree import Dependencies, bindable, binds
from riftrules.engine.telling import write_told
from riftrules.errors import RunError
from riftrules.facts.trace import Ask, FieldRead, Refused
from riftrules.facts.types import Value, value_order
from riftrules.language.model import (
    AskFor,
    Bind,
    Each,
    Pattern,
    Rule,
    Ruleset,
)

Identity: TypeAlias = tuple[Value, ...]

Told: TypeAlias = tuple[tuple[tuple[str, Value], ...], tuple[Key, ...], tuple[FieldRead, ...]]
"""The variables bound outside quantifiers, by name; the facts of the named patterns, in standing order; the fields read."""

HEARD = "heard"
"""The event that is heard, in generated source."""


class Activation:
    """A rule with the values under which its conditions hold.

    `values` are those of `Production.variables`. `by` is whoever chooses, or is asked. `effects` is None where they
    were not wanted, or could not be evaluated for the reason `failure`.
    """

    __slots__ = ("by", "effects", "failure", "identity", "production", "values")

    def __init__(
        self,
        production: Production,
        values: tuple[Value, ...],
        identity: Identity,
        by: Value = None,
        effects: Effects | None = None,
        *,
        failure: Exception | None = None,
    ) -> None:
        self.production = production
        self.values = values
        self.identity = identity
        self.by = by
        self.effects = effects
        self.failure = failure

    @property
    def bindings(self) -> tuple[tuple[str, Value], ...]:
        """The variables bound outside quantifiers, by name."""
        return tuple(zip(self.production.variables, self.values))  # noqa: B905 - as many as there are, and asked for each firing

    def value(self, variable: str) -> Value:
        """The value of a variable bound outside quantifiers."""
        return self.values[self.production.places[variable]]

    @property
    def group(self) -> tuple[int, Value]:
        """The activations among which one choice picks."""
        choose = self.production.rule.choose
        return self.production.rule.number, self.value(choose.per) if choose is not None and choose.per is not None else None

    def outcome(self) -> Effects:
        """What firing it does. Raises RunError where that cannot be done."""
        if self.effects is None:
            self.fail(str(self.failure) if isinstance(self.failure, ImpossibleError) else "the remainder by 0 is nothing")
        return self.effects

    def fail(self, text: str) -> NoReturn:
        """It cannot be carried out."""
        rule = self.production.rule.id
        message = f"rule `{rule}`: {text}"
        raise RunError(message, rule=rule, bindings=self.bindings)


class Production:
    """A compiled rule.

    `variables` are those bound outside quantifiers, by name; `patterns` the templates of its named patterns with their
    places among the variables, in standing order; `frames` the procedures it has patterns over; `gates` what it
    never matches without; `number` and `mask` its own number and bit among all rules. Its functions are compiled when they are
    first wanted.
    """

    def __init__(self, rule: Rule, compiler: RuleCompiler, *, joined: bool) -> None:
        self.rule = rule
        names = bindable(rule.when, quantified=False) | (binds(rule.event, lone=True) if rule.event is not None else set())
        self.variables = tuple(sorted(names))
        self.places = {name: place for place, name in enumerate(self.variables)}
        self.patterns = tuple((template, self.places[name]) for template, name in _named(rule))
        self.frames = compiler.dependencies.frames((rule.when, rule.then, rule.choose))
        self.number = rule.number
        self.mask = 1 << rule.number
        self.gates = compiler.keeper.gates(rule)
        self.wants_effects = rule.kind not in {"ask", "legality"}
        self._definitions = compiler.definitions
        self._writer = RuleWriter(rule, self, compiler)
        self._told: Callable[..., Told] | None = None
        self._codes: dict[tuple[str, bool], Code] = {}
        self._functions: dict[tuple[str, bool], Callable[[Board], Any]] = {}
        self._joined = joined and compiler.is_joined(rule)
        if self._joined or not joined:  # a join must be known from the beginning, and whether an edited rule is one
            self._codes["act" if self.wants_effects else "match", self._joined] = self._writer.code(
                "act" if self.wants_effects else "match", joined=self._joined
            )

    def matches(self, board: Board) -> list[Activation]:
        """The activations on the board, the highest first, without what they would do."""
        return self._arranged(self._function("match", board)(board))

    def recogniser(self, board: Board) -> Callable[[Board], list[Activation]]:
        """What gives its activations on boards of this kind, in any order.

        Of a rule that does something, those that would do something, and have somebody to choose where there is a choice.
        """
        return self._function("act" if self.wants_effects else "match", board)

    def planned(self, board: Board) -> list[Activation]:
        """The activations with what each would do, be it nothing; the highest first."""
        return self._arranged(self._function("plan", board)(board))

    def holds(self, board: Board) -> bool:
        """Whether there is an activation."""
        return bool(self._function("hold", board)(board))

    def told(self, activation: Activation, board: Board) -> Told:
        """What firing it says of itself."""
        told = self._told
        if told is None:
            told = self._told = write_told(self.rule, self.variables, self.patterns, self._definitions).function("told")
        return told(board, *activation.values)

    def _function(self, what: str, board: Board) -> Callable[[Board], Any]:
        key = (what, board.joined is not None and self._joined and (what == "act") == self.wants_effects and what != "hold")
        function = self._functions.get(key)
        if function is None:
            code = self._codes.get(key) or self._writer.code(what, joined=key[1])
            function = self._functions[key] = code.function("rule")
        return function

    def _arranged(self, found: list[Activation]) -> list[Activation]:
        if len(found) > 1:
            self.arrange(found)
        return found

    def arrange(self, found: list[Activation]) -> None:
        """Put the highest first."""
        found.sort(key=self._order)

    def _order(self, activation: Activation) -> tuple[object, ...]:
        return tuple(value_order(activation.identity[place]) for place in self.rule.standing)

    def asks(self, activation: Activation) -> Ask | None:
        """Whom an ask rule asks, where its player is somebody."""
        consequent = self.rule.then[0]
        assert isinstance(consequent, AskFor)
        return None if activation.by is None else Ask(activation.by, consequent.requests, self.rule.id)

    def refused(self, activation: Activation) -> Refused:
        """The rule as one that refuses."""
        return Refused(self.rule.id, self.rule.cites, activation.bindings)


class RuleCompiler:
    """Compiles the rules of one ruleset; `joins` are what it leaves to a matcher."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.definitions = Definitions(ruleset)
        self.dependencies = Dependencies(ruleset)
        self.keeper = GateKeeper(ruleset)
        self.joins: list[JoinPlan] = []

    def production(self, rule: Rule, *, joined: bool = True) -> Production:
        """The rule, compiled. Where it is not `joined`, nothing of it is left to a matcher."""
        return Production(rule, self, joined=joined)

    def is_joined(self, rule: Rule) -> bool:
        """Whether the rule may have standing patterns that a matcher joins."""
        standing = [one for one in rule.when if isinstance(one, Pattern) and one.name and self._is_standing(one)]
        return len(standing) > 1

    def _is_standing(self, pattern: Pattern) -> bool:
        return self.ruleset.templates[pattern.template].kind == "standing"


class RuleWriter:
    """Writes the functions of one rule."""

    def __init__(self, rule: Rule, production: Production, compiler: RuleCompiler) -> None:
        self._rule = rule
        self._production = production
        self._compiler = compiler
        self._known = {**KNOWN, **CALLED, "Activation": Activation, "production": production}

    def code(self, what: str, *, joined: bool) -> Code:
        """The function of the board.

        `match` gives activations, `plan` those with what they would do, `act` only those of them that do something;
        `hold` is whether there is one.
        """
        rule, code = self._rule, Code("def rule(board):", self._known)
        scope = Scope(self._compiler.definitions, code, frozenset(self._production.variables))
        code.line("F = board.facts")
        code.line("q = False" if what == "hold" else "found = {}")
        for name in dict.fromkeys((*rule.singletons, *(gate.template for gate in self._production.gates))):
            code.check(f"F[{name!r}]")
        late = self._hear(scope)
        joiner = _Joiner(rule.id, self._compiler, scope) if joined else None
        code.flags += ["q"] if what == "hold" else []
        end = {"match": self._matched, "plan": self._planned, "act": self._acted, "hold": lambda _: None}[what]
        flag = "q" if what == "hold" else ""
        write_body(rule.when, scope, end, quantified=False, joiner=joiner, late=late, flag=flag)
        code.close(1)
        if what == "hold":
            code.line("return q")
        else:
            kept = "[one for one in found.values() if one is not None]" if what == "act" else "list(found.values())"
            code.line(f"return {kept} if found else []")
        return code

    def _hear(self, scope: Scope) -> list[Late]:
        """Bind the event heard, its name and its bare variables; its other tests wait."""
        event = self._rule.event
        if event is None:
            return []
        scope.code.line(f"{HEARD} = board.event")
        if event.name is not None:
            scope.facts[event.name, event.template] = HEARD
            scope.texts[event.name] = f"{HEARD}.id"
        for test in event.tests:
            if isinstance(test.test, Bind) and test.test.variable not in scope.texts:
                binder(test, event.template, HEARD, scope)
        return [Late(test, event.template, HEARD) for test in event.tests]

    def _begin_match(self, scope: Scope) -> str:
        """Each match is kept once, under the facts and members that identify it."""
        parts = []
        for one in self._rule.ranged:
            names = one.variables if isinstance(one, Each) else (one.name or "",)
            texts = [scope.texts[name] for name in names]
            parts.append(texts[0] if len(texts) == 1 else f"({', '.join(texts)})")
        scope.code.line(f"key = ({''.join(f'{part}, ' for part in parts)})")
        scope.code.check("key not in found")
        return "(" + "".join(f"{scope.texts[name]}, " for name in self._production.variables) + ")"

    def _matched(self, scope: Scope) -> None:
        asks = self._rule.then[0] if self._rule.kind == "ask" else None
        player = expression(asks.player, scope) if isinstance(asks, AskFor) else "None"
        values = self._begin_match(scope)
        scope.code.line(f"found[key] = Activation(production, {values}, key, {player})")

    def _planned(self, scope: Scope) -> None:
        values = self._begin_match(scope)
        scope.code.line("by = None")
        self._write_effects(scope, values, whatever=True)

    def _acted(self, scope: Scope) -> None:
        code, choose = scope.code, self._rule.choose
        values = self._begin_match(scope)
        code.line("found[key] = None")
        code.line(f"by = {expression(choose.by, scope)}" if choose is not None else "by = None")
        if choose is not None:
            code.check("by is not None")
        self._write_effects(scope, values, whatever=False)

    def _write_effects(self, scope: Scope, values: str, *, whatever: bool) -> None:
        """Write what the activation does; it is kept if anything comes of it, or `whatever` comes of it."""
        code, strict = scope.code, scope.inner(set())
        strict.strict = True
        writer = ConsequentWriter(self._rule.then if self._production.wants_effects else (), strict, self._compiler.ruleset)
        kept = f"found[key] = Activation(production, {values}, key, by"
        code.open("try:")
        depth = code.depth
        writer.write()
        if not writer.tested_first:
            code.line(f"effects = {writer.effects()}")
        code.line("pass")
        code.close(depth - 1)
        code.line(f"except (ImpossibleError, ZeroDivisionError) as error: {kept}, failure=error)")
        code.open("else:")
        if not whatever:
            code.check(writer.test("effects"))
        code.line(f"{kept}, {writer.effects() if writer.tested_first else 'effects'})")


class _Joiner:
    """Takes the joins of one rule."""

    def __init__(self, rule: str, compiler: RuleCompiler, scope: Scope) -> None:
        self._rule = rule
        self._compiler = compiler
        self._scope = scope

    def join(self, patterns: Sequence[Pattern]) -> tuple[int, JoinPlan] | None:
        """Note the join of patterns that are linked, and tell its number."""
        plan = plan_join(self._rule, patterns, self._compiler.ruleset, self._scope.names)
        if plan is None:
            return None
        self._compiler.joins.append(plan)
        return len(self._compiler.joins) - 1, plan


def _named(rule: Rule) -> list[tuple[str, str]]:
    """The named patterns among what identifies an activation, by template and name, in standing order."""
    ranged = [rule.ranged[place] for place in rule.standing]
    return [(one.template, one.name) for one in ranged if isinstance(one, Pattern) and one.name is not None]
