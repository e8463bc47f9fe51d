"""The shape of each document: which keys may stand where, and what kind of thing stands behind each.

Pydantic checks the shapes, strict and frozen, with no key beyond those named; what is said in the language itself
(patterns, tests, consequents) passes through as nodes and is read elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from riftrules.errors import Place
from riftrules.language.behind_keys import (
    FLAGS,
    Anything,
    Conditions,
    Consequents,
    FieldsShape,
    Flag,
    Keyed,
    Listed,
    Number,
    Text,
    Texts,
)
from riftrules.language.problems import Problems, misspelt, near
from riftrules.source import Entries, Node, Scalar, place_at


class Document(BaseModel):
    """The base of all shapes."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid", arbitrary_types_allowed=True)


class RulesetDocument(Document):
    """`ruleset.yaml`."""

    name: Text
    version: Text = "0"
    edition: Text = ""
    extends: Text | None = None
    drop: Texts = ()
    cards: Texts = ()
    settings: Keyed | None = None
    modes: Keyed | None = None
    steps: Keyed | None = None
    procedures: Keyed | None = None
    scopes: Keyed | None = None


class TopicDocument(Document):
    """Any other file of a ruleset but the index and the view."""

    templates: Keyed | None = None
    events: Keyed | None = None
    definitions: Listed | None = None
    rules: Listed | None = None
    invariants: Listed | None = None
    procedures: Keyed | None = None
    steps: Keyed | None = None
    scopes: Keyed | None = None


class RulebookDocument(Document):
    """`rulebook.yaml`."""

    rulebook: Listed


class ViewDocument(Document):
    """`view.yaml`."""

    view: Keyed


class TemplateShape(Document):
    """A kind of fact."""

    says: Text = ""
    plural: Text = ""
    symmetric: Flag = False
    singleton: Flag = False
    key: Texts | None = None
    fields: FieldsShape | None = None
    derived: Keyed | None = None
    replaces: Text | None = None


class ProcedureShape(Document):
    """Steps in order."""

    cites: Texts = ()
    says: Text = ""
    note: Text = ""
    house: Flag = False
    request: Flag = False
    yields: Flag = False
    repeat: Text | None = None
    fields: FieldsShape | None = None
    steps: Texts = ()
    then: Text = ""
    replaces: Text | None = None


class StepShape(Document):
    """What a step says of itself."""

    together: Flag = False
    cites: Texts = ()
    says: Text = ""
    note: Text = ""
    replaces: Text | None = None


class RuleShape(Document):
    """One rule."""

    rule: Text
    cites: Texts = ()
    house: Flag = False
    says: Text = ""
    note: Text = ""
    step: Text | None = None
    after: Keyed | None = None
    when: Conditions = ()
    then: Consequents
    choose: Keyed | None = None
    salience: Number = 0
    replaces: Text | None = None


class ChooseShape(Document):
    """Who picks what."""

    by: Anything
    one: Text
    per: Text | None = None
    optional: Flag = False


class DefinitionShape(Document):
    """A condition with a name."""

    define: Text
    cites: Texts = ()
    says: Text = ""
    note: Text = ""
    when: Conditions
    replaces: Text | None = None


class InvariantShape(Document):
    """What never holds while a session waits."""

    invariant: Text
    cites: Texts = ()
    house: Flag = False
    says: Text = ""
    note: Text = ""
    when: Conditions
    replaces: Text | None = None


class PrintedShape(Document):
    """A number of the printed rules."""

    number: Text
    summary: Text
    held: Texts = ()
    status: Text = "implemented"
    reason: Text = ""
    replaces: Text | None = None


class ScopeShape(Document):
    """What a proof covers."""

    says: Text = ""
    mode: Texts = ()
    boards: Keyed
    stack: Listed | None = None
    requests: Anything = None
    effects: Anything = None
    numbers: Number = 2
    ignored: Texts = ()
    depth: Number | None = None
    agreement: Number = 0
    seldom: Texts = ()
    bound: Keyed | None = None


class SupplyShape(Document):
    """Facts of one template on the boards of a scope."""

    count: Text = "1"
    each: Text = ""
    by: Text = ""
    names: Texts = ()
    fields: Keyed | None = None
    dealt: Keyed | None = None


class CaseShape(Document):
    """A case of a derived field."""

    when: Conditions = ()
    value: Anything = Field(alias="is")


Shape = TypeVar("Shape", bound=Document)


def shaped(shape: type[Shape], node: Node, problems: Problems, what: str) -> Shape | None:
    """The node read as this shape, or None after telling every problem. `what` names it in messages: `a rule`."""
    found, whole = shaped_in_part(shape, node, problems, what)
    return found if whole else None


def shaped_in_part(
    shape: type[Shape], node: Node, problems: Problems, what: str, others: Sequence[str] = ()
) -> tuple[Shape | None, bool]:
    """The node read as this shape without the keys that cannot be read, where it can be; and whether all of it could.

    `others` are keys that may have been meant, though they make it another shape.
    """
    if not isinstance(node, Entries):
        problems.say(node.place, "shape", f"{what} is written as keys with values")
        return None, False
    values = {key.text: value for key, value in node.pairs}
    try:
        return shape.model_validate(values), True
    except ValidationError as invalid:
        faults = invalid.errors(include_url=False)
    wrong = {str(fault["loc"][0]) for fault in faults}
    missing = [str(fault["loc"][0]) for fault in faults if fault["type"] == "missing"]
    known = [*(field.alias or name for name, field in shape.model_fields.items()), *others]
    meant = {misspelt(key, missing) for key in values if key not in known}
    for fault in faults:
        if fault["type"] != "missing" or str(fault["loc"][0]) not in meant:  # else it is there, and its misspelling is told
            _tell(fault, known, node, problems, what)
    try:
        return shape.model_validate({key: value for key, value in values.items() if key not in wrong}), False
    except ValidationError:
        return None, False


def _tell(fault: Any, known: Sequence[str], node: Entries, problems: Problems, what: str) -> None:
    key = str(fault["loc"][0])
    if fault["type"] == "extra_forbidden":
        hint = near(key, known, otherwise=False) or HOMES.get(key, "")
        allowed = f"allowed here: {', '.join(f'`{name}`' for name in known)}"
        problems.say(
            _key_place(node, key), "unknown-key", f"unknown key `{key}` in {what}", f"{hint}; {allowed}" if hint else allowed
        )
    elif fault["type"] == "missing":
        problems.say(node.place, "missing-key", f"{what} needs the key `{key}`")
    else:
        said = str(fault.get("ctx", {}).get("error", fault["msg"]))
        value = node.get(key)
        meant = near(value.text, FLAGS, otherwise=False) if isinstance(value, Scalar) and "`true`" in said else ""
        problems.say(place_at(node, key), "shape", f"`{key}`: {said}", meant)


HOMES = {
    "salience": "`salience` stands beside `when` and `then`, in the rule itself",
    "choose": "`choose` stands beside `when` and `then`, in the rule itself",
    "step": "`step` stands in a rule",
    "together": "`together` is said of a step, under `steps`",
    "default": "`default` is said of a field",
    "key": "`key` is said of a template",
    "fields": "`fields` are said of a template or procedure",
}


def _key_place(node: Entries, key: str) -> Place:
    return next((name.place for name, _ in node.pairs if name.text == key), node.place)
