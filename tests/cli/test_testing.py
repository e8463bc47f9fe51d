# ruff: noqa: E501 - messages are quoted whole
"""`riftrules test`: each row of the hard cases for a test runner, its messages in full."""

from __future__ import annotations

import itertools
import json
import random
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest

from tests.cli.conftest import Workspace

LIGHT = """
scenario: a bright lamp scores
id: L-1
when:
  - light: {lamp: beacon}
then:
  player ada: {score: 1}
"""


def test_all_as_expected_is_exit_0(house: Workspace) -> None:
    house.scenario("fixtures/light.yaml", LIGHT)
    assert house.run("test") == (0, "1 passed\n", "")


def test_a_filter_that_matches_nothing_is_exit_5_with_near_names(house: Workspace) -> None:
    house.scenario("fixtures/light.yaml", LIGHT)
    assert house.run("test", "-k", "a brigt lamp scores") == (
        5,
        "nothing ran: no scenario's name, id or path holds `a brigt lamp scores`\n    hint: did you mean `a bright lamp scores`?\n",
        "",
    )
    assert house.run("test", "-k", "brigt") == (
        5,
        "nothing ran: no scenario's name, id or path holds `brigt`\n    hint: did you mean `bright`?\n",
        "",
    )
    assert house.run("test", "-k", "L-1 BRIGHT") == (0, "1 passed\n", "")


def test_an_empty_folder_is_exit_5(house: Workspace) -> None:
    (house.folder / "empty").mkdir()
    assert house.run("test", "empty") == (5, "nothing ran: there is no fixture in empty\n", "")


def test_a_path_that_is_not_there_is_exit_3_with_the_near_name(house: Workspace) -> None:
    house.scenario("fixtures/light.yaml", LIGHT)
    code, out, _ = house.run("test", "fixtures/ligth.yaml")
    assert code == 3
    assert out.startswith(
        "fixtures/ligth.yaml:1:1: error: there is no such file or folder [missing-file]\n    hint: did you mean `light.yaml`?\n"
    )


def test_skipped_and_failed_are_counted_apart(house: Workspace) -> None:
    house.scenario("fixtures/a.yaml", "scenario: later\nskip: the rule is not written yet\n")
    house.scenario("fixtures/b.yaml", LIGHT.replace("score: 1", "score: 2"))
    assert house.run("test") == (
        1,
        (
            "SKIPPED fixtures/a.yaml:1:1: later: the rule is not written yet\n"
            "FAILED fixtures/b.yaml:1:1: a bright lamp scores (L-1)\n"
            "  fixtures/b.yaml:7:23: player ada.score\n"
            "    expected 2\n"
            "    found    1    (written by firing 2, `a-bright-lamp-scores`)\n"
            "0 passed, 1 failed, 1 skipped\n"
        ),
        "",
    )


def test_only_skipped_scenarios_are_nothing_that_ran(house: Workspace) -> None:
    house.scenario("fixtures/a.yaml", "scenario: later\nskip: the rule is not written yet\n")
    assert house.run("test")[0] == 5


@pytest.mark.parametrize("key", ["fired", "not_fired"])
def test_a_misspelt_rule_is_a_wrong_fixture(house: Workspace, key: str) -> None:
    house.scenario("fixtures/a.yaml", f"scenario: misspelt\nwhen: [light: {{lamp: beacon}}]\nthen:\n  {key}: [a-lamp-is-lid]\n")
    column = 4 + len(key) + 2
    assert house.run("test") == (
        3,
        (
            "INVALID fixtures/a.yaml:1:1: misspelt\n"
            f"  fixtures/a.yaml:5:{column}: error: no rule is called `a-lamp-is-lid` [unknown-name]\n"
            "      hint: did you mean `a-lamp-is-lit`?\n"
            "0 passed, 1 invalid\n"
        ),
        "",
    )


