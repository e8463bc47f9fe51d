"""`riftrules diff` on the lamps: edits, scenarios that come out otherwise, who is responsible, a board that tells apart."""

from __future__ import annotations

import json
import shutil

import pytest

from tests.cli.conftest import Workspace
from tests.cli.test_graphing import git

SCENARIOS = """
    scenarios:
      - scenario: a bright lamp scores
        id: L-1
        cites: ["3"]
        when: [{light: {lamp: beacon}}]
        then: {player ada: {score: 1}, room hall: {owner: ada}}
      - scenario: a broken lamp stays dark
        cites: ["1.1"]
        when:
          - light: {lamp: wreck}
            refused: {rule: broken-lamps-stay-dark}
"""


@pytest.fixture
def two(house: Workspace) -> Workspace:
    """The house, with a second ruleset that is a copy of the first, and scenarios."""
    shutil.copytree(house.folder / "rulesets/lamps", house.folder / "other/lamps")
    house.scenario("fixtures/lit.yaml", SCENARIOS)
    return house


def diff(two: Workspace, *more: str) -> tuple[int, str]:
    """Compare the ruleset with its copy."""
    code, out, err = two.run("diff", "other/lamps", "lamps", *more)
    assert err == ""
    return code, out


def test_a_ruleset_against_itself(two: Workspace) -> None:
    assert diff(two) == (0, "other/lamps → rulesets/lamps: no difference\n")
    assert two.run("diff", "lamps", "lamps")[:2] == (0, "rulesets/lamps → rulesets/lamps: no difference\n")


def test_one_edit_with_its_scenario_and_the_printed_rule(two: Workspace) -> None:
    two.edit("rulesets/lamps/rules/light.yaml", "{score: plus 1}", "{score: plus 2}")
    assert diff(two) == (
        1,
        """\
other/lamps → rulesets/lamps: 1 edit; 1 of 2 scenarios come out otherwise

edits
  ~ rule a-bright-lamp-scores: consequent [3]  rulesets/lamps/rules/light.yaml:36:9
      - modify $p: {score: plus 1}
      + modify $p: {score: plus 2}

scenarios that come out otherwise
  fixtures/lit.yaml:3:5: a bright lamp scores (L-1)  passed → failed
    firing 2
      - a-bright-lamp-scores [3]: player ada.score 0 → 1
      + a-bright-lamp-scores [3]: player ada.score 0 → 2
      player ada: score: 1 → score: 2

by printed rule
  3  Bright lamps score.  ← edited in rule a-bright-lamp-scores: consequent; 1 scenario otherwise
""",
    )


def test_edits_of_one_rule_are_told_apart_by_their_lines(two: Workspace) -> None:
    two.edit("rulesets/lamps/rules/light.yaml", "watts: at least 50", "watts: at least 99")
    two.edit("rulesets/lamps/rules/light.yaml", "player $p: {score: $s}", "player $p: {score: more than 5}")
    _, out = diff(two)
    lines = [line for line in out.splitlines() if "because of rule a-bright-lamp-scores: condition in line" in line]
    assert len(lines) == len(set(lines)) > 1


def test_each_edit_is_tried_alone_and_left_out(two: Workspace) -> None:
    two.edit("rulesets/lamps/rules/light.yaml", "{score: plus 1}", "{score: plus 2}")
    two.edit(
        "rulesets/lamps/rules/light.yaml", "lamp: {id: $l.lamp, broken: true}", "lamp: {id: $l.lamp, broken: true, watts: 99}"
    )
    two.edit("rulesets/lamps/rules/light.yaml", 'cites: ["1"]', 'cites: ["1", "2"]')
    code, out = diff(two)
    assert code == 1
    assert "3 edits (1 of them of words alone); 2 of 2 scenarios come out otherwise" in out
    assert "because of rule a-bright-lamp-scores: consequent: alone responsible" in out
    assert "because of rule broken-lamps-stay-dark: condition: alone responsible" in out
    assert "      - light is refused by `broken-lamps-stay-dark` (1.1)\n      + light {by: ada, lamp: wreck} begins\n" in out


def test_edits_that_only_do_it_together(two: Workspace) -> None:
    two.edit("rulesets/lamps/ruleset.yaml", "evening: {goal: 3}", "evening: {goal: 2}")
    two.edit("rulesets/lamps/rules/light.yaml", "{score: plus 1}", "{score: plus 2}")
    data = json.loads(diff(two, "--json")[1])["comparisons"][0]
    (case,) = data["scenarios"]
    assert {blame["edit"]: blame["said"] for blame in case["because"]} == {
        "rule a-bright-lamp-scores: consequent": "part of the difference",
        "mode evening: setting `goal`": "part of the difference, with others",
    }


def test_words_alone_change_no_outcome(two: Workspace) -> None:
    two.edit("rulesets/lamps/rules/light.yaml", "The lamp a player lights is lit.", "It is lit.")
    code, out = diff(two)
    assert code == 0
    assert out.startswith(
        "other/lamps → rulesets/lamps: 1 edit (1 of them of words alone); nothing that could change an outcome\n"
    )


def test_where_no_scenario_differs_a_board_is_found_and_written(two: Workspace) -> None:
    two.edit("rulesets/lamps/rules/light.yaml", "watts: at least 50", "watts: at least 51")
    code, out = diff(two, "-o", "found.yaml")
    assert code == 1
    assert "0 of 2 scenarios come out otherwise" in out
    assert "\na board that tells them apart\n  found after " in out
    assert out.endswith("the fixture is in found.yaml\n")
    text = (two.folder / "found.yaml").read_text(encoding="utf-8")
    assert "watts: 50" in text
    assert two.run("test", "found.yaml")[0] == 0
    shutil.rmtree(two.folder / "rulesets/lamps")
    shutil.copytree(two.folder / "other/lamps", two.folder / "rulesets/lamps")
    assert two.run("test", "found.yaml")[0] == 1


