"""A ruleset made ready to run: compiled once, never changed, shared by every session."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

from riftrules.engine.filling import Filler, filler
from riftrules.engine.gates import About, Gates
from riftrules.engine.joins import JoinPlan
from riftrules.engine.network_matcher import NetworkPlan
from riftrules.engine.productions import Production, RuleCompiler
from riftrules.engine.routines import Routine, StepPlan, step_plan
from riftrules.engine.syntax_tree import Dependency
from riftrules.facts.types import Shape
from riftrules.language.model import Each, Invariant, Pattern, Refuse, Rule, Ruleset

CAME_OR_WENT = ("",)

Watch: TypeAlias = tuple[int, bool, About | None]
"""Of a difference: the bits of the rules whose verdict hangs on it, whether it is an effect, and the gates it is about.

A frame's coming or going is no effect, a value set in it is.
"""


@dataclass(frozen=True, eq=False)
class Program:
    """What sessions run.

    `hears` are the rules for each event and `refuses` those for each request, both by standing; `dependents` gives
    the bits of the rules whose verdict a change of (template, field) may change. `network` is how the joins are matched.
    """

    ruleset: Ruleset
    shapes: Mapping[str, Shape]
    productions: tuple[Production, ...]
    routines: Mapping[str, Routine]
    hears: Mapping[str, tuple[Production, ...]]
    refuses: Mapping[str, tuple[Production, ...]]
    invariants: tuple[Production, ...]
    joins: tuple[JoinPlan, ...]
    network: NetworkPlan
    dependents: Mapping[Dependency, int]
    compiler: RuleCompiler

    @cached_property
    def frames(self) -> frozenset[str]:
        """The templates that are procedures."""
        return frozenset(self.ruleset.procedures)

    @cached_property
    def fillers(self) -> Mapping[str, Filler]:
        """What fills in the fields of each template."""
        return {name: filler(template) for name, template in self.ruleset.templates.items()}

    @cached_property
    def watches(self) -> dict[tuple[str, tuple[str, ...]], Watch]:
        """What has been asked of `watch` so far."""
        return {}

    def watch(self, template: str, fields: tuple[str, ...]) -> Watch:
        """What hangs on the coming and going of the template's facts, or on other values in these fields of theirs."""
        found = self.watches.get((template, fields))
        if found is None:
            stale = 0
            for name in fields or CAME_OR_WENT:
                stale |= self.dependents.get((template, name), 0)
            about = self.gates.about(template, fields)
            effective = bool(fields) or template not in self.frames
            found = self.watches[template, fields] = stale, effective, about if about[0] >= 0 or about[1] else None
        return found

    @cached_property
    def gates(self) -> Gates:
        """What the rules never match without."""
        return Gates((one.gates, one.mask) for one in self.productions)

    @cached_property
    def all_rules(self) -> int:
        """The bits of every rule."""
        return sum(production.mask for production in self.productions)


def compile_ruleset(ruleset: Ruleset) -> Program:
    """The program of a ruleset. Raises EngineError, naming the rule, where the match network cannot hold a join."""
    compiler = RuleCompiler(ruleset)
    productions = tuple(compiler.production(rule) for rule in ruleset.rules)
    return Program(
        ruleset=ruleset,
        shapes=ruleset.shapes,
        productions=productions,
        routines={name: _routine(name, productions, ruleset) for name in ruleset.procedures},
        hears=_grouped(productions, lambda rule: rule.event.template if rule.event is not None else ""),
        refuses=_grouped(productions, _refuses),
        invariants=tuple(compiler.production(_as_rule(invariant), joined=False) for invariant in ruleset.invariants),
        joins=tuple(compiler.joins),
        network=NetworkPlan(compiler.joins),
        dependents=_dependents(productions, compiler),
        compiler=compiler,
    )


