"""`--watch`: what a change can affect runs again, and every result is that of a cold run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from riftrules.analysis.rerunning import Rerunner
from riftrules.cli import testing, watching
from riftrules.errors import RulesetError
from riftrules.scenario.files import find_fixtures
from riftrules.scenario.suite import Options, judge
from tests.cli.conftest import Workspace

LIGHT = "scenario: a bright lamp scores\nid: L-1\nwhen:\n  - light: {lamp: beacon}\nthen:\n  player ada: {score: 1}\n"
DARK = "scenario: a dark room has no owner\nwhen:\n  - begin: {sweep: {}}\nthen:\n  room hall: {owner: none}\n"
DIM = "scenario: a lamp is dimmed\nwhen:\n  - begin: {dim: {by: ben}}\nthen:\n  lamp bulb: {lit: false}\n"
REFUSED = """\
scenario: a broken lamp stays dark
when:
  - light: {lamp: wreck}
    refused: {rule: broken-lamps-stay-dark}
then: {fired: []}
"""

RULES = "rulesets/lamps/rules"


@pytest.fixture
def lamps(house: Workspace) -> Workspace:
    """A workspace with four scenarios."""
    for name, text in {"light": LIGHT, "dark": DARK, "dim": DIM, "refused": REFUSED}.items():
        house.scenario(f"fixtures/{name}.yaml", text)
    return house


def files() -> tuple[Path, ...]:
    return find_fixtures([Path("fixtures")]).files


def again(rerunner: Rerunner, *changed: str) -> list[str]:
    """The files that ran again after a change; what has come of all of them is what comes of a cold run."""
    suite = rerunner.suite(files(), [Path(path) for path in changed])
    assert suite == judge(files(), Options())
    return [path.stem for path in rerunner.ran]


def started() -> Rerunner:
    rerunner = Rerunner(Options())
    assert rerunner.suite(files()) == judge(files(), Options())
    return rerunner


@pytest.mark.parametrize(
    ("path", "old", "new", "ran"),
    [
        ("fixtures/light.yaml", "score: 1", "score: 2", ["light"]),
        ("fixtures/boards/house.yaml", "watts: 60", "watts: 40", ["house", "dark", "dim", "light", "refused"]),
        (f"{RULES}/light.yaml", "at least 50", "at least 70", ["light"]),
        (f"{RULES}/light.yaml", "broken: true", "broken: false", ["light", "refused"]),
        (f"{RULES}/owners.yml", "room $r: {owner: none}", "room $r: {}", ["dark", "dim", "light"]),
        (
            f"{RULES}/owners.yml",
            "lamp $x: {lit: true}\n    then:\n      - modify $x: {lit: false}",
            "lamp $x: {lit: true, owner: ben}\n    then:\n      - modify $x: {lit: false}",
            ["dim"],
        ),
        (
            "rulesets/lamps/ruleset.yaml",
            "goal: {int: {min: 1}, default: 3}",
            "goal: {int: {min: 1}, default: 1}",
            ["dark", "dim", "light", "refused"],
        ),
        (
            f"{RULES}/light.yaml",
            "says: A broken lamp cannot be lit.",
            "says: It cannot be lit.  # said better",
            ["light", "refused"],
        ),
        (f"{RULES}/light.yaml", "rules:\n", "# a comment moves everything\nrules:\n", []),
    ],
)
def test_only_what_a_change_can_affect_runs_again(lamps: Workspace, path: str, old: str, new: str, ran: list[str]) -> None:
    rerunner = started()
    lamps.edit(path, old, new)
    assert sorted(again(rerunner, path)) == sorted(ran)
    lamps.edit(path, new, old)
    assert sorted(again(rerunner, path)) == sorted(ran)


def test_files_come_and_go(lamps: Workspace) -> None:
    rerunner = started()
    lamps.scenario("fixtures/more.yaml", LIGHT.replace("L-1", "L-9"))
    assert again(rerunner, "fixtures/more.yaml") == ["more"]
    Path("fixtures/light.yaml").unlink()
    assert again(rerunner, "fixtures/light.yaml") == []


def test_a_rule_that_goes_is_gone_from_the_fixtures_that_name_it(lamps: Workspace) -> None:
    lamps.edit("fixtures/dark.yaml", "then:\n", "then:\n  not_fired: [a-bright-lamp-scores]\n")
    rerunner = started()
    lamps.edit(f"{RULES}/light.yaml", "rule: a-bright-lamp-scores", "rule: a-very-bright-lamp-scores")
    assert again(rerunner, f"{RULES}/light.yaml") == ["dark", "light"]
    assert next(one.status for one in rerunner.results[Path("fixtures/dark.yaml")].verdicts) == "invalid"


def test_wrong_rules_are_told_and_the_last_good_ones_kept_until_they_are_mended(lamps: Workspace) -> None:
    rerunner = started()
    before = dict(rerunner.results)
    lamps.edit(f"{RULES}/light.yaml", "at least 50", "at leest 50")
    with pytest.raises(RulesetError):
        again(rerunner, f"{RULES}/light.yaml")
    assert rerunner.results == before
    lamps.edit(f"{RULES}/light.yaml", "at leest 50", "at least 70")
    assert again(rerunner, f"{RULES}/light.yaml") == ["light"]
    assert rerunner.results != before


def test_a_new_ruleset_is_found_by_the_fixture_that_waited_for_it(lamps: Workspace) -> None:
    lamps.write("fixtures/other.yaml", "scenario: elsewhere\nruleset: candles\ngiven: {}\nwhen: []\nthen: {fired: []}\n")
    rerunner = started()
    lamps.write("rulesets/candles/ruleset.yaml", "name: candles\n")
    assert again(rerunner, "rulesets/candles/ruleset.yaml") == ["other"]


# ------------------------------------------------------------------------------------------------ on the screen


def edits(*each: Callable[[], str]) -> Iterator[set[Path]]:
    """Changes, each made when the one before has been dealt with."""
    for make in each:
        yield {Path(make())}


def edited(house: Workspace, path: str, old: str, new: str) -> Callable[[], str]:
    def make() -> str:
        house.edit(path, old, new)
        return path

    return make


def test_test_tells_what_a_cold_run_tells(lamps: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    rules = f"{RULES}/light.yaml"
    among = edits(
        edited(lamps, rules, "at least 50", "at least 70"),
        edited(lamps, rules, "at least 70", "at leest 50"),
        edited(lamps, rules, "at leest 50", "at least 50"),
    )
    assert watching.judge(testing.Asked(()), among) == 0
    out = capsys.readouterr().out
    first, wrong, mended = split(out, "--- 1 of 5 files ran again", "--- the rules are wrong", "--- 1 of 5 files ran again")
    assert first == "4 passed\n" + FAILED + "3 passed, 1 failed\n"
    assert wrong.startswith("rulesets/lamps/rules/light.yaml:33:")
    assert mended == "4 passed\n"


FAILED = (
    "FAILED fixtures/light.yaml:1:1: a bright lamp scores (L-1)\n"
    "  fixtures/light.yaml:7:23: player ada.score\n    expected 1\n    found    0\n"
)


def split(text: str, *marks: str) -> list[str]:
    """What stands before, between and after lines that begin so."""
    parts = []
    for mark in marks:
        part, _, text = text.partition(mark)
        parts.append(part)
        text = text.partition("\n")[2]
    return parts


def test_run_shows_again_only_what_is_affected(lamps: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    among = edits(edited(lamps, f"{RULES}/light.yaml", "at least 50", "at least 70"))
    watching.run(testing.Asked(()), among)
    out = capsys.readouterr().out
    assert [line for line in out.splitlines() if line.startswith("FAILED")] == [
        "FAILED fixtures/light.yaml:1:1: a bright lamp scores (L-1)"
    ]
    assert out.endswith("--- 1 of 5 files ran again\n")


def test_check_checks_again_what_is_affected(lamps: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    among = edits(edited(lamps, f"{RULES}/light.yaml", "  # riftrules: ignore unused-variable", ""))
    assert watching.check((), "text", among) == 1
    first, second = capsys.readouterr().out.split("--- 1 files changed, 1 rulesets are checked again\n")
    assert "unused-variable" not in first
    assert "binds `$s` and makes no use of it [unused-variable]" in second


def test_what_it_does_not_do_is_wrong_usage(lamps: Workspace) -> None:
    code, _, err = lamps.run("test", "--watch", "--coverage")
    assert code == 2
    assert "it judges, and does nothing else" in " ".join(err.split())
