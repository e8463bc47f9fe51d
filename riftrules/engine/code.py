"""The source of functions that are made for one ruleset, written line by line and compiled when they are first called.

Conditions that are Python code of their own run several times as fast as closures that call one another. What is
generated is plain loops and tests over local variables; everything authored goes into it as a literal or by a name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from types import CodeType
from typing import Any, TypeAlias

Text: TypeAlias = str
"""A piece of source: an expression."""

MOST_LOOPS = 12
"""Python nests no more than 20 blocks: what would be deeper becomes a function of its own within the function."""


class Code:
    """One function as it is written. `known` are the values it may refer to by name."""

    def __init__(self, head: str, known: Mapping[str, Any]) -> None:
        self.lines = [head]
        self.depth = 1
        self.loops = 0
        self._known = dict(known)
        self._wanted: dict[str, Callable[[], Any]] = {}
        self._count = 0
        self._checks: list[Text] = []
        self.flags: list[str] = []

    def fresh(self, prefix: str = "t") -> str:
        """A name that nothing else in the function has."""
        self._count += 1
        return f"{prefix}{self._count}"

    def constant(self, value: Any) -> Text:
        """A value of the language."""
        if value is None or isinstance(value, bool | int | str):
            return repr(value)
        name = self.fresh("c")
        self._known[name] = value
        return name

    def refer(self, name: str, make: Callable[[], Any]) -> Text:
        """A function made elsewhere, which is asked for when this one is compiled."""
        self._wanted[name] = make
        return name

    def check(self, condition: Text) -> None:
        """What follows is done where this holds."""
        self._checks.append(condition)

    def take_checks(self) -> list[Text]:
        """The checks that wait, which are no longer waiting."""
        found, self._checks = self._checks, []
        return found

    def line(self, text: str) -> None:
        """One line, where the checks so far hold."""
        waiting = self.take_checks()
        if waiting:
            self.open(f"if {' and '.join(waiting)}:")
        self.lines.append(" " * self.depth + text)

    def open(self, text: str) -> None:
        """A line that opens a block; what follows is in it."""
        self.line(text)
        self.depth += 1

    def close(self, depth: int) -> None:
        """Blocks deeper than this have ended. Checks that nothing followed are dropped with them."""
        self._checks.clear()
        self.depth = depth

    def function(self, name: str) -> Callable[..., Any]:
        """The function, compiled."""
        source = "\n".join(self.lines)
        known = {**self._known, **{name: make() for name, make in self._wanted.items()}}
        exec(_compiled(source), known)  # noqa: S102 - the source is ours: what authors wrote is in it as literals only
        found: Callable[..., Any] = known[name]
        return found


@lru_cache(maxsize=8192)
def _compiled(source: str) -> CodeType:
    """The same source is compiled once: rulesets that differ in a rule share the others."""
    return compile(source, "<rules>", "exec")
