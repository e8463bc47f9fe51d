"""JSON Schemas for editors: what may stand in each file of a ruleset and in a fixture.

With a ruleset they know its templates, fields, steps, events, procedures, definitions and rules, so that an editor
completes names; without one they know the language alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

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
from riftrules.language.consequents import VERBS
from riftrules.language.documents import (
    CaseShape,
    ChooseShape,
    DefinitionShape,
    Document,
    InvariantShape,
    PrintedShape,
    ProcedureShape,
    RulebookDocument,
    RulesetDocument,
    RuleShape,
    StepShape,
    TemplateShape,
    TopicDocument,
    ViewDocument,
)
from riftrules.language.fields import TYPES
from riftrules.language.model import Ruleset, Template
from riftrules.language.written import COMPANIONS

Schema: TypeAlias = dict[str, Any]

DRAFT = "https://json-schema.org/draft/2020-12/schema"
SCALAR: Schema = {"type": ["string", "number", "boolean", "null"]}
TEXT: Schema = {"type": ["string", "number", "boolean"]}
TEXTS: Schema = {"anyOf": [TEXT, {"type": "array", "items": TEXT}]}


def schemas(ruleset: Ruleset | None = None) -> dict[str, Schema]:
    """The schemas by file name: `ruleset`, `rules` (templates, rules and cards), `rulebook`, `view` and `fixture`."""
    parts = _parts(ruleset)
    found = {
        "ruleset": _document(
            RulesetDocument, settings=_map({}), modes=_map({}), steps=_ref("steps"), procedures=_ref("procedures")
        ),
        "rules": _document(
            TopicDocument,
            templates=_map(_ref("template")),
            events=_map(_ref("fields")),
            definitions=_list(_ref("definition")),
            rules=_list(_ref("rule")),
            invariants=_list(_ref("invariant")),
            steps=_ref("steps"),
            procedures=_ref("procedures"),
        ),
        "rulebook": _document(RulebookDocument, rulebook=_list(_ref("printed"))),
        "view": _document(ViewDocument, view=_map({})),
        "fixture": _fixture(ruleset),
    }
    return {name: {"$schema": DRAFT, "title": f"riftrules {name}", **schema, "$defs": parts} for name, schema in found.items()}


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _map(of: Schema) -> Schema:
    return {"type": ["object", "null"], "additionalProperties": of}


def _list(of: Schema) -> Schema:
    return {"type": "array", "items": of}


def _document(shape: type[Document], **known: Schema) -> Schema:
    """The schema of a shape: its keys, which of them are needed, and what is known of each."""
    properties: Schema = {}
    for name, field in shape.model_fields.items():
        properties[field.alias or name] = known.get(name) or _guess(shape, name)
    needed = [field.alias or name for name, field in shape.model_fields.items() if field.is_required()]
    schema: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
    if shape.__doc__:
        schema["description"] = shape.__doc__
    return {**schema, "required": needed} if needed else schema


def _guess(shape: type[Document], name: str) -> Schema:
    """The schema of a key, from the type of its field."""
    said = str(shape.model_fields[name].annotation)
    if "bool" in said:
        return {"type": "boolean"}
    if "int" in said:
        return {"type": "integer"}
    if "tuple" in said:
        return TEXTS
    return TEXT if "str" in said else {}


def _parts(ruleset: Ruleset | None) -> dict[str, Schema]:
    steps = sorted({*ruleset.steps}) if ruleset else []
    conditions = {"anyOf": [_ref("condition"), _list(_ref("condition"))]}
    rule = _document(
        RuleShape,
        step=_names(steps),
        after=_heads(_kind(ruleset, "event"), _ref("tests")),
        when=_ref("conditions"),
        then={"anyOf": [_ref("consequent"), _list(_ref("consequent"))]},
        choose=_document(ChooseShape, by=TEXT),
        cites=_cites(ruleset),
    )
    return {
        "fields": _map(_ref("field")),
        "field": {"type": "object", "properties": {name: {} for name in (*TYPES, *_FIELD_KEYS)}, "additionalProperties": False},
        "template": _document(TemplateShape, fields=_ref("fields"), derived=_map(_list(_ref("case")))),
        "case": _document(CaseShape, when=_ref("conditions"), value=TEXT),
        "procedures": _map(_document(ProcedureShape, fields=_ref("fields"), cites=_cites(ruleset))),
        "steps": _map(_document(StepShape, cites=_cites(ruleset))),
        "definition": _document(DefinitionShape, when=_ref("conditions")),
        "invariant": _document(InvariantShape, when=_ref("conditions")),
        "printed": _document(PrintedShape),
        "rule": rule,
        "conditions": conditions,
        "condition": _condition(ruleset),
        "consequent": _consequent(ruleset),
        "tests": {"type": ["object", "null"], "additionalProperties": SCALAR},
    }


_FIELD_KEYS = ("or", "at most", "to", "default", "optional", "internal", "says")


def _kind(ruleset: Ruleset | None, *kinds: str) -> list[Template]:
    return [template for template in ruleset.templates.values() if template.kind in kinds] if ruleset else []


def _names(names: Iterable[str]) -> Schema:
    """One of these names where there are any; any text else."""
    known = list(names)
    return {"enum": known} if known else TEXT


def _cites(ruleset: Ruleset | None) -> Schema:
    known = list(ruleset.rulebook) if ruleset else []
    return {"anyOf": [_names(known), _list(_names(known))]} if known else TEXTS


def _heads(templates: Iterable[Template], value: Schema, verb: str = "") -> Schema:
    """An object with one key: a template's name, perhaps with a verb before it or a variable behind it."""
    found = list(templates)
    if not found:
        return {"type": "object"}
    properties = {f"{verb}{template.name}": _tests(template) for template in found}
    patterns = {f"^{verb}{template.name} \\$[A-Za-z][\\w-]*$": _tests(template) for template in found}
    return {
        "type": "object",
        "properties": properties,
        "patternProperties": patterns,
        "minProperties": 1,
        "maxProperties": 1,
        "$comment": value["$ref"],
    }


