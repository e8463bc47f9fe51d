"""Templates, procedures, the index of printed rules, and the ruleset that holds them all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from riftrules.errors import NOWHERE, Place, Problem
from riftrules.facts.types import Shape, Type, Value
from riftrules.language.model.expressions import Expression
from riftrules.language.model.proof_scopes import ProofScope
from riftrules.language.model.rules import Definition, Derived, Invariant, Rule


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a template. `default` is an expression, which may read `$id`, `$asked` and singletons, or POSITION."""

    name: str
    type: Type
    optional: bool = False
    default: Expression | Position | None = None
    internal: bool = False
    place: Place = NOWHERE

    @property
    def required(self) -> bool:
        """Whether it must be given."""
        return not self.optional and self.default is None


@dataclass(frozen=True, slots=True)
class Position:
    """The default `position`: the fact's place in its list, from 1; for an asserted fact, one more than there are."""


@dataclass(frozen=True, slots=True)
class Template:
    """A kind of fact. kind: `standing`, `singleton`, `frame` (of the procedure of that name) or `event`."""

    name: str
    kind: str
    fields: Mapping[str, Field]
    shape: Shape
    plural: str = ""
    key: tuple[str, ...] | None = None
    symmetric: bool = False
    derived: Mapping[str, Derived] = field(default_factory=dict)
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class Procedure:
    """Steps in order. Its fields are those of the template of the same name. A step may be a procedure."""

    name: str
    steps: tuple[str, ...]
    until_stable: bool = False
    yields: bool = False
    request: bool = False
    then: str = ""
    cites: tuple[str, ...] = ()
    says: str = ""
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class Step:
    """A step's own properties. All that is eligible in a step that is `together` fires as one change."""

    name: str
    together: bool = False
    cites: tuple[str, ...] = ()
    says: str = ""
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class Printed:
    """A number of the printed rules, our summary of it, and where it is held: rules, templates, steps … by name.

    status: `implemented`, `definition`, or `out of scope` with a `reason`.
    """

    number: str
    summary: str
    held: tuple[str, ...] = ()
    status: str = "implemented"
    reason: str = ""
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class Ruleset:
    """A ruleset, loaded and checked. `templates` holds every kind of fact: standing, singletons, frames and events.

    `warnings` are what the loader doubts without refusing. `modes` give settings by name; the first is the default.
    `view` is as written, for those who draw; `scopes` are what proofs cover. `files` are all that were read.
    """

    name: str
    path: str
    version: str
    edition: str
    templates: Mapping[str, Template]
    procedures: Mapping[str, Procedure]
    definitions: Mapping[str, Definition]
    steps: Mapping[str, Step]
    rules: tuple[Rule, ...]
    invariants: tuple[Invariant, ...] = ()
    modes: Mapping[str, Mapping[str, Value]] = field(default_factory=dict)
    rulebook: Mapping[str, Printed] = field(default_factory=dict)
    view: Mapping[str, Any] = field(default_factory=dict)
    scopes: Mapping[str, ProofScope] = field(default_factory=dict)
    warnings: tuple[Problem, ...] = ()
    files: tuple[str, ...] = ()

    @property
    def shapes(self) -> dict[str, Shape]:
        """What working memory needs to know of the templates."""
        return {name: template.shape for name, template in self.templates.items()}

    def rule(self, rule_id: str) -> Rule:
        """The rule with this id. Raises KeyError."""
        return {rule.id: rule for rule in self.rules}[rule_id]
