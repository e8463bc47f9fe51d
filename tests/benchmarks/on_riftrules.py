"""The decision on riftrules itself, with the whole ruleset of the game: both matchers, and the reference."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from riftrules.engine import Program, Session, compile_ruleset
from riftrules.engine.reference import Session as ReferenceSession
from riftrules.facts.memory import Fact
from riftrules.facts.types import Call
from riftrules.language.loader import load_ruleset
from riftrules.language.model import Ruleset
from riftrules.language.problems import Problems
from riftrules.scenario.board import open_board
from riftrules.scenario.opening import node_of
from riftrules.source import Entries
from tests.benchmarks.boards import BATTLEFIELDS, PLAYERS, Battlefield, Board, Outcome, Unit, given

RULESET = Path(__file__).parents[2] / "rulesets" / "riftbound"


@cache
def riftbound() -> Ruleset:
    return load_ruleset(RULESET)


@cache
def program() -> Program:
    return compile_ruleset(riftbound())


def facts_of(board: Board, ruleset: Ruleset) -> Sequence[Fact]:
    problems = Problems()
    node = node_of(given(board), "given")
    assert isinstance(node, Entries)
    opened = open_board((node,), ruleset, next(iter(ruleset.modes)), problems)
    assert not problems.errors, problems.errors
    return opened.facts


class OnRiftrules:
    """One session on one board; `reset` goes back to where it was opened."""

    def __init__(self, board: Board, matcher: str, compiled: Program | None = None, facts: Sequence[Fact] = ()) -> None:
        compiled = compiled or program()
        self.board = board
        facts = facts or facts_of(board, compiled.ruleset)
        self.session: Any = (
            ReferenceSession(compiled.ruleset, facts) if matcher == "reference" else Session(compiled, facts, matcher=matcher)
        )
        self.begin = self.session.mark()

    def reset(self) -> None:
        self.session.undo(self.begin)

    def decide(self) -> None:
        """The units move, both players pass."""
        session, board = self.session, self.board
        session.request("move", {"by": "P1", "units": board.movers, "to": board.to})
        session.request("pass", {"by": "P1"})
        session.request("pass", {"by": "P2"})

    def cleanup(self) -> None:
        self.session.begin([Call("cleanup", ())])

    def outcome(self) -> Outcome:
        memory = self.session.memory
        assert self.session.waiting.kind == "idle"
        return Outcome(
            tuple(Unit(one.id, *(one.values[name] for name in Unit._fields[1:])) for one in memory.all("unit")),
            tuple(self._battlefield(name) for name in BATTLEFIELDS),
            tuple(memory.get("player", name).values["points"] for name in PLAYERS),
            tuple(memory.get("player", name).values["trash"] for name in PLAYERS),
            tuple((one.values["by"], one.values["at"]) for one in memory.all("scored")),
            tuple(firing.rule for firing in self.session.trace.firings()),
        )

    def _battlefield(self, name: str) -> Battlefield:
        values = self.session.memory.get("battlefield", name).values
        return Battlefield(name, values["controller"], values["contested_by"])

    def close_session(self) -> None:
        close = getattr(self.session, "close", None)
        if close is not None:
            close()
