"""`riftrules check`: every problem of a ruleset, the counts of what was read, and four formats."""

from __future__ import annotations

import json

from tests.cli.conftest import Workspace

WRONG = (
    "rulesets/lamps/rules/light.yaml:17:29: error: `lamp` has no field `brokn` [unknown-field]\n"
    "    hint: did you mean `broken`?\n"
)


def test_check_says_how_much_was_read(house: Workspace) -> None:
    said = "lamps: 6 files, 18 rules, 7 kinds of fact, 10 procedures, 1 definition, 1 invariant, 9 printed numbers\n"
    assert house.run("check") == (0, said + "0 errors, 0 warnings\n", "")
    assert house.run("check", "lamps") == house.run("check", "rulesets/lamps") == house.run("check")


def test_rules_in_sub_folders_and_yml_files_are_read_and_unknown_files_warned_about(house: Workspace) -> None:
    house.write(
        "rulesets/lamps/rooms/deep/more.yml",
        """
        rules:
          - rule: one-more
            house: true
            says: A broken lamp is dark.
            step: owners
            when: [lamp $x: {broken: true, lit: true}]
            then: [modify $x: {lit: false}]
        """,
    )
    house.write("rulesets/lamps/rules/more.yam", "rules: []\n")
    code, out, _ = house.run("check")
    assert code == 0
    assert "rulesets/lamps/rules/more.yam:1:1: warning: `more.yam` is not read [unread-file]" in out
    assert "lamps: 7 files, 19 rules, " in out


def test_a_misspelt_field_is_exit_3(house: Workspace) -> None:
    house.edit("rulesets/lamps/rules/light.yaml", "broken: true", "brokn: true")
    assert house.run("check") == (3, WRONG + "1 error, 0 warnings\n", "")


def test_every_problem_is_told_at_once(house: Workspace) -> None:
    house.edit("rulesets/lamps/rules/light.yaml", "broken: true", "brokn: true")
    house.edit("rulesets/lamps/rules/owners.yml", "assert outcome", "assert outcom")
    code, out, _ = house.run("check")
    assert (code, out.splitlines()[-1]) == (3, "2 errors, 0 warnings")


def test_a_path_that_matches_no_rules_is_exit_3(house: Workspace) -> None:
    (house.folder / "empty").mkdir()
    said = "empty:1:1: error: no rules are here: there is no `ruleset.yaml` [no-rules]\n    hint: name the folder that holds it\n"
    assert house.run("check", "empty") == (3, said + "1 error, 0 warnings\n", "")
    said = "lapms:1:1: error: there is no ruleset `lapms` [missing-folder]\n    hint: did you mean `lamps`?\n"
    assert house.run("check", "lapms") == (3, said + "1 error, 0 warnings\n", "")


def test_json_github_and_sarif_hold_the_same_problem(house: Workspace) -> None:
    house.edit("rulesets/lamps/rules/light.yaml", "broken: true", "brokn: true")
    code, out, _ = house.run("check", "--json")
    assert (code, json.loads(out)["problems"]) == (
        3,
        [
            {
                "path": "rulesets/lamps/rules/light.yaml",
                "line": 17,
                "column": 29,
                "severity": "error",
                "code": "unknown-field",
                "message": "`lamp` has no field `brokn`",
                "hint": "did you mean `broken`?",
            }
        ],
    )
    assert house.run("check", "--format", "github") == (
        3,
        (
            "::error file=rulesets/lamps/rules/light.yaml,line=17,col=29,title=unknown-field::"
            "`lamp` has no field `brokn` (hint: did you mean `broken`?)\n"
        ),
        "",
    )
    log = json.loads(house.run("check", "--format", "sarif")[1])
    result = log["runs"][0]["results"][0]
    assert (log["version"], result["ruleId"], result["level"]) == ("2.1.0", "unknown-field", "error")
    assert result["locations"][0]["physicalLocation"]["region"] == {"startLine": 17, "startColumn": 29}


def test_an_unknown_format_is_wrong_usage(house: Workspace) -> None:
    assert house.run("check", "--format", "prose")[0] == 2
