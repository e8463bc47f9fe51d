"""The pytest plugin: fixtures are tests, chosen by `-k`, shared out by xdist, failing in our words."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

HERE = Path(__file__).parents[1]
pytest_plugins = ("pytester",)


@pytest.fixture
def workspace(pytester: pytest.Pytester) -> pytest.Pytester:
    """A folder with the lamps and their fixtures."""
    shutil.copytree(HERE / "rulesets" / "lamps", pytester.path / "rulesets" / "lamps")
    shutil.copytree(HERE / "fixtures" / "lamps", pytester.path / "fixtures")
    return pytester


def run(workspace: pytest.Pytester, *args: str) -> pytest.RunResult:
    """Run pytest where the package, and so its plugin, is installed."""
    return workspace.runpytest_subprocess("-p", "no:benchmark", *args)


def test_scenarios_are_tests_and_boards_are_none(workspace: pytest.Pytester) -> None:
    run(workspace, "fixtures").assert_outcomes(passed=5)


def test_a_word_chooses_by_name_and_id(workspace: pytest.Pytester) -> None:
    run(workspace, "fixtures", "-k", "night").assert_outcomes(passed=1, deselected=4)
    run(workspace, "fixtures", "-k", "L-1").assert_outcomes(passed=1, deselected=4)


def test_two_processes_share_them_out(workspace: pytest.Pytester) -> None:
    run(workspace, "fixtures", "-n", "2").assert_outcomes(passed=5)


def test_a_failure_is_told_in_our_words_and_nothing_else(workspace: pytest.Pytester) -> None:
    file = workspace.path / "fixtures" / "light.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("score: at least 1", "score: 7"), encoding="utf-8")
    result = run(workspace, "fixtures")
    result.assert_outcomes(passed=4, failed=1)
    result.stdout.fnmatch_lines(
        [
            "*a bright lamp scores and owns the room (L-1)*",
            "FAILED fixtures/light.yaml:3:5: a bright lamp scores and owns the room (L-1)",
            "*player ada.score",
            "    expected 7",
            "    found    1    (written by firing 2, `a-bright-lamp-scores`)",
        ]
    )
    assert "Traceback" not in result.stdout.str()


def test_a_skipped_scenario_is_skipped(workspace: pytest.Pytester) -> None:
    (workspace.path / "fixtures" / "later.yaml").write_text("ruleset: lamps\nscenario: later\nskip: not yet\n", encoding="utf-8")
    run(workspace, "fixtures").assert_outcomes(passed=5, skipped=1)


def test_rules_that_cannot_be_loaded_are_told_once_as_an_error(workspace: pytest.Pytester) -> None:
    file = workspace.path / "rulesets" / "lamps" / "rules" / "light.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("broken: true", "brokn: true"), encoding="utf-8")
    result = run(workspace, "fixtures")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(
        ["rulesets/lamps/rules/light.yaml:17:29: error: `lamp` has no field `brokn`*", "*did you mean `broken`?"]
    )


def test_a_wrong_fixture_fails_with_its_problem(workspace: pytest.Pytester) -> None:
    (workspace.path / "fixtures" / "wrong.yaml").write_text("ruleset: lamps\nscenario: wrong\nthn: {}\n", encoding="utf-8")
    result = run(workspace, "fixtures/wrong.yaml")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["INVALID fixtures/wrong.yaml*", "*unknown key `thn`*"])


def test_files_that_are_no_fixtures_are_left_alone(workspace: pytest.Pytester) -> None:
    (workspace.path / "other.yaml").write_text("a: b\n", encoding="utf-8")
    assert run(workspace, ".").parseoutcomes()["passed"] == 5
