"""Work on a real cluster of two workers: a proof in the middle of which one is killed, and fixtures."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from riftrules.analysis.proof.proving import Progress, Proving
from riftrules.scenario.suite import Options, judge
from riftrules.scenario.workers import crew
from tests.analysis.proof.pebbles import TEMPLATES, UNDECIDED, pebbles

distributed = pytest.importorskip("distributed")

pytestmark = pytest.mark.filterwarnings("ignore")  # a cluster that loses a worker has much to say of itself


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=100
    ) as made:
        yield made


def test_a_proof_that_loses_a_worker_in_the_middle_finds_the_same(tmp_path: Path, cluster: Any) -> None:
    ruleset = pebbles(tmp_path, UNDECIDED, templates=TEMPLATES.replace("symmetric: true, ", ""))  # more states
    scope = replace(ruleset.scopes["crowded"], agreement=20)
    alone = Proving(ruleset, scope).run()
    killed: list[int] = []

    def kill_one(progress: Progress) -> None:
        if not killed and 0 < progress.done < progress.of:
            pid = next(iter(cluster.workers.values())).pid
            os.kill(pid, signal.SIGKILL)
            killed.append(pid)

    with crew(cluster=cluster.scheduler_address) as workers:
        proof = Proving(ruleset, scope, workers=workers).run(told=kill_one)
    assert killed
    assert alone.findings
    assert replace(proof, seconds=0.0) == replace(alone, seconds=0.0)


def test_fixtures_are_judged_on_a_cluster_as_they_are_here(cluster: Any) -> None:
    fixtures = sorted((Path(__file__).parents[3] / "fixtures" / "riftbound" / "winning").glob("*.yaml"))
    assert judge(fixtures, Options(), cluster=cluster.scheduler_address) == judge(fixtures, Options())
