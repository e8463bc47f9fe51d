"""What kind of thing stands behind a key of a document: a text, a number, keys with values, or what is read elsewhere."""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, WithJsonSchema

from riftrules.source import Entries, Items, Scalar

FLAGS = ("true", "false")


def _text(node: Any) -> Any:
    if isinstance(node, Scalar):
        if not node.text and not node.quoted:
            message = "a text is missing here"
            raise ValueError(message)
        return node.text
    message = "one text belongs here"
    raise ValueError(message)


def _texts(node: Any) -> Any:
    if isinstance(node, Items):
        return tuple(_text(item) for item in node.items)
    return (_text(node),)


def _flag(node: Any) -> Any:
    if isinstance(node, Scalar) and not node.quoted and node.text in FLAGS:
        return node.text == "true"
    message = "`true` or `false` belongs here"
    raise ValueError(message)


def _number(node: Any) -> Any:
    if isinstance(node, Scalar) and not node.quoted and re.fullmatch(r"-?[0-9]{1,9}", node.text):
        return int(node.text)
    message = "a whole number belongs here"
    raise ValueError(message)


def _entries(node: Any) -> Any:
    if isinstance(node, Entries):
        return node
    if isinstance(node, Scalar) and not node.text and not node.quoted:
        return Entries((), node.place)
    message = "keys with values belong here"
    raise ValueError(message)


def _items(node: Any) -> Any:
    if isinstance(node, Items):
        return node
    message = "a list belongs here"
    raise ValueError(message)


def _conditions(node: Any) -> Any:
    return node.items if isinstance(node, Items) else (node,)


Text = Annotated[str, BeforeValidator(_text, json_schema_input_type=str)]
Line = Annotated[Text, AfterValidator(lambda text: " ".join(text.split()))]
"""A text in one line, however it is broken."""
Texts = Annotated[tuple[str, ...], BeforeValidator(_texts)]
Flag = Annotated[bool, BeforeValidator(_flag)]
Number = Annotated[int, BeforeValidator(_number)]
Keyed = Annotated[Entries, BeforeValidator(_entries), WithJsonSchema({"type": "object"})]
Listed = Annotated[Items, BeforeValidator(_items), WithJsonSchema({"type": "array"})]
Anything = Annotated[Any, WithJsonSchema({})]
Conditions = Annotated[tuple[Any, ...], BeforeValidator(_conditions), WithJsonSchema({"$ref": "#/$defs/conditions"})]
Consequents = Annotated[tuple[Any, ...], BeforeValidator(_conditions), WithJsonSchema({"$ref": "#/$defs/consequents"})]
FieldsShape = Annotated[Entries, BeforeValidator(_entries), WithJsonSchema({"$ref": "#/$defs/fields"})]
