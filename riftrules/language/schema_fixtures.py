"""The JSON Schema of fixtures."""

from __future__ import annotations

from collections.abc import Mapping

from riftrules.facts.types import (
    BoolType,
    CallsType,
    IntType,
    ListType,
    MapType,
    SetType,
    Type,
    WordType,
)
from riftrules.language.model import Ruleset, Template
from riftrules.language.schema_parts import TEXT, TEXTS, Schema, cites_of, list_of, map_of, of_kinds, one_of_names, tests_of


def fixture_schema(ruleset: Ruleset | None) -> Schema:
    """The schema of a fixture."""
    given = _given_facts(ruleset)
    one: Schema = {
        "type": "object",
        "properties": {
            "scenario": TEXT,
            "id": TEXT,
            "cites": cites_of(ruleset),
            "ruleset": TEXT,
            "mode": one_of_names(ruleset.modes) if ruleset else TEXT,
            "says": TEXT,
            "note": TEXT,
            "skip": TEXT,
            "uses": TEXT,
            "lenient": {"type": "boolean"},
            "any_order": {"type": "boolean"},
            "callouts": map_of(TEXT),
            "given": given,
            "when": list_of(_item(ruleset)),
            "then": _expected(ruleset),
        },
    }
    return {**one, "properties": {**one["properties"], "scenarios": list_of(one)}, "additionalProperties": False}


def _given_facts(ruleset: Ruleset | None) -> Schema:
    if ruleset is None:
        return {"type": "object"}
    properties: Schema = {"stack": {"type": "array"}}
    for template in of_kinds(ruleset, "standing", "singleton"):
        fields = _typed(template)
        many = {"anyOf": [map_of(fields), list_of(fields)]}
        for name in (template.name, template.plural):
            if name:
                properties[name] = fields if template.kind == "singleton" else many
    return {"type": ["object", "null"], "properties": properties, "additionalProperties": False}


def _typed(template: Template) -> Schema:
    properties = {name: _value(field.type) for name, field in template.fields.items()}
    return {"type": ["object", "null"], "properties": properties, "additionalProperties": False}


def _value(type_: Type) -> Schema:
    match type_:
        case IntType(low, high):
            limits = {key: limit for key, limit in (("minimum", low), ("maximum", high)) if limit is not None}
            return {"anyOf": [{"type": "integer", **limits}, {"const": "none"}]}
        case BoolType():
            return {"type": "boolean"}
        case WordType(words):
            return {"enum": [*words, "none"]}
        case SetType(of) | ListType(of):
            return list_of(_value(of))
        case MapType():
            return map_of({"type": "integer"})
        case CallsType():
            return {"type": "array"}
    return TEXT


def _item(ruleset: Ruleset | None) -> Schema:
    properties: Schema = {"expect": _expected(ruleset), "choose": TEXT, "begin": {}, "refused": {"type": "object"}}
    if ruleset is None:
        return {"anyOf": [TEXT, {"type": "object"}]}
    for name, procedure in ruleset.procedures.items():
        if procedure.request:
            properties[name] = {"anyOf": [_typed(ruleset.templates[name]), {"const": "everyone"}]}
    requests = [name for name, procedure in ruleset.procedures.items() if procedure.request]
    return {"anyOf": [one_of_names(requests), {"type": "object", "properties": properties, "additionalProperties": False}]}


def _expected(ruleset: Ruleset | None) -> Schema:
    if ruleset is None:
        return {"type": "object"}
    rules = one_of_names([rule.id for rule in ruleset.rules])
    fired = {"anyOf": [rules, list_of(rules), {"type": "object", "additionalProperties": {"type": "integer"}}]}
    known: Mapping[str, Schema] = {
        "fired": fired,
        "not_fired": fired,
        "events": {},
        "exactly": {"type": "boolean"},
        "waiting": {"enum": ["idle", "asked", "choosing", "over"]},
        "asked": TEXTS,
        "choosing": TEXT,
        "options": TEXTS,
    }
    patterns: Schema = {}
    for template in of_kinds(ruleset, "standing", "singleton", "frame"):
        patterns[f"^(no )?{template.name}( .+)?$"] = tests_of(template)
    return {"type": ["object", "null"], "properties": dict(known), "patternProperties": patterns, "additionalProperties": False}
