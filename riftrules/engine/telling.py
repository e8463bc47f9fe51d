"""Writes what a firing says of itself: the values it was bound to, the facts it matched, the stored fields it rests on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from riftrules.engine.code import Code, Text
from riftrules.engine.definitions import KNOWN, Definitions
from riftrules.engine.expressions import Scope, expression
from riftrules.language.model import Read, Rule

Place = tuple[str, int]
"""The template of a named pattern, and its place among the variables."""


def write_told(rule: Rule, variables: Sequence[str], patterns: Sequence[Place], definitions: Definitions) -> Code:
    """The function `told` of the board and the values of the variables: bindings, matched facts, fields read, as in a firing.

    It is asked while what the rule has matched still holds: the fields of those facts are there without looking.
    """
    places = {name: f"a{place}" for place, name in enumerate(variables)}
    code = Code(f"def told({', '.join(['board', *places.values()])}):", KNOWN)
    bindings = "".join(f"({name!r}, {text}), " for name, text in places.items())
    keys = "".join(f"({template!r}, a{place}), " for template, place in patterns)
    matched = {(template, f"a{place}") for template, place in patterns}
    recorded = [read for read in rule.reads if _is_stored(read, definitions)]
    plain = {read: text for read in recorded if (text := _plain(read, places, matched)) is not None}
    known = [plain[read] for read in sorted(plain, key=lambda read: (read.hops[0].template, plain[read], read.hops[0].field))]
    if len(plain) == len(recorded) and _is_sorted(plain):
        code.line(f"return ({bindings}), ({keys}), ({''.join(f'{read}, ' for read in known)})")
        return code
    code.line("F = board.facts")
    code.line(f"found = {{{', '.join(['*()', *known])}}}")
    scope = Scope(definitions, code, frozenset(places), places)
    for read in recorded:
        if read not in plain:
            _look(read, scope)
    code.line(f"return ({bindings}), ({keys}), tuple(sorted(found))")
    return code


def _is_stored(read: Read, definitions: Definitions) -> bool:
    last = read.hops[-1] if read.hops else None
    return last is not None and not last.derived and last.field != "id" and definitions.kind(last.template) != "event"


def _plain(read: Read, places: dict[str, Text], matched: set[tuple[str, Text]]) -> Text | None:
    """What is read, where it is a field of a fact that the rule has matched or of a singleton."""
    if len(read.hops) > 1:
        return None
    (hop,) = read.hops
    if read.singleton:
        return f"({hop.template!r}, {read.variable!r}, {hop.field!r})"
    id_ = places[read.variable]
    return f"({hop.template!r}, {id_}, {hop.field!r})" if (hop.template, id_) in matched else None


def _is_sorted(plain: Iterable[Read]) -> bool:
    """Whether the order of these reads does not hang on ids: each template is read through one variable."""
    through = {(read.hops[0].template, read.variable) for read in plain}
    return len(through) == len({template for template, _ in through})


def _look(read: Read, scope: Scope) -> None:
    """Note a read of a fact that is reached by way of others, if it is."""
    code, last = scope.code, read.hops[-1]
    id_ = code.fresh()
    holder = expression(Read(read.variable, read.hops[:-1], read.singleton), scope)
    code.check(f"({id_} := {holder}) is not None")
    code.check(f"(F[{last.template!r}].get({id_}) or board.last({last.template!r}, {id_})) is not None")
    code.line(f"found.add(({last.template!r}, {id_}, {last.field!r}))")
    code.close(1)
