"""`riftrules report`, and `rulebook --html`: pages are written and it is said what is on them."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from typing import Any

import pytest

from tests.cli.conftest import Workspace

LIGHT = "scenario: a bright lamp scores\nid: L-1\nwhen:\n  - light: {lamp: beacon}\nthen:\n  player ada: {score: 1}\n"
DARK = "scenario: it stays dark\nwhen:\n  - light: {lamp: candle}\nthen:\n  lamp candle: {lit: false}\n"


def data_of(house: Workspace, file: str = "page.html") -> dict[str, Any]:
    """The data of a page, unpacked."""
    text = (house.folder / file).read_text(encoding="utf-8")
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    packed = json.loads(found[1])

    def unpacked(place: int) -> Any:
        node = packed["table"][place]
        if not isinstance(node, list):
            return node
        if node[0] == -1:
            return [unpacked(at) for at in node[1:]]
        return dict(zip(unpacked(node[0]), map(unpacked, node[1:]), strict=True))

    data = unpacked(packed["root"])
    for one in data["scenarios"]:
        one["body"] = unpacked(one["at"])
    return dict(data)


def test_a_page_is_written_and_it_is_said_what_is_on_it(house: Workspace) -> None:
    house.scenario("fixtures/a.yaml", LIGHT)
    house.scenario("fixtures/b.yaml", DARK)
    assert house.run("report", "fixtures", "-o", "out/page.html") == (0, "out/page.html: 2 scenarios, 1 failed, 1 passed\n", "")
    data = data_of(house, "out/page.html")
    assert [(one["name"], one["slug"], one["status"]) for one in data["scenarios"]] == [
        ("it stays dark", "it-stays-dark", "failed"),
        ("a bright lamp scores", "l-1", "passed"),
    ]
    assert set(data["rules"]["rulesets/lamps"]["rules"]) == {"a-lamp-is-lit", "a-bright-lamp-scores", "the-first-light-owns"}


def test_the_json_counts(house: Workspace) -> None:
    house.scenario("fixtures/a.yaml", LIGHT)
    code, out, _ = house.run("report", "-o", "page.html", "--json")
    size = (house.folder / "page.html").stat().st_size
    assert (code, json.loads(out)) == (0, {"written": "page.html", "bytes": size, "counts": {"passed": 1}, "problems": []})


def test_only_some_scenarios_and_a_title_of_ones_own(house: Workspace) -> None:
    house.scenario("fixtures/a.yaml", LIGHT)
    house.scenario("fixtures/b.yaml", DARK)
    assert house.run("report", "-o", "page.html", "-k", "dark", "--title", "In <the> dark")[0] == 0
    assert [one["name"] for one in data_of(house)["scenarios"]] == ["it stays dark"]
    assert "<h1>In &lt;the&gt; dark</h1>" in (house.folder / "page.html").read_text(encoding="utf-8")


def test_where_there_is_nothing_to_show_nothing_is_written(house: Workspace) -> None:
    house.scenario("fixtures/a.yaml", LIGHT)
    code, out, _ = house.run("report", "-o", "page.html", "-k", "ghost")
    assert (code, out) == (5, "nothing was written: there is no scenario to show\n")
    assert not (house.folder / "page.html").exists()


def test_a_file_that_cannot_be_written_is_wrong_usage(house: Workspace) -> None:
    house.scenario("fixtures/a.yaml", LIGHT)
    code, _, err = house.run("report", "-o", "fixtures")
    assert code == 2
    assert "cannot write `fixtures`: Is a directory" in " ".join(err.split())


def test_wrong_rules_are_told_and_no_page_is_written(house: Workspace) -> None:
    house.scenario("fixtures/a.yaml", LIGHT)
    house.edit("rulesets/lamps/view.yaml", "place: room", "plaice: [")
    code, _, err = house.run("report", "-o", "page.html")
    assert code == 3
    assert "rulesets/lamps/view.yaml" in err
    assert not (house.folder / "page.html").exists()


def test_an_invalid_fixture_is_on_the_page_with_its_problems(house: Workspace) -> None:
    house.scenario("fixtures/a.yaml", LIGHT.replace("player ada", "player ghost"))
    assert house.run("report", "-o", "page.html")[1] == "page.html: 1 scenarios, 1 invalid\n"
    (one,) = data_of(house)["scenarios"]
    assert [problem["message"] for problem in one["body"]["problems"]] == ["`ghost` names no player"]


def test_beside_each_scenario_stands_how_it_goes_by_older_rules(house: Workspace) -> None:
    house.scenario("fixtures/a.yaml", LIGHT)
    house.scenario("fixtures/b.yaml", DARK)
    shutil.copytree(house.folder / "rulesets" / "lamps", house.folder / "older")
    house.edit("older/rules/light.yaml", "  - rule: a-bright-lamp-scores", "  - rule: a-bright-lamp-scored")
    house.edit("older/ruleset.yaml", "  goal: {int: {min: 1}, default: 3}", "  goal: {int: {min: 1}, default: 4}")
    code, out, _ = house.run("report", "-o", "page.html", "--against", "older")
    assert (code, out) == (0, "page.html: 2 scenarios, 1 same end, otherwise reached, 1 the same\n")
    (changed, _) = data_of(house)["scenarios"]
    assert [
        [side["stops"][left]["text"] if left >= 0 else None, right]
        for side in changed["body"]["sides"][:1]
        for left, right in changed["body"]["rows"]
    ][3:6] == [
        ["a-bright-lamp-scored", -1],
        [None, 3],
        ["the-first-light-owns", 4],
    ]


def test_older_rules_may_be_those_of_a_git_revision(house: Workspace) -> None:
    house.scenario("fixtures/a.yaml", LIGHT)
    for command in (["init", "-q"], ["add", "."], ["-c", "user.name=d", "-c", "user.email=d@localhost", "commit", "-qm", "x"]):
        subprocess.run(["git", *command], check=True, cwd=house.folder)
    assert house.run("report", "-o", "page.html", "--against", "HEAD")[:2] == (0, "page.html: 1 scenarios, 1 the same\n")
    house.edit("rulesets/lamps/rules/light.yaml", "{score: plus 1}", "{score: plus 2}")
    pages = []
    for named in ("HEAD", "HEAD:rulesets/lamps", "HEAD"):
        code, out, _ = house.run("report", "-o", "page.html", "--against", named)
        assert (code, out) == (0, "page.html: 1 scenarios, 1 changed\n")
        pages.append((house.folder / "page.html").read_text(encoding="utf-8"))
    assert pages[0] == pages[1] == pages[2]
    assert house.run("report", "-o", "page.html", "--against", "HEAD:rulesets/dark")[0] == 3
    code, _, err = house.run("report", "-o", "page.html", "--against", "HAED")
    assert (code, "`HAED` is no folder, ruleset or git revision" in err) == (3, True)


def test_the_page_does_not_depend_on_how_many_processes_play(house: Workspace) -> None:
    for number in range(30):
        house.scenario(f"fixtures/{number}.yaml", LIGHT.replace("L-1", f"L-{number}"))
    house.scenario("fixtures/b.yaml", DARK)
    assert house.run("report", "-o", "one.html", "-n", "1")[0] == 0
    assert house.run("report", "-o", "two.html", "-n", "2")[0] == 0
    assert (house.folder / "one.html").read_bytes() == (house.folder / "two.html").read_bytes()


@pytest.mark.parametrize("workers", ["0", "many"])
def test_a_number_of_processes_that_is_none(house: Workspace, workers: str) -> None:
    code, _, err = house.run("report", "-o", "page.html", "-n", workers)
    assert code == 2
    assert f"`{workers}` is neither `auto` nor a number from 1" in " ".join(err.split())


def test_the_board_of_a_failure_is_drawn_where_it_is_asked_for(house: Workspace) -> None:
    house.scenario("fixtures/b.yaml", DARK)
    code, out, _ = house.run("test", "--boards")
    assert code == 1
    assert out.splitlines()[1:11] == [
        "  fixtures/b.yaml:6:22: lamp candle.lit",
        "    expected false",
        "    found    true    (written by firing 1, `a-lamp-is-lit`)",
        "    turn: ● player ada",
        "    ◆ ben ○○○ score 0 of 3",
        "      shelf: nothing",
        "    ╭─ attic ──────────────────────────────╮╭─ hall ───────────────────────────────╮",
        "    │ ◆ owner ben                          ││ ● owner ada                          │",
        "    │ ◆ bulb (watts 10, lit)               ││ ● mark ada                           │",
        "    │                                      ││ ● beacon (watts 60)                  │",
    ]


def test_the_rulebook_as_a_page(house: Workspace) -> None:
    house.scenario("fixtures/a.yaml", LIGHT.replace("id: L-1", 'id: L-1\ncites: ["3"]'))
    code, out, _ = house.run("rulebook", "--html", "index.html")
    assert (code, out) == (0, "index.html: 9 numbers: 8 implemented, 0 definition, 1 out of scope, 0 missing; 1 tested\n")
    page = (house.folder / "index.html").read_text(encoding="utf-8")
    assert "tested by L-1" in page
    assert "held by rule a-bright-lamp-scores" in page
