# ruff: noqa: E501 - messages are quoted whole
"""`rulebook`, `schema`, `new workspace`, and what holds of the command line as a whole."""

from __future__ import annotations

import json
import resource
import subprocess
import sys

import pytest

from tests.cli.conftest import Workspace


def test_the_rulebook_says_what_is_made_of_each_number(house: Workspace) -> None:
    house.scenario(
        "fixtures/a.yaml",
        'scenario: scores\nid: L-1\ncites: ["3"]\nwhen: [light: {lamp: beacon}]\nthen: {fired: [a-lamp-is-lit]}\n',
    )
    code, out, _ = house.run("rulebook")
    assert code == 0
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert lines[3:] == [
        (
            "2 implemented Rooms belong to the first light in them. "
            "← rule the-first-light-owns, rule the-dark-owns-nothing, procedure sweep, invariant nobody-owns-the-dark"
        ),
        "3 implemented Bright lamps score. ← rule a-bright-lamp-scores tested by L-1",
        "4 implemented The goal wins. ← rule the-goal-wins",
        "5 implemented Evenings end when all have had enough. ← rule ask-who-has-not-had-enough, rule enough-is-enough",
        "6 implemented Lamps are dimmed one at a time. ← rule somebody-dims",
        "7 out of scope Lamps cost money. ← Nobody pays in these tests.",
        "9 numbers: 8 implemented, 0 definition, 1 out of scope, 0 missing; 1 tested",
    ]


def test_a_number_that_is_neither_held_nor_out_of_scope_is_exit_1(house: Workspace) -> None:
    house.edit("rulesets/lamps/rulebook.yaml", ", status: out of scope, reason: Nobody pays in these tests.", "")
    code, out, _ = house.run("rulebook", "lamps", "--json")
    assert code == 1
    assert {
        "number": "7",
        "summary": "Lamps cost money.",
        "status": "missing",
        "held": [],
        "tested": [],
        "reason": "",
    } in json.loads(out)["numbers"]


def test_a_schema_is_printed_for_each_kind_of_file(house: Workspace) -> None:
    code, out, _ = house.run("schema")
    kinds = out.split()
    assert (code, "fixture" in kinds, "rules" in kinds) == (0, True, True)
    code, out, _ = house.run("schema", "fixture", "--ruleset", "lamps")
    assert (code, json.loads(out)["$schema"]) == (0, "https://json-schema.org/draft/2020-12/schema")
    assert house.run("schema", "-o", "schemas")[0] == 0
    assert sorted(path.name for path in (house.folder / "schemas").iterdir()) == sorted(f"{kind}.schema.json" for kind in kinds)
    code, _, err = house.run("schema", "fixtur")
    assert (code, err) == (
        3,
        "fixtur:1:1: error: there is no schema of `fixtur` [unknown-kind]\n    hint: did you mean `fixture`?\n",
    )


def test_a_new_workspace_works_as_it_stands_and_overwrites_nothing(house: Workspace) -> None:
    code, out, _ = house.run("new", "workspace", "garden")
    assert code == 0
    assert out.splitlines()[0] == "wrote garden/README.md"
    assert out.splitlines()[-1] == "try: cd garden && riftrules test && riftrules run fixtures/garden/watering.yaml"
    assert (house.folder / "garden/.gitignore").read_text(encoding="utf-8") == ".riftrules/\n"
    house.monkeypatch.chdir(house.folder / "garden")
    assert house.run("test") == (0, "4 passed\n", "")
    assert house.run("check")[0] == 0
    assert house.run("rulebook")[0] == 0
    house.monkeypatch.chdir(house.folder)
    assert house.run("new", "workspace", "garden") == (
        3,
        "",
        "garden:1:1: error: something is here already [not-empty]\n    hint: name a folder that is not there yet\n",
    )


def test_help_names_every_command_and_the_version_is_printed(house: Workspace) -> None:
    code, out, _ = house.run("--help")
    assert code == 0
    for command in ("run", "test", "check", "rulebook", "schema", "new"):
        assert f"\n  {command} " in out
    assert house.run("--version")[1].startswith("riftrules ")


@pytest.mark.parametrize("columns", ["1", "20", "40", "80"])
def test_a_list_of_commands_tells_each_whole(house: Workspace, monkeypatch: pytest.MonkeyPatch, columns: str) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    for command in (("--help",), ("new", "--help")):
        assert "..." not in house.run(*command)[1].replace("[ARGS]...", "")


def test_help_loads_neither_engine_nor_yaml() -> None:
    code = (
        "import sys; sys.argv = ['riftrules', '--help']\n"
        "from riftrules.cli.main import main\n"
        "try: main()\nexcept SystemExit: pass\n"
        "print(sorted(set(sys.modules) & {'yaml', 'lark', 'pydantic', 'durable', 'rich', 'riftrules.engine', 'riftrules.language'}))"
    )
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert printed.splitlines()[-1] == "[]"


def test_help_is_there_in_a_quarter_of_a_second() -> None:
    def seconds() -> float:
        """Processor time, which other processes of the machine do not lengthen."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-m", "riftrules.cli", "--help"], capture_output=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    assert min(seconds() for _ in range(5)) < 0.25


def test_a_closed_pipe_is_no_fault() -> None:
    command = f"{sys.executable} -m riftrules.cli schema rules | head -n 1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert (done.stdout.strip(), done.stderr) == ("{", "")


def test_the_index_is_not_held_against_scenarios_that_are_not_there(house: Workspace) -> None:
    code, out, err = house.run("rulebook", "lamps", "--fixtures", "nope")
    assert (code, "there is no such file or folder" in out + err) == (3, True)


def test_the_whole_ruleset_is_meant_where_the_others_are_variants_of_it(house: Workspace) -> None:
    house.write("rulesets/dim/ruleset.yaml", "name: dim\nextends: lamps\n")
    _, named, _ = house.run("rulebook", "lamps")
    assert house.run("rulebook")[1] == named
