"""How much memory open sessions take: run in a process of its own, `python -m tests.benchmarks.memory SUBJECT`."""

from __future__ import annotations

import gc
import sys

import psutil

from tests.benchmarks.boards import teaching_board
from tests.benchmarks.subjects import MAKERS, Subject

SESSIONS = 40


def resident() -> int:
    gc.collect()
    return int(psutil.Process().memory_info().rss)


def of_a_session(name: str) -> int:
    """Bytes that each of some sessions takes that have decided once and are kept."""
    make, board = MAKERS[name], teaching_board()
    kept: list[Subject] = [_decided(make(board)) for _ in range(2)]
    before = resident()
    kept += [_decided(make(board)) for _ in range(SESSIONS)]
    return (resident() - before) // SESSIONS


def _decided(subject: Subject) -> Subject:
    subject.decide()
    return subject


if __name__ == "__main__":
    print(of_a_session(sys.argv[1]))  # noqa: T201  # read by the benchmark that starts it
