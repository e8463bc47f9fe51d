"""The language as values: what a ruleset is once it has been read and checked.

Everything here is frozen and resolved: every name is known to exist, every path says through which templates it
reads, every literal has the value of the field it is compared with. The reference and the engine both start here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from riftrules.errors import Place, Problem
from riftrules.facts.types import Shape, Type, Value

# ------------------------------------------------------------------------------------------------ expressions


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
    """op: `+` `-` `*` `mod` `greater` `lesser`. None on either side gives none. `mod` by zero is a RunError; the result of `mod` has the divisor's sign."""

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


Expression: TypeAlias = Literal | Read | Arithmetic | Else | At

# ------------------------------------------------------------------------------------------------ tests


@dataclass(frozen=True, slots=True)
class Bind:
    """A bare `$name`: binds it where nothing has yet, else equal to it. Never holds of none."""

    variable: str


@dataclass(frozen=True, slots=True)
class Equals:
    """The value is that of the expression (none equals none)."""

    to: Expression


@dataclass(frozen=True, slots=True)
class Known:
    """`some`: the value is not none."""


@dataclass(frozen=True, slots=True)
class Not:
    """The test does not hold. `not $x` holds of none."""

    test: Test


@dataclass(frozen=True, slots=True)
class Compare:
    """op: `at least` `at most` `more than` `less than`. False where either side is none."""

    op: str
    to: Expression


@dataclass(frozen=True, slots=True)
class Has:
    """The field (set, list, or map by its keys) holds the value of the expression. False where the field is none."""

    member: Expression


@dataclass(frozen=True, slots=True)
class In:
    """The value is a member of the set or list (or a key of the map) that the expression gives. False where that is none."""

    of: Expression


@dataclass(frozen=True, slots=True)
class AnyOf:
    """One of the tests holds (`A or B`). Binds nothing."""

    tests: tuple[Test, ...]


Test: TypeAlias = Bind | Equals | Known | Not | Compare | Has | In | AnyOf

# ------------------------------------------------------------------------------------------------ conditions


@dataclass(frozen=True, slots=True)
class FieldTest:
    """A test of one field of the fact a pattern matches. `field` is `id` for the identity. The test text is kept for messages."""

    field: str
    test: Test
    derived: bool = False
    text: str = ""
    place: Place = Place("")


@dataclass(frozen=True, slots=True)
class Pattern:
    """Facts of a template that pass all tests.

    With a `name` it ranges over them (and binds the name to the id); without, it only tests that there is one.
    A name bound elsewhere, or a parameter, is joined: the id equals it.
    """

    template: str
    name: str | None
    tests: tuple[FieldTest, ...]
    place: Place = Place("")


@dataclass(frozen=True, slots=True)
class No:
    """No match of the conditions, joined."""

    conditions: tuple[Condition, ...]
    place: Place = Place("")


@dataclass(frozen=True, slots=True)
class Some:
    """At least one match of the conditions, joined; what it binds stays inside."""

    conditions: tuple[Condition, ...]
    place: Place = Place("")


@dataclass(frozen=True, slots=True)
class Every:
    """For every match of `conditions` there is a match of `has`. True of nothing."""

    conditions: tuple[Condition, ...]
    has: tuple[Condition, ...]
    place: Place = Place("")


@dataclass(frozen=True, slots=True)
class Count:
    """`variable` is the number of matches of the conditions."""

    conditions: tuple[Condition, ...]
    variable: str
    place: Place = Place("")


@dataclass(frozen=True, slots=True)
class Sum:
    """`variable` is the sum of `of` over the matches of the conditions: 0 of nothing, none terms count 0."""

    of: Expression
    conditions: tuple[Condition, ...]
    variable: str
    place: Place = Place("")


@dataclass(frozen=True, slots=True)
class Each:
    """Ranges over the members of a list or set (one variable) or over the pairs of a map (two). None has no members."""

    of: Expression
    variables: tuple[str, ...]
    place: Place = Place("")


@dataclass(frozen=True, slots=True)
class Where:
    """A test of an expression. With `Bind` as its test: equal to that variable. Binds nothing."""

    left: Expression
    test: Test
    text: str = ""
    place: Place = Place("")


@dataclass(frozen=True, slots=True)
class Use:
    """A definition holds of these arguments, in the order of its parameters. An argument that is none makes it not hold."""

    definition: str
    arguments: tuple[Expression, ...]
    place: Place = Place("")


Condition: TypeAlias = Pattern | No | Some | Every | Count | Sum | Each | Where | Use

# ------------------------------------------------------------------------------------------------ consequents


@dataclass(frozen=True, slots=True)
class Assert:
    """A new fact (or, with a key or a singleton, the fact of that identity) with these fields; defaults for the rest."""

    template: str
    fields: tuple[tuple[str, Expression], ...]
    within: Read | None = None
    place: Place = Place("")


