"""The small parts that schemas are made of."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

from riftrules.language.model import Ruleset, Template

Schema: TypeAlias = dict[str, Any]

SCALAR: Schema = {"type": ["string", "number", "boolean", "null"]}
TEXT: Schema = {"type": ["string", "number", "boolean"]}
TEXTS: Schema = {"anyOf": [TEXT, {"type": "array", "items": TEXT}]}


def ref_to(name: str) -> Schema:
    """A part of the schema, by its name."""
    return {"$ref": f"#/$defs/{name}"}


def map_of(of: Schema) -> Schema:
    """Keys with such values."""
    return {"type": ["object", "null"], "additionalProperties": of}


def list_of(of: Schema) -> Schema:
    """A list of such items."""
    return {"type": "array", "items": of}


def one_of_names(names: Iterable[str]) -> Schema:
    """One of these names where there are any; any text else."""
    known = list(names)
    return {"enum": known} if known else TEXT


def of_kinds(ruleset: Ruleset | None, *kinds: str) -> list[Template]:
    """The templates of these kinds."""
    return [template for template in ruleset.templates.values() if template.kind in kinds] if ruleset else []


def cites_of(ruleset: Ruleset | None) -> Schema:
    """Numbers of printed rules."""
    known = list(ruleset.rulebook) if ruleset else []
    return {"anyOf": [one_of_names(known), list_of(one_of_names(known))]} if known else TEXTS


def tests_of(template: Template) -> Schema:
    """Tests of the fields of a template."""
    names = [*template.fields, *template.derived, "id"]
    return {"type": ["object", "null"], "properties": {name: {} for name in names}, "additionalProperties": False}
