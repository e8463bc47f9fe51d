"""What a scenario can come to at all: nothing that has ever fired in it is said to be out of reach."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from riftrules.analysis.explaining import explain_why_not
from riftrules.analysis.reaching import can_reach
from riftrules.engine.program import compile_ruleset
from riftrules.engine.session import Session
from riftrules.language.model import Ruleset
from riftrules.report.explanations import why_not_lines
from riftrules.scenario.files import Catalogue, find_fixtures
from riftrules.scenario.loading import load_file, load_scenarios
from riftrules.scenario.model import Scenario
from riftrules.scenario.playing import play

ROOT = Path(__file__).parents[2]
LONG = bool(os.environ.get("RIFTRULES_LONG"))
LAMPS = load_scenarios(ROOT / "tests/fixtures/lamps/light.yaml", Catalogue())


@pytest.fixture(scope="module")
def played() -> list[tuple[Scenario, Ruleset]]:
    catalogue = Catalogue()
    files = find_fixtures([ROOT / "fixtures", ROOT / "tests/fixtures"]).files
    found = [one for file in files for one in load_file(file, catalogue).scenarios]
    return [(one.scenario, one.ruleset) for one in found if one.scenario is not None and one.ruleset is not None]


def test_whatever_fires_or_refuses_can_be_reached(played: list[tuple[Scenario, Ruleset]]) -> None:
    programs = {id(ruleset): compile_ruleset(ruleset) for ruleset in {id(one): one for _, one in played}.values()}
    wrong: list[tuple[str, str]] = []
    for scenario, ruleset in played if LONG else played[::10]:
        run = play(scenario, ruleset, lambda rules, *board: Session(programs[id(rules)], *board, matcher="demand"))
        refused = {one.rule for moment in run.moments if moment.refusal for one in moment.refusal.rules}
        asking = {ask.rule for moment in run.moments for ask in moment.waiting.asks}
        met = {firing.rule for firing in run.trace.firings()} | refused | asking
        wrong += [(scenario.name, rule) for rule in met if not can_reach(ruleset.rule(rule), scenario, ruleset)]
    assert wrong == []


def test_where_nothing_leads_to_a_rule_no_board_is_tried() -> None:
    scenario, ruleset = next(one for one in LAMPS if one[0].id == "L-1")
    found = explain_why_not("somebody-dims", scenario, ruleset)
    assert found.change is not None
    assert (found.change.tried, found.change.edits, found.change.reachable) == (0, (), False)
    assert [line.text for line in why_not_lines(found, scenario, ruleset)][-1] == (
        "nothing in this scenario leads to it, whatever the board"
    )
