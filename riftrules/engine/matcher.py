"""Who joins the standing patterns of rules: the protocol, and a matcher that joins on demand."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol

from riftrules.engine.board import Board
from riftrules.engine.joins import ColumnJoin, JoinPattern, JoinPlan, value_of
from riftrules.facts.memory import Fact, Write

OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class Matcher(Protocol):
    """Keeps up with working memory and gives the combinations of facts that each join admits."""

    def update(self, writes: Sequence[Write]) -> None:
        """These changes have been made, in this order."""
        ...

    def candidates(self, join: int) -> Iterable[Sequence[Fact]]:
        """The facts, one for each pattern of the join, that pass its constants and its comparisons: all, each once."""
        ...

    def close(self) -> None:
        """The session is over."""
        ...


class DemandMatcher:
    """Joins when asked, by lookups on the board; nothing is kept in between."""

    def __init__(self, joins: Sequence[JoinPlan], board: Board) -> None:
        self._joins = joins
        self._board = board

    def update(self, writes: Sequence[Write]) -> None:
        """Nothing: the board is looked at when candidates are wanted."""

    def candidates(self, join: int) -> Iterable[Sequence[Fact]]:
        """The combinations as the board stands."""
        return self._extended(self._joins[join].patterns, ())

    def close(self) -> None:
        """Nothing is held."""

    def _extended(self, patterns: Sequence[JoinPattern], chosen: tuple[Fact, ...]) -> Iterator[tuple[Fact, ...]]:
        if len(chosen) == len(patterns):
            yield chosen
            return
        pattern = patterns[len(chosen)]
        for fact in self._found(pattern, chosen):
            if all(check([fact], self._board) for check in pattern.constants) and all(
                _holds(join, fact, chosen) for join in pattern.joins
            ):
                yield from self._extended(patterns, (*chosen, fact))

    def _found(self, pattern: JoinPattern, chosen: Sequence[Fact]) -> Sequence[Fact]:
        """Where the facts of the pattern are: looked up by the first join that says equal."""
        for join in pattern.joins:
            if join.op == "==" and not join.plus:
                wanted = value_of(chosen[join.pattern], join.other[0])
                if join.own[0] != "id":
                    return self._board.having(pattern.template, join.own[0], wanted)
                fact = self._board.memory.get(pattern.template, str(wanted))
                return () if fact is None else (fact,)
        return self._board.memory.all(pattern.template)


def _holds(join: ColumnJoin, fact: Fact, chosen: Sequence[Fact]) -> bool:
    own, other = value_of(fact, join.own[0]), value_of(chosen[join.pattern], join.other[0])
    return compares(join.op, own, other + join.plus if join.plus else other)


def compares(op: str, own: Any, other: Any) -> bool:
    """`own` `op` `other`; order is asked of whole numbers only."""
    return bool(OPERATORS[op](own, other))
