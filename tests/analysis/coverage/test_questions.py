"""Conditions counted one by one: which sides of each a scenario shows, whatever order they are written in."""

from __future__ import annotations

from pathlib import Path

import pytest

from riftrules.analysis.coverage.measuring import Measure
from riftrules.analysis.coverage.spots import BOTH, FAILED, HELD
from riftrules.language.loader import load_ruleset
from riftrules.scenario.files import Catalogue
from riftrules.scenario.loading import load_file

RULESET = """
name: toys
version: 1.0.0
edition: tests
procedures:
  play: {request: true, fields: {toy: {ref: toy}}, steps: [playing]}
steps: {playing: {}}
"""
TEMPLATES = """
templates:
  child: {plural: children, fields: {name: {text: any, default: $id}, friend: {ref: child, optional: true}}}
  toy:
    plural: toys
    fields: {owner: {ref: child}, size: {int: {min: 0}, default: 1}, kind: {one of: [ball, kite, doll], default: ball}}
    derived:
      big:
        - when: [{toy: {id: $this, size: at least 3}}]
          is: true
        - is: false
definitions:
  - define: alone $c
    when: [{no: {toy: {owner: $c, kind: kite}}}]
"""
RULES = """
rules:
  - rule: somebody-plays
    house: true
    says: A toy grows when it is played with.
    step: playing
    when:
      {conditions}
    then: [modify $t: {{size: plus 1}}]
"""


def sides(folder: Path, conditions: str, given: str) -> dict[str, int]:
    """Which sides of each condition are seen where the toy `red` is played with."""
    ruleset = folder / "rulesets" / "toys"
    ruleset.mkdir(parents=True, exist_ok=True)
    (ruleset / "ruleset.yaml").write_text(RULESET, encoding="utf-8")
    (ruleset / "templates.yaml").write_text(TEMPLATES, encoding="utf-8")
    lines = "\n      ".join(line.strip() if line.strip().startswith("- ") else line for line in conditions.strip().splitlines())
    (ruleset / "rules.yaml").write_text(RULES.format(conditions=lines), encoding="utf-8")
    fixture = folder / "one.yaml"
    fixture.write_text(f"scenario: one\nruleset: toys\ngiven:\n  {given.strip()}\nwhen: [play: {{toy: red}}]\n", encoding="utf-8")
    measure = Measure(load_ruleset(ruleset))
    (loaded,) = load_file(fixture, Catalogue()).scenarios
    assert loaded.scenario is not None, loaded.problems
    reached, _ = measure.reached(loaded.scenario)
    return {
        spot.text: side for spot, side in zip(measure.asker.spots, reached.sides, strict=True) if spot.holder.startswith("rule")
    }


CHILDREN = "children: {ann: {}, ben: {friend: ann}}\n  "


def test_a_test_has_failed_where_all_else_holds_and_it_alone_does_not(tmp_path: Path) -> None:
    conditions = "- play $p: {toy: $t}\n- toy $t: {kind: ball, size: less than 3}"
    red = CHILDREN + "toys: {red: {owner: ann, size: 5}, blue: {owner: ben}}"
    assert sides(tmp_path, conditions, red) == {
        "play $p: {toy: $t}": FAILED,  # blue is a small ball, but not the one that is played with
        "toy $t: {kind: ball}": 0,
        "toy $t: {size: less than 3}": FAILED,
    }
    both = CHILDREN + "toys: {red: {owner: ann, size: 5, kind: kite}}"
    assert sides(tmp_path, conditions, both) == {
        "play $p: {toy: $t}": 0,
        "toy $t: {kind: ball}": 0,  # two tests fail, so neither has decided
        "toy $t: {size: less than 3}": 0,
    }


def test_the_order_of_conditions_and_tests_is_not_seen(tmp_path: Path) -> None:
    board = CHILDREN + "toys: {red: {owner: ann}, blue: {owner: ben, size: 4}}"
    one = sides(
        tmp_path, "- play $p: {toy: $t}\n- toy $t: {kind: ball, owner: $c}\n- no: {toy: {owner: $c, size: more than 3}}", board
    )
    other = sides(
        tmp_path, "- no: {toy: {size: more than 3, owner: $c}}\n- toy $t: {owner: $c, kind: ball}\n- play $p: {toy: $t}", board
    )
    assert set(one.values()) == set(other.values())
    assert one["no: {toy: {owner: $c, size: more than 3}}"] == other["no: {toy: {size: more than 3, owner: $c}}"] == HELD


