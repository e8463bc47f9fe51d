"""What a ruleset declares, by name, before anything of it is resolved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from riftrules.errors import Place
from riftrules.language.documents import (
    DefinitionShape,
    InvariantShape,
    PrintedShape,
    ProcedureShape,
    RulesetDocument,
    RuleShape,
    StepShape,
    TemplateShape,
)
from riftrules.language.problems import Name
from riftrules.language.vocabulary import Placed
from riftrules.source import Entries, Items, Node, Scalar


@dataclass(slots=True)
class Declared:
    """Everything a ruleset declares, by name, as shapes; what a variant replaces has been replaced."""

    document: RulesetDocument
    place: Place
    templates: dict[str, Placed[TemplateShape]] = field(default_factory=dict)
    events: dict[str, Placed[Entries]] = field(default_factory=dict)
    procedures: dict[str, Placed[ProcedureShape]] = field(default_factory=dict)
    steps: dict[str, Placed[StepShape]] = field(default_factory=dict)
    definitions: dict[str, Placed[DefinitionShape]] = field(default_factory=dict)
    rules: dict[str, Placed[RuleShape]] = field(default_factory=dict)
    invariants: dict[str, Placed[InvariantShape]] = field(default_factory=dict)
    rulebook: dict[str, Placed[PrintedShape]] = field(default_factory=dict)
    settings: list[Entries] = field(default_factory=list)
    modes: list[Entries] = field(default_factory=list)
    scopes: list[Entries] = field(default_factory=list)
    view: list[Entries] = field(default_factory=list)
    files: list[str] = field(default_factory=list)


def places_of(declared: Declared) -> dict[Name, Place]:
    """Where every name is declared, so that a misspelt declaration can be told."""
    known: dict[Name, Place] = {}
    named: tuple[tuple[str, Mapping[str, Placed[Any]]], ...] = (
        *(("word", names) for names in (declared.templates, declared.procedures, declared.events, declared.definitions)),
        ("rule", declared.rules),
        ("invariant", declared.invariants),
        ("number", declared.rulebook),
    )
    known.update({(kind, name): placed.place for kind, names in named for name, placed in names.items()})
    known.update({("word", one.shape.plural): one.place for one in declared.templates.values() if one.shape.plural})
    known.update({("mode", key.text): key.place for part in declared.modes for key, _ in part.pairs})
    for name, template in declared.templates.items():
        derived = template.shape.derived.pairs if template.shape.derived else ()
        known.update({("field", f"{name}.{key.text}"): key.place for key, _ in derived})
    for procedure in declared.procedures.values():
        steps = procedure.node.get("steps") if procedure.node else None
        known.update({("step", node.text): node.place for node in _texts(steps)})
    return known


def _texts(node: Node | None) -> tuple[Scalar, ...]:
    items = node.items if isinstance(node, Items) else (node,)
    return tuple(item for item in items if isinstance(item, Scalar))
