"""Rules, definitions, derived fields and invariants: whatever has conditions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from riftrules.errors import NOWHERE, Place
from riftrules.facts.types import Type
from riftrules.language.model.conditions import Condition, Each, Pattern
from riftrules.language.model.consequents import Consequent
from riftrules.language.model.expressions import Expression, Read


@dataclass(frozen=True, slots=True)
class Choose:
    """`by` picks one value of `one` among the eligible activations, in a group for each value of `per`."""

    by: Expression
    one: str
    per: str | None = None
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Rule:
    """One production rule.

    kind: `step` (fires in `step`), `after` (fires for an event that matches `event`), `ask` (in `step`, waits),
    `legality` (refuses). `number` is its place in declaration order. `variables` are the types of all variables bound
    outside quantifiers (that of a named pattern's variable is a RefType to its template). `ranged` are the conditions
    an activation is identified by: the event pattern (when named), then the named patterns and `each` of `when`, as
    written; `standing` are positions in it in canonical order, which neither the order of patterns nor the names of
    variables change. `reads` are the reads of fields of matched facts, one hop each and closed under prefixes, for the
    trace. `singletons` are those it reads anywhere outside patterns: where one is missing, the rule does not match.
    """

    id: str
    number: int
    kind: str
    cites: tuple[str, ...]
    says: str
    when: tuple[Condition, ...]
    then: tuple[Consequent, ...]
    step: str = ""
    event: Pattern | None = None
    request: Read | None = None
    choose: Choose | None = None
    salience: int = 0
    house: bool = False
    note: str = ""
    variables: Mapping[str, Type] = field(default_factory=dict)
    ranged: tuple[Pattern | Each, ...] = ()
    standing: tuple[int, ...] = ()
    reads: tuple[Read, ...] = ()
    singletons: tuple[str, ...] = ()
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class Definition:
    """A condition with a name. `parameters` are tested, never bound; `kinds` are their types."""

    name: str
    parameters: tuple[str, ...]
    when: tuple[Condition, ...]
    kinds: tuple[Type, ...] = ()
    cites: tuple[str, ...] = ()
    singletons: tuple[str, ...] = ()
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class Case:
    """One case of a derived field: its value where the conditions hold (`$this` is the fact)."""

    when: tuple[Condition, ...]
    value: Expression
    singletons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Derived:
    """A field that is read but never written: the first case that holds gives it; none where none does."""

    name: str
    type: Type
    cases: tuple[Case, ...]
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class Invariant:
    """A named condition that never holds while a session waits."""

    name: str
    cites: tuple[str, ...]
    says: str
    when: tuple[Condition, ...]
    variables: Mapping[str, Type] = field(default_factory=dict)
    singletons: tuple[str, ...] = ()
    place: Place = NOWHERE
