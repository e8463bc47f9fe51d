"""The workflow in the README: every command of it runs as it is written, in a clone that has no branch of its own."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[3]
README = (ROOT / "README.md").read_text(encoding="utf-8")
OWN = "-c user.name=d -c user.email=d@localhost"


def commands() -> dict[str, str]:
    """The commands of the workflow, by the verb of riftrules that each begins with."""
    section = README.partition("## In CI\n")[2].partition("\n## ")[0]
    (block,) = re.findall(r"```yaml\n(.*?)```", section, re.DOTALL)
    (job,) = yaml.safe_load(block)["jobs"].values()
    runs = [step["run"] for step in job["steps"] if "run" in step]
    return {" ".join(run.split()[1:3]): run for run in runs if run.startswith("riftrules ")}


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A pull request as it is checked out: rules edited, and `origin/main` to tell them from."""
    origin, here = tmp_path_factory.mktemp("ci") / "origin", tmp_path_factory.mktemp("ci") / "here"
    for folder in ("rulesets", "fixtures"):
        shutil.copytree(ROOT / folder, origin / folder)
    git(f"init --quiet --initial-branch main && git add --all && git {OWN} commit --quiet -m rules", origin)
    git(f"clone --quiet {origin} {here}", origin)
    git("checkout --quiet --detach && git branch --quiet --delete main", here)
    return here


def git(words: str, folder: Path) -> None:
    """Run git in a folder."""
    subprocess.run(f"git {words}", shell=True, check=True, cwd=folder)


def run(command: str, folder: Path) -> tuple[int, str]:
    """Run a command as a step of a workflow is run."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "GITHUB_STEP_SUMMARY": str(folder / "summary.md")}
    done = subprocess.run(["bash", "-e", "-c", command], check=False, cwd=folder, env=environment, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def test_the_commands_run_as_written(clone: Path) -> None:
    assert list(commands()) == [
        "check --format",
        "test fixtures",
        "test fixtures/riftbound",
        "mutate riftbound",
        "diff origin/main",
    ]
    assert run(commands()["check --format"], clone) == (0, "")
    assert run(commands()["test fixtures"].replace("test fixtures", "test fixtures/riftbound/winning"), clone)[0] == 0
    assert (clone / "junit.xml").is_file()


def test_where_no_rule_has_changed_both_steps_pass(clone: Path) -> None:
    assert run(commands()["mutate riftbound"], clone)[0] == 0
    assert run(commands()["diff origin/main"], clone)[0] == 0
    assert "no difference" in (clone / "summary.md").read_text(encoding="utf-8")


def test_what_an_edit_changes_stands_in_the_summary(clone: Path) -> None:
    rules = clone / "rulesets/riftbound/battlefields/watchtower.yaml"
    rules.write_text(rules.read_text(encoding="utf-8").replace("cards: 1", "cards: 2"), encoding="utf-8")
    (clone / "summary.md").unlink(missing_ok=True)
    assert run(commands()["diff origin/main"], clone)[0] == 0
    text = (clone / "summary.md").read_text(encoding="utf-8")
    assert "rule watchtower-draws: consequent" in text
    assert "`begin draw: {player: $p, cards: 2}`" in text
