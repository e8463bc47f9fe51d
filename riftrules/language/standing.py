"""The canonical order of what a rule ranges over.

Of two activations of equal salience and rule, the one whose facts have the lower ids fires first. Which fact is
compared first must not hang on the order in which a designer wrote the patterns, nor on the names of variables; so
patterns are ordered by what they say and by how what they bind is used (colour refinement, as in graph isomorphism).
Patterns that nothing tells apart are ordered as written.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from functools import lru_cache

from riftrules.language.model import Bind, Choose, Count, Each, Pattern, Read, Sum

ROUNDS = 3
SKIPPED = {"place", "text", "called"}


def standing_order(ranged: Sequence[Pattern | Each], pieces: Sequence[object]) -> tuple[int, ...]:
    """Positions in `ranged` in canonical order. `pieces` are all conditions and consequents of the rule."""
    positions = tuple(range(len(ranged)))
    if len(positions) <= 1:
        return positions
    keys = [described(item, {}) for item in ranged]
    if len(set(keys)) < len(keys):
        colours = _colours(ranged, pieces)
        keys = [f"{key}{described(item, colours)}{_bound(item, colours)}" for key, item in zip(keys, ranged, strict=True)]
    return tuple(sorted(positions, key=lambda position: (keys[position], position)))


def _bound(item: Pattern | Each, colours: Mapping[str, str]) -> str:
    names = item.variables if isinstance(item, Each) else (item.name or "",)
    return ",".join(colours.get(name, "") for name in names)


def _colours(ranged: Sequence[Pattern | Each], pieces: Sequence[object]) -> dict[str, str]:
    """For each variable, how it is used, described without its name."""
    names = {name for item in ranged for name in (item.variables if isinstance(item, Each) else (item.name,)) if name}
    names |= {
        test.test.variable for item in ranged if isinstance(item, Pattern) for test in item.tests if isinstance(test.test, Bind)
    }
    colours = dict.fromkeys(names, "?")
    for _ in range(ROUNDS):
        seen = {name: sorted(described(piece, {**colours, name: "@"}) for piece in pieces) for name in names}
        ranks = {text: str(rank) for rank, text in enumerate(sorted({str(text) for text in seen.values()}))}
        colours = {name: ranks[str(seen[name])] for name in names}
    return colours


def described(thing: object, colours: Mapping[str, str]) -> str:
    """A part of a rule as text, every variable replaced by its colour (`?` where it has none), places left out."""
    match thing:
        case Read(variable, hops, singleton):
            return f"{variable if singleton else colours.get(variable, '?')}{described(hops, colours)}"
        case Bind(variable):
            return f"={colours.get(variable, '?')}"
        case Pattern(template, name, tests):
            named = "" if name is None else colours.get(name, "?")
            return f"{template}:{named}{sorted(described(test, colours) for test in tests)}"
        case Each(of, variables):
            return f"each{described(of, colours)}{len(variables)}"
        case Count(conditions) | Sum(conditions=conditions):
            summed = described(thing.of, colours) if isinstance(thing, Sum) else "#"
            return f"{type(thing).__name__}{summed}{colours.get(thing.variable, '?')}{described(conditions, colours)}"
        case Choose(by, one, per, optional):
            groups = "" if per is None else colours.get(per, "?")
            return f"choose{described(by, colours)}{colours.get(one, '?')}/{groups}{optional}"
        case tuple():
            return f"({','.join(sorted(described(item, colours) for item in thing))})"
    if dataclasses.is_dataclass(thing) and not isinstance(thing, type):
        names = _fields(type(thing))
        return f"{type(thing).__name__}({','.join(described(getattr(thing, name), colours) for name in names)})"
    return repr(thing)


@lru_cache(maxsize=256)
def _fields(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in dataclasses.fields(kind) if field.name not in SKIPPED)
