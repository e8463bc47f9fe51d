"""The boards a scope starts from: every combination of the values it gives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import cycle, product

from riftrules.facts.memory import Fact, WorkingMemory
from riftrules.facts.trace import StackedFrame
from riftrules.facts.types import Value, keyed_id
from riftrules.language.defaults import complete
from riftrules.language.model import ProofScope, Ruleset, Supply
from riftrules.scenario.board import SETTINGS, Board

Slot = tuple[str, str, Mapping[str, Value], tuple[tuple[str, tuple[Value, ...]], ...], int]
"""(template, id, fields that are the same on every board, fields that vary, position)"""


def starting_boards(ruleset: Ruleset, scope: ProofScope, mode: str = "") -> Iterator[Board]:
    """The boards, in a fixed order. Boards on which a fact's key stands twice are left out."""
    slots = _slots(ruleset, scope, mode)
    choices = [[dict(zip(_names(varied), values, strict=True)) for values in _values(varied)] for *_, varied, _ in slots]
    for chosen in product(*choices):
        board = _board(ruleset, scope, slots, chosen)
        if board is not None:
            yield board


def _names(varied: Sequence[tuple[str, tuple[Value, ...]]]) -> list[str]:
    return [name for name, _ in varied]


def _values(varied: Sequence[tuple[str, tuple[Value, ...]]]) -> Iterator[tuple[Value, ...]]:
    return product(*(values for _, values in varied))


def _slots(ruleset: Ruleset, scope: ProofScope, mode: str) -> list[Slot]:
    """One place for each fact; singletons first, so that defaults may read them."""
    settings = _settings(ruleset, scope, mode)
    templates = ruleset.templates
    ordered = sorted(scope.supplies, key=lambda one: (templates[one.template].kind != "singleton", bool(one.each)))
    ids: dict[str, list[str]] = {}
    slots: list[Slot] = [] if settings is None else [(SETTINGS, SETTINGS, settings, (), 0)]
    for supply in ordered:
        if supply.template != SETTINGS:
            slots += _supplied(supply, ruleset, settings or {}, ids)
    return slots


def _settings(ruleset: Ruleset, scope: ProofScope, mode: str) -> Mapping[str, Value] | None:
    if SETTINGS not in ruleset.templates:
        return None
    given = {name: values[0] for supply in scope.supplies if supply.template == SETTINGS for name, values in supply.values}
    memory = WorkingMemory(ruleset.shapes)
    whole = {**ruleset.modes.get(mode or scope.modes[0], {}), **given}
    return complete(ruleset.templates[SETTINGS], SETTINGS, whole, memory).values


def _supplied(supply: Supply, ruleset: Ruleset, settings: Mapping[str, Value], ids: dict[str, list[str]]) -> Iterator[Slot]:
    """The places of one supply; a field dealt out gets its values in turn."""
    name = supply.template
    if ruleset.templates[name].kind == "singleton":
        yield name, name, {}, supply.values, 0
        return
    count = int(settings[supply.count]) if isinstance(supply.count, str) else supply.count
    owners: Sequence[str | None] = ids.get(supply.each, ()) if supply.each else (None,)
    dealt = {field: cycle(values) for field, values in supply.dealt}
    made = ids.setdefault(name, [])
    for owner in owners:
        for _ in range(count):
            number = len(made)
            made.append(supply.names[number] if number < len(supply.names) else f"{name}-{number + 1}")
            fixed = {field: next(values) for field, values in dealt.items()}
            if owner is not None:
                fixed[supply.by] = owner
            yield name, made[-1], fixed, supply.values, number + 1


def _board(ruleset: Ruleset, scope: ProofScope, slots: Sequence[Slot], chosen: Sequence[Mapping[str, Value]]) -> Board | None:
    memory = WorkingMemory(ruleset.shapes)
    for (name, id_, fixed, _, position), varied in zip(slots, chosen, strict=True):
        template = ruleset.templates[name]
        fact = complete(template, id_, {**fixed, **varied}, memory, position=position)
        if template.key:
            fact = Fact(name, keyed_id(tuple(fact.values[key] for key in template.key)), fact.values)
            if memory.get(name, fact.id) is not None:
                return None
        memory.put(fact)
    facts = tuple(memory)
    return Board(facts, tuple(_frames(ruleset, scope, memory)))


def _frames(ruleset: Ruleset, scope: ProofScope, memory: WorkingMemory) -> Iterator[StackedFrame]:
    for name, fields, step in scope.stack:
        fact = complete(ruleset.templates[name], memory.new_id(name), dict(fields), memory)
        memory.put(fact)
        yield StackedFrame(fact, step)
