"""Plays the scenarios of many files for a page, in this process or in several: the page is the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import zip_longest
from pathlib import Path

from riftrules.report.html.rules import Library
from riftrules.report.html.stories import Pair, Story, Told, story_of
from riftrules.scenario.model import Verdict
from riftrules.scenario.recording import Recorder
from riftrules.scenario.suite import Judge, Options

FEW = 24
"""So many files are played sooner in one process than others are started."""


def stories_of(files: Sequence[Path], options: Options, *, against: Path | None = None, workers: int = 1) -> Iterator[Story]:
    """The stories of all scenarios, in the order of the files; beside each, where `against` names a ruleset, how it goes by that.

    Raises RulesetError.
    """
    if workers <= 1 or len(files) <= FEW:
        yield from _told(options, against, files)
        return
    size = -(-len(files) // (workers * 2))
    shares = [files[start : start + size] for start in range(0, len(files), size)]
    with ProcessPoolExecutor(workers) as pool:
        for share in pool.map(partial(_told, options, against), shares):
            yield from share


def _told(options: Options, against: Path | None, files: Sequence[Path]) -> list[Story]:
    player, library = _Player(options), Library()
    if against is None:
        return [story_of(told, library) for path in files for told in player.file(path)]
    old = _Player(replace(options, ruleset=against))
    return [story_of(pair, library) for path in files for pair in _pairs(old.file(path), player.file(path))]


def _pairs(old: Iterator[Told], new: Iterator[Told]) -> Iterator[Pair | Told]:
    """The scenarios of one file by both rules; one that only one side has stands alone."""
    for left, right in zip_longest(old, new):
        alone = right if left is None else left if right is None else None
        yield Pair(left, right) if alone is None else alone


class _Player:
    """Plays files one by one; what is loaded and compiled once serves for all of them."""

    def __init__(self, options: Options) -> None:
        self.judge = Judge(options)
        self.recorder = Recorder(self.judge.open_session)
        self.judge.open_session = self.recorder

    def file(self, path: Path) -> Iterator[Told]:
        """Each scenario of a file as it was played."""
        for run in self.judge.runs(path):
            yield run if isinstance(run, Verdict) else self.recorder.recording(run)
