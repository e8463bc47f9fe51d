"""How the things of two rulesets are laid beside one another: which parts they have, and what stands for what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Any

from riftrules.analysis.comparing.bare import alike, bare
from riftrules.analysis.comparing.edits import Item, Key, Slot
from riftrules.analysis.comparing.wording import said
from riftrules.language.model import Definition, Invariant, Printed, Procedure, Rule, Step, Template


@dataclass(frozen=True, slots=True)
class Part:
    """How a field of the model is compared: what it is called, whether it plays, and whether by its members."""

    label: str
    plays: bool = True
    members: str = ""


UNSAID = {"place", "shape", "kinds"}
"""Fields that are keys or follow from others."""

SHOWN = {"printed rule", "view", "scope"}
"""Kinds of things that tell people of the rules, and change nothing in play."""

FOLLOWING = {"variables", "ranged", "standing", "reads", "singletons", "request", "kind"}
"""Fields that follow from the conditions and consequents, and are looked at only where those are the same."""

_CITES = {"cites": Part("citations", plays=False), "says": Part("summary", plays=False)}
PARTS: Mapping[type[Any], Mapping[str, Part]] = {
    Rule: {
        **_CITES,
        "id": Part("name", plays=False),
        "when": Part("condition", members="any order"),
        "then": Part("consequent", members="sequence"),
        "event": Part("after"),
        "house": Part("house rule", plays=False),
        "note": Part("note", plays=False),
    },
    Definition: {**_CITES, "when": Part("condition", members="any order")},
    Invariant: {**_CITES, "when": Part("condition", members="any order")},
    Template: {
        "fields": Part("field", members="mapping"),
        "derived": Part("derived field", members="mapping"),
        "plural": Part("plural", plays=False),
        "symmetric": Part("symmetric", plays=False),
    },
    Procedure: {**_CITES, "until_stable": Part("repeat until stable")},
    Step: _CITES,
    Printed: {name: Part(name, plays=False) for name in ("number", "summary", "held", "status", "reason")},
}


def item_of(key: Key, old: Any, new: Any) -> Item:
    """A thing laid beside itself on the other side, with the slots of those of its fields that are not alike."""
    if old is None or new is None or not is_dataclass(old):
        both = isinstance(old, Mapping) and isinstance(new, Mapping)
        return Item(key, old, new, {"": _mapped(old, new)} if both and key[0] == "mode" else {})
    sides = [(name, part, getattr(old, name), getattr(new, name)) for name, part in parts(old) if part.members]
    return Item(key, old, new, {name: _slots(part.members, *both) for name, part, *both in sides if not alike(*both)})


def parts(item: Any) -> Iterator[tuple[str, Part]]:
    """The fields of a thing that are compared, and how."""
    known = PARTS.get(type(item), {})
    for one in fields(item):
        if one.name not in UNSAID and not (one.name == "number" and isinstance(item, Rule)):
            yield one.name, known.get(one.name, Part(one.name.replace("_", " ")))


def _slots(members: str, old: Any, new: Any) -> tuple[Slot, ...]:
    match members:
        case "mapping":
            return _mapped(old, new)
        case "sequence":
            return tuple(_aligned(old, new))
    return tuple(_unordered(old, new))


def _mapped(old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[Slot, ...]:
    return tuple(
        Slot((name, old[name]) if name in old else None, (name, new[name]) if name in new else None) for name in {**old, **new}
    )


def _aligned(old: Sequence[Any], new: Sequence[Any]) -> Iterator[Slot]:
    """Members in their order: what stands between the same neighbours stands for one another."""
    matcher = SequenceMatcher(None, [bare(one) for one in old], [bare(one) for one in new], autojunk=False)
    for _, first, last, begin, end in matcher.get_opcodes():
        yield from (Slot(one, other) for one, other in zip_longest(old[first:last], new[begin:end]))


def _unordered(old: Sequence[Any], new: Sequence[Any]) -> Iterator[Slot]:
    """Members whatever their order: first those that are the same, then the likest of those that are not."""
    left = [(bare(one), one) for one in new]
    changed: list[Any] = []
    for one in old:
        same = next((place for place, (key, _) in enumerate(left) if key == bare(one)), None)
        if same is None:
            changed.append(one)
        else:
            yield Slot(one, left.pop(same)[1])
    others = [one for _, one in left]
    for one in changed:
        likest = max(others, key=lambda other: _likeness(one, other), default=None)
        if likest is not None and _likeness(one, likest) > ALIKE:
            others.remove(likest)
            yield Slot(one, likest)
        else:
            yield Slot(one, None)
    yield from (Slot(None, one) for one in others)


ALIKE = 0.5


def _likeness(one: Any, other: Any) -> float:
    return SequenceMatcher(None, said(one), said(other)).ratio()
