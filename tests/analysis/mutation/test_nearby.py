"""What is proved the same up to one change of a scenario: no board that near is left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from riftrules.analysis.edits import Addition, FieldEdit, ItemRemoval, Removal
from riftrules.analysis.mutation import running
from riftrules.analysis.mutation.laboratory import Laboratory, Setup
from riftrules.analysis.mutation.neighbours import Neighbours, touches
from riftrules.analysis.mutation.running import ONE_CHANGE, MutationRun, laboratory
from riftrules.scenario.files import find_fixtures
from riftrules.scenario.workers import Alone, Lost

HERE = Path(__file__).parents[2]
LAMPS = Setup(find_fixtures([HERE / "fixtures" / "lamps"]).files, HERE / "rulesets" / "lamps")
SHIFTED = "rule a-bright-lamp-scores: shift a comparison: `more than` for `at least` in `watts: at least 50` of `lamp $x`"
UNREAD = "rule a-bright-lamp-scores: drop a condition: without `player $p: {score: $s}`"


def number(here: Laboratory, named: str) -> int:
    """The mutant of this name."""
    return next(at for at, mutant in enumerate(here.mutants) if mutant.name == named)


def lit(here: Laboratory) -> int:
    """The place of the scenario in which the beacon is lit."""
    return next(at for at, scenario in enumerate(here.scenarios) if scenario.id == "L-1")


def test_every_single_change_of_what_a_rule_depends_on_is_made() -> None:
    here = laboratory(LAMPS)
    scenario = here.scenarios[lit(here)]
    edits = [edit for edit, _ in Neighbours(scenario, here.ruleset, frozenset({("lamp", "watts"), ("lamp", "")})).single()]
    lamps = {fact.id for fact in scenario.facts if fact.template == "lamp"}
    changed = [edit for edit in edits if isinstance(edit, FieldEdit)]
    assert {(edit.template, edit.field) for edit in changed} == {("lamp", "watts")}
    assert {edit.id for edit in changed} == lamps
    assert {50, 49, 51} <= {edit.value for edit in changed}
    assert {edit.id for edit in edits if isinstance(edit, Removal)} == lamps
    assert [edit for edit in edits if isinstance(edit, Addition)]
    assert [edit for edit in edits if isinstance(edit, ItemRemoval)] == [ItemRemoval(1)]


def test_an_edit_is_tried_on_the_changes_that_touch_its_rule() -> None:
    read = {("lamp", "watts"), ("player", "")}
    assert touches(FieldEdit("lamp", "beacon", "watts", 50), read)
    assert not touches(FieldEdit("lamp", "beacon", "owner", "ben"), read)
    assert touches(Removal("player", "ada"), read)
    assert not touches(Removal("lamp", "beacon"), read)
    assert touches(ItemRemoval(1), read)


def test_what_only_one_of_those_boards_tells_apart_is_told_apart() -> None:
    here = laboratory(LAMPS)
    at = number(here, SHIFTED)
    found = dict(here.exhaust(lit(here), frozenset({at})).found)
    assert "watts: 50" in found[at].text


def test_what_none_of_them_tells_apart_is_proved_with_their_number() -> None:
    here = laboratory(LAMPS)
    at = number(here, UNREAD)
    searched = here.exhaust(lit(here), frozenset({at}))
    assert searched.found == ()
    near = Neighbours(here.scenarios[lit(here)], here.ruleset, here._fields((at,)))
    assert searched.boards == ((at, len(near.edits())),)
    report = MutationRun(LAMPS, lambda mutant: mutant.name == UNREAD).run()
    ((_, judged),) = report.mutants
    assert (judged.status, judged.bound) == ("proved", ONE_CHANGE)
    assert judged.boards >= len(near.edits())


@dataclass(frozen=True, slots=True)
class Losing:
    """Works alone, and loses whoever looks at every board near a scenario."""

    size: int = 1

    def work(self, function: Callable[[Any, Any], Any], setup: Any, items: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        """What is done, or that it was lost."""
        lost = function is running._exhaust
        yield from ((at, Lost()) for at in range(len(items))) if lost else Alone().work(function, setup, items)


def test_what_a_lost_worker_has_not_looked_at_is_not_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "crew", lambda *_: LosingFor())
    ((_, judged),) = MutationRun(LAMPS, lambda mutant: mutant.name == UNREAD).run().mutants
    assert (judged.status, judged.bound) == ("undecided", "")


class LosingFor:
    """The crew as long as it is needed."""

    def __enter__(self) -> Losing:
        return Losing()

    def __exit__(self, *_: object) -> None:
        """Nothing is held."""
