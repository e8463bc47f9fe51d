"""The scenario that tells a mutant from the rules: cut where they first part, expecting what the rules do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from riftrules.analysis.mutation.scenes import Outcome, Stand
from riftrules.facts.memory import Fact
from riftrules.facts.trace import Waiting
from riftrules.facts.types import Value
from riftrules.language.model import Ruleset
from riftrules.scenario.model import Expecting, Item, Refusing, Requesting, Run
from riftrules.scenario.written import expected_lines, fixture_text, written

NOTHING = Stand(frozenset(), Waiting("idle"), None, frozenset())


@dataclass(frozen=True, slots=True)
class Witness:
    """A fixture that passes under the rules and fails under a mutant, and the scenario it was made from."""

    text: str
    source: str
    path: str
    line: int


def witness(name: str, run: Run, own: Outcome, other: Outcome, ruleset: Ruleset) -> Witness:
    """The fixture that tells two outcomes apart. `run` is that of the rules as they are."""
    shorter = min(len(own.stands), len(other.stands))
    at = next((place for place in range(shorter) if own.stands[place] != other.stands[place]), shorter)
    at = min(at, len(own.stands) - 1)
    scenario = run.scenario
    items = tuple(_item(item, run, number) for number, item in enumerate(scenario.items[: at + 1], 1))
    told = replace(scenario, name=name, items=tuple(item for item in items if not isinstance(item, Expecting)), id="", cites=())
    apart = other.stands[at] if 0 <= at < len(other.stands) else NOTHING
    then = tuple(_then(own.stands[at], apart, ruleset)) if at >= 0 else ()
    place = scenario.place
    return Witness(fixture_text(told, ruleset, then), scenario.name, place.path, place.line)


def _item(item: Item, run: Run, number: int) -> Item:
    """An item; a request that was refused is expected to be."""
    refusal = next((moment.refusal for moment in run.moments if moment.item == number), None)
    if not isinstance(item, Requesting) or refusal is None:
        return item
    rules = tuple(one.rule for one in refusal.rules)
    return replace(item, refused=Refusing(rules=rules) if rules else Refusing(reason=refusal.reason))


def _then(own: Stand, other: Stand, ruleset: Ruleset) -> Iterator[str]:
    lines = tuple(_facts(dict(own.facts), dict(other.facts), ruleset, {"standing", "singleton"}))
    lines = lines or tuple(_facts(dict(own.facts), dict(other.facts), ruleset, {"frame"}))
    yield from lines
    if own.waiting != other.waiting or own.waiting.choice is not None:  # a choice that is left open is always told
        yield from _waiting(own.waiting)
    fired, silent = _fired(dict(own.counts), dict(other.counts))
    if not lines or silent:
        yield from _counts(fired, silent)


Stood: TypeAlias = Mapping[tuple[str, str], tuple[Value, ...]]


def _facts(own: Stood, other: Stood, ruleset: Ruleset, kinds: set[str]) -> Iterator[str]:
    """The facts of these kinds that differ, with the fields in which they do, and those that only the mutant has."""
    standing = [key for key in own if ruleset.templates[key[0]].kind in kinds]
    told: list[tuple[Fact, Sequence[str]]] = []
    for key in sorted(standing):
        if other.get(key) != own[key]:
            names = tuple(ruleset.templates[key[0]].fields)
            id_ = key[0] if ruleset.templates[key[0]].kind == "frame" else key[1]  # any frame of the procedure
            fact = Fact(key[0], id_, dict(zip(names, own[key], strict=True)))
            there = dict(zip(names, other[key], strict=True)) if key in other else {}
            told.append((fact, [name for name in names if not there or there[name] != fact.values[name]]))
    gone = [key for key in sorted(other.keys() - own.keys()) if ruleset.templates[key[0]].kind in kinds]
    yield from expected_lines(told, gone=[it for key in gone if (it := _gone(key, own, ruleset)) is not None])


def _gone(key: tuple[str, str], own: Stood, ruleset: Ruleset) -> Fact | None:
    """What is not there under the rules; of frames that can be said only where there is none of the procedure."""
    if ruleset.templates[key[0]].kind != "frame":
        return Fact(*key, {})
    none = key[1] == "1" and all(template != key[0] for template, _ in own)
    return Fact(key[0], key[0], {}) if none else None


def _waiting(waiting: Waiting) -> Iterator[str]:
    yield f"waiting: {waiting.kind}"
    if waiting.kind == "asked" and waiting.asks:
        yield f"asked: {written(waiting.asks[0].player)}"
    if waiting.choice is not None:
        yield f"choosing: {written(waiting.choice.by)}"
        yield f"options: [{', '.join(written(option) for option in waiting.choice.options)}]"


EVENT = "event "


def _fired(own: Mapping[str, int], other: Mapping[str, int]) -> tuple[dict[str, int], list[str]]:
    """What fires more or less often, or happens so, and which rules only the mutant lets fire."""
    names = [name for name in sorted({*own, *other}) if own.get(name) != other.get(name)]
    counts = {name: own.get(name, 0) for name in names if name in own or name.startswith(EVENT)}
    return counts, [name for name in names if name not in counts]


def _counts(counts: Mapping[str, int], silent: Sequence[str]) -> Iterator[str]:
    fired = {name: count for name, count in counts.items() if not name.startswith(EVENT)}
    events = {name.removeprefix(EVENT): count for name, count in counts.items() if name.startswith(EVENT)}
    for key, named in (("fired", fired), ("events", events)):
        if named:
            yield f"{key}: {{{', '.join(f'{name}: {count}' for name, count in named.items())}}}"
    if silent:
        yield f"not_fired: [{', '.join(silent)}]"
