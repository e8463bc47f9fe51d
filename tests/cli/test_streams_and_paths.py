"""What the system refuses is said in one line, and a closed stream changes no exit code."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Workspace

COMMAND = (sys.executable, "-m", "riftrules.cli")


@pytest.mark.parametrize("stream", [">&-", "2>&-", ">&- 2>&-"])
def test_a_closed_stream_changes_no_exit_code(house: Workspace, stream: str) -> None:
    command = f"{' '.join(COMMAND)} check lamps {stream}"
    done = subprocess.run(command, shell=True, check=False, cwd=house.folder, capture_output=True, text=True)
    assert done.returncode == house.run("check", "lamps")[0]
    assert "Traceback" not in done.stderr


def test_with_a_closed_standard_input_nothing_is_stepped_through(house: Workspace) -> None:
    house.scenario("fixtures/a.yaml", "ruleset: lamps\nscenario: it\nthen: {waiting: idle}\n")
    command = f"{' '.join(COMMAND)} run fixtures/a.yaml --step <&-"
    done = subprocess.run(command, shell=True, check=False, cwd=house.folder, capture_output=True, text=True)
    assert (done.returncode, "fault of its own" in done.stderr) == (0, False)


def test_a_page_that_cannot_be_written_whole_leaves_the_one_before(house: Workspace) -> None:
    house.scenario("fixtures/a.yaml", "ruleset: lamps\nscenario: it\nthen: {waiting: idle}\n")
    page = house.folder / "page.html"
    page.write_text("the one before", encoding="utf-8")
    command = f"ulimit -f 4; {' '.join(COMMAND)} report fixtures/a.yaml -o page.html"
    done = subprocess.run(["bash", "-c", command], check=False, cwd=house.folder, capture_output=True, text=True)
    assert (done.returncode, "cannot write `page.html`: File too large" in done.stderr) == (2, True)
    assert page.read_text(encoding="utf-8") == "the one before"
    assert [one.name for one in house.folder.iterdir() if one.name.startswith(".page")] == []


def test_a_folder_that_cannot_be_written_is_said_in_one_line(tmp_path: Path) -> None:
    done = subprocess.run([*COMMAND, "new", "workspace", "/proc/none"], check=False, cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (2, "`/proc/none`: no such file or directory\n")


LONG = "x" * 300


def test_a_name_longer_than_a_file_may_have_names_nothing(house: Workspace) -> None:
    house.scenario("fixtures/a.yaml", f"ruleset: {LONG}\nscenario: it\nthen: {{waiting: idle}}\n")
    code, out, _ = house.run("test")
    assert code == 3
    assert f"there is no ruleset `{LONG}`" in out
    house.write("fixtures/a.yaml", f"uses: {LONG}\nruleset: lamps\nscenario: it\nthen: {{waiting: idle}}\n")
    assert f"there is no board `{LONG}`" in house.run("test")[1]
    for command in (("check", LONG), ("rulebook", LONG)):
        code, out, err = house.run(*command)
        assert (code, f"there is no ruleset `{LONG}`" in out + err) == (3, True)


def test_a_ring_of_links_is_a_file_that_cannot_be_read(house: Workspace) -> None:
    (house.folder / "fixtures" / "a.yaml").symlink_to("b.yaml")
    (house.folder / "fixtures" / "b.yaml").symlink_to("a.yaml")
    code, out, _ = house.run("test")
    assert (code, out.count("INVALID")) == (3, 2)


def test_a_name_that_is_not_utf_8_is_told(house: Workspace) -> None:
    path = bytes(house.folder / "fixtures") + b"/\xff.yaml"
    with open(path, "wb") as file:  # noqa: PTH123 - a name that no text can be
        file.write(b"scenario: it\n")
    code, out, _ = house.run("test")
    assert code == 3
    assert "the name of this file is not UTF-8" in out


def test_a_trace_that_cannot_be_kept_where_it_was_asked_for_is_told(house: Workspace) -> None:
    house.scenario("fixtures/a.yaml", "ruleset: lamps\nscenario: it\nthen: {waiting: idle}\n")
    house.write("taken", "")
    code, _, err = house.run("test", "fixtures/a.yaml", "--trace", "taken")
    assert (code, "`taken" in err) == (2, True)


def test_rules_that_are_wrong_are_told_to_machines_too(house: Workspace) -> None:
    house.scenario("fixtures/a.yaml", "ruleset: lamps\nscenario: it\nthen: {waiting: idle}\n")
    house.write("rulesets/lamps/rules/wrong.yaml", "rules: [\n")
    code, out, err = house.run("test", "fixtures/a.yaml", "--json", "--junit", "j.xml")
    data = json.loads(out)
    assert (code, data["exit"], data["counts"]["invalid"]) == (3, 3, 1)
    assert "wrong.yaml" in err
    assert "<error" in (house.folder / "j.xml").read_text(encoding="utf-8")
    code, out, _ = house.run("rulebook", "lamps", "--json")
    assert (code, json.loads(out)["problems"][0]["path"]) == (3, "rulesets/lamps/rules/wrong.yaml")


def test_in_a_workspace_nothing_else_is_judged(house: Workspace) -> None:
    shutil.rmtree(house.folder / "fixtures")
    code, out, _ = house.run("test")
    assert (code, "nothing ran" in out) == (5, True)
    (house.folder / "rulesets" / "lamps" / "ruleset.yaml").unlink()
    code, out, _ = house.run("check")
    assert (code, "there is no ruleset here" in out) == (3, True)


def test_what_came_with_the_package_is_said_to_be(house: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    (house.folder / "elsewhere").mkdir()
    monkeypatch.chdir(house.folder / "elsewhere")
    code, out, _ = house.run("check")
    assert (code, "the rulesets that came with riftrules" in out) == (0, True)


def test_what_would_steer_the_terminal_is_shown(house: Workspace) -> None:
    house.scenario("fixtures/a.yaml", 'ruleset: lamps\nscenario: "a \\e[31mred name"\nthen: {waiting: over}\n')
    _, out, _ = house.run("test", "fixtures/a.yaml")
    assert "a \\x1b[31mred name" in out
    assert "\x1b" not in out


def test_a_name_of_several_lines_is_told_in_one(house: Workspace) -> None:
    house.scenario("fixtures/a.yaml", 'ruleset: lamps\nscenario: "a\\r\\n::error::b"\nthen: {waiting: over}\n')
    _, out, _ = house.run("test", "fixtures/a.yaml")
    assert ": a ::error::b\n" in out


# ------------------------------------------------------------------------------------------------ paths that name nothing

READING = ("test", "run", "run --step", "explain", "report -o page.html", "test --json", "run --json")
PATHS = ("missing.yaml", LONG + ".yaml", "empty.yaml", "latin.yaml", "link.yaml", "fixtures/boards/house.yaml/x")


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("command", READING)
def test_a_fixture_that_cannot_be_read_is_invalid_whoever_reads_it(house: Workspace, command: str, path: str) -> None:
    house.write("empty.yaml", "")
    (house.folder / "latin.yaml").write_bytes(b"scenario: \xff\n")
    (house.folder / "link.yaml").symlink_to("nowhere.yaml")
    code, out, err = house.run(*command.split(), path)
    written = command.startswith("report") and path in {"empty.yaml", "latin.yaml"}  # a page shows what is invalid
    assert (code, path in out + err or written) == (0 if written else 3, True)


def test_a_link_that_leads_nowhere_is_told_where_it_stands(house: Workspace) -> None:
    rules = ("rulesets/lamps/more", "rulesets/lamps/link.yaml", "rulesets/gone")
    fixtures = ("fixtures/link.yaml", "fixtures/folder")
    for link in (*rules, *fixtures):
        (house.folder / link).symlink_to("nowhere")
    said = "error: this link leads nowhere: there is no `nowhere` [missing-file]"
    code, out, _ = house.run("check")
    assert (code, [path for path in rules if f"{path}:1:1: {said}" not in out]) == (3, [])
    code, out, _ = house.run("test")
    assert (code, [path for path in fixtures if f"{path}:1:1: {said}" not in out]) == (3, [])


def test_a_mistake_in_a_base_is_told_once(house: Workspace) -> None:
    house.write("rulesets/dark/ruleset.yaml", "name: dark\nextends: lamps\n")
    house.edit("rulesets/lamps/rules/light.yaml", "broken: true", "brokn: true")
    assert house.run("check")[1].splitlines()[-1] == "1 error, 0 warnings"