def test_an_expectation_that_repeats_the_given_state_fails_where_rules_change_it(house: Workspace) -> None:
    house.scenario(
        "fixtures/a.yaml", "scenario: nothing changes\nwhen: [light: {lamp: candle}]\nthen:\n  lamp candle: {lit: false}\n"
    )
    code, out, _ = house.run("test")
    assert code == 1
    assert (
        "fixtures/a.yaml:5:22: lamp candle.lit\n    expected false\n    found    true    (written by firing 1, `a-lamp-is-lit`)\n"
        in out
    )


def test_a_vacuous_scenario_fails_unless_it_says_so(house: Workspace) -> None:
    house.scenario("fixtures/a.yaml", "scenario: nothing at all\n")
    assert house.run("test") == (
        1,
        (
            "FAILED fixtures/a.yaml:1:1: nothing at all\n"
            "  fixtures/a.yaml:1:1: then\n"
            "    expected something\n"
            "    found    the scenario is vacuous: it expects nothing and nothing fires\n"
            "    hint: say under `then` what must come of it, or `fired: []`\n"
            "0 passed, 1 failed\n"
        ),
        "",
    )
    assert house.run("test", "--lenient")[0] == 0
    house.scenario("fixtures/a.yaml", "scenario: nothing at all\nthen: {fired: []}\n")
    assert house.run("test")[0] == 0


def test_a_step_that_is_not_legal_fails_there_unless_the_refusal_is_expected(house: Workspace) -> None:
    house.scenario("fixtures/a.yaml", "scenario: a ghost\nwhen:\n  - light: {lamp: becon}\nthen:\n  player ada: {score: 0}\n")
    assert house.run("test") == (
        1,
        (
            "FAILED fixtures/a.yaml:1:1: a ghost\n"
            "  fixtures/a.yaml:4:5: item 1: light\n"
            "    expected accepted\n"
            "    found    refused: `lamp`: no lamp `becon` holds\n"
            "    hint: did you mean `beacon`?\n"
            "0 passed, 1 failed\n"
        ),
        "",
    )
    house.scenario("fixtures/a.yaml", "scenario: a wreck\nwhen:\n  - light: {lamp: wreck}\n")
    found = "refused by `broken-lamps-stay-dark` (1.1)"
    assert f"    expected accepted\n    found    {found}\n" in house.run("test")[1]
    refused = "scenario: a wreck\nwhen:\n  - light: {lamp: wreck}\n    refused: {rule: only-ones-own-lamps}\n"
    house.scenario("fixtures/a.yaml", refused)
    assert f"    expected refused by `only-ones-own-lamps`\n    found    {found}\n" in house.run("test")[1]
    house.scenario("fixtures/a.yaml", refused.replace("rule: only-ones-own-lamps", "reason: no lamp").replace("wreck", "ghost"))
    assert house.run("test")[0] == 0


def test_a_refusal_that_does_not_come_fails(house: Workspace) -> None:
    text = "scenario: no refusal\nwhen:\n  - light: {lamp: beacon}\n    refused: {rules: [broken-lamps-stay-dark]}\n"
    house.scenario("fixtures/a.yaml", text)
    assert "    expected refused by exactly `broken-lamps-stay-dark`\n    found    accepted\n" in house.run("test")[1]


def test_shuffled_alone_together_and_in_two_processes_the_verdicts_are_the_same(house: Workspace) -> None:
    for number in range(6):
        house.scenario(f"fixtures/s{number}.yaml", LIGHT.replace("score: 1", f"score: {number % 3}"))
    files = [f"fixtures/s{number}.yaml" for number in range(6)]

    def judged(*args: str) -> dict[str, object]:
        return {one["path"]: one for one in json.loads(house.run("test", "--json", *args)[1])["scenarios"]}

    together = judged(*files)
    assert len(together) == 6
    shuffled = random.Random(4).sample(files, len(files))
    assert judged(*shuffled) == together
    assert judged(*files, "-n", "2") == together
    assert dict(itertools.chain.from_iterable(judged(file).items() for file in files)) == together