def with_rule(program: Program, rule: Rule) -> Program:
    """The program with a rule in place of that of its number, for the cost of compiling that one.

    Its patterns are joined where they are wanted, not by the matcher. What cannot be compiled raises what it raises.
    """
    old = next(one for one in program.productions if one.rule.number == rule.number)
    new = program.compiler.production(rule, joined=False)
    productions = tuple(new if one is old else one for one in program.productions)
    ruleset = replace(program.ruleset, rules=tuple(one.rule for one in productions))
    steps = {old.rule.step, rule.step} - {""}
    touched = [name for name, one in program.routines.items() if any(step.name in steps for step in one.steps)]
    dependents = {pair: bits & ~new.mask for pair, bits in program.dependents.items()}
    for pair, bits in _dependents((new,), program.compiler).items():
        dependents[pair] = dependents.get(pair, 0) | bits
    return replace(
        program,
        ruleset=ruleset,
        productions=productions,
        routines={**program.routines, **{name: _routine(name, productions, ruleset) for name in touched}},
        hears=_grouped(productions, lambda one: one.event.template if one.event is not None else ""),
        refuses=_grouped(productions, _refuses),
        dependents=dependents,
    )


def with_procedures(program: Program, ruleset: Ruleset) -> Program:
    """The program of a ruleset that differs from the program's own in its procedures and steps alone."""
    routines = {name: _routine(name, program.productions, ruleset) for name in ruleset.procedures}
    return replace(program, ruleset=ruleset, routines=routines)


def _routine(name: str, productions: Sequence[Production], ruleset: Ruleset) -> Routine:
    procedure = ruleset.procedures[name]
    steps = tuple(_step(step, productions, ruleset) for step in procedure.steps)
    return Routine(name, steps, procedure.until_stable, procedure.yields, procedure.request, procedure.then)


def _step(name: str, productions: Sequence[Production], ruleset: Ruleset) -> StepPlan:
    if name in ruleset.procedures:
        return step_plan(name, begins=name)
    here = [production for production in productions if production.rule.step == name]
    firing = _by_standing(one for one in here if one.rule.kind == "step")
    asking = _by_standing(one for one in here if one.rule.kind == "ask")
    step = ruleset.steps.get(name)
    listing = {other.name for other in ruleset.procedures.values() if name in other.steps}
    sensitive = tuple(one for one in (*firing, *asking) if listing & one.frames)
    return step_plan(name, together=step is not None and step.together, productions=firing, asks=asking, sensitive=sensitive)


def _by_standing(productions: Iterable[Production]) -> tuple[Production, ...]:
    return tuple(sorted(productions, key=lambda one: (-one.rule.salience, one.rule.number)))


def _grouped(productions: Sequence[Production], name_of: Callable[[Rule], str]) -> dict[str, tuple[Production, ...]]:
    found: dict[str, list[Production]] = {}
    for production in productions:
        name = name_of(production.rule)
        if name:
            found.setdefault(name, []).append(production)
    return {name: _by_standing(members) for name, members in found.items()}


def _refuses(rule: Rule) -> str:
    """The request that a rule of legality refuses."""
    return next((said.procedure for said in rule.then if isinstance(said, Refuse)), "")


def _as_rule(invariant: Invariant) -> Rule:
    return Rule(
        id=invariant.name,
        number=0,
        kind="legality",
        cites=invariant.cites,
        says=invariant.says,
        when=invariant.when,
        then=(),
        ranged=(
            ranged := tuple(
                one for one in invariant.when if isinstance(one, Each) or (isinstance(one, Pattern) and one.name is not None)
            )
        ),
        standing=tuple(range(len(ranged))),
        singletons=invariant.singletons,
    )


def _dependents(productions: Sequence[Production], compiler: RuleCompiler) -> dict[Dependency, int]:
    found: dict[Dependency, int] = {}
    for production in productions:
        rule, dependencies = production.rule, compiler.dependencies
        on = (
            dependencies.of((rule.when, rule.choose))
            | dependencies.of_consequents(rule.then)
            | {(name, "") for name in rule.singletons}
        )
        for pair in on:
            found[pair] = found.get(pair, 0) | production.mask
    return found