@dataclass(frozen=True, slots=True)
class FieldChange:
    """op: `set` `plus` `minus` (numbers), `add` `remove` (one member of a set or list)."""

    field: str
    op: str
    to: Expression


@dataclass(frozen=True, slots=True)
class Modify:
    """Fields of the fact (or frame) `target`, a variable without hops, of `template`."""

    target: Read
    template: str
    changes: tuple[FieldChange, ...]
    place: Place = Place("")


@dataclass(frozen=True, slots=True)
class Retract:
    """The fact `target` goes, and what hangs on it."""

    target: Read
    template: str
    place: Place = Place("")


@dataclass(frozen=True, slots=True)
class Emit:
    """An event happens."""

    event: str
    fields: tuple[tuple[str, Expression], ...]
    place: Place = Place("")


@dataclass(frozen=True, slots=True)
class Begin:
    """A procedure begins now, on top of the stack; with `due` it is made now and runs when everything yields."""

    procedure: str
    fields: tuple[tuple[str, Expression], ...]
    due: bool = False
    place: Place = Place("")


@dataclass(frozen=True, slots=True)
class BeginEach:
    """Each procedure of a value of type `calls` begins, the first first."""

    calls: Expression
    place: Place = Place("")


@dataclass(frozen=True, slots=True)
class Leave:
    """The frame `target` ends now, with everything on the stack above it."""

    target: Read
    procedure: str
    place: Place = Place("")


@dataclass(frozen=True, slots=True)
class AskFor:
    """The session waits for one of the requests, from this player. Alone in its rule."""

    player: Expression
    requests: tuple[str, ...]
    place: Place = Place("")


@dataclass(frozen=True, slots=True)
class Refuse:
    """The request `target` is refused. Alone in its rule."""

    target: Read
    procedure: str
    place: Place = Place("")


@dataclass(frozen=True, slots=True)
class EndGame:
    """The game is over after this consequent."""

    place: Place = Place("")


Consequent: TypeAlias = Assert | Modify | Retract | Emit | Begin | BeginEach | Leave | AskFor | Refuse | EndGame

# ------------------------------------------------------------------------------------------------ rules


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
    outside quantifiers (the type of a named pattern's variable is a RefType to its template). `standing` are the
    positions in `ranged` in the canonical order, which neither the order of patterns nor the names of variables
    change. `ranged` are the conditions an activation is identified by: the event pattern (when named), then the named
    patterns and `each` of `when`, as written. `reads` are the reads of fields of matched facts (outside quantifiers), one hop each
    and closed under prefixes, for the trace. `singletons` are those it reads anywhere outside patterns: where one is
    missing, the rule does not match.
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
    place: Place = Place("")


@dataclass(frozen=True, slots=True)
class Definition:
    """A condition with a name. `parameters` are tested, never bound; `kinds` are their types."""

    name: str
    parameters: tuple[str, ...]
    when: tuple[Condition, ...]
    kinds: tuple[Type, ...] = ()
    cites: tuple[str, ...] = ()
    singletons: tuple[str, ...] = ()
    place: Place = Place("")


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
    place: Place = Place("")


@dataclass(frozen=True, slots=True)
class Invariant:
    """A named condition that never holds while a session waits."""

    name: str
    cites: tuple[str, ...]
    says: str
    when: tuple[Condition, ...]
    variables: Mapping[str, Type] = field(default_factory=dict)
    singletons: tuple[str, ...] = ()
    place: Place = Place("")


# ------------------------------------------------------------------------------------------------ templates, procedures


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a template. `default` is an expression, which may read `$id`, `$asked` and singletons, or POSITION."""

    name: str
    type: Type
    optional: bool = False
    default: Expression | Position | None = None
    internal: bool = False
    place: Place = Place("")

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
    place: Place = Place("")


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
    place: Place = Place("")


@dataclass(frozen=True, slots=True)
class Step:
    """A step's own properties. All that is eligible in a step that is `together` fires as one change."""

    name: str
    together: bool = False
    cites: tuple[str, ...] = ()
    says: str = ""
    place: Place = Place("")


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
    place: Place = Place("")


@dataclass(frozen=True, slots=True)
class Ruleset:
    """A ruleset, loaded and checked. `templates` holds every kind of fact: standing, singletons, frames and events.

    `warnings` are what the loader doubts without refusing. `modes` give settings by name; the first is the default.
    `view`, `scopes` and `about` are as written, for those who draw, prove and report. `files` are all that were read.
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
    scopes: Mapping[str, Any] = field(default_factory=dict)
    warnings: tuple[Problem, ...] = ()
    files: tuple[str, ...] = ()

    @property
    def shapes(self) -> dict[str, Shape]:
        """What working memory needs to know of the templates."""
        return {name: template.shape for name, template in self.templates.items()}

    def rule(self, rule_id: str) -> Rule:
        """The rule with this id. Raises KeyError."""
        return {rule.id: rule for rule in self.rules}[rule_id]
