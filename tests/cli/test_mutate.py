# ruff: noqa: E501 - messages are quoted whole
"""`riftrules mutate`: survivors with the scenario that would kill each, the score, resuming, what has changed since."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import Workspace

LIGHT = """
scenario: a bright lamp scores
when:
  - light: {lamp: beacon}
then:
  lamp beacon: {lit: true}
  player ada: {score: at least 1}
"""


@pytest.fixture
def lit(house: Workspace) -> Workspace:
    """A workspace with one scenario."""
    house.scenario("fixtures/light.yaml", LIGHT)
    return house


def mutants(workspace: Workspace, *args: str) -> dict[str, dict[str, object]]:
    """What became of each mutant."""
    _, out, _ = workspace.run("mutate", "-n", "1", "--json", *args)
    return {f"{one['operator']}: {one['what']}": one for one in json.loads(out)["mutants"]}


def test_a_survivor_is_told_by_path_and_line_with_what_would_kill_it(lit: Workspace) -> None:
    code, out, _ = lit.run("mutate", "-n", "1", "--rule", "a-bright-lamp-scores")
    assert code == 0
    assert (
        "SURVIVED rulesets/lamps/rules/light.yaml:33:19: rule a-bright-lamp-scores: shift a comparison: `more than` for `at least` in `watts: at least 50` of `lamp $x`\n"
        in out
    )
    assert "    this would kill it, made from fixtures/light.yaml:1:\n" in out
    assert out.splitlines()[-1].startswith("mutation score of lamps ")


def test_what_would_kill_passes_on_the_rules_and_fails_on_the_mutant(lit: Workspace) -> None:
    lit.run("mutate", "-n", "1", "--rule", "a-bright-lamp-scores", "-o", "found")
    written = sorted((lit.folder / "found").iterdir())
    assert written
    code, out, _ = lit.run("test", *(f"found/{file.name}" for file in written))
    assert (code, out) == (0, f"{len(written)} passed\n")
    for file in written:
        (lit.folder / "fixtures" / file.name).write_text(file.read_text(encoding="utf-8"), encoding="utf-8")
    _, out, _ = lit.run("mutate", "-n", "1", "--rule", "a-bright-lamp-scores")
    assert "SURVIVED" not in out


PICKS = {
    "ruleset.yaml": "name: picks\nmodes: {plain: {}}\nprocedures:\n  pick: {request: true, fields: {by: {ref: player}}, steps: [counting, picking]}\n",
    "templates.yaml": (
        "templates:\n  player: {plural: players, fields: {picks: {int: {min: 0, max: 9}, default: 0}}}\n"
        "  lamp: {plural: lamps, fields: {watts: {int: {min: 0, max: 9}, default: 3}, lit: {bool: any, default: false}}}\n"
        "invariants:\n  - invariant: nobody-has-many-picks\n    house: true\n    when: [{player $p: {picks: more than 1}}]\n"
    ),
    "rules.yaml": (
        "rules:\n  - rule: picks-a-lamp\n    house: true\n    step: picking\n    choose: {by: $k.by, one: $l}\n"
        "    when: [{pick $k: {by: $p}}, {player $p: {picks: less than 9}}, {lamp $l: {watts: at least 2, lit: false}}]\n"
        "    then: [{modify $l: {lit: true}}]\n"
        "  - rule: picks-are-counted\n    house: true\n    step: counting\n"
        "    when: [{pick $k: {by: $p}}, {player $p: {picks: at most 3}}]\n    then: [{modify $p: {picks: plus 1}}]\n"
    ),
}
PICKED = """
ruleset: picks
scenario: one of two lamps is picked
given: {players: {ada: {}}, lamps: {a: {}, b: {watts: 4}, c: {watts: 1}}}
when: [{pick: {by: ada}}, {choose: b}]
then: {lamp b: {lit: true}}
"""


def test_what_would_kill_is_told_with_the_choice_it_leaves_open_and_on_no_board_that_may_not_be(house: Workspace) -> None:
    for name, text in PICKS.items():
        house.write(f"rulesets/picks/{name}", text)
    house.write("fixtures/picks.yaml", PICKED)
    house.run("mutate", "picks", "-n", "1", "-o", "found")
    written = sorted((house.folder / "found").iterdir())
    texts = [one.read_text(encoding="utf-8") for one in written]
    assert any("waiting: choosing" in text and "picks-are-counted as it is, not without it" in text for text in texts)
    code, out, _ = house.run("test", "found")
    assert (code, out) == (0, f"{len(written)} passed\n")


def test_dropping_what_matters_is_killed_and_by_whom_is_said(lit: Workspace) -> None:
    found = mutants(lit, "--rule", "a-lamp-is-lit")
    assert found["drop the rule: without it"]["status"] == "killed"
    assert found["drop the rule: without it"]["killed_by"] == "fixtures/light.yaml:1"


def test_an_edit_that_changes_nothing_is_set_aside_with_its_bound(lit: Workspace) -> None:
    found = mutants(lit, "--rule", "a-bright-lamp-scores")
    aside = found["drop a condition: without `player $p: {score: $s}`"]
    assert aside["status"] == "proved"
    assert aside["boards"]
    bound = "up to one change of what is given or done in a scenario that comes by it, of the 16 likeliest to notice"
    assert aside["bound"] == bound
    _, out, _ = lit.run("mutate", "-n", "1", "--rule", "a-bright-lamp-scores", "--all")
    assert f"without `player $p: {{score: $s}}`: the same {bound}: {aside['boards']} boards\n" in out


def test_a_score_below_the_least_is_exit_1(lit: Workspace) -> None:
    assert lit.run("mutate", "-n", "1", "--rule", "a-bright-lamp-scores", "--min", "99")[0] == 1
    assert lit.run("mutate", "-n", "1", "--rule", "a-bright-lamp-scores", "--min", "1")[0] == 0


def test_one_process_or_two_come_to_the_same(lit: Workspace) -> None:
    one = mutants(lit, "--rule", "a-bright-lamp-scores", "--fresh")
    _, out, _ = lit.run("mutate", "-n", "2", "--json", "--rule", "a-bright-lamp-scores", "--fresh")
    assert {f"{found['operator']}: {found['what']}": found["status"] for found in json.loads(out)["mutants"]} == {
        name: found["status"] for name, found in one.items()
    }


def test_a_run_that_was_broken_off_is_taken_up_again(lit: Workspace) -> None:
    first = lit.run("mutate", "-n", "1", "--rule", "a-bright-lamp-scores", "--json")[1]
    (kept,) = (lit.folder / ".riftrules" / "mutants").iterdir()
    lines = kept.read_text(encoding="utf-8").splitlines(keepends=True)
    kept.write_text("".join(lines[:5]) + lines[5][:20], encoding="utf-8")  # in the middle of writing
    again = lit.run("mutate", "-n", "1", "--rule", "a-bright-lamp-scores", "--json")[1]
    assert json.loads(again) == json.loads(first)


def test_a_rule_that_is_not_there_is_exit_3(lit: Workspace) -> None:
    code, _, err = lit.run("mutate", "--rule", "a-lamp-is-lid")
    assert code == 3
    assert "there is no rule `a-lamp-is-lid` [unknown-rule]\n    hint: did you mean `a-lamp-is-lit`?" in err


def test_no_scenario_that_passes_is_exit_5(house: Workspace) -> None:
    house.scenario("fixtures/light.yaml", LIGHT.replace("at least 1", "9"))
    assert house.run("mutate", "-n", "1", "--rule", "a-lamp-is-lit")[:2] == (
        5,
        "nothing ran: no scenario of `lamps` passes here\n",
    )


def git(folder: Path, *args: str) -> None:
    """Run git in a folder."""
    subprocess.run(
        ["git", "-c", "user.name=A", "-c", "user.email=a@example.org", *args], cwd=folder, check=True, capture_output=True
    )


def test_since_a_revision_only_what_has_changed_is_edited(lit: Workspace) -> None:
    git(lit.folder, "init", "-q")
    git(lit.folder, "add", ".")
    git(lit.folder, "commit", "-qm", "first")
    assert lit.run("mutate", "-n", "1", "--since", "HEAD")[:2] == (5, "nothing ran: no rule has changed since `HEAD`\n")
    lit.edit("rulesets/lamps/rules/light.yaml", "at least 50", "at least 40")
    _, out, _ = lit.run("mutate", "-n", "1", "--since", "HEAD", "--json")
    assert {one["of"] for one in json.loads(out)["mutants"]} == {"rule a-bright-lamp-scores"}


def test_a_revision_that_git_does_not_know_is_exit_3(lit: Workspace) -> None:
    code, _, err = lit.run("mutate", "--since", "nowhere")
    assert code == 3
    assert "git knows no revision `nowhere` here" in err


def test_survivors_as_annotations(lit: Workspace) -> None:
    _, out, _ = lit.run("mutate", "-n", "1", "--rule", "a-bright-lamp-scores", "--format", "github")
    assert out.startswith("::warning file=rulesets/lamps/rules/light.yaml,line=")
    assert "title=survivor::no scenario notices this edit of rule a-bright-lamp-scores: " in out
