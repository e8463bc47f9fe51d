"""Types in the words of a message, and which of them a value can be of together."""

from __future__ import annotations

from riftrules.facts.types import BoolType, IntType, ListType, MapType, RefType, SetType, TextType, Type, WordType


def comparable(one: Type, other: Type) -> bool:
    """Whether a value can be of both types."""
    match one, other:
        case (RefType(template), RefType(template_other)):
            return template == template_other or bool(set(one.words) & set(other.words))
        case (WordType(words), WordType(others)):
            return bool(set(words) & set(others))
        case (TextType() | WordType() | RefType(), TextType() | WordType() | RefType()):
            return True
    return type(one) is type(other)


def type_name(type_: Type) -> str:
    """A type in the words of a message."""
    match type_:
        case RefType(template):
            return f"a {template}"
        case WordType(words):
            return f"one of {', '.join(words)}"
        case SetType():
            return "a set"
        case ListType():
            return "a list"
        case MapType():
            return "a map"
        case IntType():
            return "a number"
        case BoolType():
            return "true or false"
        case TextType():
            return "a text"
    return "a list of procedures"
