"""Says any part of a ruleset on one line: what stood there before an edit, and what stands there after."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from riftrules.facts.types import (
    BoolType,
    Call,
    CallsType,
    IntType,
    ListType,
    MapType,
    RefType,
    SetType,
    TextType,
    Type,
    WordType,
)
from riftrules.language.model import Case, Derived, Field, Hop, Position, Printed
from riftrules.language.saying import say, say_value

TYPES = RefType | IntType | BoolType | TextType | WordType | SetType | ListType | MapType | CallsType


def said(part: Any) -> str:
    """The part as text; the same for parts that say the same."""
    match part:
        case None:
            return "none"
        case str():
            return part
        case bool() | int() | Call():
            return say_value(part)
        case tuple() | list() | frozenset():
            return f"[{', '.join(_sorted([said(one) for one in part], part))}]"
        case Mapping():
            return f"{{{', '.join(f'{key}: {said(part[key])}' for key in sorted(part))}}}"
    return _braced(_type(part)) if isinstance(part, TYPES) else _other(part)


def _sorted(texts: list[str], part: Any) -> list[str]:
    return sorted(texts) if isinstance(part, frozenset) else texts


def _other(part: Any) -> str:
    match part:
        case Field():
            return _field(part)
        case Position():
            return "position"
        case Derived():
            return _derived(part)
        case Printed():
            return part.summary
        case Hop():
            return f"{part.template}.{part.field}"
    try:
        return say(part)
    except TypeError:
        return _fields(part) if is_dataclass(part) else str(part)


def _fields(part: Any) -> str:
    """A part that has no words of its own, by its fields."""
    shown = [(one.name, getattr(part, one.name)) for one in fields(part) if one.name != "place"]
    return f"{{{', '.join(f'{name}: {said(value)}' for name, value in shown if value not in ('', (), None))}}}"


def _braced(text: str) -> str:
    return f"{{{text}}}"


def _type(type_: Type) -> str:
    """A type as a designer writes it, without braces."""
    match type_:
        case RefType(template, words):
            return f"ref: {template}" + (f", or: [{', '.join(words)}]" if words else "")
        case IntType(low, high):
            limits = [f"{name}: {limit}" for name, limit in (("min", low), ("max", high)) if limit is not None]
            return f"int: {{{', '.join(limits)}}}" if limits else "int: any"
        case BoolType():
            return "bool: any"
        case TextType():
            return "text: any"
        case WordType(words):
            return f"one of: [{', '.join(words)}]"
        case SetType(of):
            return f"set: {_inner(of)}"
        case ListType(of, at_most):
            return f"list: {_inner(of)}" + (f", at most: {at_most}" if at_most is not None else "")
        case MapType(key, to):
            return f"map: {_inner(key)}, to: {_braced(_type(to))}"
        case CallsType():
            return "calls: any"


def _inner(type_: Type) -> str:
    return f"[{', '.join(type_.words)}]" if isinstance(type_, WordType) else _braced(_type(type_))


def _field(field: Field) -> str:
    marks = [f"{name}: true" for name in ("optional", "internal") if getattr(field, name)]
    default = [] if field.default is None else [f"default: {said(field.default)}"]
    return _braced(", ".join([_type(field.type), *marks, *default]))


def _derived(derived: Derived) -> str:
    """A derived field by its cases."""
    return " | ".join(_case(case) for case in derived.cases) or "nothing"


def _case(case: Case) -> str:
    when = f"when {'; '.join(say(one) for one in case.when)} " if case.when else ""
    return f"{when}is {say(case.value)}"
