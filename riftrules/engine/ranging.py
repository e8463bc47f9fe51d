"""Writes where the facts of a pattern are looked for, and what is checked of each."""

from __future__ import annotations

from riftrules.engine.code import Text
from riftrules.engine.expressions import Scope, compare, derived_field, expression
from riftrules.engine.syntax_tree import mentioned
from riftrules.language.model import (
    Bind,
    Equals,
    Expression,
    FieldTest,
    In,
    Literal,
    Pattern,
    Read,
)

LOOKUP, SINGLETON, FRAMES, MEMBERS, INDEX, ALL = 1, 1, 2, 6, 7, 8
"""How dear it is to range over a pattern, by where its facts are looked for; conditions.py ranks the rest between."""


def ready(test: object, scope: Scope) -> bool:
    """Whether every variable that the test or expression names is bound by now."""
    return mentioned(test) <= scope.texts.keys()


def wanted(pattern: Pattern, field: str, scope: Scope) -> Expression | None:
    """What the field must be equal to, where that is known by now."""
    for test in pattern.tests:
        if test.field != field or test.derived:
            continue
        match test.test:
            case Bind(variable) if variable in scope.texts:
                return Read(variable)
            case Equals(to) if ready(to, scope):
                return to
    return None


def known_id(pattern: Pattern, scope: Scope) -> Expression | None:
    """The id of the pattern's fact, where it is known by now."""
    return Read(pattern.name) if pattern.name is not None and pattern.name in scope.texts else wanted(pattern, "id", scope)


def rank(pattern: Pattern, kind: str, scope: Scope) -> int:
    """How dear it is to range over the pattern now."""
    if kind == "singleton":
        return SINGLETON
    if known_id(pattern, scope) is not None:
        return LOOKUP
    if kind in {"frame", "event"}:
        return FRAMES
    if _within(pattern, scope) is not None:
        return MEMBERS
    return ALL if _indexed(pattern, scope) is None else INDEX


def find(pattern: Pattern, kind: str, fact: str, scope: Scope) -> bool:
    """Write the search for the pattern's facts, which may find more than match but never fewer: each is kept in turn.

    True where it is a loop.
    """
    code, template = scope.code, pattern.template
    if kind == "event":
        code.check("False")  # events are in no working memory
        return False
    known = Literal(template) if kind == "singleton" else known_id(pattern, scope)
    if known is not None:
        code.check(f"({fact} := F[{template!r}].get({expression(known, scope)})) is not None")
        if kind == "frame":
            code.check(f"(board.procedure != {template!r} or {fact}.id == board.own)")
        return False
    if kind == "frame":
        code.open(f"for {fact} in (F[{template!r}].values() if board.procedure != {template!r} else board.own_frame()):")
        return True
    _search(pattern, fact, scope)
    return True


def _search(pattern: Pattern, fact: str, scope: Scope) -> None:
    code, template = scope.code, pattern.template
    within = _within(pattern, scope)
    if within is not None:
        id_ = code.fresh()
        code.open(f"for {id_} in members({expression(within, scope)}):")
        code.check(f"({fact} := F[{template!r}].get({id_})) is not None")
        return
    field = _indexed(pattern, scope)
    if field is None:
        code.open(f"for {fact} in F[{template!r}].values():")
        return
    to = wanted(pattern, field, scope)
    assert to is not None
    code.open(f"for {fact} in board.having({template!r}, {field!r}, {expression(to, scope)}):")


def _within(pattern: Pattern, scope: Scope) -> Expression | None:
    """The list the pattern's id must be in, where that is known by now."""
    for test in pattern.tests:
        if test.field == "id" and isinstance(test.test, In) and ready(test.test, scope):
            return test.test.of
    return None


def _indexed(pattern: Pattern, scope: Scope) -> str | None:
    """The first field whose value is known by now. A literal comes last: it tells fewer facts apart."""
    fields = [test.field for test in pattern.tests if not test.derived and test.field != "id"]
    known = [(field, to) for field in fields if (to := wanted(pattern, field, scope)) is not None]
    return min(known, key=lambda pair: isinstance(pair[1], Literal))[0] if known else None


# ------------------------------------------------------------------------------------------------ what is checked


def read_field(test: FieldTest, template: str, fact: str, scope: Scope) -> Text:
    """The field that is tested, of the fact that is kept."""
    if test.derived:
        return derived_field(template, test.field, f"{fact}.id", scope)
    if test.field != "id" and fact not in scope.values:
        scope.values[fact] = kept = scope.code.fresh("w")
        return f"({kept} := {fact}.values)[{test.field!r}]"
    return scope.of(fact, test.field)


def field_check(test: FieldTest, template: str, fact: str, scope: Scope) -> Text:
    """The test of a field of the fact that is kept."""
    return compare(test.test, read_field(test, template, fact, scope), scope)


def binder(test: FieldTest, template: str, fact: str, scope: Scope) -> None:
    """Bind the variable of a bare `$x` to the field of the fact that is kept; no match where the field is none."""
    assert isinstance(test.test, Bind)
    if test.field == "id" and not test.derived:
        scope.texts[test.test.variable] = f"{fact}.id"
        return
    kept = scope.code.fresh("v")
    scope.code.check(f"({kept} := {read_field(test, template, fact, scope)}) is not None")
    scope.texts[test.test.variable] = kept
