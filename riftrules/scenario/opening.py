"""What a Python program does with scenarios: open a session on a board given as plain data, play a fixture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from riftrules.errors import Place, RiftrulesError, ScenarioError
from riftrules.language.model import Ruleset
from riftrules.language.problems import Problems
from riftrules.scenario.board import open_board
from riftrules.scenario.files import Catalogue
from riftrules.scenario.loading import load_scenarios
from riftrules.scenario.model import Run
from riftrules.scenario.playing import play as play_scenario
from riftrules.scenario.session import Opener, Session, opener
from riftrules.source import Entries, Items, Node, Scalar

GIVEN = "given"
KEPT = 8
"""How many compiled rulesets are kept for the next session; a program that goes through many keeps no more."""


def open_session(ruleset: Ruleset, given: Mapping[str, Any], *, mode: str = "", engine: str = "engine") -> Session:
    """A session on a board.

    `given` is what stands under `given` in a fixture, as dicts, lists, texts, numbers, truths and None (`none`);
    `mode` names one of the ruleset's (its first where empty); `engine` is `engine` or the slower `reference`. A ruleset is
    compiled when the first session is opened on it. Raises ScenarioError with every problem of the board, each under its
    path in `given`, and RiftrulesError where there is no ruleset or no board to begin with.
    """
    _check_ruleset(ruleset)
    problems = Problems()
    if mode and mode not in ruleset.modes:
        problems.say(Place(GIVEN), "unknown-mode", f"`{mode}` is no mode of `{ruleset.name}`")
    node = node_of(given, GIVEN)
    if not isinstance(node, Entries):
        message = f"a board is given as a mapping, like `given` in a fixture, not as {_kind(given)}"
        raise RiftrulesError(message)
    board = open_board((node,), ruleset, mode or next(iter(ruleset.modes), ""), problems)
    if problems.errors:
        raise ScenarioError(problems.errors)
    return _opener(engine, _Same(ruleset))(ruleset, board.facts, board.stack)


def _check_ruleset(given: object) -> None:
    if not isinstance(given, Ruleset):
        message = f"a session is opened on what `load_ruleset` gives, not on {_kind(given)}"
        raise RiftrulesError(message)


def _kind(value: object) -> str:
    return "None" if value is None else f"`{type(value).__name__}`"


@dataclass(frozen=True, slots=True, eq=False)
class _Same:
    """A ruleset that is the same as itself alone: those that hold the same are not looked through."""

    ruleset: Ruleset

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.ruleset is self.ruleset

    def __hash__(self) -> int:
        return id(self.ruleset)


@lru_cache(maxsize=KEPT)
def _opener(engine: str, _of: _Same) -> Opener:
    """The opener for a ruleset, which holds its program."""
    return opener(engine)


def play(path: str | Path, *, engine: str = "engine", ruleset: str | Path | None = None) -> tuple[Run, ...]:
    """The runs of a fixture's scenarios, those it says to skip left out.

    `ruleset` is a folder to play on in place of what the fixture names. Raises ScenarioError or RulesetError with every
    problem; a scenario that does not go as written, or cannot finish, says so in `Run.verdict`.
    """
    catalogue = Catalogue(Path(ruleset) if ruleset is not None else None)
    scenarios = load_scenarios(Path(path), catalogue)
    opens = opener(engine)
    return tuple(play_scenario(scenario, found, opens) for scenario, found in scenarios if not scenario.skip)


def node_of(data: Any, path: str) -> Node:
    """Plain data as nodes, each placed by its path. Texts are literals. Raises RiftrulesError for anything else."""
    place = Place(path)
    match data:
        case None:
            return Scalar("none", quoted=False, place=place)
        case bool():
            return Scalar("true" if data else "false", quoted=False, place=place)
        case int():
            return Scalar(str(data), quoted=False, place=place)
        case str():
            return Scalar(data, quoted=True, place=place)
        case Mapping():
            pairs = [
                (Scalar(str(key), quoted=False, place=place), node_of(value, f"{path}.{key}")) for key, value in data.items()
            ]
            return Entries(tuple(pairs), place)
        case list() | tuple() | set() | frozenset():
            return Items(tuple(node_of(item, f"{path}[{number}]") for number, item in enumerate(data)), place)
    message = f"{path}: `{data!r}` is not plain data"
    raise RiftrulesError(message)
