"""What the README shows is what happens."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_python_example_prints_what_is_shown() -> None:
    (example,) = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", README, re.DOTALL)
    said = subprocess.run([sys.executable, "-c", example[0]], capture_output=True, text=True, check=False, cwd=ROOT)
    assert said.stderr == ""
    assert said.stdout == example[1]


def test_every_link_leads_somewhere() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", README)
    assert links
    assert [link for link in links if not link.startswith("http") and not (ROOT / link).exists()] == []


def _agrees(shown: list[str], said: list[str]) -> bool:
    """Whether output is as shown: a line `…` stands for any lines, and within a line for any rest of it."""
    if not shown:
        return not said
    first, rest = shown[0], shown[1:]
    if first == "…":
        return any(_agrees(rest, said[skipped:]) for skipped in range(len(said) + 1))
    pattern = ".*".join(re.escape(part.strip()) for part in first.split("…"))
    return bool(said) and re.fullmatch(pattern, said[0].strip()) is not None and _agrees(rest, said[1:])


def _commands() -> list[tuple[str, list[str]]]:
    """The commands of the tour, each with the output shown below it."""
    found: list[tuple[str, list[str]]] = []
    for block in re.findall(r"```console\n(.*?)```", README, re.DOTALL):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], []))
            else:
                found[-1][1].append(line)
    return found


def test_the_five_minutes_go_as_shown(tmp_path: Path) -> None:
    for folder in ("rulesets", "fixtures"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    committed = "git init --quiet && git add --all && git -c user.name=d -c user.email=d@localhost commit --quiet -m rules"
    subprocess.run(committed, shell=True, check=True, cwd=tmp_path)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1", "PATH": path}
    for command, shown in _commands():
        done = subprocess.run(command, shell=True, check=False, cwd=tmp_path, env=environment, capture_output=True, text=True)
        said = (done.stdout + done.stderr).rstrip().splitlines()
        assert _agrees(shown, said), f"$ {command}\n" + "\n".join(said)
