"""Arguments that an edit changes nothing on any board: what they are made for, and that no scenario denies them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from riftrules.analysis.mutation.arguing import NEVER_BESIDE, NOTHING_BESIDE, argument
from riftrules.analysis.mutation.laboratory import Laboratory, Setup
from riftrules.analysis.mutation.mutants import mutated
from riftrules.analysis.mutation.running import laboratory
from riftrules.analysis.mutation.scenes import Stage
from riftrules.scenario.files import find_fixtures

ROOT = Path(__file__).parents[3]


@cache
def game() -> Laboratory:
    """A laboratory of the game, with scenarios of many topics."""
    files = find_fixtures([ROOT / "fixtures" / "riftbound" / "details"]).files
    return laboratory(Setup(files, ROOT / "rulesets" / "riftbound"))


def argued(named: str) -> str:
    """The argument for the mutant of this name."""
    return next(argument(mutant, game().ruleset) for mutant in game().mutants if mutant.name == named)


def test_rules_for_different_values_of_one_field_are_never_eligible_together() -> None:
    # Beside it stand only rules for a score of another kind.
    assert argued("rule a-hold-gains-a-point: another salience: after all it stands beside") == NEVER_BESIDE
    assert argued("rule draw-is-left: another salience: before all it stands beside") == NEVER_BESIDE


def test_rules_that_may_be_eligible_together_are_not_argued_about() -> None:
    assert argued("rule turn-player-opens-a-combat: another salience: after all it stands beside") == ""
    assert argued("rule toll-bridge-channels: another salience: after all it stands beside") == ""


def test_an_edit_of_anything_else_is_not_argued_about() -> None:
    assert argued("rule conquer: drop the rule: without it") == ""


def test_no_scenario_denies_an_argument() -> None:
    here = game()
    arguments = {at: argument(mutant, here.ruleset) for at, mutant in enumerate(here.mutants)}
    chosen = [at for at, why in arguments.items() if why]
    assert {arguments[at] for at in chosen} == {NEVER_BESIDE, NOTHING_BESIDE}
    own = Stage(here.program)
    outcomes = [own.outcome(own.play(scenario)) for scenario in here.scenarios]
    for at in chosen:
        program = mutated(here.mutants[at], here.program)
        assert program is not None
        other = Stage(program)
        same = [other.outcome(other.play(scenario)) for scenario in here.scenarios]
        assert same == outcomes, here.mutants[at].name
