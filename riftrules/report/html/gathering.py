"""Plays the scenarios of many files for a page, in this process or in several: the page is the same."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import zip_longest
from pathlib import Path

from riftrules.report.html.rules import Library
from riftrules.report.html.stories import Pair, Share, Story, Told, share_of, story_of
from riftrules.scenario.model import Verdict
from riftrules.scenario.recording import Recorder
from riftrules.scenario.suite import Judge, Options

SHARE = 16
"""So many files are played together, whoever plays them: the page does not depend on how many processes there are."""


def shares_of(files: Sequence[Path], options: Options, *, against: Options | None = None, workers: int = 1) -> Iterator[Share]:
    """The stories of all scenarios, in the order of the files; beside each, where there is an `against`, how it goes by that.

    Raises RulesetError.
    """
    shares = [files[start : start + SHARE] for start in range(0, len(files), SHARE)]
    if workers <= 1 or len(shares) <= 1:
        teller = _Teller(options, against)
        yield from map(teller.share, shares)
        return
    with ProcessPoolExecutor(workers, initializer=_start, initargs=(options, against)) as pool:
        yield from pool.map(_share, shares)


# A worker process has one teller for its life; nothing else writes this name.
_teller: _Teller | None = None


def _start(options: Options, against: Options | None) -> None:
    global _teller  # noqa: PLW0603 - see above
    _teller = _Teller(options, against)
    gc.disable()  # it makes values, hands them over and ends


def _share(files: Sequence[Path]) -> Share:
    assert _teller is not None  # noqa: S101 - the pool has called _start
    return _teller.share(files)


class _Teller:
    """Plays files and tells their stories; what is loaded and compiled once serves for all of them."""

    def __init__(self, options: Options, against: Options | None) -> None:
        self.new = _Player(options)
        self.old = _Player(against) if against else None
        self.library = Library()

    def share(self, files: Sequence[Path]) -> Share:
        """The stories of some files."""
        return share_of(story for path in files for story in self._stories(path))

    def _stories(self, path: Path) -> Iterator[Story]:
        played = self.new.file(path)
        for told in played if self.old is None else _pairs(self.old.file(path), played):
            yield story_of(told, self.library)


def _pairs(old: Iterator[Told], new: Iterator[Told]) -> Iterator[Pair | Told]:
    """The scenarios of one file by both rules; one that only one side has stands alone."""
    for left, right in zip_longest(old, new):
        alone = right if left is None else left if right is None else None
        yield Pair(left, right) if alone is None else alone


class _Player:
    """Plays files one by one."""

    def __init__(self, options: Options) -> None:
        self.judge = Judge(options)
        self.recorder = Recorder(self.judge.open_session)
        self.judge.open_session = self.recorder

    def file(self, path: Path) -> Iterator[Told]:
        """Each scenario of a file as it was played."""
        for run in self.judge.runs(path):
            yield run if isinstance(run, Verdict) else self.recorder.recording(run)
