"""The search for a board that tells two rulesets apart, begun from nothing but the rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

from riftrules.analysis.comparing.mixing import Revision
from riftrules.analysis.comparing.names import lacking
from riftrules.analysis.comparing.outcomes import Comparing
from riftrules.analysis.comparing.players import Players
from riftrules.analysis.comparing.search import Found, Limits, Search, Searched
from riftrules.analysis.comparing.sentinel import Sentinel, suspects_of
from riftrules.language.loader import load_ruleset
from riftrules.language.model import Pattern, Rule, Ruleset
from riftrules.language.rebuilding import rebuilt
from riftrules.scenario.files import Catalogue
from riftrules.scenario.loading import load_file
from riftrules.scenario.model import Scenario

ROOT = Path(__file__).parents[2]

NOTHING_LOST = {
    # What they would let fire would write nothing new.
    "all-lamps-go-out without test 0.0",
    "blink-off without test 0.0",
    "blink-on without test 0.0",
    "somebody-dims without test 1.0",
    "the-dark-owns-nothing without test 0.0",
    # `$p` is the lamp's owner anyway.
    "a-bright-lamp-scores without condition 1",
    "a-bright-lamp-scores without test 1.0",
}
"""Edits of the lamps after which everything comes out as before."""


@cache
def lamps() -> Ruleset:
    """A small ruleset."""
    return load_ruleset(ROOT / "rulesets" / "lamps")


def scenarios() -> list[Scenario]:
    """The scenarios on the lamps."""
    loaded = load_file(ROOT / "fixtures" / "lamps" / "light.yaml", Catalogue(bundled=ROOT / "rulesets")).scenarios
    return [one.scenario for one in loaded if one.scenario is not None]


def lesser(rule: Rule) -> Iterator[tuple[str, Rule]]:
    """The rule without one condition, test or consequent."""
    for place, condition in enumerate(rule.when):
        yield f"without condition {place}", replace(rule, when=(*rule.when[:place], *rule.when[place + 1 :]))
        for number in range(len(condition.tests) if isinstance(condition, Pattern) else 0):
            assert isinstance(condition, Pattern)
            fewer = replace(condition, tests=(*condition.tests[:number], *condition.tests[number + 1 :]))
            yield f"without test {place}.{number}", replace(rule, when=(*rule.when[:place], fewer, *rule.when[place + 1 :]))
    for place in range(len(rule.then) if len(rule.then) > 1 else 0):
        yield f"without consequent {place}", replace(rule, then=(*rule.then[:place], *rule.then[place + 1 :]))


def edited() -> Iterator[tuple[str, Ruleset]]:
    """Every ruleset that lacks one part of one rule, or one rule, and still holds together."""
    for place, rule in enumerate(lamps().rules):
        others = lamps().rules[:place], lamps().rules[place + 1 :]
        yield f"{rule.id} dropped", replace(lamps(), rules=(*others[0], *others[1]))
        for name, one in lesser(rule):
            ruleset = replace(lamps(), rules=(*others[0], rebuilt(one, lamps().templates), *others[1]))
            if one.when or one.event is not None:
                yield f"{rule.id} {name}", ruleset


def search(new: Ruleset, **limits: float) -> Searched:
    """What a search between the lamps and this comes to, without any scenario."""
    within = Limits(changes=int(limits.get("changes", 2)), seconds=limits.get("seconds", 20.0))
    return Search(Revision(lamps(), new), (), limits=within).run()


def test_every_edit_that_matters_is_shown_on_a_board() -> None:
    whole = {name: new for name, new in edited() if next(lacking(new), None) is None}
    kept = {name for name, new in whole.items() if not name.startswith("grow-") and search(new).found is None}
    assert len(whole) > 50
    assert kept <= NOTHING_LOST


def test_what_is_found_is_small_and_its_fixture_tells_the_rulesets_apart(tmp_path: Path) -> None:
    rule = lamps().rule("the-first-light-owns")
    worse = rebuilt(replace(rule, when=(replace(rule.when[0], tests=()), *rule.when[1:])), lamps().templates)
    new = replace(lamps(), rules=tuple(worse if one.id == rule.id else one for one in lamps().rules))
    found = search(new).found
    assert isinstance(found, Found)
    assert len(found.scenario.facts) <= 7
    assert len(found.scenario.items) == 1
    path = tmp_path / "found.yaml"
    path.write_text(found.text, encoding="utf-8")
    for ruleset, status in ((lamps(), "failed"), (new, "passed")):
        catalogue = Catalogue(override=ROOT / "rulesets" / "lamps")
        catalogue.loaded[(ROOT / "rulesets" / "lamps").resolve()] = ruleset
        (loaded,) = load_file(path, catalogue).scenarios
        assert loaded.scenario is not None, loaded.problems
        assert Players().play(loaded.scenario, ruleset).verdict.status == status


def test_a_search_that_ends_says_how_far_it_went() -> None:
    name, new = next(one for one in edited() if one[0] == "all-lamps-go-out without test 0.0")
    searched = search(new, changes=1)
    assert (searched.complete, searched.found) == (True, None), name
    assert searched.said == f"no difference up to bound 1 change of 2 boards, {searched.plays} boards"


def test_a_search_that_is_out_of_time_says_so() -> None:
    new = next(one for name, one in edited() if name == "all-lamps-go-out without test 0.0")
    searched = search(new, seconds=-1)
    assert searched.complete is False
    assert searched.said.startswith("no difference found in 0 boards; not finished: bound ")


def test_a_run_that_raises_no_alarm_is_the_same_under_the_edited_rules() -> None:
    players, same = Players(), Comparing({}).same
    for name, new in edited():
        if next(lacking(new), None) is None:
            suspects = suspects_of(Revision(lamps(), new))
            assert suspects is not None
            for scenario in scenarios():
                sentinel = Sentinel(suspects)
                old = players.watched(scenario, lamps(), sentinel)
                assert sentinel.alarmed or same(old, players.play(scenario, new)), f"{name}: {scenario.name}"


def test_a_sentinel_changes_nothing_of_a_run() -> None:
    players = Players()
    suspects = suspects_of(Revision(lamps(), replace(lamps(), rules=lamps().rules[1:])))
    assert suspects is not None
    for scenario in scenarios():
        watched = players.watched(scenario, lamps(), Sentinel(suspects))
        assert watched.trace.lines() == players.play(scenario, lamps()).trace.lines()