def test_what_stands_in_a_quantifier_is_counted_too(tmp_path: Path) -> None:
    conditions = "- play $p: {toy: $t}\n- toy $t: {owner: $c}\n- no: {toy: {owner: $c, kind: kite}}"
    found = sides(tmp_path, conditions, CHILDREN + "toys: {red: {owner: ann}, blue: {owner: ben, kind: kite}}")
    assert found["no: {toy: {owner: $c, kind: kite}}"] == HELD
    assert found["toy: {owner: $c}"] == FAILED  # the kite is another child's
    assert found["toy: {kind: kite}"] == FAILED  # the toy of hers is no kite


def test_each_alternative_is_a_condition_of_its_own(tmp_path: Path) -> None:
    conditions = "- play $p: {toy: $t}\n- toy $t: {kind: ball or kite}"
    found = sides(tmp_path, conditions, CHILDREN + "toys: {red: {owner: ann, kind: kite}}")
    assert found["toy $t: {kind: ball or kite}"] == HELD
    assert found["toy $t: {kind: kite}"] == HELD
    assert found["toy $t: {kind: ball}"] == 0  # another alternative held: this one has decided nothing
    other = sides(tmp_path, conditions, CHILDREN + "toys: {red: {owner: ann, kind: doll}}")
    assert other["toy $t: {kind: kite}"] == other["toy $t: {kind: ball}"] == FAILED


def test_a_variable_that_may_be_none_is_a_condition_and_one_that_is_always_there_is_none(tmp_path: Path) -> None:
    conditions = "- play $p: {toy: $t}\n- toy $t: {owner: $c}\n- child $c: {friend: $f}"
    found = sides(tmp_path, conditions, CHILDREN + "toys: {red: {owner: ann}}")
    assert found["child $c: {friend: $f}"] == FAILED
    assert "toy $t: {owner: $c}" in found  # which joins: another child owns it not


@pytest.mark.parametrize(("size", "seen"), [(3, HELD), (2, FAILED)])
def test_a_derived_field_has_conditions_where_it_is_read(tmp_path: Path, size: int, seen: int) -> None:
    conditions = "- play $p: {toy: $t}\n- toy $t: {big: true}"
    sides(tmp_path, conditions, CHILDREN + f"toys: {{red: {{owner: ann, size: {size}}}}}")
    measure = Measure(load_ruleset(tmp_path / "rulesets" / "toys"))
    (loaded,) = load_file(tmp_path / "one.yaml", Catalogue()).scenarios
    assert loaded.scenario is not None
    reached, _ = measure.reached(loaded.scenario)
    found = {
        spot.text: side for spot, side in zip(measure.asker.spots, reached.sides, strict=True) if spot.holder == "field toy.big"
    }
    assert found["toy: {size: at least 3}"] & seen


def test_a_definition_is_counted_where_it_is_used(tmp_path: Path) -> None:
    conditions = "- play $p: {toy: $t}\n- toy $t: {owner: $c}\n- alone: $c"
    found = sides(tmp_path, conditions, CHILDREN + "toys: {red: {owner: ann}, kite: {owner: ann, kind: kite}, b: {owner: ben}}")
    assert found["alone: $c"] == FAILED


def test_measuring_does_not_change_what_comes_of_a_scenario(tmp_path: Path) -> None:
    sides(tmp_path, "- play $p: {toy: $t}\n- toy $t: {}", CHILDREN + "toys: {red: {owner: ann}}")
    measure = Measure(load_ruleset(tmp_path / "rulesets" / "toys"))
    (loaded,) = load_file(tmp_path / "one.yaml", Catalogue()).scenarios
    assert loaded.scenario is not None
    reached, run = measure.reached(loaded.scenario)
    assert [fact.values["size"] for fact in run.after if fact.template == "toy"] == [2]
    assert reached.fired == {"somebody-plays"}
    assert BOTH == HELD | FAILED
