"""What a proof or a game is about: rules, scope and mode, and what is made of them once in each process."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

from riftrules.analysis.proof.boards import starting_boards
from riftrules.analysis.proof.vacuity import Weakening, weakenings
from riftrules.engine.productions import Production
from riftrules.engine.program import Program, compile_ruleset
from riftrules.language.model import ProofScope, Ruleset
from riftrules.scenario.board import Board

KEPT = ("key", "ruleset", "scope", "mode", "rules")
"""What of a setup goes to another process; the rest is made there."""


@dataclass(frozen=True, eq=False)
class Setup:
    """What is explored. `key` says which setup it is: two with one key are the same; so are the rules of two with one `rules`."""

    key: str
    ruleset: Ruleset
    scope: ProofScope
    mode: str = ""
    rules: str = ""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Setup) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    @cached_property
    def program(self) -> Program:
        """The rules, compiled."""
        return _compiled(_Rules(self))

    @cached_property
    def boards(self) -> tuple[Board, ...]:
        """The starting boards."""
        return tuple(starting_boards(self.ruleset, self.scope, self.mode))

    @cached_property
    def weaker(self) -> tuple[tuple[Weakening, ...], tuple[Production, ...]]:
        """The invariants weakened."""
        return weakenings(self.ruleset)

    def __getstate__(self) -> tuple[object, ...]:
        return tuple(getattr(self, name) for name in KEPT)

    def __setstate__(self, state: tuple[object, ...]) -> None:
        for name, value in zip(KEPT, state, strict=True):
            object.__setattr__(self, name, value)


class _Rules:
    """The rules of a setup, one with those of every setup with the same `rules`."""

    def __init__(self, setup: Setup) -> None:
        self.ruleset, self.key = setup.ruleset, setup.rules or setup.key

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Rules) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


@lru_cache(maxsize=2)
def _compiled(rules: _Rules) -> Program:
    return compile_ruleset(rules.ruleset)
