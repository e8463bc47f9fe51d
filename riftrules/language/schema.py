"""JSON Schemas for editors: what may stand in each file of a ruleset and in a fixture.

With a ruleset they know its templates, fields, steps, events, procedures, definitions and rules, so that an editor
completes names; without one they know the language alone.
"""

from __future__ import annotations

from collections.abc import Iterable

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
from riftrules.language.schema_fixtures import fixture_schema
from riftrules.language.schema_parts import (
    SCALAR,
    TEXT,
    TEXTS,
    Schema,
    cites_of,
    list_of,
    map_of,
    of_kinds,
    one_of_names,
    ref_to,
    tests_of,
)
from riftrules.language.written import COMPANIONS

DRAFT = "https://json-schema.org/draft/2020-12/schema"


def schemas(ruleset: Ruleset | None = None) -> dict[str, Schema]:
    """The schemas by file name: `ruleset`, `rules` (templates, rules and cards), `rulebook`, `view` and `fixture`."""
    parts = _parts(ruleset)
    found = {
        "ruleset": _document(
            RulesetDocument, settings=map_of({}), modes=map_of({}), steps=ref_to("steps"), procedures=ref_to("procedures")
        ),
        "rules": _document(
            TopicDocument,
            templates=map_of(ref_to("template")),
            events=map_of(ref_to("fields")),
            definitions=list_of(ref_to("definition")),
            rules=list_of(ref_to("rule")),
            invariants=list_of(ref_to("invariant")),
            steps=ref_to("steps"),
            procedures=ref_to("procedures"),
        ),
        "rulebook": _document(RulebookDocument, rulebook=list_of(ref_to("printed"))),
        "view": _document(ViewDocument, view=map_of({})),
        "fixture": fixture_schema(ruleset),
    }
    return {name: {"$schema": DRAFT, "title": f"riftrules {name}", **schema, "$defs": parts} for name, schema in found.items()}


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
    conditions = {"anyOf": [ref_to("condition"), list_of(ref_to("condition"))]}
    rule = _document(
        RuleShape,
        step=one_of_names(steps),
        after=_heads(of_kinds(ruleset, "event"), ref_to("tests")),
        when=ref_to("conditions"),
        then={"anyOf": [ref_to("consequent"), list_of(ref_to("consequent"))]},
        choose=_document(ChooseShape, by=TEXT),
        cites=cites_of(ruleset),
    )
    return {
        "fields": map_of(ref_to("field")),
        "field": {"type": "object", "properties": {name: {} for name in (*TYPES, *_FIELD_KEYS)}, "additionalProperties": False},
        "template": _document(TemplateShape, fields=ref_to("fields"), derived=map_of(list_of(ref_to("case")))),
        "case": _document(CaseShape, when=ref_to("conditions"), value=TEXT),
        "procedures": map_of(_document(ProcedureShape, fields=ref_to("fields"), cites=cites_of(ruleset))),
        "steps": map_of(_document(StepShape, cites=cites_of(ruleset))),
        "definition": _document(DefinitionShape, when=ref_to("conditions")),
        "invariant": _document(InvariantShape, when=ref_to("conditions")),
        "printed": _document(PrintedShape),
        "rule": rule,
        "conditions": conditions,
        "condition": _condition(ruleset),
        "consequent": _consequent(ruleset),
        "tests": {"type": ["object", "null"], "additionalProperties": SCALAR},
    }


_FIELD_KEYS = ("or", "at most", "to", "default", "optional", "internal", "says")


def _heads(templates: Iterable[Template], value: Schema, verb: str = "") -> Schema:
    """An object with one key: a template's name, perhaps with a verb before it or a variable behind it."""
    found = list(templates)
    if not found:
        return {"type": "object"}
    properties = {f"{verb}{template.name}": tests_of(template) for template in found}
    patterns = {f"^{verb}{template.name} \\$[A-Za-z][\\w-]*$": tests_of(template) for template in found}
    return {
        "type": "object",
        "properties": properties,
        "patternProperties": patterns,
        "minProperties": 1,
        "maxProperties": 1,
        "$comment": value["$ref"],
    }


def _condition(ruleset: Ruleset | None) -> Schema:
    definitions = list(ruleset.definitions) if ruleset else []
    body = {"anyOf": [ref_to("condition"), list_of(ref_to("condition"))]}
    known: Schema = {name: TEXT if name in {"sum", "each", "where"} else body for name in COMPANIONS}
    known |= {"over": body, "has": body, "as": TEXTS} | dict.fromkeys(definitions, TEXTS)
    templates = of_kinds(ruleset, "standing", "singleton", "frame", "event")
    for template in templates:
        known[template.name] = tests_of(template)
    patterns = {f"^{template.name} \\$[A-Za-z][\\w-]*$": tests_of(template) for template in templates}
    strict: Schema = {"additionalProperties": False} if ruleset else {}
    return {
        "anyOf": [{"type": "object", "properties": known, "patternProperties": patterns, **strict}, one_of_names(definitions)]
    }


def _consequent(ruleset: Ruleset | None) -> Schema:
    plain = {
        "type": "string",
        "pattern": r"^(end game|(retract|leave|refuse) \$[A-Za-z][\w-]*|begin each of .+|(begin|due|emit|assert) \S+)$",
    }
    if ruleset is None:
        pattern = "^(" + "|".join(VERBS) + ")"
        return {"anyOf": [plain, {"type": "object", "patternProperties": {pattern: {}}, "additionalProperties": False}]}
    properties: Schema = {}
    patterns: Schema = {r"^modify \$[A-Za-z][\w-]*$": map_of({}), r"^ask \$": TEXTS}
    for verb, kinds in (("assert", ("standing", "singleton")), ("emit", ("event",)), ("begin", ("frame",)), ("due", ("frame",))):
        for template in of_kinds(ruleset, *kinds):
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
