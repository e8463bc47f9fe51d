"""A workspace with the lamps, and the command line run in this process."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

import pytest

from riftrules.cli.main import main

HERE = Path(__file__).parents[1]
BOARD = (HERE / "fixtures" / "lamps" / "boards" / "house.yaml").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Workspace:
    """A folder with `rulesets/lamps` and a board, in which fixtures are written and commands run."""

    folder: Path
    capsys: pytest.CaptureFixture[str]
    monkeypatch: pytest.MonkeyPatch

    def write(self, path: str, text: str) -> Path:
        """Write a file of the workspace."""
        written = self.folder / path
        written.parent.mkdir(parents=True, exist_ok=True)
        written.write_text(dedent(text).lstrip("\n"), encoding="utf-8")
        return written

    def scenario(self, path: str, text: str) -> Path:
        """Write a fixture that uses the board."""
        return self.write(path, "uses: boards/house.yaml\n" + dedent(text).lstrip("\n"))

    def edit(self, path: str, old: str, new: str) -> None:
        """Change one place in a file."""
        file = self.folder / path
        text = file.read_text(encoding="utf-8")
        assert text.count(old) == 1
        file.write_text(text.replace(old, new), encoding="utf-8")

    def run(self, *args: str) -> tuple[int, str, str]:
        """Exit code, standard output and standard error of a command."""
        self.monkeypatch.setattr("sys.argv", ["riftrules", *args])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = self.capsys.readouterr()
        return int(ended.value.code or 0), out, err


@pytest.fixture
def house(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """A workspace, the current folder being its own."""
    shutil.copytree(HERE / "rulesets" / "lamps", tmp_path / "rulesets" / "lamps")
    made = Workspace(tmp_path, capsys, monkeypatch)
    made.write("fixtures/boards/house.yaml", BOARD)
    monkeypatch.chdir(tmp_path)
    return made


Judged = Callable[..., tuple[int, str, str]]
