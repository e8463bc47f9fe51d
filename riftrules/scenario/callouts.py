"""Reads a scenario's `callouts`: what its author points at on the board that is given, for those who learn from it."""

from __future__ import annotations

from riftrules.language.problems import near
from riftrules.scenario.expecting import Names
from riftrules.source import Entries, Node, Scalar


def callouts_of(node: Node | None, names: Names) -> tuple[tuple[str, str, str], ...]:
    """(template, id, what is said) in the order written, after telling every problem."""
    if not isinstance(node, Entries):
        return ()
    found = []
    for key, value in node.pairs:
        template, _, id_ = key.text.partition(" ")
        named = id_.strip() or template
        known = names.ids.get(template, ())
        if not isinstance(value, Scalar) or not value.text:
            names.problems.say(value.place, "shape", "a callout is a text: `TEMPLATE NAME: what there is to see`")
        elif named not in known:
            hint = near(named, known) if known else near(template, names.ids)
            said, of = f"`{key.text}` names no fact given", ("fact", f"{template} {named}")
            names.problems.unknown(key.place, "unknown-fact", said, hint, name=of)
        else:
            found.append((template, named, value.text))
    return tuple(found)
