"""Definitions and derived fields as functions, each made once: the names that bodies of conditions refer to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from riftrules.engine.code import Code
from riftrules.engine.conditions import write_body
from riftrules.engine.expressions import CALLED, Scope, expression
from riftrules.engine.syntax_tree import bindable
from riftrules.facts.types import Value, value_order
from riftrules.language.model import Case, Condition, Each, Pattern, Ruleset

Derive: TypeAlias = Callable[[Any, str], Value]
Holds: TypeAlias = Callable[..., bool]

KNOWN = {**CALLED, "order": value_order}


class Definitions:
    """What conditions refer to by name, for one ruleset."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._ruleset = ruleset
        self._derived: dict[tuple[str, str], Derive] = {}
        self._definitions: dict[str, Holds] = {}

    def kind(self, template: str) -> str:
        """The kind of the template's facts."""
        return self._ruleset.templates[template].kind

    def derived(self, template: str, field: str) -> Derive:
        """The derived field as a function of the board and the fact's id."""
        key = (template, field)
        if key not in self._derived:
            self._derived[key] = self._derive(self._ruleset.templates[template].derived[field].cases)
        return self._derived[key]

    def definition(self, name: str) -> Holds:
        """The definition as a function of the board and its arguments."""
        if name not in self._definitions:
            self._definitions[name] = self._holds(name)
        return self._definitions[name]

    def _derive(self, cases: Sequence[Case]) -> Derive:
        code = Code("def derive(board, this):", KNOWN)
        code.line("F = board.facts")
        for case in cases:
            self._case(case, code)
        code.line("return None")
        return code.function("derive")

    def _case(self, case: Case, code: Code) -> None:
        """The value, where there is a match: that of the first in the order of its facts."""
        depth = code.depth
        scope = self._scope(case.when, code, {"this": "this"})
        for name in case.singletons:
            code.check(f"F[{name!r}]")
        if not case.when:
            code.line(f"return {expression(case.value, scope)}")
        elif not _ranged(case.when):
            write_body(case.when, scope, lambda inner: code.line(f"return {expression(case.value, inner)}"), quantified=False)
        else:
            self._first(case, scope, code)
        code.close(depth)

    def _first(self, case: Case, scope: Scope, code: Code) -> None:
        best, value, this = code.fresh("b"), code.fresh("b"), code.fresh("b")
        code.line(f"{best} = {value} = None")
        code.flags += [best, value]

        def keep(inner: Scope) -> None:
            ranged = [f"order({inner.texts[name]})" for name in _ranged(case.when)]
            code.line(f"{this} = ({', '.join(ranged)},)")
            code.check(f"({best} is None or {this} < {best})")
            code.line(f"{best}, {value} = {this}, {expression(case.value, inner)}")

        write_body(case.when, scope, keep, quantified=False)
        code.flags.clear()
        code.check(f"{best} is not None")
        code.line(f"return {value}")

    def _holds(self, name: str) -> Holds:
        definition = self._ruleset.definitions[name]
        texts = {parameter: f"a{place}" for place, parameter in enumerate(definition.parameters)}
        code = Code(f"def holds({', '.join(['board', *texts.values()])}):", KNOWN)
        code.line("F = board.facts")
        for text in texts.values():
            code.check(f"{text} is not None")
        for singleton in definition.singletons:
            code.check(f"F[{singleton!r}]")
        scope = self._scope(definition.when, code, texts)
        code.line("q = False")
        code.flags.append("q")
        write_body(definition.when, scope, lambda _: None, quantified=False, flag="q")
        code.line("return q")
        code.close(1)
        code.line("return False")
        return code.function("holds")

    def _scope(self, conditions: Sequence[Condition], code: Code, texts: dict[str, str]) -> Scope:
        return Scope(self, code, frozenset(bindable(conditions, quantified=False) | texts.keys()), texts)


def _ranged(conditions: Sequence[Condition]) -> list[str]:
    """The names of the facts and members that tell the matches of these conditions apart, as written."""
    names: list[str] = []
    for condition in conditions:
        match condition:
            case Pattern(name=str(name)):
                names.append(name)
            case Each(variables=variables):
                names += variables
    return names
