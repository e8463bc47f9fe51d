"""The closures that bodies of conditions are made of, apart from patterns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from riftrules.engine.board import Board
from riftrules.engine.expressions import Check, Environment, Evaluate
from riftrules.engine.ranging import Maker
from riftrules.facts.types import Value


def found(environment: Environment, board: Board) -> bool:
    """Ends a body of which one match is enough."""
    return True


def both(one: Check, rest: Check) -> Check:
    """True where both are, in this order."""
    return lambda environment, board: one(environment, board) and rest(environment, board)


@dataclass(frozen=True, slots=True)
class Checking:
    """A check that binds nothing, as one link of a chain."""

    check: Check

    def __call__(self, rest: Check) -> Check:
        """The check in front of the rest."""
        return both(self.check, rest)


def negated(check: Check) -> Check:
    """True where the check is not."""
    return lambda environment, board: not check(environment, board)


def same_id(place: int, other: int) -> Check:
    """Whether the fact kept at `place` has the id at `other`."""
    return lambda environment, board: environment[place].id == environment[other]


def same_value(place: int, other: int) -> Check:
    """Whether the values at both places are equal."""
    return lambda environment, board: environment[place] == environment[other]


def adding(total: int, term: Evaluate | None) -> Check:
    """Ends a body that is counted, or summed up where there is a term: none counts 0."""

    def count(environment: Environment, board: Board) -> bool:
        environment[total] += 1
        return False

    def add(environment: Environment, board: Board) -> bool:
        assert term is not None
        environment[total] += term(environment, board) or 0
        return False

    return count if term is None else add


def counting(body: Check, total: int) -> Check:
    """Leaves at `total` what the matches of the body add up to."""

    def count(environment: Environment, board: Board) -> bool:
        environment[total] = 0
        body(environment, board)
        return True

    return count


def binding_each(of: Evaluate, places: Sequence[int], known: Sequence[bool]) -> Maker:
    """Tries the rest of a body with each member of a list or set, or with each pair of a map."""
    pairs = len(places) > 1

    def make(rest: Check) -> Check:
        def attempt(environment: Environment, board: Board) -> bool:
            for item in _items(of(environment, board)):
                for place, value, bound in zip(places, item if pairs else (item,), known, strict=True):
                    if bound and environment[place] != value:
                        break
                    environment[place] = value
                else:
                    if rest(environment, board):
                        return True
            return False

        return attempt

    return make


def _items(value: Value) -> Sequence[Value]:
    """Each member or pair once; none has none."""
    if not value:
        return ()
    return tuple(value) if isinstance(value, frozenset) else tuple(dict.fromkeys(value))


@dataclass(frozen=True, slots=True)
class Taking:
    """Tries the rest of a body with each combination of facts that the matcher has joined: one link of a chain."""

    join: int
    places: tuple[int, ...]
    checks: list[Check]

    def __call__(self, rest: Check) -> Check:
        """The link in front of the rest."""
        join, places, tests = self.join, self.places, (*self.checks, rest)

        def attempt(environment: Environment, board: Board) -> bool:
            for facts in board.candidates(join):
                for place, fact in zip(places, facts, strict=True):
                    environment[place] = fact
                for test in tests:
                    if not test(environment, board):
                        break
                else:
                    return True
            return False

        return attempt
