"""Conditions: what must hold of working memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from riftrules.errors import NOWHERE, Place
from riftrules.language.model.expressions import Expression
from riftrules.language.model.tests import Test


@dataclass(frozen=True, slots=True)
class FieldTest:
    """A test of one field of the fact a pattern matches. `field` is `id` for the identity. The test text is kept for messages."""

    field: str
    test: Test
    derived: bool = False
    text: str = ""
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class Pattern:
    """Facts of a template that pass all tests.

    With a `name` it ranges over them (and binds the name to the id); without, it only tests that there is one.
    A name bound elsewhere, or a parameter, is joined: the id equals it.
    """

    template: str
    name: str | None
    tests: tuple[FieldTest, ...]
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class No:
    """No match of the conditions, joined."""

    conditions: tuple[Condition, ...]
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class Some:
    """At least one match of the conditions, joined; what it binds stays inside."""

    conditions: tuple[Condition, ...]
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class Every:
    """For every match of `conditions` there is a match of `has`. True of nothing."""

    conditions: tuple[Condition, ...]
    has: tuple[Condition, ...]
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class Count:
    """`variable` is the number of matches of the conditions."""

    conditions: tuple[Condition, ...]
    variable: str
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class Sum:
    """`variable` is the sum of `of` over the matches of the conditions: 0 of nothing, none terms count 0."""

    of: Expression
    conditions: tuple[Condition, ...]
    variable: str
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class Each:
    """Ranges over the members of a list or set (one variable) or over the pairs of a map (two). None has no members."""

    of: Expression
    variables: tuple[str, ...]
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class Where:
    """A test of an expression. With `Bind` as its test: equal to that variable. Binds nothing."""

    left: Expression
    test: Test
    text: str = ""
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class Use:
    """A definition holds of these arguments, in the order of its parameters. An argument that is none makes it not hold."""

    definition: str
    arguments: tuple[Expression, ...]
    place: Place = NOWHERE


Condition: TypeAlias = Pattern | No | Some | Every | Count | Sum | Each | Where | Use
