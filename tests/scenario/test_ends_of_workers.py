"""Worker processes end with whoever began them, and one that dies holds up nobody for long."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import time
from pathlib import Path

import pytest

from riftrules.scenario.workers import Lost, crew


def note_process(setup: str, item: int) -> int:
    (Path(setup) / str(os.getpid())).touch()
    if item == 7:
        os._exit(1)
    return item


def sleep_long(setup: str, item: int) -> int:
    (Path(setup) / str(os.getpid())).touch()
    time.sleep(60)
    return item


def test_after_a_death_few_processes_do_the_rest(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING), crew(2) as workers:
        found = dict(workers.work(note_process, str(tmp_path), range(60)))
    assert found == {item: Lost() if item == 7 else item for item in range(60)}
    # Two at first, at most three for what was lost (the item kills two of them), two for the rest.
    assert len(list(tmp_path.iterdir())) <= 2 + 3 + 2
    assert len(caplog.records) == 1
    assert "process has died" in caplog.records[0].getMessage()


def test_workers_end_at_once_where_the_block_is_left_by_ctrl_c(tmp_path: Path) -> None:
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    began = time.monotonic()
    try:
        signal.setitimer(signal.ITIMER_REAL, 2)
        with pytest.raises(KeyboardInterrupt), crew(2) as workers:
            list(workers.work(sleep_long, str(tmp_path), range(4)))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert time.monotonic() - began < 20
    while multiprocessing.active_children() and time.monotonic() - began < 40:
        time.sleep(0.1)
    assert not multiprocessing.active_children()
