"""Spreads work over processes, or over a cluster: the same results, whoever does it and however many they are.

Work is a function of a setup and an item. The setup (what is loaded and compiled once) is the same for all items; the
function keeps what it makes of it for as long as its process lives. Results come as they are done, each with the place
of its item, so that whoever gathers them can put them in order.
"""

from __future__ import annotations

import logging
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from multiprocessing import active_children, parent_process
from threading import Thread
from types import TracebackType
from typing import Any, Protocol, TypeVar

from riftrules.errors import RiftrulesError

Setup = TypeVar("Setup")
Item = TypeVar("Item")
Result = TypeVar("Result")

NO_DASK = "a cluster needs Dask, which is not installed\n    hint: `pip install 'riftrules[dask]'`, here and on the workers"
AHEAD = 4
"""How many items a worker has waiting: enough not to idle, few enough to stop soon."""
TRIES = 2
PATIENCE = 5.0
"""Seconds in which a process that is told to end has ended."""
LOG = logging.getLogger(__name__)


class ClusterError(RiftrulesError):
    """The cluster cannot be reached, or the software for it is not there."""


@dataclass(frozen=True, slots=True)
class Lost:
    """The process that worked on an item has died, and so have others that had nothing else to do."""


class Crew(Protocol):
    """Whoever does the work."""

    @property
    def size(self) -> int:
        """How many items are worked on at a time."""

    def work(
        self, function: Callable[[Setup, Item], Result], setup: Setup, items: Sequence[Item]
    ) -> Iterator[tuple[int, Result | Lost]]:
        """The results as they are done, each with the place of its item. What the function raises is raised."""


@dataclass(frozen=True, slots=True)
class Alone:
    """The process that asks."""

    size: int = 1

    def work(
        self, function: Callable[[Setup, Item], Result], setup: Setup, items: Sequence[Item]
    ) -> Iterator[tuple[int, Result | Lost]]:
        """One after the other, each when it is asked for."""
        for place, item in enumerate(items):
            yield place, function(setup, item)


@dataclass(slots=True)
class Processes:
    """Processes on this machine. One that dies takes no other item with it: what it had is done again."""

    size: int
    _pool: ProcessPoolExecutor | None = None

    def work(
        self, function: Callable[[Setup, Item], Result], setup: Setup, items: Sequence[Item]
    ) -> Iterator[tuple[int, Result | Lost]]:
        """The results as they are done."""
        places = _Places(len(items))
        while places.left:
            lost = []
            for place, future in _done(
                self._executor(), self.size * AHEAD, places, lambda place: (function, setup, items[place])
            ):
                if isinstance(future.exception(), BrokenProcessPool):
                    lost.append(place)
                else:
                    yield place, future.result()
            if lost:
                self.close()
                LOG.warning("a process has died at work; what it was at, and others had waiting, is done again")
                yield from _again(lost, function, setup, items)

    def one(self, function: Callable[[Setup, Item], Result], setup: Setup, item: Item) -> Result | Lost:
        """One item, tried again where the process dies: it may have died of something else."""
        for _ in range(TRIES):
            try:
                return self._executor().submit(function, setup, item).result()
            except BrokenProcessPool:
                self.close()
        return Lost()

    def _executor(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = _pool(self.size)
        return self._pool

    def close(self) -> None:
        """Let the processes go; what they have not begun is not done."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None

    def stop(self) -> None:
        """Let the processes go in the middle of what they are at."""
        self.close()
        for _ in range(TRIES):  # one may be about to begin
            for process in active_children():
                process.terminate()
                process.join(PATIENCE)


@dataclass(slots=True)
class Cluster:
    """Workers elsewhere, through Dask: an item whose worker is lost is given to another one."""

    size: int
    client: Any
    _executor: Executor = field(init=False)

    def __post_init__(self) -> None:
        self._executor = self.client.get_executor(pure=False)

    def work(
        self, function: Callable[[Setup, Item], Result], setup: Setup, items: Sequence[Item]
    ) -> Iterator[tuple[int, Result | Lost]]:
        """The results as they are done."""
        given = _Places(len(items))
        for place, future in _done(self._executor, self.size * AHEAD, given, lambda place: (function, setup, items[place])):
            yield place, future.result()

    def close(self) -> None:
        """Leave the cluster."""
        self._executor.shutdown(wait=False)
        self.client.close()

    def stop(self) -> None:
        """Leave the cluster; what is not done yet is cancelled."""
        self._executor.shutdown(wait=False, cancel_futures=True)
        self.client.close()


def _pool(size: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(size, initializer=_begin_work)


def _begin_work() -> None:
    """Ctrl-C is for whoever gathers the results; when they have gone, however that was, the worker goes too."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_follow, daemon=True).start()


def _follow() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _again(
    lost: Sequence[int], function: Callable[[Setup, Item], Result], setup: Setup, items: Sequence[Item]
) -> Iterator[tuple[int, Result | Lost]]:
    """Each item alone in a process, which is kept for the next; once more in a new one where the process dies of it."""
    alone = Processes(1)
    try:
        for place in lost:
            yield place, alone.one(function, setup, items[place])
    finally:
        alone.close()


class _Places:
    """The places of the items that have not been given out."""

    def __init__(self, count: int) -> None:
        self.given, self.count = 0, count

    @property
    def left(self) -> bool:
        return self.given < self.count

    def take(self) -> int:
        self.given += 1
        return self.given - 1


def _done(
    executor: Executor, ahead: int, places: _Places, task: Callable[[int], tuple[Any, ...]]
) -> Iterator[tuple[int, Future[Any]]]:
    """The futures as they are done; no more than so many are given out at a time, and none once the executor is broken."""
    waiting: dict[Future[Any], int] = {}
    broken = False
    while True:
        while not broken and places.left and len(waiting) < ahead:
            place = places.take()
            try:
                waiting[executor.submit(*task(place))] = place
            except BrokenProcessPool as error:
                waiting[_failed(error)] = place
                broken = True
        if not waiting:
            return
        for future in wait(waiting, return_when=FIRST_COMPLETED).done:
            broken = broken or isinstance(future.exception(), BrokenProcessPool)
            yield waiting.pop(future), future


def _failed(error: BaseException) -> Future[Any]:
    future: Future[Any] = Future()
    future.set_exception(error)
    return future


# ------------------------------------------------------------------------------------------------ who


class _Closing(AbstractContextManager["Crew"]):
    """A crew that is let go at the end of the block."""

    def __init__(self, crew: Alone | Processes | Cluster) -> None:
        self._crew = crew

    def __enter__(self) -> Crew:
        return self._crew

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if isinstance(self._crew, Alone):
            return
        if kind is None:
            self._crew.close()
        else:
            self._crew.stop()


def crew(workers: int = 1, cluster: str = "") -> AbstractContextManager[Crew]:
    """Who does the work: this process, so many others, or the workers of the Dask cluster at an address.

    Raises ClusterError where there is no cluster, or `riftrules[dask]` is not installed.
    """
    if cluster:
        return _Closing(_cluster(cluster))
    return _Closing(Processes(workers) if workers > 1 else Alone())


def _cluster(address: str) -> Cluster:
    try:
        from distributed import Client
    except ImportError:
        raise ClusterError(NO_DASK) from None
    try:
        client = Client(address, timeout=10)
    except (OSError, TimeoutError, ValueError) as error:
        message = f"no Dask scheduler answers at `{address}`: {error}"
        raise ClusterError(message) from None
    return Cluster(max(1, sum(client.ncores().values())), client)
