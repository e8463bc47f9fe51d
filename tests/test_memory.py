"""Memory stays flat over many sessions in one process. `RIFTRULES_FIRINGS=10000000` plays as many firings as it says."""

from __future__ import annotations

import gc
import os
import sys
import time
from itertools import cycle

import psutil
import pytest

from tests.benchmarks.boards import some_boards
from tests.benchmarks.on_riftrules import OnRiftrules, facts_of, riftbound

FIRINGS = int(os.environ.get("RIFTRULES_FIRINGS", "30000"))
PARTS = 10
ENOUGH = 4
"""MB: what the interpreter's own pools may come to beyond what the first part has taken."""


@pytest.mark.parametrize("matcher", ["network", "demand"])
def test_memory_is_flat_over_many_firings(matcher: str) -> None:
    boards = cycle([(board, facts_of(board, riftbound())) for board in some_boards(100)])
    taken, fired, begun = [], 0, time.perf_counter()
    for part in range(1, PARTS + 1):
        while fired < FIRINGS * part / PARTS:
            board, facts = next(boards)
            subject = OnRiftrules(board, matcher, facts=facts)
            for _ in range(5):
                subject.decide()
                fired += len(subject.outcome().fired)
                subject.reset()
            subject.close_session()
        gc.collect()
        taken.append(psutil.Process().memory_info().rss / 2**20)
    seconds, shown = time.perf_counter() - begun, [round(mb, 1) for mb in taken]
    sys.stderr.write(f"\n{matcher}: {fired:,} firings in {seconds:.0f} s; MB after each tenth: {shown}\n")
    assert taken[-1] - taken[0] < ENOUGH
