"""`riftrules play`: random games in every mode, as many as are wanted."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from riftrules.analysis.proof.journal import digest
from riftrules.analysis.proof.setup import Setup
from riftrules.analysis.random_play import Game, play_games, playable
from riftrules.cli import places
from riftrules.cli.exits import Exit
from riftrules.cli.proving import mode_of, scope_of
from riftrules.errors import Problem, RulesetError
from riftrules.language.loader import load_ruleset
from riftrules.language.model import Ruleset
from riftrules.report.console import as_json, console
from riftrules.report.games import faults, games_data, print_games
from riftrules.scenario.workers import crew
from riftrules.source.writing import write_whole


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked for on the command line."""

    games: int
    ruleset: str | None = None
    scope: str = ""
    mode: str = ""
    seed: int = 1
    workers: int = 1
    cluster: str = ""
    output: Path | None = None
    json: bool = False


def play(asked: Asked) -> Exit:
    """Play games: exit 0 where nothing was wrong in any, else 1."""
    setups = _setups(load_ruleset(places.only_ruleset(asked.ruleset)), asked)
    begun = time.perf_counter()
    with crew(asked.workers, asked.cluster) as workers:
        games = play_games(setups, asked.games, asked.seed, workers, _teller(asked.games))
    seconds = time.perf_counter() - begun
    found = faults(games)
    if asked.json:
        print(as_json(games_data(games, seconds)))  # noqa: T201 - JSON is not for a console
    else:
        print_games(games, _written(found, asked.output), seconds, console())
    return Exit.DIFFERS if found else Exit.AS_EXPECTED


def _setups(ruleset: Ruleset, asked: Asked) -> tuple[Setup, ...]:
    """Every mode of the scope named, or of all that are for games. Raises RulesetError where there is none."""
    named = [scope_of(ruleset, asked.scope)] if asked.scope else [one for one in ruleset.scopes.values() if playable(one)]
    if asked.mode:
        mode = mode_of(ruleset, named[0], asked.mode) if named else asked.mode
        named = [one for one in named if asked.scope or mode in one.modes]
        pairs = [(one, mode) for one in named]
    else:
        pairs = [(one, mode) for one in named for mode in one.modes]
    if not pairs:
        said = f"`{ruleset.name}` has no scope for games" + (f" in mode `{asked.mode}`" if asked.mode else "")
        hint = "say in a scope, under `bound`, how long a game is at most"
        raise RulesetError((Problem(places.place_of(ruleset), "unknown-scope", said, hint),))
    rules = digest(ruleset, pairs[0][0], "")
    return tuple(Setup(digest(ruleset, scope, mode), ruleset, scope, mode, rules) for scope, mode in pairs)


def _written(found: Sequence[Game], folder: Path | None) -> dict[Game, str]:
    if folder is None:
        return {}
    folder.mkdir(parents=True, exist_ok=True)
    written = {}
    for game in found:
        if game.fixture:
            words = re.sub(r"[^a-z0-9]+", "-", game.message.lower()).strip("-")[:60]
            path = folder / f"{game.scope}-{game.mode}-{words}.yaml"
            write_whole(path, game.fixture)
            written[game] = path.as_posix()
    return written


def _teller(games: int) -> Callable[[int], None]:
    """Tells of progress on a terminal; silent elsewhere."""
    if not sys.stderr.isatty():
        return lambda _: None

    def tell(done: int) -> None:
        sys.stderr.write(f"\r{done} of {games} games" if done < games else "\r\033[K")
        sys.stderr.flush()

    return tell
