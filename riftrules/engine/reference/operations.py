"""What operators do to values: numbers, comparisons, members. None is handed on, or fails a comparison."""

from __future__ import annotations

from collections.abc import Sequence

from riftrules.facts.types import Value


def arithmetic(op: str, left: Value, right: Value, *, strict: bool) -> Value:
    """The number the operator gives. A remainder by 0 raises ZeroDivisionError where `strict`, else it is none."""
    if left is None or right is None:
        return None
    match op:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "greater":
            return max(left, right)
        case "lesser":
            return min(left, right)
    if right == 0 and not strict:
        return None
    return left % right


def compares(op: str, left: Value, right: Value) -> bool:
    """Whether the comparison holds; never of none."""
    if left is None or right is None:
        return False
    match op:
        case "at least":
            return bool(left >= right)
        case "at most":
            return bool(left <= right)
        case "more than":
            return bool(left > right)
    return bool(left < right)


def members(value: Value) -> Sequence[Value]:
    """The members of a set or list, the keys of a map; none has no members."""
    items = tuple(value or ())
    # A list of lists is no type of the language, so pairs are always those of a map.
    return tuple(item[0] for item in items) if items and all(isinstance(item, tuple) for item in items) else items


def distinct(value: Value) -> Sequence[Value]:
    """The members of a set or list, or the pairs of a map, each once; none has none."""
    return tuple(dict.fromkeys(value or ()))
