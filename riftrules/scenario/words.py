"""Says values and steps of a run in the words a designer types."""

from __future__ import annotations

from collections.abc import Sequence

from riftrules.facts.memory import Fact
from riftrules.facts.trace import Firing, Refusal, Waiting
from riftrules.facts.types import Call, Value, value_order


def said(value: Value) -> str:
    """A value as a fixture would write it."""
    match value:
        case None:
            return "none"
        case bool():
            return "true" if value else "false"
        case frozenset():
            return f"[{', '.join(said(member) for member in sorted(value, key=value_order))}]"
        case tuple() if value and all(isinstance(item, tuple) and len(item) == PAIR for item in value):
            return f"{{{', '.join(f'{said(key)}: {said(number)}' for key, number in value)}}}"
        case tuple():
            return f"[{', '.join(said(item) for item in value)}]"
        case Call(procedure, fields):
            return f"{{{procedure}: {{{', '.join(f'{name}: {said(item)}' for name, item in fields)}}}}}"
    return str(value)


PAIR = 2


def listed(names: Sequence[str]) -> str:
    """Names in backticks, with commas."""
    return ", ".join(f"`{name}`" for name in names)


def named(fact: Fact) -> str:
    """A fact by template and id; a singleton by its template alone."""
    return fact.template if fact.id == fact.template else f"{fact.template} {fact.id}"


def said_fields(pairs: Sequence[tuple[str, Value]]) -> str:
    """Fields with their values, without braces."""
    return ", ".join(f"{name}: {said(value)}" for name, value in pairs)


def said_waiting(waiting: Waiting) -> str:
    """What a session waits for."""
    match waiting.kind:
        case "asked":
            return "; ".join(f"{said(ask.player)} is asked for {listed(ask.requests)}" for ask in waiting.asks)
        case "choosing" if waiting.choice is not None:
            options = [said(option) for option in waiting.choice.options] + (["none"] if waiting.choice.optional else [])
            return f"{said(waiting.choice.by)} is to choose {listed(options)} for rule `{waiting.choice.rule}`"
        case "over":
            return "the game is over"
    return "any request may be made"


def said_refusal(refusal: Refusal) -> str:
    """By what a request was refused."""
    rules = [f"`{one.rule}`" + (f" ({', '.join(one.cites)})" if one.cites else "") for one in refusal.rules]
    by = f"refused by {', '.join(rules)}" if rules else ""
    return ": ".join(part for part in (by or "refused", refusal.reason) if part)


def said_firing(firing: Firing) -> str:
    """A firing on one line: its number, rule, citations and what it did."""
    cites = f" [{', '.join(firing.cites)}]" if firing.cites else ""
    done = "; ".join(effects(firing))
    return f"{firing.number}. {firing.rule}{cites}" + (f": {done}" if done else "")


def effects(firing: Firing) -> list[str]:
    """What a firing did, each thing in a few words."""
    found: list[str] = []
    for change in firing.changes:
        if change.before is not None and change.after is not None:
            subject = named(change.fact)
            found.extend(f"{subject}.{name} {said(before)} → {said(after)}" for name, before, after in change.fields())
        elif change.after is not None:
            found.append(f"+ {_with_fields(change.after)}")
        else:
            found.append(f"- {named(change.fact)}")
    found.extend(f"event {_with_fields(event)}" for event in firing.emitted)
    found.extend(f"begins {frame}" for frame in firing.begun)
    found.extend(f"due {frame}" for frame in firing.due)
    found.extend(f"leaves {frame}" for frame in firing.left)
    return [*found, "ends the game"] if firing.ends_game else found


def _with_fields(fact: Fact) -> str:
    return f"{named(fact)} {{{said_fields([pair for pair in fact.values.items() if pair[1] is not None])}}}"
