"""Expressions: what a value is computed from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from riftrules.facts.types import Value


@dataclass(frozen=True, slots=True)
class Literal:
    """A value as written."""

    value: Value


@dataclass(frozen=True, slots=True)
class Hop:
    """One `.field` of a path: the template it is read from, and whether the field is derived."""

    template: str
    field: str
    derived: bool = False


@dataclass(frozen=True, slots=True)
class Read:
    """`$name` or `$name.field.field`.

    `variable` is without its sigil. With `singleton` it is the name of a singleton template, bound to its one fact.
    The value of a variable that names a fact is its id. A path through none, or through a word, is none. A path
    through an id that is gone reads its last values.
    """

    variable: str
    hops: tuple[Hop, ...] = ()
    singleton: bool = False


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """op: `+` `-` `*` `mod` `greater` `lesser`. None on either side gives none.

    The result of `mod` has the divisor's sign; by zero it is none in a condition and a RunError in a consequent.
    """

    op: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Else:
    """`left`, or `right` where `left` is none."""

    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class At:
    """`map at key`: 0 where the key is not there, none where the map is none."""

    map: Expression
    key: Expression


@dataclass(frozen=True, slots=True)
class Made:
    """The id of the fact that an earlier `assert` of the same `then` makes under this name."""

    called: str


Expression: TypeAlias = Literal | Read | Arithmetic | Else | At | Made
