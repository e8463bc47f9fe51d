"""What a scenario can come to: nothing that has fired, refused or asked in it is denied; what it lacks the text for is."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from riftrules.analysis.comparing.reach import Reach, needed_texts
from riftrules.engine.program import compile_ruleset
from riftrules.engine.session import Session
from riftrules.language.loader import load_ruleset
from riftrules.language.model import Ruleset
from riftrules.scenario.files import Catalogue, find_fixtures
from riftrules.scenario.loading import load_file
from riftrules.scenario.model import Scenario
from riftrules.scenario.playing import play

ROOT = Path(__file__).parents[3]
LONG = bool(os.environ.get("RIFTRULES_LONG"))
GAME = load_ruleset(ROOT / "rulesets" / "riftbound")


@pytest.fixture(scope="module")
def scenarios() -> list[tuple[Scenario, Ruleset]]:
    catalogue = Catalogue()
    catalogue.loaded[(ROOT / "rulesets" / "riftbound").resolve()] = GAME
    files = find_fixtures([ROOT / "fixtures", ROOT / "tests" / "fixtures"]).files
    found = [one for file in files for one in load_file(file, catalogue).scenarios]
    return [(one.scenario, one.ruleset) for one in found if one.scenario is not None and one.ruleset is not None]


def test_whatever_fires_refuses_or_asks_is_met(scenarios: list[tuple[Scenario, Ruleset]]) -> None:
    rulesets = {id(ruleset): ruleset for _, ruleset in scenarios}
    known = {name: (compile_ruleset(ruleset), Reach(ruleset, ruleset.rules)) for name, ruleset in rulesets.items()}
    wrong: list[tuple[str, str]] = []
    for scenario, ruleset in scenarios if LONG else scenarios[::8]:
        run = play(scenario, ruleset, lambda rules, *board: Session(known[id(rules)][0], *board, matcher="demand"))
        acting = {firing.rule for firing in run.trace.firings()}
        acting |= {one.rule for moment in run.moments if moment.refusal for one in moment.refusal.rules}
        acting |= {ask.rule for moment in run.moments for ask in moment.waiting.asks}
        wrong += [(scenario.name, rule) for rule in acting - {rule.id for rule in known[id(ruleset)][1].met(scenario)}]
    assert wrong == []


def test_a_rule_that_asks_for_a_name_is_met_only_where_the_name_is(scenarios: list[tuple[Scenario, Ruleset]]) -> None:
    naming = [rule for rule in GAME.rules if rule.event is not None and needed_texts(rule, GAME)]
    assert naming
    for rule in naming:
        reach = Reach(GAME, (rule,))
        met = [scenario for scenario, ruleset in scenarios if ruleset is GAME and reach.concerns(scenario)]
        (text,) = needed_texts(rule, GAME)
        assert len(met) < len(scenarios) / 4
        assert all(any(text in map(str, fact.values.values()) or text == fact.id for fact in one.facts) for one in met)


def test_a_rule_about_what_is_made_only_by_another_is_met_only_where_that_one_may_fire(
    scenarios: list[tuple[Scenario, Ruleset]],
) -> None:
    (rule,) = (rule for rule in GAME.rules if rule.id == "a-turn-handed-on-starts")
    met = [scenario for scenario, ruleset in scenarios if ruleset is GAME and Reach(GAME, (rule,)).concerns(scenario)]
    assert met
    assert all("concede" in str(scenario.items) for scenario in met)
