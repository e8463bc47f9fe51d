"""What the system refuses is said in one line, and a closed stream changes no exit code."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Workspace

COMMAND = (sys.executable, "-m", "riftrules.cli")


@pytest.mark.parametrize("stream", [">&-", "2>&-", ">&- 2>&-"])
def test_a_closed_stream_changes_no_exit_code(house: Workspace, stream: str) -> None:
    command = f"{' '.join(COMMAND)} check lamps {stream}"
    done = subprocess.run(command, shell=True, check=False, cwd=house.folder, capture_output=True, text=True)
    assert done.returncode == house.run("check", "lamps")[0]
    assert "Traceback" not in done.stderr


def test_a_folder_that_cannot_be_written_is_said_in_one_line(tmp_path: Path) -> None:
    done = subprocess.run([*COMMAND, "new", "workspace", "/proc/none"], check=False, cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (2, "`/proc/none`: no such file or directory\n")
