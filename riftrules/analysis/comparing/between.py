"""Finds the edits between two rulesets, as changes of rules and not of lines."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from riftrules.analysis.comparing.bare import alike, bare
from riftrules.analysis.comparing.edits import WHOLE, Edit, Found, Item, Key, Slot
from riftrules.analysis.comparing.ordering import ruleset_edits
from riftrules.analysis.comparing.parts import FOLLOWING, SHOWN, Part, item_of, parts
from riftrules.analysis.comparing.wording import said
from riftrules.errors import NOWHERE, Place
from riftrules.language.model import Definition, Invariant, Procedure, Rule, Ruleset, Step, Template


def edits_between(old: Ruleset, new: Ruleset) -> Found:
    """Every difference in what two rulesets say."""
    renamed = _renamed(old, new)
    items: dict[Key, Item] = {}
    edits: list[Edit] = []
    for kind, olds, news in _kinds(old, new, renamed):
        for name in (*olds, *(name for name in news if name not in olds)):
            item = item_of((kind, name), olds.get(name), news.get(name))
            items[item.key] = item
            edits.extend(_item_edits(item))
    edits.extend(ruleset_edits(old, new, renamed))
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
        if not alike(old, new):
            yield _edit(item, "content", said(old), said(new), plays=False)
    else:
        yield from _part_edits(item)


def _part_edits(item: Item) -> Iterator[Edit]:
    """The edits of a thing that is there on both sides; what follows from other parts is said only where those are the same."""
    found: list[Edit] = []
    for name, part in parts(item.old):
        old, new = getattr(item.old, name), getattr(item.new, name)
        if name in FOLLOWING or alike(old, new):
            continue
        members = list(_member_edits(item, name, part)) if part.members else []
        if members:
            found.extend(members)
        elif part.members == "any order":
            found.append(_edit(item, f"order of {part.label}s", said(old), said(new), field=name, plays=False))
        else:
            found.append(_edit(item, part.label, *_told(old, new), field=name, plays=part.plays))
    if not any(edit.plays for edit in found) and not any(edit.field in {"when", "then", "event", "choose"} for edit in found):
        names = [name for name, _ in parts(item.old) if name in FOLLOWING]
        for name in (*names, *(("shape", "kinds") if not found else ())):
            old, new = getattr(item.old, name, None), getattr(item.new, name, None)
            if not alike(old, new):
                found.append(_edit(item, name, *_told(old, new), field=name))
    yield from found


def _member_edits(item: Item, name: str, part: Part) -> Iterator[Edit]:
    for place, slot in enumerate(item.slots[name]):
        if slot.old is not None and slot.new is not None and alike(slot.old, slot.new):
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