def test_one_wrong_field_among_forty_facts_shows_that_field_and_who_wrote_it(house: Workspace) -> None:
    lamps = "".join(f"    spare-{number}: {{owner: ben}}\n" for number in range(36))
    then = "".join(f"  lamp spare-{number}: {{lit: false, watts: 10}}\n" for number in range(36))
    text = (
        f"scenario: forty\ngiven:\n  lamps:\n{lamps}when: [light: {{lamp: beacon}}]\nthen:\n{then}  room hall: {{owner: ben}}\n"
    )
    house.scenario("fixtures/a.yaml", text)
    assert house.run("test") == (
        1,
        (
            "FAILED fixtures/a.yaml:1:1: forty\n"
            "  fixtures/a.yaml:79:22: room hall.owner\n"
            "    expected ben\n"
            "    found    ada    (written by firing 3, `the-first-light-owns`)\n"
            "0 passed, 1 failed\n"
        ),
        "",
    )


def test_two_scenarios_save_their_traces_in_two_files(house: Workspace) -> None:
    house.scenario("fixtures/a/x.yaml", LIGHT)
    house.scenario("fixtures/b/x.yaml", LIGHT)
    house.scenario("fixtures/c.yaml", f"scenarios:\n  - {LIGHT.strip().replace(chr(10), chr(10) + '    ')}\n  - scenario: none\n")
    assert house.run("run", "--trace", "traces")[0] == 1
    saved = sorted(path.relative_to(house.folder).as_posix() for path in house.folder.glob("traces/**/*.jsonl"))
    assert saved == [
        "traces/fixtures/a/x.yaml.jsonl",
        "traces/fixtures/b/x.yaml.jsonl",
        "traces/fixtures/c.yaml.1.jsonl",
        "traces/fixtures/c.yaml.2.jsonl",
    ]
    assert json.loads((house.folder / saved[0]).read_text().splitlines()[0])["request"] == "light"


HANGING = "scenario: grows for ever\nwhen:\n  - begin: {grow: {}}\nthen:\n  player ada: {score: 1}\n"


def test_a_hanging_scenario_is_told_with_its_last_firings_and_the_others_finish(house: Workspace) -> None:
    for number in range(49):
        house.scenario(f"fixtures/s{number:02}.yaml", LIGHT)
    house.scenario("fixtures/s24b.yaml", HANGING)
    code, out, _ = house.run("test")
    assert code == 4
    assert out.splitlines()[0].startswith("ERROR fixtures/s24b.yaml:1:1: grows for ever: limit of 10000 firings reached")
    assert sum(1 for line in out.splitlines() if "grow-for-ever: player" in line) == 10
    assert out.splitlines()[-1] == "49 passed, 1 did not finish"
    assert "  the trace is in .riftrules/traces/fixtures/s24b.yaml.jsonl" in out
    assert (house.folder / ".riftrules/traces/fixtures/s24b.yaml.jsonl").read_text().count("\n") > 10_000


def test_a_cycle_is_told_with_its_rules(house: Workspace) -> None:
    text = (
        "scenario: blinks for ever\ngiven: {lamps: {candle: {colours: [red]}}}\nwhen:\n  - begin: blink\nthen: {no outcome: {}}\n"
    )
    house.scenario("fixtures/a.yaml", text)
    code, out, _ = house.run("test")
    assert code == 4
    assert "the configuration repeats: `blink-1` passes 1 to 2, rules `blink-on`, `blink-off`" in out


def test_a_consequent_that_cannot_be_carried_out_is_an_engine_error_with_rule_and_bindings(house: Workspace) -> None:
    house.scenario("fixtures/a.yaml", "scenario: bursts\nwhen:\n  - begin: {shatter: {lamp: beacon}}\nthen: {no outcome: {}}\n")
    code, out, _ = house.run("test")
    assert code == 4
    assert out.startswith(
        "ERROR fixtures/a.yaml:1:1: bursts: rule `too-many-watts`: `watts` of lamp `beacon`: 155 is more than 100\n"
    )
    assert "tried: too-many-watts" in out


