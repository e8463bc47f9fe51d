# ruff: noqa: E501 - messages are quoted whole
"""`riftrules test --coverage`: what of the rules scenarios reach, thresholds, reasons, and what is left by `path:line`."""

from __future__ import annotations

import json
import re

import pytest

from tests.cli.conftest import Workspace

LIGHT = """
scenario: a bright lamp scores
id: L-1
cites: ["3"]
when:
  - light: {lamp: beacon}
then:
  player ada: {score: 1}
"""
DARK = """
scenario: a dim lamp does not score
when:
  - light: {lamp: candle}
then:
  player ada: {score: 0}
"""


@pytest.fixture
def covered(house: Workspace) -> Workspace:
    """A workspace with two scenarios."""
    house.scenario("fixtures/light.yaml", LIGHT)
    house.scenario("fixtures/dark.yaml", DARK)
    return house


def shares(workspace: Workspace, *args: str) -> dict[str, tuple[int, int]]:
    """What is reached of what there is, by kind."""
    _, out, _ = workspace.run("test", "--coverage", "--json", *args)
    return {share["kind"]: (share["reached"], share["total"]) for share in json.loads(out)["coverage"][0]["shares"]}


def test_shares_come_after_the_verdicts_and_then_what_is_left_by_path_and_line(covered: Workspace) -> None:
    code, out, _ = covered.run("test", "--coverage")
    assert code == 0
    lines = out.splitlines()
    assert lines[:2] == ["2 passed", "coverage of lamps by 2 scenarios"]
    assert lines[2].endswith(" 3 of 18 rules fired")
    assert lines[-1] == "rulesets/lamps/ruleset.yaml:66:3: step `darkness` of procedure `darken` has never been visited"
    assert "rulesets/lamps/rules/light.yaml:12:5: rule `broken-lamps-stay-dark` has never fired" in lines
    assert "rulesets/lamps/rules/light.yaml:17:29: rule broken-lamps-stay-dark: `lamp: {broken: true}` has never held" in lines


def test_a_condition_is_decided_both_ways_by_two_scenarios(covered: Workspace) -> None:
    left = "rule a-bright-lamp-scores: `lamp $x: {watts: at least 50}` has never failed alone"
    assert left not in covered.run("test", "--coverage")[1]
    (covered.folder / "fixtures/dark.yaml").unlink()
    assert left in covered.run("test", "--coverage")[1]


def test_an_unmet_threshold_is_exit_1_and_says_by_how_much(covered: Workspace) -> None:
    code, out, _ = covered.run("test", "--min", "fired=50")
    assert code == 1
    assert "   16.7 %  3 of 18 rules fired  less than 50 %\n" in out
    assert covered.run("test", "--min", "fired=16")[0] == 0
    assert covered.run("test", "--min", "90")[0] == 1


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("rules=90", "there is no `rules` to cover: fired, withheld, conditions, consequents, steps, pairs"),
        ("fired=many", "`many` is no number from 0 to 100"),
        ("101", "`101` is no number from 0 to 100"),
    ],
)
def test_a_threshold_that_is_none_is_wrong_usage(covered: Workspace, given: str, said: str) -> None:
    code, _, err = covered.run("test", "--min", given)
    assert code == 2
    assert said in " ".join(err.replace("│", "").split())


def test_coverage_and_a_failing_scenario_are_both_printed(covered: Workspace) -> None:
    covered.scenario("fixtures/wrong.yaml", LIGHT.replace("score: 1", "score: 2"))
    code, out, _ = covered.run("test", "--coverage")
    assert code == 1
    assert out.startswith("FAILED fixtures/wrong.yaml:1:1: a bright lamp scores (L-1)\n")
    assert "coverage of lamps by 3 scenarios\n" in out


def test_reformatting_the_rules_changes_nothing(covered: Workspace) -> None:
    before = shares(covered)
    covered.edit(
        "rulesets/lamps/rules/light.yaml",
        "      - lamp $x: {watts: at least 50, owner: $p}\n      - player $p: {score: $s}",
        "      - player $p:\n          score: $s\n\n      - lamp $x:\n          owner: $p\n          watts: at least 50",
    )
    assert shares(covered) == before


def test_one_process_or_two_measure_the_same(covered: Workspace) -> None:
    assert shares(covered) == shares(covered, "-n", "2")


def test_a_scenario_is_told_with_what_it_alone_reaches(covered: Workspace) -> None:
    _, out, _ = covered.run("test", "--coverage", "--each")
    told = [line for line in out.splitlines() if line.startswith("fixtures/")]
    assert [line.split(": ")[1] for line in told] == ["a dim lamp does not score", "a bright lamp scores"]
    assert all(" rules fired, " in line and line.endswith("things reached here alone") for line in told)


