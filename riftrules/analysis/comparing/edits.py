"""The edits between two rulesets, as changes of rules and not of lines."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Any, TypeAlias

from riftrules.analysis.comparing.bare import bare
from riftrules.analysis.comparing.wording import said
from riftrules.errors import NOWHERE, Place
from riftrules.language.model import Definition, Invariant, Printed, Procedure, Rule, Ruleset, Step, Template

Key: TypeAlias = tuple[str, str]
"""What kind of thing it is, and its name."""

WHOLE = ""
ORDER = "order"


@dataclass(frozen=True, slots=True)
class Edit:
    """One difference between two rulesets.

    `kind` and `name` say of what (a rule, a definition, a field …), `part` which part of it (empty: all of it, which is
    new or gone). `before` and `after` are texts, empty where nothing stood. An edit that does not `play` cannot change
    what comes of a board: citations, notes, the order of conditions. `field` and `slot` say where in the model it is.
    """

    kind: str
    name: str
    part: str = WHOLE
    before: str = ""
    after: str = ""
    cites: tuple[str, ...] = ()
    place: Place = NOWHERE
    plays: bool = True
    item: Key = ("", "")
    field: str = ""
    slot: Hashable = None

    @property
    def change(self) -> str:
        """`added`, `dropped` or `changed`."""
        return "added" if not self.before else "dropped" if not self.after else "changed"


@dataclass(frozen=True, slots=True)
class Slot:
    """Two values that stand for one another on the two sides; None where there is none."""

    old: Any
    new: Any


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


@dataclass(frozen=True, slots=True)
class Item:
    """A named thing on both sides (None where it is not), and the slots of those of its fields that have members."""

    key: Key
    old: Any
    new: Any
    slots: Mapping[str, tuple[Slot, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Found:
    """Every edit, and what was compared."""

    edits: tuple[Edit, ...]
    items: Mapping[Key, Item]
    renamed: Mapping[str, str]


def edits_between(old: Ruleset, new: Ruleset) -> Found:
    """Every difference in what two rulesets say."""
    renamed = _renamed(old, new)
    items: dict[Key, Item] = {}
    edits: list[Edit] = []
    for kind, olds, news in _kinds(old, new, renamed):
        for name in (*olds, *(name for name in news if name not in olds)):
            item = _item((kind, name), olds.get(name), news.get(name))
            items[item.key] = item
            edits.extend(_item_edits(item))
    edits.extend(_ruleset_edits(old, new, renamed))
    return Found(tuple(edits), items, renamed)


def _kinds(old: Ruleset, new: Ruleset, renamed: Mapping[str, str]) -> Iterator[tuple[str, Mapping[str, Any], Mapping[str, Any]]]:
    """The kinds of named things, with those of both sides by name."""
    back = {after: before for before, after in renamed.items()}
    yield "rule", {rule.id: rule for rule in old.rules}, {back.get(rule.id, rule.id): rule for rule in new.rules}
    yield "definition", old.definitions, new.definitions
    yield "template", old.templates, new.templates
    yield "procedure", old.procedures, new.procedures
    yield "step", old.steps, new.steps
    yield "mode", old.modes, new.modes
    yield "invariant", {one.name: one for one in old.invariants}, {one.name: one for one in new.invariants}
    yield "printed rule", old.rulebook, new.rulebook
    yield "view", old.view, new.view
    yield "scope", old.scopes, new.scopes


def _renamed(old: Ruleset, new: Ruleset) -> dict[str, str]:
    """Rules that have another name and are otherwise the same: the old name, and the new one."""
    before = {rule.id: rule for rule in old.rules}
    after = {rule.id: rule for rule in new.rules}
    gone = {_nameless(rule): name for name, rule in before.items() if name not in after}
    come = {_nameless(rule): name for name, rule in after.items() if name not in before}
    return {gone[key]: come[key] for key in gone if key in come}


def _nameless(rule: Rule) -> Hashable:
    names = [one.name for one in fields(rule) if one.name not in {"id", "number", "place"}]
    return tuple(bare(getattr(rule, name)) for name in names)


# ------------------------------------------------------------------------------------------------ one thing


def _item(key: Key, old: Any, new: Any) -> Item:
    if old is None or new is None or not is_dataclass(old):
        both = isinstance(old, Mapping) and isinstance(new, Mapping)
        return Item(key, old, new, {"": _mapped(old, new)} if both and key[0] == "mode" else {})
    slots = {name: _slots(part.members, getattr(old, name), getattr(new, name)) for name, part in _parts(old) if part.members}
    return Item(key, old, new, slots)


def _parts(item: Any) -> Iterator[tuple[str, Part]]:
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


def _item_edits(item: Item) -> Iterator[Edit]:
    old, new = item.old, item.new
    if old is None or new is None:
        text = _whole(new if old is None else old)
        before, after = ("", text) if old is None else (text, "")
        yield _edit(item, WHOLE, before, after)
        return
    if isinstance(old, Mapping) and item.slots:
        yield from _member_edits(item, "", Part("setting"))
    elif not is_dataclass(old):
        if bare(old) != bare(new):
            yield _edit(item, "content", said(old), said(new), plays=False)
    else:
        yield from _part_edits(item)


def _part_edits(item: Item) -> Iterator[Edit]:
    """The edits of a thing that is there on both sides; what follows from other parts is said only where those are the same."""
    found: list[Edit] = []
    for name, part in _parts(item.old):
        old, new = getattr(item.old, name), getattr(item.new, name)
        if name in FOLLOWING or bare(old) == bare(new):
            continue
        members = list(_member_edits(item, name, part)) if part.members else []
        if members:
            found.extend(members)
        elif part.members == "any order":
            found.append(_edit(item, f"order of {part.label}s", said(old), said(new), field=name, plays=False))
        else:
            found.append(_edit(item, part.label, *_told(old, new), field=name, plays=part.plays))
    if not any(edit.plays for edit in found) and not any(edit.field in {"when", "then", "event", "choose"} for edit in found):
        names = [name for name, _ in _parts(item.old) if name in FOLLOWING]
        for name in (*names, *(("shape", "kinds") if not found else ())):
            old, new = getattr(item.old, name, None), getattr(item.new, name, None)
            if bare(old) != bare(new):
                found.append(_edit(item, name, *_told(old, new), field=name))
    yield from found


def _member_edits(item: Item, name: str, part: Part) -> Iterator[Edit]:
    for place, slot in enumerate(item.slots[name]):
        if slot.old is not None and slot.new is not None and bare(slot.old) == bare(slot.new):
            continue
        if part.members == "mapping" or not part.members:
            label, old, new = _named_member(part, slot)
        else:
            label, old, new = part.label, slot.old, slot.new
        where = getattr(old if new is None else new, "place", NOWHERE)
        yield _edit(item, label, *_told(old, new, absent=True), field=name, slot=place, plays=part.plays, place=where)


def _named_member(part: Part, slot: Slot) -> tuple[str, Any, Any]:
    pair = slot.new if slot.new is not None else slot.old
    return f"{part.label} `{pair[0]}`", None if slot.old is None else slot.old[1], None if slot.new is None else slot.new[1]


def _told(old: Any, new: Any, *, absent: bool = False) -> tuple[str, str]:
    """Both sides as text, told apart even where the words are the same."""
    before = "" if absent and old is None else said(old)
    after = "" if absent and new is None else said(new)
    if before == after or (not absent and not (before and after)):
        before, after = before or "nothing", after or "nothing"
    return (before, after) if before != after else (f"{before} {bare(old)}", f"{after} {bare(new)}")


def _edit(
    item: Item,
    part: str,
    before: str,
    after: str,
    *,
    field: str = "",
    slot: Hashable = None,
    plays: bool = True,
    place: Place = NOWHERE,
) -> Edit:
    kind, name = _called(item)
    plays = plays and kind not in SHOWN
    there = [one for one in (item.old, item.new) if one is not None]
    cites = [number for one in there for number in getattr(one, "cites", ())]
    if kind == "printed rule":
        cites = [item.key[1]]
    found = place if place != NOWHERE else getattr(there[-1], "place", NOWHERE)
    return Edit(kind, name, part, before, after, tuple(dict.fromkeys(cites)), found, plays, item.key, field, slot)


def _called(item: Item) -> Key:
    """What a thing is called: frames are their procedures', and settings are no template to a designer."""
    kind, name = item.key
    one = item.new if item.new is not None else item.old
    if isinstance(one, Template):
        kind = {"frame": "procedure", "event": "event"}.get(one.kind, "template")
        kind = "setting" if name == "settings" else kind
    return kind, name


