"""Says what grows from pass to pass in a run that does not end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TypeAlias

from riftrules.facts.trace import FieldRead, Firing

Deltas: TypeAlias = Counter[FieldRead]


def growth(firings: Iterable[Firing]) -> str:
    """A number that changes by as much in each of the last two whole passes, in words; empty where there is none.

    The passes are those of the frame with the most of them.
    """
    found = list(firings)
    frame = max(found, key=lambda firing: firing.pass_number, default=None)
    if frame is None:
        return ""
    whole = _passes(found, frame.frame)[1:-1]
    if len(whole) < 2:
        return ""
    earlier, later = whole[-2:]
    for template, id_, field in sorted(later):
        by = later[template, id_, field]
        if by and by == earlier[template, id_, field]:
            return f"`{field}` of {template} `{id_}` {'grows' if by > 0 else 'falls'} by {abs(by)} a pass"
    return ""


def _passes(firings: list[Firing], frame: str) -> list[Deltas]:
    """By how much each number changes in each pass of the frame, with what other frames do meanwhile."""
    passes: list[Deltas] = [Counter()]
    number = 0
    for firing in firings:
        if firing.frame == frame and firing.pass_number != number:
            number = firing.pass_number
            passes.append(Counter())
        for change in firing.changes:
            for field, before, after in change.fields():
                if _is_number(before) and _is_number(after):
                    passes[-1][change.fact.template, change.fact.id, field] += after - before
    return passes


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
