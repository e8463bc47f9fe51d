"""`equal-standing`: rules that write one field differently, where only the order of declaration says which wins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from itertools import combinations
from typing import Any

from riftrules.analysis.comparing.instances import instance, ways
from riftrules.analysis.lint.matching import contradictory
from riftrules.analysis.lint.material import Material, doubt
from riftrules.analysis.watching import Point, observe
from riftrules.engine.reference.matching import Board
from riftrules.engine.reference.planning import Activation
from riftrules.engine.reference.state import Visit
from riftrules.errors import Problem
from riftrules.facts.memory import Fact
from riftrules.facts.types import Value
from riftrules.language.model import Bind, Count, Each, FieldChange, Literal, Modify, Pattern, Read, Rule, Ruleset, Sum
from riftrules.scenario.model import Scenario
from riftrules.scenario.words import said, said_fields

MOST_FACTS = 6


def equal_standings(material: Material) -> Iterator[Problem]:
    """`equal-standing`: two rules or more of one step (or event) and salience that set one field of one fact differently.

    It is said only with a board on which both were eligible together: it was played.
    """
    found: dict[tuple[str, str], list[_Clash]] = {}
    for one, other, pair in _candidates(material.ruleset):
        if not material.is_own(one.place) and not material.is_own(other.place):
            continue
        clash = _shown(one, other, pair, material.ruleset)
        if clash is not None:
            found.setdefault(
                (one.step or (one.event.template if one.event else ""), f"{pair[0].template}.{pair[1].field}"), []
            ).append(clash)
    for (_, name), clashes in found.items():
        rules = sorted({rule.id: rule for clash in clashes for rule in clash.rules}.values(), key=lambda rule: rule.number)
        others = ", ".join(f"`{rule.id}` at {rule.place}" for rule in rules[1:])
        message = f"rule `{rules[0].id}` and {others} set `{name}` differently and have the same standing"
        yield doubt(
            next((rule.place for rule in rules if material.is_own(rule.place)), rules[0].place),
            "equal-standing",
            message,
            f"give them a salience, or tell their boards apart; both apply on {clashes[0].board}",
        )


@dataclass(frozen=True, slots=True)
class _Clash:
    """Two rules and the board, in words, on which both apply."""

    rules: tuple[Rule, Rule]
    board: str


def _candidates(ruleset: Ruleset) -> Iterator[tuple[Rule, Rule, tuple[Modify, FieldChange, FieldChange, Modify]]]:
    """Pairs of rules of the same standing that set one field, unless to the same literal."""
    places: dict[tuple[str, str, int], list[Rule]] = {}
    for rule in ruleset.rules:
        if rule.kind in {"step", "after"} and rule.choose is None:
            event = rule.event.template if rule.event is not None else ""
            places.setdefault((rule.step, event, rule.salience), []).append(rule)
    for rules in places.values():
        for one, other in combinations(rules, 2):
            for mine, change in _sets(one):
                for theirs, against in _sets(other):
                    same = mine.template == theirs.template and change.field == against.field
                    if same and not (isinstance(change.to, Literal) and change.to == against.to):
                        yield one, other, (mine, change, against, theirs)


def _sets(rule: Rule) -> Iterator[tuple[Modify, FieldChange]]:
    for said_ in rule.then:
        if isinstance(said_, Modify):
            yield from ((said_, change) for change in said_.changes if change.op == "set")


def _shown(one: Rule, other: Rule, pair: tuple[Modify, FieldChange, FieldChange, Modify], ruleset: Ruleset) -> _Clash | None:
    """A board on which both are eligible for the same fact, with different values: made of the conditions of both, and played."""
    mine, _, _, theirs = pair
    names = {name: f"{name}'" for name in _variables((other.when, other.event, other.then))} | {
        theirs.target.variable: mine.target.variable
    }
    again: Rule = renamed(other, names)
    joint = replace(one, when=(*one.when, *again.when, *((again.event,) if again.event is not None else ())))
    if contradictory(joint, ruleset):
        return None
    for procedure in ways(one, ruleset):
        scenario = instance(joint, procedure, ruleset)
        looking = _Looking(one, other, pair)
        observe(scenario, ruleset, looking.look)
        if looking.clashes:
            return _Clash((one, other), board_text(scenario, ruleset))
    return None


@dataclass(slots=True)
class _Looking:
    one: Rule
    other: Rule
    pair: tuple[Modify, FieldChange, FieldChange, Modify]
    clashes: bool = field(default=False)

    def look(self, _: Point, board: Board, __: Sequence[Rule], found: Sequence[Activation], ___: Visit | None) -> None:
        mine, change, against, theirs = self.pair
        wanted = {self._set(board, one, mine, change) for one in found if one.rule.id == self.one.id}
        others = {self._set(board, one, theirs, against) for one in found if one.rule.id == self.other.id}
        self.clashes = self.clashes or any(fact == again and value != set_ for fact, value in wanted for again, set_ in others)

    def _set(self, board: Board, activation: Activation, target: Modify, change: FieldChange) -> tuple[Value, Value]:
        return board.evaluate(target.target, activation.env), board.evaluate(change.to, activation.env)


def board_text(scenario: Scenario, ruleset: Ruleset) -> str:
    """A small board in a line: its facts, with what is not as it would be anyway."""
    facts = [fact for fact in scenario.facts if ruleset.templates[fact.template].kind == "standing"]
    texts = [_fact(fact, ruleset) for fact in facts[:MOST_FACTS]]
    more = [f"{len(facts) - MOST_FACTS} facts more"] if len(facts) > MOST_FACTS else []
    return "; ".join([*texts, *more]) or "the empty board"


def _fact(fact: Fact, ruleset: Ruleset) -> str:
    template = ruleset.templates[fact.template]
    told = []
    for name, value in fact.values.items():
        default = template.fields[name].default
        plain = isinstance(default, Literal) and default.value == value
        if value is not None and not plain and (default is None or isinstance(default, Literal)):
            told.append((name, value))
    return f"{fact.template} {said(fact.id)} {{{said_fields(told)}}}" if told else f"{fact.template} {said(fact.id)}"


# ------------------------------------------------------------------------------------------------ renaming


def _variables(node: Any) -> set[str]:
    match node:
        case Bind(name) | Count(variable=name) | Sum(variable=name):
            found = {name}
        case Read(name, _, single):
            found = set() if single else {name}
        case Pattern(name=str(name)):
            found = {name}
        case Each(variables=names):
            found = set(names)
        case _:
            found = set()
    parts = node if isinstance(node, tuple) else [getattr(node, one.name) for one in fields(node)] if is_dataclass(node) else ()
    for part in parts:
        found |= _variables(part)
    return found


def renamed(node: Any, names: Mapping[str, str]) -> Any:
    """The node with its variables called otherwise."""
    if isinstance(node, tuple):
        return tuple(renamed(item, names) for item in node)
    if not is_dataclass(node) or isinstance(node, type):
        return node
    match node:
        case Read(_, _, True):
            return node
        case Bind() | Read():
            return replace(node, variable=names.get(node.variable, node.variable))
    changed = {
        one.name: renamed(getattr(node, one.name), names)
        for one in fields(node)
        if one.name not in {"place", "variables"} and one.init
    }
    match node:
        case Pattern(name=str(name)):
            changed["name"] = names.get(name, name)
        case Count(variable=name) | Sum(variable=name):
            changed["variable"] = names.get(name, name)
        case Each(variables=several):
            changed["variables"] = tuple(names.get(one, one) for one in several)
    return replace(node, **changed)
