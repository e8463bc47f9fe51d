"""`riftrules check` as a linter: what it prints in each format, and how it ends."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema

from tests.cli.conftest import Workspace

SCHEMA = Path(__file__).parents[1] / "report/schemas/sarif-2.1.0.json"
DOUBT = (
    "rulesets/lamps/rules/light.yaml:34:21: warning:"
    " rule `a-bright-lamp-scores` binds `$s` and makes no use of it [unused-variable]"
)


def doubtful(house: Workspace) -> None:
    """The lamps without the comment that takes a doubt back."""
    house.edit("rulesets/lamps/rules/light.yaml", "  # riftrules: ignore unused-variable", "")


def test_a_doubt_is_told_and_the_check_ends_with_1(house: Workspace) -> None:
    doubtful(house)
    code, out, err = house.run("check")
    assert (code, err) == (1, "")
    assert out.splitlines()[:2] == [
        DOUBT,
        "    hint: write `score: some` if it only must be something, else leave the test out",
    ]
    assert out.splitlines()[-1] == "0 errors, 1 warning"


def test_an_annotation_stands_beside_the_line(house: Workspace) -> None:
    doubtful(house)
    code, out, _ = house.run("check", "--format", "github")
    assert code == 1
    assert out.startswith("::warning file=rulesets/lamps/rules/light.yaml,line=34,col=21,title=unused-variable::rule `a-bright")


def test_sarif_is_as_its_schema_says_and_describes_the_codes(house: Workspace) -> None:
    doubtful(house)
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    code, out, _ = house.run("check", "--format", "sarif")
    log = json.loads(out)
    jsonschema.validate(log, schema)
    assert code == 1
    assert log["runs"][0]["tool"]["driver"]["rules"] == [
        {"id": "unused-variable", "shortDescription": {"text": "A rule binds a variable and makes no use of it."}}
    ]
    assert [(one["ruleId"], one["level"]) for one in log["runs"][0]["results"]] == [("unused-variable", "warning")]
    house.edit("rulesets/lamps/rules/light.yaml", "watts: at least 50", "watt: at least 50")
    code, out, _ = house.run("check", "--format", "sarif")
    jsonschema.validate(json.loads(out), schema)
    assert code == 3


def test_json_has_each_doubt_with_its_code(house: Workspace) -> None:
    doubtful(house)
    code, out, _ = house.run("check", "--json")
    assert code == 1
    assert [(one["code"], one["severity"], one["line"]) for one in json.loads(out)["problems"]] == [
        ("unused-variable", "warning", 34)
    ]
