"""Which consequents of a rule did something in a run, and which there are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from riftrules.errors import Place
from riftrules.facts.trace import Firing
from riftrules.language.model import (
    AskFor,
    Assert,
    Begin,
    BeginEach,
    Consequent,
    Emit,
    EndGame,
    Leave,
    Modify,
    Refuse,
    Retract,
    Rule,
    Ruleset,
)
from riftrules.language.saying import say

Doing: TypeAlias = tuple[str, int, int]
"""A rule, the place of a consequent in it, and of the field it sets (0 where it sets none)."""


@dataclass(frozen=True, slots=True)
class Done:
    """One thing a rule does: a consequent, or one field that it sets."""

    key: Doing
    text: str
    place: Place


def doings(ruleset: Ruleset) -> Iterator[Done]:
    """Everything the rules do."""
    for rule in ruleset.rules:
        for place, said in enumerate(rule.then):
            if isinstance(said, Modify) and len(said.changes) > 1:
                for number, change in enumerate(said.changes):
                    yield Done((rule.id, place, number), f"modify {say(said.target)}: {{{say(change)}}}", said.place)
            else:
                yield Done((rule.id, place, 0), say(said), said.place)


def consequents_done(ruleset: Ruleset, firings: Iterable[Firing], fired: Iterable[str]) -> set[Doing]:
    """What was done in a run in which these rules fired (those that only ask or refuse among them)."""
    rules = {rule.id: rule for rule in ruleset.rules}
    found = {(name, 0, 0) for name in fired if isinstance(rules[name].then[0], AskFor | Refuse)}
    for firing in firings:
        rule = rules[firing.rule]
        found.update((rule.id, place, number) for place, number in _done(rule, firing))
    return found


def _done(rule: Rule, firing: Firing) -> Iterator[tuple[int, int]]:
    bindings = dict(firing.bindings)
    for place, said in enumerate(rule.then):
        if isinstance(said, Modify):
            id_ = said.target.variable if said.target.singleton else bindings.get(said.target.variable)
            changed = _changed(firing, said.template, id_)
            yield from ((place, number) for number, change in enumerate(said.changes) if change.field in changed)
        elif _did(said, firing, bindings):
            yield place, 0


def _changed(firing: Firing, template: str, id_: object) -> set[str]:
    """The fields of a fact that the firing set to another value."""
    return {
        name
        for change in firing.changes
        if (change.fact.template, change.fact.id) == (template, id_)
        for name, _, _ in change.fields()
    }


def _did(said: Consequent, firing: Firing, bindings: dict[str, object]) -> bool:
    match said:
        case Assert(template):
            return any(change.fact.template == template and change.after is not None for change in firing.changes)
        case Retract(target, template):
            gone = (template, target.variable if target.singleton else bindings.get(target.variable))
            return any(change.after is None and (change.fact.template, change.fact.id) == gone for change in firing.changes)
        case Emit(event):
            return any(one.template == event for one in firing.emitted)
        case Begin(procedure, _, due):
            return any(procedure_of(frame) == procedure for frame in (firing.due if due else firing.begun))
        case BeginEach():
            return bool(firing.begun)
        case Leave():
            return bool(firing.left)
        case EndGame():
            return firing.ends_game
    return False


def procedure_of(frame: str) -> str:
    """The procedure a frame is of, by its id."""
    return frame.rpartition("-")[0]
