"""A whole mutation run on several processes: scan the scenarios, judge the mutants, look for what would kill the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field, replace
from typing import Any, Self, TypeAlias

from riftrules.analysis.mutation.journal import Journal
from riftrules.analysis.mutation.laboratory import Judged, Laboratory, Scan, Searched, Setup
from riftrules.analysis.mutation.mutants import Mutant

Progress: TypeAlias = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and of how much."""

CHUNK = 8
LEAST_BOARDS = 400
"""So many boards are searched at least, all scenarios taken together."""


@dataclass(frozen=True, slots=True)
class Report:
    """What became of the mutants of one ruleset. `scenarios` is by how many they were judged, `finished` whether all were."""

    ruleset: str
    mutants: tuple[tuple[Mutant, Judged], ...]
    scenarios: int
    failing: tuple[str, ...] = ()
    finished: bool = True
    seconds: float = 0.0

    def count(self, status: str) -> int:
        """How many mutants have this status."""
        return sum(1 for _, judged in self.mutants if judged.status == status)

    @property
    def score(self) -> float:
        """The share killed, of those that are not equivalent as far as was looked."""
        killed, survived = self.count("killed"), self.count("survived")
        return 100.0 if not killed + survived else 100.0 * killed / (killed + survived)


@dataclass(slots=True)
class MutationRun:
    """A run over the mutants chosen. `boards` is how many boards near each scenario are searched."""

    setup: Setup
    chosen: Callable[[Mutant], bool]
    workers: int = 1
    boards: int = 12
    progress: Progress = lambda _what, _done, _all: None
    journal: Journal = field(default_factory=Journal)

    def run(self) -> Report:
        """Judge all mutants, those the journal knows as they were judged."""
        here = Laboratory(self.setup)
        numbers = [number for number, mutant in enumerate(here.mutants) if self.chosen(mutant)]
        done = {number: known for number in numbers if (known := self.journal.known(here.mutants[number].name)) is not None}
        left = [number for number in numbers if number not in done]
        finished = True
        scans: dict[int, Scan] = {}
        try:
            if left or (self.boards and any(judged.status == "open" for judged in done.values())):
                with _Pool(self.setup, self.workers, here) as pool:
                    scans = self._scan(pool, len(here.scenarios), frozenset(left))
                    self._judge(pool, left, here.mutants, scans, done)
                    self._search(pool, here, scans, done)
        except KeyboardInterrupt:
            finished = False
        failing = tuple(f"{here.scenarios[place].place}" for place, scan in scans.items() if scan.scene is None)
        judged = tuple((here.mutants[number], done[number]) for number in numbers if number in done)
        return Report(here.ruleset.name, judged, len(here.scenarios) - len(failing), failing, finished)

    def _scan(self, pool: _Pool, count: int, numbers: frozenset[int]) -> dict[int, Scan]:
        tasks = [(places, numbers) for places in _chunks(range(count))]
        found: dict[int, Scan] = {}
        for _, scans in pool.each(_scan, tasks):
            found |= scans
            self.progress("scenarios", len(found), count)
        return dict(sorted(found.items()))

    def _judge(
        self, pool: _Pool, left: Sequence[int], mutants: Sequence[Mutant], scans: Mapping[int, Scan], done: dict[int, Judged]
    ) -> None:
        """Mutants of one holder are judged together, so that what has killed one is the first to be tried on the next."""
        groups: dict[str, list[int]] = {}
        for number in left:
            groups.setdefault(mutants[number].holder, []).append(number)
        pool.tell(scans)
        for _, judged in pool.each(_judge, [(tuple(group),) for group in groups.values()]):
            done |= judged
            for one in judged.values():
                self.journal.note(one)
            self.progress("mutants", len(done), len(done) + len(left) - sum(1 for number in left if number in done))

    def _search(self, pool: _Pool, here: Laboratory, scans: Mapping[int, Scan], done: dict[int, Judged]) -> None:
        """Look near every scenario for what would kill those that no scenario tells from the rules."""
        count = len(here.scenarios)
        each = max(self.boards, LEAST_BOARDS // max(count, 1)) if self.boards else 0
        open_ = {number for number, one in done.items() if one.status == "open"}
        boards: dict[int, int] = dict.fromkeys(open_, 0)
        tried: dict[int, int] = {}

        def tasks() -> Iterator[tuple[int, frozenset[int], int, dict[int, int]]]:
            for place in range(count if self.boards else 0):
                scene = scans[place].scene
                near = frozenset(number for number in open_ if scene and here.concerns.scenes(here.mutants[number], [scene]))
                if near:
                    yield place, near, each, dict(tried)

        for at, (_, searched) in enumerate(pool.each(_search, tasks()), 1):
            for number, found in searched.found.items():
                done[number] = replace(done[number], status="survived", witness=found)
                open_.discard(number)
                self.journal.note(done[number])
            for number, looked in searched.boards.items():
                boards[number] = boards.get(number, 0) + looked
            for number, times in searched.tried.items():
                tried[number] = max(tried.get(number, 0), times)
            self.progress("boards", at, count)
        for number in open_ if self.boards else ():
            done[number] = replace(done[number], status="equivalent", boards=boards[number])
            self.journal.note(done[number])


def _chunks(places: Iterable[int]) -> Iterator[tuple[int, ...]]:
    listed = tuple(places)
    yield from (listed[at : at + CHUNK] for at in range(0, len(listed), CHUNK))


# ------------------------------------------------------------------------------------------------ processes


class _Pool:
    """Does tasks in this process or in several. Each process has one laboratory for its life."""

    def __init__(self, setup: Setup, workers: int, here: Laboratory) -> None:
        self._executor = ProcessPoolExecutor(workers, initializer=_start, initargs=(setup,)) if workers > 1 else None
        self._workers = workers
        self._scans: Mapping[int, Scan] = {}
        if self._executor is None:
            _keep(here)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._executor is not None:
            self._executor.shutdown(wait=True, cancel_futures=True)

    def tell(self, scans: Mapping[int, Scan]) -> None:
        """What the tasks to come must know of the scenarios."""
        self._scans = scans

    def each(self, do: Callable[..., Any], tasks: Iterable[tuple[Any, ...]]) -> Iterator[tuple[tuple[Any, ...], Any]]:
        """The results of tasks, as they are done; a task is taken up only when a process is free for it."""
        if do is _judge:
            do = _Judging(dict(self._scans))
        if self._executor is None:
            for task in tasks:
                yield task, do(*task)
            return
        waiting: dict[Future[Any], tuple[Any, ...]] = {}
        left = iter(tasks)
        while True:
            while len(waiting) < self._workers + 1 and (task := next(left, ())):
                waiting[self._executor.submit(do, *task)] = task
            if not waiting:
                return
            done, _ = wait(waiting, return_when=FIRST_COMPLETED)
            for future in done:
                yield waiting.pop(future), future.result()


_laboratory: Laboratory | None = None  # one for the life of a process


def _start(setup: Setup) -> None:
    _keep(Laboratory(setup))


def _keep(laboratory: Laboratory) -> None:
    global _laboratory  # noqa: PLW0603 - see above
    _laboratory = laboratory


def _own() -> Laboratory:
    assert _laboratory is not None  # noqa: S101 - the pool has called _start
    return _laboratory


def _scan(places: tuple[int, ...], numbers: frozenset[int]) -> dict[int, Scan]:
    return {place: _own().scan(place, numbers) for place in places}


def _search(place: int, numbers: frozenset[int], boards: int, tried: Mapping[int, int]) -> Searched:
    return _own().search(place, numbers, boards, tried)


@dataclass(frozen=True, slots=True)
class _Judging:
    """Judges groups of mutants by what was found of the scenarios."""

    scans: Mapping[int, Scan]

    def __call__(self, numbers: tuple[int, ...]) -> dict[int, Judged]:
        places = {scan.scene.where: at for at, scan in self.scans.items() if scan.scene}
        first, found = -1, {}
        for number in numbers:
            judged = _own().judge(number, self.scans, first)
            first = places.get(judged.by, first)
            found[number] = judged
        return found


def _judge(numbers: tuple[int, ...]) -> dict[int, Judged]:
    """Stands for judging until the scenarios are known: see `_Pool.each`."""
    raise NotImplementedError