REASON = """
ruleset: lamps
undecided:
  - condition: "lamp: {broken: true}"
    of: rule broken-lamps-stay-dark
    because: nobody breaks lamps in these scenarios
"""


def test_a_reason_excuses_a_condition(covered: Workspace) -> None:
    covered.write("fixtures/undecided.yaml", REASON)
    _, out, _ = covered.run("test", "--coverage")
    assert "conditions decided both ways, 1 more for a reason\n" in out
    assert "`lamp: {broken: true}`" not in out


def test_a_reason_for_what_is_decided_is_doubted(covered: Workspace) -> None:
    covered.write("fixtures/undecided.yaml", REASON)
    covered.scenario(
        "fixtures/broken.yaml",
        """
        scenario: a broken lamp cannot be lit
        when: [{light: {lamp: wreck}, refused: {rule: broken-lamps-stay-dark}}]
        """,
    )
    _, out, _ = covered.run("test", "--coverage")
    assert (
        "fixtures/undecided.yaml:3:5: warning: `lamp: {broken: true}` is decided both ways, or not there: it needs no reason\n"
        in out
    )


def test_a_reason_that_cannot_be_read_is_exit_3(covered: Workspace) -> None:
    covered.write("fixtures/undecided.yaml", "ruleset: lamps\nundecided:\n  - condition: x\n")
    code, _, err = covered.run("test", "--coverage")
    assert code == 3
    assert "fixtures/undecided.yaml:3:5: error: what is undecided has the key `because`, and `condition`, `of` or both" in err


def test_a_reason_excuses_a_rule_that_is_never_withheld(covered: Workspace) -> None:
    (covered.folder / "fixtures/dark.yaml").unlink()
    left = "rule `a-bright-lamp-scores` has never been withheld"
    assert left in covered.run("test", "--coverage")[1]
    covered.write(
        "fixtures/undecided.yaml",
        """
        ruleset: lamps
        undecided:
          - of: [rule a-bright-lamp-scores, rule a-lamp-is-lit, rule the-goal-wins]
            because: every lamp here is bright
        """,
    )
    out = covered.run("test", "--coverage")[1]
    assert left not in out
    assert "warning: rule the-goal-wins is withheld in a scenario, or not there: it needs no reason\n" in out


def test_printed_numbers_are_counted(covered: Workspace) -> None:
    _, out, _ = covered.run("test", "--coverage")
    assert "  of 8 printed numbers in scope 8 are cited by rules, 8 implemented, 1 tested\n" in out


def test_annotations_stand_beside_the_lines_of_fixtures_and_rules(covered: Workspace) -> None:
    covered.scenario("fixtures/wrong.yaml", LIGHT.replace("score: 1", "score: 2"))
    code, out, _ = covered.run("test", "--format", "github", "--min", "steps=100")
    assert code == 1
    first = out.splitlines()[0]
    assert first == (
        "::error file=fixtures/wrong.yaml,line=8,col=23,title=failed::a bright lamp scores: player ada.score: expected 2, found 1 (written by firing 2, `a-bright-lamp-scores`)"
    )
    assert "::error file=rulesets/lamps/ruleset.yaml,line=66,col=3,title=uncovered-steps::step `darkness` of" in out


def test_a_format_that_is_not_there_is_wrong_usage(covered: Workspace) -> None:
    assert covered.run("test", "--format", "xml")[0] == 2


def test_what_is_left_of_several_rulesets_is_summed_up_by_file(covered: Workspace) -> None:
    covered.write("rulesets/dim/ruleset.yaml", "name: dim\nextends: lamps\n")
    covered.scenario("fixtures/dim.yaml", f"ruleset: dim\n{LIGHT.lstrip()}")
    lines = covered.run("test", "--coverage")[1].splitlines()
    summed = [line for line in lines if line.startswith("  rulesets/")]
    assert len(summed) == 2 * len({line.partition(":")[0] for line in summed})
    assert sum("lines of it: the same with `--full`" in line for line in lines) == 2
    full = covered.run("test", "--coverage", "--full")[1]
    light = [line for line in summed if "/light.yaml: " in line]
    left = sum(int(number) for line in light for number in re.findall(r"\d+", line))
    assert left == sum(line.startswith("rulesets/lamps/rules/light.yaml:") for line in full.splitlines())
    assert "rulesets/lamps/rules/light.yaml:12:5: rule `broken-lamps-stay-dark` has never fired\n" in full
