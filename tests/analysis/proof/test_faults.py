"""Faults put into the game are found: a few of them always, all twenty with `RIFTRULES_LONG=1`."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest
import yaml

from riftrules.analysis.proof.findings import Finding
from riftrules.analysis.proof.proving import Limits, Proving
from riftrules.analysis.proof.shrinking import counterexample
from riftrules.language.loader import load_ruleset
from riftrules.scenario.opening import play

HERE = Path(__file__).parent
RULESETS = HERE.parents[2] / "rulesets"
TOLD = yaml.safe_load((HERE / "faults.yaml").read_text(encoding="utf-8"))
FAULTS = {fault["fault"]: fault for fault in TOLD["faults"]}
ALWAYS = (
    "a showdown may close before control is settled",
    "control is lost and given back",
    "units that have left a combat are still in it",
)
LONG = bool(os.environ.get("RIFTRULES_LONG"))


def variant(root: Path, fault: dict[str, Any]) -> Path:
    """The game with a fault, as a variant beside it."""
    shutil.copytree(RULESETS / "riftbound", root / "riftbound")
    folder = root / "faulty"
    folder.mkdir()
    drop = ", ".join(fault.get("drop", ()))
    scope = indent(TOLD["scopes"][fault["scope"]], "    ")
    head = f"name: faulty\nextends: riftbound\ndrop: [{drop}]\nscopes:\n  faulty:\n{scope}"
    (folder / "ruleset.yaml").write_text(head, encoding="utf-8")
    parts = [f"{key}:\n{indent(fault[key], '  ')}" for key in ("procedures", "rules") if key in fault]
    if parts:
        (folder / "fault.yaml").write_text("".join(parts), encoding="utf-8")
    return folder


def found(folder: Path, fault: dict[str, Any]) -> tuple[Proving, Finding]:
    ruleset = load_ruleset(folder)
    proving = Proving(ruleset, ruleset.scopes["faulty"])
    findings = proving.run(Limits(first=True)).findings
    wanted = [one for one in findings if one.kind == fault["kind"] and fault.get("about") in (None, *one.about)]
    assert wanted, f"not found, but {[(one.kind, one.message) for one in findings]}"
    return proving, wanted[0]


def test_there_are_twenty_faults() -> None:
    assert len(FAULTS) == 20
    assert {fault["kind"] for fault in FAULTS.values()} == {"confluence", "termination", "invariant"}


@pytest.mark.parametrize("name", FAULTS if LONG else ALWAYS)
def test_a_fault_is_found_and_its_fixture_fails_alone(tmp_path: Path, name: str) -> None:
    folder = variant(tmp_path, FAULTS[name])
    proving, finding = found(folder, FAULTS[name])
    fixture = tmp_path / "found.yaml"
    fixture.write_text(counterexample(proving.setup, finding), encoding="utf-8")
    (run,) = play(fixture, ruleset=folder)
    assert run.verdict.status in {"failed", "error"}, fixture.read_text(encoding="utf-8")
    (sound,) = play(fixture, ruleset=RULESETS / "riftbound")
    assert sound.verdict.status == "passed", sound.verdict
