"""Scopes: what is wrong in one is told with its place, when the rules are loaded."""

from __future__ import annotations

from pathlib import Path

import pytest

from riftrules.errors import RulesetError
from tests.analysis.proof.pebbles import SCOPES, pebbles


def told(root: Path, old: str, new: str) -> list[str]:
    assert SCOPES.count(old) >= 1
    with pytest.raises(RulesetError) as error:
        pebbles(root, scopes=SCOPES.replace(old, new, 1))
    return [str(problem) for problem in error.value.problems]


def test_a_scope_is_read_by_the_types_of_the_ruleset(tmp_path: Path) -> None:
    scope = pebbles(tmp_path).scopes["small"]
    assert scope.says == "Two keepers with a pebble each and two rooms."
    assert scope.supplies[2].template == "pebble"
    assert (scope.supplies[2].each, scope.supplies[2].by, scope.supplies[2].names) == ("keeper", "keeper", ("a", "b"))
    assert [move.procedure for move in scope.requests] == ["carry"]
    assert scope.ignored == (("clock", "ticks"),)
    assert scope.depth is None


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "ignored: [clock.ticks]",
            "ignored: [clock.tick]",
            (
                "pebbles/scopes.yaml:11:14: error: `clock.tick` is no field of a template [unknown-field]\n"
                "    hint: did you mean `clock.ticks`?"
            ),
        ),
        (
            "requests: [carry]",
            "requests: [cary]",
            "pebbles/scopes.yaml:9:16: error: `cary` is no request [unknown-procedure]\n    hint: did you mean `carry`?",
        ),
        (
            "effects: [drop]",
            "effects: {drop: {peble: a}}",
            "pebbles/scopes.yaml:10:22: error: `drop` has no field `peble` [unknown-field]\n    hint: did you mean `pebble`?",
        ),
        (
            "effects: [drop]",
            "effects: {drop: {pebble: zed}}",
            "pebbles/scopes.yaml:10:30: error: `zed` names no pebble [unknown-fact]\n",
        ),
        (
            "      keepers: {count: 2, names: [ann, bob]}",
            "      keepers: {count: two}",
            (
                "pebbles/scopes.yaml:5:24: error: `count: two` is neither a number nor a setting that is one [scope]\n"
                "    hint: write `2`, or `$settings.NAME`"
            ),
        ),
        (
            "each: keeper, by: keeper, names: [a, b]",
            "each: keeper",
            "pebbles/scopes.yaml:7:16: error: `each` needs `by`: the field of `pebble` that refers to it [scope]\n",
        ),
        (
            "agreement: 1",
            "agrement: 1",
            "pebbles/scopes.yaml:12:5: error: unknown key `agrement` in the scope `small` [unknown-key]\n",
        ),
        (
            "bound: {clock.ticks: 30}",
            "bound: {keeper.points: 30}",
            "error: `keeper.points`: only a field of a singleton bounds a game [scope]",
        ),
    ],
)
def test_what_is_wrong_is_told_with_its_place(tmp_path: Path, old: str, new: str, said: str) -> None:
    (problem,) = told(tmp_path, old, new)
    assert said in problem + "\n"
