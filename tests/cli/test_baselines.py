"""`riftrules test` and baselines: what has come of scenarios is kept, and every change of it is said."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import Workspace

BY_HAND = "this baseline was edited by hand: its hash is not that of its content"
GONE = "this baseline is stale: there is no fixture `gone` beside it"
NAME_GONE = "no scenario here is called `a bright lamp scores` any more"
LIT = """
    scenario: a bright lamp scores
    when: [{light: {lamp: beacon}}]
    then: {player ada: {score: at least 1}}
"""


def lines(*said: str) -> str:
    """What is printed, line by line."""
    return "".join(f"{line}\n" for line in said)


@pytest.fixture
def kept(house: Workspace) -> Workspace:
    """The house with a scenario and its baseline."""
    house.monkeypatch.delenv("CI", raising=False)
    house.scenario("fixtures/lit.yaml", LIT)
    assert house.run("test", "--accept") == (0, "1 passed\n1 baseline written\n", "")
    return house


def test_an_outcome_as_kept_passes(kept: Workspace) -> None:
    assert kept.run("test") == (0, "1 passed\n", "")


def test_a_baseline_has_one_line_for_each_firing_with_its_citations(kept: Workspace) -> None:
    text = (kept.folder / "fixtures/lit.baseline.json").read_text(encoding="utf-8")
    assert json.loads(text)["scenarios"][0]["scenario"] == "a bright lamp scores"
    assert (
        '  {"firing": 2, "rule": "a-bright-lamp-scores", "cites": ["3"], "in": ["lit-1", "light-1", "lighting"], "pass": 1,'
        ' "does": ["player ada.score 0 → 1"]},\n' in text
    )
    assert '  {"fact": "player ada", "fields": {' in text


def test_accepting_again_writes_the_same_bytes(kept: Workspace) -> None:
    before = (kept.folder / "fixtures/lit.baseline.json").read_bytes()
    kept.run("test", "--accept", "-n", "2")
    assert (kept.folder / "fixtures/lit.baseline.json").read_bytes() == before


def test_what_the_expectations_let_pass_the_baseline_does_not(kept: Workspace) -> None:
    kept.edit("rulesets/lamps/rules/light.yaml", "{score: plus 1}", "{score: plus 2}")
    assert kept.run("test") == (
        1,
        lines(
            "FAILED fixtures/lit.yaml:1:1: a bright lamp scores",
            "  fixtures/lit.yaml:1:1: baseline, line 3 of what happened",
            "    expected 2. a-bright-lamp-scores [3]: player ada.score 0 → 1",
            "    found    2. a-bright-lamp-scores [3]: player ada.score 0 → 2",
            "    hint: run `riftrules test --accept` if the new outcome is right",
            "  fixtures/lit.yaml:1:1: baseline, player ada",
            "    expected score: 1",
            "    found    score: 2",
            "0 passed, 1 failed",
        ),
        "",
    )


def test_a_deleted_rule_is_a_change(kept: Workspace) -> None:
    path = kept.folder / "rulesets/lamps/rules/owners.yml"
    text = path.read_text(encoding="utf-8")
    path.write_text("rules:\n" + text[text.index("  - rule: the-dark-owns-nothing") :], encoding="utf-8")
    code, out, _ = kept.run("test")
    assert code == 1
    assert "expected 3. the-first-light-owns [2]: room hall.owner none → ada" in out
    assert "found    nothing more" in out


def test_a_baseline_of_another_edition_is_told(kept: Workspace) -> None:
    kept.edit("rulesets/lamps/ruleset.yaml", "edition: the test house", "edition: the other house")
    assert kept.run("test") == (
        1,
        lines(
            "FAILED fixtures/lit.yaml:1:1: a bright lamp scores",
            "  fixtures/lit.yaml:1:1: baseline",
            "    expected an outcome of `lamps` (the other house)",
            "    found    the baseline was made by `lamps` (the test house)",
            "    hint: run `riftrules test --accept` if the new outcome is right",
            "0 passed, 1 failed",
        ),
        "",
    )


def test_a_baseline_edited_by_hand_is_told(kept: Workspace) -> None:
    kept.edit("fixtures/lit.baseline.json", '"score": 1', '"score": 7')
    assert kept.run("test") == (
        1,
        lines(
            f"fixtures/lit.baseline.json:1:1: error: {BY_HAND} [baseline]",
            "    hint: run `riftrules test --accept` to write it anew",
            "1 passed",
        ),
        "",
    )
    kept.write("fixtures/lit.baseline.json", "{}")
    assert "error: this is no baseline that can be read [baseline]" in kept.run("test", "-q")[1]


def test_missing_and_stale_baselines_are_told_and_fail_nothing(kept: Workspace) -> None:
    kept.scenario("fixtures/more.yaml", LIT)
    kept.scenario("fixtures/lit.yaml", LIT.replace("a bright lamp scores", "a bright lamp scores for its owner"))
    kept.write("fixtures/gone.baseline.json", "{}")
    assert kept.run("test") == (
        0,
        lines(
            f"fixtures/gone.baseline.json:1:1: warning: {GONE} [stale-baseline]",
            "    hint: delete it, or bring its fixture back",
            f"fixtures/lit.baseline.json:1:1: warning: {NAME_GONE} [stale-baseline]",
            "    hint: run `riftrules test --accept` to write the baseline anew",
            "fixtures/lit.yaml:1:1: warning: one scenario has no baseline [missing-baseline]",
            "    hint: run `riftrules test --accept` to keep what has come of it",
            "fixtures/more.yaml:1:1: warning: one scenario has no baseline [missing-baseline]",
            "    hint: run `riftrules test --accept` to keep what has come of it",
            "2 passed",
        ),
        "",
    )


def test_without_any_baseline_none_is_missed(house: Workspace) -> None:
    house.scenario("fixtures/lit.yaml", LIT)
    assert house.run("test") == (0, "1 passed\n", "")


def test_what_fails_is_not_accepted_and_what_is_not_played_keeps_its_own(kept: Workspace) -> None:
    listed = """
        scenarios:
          - {scenario: a bright lamp scores, when: [{light: {lamp: beacon}}], then: {player ada: {score: 1}}}
          - {scenario: a candle scores, when: [{light: {lamp: candle}}], then: {player ada: {score: 1}}}
    """
    kept.scenario("fixtures/lit.yaml", listed)
    code, out, _ = kept.run("test", "--accept")
    assert (code, out.splitlines()[-1]) == (1, "0 baselines written; 1 scenario did not pass and was not accepted")
    mended = listed.replace("a candle scores", "a candle").replace("score: 1}}}\n    ", "score: 0}}}\n    ")
    kept.scenario("fixtures/lit.yaml", mended)
    kept.run("test", "--accept", "-k", "candle")
    data = json.loads((kept.folder / "fixtures/lit.baseline.json").read_text(encoding="utf-8"))
    assert [one["scenario"] for one in data["scenarios"]] == ["a bright lamp scores", "a candle"]


def test_ci_never_accepts(kept: Workspace) -> None:
    kept.monkeypatch.setenv("CI", "true")
    code, _, err = kept.run("test", "--accept")
    assert code == 2
    assert err.endswith("Error: Invalid value for --accept: baselines are accepted by a person, never in CI\n")


def test_baselines_are_of_the_rules_named_and_strict(kept: Workspace) -> None:
    code, _, err = kept.run("test", "--accept", "--lenient")
    assert code == 2
    assert "a baseline says what comes of the rules a fixture names, strictly: leave out `--ruleset` and `--lenient`" in err