def test_engine_faults_and_failed_expectations_are_counted_apart_in_junit(house: Workspace) -> None:
    house.scenario("fixtures/a.yaml", LIGHT)
    house.scenario("fixtures/b.yaml", LIGHT.replace("score: 1", "score: 2"))
    house.scenario("fixtures/c.yaml", HANGING)
    house.scenario("fixtures/d.yaml", "scenario: later\nskip: not yet\n")
    house.scenario("fixtures/e.yaml", "scenario: wrong\nthn: {}\n")
    assert house.run("test", "--junit", "out/junit.xml")[0] == 3
    suite = fromstring((house.folder / "out/junit.xml").read_text(encoding="utf-8"))[0]  # noqa: S314 - our own file
    counts = {name: suite.get(name) for name in ("tests", "failures", "errors", "skipped")}
    assert counts == {"tests": "5", "failures": "1", "errors": "2", "skipped": "1"}
    assert [[child.tag for child in case] for case in suite] == [[], ["failure"], ["error"], ["skipped"], ["error"]]
    assert (
        suite[1][0]
        .get("message", "")
        .endswith("player ada.score: expected 2, found 1 (written by firing 2, `a-bright-lamp-scores`)")
    )


def test_quiet_says_only_what_is_not_as_expected(house: Workspace) -> None:
    house.scenario("fixtures/a.yaml", LIGHT)
    house.scenario("fixtures/d.yaml", "scenario: later\nskip: not yet\n")
    assert house.run("test", "--quiet") == (0, "", "")


def test_a_crash_of_the_runner_itself_is_told_even_when_quiet(house: Workspace) -> None:
    house.scenario("fixtures/a.yaml", LIGHT)

    def crash(*_: object, **__: object) -> None:
        message = "the floor is gone"
        raise ZeroDivisionError(message)

    house.monkeypatch.setattr("riftrules.cli.testing.judge", crash)
    code, out, err = house.run("test", "--quiet")
    assert (code, out) == (4, "")
    assert err.startswith("riftrules has a fault of its own; please report this:\n")
    assert err.rstrip().endswith("the floor is gone")


def test_a_wrong_ruleset_stops_everything(house: Workspace) -> None:
    house.scenario("fixtures/a.yaml", LIGHT)
    house.edit("rulesets/lamps/rules/light.yaml", "broken: true", "brokn: true")
    code, out, err = house.run("test")
    assert (code, out) == (3, "")
    assert err == (
        "rulesets/lamps/rules/light.yaml:17:29: error: `lamp` has no field `brokn` [unknown-field]\n    hint: did you mean `broken`?\n"
    )


def test_a_misspelt_key_of_a_fixture_is_told_with_the_near_one(house: Workspace) -> None:
    house.scenario(
        "fixtures/a.yaml", "scenario: misspelt\nwhen:\n  - light: {lamp: beacon}\n  - expct: {}\nthen: {fired: [a-lamp-is-lit]}\n"
    )
    code, out, _ = house.run("test")
    assert code == 3
    assert (
        "  fixtures/a.yaml:5:5: error: unknown key `expct` in `when` [unknown-key]\n      hint: did you mean `expect`?\n" in out
    )


def test_values_are_typed_and_never_coerced(house: Workspace) -> None:
    given = 'given:\n  lamps:\n    candle: {watts: "5", lit: yes, broken: 1, at: no}\n'
    house.scenario("fixtures/a.yaml", f"scenario: typed\n{given}then: {{fired: []}}\n")
    assert house.run("test") == (
        3,
        (
            "INVALID fixtures/a.yaml:1:1: typed\n"
            '  fixtures/a.yaml:5:21: error: `"5"` is not a whole number [type]\n'
            "  fixtures/a.yaml:5:31: error: `yes` is neither `true` nor `false` [type]\n"
            "  fixtures/a.yaml:5:44: error: `1` is neither `true` nor `false` [type]\n"
            "  fixtures/a.yaml:5:51: error: `no` names no room [unknown-fact]\n"
            "      hint: known here: `attic`, `hall`, `shelf`\n"
            "0 passed, 1 invalid\n"
        ),
        "",
    )