def _tests(template: Template) -> Schema:
    names = [*template.fields, *template.derived, "id"]
    return {"type": ["object", "null"], "properties": {name: {} for name in names}, "additionalProperties": False}


def _condition(ruleset: Ruleset | None) -> Schema:
    definitions = list(ruleset.definitions) if ruleset else []
    body = {"anyOf": [_ref("condition"), _list(_ref("condition"))]}
    known: Schema = {name: TEXT if name in {"sum", "each", "where"} else body for name in COMPANIONS}
    known |= {"over": body, "has": body, "as": TEXTS} | dict.fromkeys(definitions, TEXTS)
    templates = _kind(ruleset, "standing", "singleton", "frame", "event")
    for template in templates:
        known[template.name] = _tests(template)
    patterns = {f"^{template.name} \\$[A-Za-z][\\w-]*$": _tests(template) for template in templates}
    strict: Schema = {"additionalProperties": False} if ruleset else {}
    return {"anyOf": [{"type": "object", "properties": known, "patternProperties": patterns, **strict}, _names(definitions)]}


def _consequent(ruleset: Ruleset | None) -> Schema:
    plain = {
        "type": "string",
        "pattern": r"^(end game|(retract|leave|refuse) \$[A-Za-z][\w-]*|begin each of .+|(begin|due|emit|assert) \S+)$",
    }
    if ruleset is None:
        pattern = "^(" + "|".join(VERBS) + ")"
        return {"anyOf": [plain, {"type": "object", "patternProperties": {pattern: {}}, "additionalProperties": False}]}
    properties: Schema = {}
    patterns: Schema = {r"^modify \$[A-Za-z][\w-]*$": _map({}), r"^ask \$": TEXTS}
    for verb, kinds in (("assert", ("standing", "singleton")), ("emit", ("event",)), ("begin", ("frame",)), ("due", ("frame",))):
        for template in _kind(ruleset, *kinds):
            fields = _given(template)
            properties[f"{verb} {template.name}"] = fields
            if verb == "assert":
                patterns[f"^assert {template.name} \\$[A-Za-z][\\w-]*$"] = fields
                patterns[f"^assert {template.name}( \\$[A-Za-z][\\w-]*)? within \\$[A-Za-z][\\w-]*$"] = fields
    known = {
        "type": "object",
        "properties": properties,
        "patternProperties": patterns,
        "additionalProperties": False,
        "maxProperties": 1,
    }
    return {"anyOf": [plain, known]}


def _given(template: Template) -> Schema:
    """The fields of a fact, event or frame: any expression may stand for each."""
    return {"type": ["object", "null"], "properties": {name: {} for name in template.fields}, "additionalProperties": False}


# ------------------------------------------------------------------------------------------------ fixtures


def _fixture(ruleset: Ruleset | None) -> Schema:
    given = _given_facts(ruleset)
    one: Schema = {
        "type": "object",
        "properties": {
            "scenario": TEXT,
            "id": TEXT,
            "cites": _cites(ruleset),
            "ruleset": TEXT,
            "mode": _names(ruleset.modes) if ruleset else TEXT,
            "says": TEXT,
            "note": TEXT,
            "skip": TEXT,
            "uses": TEXT,
            "lenient": {"type": "boolean"},
            "any_order": {"type": "boolean"},
            "callouts": _map(TEXT),
            "given": given,
            "when": _list(_item(ruleset)),
            "then": _expected(ruleset),
        },
    }
    return {**one, "properties": {**one["properties"], "scenarios": _list(one)}, "additionalProperties": False}


def _given_facts(ruleset: Ruleset | None) -> Schema:
    if ruleset is None:
        return {"type": "object"}
    properties: Schema = {"stack": {"type": "array"}}
    for template in _kind(ruleset, "standing", "singleton"):
        fields = _typed(template)
        many = {"anyOf": [_map(fields), _list(fields)]}
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
            return _list(_value(of))
        case MapType():
            return _map({"type": "integer"})
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
    return {"anyOf": [_names(requests), {"type": "object", "properties": properties, "additionalProperties": False}]}


def _expected(ruleset: Ruleset | None) -> Schema:
    if ruleset is None:
        return {"type": "object"}
    rules = _names([rule.id for rule in ruleset.rules])
    fired = {"anyOf": [rules, _list(rules), {"type": "object", "additionalProperties": {"type": "integer"}}]}
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
    for template in _kind(ruleset, "standing", "singleton", "frame"):
        patterns[f"^(no )?{template.name}( .+)?$"] = _tests(template)
    return {"type": ["object", "null"], "properties": dict(known), "patternProperties": patterns, "additionalProperties": False}