def test_what_is_the_same_within_the_bound_is_said(two: Workspace) -> None:
    # A lamp that is lit already would be lit to no effect.
    two.edit(
        "rulesets/lamps/rules/owners.yml",
        "when: [lamp $x: {lit: false, colours: has red}]",
        "when: [lamp $x: {colours: has red}]",
    )
    code, out = diff(two)
    assert code == 0
    assert "  no difference up to bound 3 changes of " in out


def test_a_scenario_that_only_one_side_can_read(two: Workspace) -> None:
    text = (two.folder / "rulesets/lamps/rules/light.yaml").read_text(encoding="utf-8")
    start, end = text.index("  - rule: broken-lamps-stay-dark"), text.index("  - rule: only-ones-own-lamps")
    two.write("rulesets/lamps/rules/light.yaml", text[:start] + text[end:])
    code, out = diff(two)
    assert code == 1
    assert "  - rule broken-lamps-stay-dark [1.1]  other/lamps/rules/light.yaml:" in out
    assert "light is refused by `broken-lamps-stay-dark` (1.1)" in out


def test_markdown_for_a_pull_request(two: Workspace) -> None:
    two.edit("rulesets/lamps/rules/light.yaml", "{score: plus 1}", "{score: plus 2}")
    out = diff(two, "--format", "markdown")[1]
    assert out.startswith("### Rules: `other/lamps` → `rulesets/lamps`\n\n1 edit; 1 of 2 scenarios come out otherwise.\n")
    assert (
        "| ~ | rule a-bright-lamp-scores: consequent | `modify $p: {score: plus 1}` | `modify $p: {score: plus 2}` | 3 |" in out
    )
    assert (
        "```diff\n- a-bright-lamp-scores [3]: player ada.score 0 → 1\n+ a-bright-lamp-scores [3]: player ada.score 0 → 2\n```"
        in out
    )


def test_a_revision_against_the_working_tree(two: Workspace) -> None:
    git(two, "init", "-q")
    git(two, "add", ".")
    git(two, "commit", "-qm", "before")
    assert two.run("diff", "HEAD", "--no-search")[:2] == (0, "HEAD:rulesets/lamps → rulesets/lamps: no difference\n")
    two.edit("rulesets/lamps/rules/light.yaml", "{score: plus 1}", "{score: plus 2}")
    code, out, _ = two.run("diff", "HEAD")
    assert code == 1
    assert out.startswith("HEAD:rulesets/lamps → rulesets/lamps: 1 edit; 1 of 2 scenarios come out otherwise\n")
    git(two, "commit", "-qam", "after")
    assert two.run("diff", "HEAD~1", "HEAD")[1].startswith("HEAD~1:rulesets/lamps → HEAD:rulesets/lamps: 1 edit;")
    assert two.run("diff", "HEAD~1:rulesets/lamps", "lamps")[0] == 1


def test_several_rulesets_are_told_in_a_line_each_and_then_in_short(two: Workspace) -> None:
    two.write("rulesets/dim/ruleset.yaml", "name: dim\nextends: lamps\nversion: 1.0.0\nedition: dim\n")
    for number in range(8):
        two.scenario(
            f"fixtures/more{number}.yaml",
            f"scenario: beacon {number}\nruleset: lamps\nwhen: [light: {{lamp: beacon}}]\nthen: {{player ada: {{score: 1}}}}\n",
        )
    two.scenario(
        "fixtures/dim.yaml", "scenario: dim beacon\nruleset: dim\nwhen: [light: {lamp: beacon}]\nthen: {player ada: {score: 1}}\n"
    )
    git(two, "init", "-q")
    git(two, "add", ".")
    git(two, "commit", "-qm", "before")
    two.edit("rulesets/lamps/rules/light.yaml", "{score: plus 1}", "{score: plus 2}")
    code, out, _ = two.run("diff", "HEAD", "--no-search")
    lines = out.splitlines()
    assert code == 1
    assert [line.partition(": 1 edit")[0] for line in lines[:2]] == [
        "HEAD:rulesets/dim → rulesets/dim",
        "HEAD:rulesets/lamps → rulesets/lamps",
    ]
    assert lines.count("  1 edit as above") == 1
    assert "  and 4 more" in lines
    assert [line for line in lines if line.startswith("the whole of it")] == [
        "the whole of it: riftrules diff HEAD --ruleset dim",
        "the whole of it: riftrules diff HEAD --ruleset lamps",
    ]


def test_a_variant_against_its_base(two: Workspace) -> None:
    two.write(
        "rulesets/dim/ruleset.yaml", "name: dim\nextends: lamps\nversion: 1.0.0\nedition: dim\ndrop: [a-bright-lamp-scores]\n"
    )
    code, out, _ = two.run("diff", "dim", "lamps")
    assert code == 1
    assert "  + rule a-bright-lamp-scores [3]" in out
    assert "a bright lamp scores (L-1)  failed → passed" in out


def test_what_is_asked_wrongly_is_said(two: Workspace) -> None:
    assert two.run("diff", "lamsp") == (
        3,
        "",
        "lamsp:1:1: error: `lamsp` is no folder, ruleset or git revision [unknown-ruleset]\n    hint: did you mean `lamps`?\n",
    )
    code, _, err = two.run("diff", "lamps", "lamps", "--format", "xml")
    assert code == 2
    assert "there is no format `xml`: text, json, markdown" in err
