"""`riftrules prove` and `riftrules play`, in this process."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from riftrules.analysis.proof import exploring
from tests.analysis.proof.pebbles import SOUND, UNDECIDED, WITHOUT_LOSS, folder_of
from tests.cli.conftest import Workspace


@pytest.fixture
def pebbles(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Workspace:
    folder_of(tmp_path, SOUND)
    monkeypatch.chdir(tmp_path)
    return Workspace(tmp_path, capsys, monkeypatch)


def timeless(said: str) -> str:
    return re.sub(r"\d+\.\d s(, [\d,.]+ games and [\d,]+ decisions a second)?", "N s", said)


def test_where_nothing_can_be_done_nothing_is_proved(pebbles: Workspace) -> None:
    folder_of(pebbles.folder, SOUND, scopes="scopes: {empty: {boards: {clock: {ticks: 0}}, requests: [carry], depth: 2}}\n")
    code, out, _ = pebbles.run("prove")
    assert code == 5
    assert out.startswith("nothing to prove: nothing can be done on the boards of this scope: scope empty of pebbles\n")


def test_every_rule_outside_of_a_scope_is_named_where_that_is_asked_for(pebbles: Workspace, monkeypatch: Any) -> None:
    folder_of(pebbles.folder, SOUND, scopes="scopes: {empty: {boards: {clock: {ticks: 0}}, requests: [carry], depth: 2}}\n")
    monkeypatch.setattr("riftrules.report.proofs.SHOWN", 1)
    assert "(--full names them)" in pebbles.run("prove")[1]
    assert "(--full names them)" not in pebbles.run("prove", "--full")[1]


def test_a_proof_says_what_it_covers_and_no_more(pebbles: Workspace) -> None:
    code, out, err = pebbles.run("prove")
    assert (code, err) == (0, "")
    assert timeless(out) == (
        "proved within scope: scope small of pebbles\n"
        "  Two keepers with a pebble each and two rooms.\n"
        "  boards        1 to start from\n"
        "  states        7, none like another but for names and ignored fields\n"
        "  transitions   30; 40 requests refused\n"
        "  depth         3 moves; nothing new is found after them, so runs of any length are covered\n"
        "  symmetries    keeper names, room names, pebble names\n"
        "  ignored       clock.ticks\n"
        "  time          N s\n"
        "  termination   every run ends, the longest after 4 firings\n"
        "  confluence    1 place where only the last tie-breaks order what fires, 1 other order: the same boards\n"
        "  invariants    2 of 2 hold after every move\n"
        "  agreement     engine and reference agree at every state\n"
        "  reachability  5 of 5 rules fire, refuse or ask; not in this scope: none\n"
        "    2 have a witness for each of their conditions\n"
    )


def test_a_proof_up_to_a_depth_says_so(pebbles: Workspace) -> None:
    code, out, _ = pebbles.run("prove", "--scope", "small", "--depth", "1")
    assert code == 0
    assert "  depth         every run of up to 1 move\n" in out


def test_what_is_found_is_shown_as_a_fixture_and_written_where_told(pebbles: Workspace) -> None:
    folder_of(pebbles.folder, UNDECIDED)
    code, out, _ = pebbles.run("prove", "--scope", "crowded", "-o", "found")
    assert code == 1
    assert out.startswith("not proved: scope crowded of pebbles\n")
    path = "found/crowded-confluence-whoever-is-first-owns-a-room.yaml"
    assert "confluence: the order of two activations of `whoever-is-first-owns-a-room` decides what comes of it\n" in out
    assert f"  the smallest board found is in {path}\n" in out
    code, out, _ = pebbles.run("test", path)
    assert code == 1
    assert "expected the same board whatever goes first" in out


def test_json_is_the_same_however_many_work(pebbles: Workspace) -> None:
    folder_of(pebbles.folder, WITHOUT_LOSS)
    shown = []
    for count in ("1", "2"):
        code, out, _ = pebbles.run("prove", "--json", "-n", count)
        assert code == 1
        data = json.loads(out)
        data.pop("seconds")
        shown.append(data)
    assert shown[0] == shown[1]
    assert shown[0]["verdict"] == "not proved"
    assert [one["kind"] for one in shown[0]["findings"]] == ["invariant"]


def test_a_scope_that_is_not_there_is_told_with_those_that_are(pebbles: Workspace) -> None:
    code, _, err = pebbles.run("prove", "--scope", "smal")
    assert code == 3
    said = "rulesets/pebbles/ruleset.yaml:1:1: error: `pebbles` has no scope `smal` [unknown-scope]\n"
    assert err == f"{said}    hint: did you mean `small`?\n"


def test_a_proof_without_time_is_not_finished_and_is_gone_on_with(pebbles: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("riftrules.analysis.proof.proving.BATCH", 1)
    code, out, _ = pebbles.run("prove", "--seconds", "0")
    assert code == 4
    assert out.startswith("not finished: scope small of pebbles\n")
    assert out.endswith("what is done is kept in .riftrules/proofs/pebbles-small.jsonl: the same command goes on from there\n")
    code, out, _ = pebbles.run("prove")
    assert code == 0
    assert "1 batch of an earlier run among them" in out
    assert not Path(".riftrules/proofs/pebbles-small.jsonl").exists()


def test_ctrl_c_keeps_what_is_done(pebbles: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    real = exploring.Explorer.expand

    def interrupted(self: exploring.Explorer, batch: exploring.Batch) -> exploring.Expanded:
        if len(batch.nodes[0].trail) == 2:
            raise KeyboardInterrupt
        return real(self, batch)

    with monkeypatch.context() as patched:
        patched.setattr(exploring.Explorer, "expand", interrupted)
        code, out, _ = pebbles.run("prove")
    assert code == 4
    assert "  depth         every run of up to 2 moves\n" in out
    code, out, _ = pebbles.run("prove")
    assert code == 0
    assert "2 batches of an earlier run among them" in out


def test_games_are_counted_by_mode_with_their_speed(pebbles: Workspace) -> None:
    code, out, err = pebbles.run("play", "--games", "6")
    assert (code, err) == (0, "")
    assert re.fullmatch(
        r"  games: 6 games, \d+ decisions; .*\n6 games, \d+ decisions, nothing wrong; \d+\.\d s.*\n",
        out,
    )


def test_games_are_the_same_however_many_play(pebbles: Workspace) -> None:
    folder_of(pebbles.folder, WITHOUT_LOSS)
    shown = []
    for count in ("1", "2"):
        code, out, _ = pebbles.run("play", "--games", "11", "--json", "-n", count)
        assert code == 1
        data = json.loads(out)
        data.pop("seconds")
        shown.append(data)
    assert shown[0] == shown[1]
    assert shown[0]["faults"][0]["kind"] == "invariant"


def test_a_cluster_that_is_not_there_is_told(pebbles: Workspace) -> None:
    code, _, err = pebbles.run("prove", "--cluster", "nowhere")
    assert code == 3
    assert err.startswith("no Dask scheduler answers at `nowhere`")