def test_a_doubled_key_and_a_doubled_id_name_both_places(house: Workspace) -> None:
    house.write(
        "fixtures/a.yaml", "scenario: twice\nruleset: lamps\ngiven:\n  rooms: {den: {}}\n  room: {den: {}}\nthen: {fired: []}\n"
    )
    out = house.run("test")[1]
    assert "fixtures/a.yaml:5:10: error: room `den` is given twice: it stands at fixtures/a.yaml:4:11 already [doubled-id]" in out
    house.write("fixtures/a.yaml", "scenario: twice\nruleset: lamps\nthen: {fired: []}\nthen: {}\n")
    out = house.run("test")[1]
    assert "fixtures/a.yaml:4:1: error: `then` is here twice: it stands at fixtures/a.yaml:3:1 already [doubled-key]" in out


def test_files_of_other_kinds_and_unused_boards_are_warned_about(house: Workspace) -> None:
    house.scenario("fixtures/light.yml", LIGHT)
    house.write("fixtures/boards/spare.yaml", "ruleset: lamps\ngiven: {rooms: {hall: {}}}\n")
    house.write("fixtures/notes.json", "{}")
    house.write("fixtures/README.md", "# how\n")
    assert house.run("test") == (
        0,
        (
            "fixtures/notes.json:1:1: warning: this is no fixture: their names end in .yaml or .yml [unknown-file]\n"
            "    hint: rename it, or move it elsewhere\n"
            "fixtures/boards/spare.yaml:1:1: warning: no scenario uses this board [unused-board]\n"
            "    hint: name it under `uses`, or delete it\n"
            "1 passed\n"
        ),
        "",
    )


def test_a_ruleset_that_is_not_there_is_a_wrong_fixture(house: Workspace) -> None:
    house.write("fixtures/a.yaml", "scenario: elsewhere\nruleset: lamp\nthen: {fired: []}\n")
    out = house.run("test")[1]
    assert "fixtures/a.yaml:2:10: error: there is no ruleset `lamp` [unknown-ruleset]\n      hint: did you mean `lamps`?\n" in out


def test_another_ruleset_may_be_played_in_its_place(house: Workspace) -> None:
    house.scenario("fixtures/a.yaml", LIGHT)
    (house.folder / "rulesets" / "lamps").rename(house.folder / "elsewhere")
    assert house.run("test", "--ruleset", "elsewhere") == (0, "1 passed\n", "")
    code, _, err = house.run("test", "--ruleset", "fixtures")
    assert (code, err) == (
        3,
        "fixtures:1:1: error: no rules are here: there is no `ruleset.yaml` [no-rules]\n    hint: name the folder that holds it\n",
    )


def test_wrong_usage_is_exit_2(house: Workspace) -> None:
    assert house.run("test", "--nonsense")[0] == 2
    code, _, err = house.run("test", "-n", "none")
    assert code == 2
    assert "`none` is neither `auto` nor a number from 1" in err
    assert house.run("test", "--engine", "steam")[0] == 2


def test_json_holds_verdicts_and_counts(house: Workspace) -> None:
    house.scenario("fixtures/b.yaml", LIGHT.replace("score: 1", "score: 2"))
    code, out, _ = house.run("test", "--json")
    data = json.loads(out)
    assert (code, data["exit"], data["counts"]) == (1, 1, {"passed": 0, "failed": 1, "error": 0, "invalid": 0, "skipped": 0})
    assert data["scenarios"][0]["differences"] == [
        {
            "path": "fixtures/b.yaml",
            "line": 7,
            "column": 23,
            "what": "player ada.score",
            "expected": "2",
            "actual": "1",
            "firing": 2,
            "rule": "a-bright-lamp-scores",
            "hint": "",
        }
    ]


def test_paths_outside_the_current_folder_are_shown_whole(house: Workspace, tmp_path_factory: pytest.TempPathFactory) -> None:
    house.scenario("fixtures/a.yaml", LIGHT.replace("score: 1", "score: 2"))
    house.monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    code, out, _ = house.run("test", str(house.folder / "fixtures"))
    assert code == 1
    assert Path(out.splitlines()[1].strip().split(":")[0]).is_absolute()
