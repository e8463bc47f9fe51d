"""Folders that are gone, closed or odd are never judged as empty; a reader that has gone is no difference."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Workspace

COMMAND = (sys.executable, "-m", "riftrules.cli")
LIT = """
scenario: a lamp
when: [light: {lamp: candle}]
then: {lamp candle: {lit: true}}
"""


def test_a_reader_that_has_gone_is_no_difference(house: Workspace) -> None:
    house.scenario("fixtures/lit.yaml", LIT)
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run([*COMMAND, "run"], check=False, cwd=house.folder, stdout=writing, stderr=subprocess.PIPE, text=True)
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (141, "")


def test_rules_that_are_a_file_without_ending_are_warned_about(house: Workspace) -> None:
    rules = house.folder / "rulesets" / "lamps" / "rules"
    shutil.rmtree(rules)
    rules.write_text("rules: []\n", encoding="utf-8")
    assert "[unread-file]" in house.run("check")[1]


def test_a_closed_folder_of_fixtures_is_not_empty(house: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    house.scenario("fixtures/closed/lit.yaml", LIT)
    real = os.scandir

    def scandir(path: str | Path) -> object:
        if Path(path).name == "closed":
            raise PermissionError(13, "Permission denied", str(path))
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    for command in ("test", "run"):
        code, out, _ = house.run(command)
        assert code == 3
        assert "fixtures/closed:1:1: error: this folder cannot be read: permission denied [unreadable]" in out


@pytest.mark.parametrize("command", [("check",), ("test",), ("rulebook",), ("run",)])
def test_a_current_folder_that_is_gone_is_said_without_a_traceback(tmp_path: Path, command: tuple[str, ...]) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    script = f"cd {gone} && rmdir {gone} && exec {' '.join((*COMMAND, *command))}"
    done = subprocess.run(["sh", "-c", script], check=False, capture_output=True, text=True)
    assert done.returncode in {2, 3}
    assert "Traceback" not in done.stderr