def _whole(one: Any) -> str:
    """All of a thing in a few words."""
    match one:
        case Rule() | Definition() | Invariant():
            then = f" → {'; '.join(said(part) for part in one.then)}" if isinstance(one, Rule) else ""
            heard = [f"after {said(one.event)}"] if isinstance(one, Rule) and one.event is not None else []
            return "; ".join((*heard, *(said(part) for part in one.when))) + then or "always"
        case Template():
            return said(one.fields)
        case Procedure():
            return f"steps {said(one.steps)}"
        case Step():
            return "together" if one.together else "one at a time"
    return said(one) or "nothing"


# ------------------------------------------------------------------------------------------------ the ruleset


def _ruleset_edits(old: Ruleset, new: Ruleset, renamed: Mapping[str, str]) -> Iterator[Edit]:
    for name in ("name", "version", "edition"):
        before, after = getattr(old, name), getattr(new, name)
        if before != after:
            yield Edit("ruleset", new.name, name, before or "nothing", after or "nothing", plays=False, item=("ruleset", name))
    first, second = (next(iter(one.modes), "") for one in (old, new))
    if list(old.modes) != list(new.modes) and set(old.modes) == set(new.modes):
        yield Edit(
            "ruleset",
            new.name,
            "order of modes",
            said(list(old.modes)),
            said(list(new.modes)),
            plays=first != second,
            item=("modes", ORDER),
        )
    were = [renamed.get(rule.id, rule.id) for rule in _declared(old)]
    are = [rule.id for rule in _declared(new)]
    before_, after_ = [name for name in were if name in are], [name for name in are if name in were]
    if before_ != after_:
        moved = list(_moved(before_, after_))
        yield Edit("ruleset", new.name, "order of rules", _beside(before_, moved), _beside(after_, moved), item=("rules", ORDER))


def _declared(ruleset: Ruleset) -> list[Rule]:
    return sorted(ruleset.rules, key=lambda rule: rule.number)


def _moved(before: list[str], after: list[str]) -> Iterator[str]:
    """The fewest names that stand elsewhere."""
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    kept = {name for block in matcher.get_matching_blocks() for name in before[block.a : block.a + block.size]}
    yield from (name for name in after if name not in kept)


def _beside(names: list[str], moved: list[str]) -> str:
    """Where the names that moved stand in a list."""
    places = [(names[names.index(name) - 1] if names.index(name) else "", name) for name in moved]
    return ", ".join(f"{name} after {other}" if other else f"{name} first" for other, name in places)
