"""A designer adds a battlefield card as the page says: one file of rules, one fixture, and nothing else."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from riftrules.cli.main import main

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "rulesets" / "README.md").read_text(encoding="utf-8")
CARD, FIXTURE = "rulesets/riftbound/battlefields/mill-brook.yaml", "fixtures/riftbound/battlefields/mill-brook.yaml"

Run = Callable[..., tuple[int, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command in a fresh folder with the rules, their fixtures and the two files of the page."""
    for name in ("rulesets/riftbound", "fixtures/riftbound"):
        shutil.copytree(ROOT / name, tmp_path / name)
    monkeypatch.chdir(tmp_path)
    for name, text in re.findall(r"```yaml\n# in (\S+)\n(.*?)```", PAGE, re.DOTALL):
        path = tmp_path / name
        assert not path.exists()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def ended(*args: str) -> tuple[int, str]:
        monkeypatch.setattr("sys.argv", ["riftrules", *args])
        with pytest.raises(SystemExit) as end:
            main()
        return int(end.value.code or 0), capsys.readouterr().out

    return ended


def test_the_card_of_the_page_is_two_files_and_works(run: Run) -> None:
    assert [Path(name).is_file() for name in (CARD, FIXTURE)] == [True, True]
    code, out = run("check", "rulesets/riftbound")
    assert (code, out.splitlines()[-1]) == (0, "0 errors, 0 warnings")
    code, out = run("test", FIXTURE)
    assert (code, out.splitlines()[-1]) == (0, "3 passed")
    code, out = run("run", FIXTURE)
    assert code == 0
    assert "mill-brook-readies" in out


def test_a_card_that_asks_who_contests_is_told_that_cards_may_not(run: Run) -> None:
    path = Path(CARD)
    path.write_text(path.read_text(encoding="utf-8").replace("{name: Mill Brook}", "{name: Mill Brook, contested_by: some}"))
    code, out = run("check", "rulesets/riftbound")
    assert code == 3
    assert f"{CARD}:8:45: error: `contested_by` of `battlefield` is internal: a card may not read it [internal]" in out


def test_a_fixture_that_expects_otherwise_shows_who_wrote_it(run: Run) -> None:
    path = Path(FIXTURE)
    path.write_text(path.read_text(encoding="utf-8").replace("v: {at: A, exhausted: false}", "v: {at: A, exhausted: true}"))
    code, out = run("test", FIXTURE)
    assert code == 1
    assert "`a-unit-is-readied`" in out
