"""The page of all fixtures of this repository: small enough to send, quick to write and to open."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.report.browser import Chromium

ROOT = Path(__file__).parents[2]
LOOP = 5_000_000
USUAL = 0.25
"""Seconds of a processor that a loop of so many rounds takes where nothing else runs; where it takes longer, so does all."""


def burden() -> float:
    begun = time.process_time()
    total = 0
    for number in range(LOOP):
        total += number
    return max(1.0, (time.process_time() - begun) / USUAL)


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, float]:
    """The page, and the seconds it takes to write with two processors that do nothing else."""
    file = tmp_path_factory.mktemp("page") / "everything.html"
    command = [sys.executable, "-m", "riftrules.cli", "report", "-n", "2", "-o", str(file), "--json"]
    load = burden()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["bytes"] == file.stat().st_size
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return file, seconds / 2 / ((load + burden()) / 2)


def test_it_is_under_five_megabytes(everything: tuple[Path, float]) -> None:
    assert everything[0].stat().st_size < 5_000_000


def test_it_is_written_in_under_five_seconds(everything: tuple[Path, float]) -> None:
    assert everything[1] < 5


def test_it_opens_in_under_a_second(everything: tuple[Path, float], chromium: Chromium) -> None:
    best = min(_opened(everything[0], chromium) for _ in range(3))
    assert best < 1


def _opened(file: Path, chromium: Chromium) -> float:
    """Seconds from the beginning of the load to a board that is drawn."""
    page = chromium.page(width=1400, height=900)
    load = burden()
    page.goto(file.as_uri())
    page.wait_for_selector("figure svg .piece, figure svg .place")
    milliseconds = page.evaluate("performance.getEntriesByType('navigation')[0].domComplete")
    page.close()
    return float(milliseconds) / 1000 / load
