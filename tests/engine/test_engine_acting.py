"""What one activation does is written, recorded and refused in the order in which the reference does it."""

from __future__ import annotations

from pathlib import Path

import pytest

from riftrules.engine import Session, compile_ruleset
from riftrules.errors import RunError
from riftrules.facts.types import Call
from tests.engine.houses import HOUSE, facts, load, opened

CHANGING = """
- rule: changes-much
  step: extra
  when:
    - more $m: {amount: $n}
    - room $r: {id: hall}
    - lamp $l: {id: a}
  then:
    - modify $r: {heat: 0}
    - modify $l: {glow: $n}
    - modify $r: {keeper: ann}
    - assert note $o: {text: changed}
    - emit rang: {number: $n}
"""

ADDING = """
- rule: adds-to-one-field
  step: extra
  when:
    - more $m: {amount: $n}
    - room $r: {id: hall}
    - lamp $l: {id: a}
  then:
    - modify $r: {heat: plus 0}
    - modify $l: {glow: plus $n}
    - modify $l: {glow: plus 1}
    - modify $r: {keeper: bob}
"""

RETRACTING = """
- rule: takes-a-room-away
  step: extra
  when:
    - more $m: {amount: 1}
    - room $r: {id: hall}
    - lamp $l: {id: c}
  then:
    - modify $l: {glow: 5}
    - retract $r
"""


@pytest.mark.parametrize("rules", [CHANGING, ADDING, RETRACTING])
def test_changes_are_told_in_the_order_in_which_the_first_field_of_each_fact_changes(tmp_path: Path, rules: str) -> None:
    ruleset = load(tmp_path, rules)
    reference = opened(ruleset)
    reference.begin([Call("more", (("amount", 1),))])
    session = Session(compile_ruleset(ruleset), facts(ruleset, HOUSE))
    session.begin([Call("more", (("amount", 1),))])
    (firing,) = session.trace.firings()
    assert len(firing.changes) > 1
    assert session.trace.lines() == reference.trace.lines()


REFUSED = """
- rule: writes-what-may-not-be
  step: extra
  when:
    - more: {}
    - room $r: {id: hall}
    - lamp $l: {id: a}
  then:
    - modify $r: {heat: $r.heat}
    - modify $l: {glow: $l.glow + 50}
    - modify $r: {heat: 0}
    - modify $r: {keeper: none}
    - modify $l: {glow: $l.glow + 50}
"""

REFUSED_ALONE = """
- rule: writes-what-may-not-be
  step: extra
  when:
    - more: {}
    - room $r: {id: hall}
    - lamp $l: {id: a}
    - lamp $o: {id: b}
  then:
    - modify $r: {keeper: none}
    - modify $l: {glow: $l.glow + 50}
    - modify $r: {heat: $r.heat + 70}
    - modify $o: {glow: $o.glow + 60}
"""


@pytest.mark.parametrize("rules", [REFUSED, REFUSED_ALONE])
def test_of_several_things_that_may_not_be_written_the_same_is_named(tmp_path: Path, rules: str) -> None:
    ruleset = load(tmp_path, rules)
    session = Session(compile_ruleset(ruleset), facts(ruleset, HOUSE))
    before = sorted((fact.template, fact.id, tuple(fact.values.items())) for fact in session.memory)
    with pytest.raises(RunError) as of_reference:
        opened(ruleset).begin([Call("more")])
    with pytest.raises(RunError) as of_engine:
        session.begin([Call("more")])
    assert of_engine.value.message == of_reference.value.message
    assert not list(session.trace.firings())
    assert before == sorted(
        (fact.template, fact.id, tuple(fact.values.items())) for fact in session.memory if fact.template != "more"
    )
