"""What loads nowhere because it could never work: each mistake is told, in words that name it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.language.small import RULESET, TEMPLATES, load, problems, rule


def told(found: list[object]) -> str:
    """All that is told, as it is printed."""
    return "\n".join(str(one) for one in found)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("when: [{lamp $l: {}}]\nthen: [{modify $l: {glow: none}}]", "`glow` cannot be none"),
        ("when: [{keeper $k: {}}]\nthen: [{begin watch: {keeper: none}}]", "`keeper` cannot be none"),
        ("when: [{lamp $l: {}}]\nthen: [{modify $l: {glow: 1}}, {modify $l: {glow: 2}}]", "`glow` of `$l` is given two values"),
        ("when: [{lamp $l: {}}, {where: $l.at is $l}]\nthen: [end game]", "this can never be equal: a room and a lamp"),
        ("when: [{lamp $l: {glow: $n}}, {where: $l.marks has $n}]\nthen: [end game]", "one of red, blue is never a number"),
        ("when: [{flipped: {}}]\nthen: [end game]", "`flipped` is an event, which never holds"),
        ("when: [{lamp $turn: {}}]\nthen: [{retract $turn: {}}]", "`$turn` would hide the singleton `turn`"),
    ],
)
def test_a_rule_that_cannot_work(tmp_path: Path, body: str, said: str) -> None:
    assert said in told(problems(tmp_path, rule(body)))


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("n: {fields: {a: {int: any}}, derived: {id: [{is: 3}]}}", "`id` is every fact's own"),
        ("n: {fields: {a: {int: any}}, derived: {d: []}}", "`d` of `n` has no case"),
        ("n: {plural: lamps, fields: {a: {int: any}}}", "it is the plural of `lamp`"),
        ("n: {plural: stack, fields: {a: {int: any}}}", "`stack` cannot be the plural of `n`"),
        ('"a b": {fields: {a: {int: any}}}', "`a b` cannot name a template"),
        ("$n: {fields: {a: {int: any}}}", "`$n` cannot name a template"),
        ("waiting: {fields: {a: {int: any}}}", "`waiting` is a key of what a fixture expects"),
        ("n: {fields: {$a: {int: any}}}", "`$a` cannot name a field"),
        ("n: {fields: {a: {one of: []}}}", "a list of words belongs here"),
        ("n: {fields: {a: {one of: [x, x]}}}", "`x` is in this list twice"),
        ("n: {fields: {a: {int: {min: 5, max: 3}}}}", "no number is at least 5 and at most 3"),
        ("n: {fields: {a: {list: {ref: lamp}, at most: -1}}}", "no list has at most -1 items"),
        ("n: {key: [], fields: {a: {int: any}}}", "the key of `n` names no field"),
        ("n: {fields: {a: {ref: keeper, default: $settings.target}}}", "the default of `a` is a number where a keeper belongs"),
    ],
)
def test_a_template_that_cannot_work(tmp_path: Path, template: str, said: str) -> None:
    templates = TEMPLATES.replace("events:", f"  {template}\nevents:", 1)
    assert said in told(problems(tmp_path, templates=templates))


@pytest.mark.parametrize(
    ("definition", "said"),
    [
        ("define: low r", "`r` is not a variable"),
        ("define: low $r $r", "`$r` is a parameter twice"),
    ],
)
def test_a_definition_that_cannot_work(tmp_path: Path, definition: str, said: str) -> None:
    templates = f"{TEMPLATES}  - {definition}\n    when: [{{room $r: {{}}}}]\n"
    assert said in told(problems(tmp_path, templates=templates))


@pytest.mark.parametrize("name", ["expect", "choose", "begin"])
def test_a_request_that_a_fixture_could_not_make(tmp_path: Path, name: str) -> None:
    ruleset = RULESET.replace("steps:\n  dim", f"  {name}: {{request: true, steps: [asked-for]}}\nsteps:\n  dim", 1)
    assert f"`{name}` is a key of what a fixture does" in told(problems(tmp_path, ruleset=ruleset))


def test_what_follows_a_procedure_needs_no_fields(tmp_path: Path) -> None:
    ruleset = RULESET.replace("then: round", "then: watch")
    assert "`watch` follows `flip` but has required fields" in told(problems(tmp_path, ruleset=ruleset))


def test_a_remainder_by_0_is_doubted(tmp_path: Path) -> None:
    rules = rule("when: [{lamp $l: {}}, {where: $l.glow mod 0 is 1}]\nthen: [end game]")
    assert "the remainder by 0 is nothing" in told([*load(tmp_path, rules).warnings])


def test_a_rule_has_a_name(tmp_path: Path) -> None:
    unnamed = rule("when: [{lamp: {}}]\nthen: [end game]").replace("rule: tried", "rule: ''")
    assert "`` cannot name a rule" in told(problems(tmp_path, unnamed))
