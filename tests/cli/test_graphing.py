"""`riftrules graph`: who writes what whom reads, on the lamps."""

from __future__ import annotations

import json
import subprocess
from xml.dom.minidom import parseString

from tests.cli.conftest import Workspace

UNKNOWN = "`yesterday` is no git revision here"


def test_a_lit_lamp_is_heard_by_the_rule_that_scores(house: Workspace) -> None:
    code, out, err = house.run("graph", "lamps", "--json")
    assert (code, err) == (0, "")
    data = json.loads(out)
    lit = next(channel for channel in data["channels"] if (channel["kind"], channel["name"]) == ("event", "lit"))
    assert lit == {"kind": "event", "name": "lit", "writers": ["a-lamp-is-lit"], "readers": ["a-bright-lamp-scores"]}
    scores = next(rule for rule in data["rules"] if rule["rule"] == "a-bright-lamp-scores")
    assert scores["writes"] == ["field player.score"]
    assert "field lamp.watts" in scores["reads"]


def test_reading_goes_through_definitions(house: Workspace) -> None:
    data = json.loads(house.run("graph", "lamps", "--json")[1])
    reads = next(rule["reads"] for rule in data["rules"] if rule["rule"] == "the-dark-owns-nothing")
    assert "field lamp.lit" in reads


def test_mermaid_of_a_rule_and_its_neighbours(house: Workspace) -> None:
    lines = house.run("graph", "lamps", "--rule", "a-bright-lamp-scores")[1].splitlines()
    assert lines[0] == "flowchart LR"
    assert any(line.endswith('["a-lamp-is-lit"]') for line in lines)
    assert any("-.->" in line for line in lines)


def test_text_says_who_writes_and_who_reads(house: Workspace) -> None:
    out = house.run("graph", "lamps", "--format", "text")[1]
    assert "event lit\n  written by a-lamp-is-lit\n  read by    a-bright-lamp-scores\n" in out


def test_a_picture_is_one_svg_that_needs_nothing_else(house: Workspace) -> None:
    code, out, _ = house.run("graph", "lamps", "-o", "graph.svg")
    rules = len(json.loads(house.run("graph", "lamps", "--json")[1])["rules"])
    assert (code, out) == (0, f"{rules} rules: graph.svg\n")
    text = (house.folder / "graph.svg").read_text(encoding="utf-8")
    assert parseString(text).documentElement.tagName == "svg"  # noqa: S318 - our own file
    assert "a-bright-lamp-scores" in text
    assert "href" not in text
    assert house.run("graph", "lamps", "-o", "graph.svg")[0] == 0
    assert (house.folder / "graph.svg").read_text(encoding="utf-8") == text


def test_what_changed_since_a_revision_is_marked_and_what_it_may_reach(house: Workspace) -> None:
    git(house, "init", "-q")
    git(house, "add", ".")
    git(house, "commit", "-qm", "before")
    house.edit("rulesets/lamps/rules/light.yaml", "watts: at least 50", "watts: at least 60")
    data = json.loads(house.run("graph", "lamps", "--since", "HEAD", "--json")[1])
    marks = {rule["rule"]: rule["mark"] for rule in data["rules"] if rule["mark"]}
    assert marks["a-bright-lamp-scores"] == "changed"
    assert marks["the-goal-wins"] == "impacted"
    assert "broken-lamps-stay-dark" not in marks
    assert "class r" in house.run("graph", "lamps", "--since", "HEAD")[1]


def test_what_is_asked_wrongly_is_said(house: Workspace) -> None:
    assert house.run("graph", "lamps", "--rule", "a-lamp-is-lid") == (
        3,
        "",
        "rulesets/lamps:1:1: error: there is no rule `a-lamp-is-lid` [unknown-rule]\n    hint: did you mean `a-lamp-is-lit`?\n",
    )
    assert house.run("graph", "lamps", "--since", "yesterday") == (
        3,
        "",
        f"yesterday:1:1: error: {UNKNOWN} [unknown-revision]\n    hint: name a branch, a tag or a commit\n",
    )
    assert house.run("graph", "lamps", "--format", "png")[0] == 2


def git(house: Workspace, *arguments: str) -> None:
    """Run git in the workspace, as nobody in particular."""
    names = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *names, *arguments], cwd=house.folder, check=True)
