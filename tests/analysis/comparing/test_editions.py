"""The edition before and the edition after: what the newer one changed, in play."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from riftrules.analysis.comparing.comparison import Case
from riftrules.analysis.comparing.mixing import Revision
from riftrules.analysis.comparing.over_scenarios import compare, compare_with
from riftrules.analysis.comparing.players import Players
from riftrules.language.loader import load_ruleset
from riftrules.scenario.files import find_fixtures
from riftrules.scenario.workers import crew

ROOT = Path(__file__).parents[3]
FIXTURES = find_fixtures([ROOT / "fixtures" / "riftbound-2026-03", ROOT / "fixtures" / "riftbound" / "control"]).files


@cache
def revision() -> Revision:
    """From the edition before to the edition after."""
    return Revision(load_ruleset(ROOT / "rulesets" / "riftbound-2026-03"), load_ruleset(ROOT / "rulesets" / "riftbound"))


@cache
def cases() -> dict[str, Case]:
    """The scenarios that come out otherwise, by name."""
    found = compare(revision(), FIXTURES, Players())
    assert found.unreadable == ()
    return {case.divergence.scenario: case for case in found.cases}


def test_the_newer_edition_takes_contested_away_and_bars_what_an_ally_controls() -> None:
    said = {f"{edit.change} {edit.kind} {edit.name}" for edit in revision().playing}
    assert {
        "added rule contested-ends-with-its-applier-gone",
        "added rule units-left-behind-contest-anew",
        "added rule allys-battlefields-are-barred",
    } <= said


def test_what_stayed_contested_no_longer_does() -> None:
    case = cases()["what a player contested stays contested when their unit has gone"]
    assert case.divergence.verdict == "passed → failed"
    assert [(fact.fact, fact.old, fact.new) for fact in case.divergence.facts] == [
        ("battlefield A", "contested_by: P1", "contested_by: none")
    ]
    assert [blame.edit.name for blame in case.blames if blame.whole] == ["contested-ends-with-its-applier-gone"]


def test_a_point_that_the_newer_edition_bars() -> None:
    case = cases()["what an ally controlled in the scoring step and has lost is conquered in the same turn"]
    assert ("player P1", "points: 1", "points: 0") in [(fact.fact, fact.old, fact.new) for fact in case.divergence.facts]
    assert [(blame.edit.name, blame.said) for blame in case.blames] == [("allys-battlefields-are-barred", "alone responsible")]


def test_a_crew_finds_what_one_process_finds() -> None:
    with crew(2) as workers:
        found = compare_with(workers, revision(), FIXTURES)
    assert [case.divergence.scenario for case in found.cases] == list(cases())
    assert all(case.blames == cases()[case.divergence.scenario].blames for case in found.cases)
