"""Generated source: what is authored goes into it as data, and however deep conditions are it can be compiled."""

from __future__ import annotations

from pathlib import Path

import pytest

from riftrules.engine import Session, compile_ruleset
from riftrules.engine.code import MOST_LOOPS, Code
from riftrules.engine.reference import Session as Reference
from riftrules.facts.types import Call
from tests.engine.houses import HOUSE, facts, load

MANY = 3 * MOST_LOOPS


def lines(tmp_path: Path, rules: str) -> str:
    """The trace, which is that of the reference whoever joins."""
    ruleset = load(tmp_path, rules)
    given = facts(ruleset, HOUSE)
    program = compile_ruleset(ruleset)
    sessions = [Reference(ruleset, given), Session(program, given, matcher="demand"), Session(program, given)]
    for session in sessions:
        session.begin([Call("work", (("by", "ann"),))])
    expected, *others = (session.trace.lines() for session in sessions)
    assert others == [expected, expected]
    return expected


def nested(indent: str) -> str:
    """Patterns that are all over the one lamp that is lit."""
    return "".join(f"\n{indent}- lamp $l{number}: {{lit: true}}" for number in range(MANY))


@pytest.mark.parametrize("wanted", ["no", "some", "count", "every"])
def test_loops_deeper_than_python_nests_them(tmp_path: Path, wanted: str) -> None:
    inside = nested("          ")
    condition = {
        "no": f"- no:{inside}",
        "some": f"- some:{inside}",
        "count": f"- count:{inside}\n          as: $n",
        "every": f"- every:{inside}\n          has: [{{room: {{heat: 9}}}}]",
    }[wanted]
    rules = f"""
    - rule: lit-alone
      step: first
      when:
        - lamp $l: {{id: a}}
      then:
        - modify $l: {{lit: true}}
    - rule: deep
      step: second
      when:
        - keeper $k: {{id: ann}}
        {condition}
      then:
        - modify $k: {{points: plus {"$n" if wanted == "count" else 1}}}
    """
    fires = '"deep"' in lines(tmp_path, rules)
    assert fires is (wanted in {"some", "count"})


def test_a_rule_with_more_patterns_than_python_nests_loops(tmp_path: Path) -> None:
    rules = f"""
    - rule: deep
      step: first
      when:
        - lamp $lamp: {{id: a}}{nested("        ")}
      then:
        - modify $lamp: {{glow: 7}}
    - rule: lit-alone
      step: second
      when:
        - lamp $l: {{id: a}}
      then:
        - modify $l: {{lit: true}}
    """
    assert '"lit-alone"' in lines(tmp_path, rules)


@pytest.mark.parametrize("text", ["it's", 'say "so"', "a\\nb", "{x}", "'); raise SystemExit('", "#", "\N{SNOWMAN}"])
def test_a_text_is_data_whatever_it_says(tmp_path: Path, text: str) -> None:
    quoted = "'" + text.replace("'", "''") + "'"
    rules = f"""
    - rule: called
      step: first
      when:
        - keeper $k: {{}}
        - no: [{{keeper: {{id: $k, team: {quoted}}}}}]
      then:
        - modify $k:
            team: {quoted}
    """
    assert '"called"' in lines(tmp_path, rules)


def test_a_value_is_known_by_a_name_where_it_cannot_be_written() -> None:
    code = Code("def rule(board):", {})
    code.line(f"return {code.constant(frozenset({'red'}))}, {code.constant((1, None))}, {code.constant('x')}")
    assert code.function("rule")(None) == (frozenset({"red"}), (1, None), "x")
