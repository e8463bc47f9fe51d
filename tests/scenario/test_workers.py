"""Work is done whoever does it, also where a process dies over it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from subprocess import PIPE

import psutil
import pytest

from riftrules.scenario.workers import Alone, ClusterError, crew


def double(setup: int, item: int) -> int:
    return setup + 2 * item


def die_once(setup: str, item: int) -> int:
    marker = Path(setup) / str(item)
    if item % 5 == 0 and not marker.exists():
        marker.touch()
        os._exit(1)
    return item


def fail(setup: int, item: int) -> int:
    message = f"{setup} {item}"
    raise LookupError(message)


@pytest.mark.parametrize("size", [1, 2, 3])
def test_results_are_the_same_however_many_work(size: int) -> None:
    with crew(size) as workers:
        assert dict(workers.work(double, 1, range(20))) == {item: 1 + 2 * item for item in range(20)}


def test_alone_nothing_is_done_before_it_is_asked_for() -> None:
    done: list[int] = []

    def note(_: None, item: int) -> int:
        done.append(item)
        return item

    results = Alone().work(note, None, range(5))
    next(results)
    next(results)
    assert done == [0, 1]


def test_what_a_dead_process_had_is_done_again(tmp_path: Path) -> None:
    with crew(2) as workers:
        assert dict(workers.work(die_once, str(tmp_path), range(12))) == {item: item for item in range(12)}


@pytest.mark.parametrize("size", [1, 2])
def test_what_the_work_raises_is_raised(size: int) -> None:
    with crew(size) as workers, pytest.raises(LookupError, match="3 0"):
        list(workers.work(fail, 3, range(1)))


GO_ON = r"""
import os, sys, time
from riftrules.scenario.workers import crew

def sleep(setup, item):
    os.write(1, f"{os.getpid()}\n".encode())
    time.sleep(60)

if __name__ == "__main__":
    with crew(2) as workers:
        list(workers.work(sleep, None, range(4)))
"""


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_workers_go_when_whoever_gathers_goes(tmp_path: Path, sign: signal.Signals) -> None:
    (tmp_path / "work.py").write_text(GO_ON, encoding="utf-8")
    begin = partial(signal.signal, signal.SIGINT, signal.default_int_handler)
    with subprocess.Popen([sys.executable, "work.py"], cwd=tmp_path, stdout=PIPE, stderr=PIPE, preexec_fn=begin) as main:  # noqa: PLW1509
        assert main.stdout is not None
        working = [psutil.Process(int(main.stdout.readline())) for _ in range(2)]
        main.send_signal(sign)
        main.wait(20)
        assert not psutil.wait_procs(working, 20)[1]


def test_a_cluster_that_is_not_there_is_told() -> None:
    with pytest.raises(ClusterError, match="no Dask scheduler answers at `nowhere`"):
        crew(cluster="nowhere")
