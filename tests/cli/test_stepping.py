"""`riftrules run --step`: typed into, as a designer does."""

from __future__ import annotations

import io

import pytest

from tests.cli.conftest import Workspace

LIGHT = "scenario: a bright lamp scores\nid: L-1\nwhen:\n  - light: {lamp: beacon}\nthen:\n  player ada: {score: 1}\n"


@pytest.fixture
def typed(house: Workspace, monkeypatch: pytest.MonkeyPatch):
    """Types lines into a run of the one scenario: what is shown after each of them."""
    house.scenario("fixtures/a.yaml", LIGHT)

    def run(*lines: str) -> list[str]:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        code, out, err = house.run("run", "fixtures/a.yaml", "--step")
        assert (code, err) == (0, "")
        return out.split("> ")

    return run


def test_forward_and_back_through_the_firings(typed) -> None:
    start, first, second, back, _ = typed("n", "", "b", "q")
    assert start.splitlines()[0] == "a bright lamp scores  as given"
    assert "may fire: a-lamp-is-lit [1]" in start
    assert "1. a-lamp-is-lit [1]  (light-1, lighting): lamp beacon.lit false → true" in first
    assert "may fire: a-bright-lamp-scores [3]" in first
    assert "2. a-bright-lamp-scores [3]" in second
    assert "1. a-lamp-is-lit [1]" in back


def test_a_fact_changed_on_the_way_changes_what_follows(typed) -> None:
    *_, changed, undone, _ = typed("n", "set lamp beacon.watts: 10", "undo", "q")
    assert "may fire: the-first-light-owns [2]" in changed
    assert changed.splitlines()[-1].startswith("1/2")
    assert undone.splitlines()[-1].startswith("1/3")


def test_facts_come_and_go(typed) -> None:
    *_, gone, _, more, changes, _ = typed(
        "drop lamp beacon", "undo", "add lamp: {owner: ben, at: attic, watts: 70}", "changes", "q"
    )
    assert "beacon" not in gone.partition("\n")[2].partition("refused")[0]
    assert "refused: `lamp`: no lamp `beacon` holds" in gone
    assert "70" in more
    assert "before the first firing: one more lamp: {owner: ben, at: attic, watts: 70}" in changes


def test_what_was_changed_is_saved_as_a_fixture_that_passes(typed, house: Workspace) -> None:
    *_, saved, again, _ = typed("set lamp beacon.watts: 10", "save fixtures/dim.yaml", "save fixtures/dim.yaml", "q")
    assert "written to fixtures/dim.yaml" in saved
    assert "`fixtures/dim.yaml` is there already" in again
    text = (house.folder / "fixtures/dim.yaml").read_text(encoding="utf-8")
    assert text.startswith("scenario: a bright lamp scores, changed\nruleset: lamps\n")
    assert "watts: 10" not in text
    assert house.run("test", "fixtures/dim.yaml")[0] == 0


def test_a_board_changed_later_is_saved_from_where_the_run_waits(typed, house: Workspace) -> None:
    *_, early, _, saved, _ = typed(
        "n", "set lamp beacon.watts: 10", "save fixtures/late.yaml", "e", "save fixtures/late.yaml", "q"
    )
    assert "a board is saved where the run waits: go on until it does" in early
    assert "written to fixtures/late.yaml" in saved
    assert "beacon: {owner: ada, at: hall, lit: true}" in (house.folder / "fixtures/late.yaml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("set lamp becon.watts: 10", "there is no lamp becon here: did you mean `lamp beacon`?"),
        ("set lamp beacon.wats: 10", "`lamp` has no field `wats`: did you mean `watts`?"),
        ("set lamp beacon.watts: 1000", "1000 is more than 100"),
        ("set beacon", "say `unit u.at: A`, `no unit u`, or `unit: {…}` for one more"),
        ("add lamp: {at: hall}", "one more lamp needs `owner`"),
        ("g x", "`x` is no number of a firing"),
        ("undo", "nothing has been changed"),
        ("save", "say where: `save FILE`"),
        ("jump", "`jump` is no command"),
    ],
)
def test_what_is_wrong_is_told_and_the_prompt_goes_on(typed, line: str, said: str) -> None:
    _, told, last = typed(line, "q")
    assert said in told
    assert last == "q\n"


def test_one_fixture_at_a_time(house: Workspace) -> None:
    house.scenario("fixtures/a.yaml", LIGHT)
    code, _, err = house.run("run", "--step")
    assert code == 2
    assert "one fixture at a time" in err
