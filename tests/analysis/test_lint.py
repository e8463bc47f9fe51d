"""The linter: each doubt where it is due, and nowhere else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from riftrules.analysis.coverage.suite import Wanted, measured
from riftrules.analysis.lint.linting import CODES, lint
from riftrules.errors import Problem
from riftrules.language.loader import load_ruleset
from riftrules.scenario.files import find_fixtures
from tests.engine.houses import RULESET, TEMPLATES, load

ROOT = Path(__file__).parents[2]

USED = """
- rule: every-lamp-is-noted
  step: first
  when:
    - lamp $x: {at: $r, owner: some, queue: has ann, votes: some, fans: has ann, glow: at least 2, marks: has red}
    - room $r: {heat: 0}
    - no: {seal: {at: $r}}
    - where: $x.twice more than 3
    - turn: {phase: day}
    - dark-at: $r
    - night
    - neighbours: [$x, $x]
  then: [assert note: {text: a}]
"""


def doubts(folder: Path, rules: str, *, fixtures: tuple[Path, ...] = (), codes: str = "", **files: str) -> list[Problem]:
    """What the linter says of the houses with these rules, of some codes."""
    ruleset = load(folder, rules, files.get("templates", TEMPLATES), files.get("ruleset", RULESET))
    wanted = codes.split()
    return [problem for problem in lint(ruleset_at(folder, ruleset.path), fixtures) if not wanted or problem.code in wanted]


def ruleset_at(folder: Path, _: str):
    """The ruleset with the places its files have."""
    return load_ruleset(folder)


def messages(problems: list[Problem]) -> list[str]:
    """What they say, and where."""
    return [f"{Path(one.place.path).name}:{one.place.line}: {one.message} [{one.code}]" for one in problems]


# ------------------------------------------------------------------------------------------------ no false alarm


@pytest.mark.parametrize("name", sorted(path.parent.name for path in (ROOT / "rulesets").glob("*/ruleset.yaml")))
def test_no_false_alarm_on_our_own_rules(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert lint(load_ruleset(f"rulesets/{name}"), find_fixtures([Path("fixtures")]).files) == ()


def test_every_code_has_a_section_in_the_readme_and_every_section_a_code() -> None:
    text = (ROOT / "rulesets/README.md").read_text(encoding="utf-8")
    sections = re.findall(r"^### ([\w-]+)$", text.partition("## What the linter says")[2], re.MULTILINE)
    assert sections == [code.name for code in CODES]


# ------------------------------------------------------------------------------------------------ unused


def test_a_variable_without_use(tmp_path: Path) -> None:
    rules = """
        - rule: a
          step: first
          when:
            - lamp $x: {at: $r, glow: $g}
            - room $r: {}
            - count: {note: {}}
              as: $n
          then: [retract $x]
    """
    assert messages(doubts(tmp_path, rules, codes="unused-variable")) == [
        "rules.yaml:6: rule `a` binds `$g` and makes no use of it [unused-variable]",
        "rules.yaml:8: rule `a` counts `$n` and makes no use of it [unused-variable]",
    ]


def test_templates_and_definitions_without_use(tmp_path: Path) -> None:
    templates = TEMPLATES.replace("  outcome:", "  shadow: {fields: {x: {int: any}}}\n  outcome:")
    found = doubts(tmp_path, USED, codes="unused-template unused-definition", templates=templates)
    assert messages(found) == [
        "templates.yaml:34: no rule reads or writes a `shadow` [unused-template]",
        "templates.yaml:35: no rule reads or writes a `outcome` [unused-template]",
    ]
    found = doubts(tmp_path / "b", USED.replace("    - night\n", ""), codes="unused-definition")
    assert messages(found) == ["templates.yaml:41: nothing uses the definition `night` [unused-definition]"]


def test_a_fact_that_is_written_and_never_read(tmp_path: Path) -> None:
    rules = """
        - rule: a
          step: first
          when: [{lamp $x: {lit: true}}]
          then:
            - assert note: {text: b}
            - modify $x: {glow: 3}
            - retract $x
        - rule: wins
          step: second
          when: [{keeper $p: {points: at least 3}}]
          then:
            - assert outcome: {winner: $p.team}
            - end game
    """
    templates = TEMPLATES.replace("          is: $this.glow + $more", "          is: $more")
    fixture = tmp_path / "one.yaml"
    fixture.write_text("scenario: x\nruleset: houses\n", encoding="utf-8")
    found = doubts(tmp_path / "houses", rules, codes="written-never-read", templates=templates, fixtures=(fixture,))
    assert messages(found) == [
        "rules.yaml:2: rule `a` makes a `note`, which no rule reads [written-never-read]",
        "rules.yaml:2: rule `a` sets `glow` of `lamp`, which no rule reads [written-never-read]",
    ]


def test_an_event_or_fact_that_is_read_and_never_made(tmp_path: Path) -> None:
    rules = """
        - rule: a
          after: {rang $e: {number: $n}}
          when: [{note: {number: $n}}]
          then: [assert note: {text: b}]
        - rule: b
          step: first
          when: [{seal $s: {}}]
          then: [retract $s]
    """
    (tmp_path / "one.yaml").write_text("scenario: x\nruleset: houses\ngiven: {keepers: {ann: {}}}\n", encoding="utf-8")
    found = doubts(tmp_path / "houses", rules, codes="read-never-written", fixtures=(tmp_path / "one.yaml",))
    assert messages(found) == [
        "rules.yaml:4: rule `a` hears `rang`, which no rule emits [read-never-written]",
        "rules.yaml:10: rules read a `seal`, which no rule makes and no fixture gives [read-never-written]",
    ]


# ------------------------------------------------------------------------------------------------ never matches


@pytest.mark.parametrize(
    ("conditions", "said"),
    [
        ("[{where: 0 is 1}]", "0 would have to be 1"),
        ("[{turn: {phase: day}}, {turn: {phase: night}}]", "`phase` would have to be day and night at once"),
        (
            "[{lamp $x: {glow: at least 5}}, {lamp: {id: $x, glow: at most 4}}]",
            "`glow` would have to be at least 5 and at most 4",
        ),
        ("[{lamp $x: {glow: at least 10}}]", "`glow` would have to be at least 10 and at most 9"),
        ("[{lamp $x: {lit: true}}, {where: $x.lit is false}]", "`lit` would have to be false and true at once"),
        ("[{lamp $x: {owner: none}}, {lamp: {id: $x, owner: some}}]", "`owner` would have to be none and something at once"),
        ("[{turn: {phase: not day}}, {where: $turn.phase is not night}]", "`phase` would have to be none of day, night"),
        ("[{lamp $x: {glow: 2}}, {no: [{lamp: {id: $x, glow: 3}}]}]", "`glow` would have to be 2 and 3 at once"),
    ],
)
def test_tests_that_contradict_each_other(tmp_path: Path, conditions: str, said: str) -> None:
    rules = f"- rule: a\n  step: first\n  when: {conditions}\n  then: [assert note: {{text: b}}]\n"
    found = doubts(tmp_path, rules, codes="never-matches")
    assert [problem.message for problem in found] == [f"rule `a` can never match: {said}"]


@pytest.mark.parametrize(
    "conditions",
    [
        "[{lamp $x: {glow: at least 5}}, {lamp $y: {glow: at most 4}}, {where: $x.glow more than $y.glow}]",
        "[{lamp $x: {lit: true}}, {no: {lamp: {lit: false}}}]",
        "[{lamp $x: {owner: some}}, {lamp: {owner: none}}, {where: $x.glow is 1}]",
        "[{turn: {phase: not day}}, {lamp $x: {glow: 9}}]",
    ],
)
def test_tests_that_go_together_are_not_doubted(tmp_path: Path, conditions: str) -> None:
    rules = f"- rule: a\n  step: first\n  when: {conditions}\n  then: [assert note: {{text: b}}]\n"
    assert doubts(tmp_path, rules, codes="never-matches") == []


# ------------------------------------------------------------------------------------------------ runs


def test_rules_that_set_each_other_off(tmp_path: Path) -> None:
    rules = """
        - rule: on
          step: first
          when: [{lamp $x: {lit: false}}]
          then: [modify $x: {lit: true}]
        - rule: off
          step: second
          when: [{lamp $x: {lit: true}}]
          then: [modify $x: {lit: false}]
    """
    found = doubts(tmp_path, rules, codes="may-not-end")
    assert (
        messages(found)[0] == "rules.yaml:2: procedure `again` may repeat for ever: `on`, `off` set each other off [may-not-end]"
    )
    assert found[0].hint == (
        "add a condition that ends it; it repeats on keeper keeper-1; keeper keeper-2; lamp lamp-1 {at: store}"
    )
    assert messages(found)[1:] == ["ruleset.yaml:12: procedure `echo` may repeat for ever [may-not-end]"]


def test_rules_that_come_to_rest_are_not_doubted(tmp_path: Path) -> None:
    rules = """
        - rule: on
          step: first
          when: [{lamp $x: {lit: false}}]
          then: [modify $x: {lit: true}]
    """
    ruleset = RULESET.replace("steps: [second], then: echo", "steps: [second], then: tidy")
    assert doubts(tmp_path, rules, codes="may-not-end", ruleset=ruleset) == []


def test_rules_of_equal_standing_that_differ_are_listed_with_a_board(tmp_path: Path) -> None:
    rules = """
        - rule: hot
          step: first
          when:
            - room $r: {keeper: $k}
            - keeper $k: {points: at least 2}
          then: [modify $r: {heat: 9}]
        - rule: cold
          step: first
          when:
            - room $q: {}
            - no: {lamp: {at: $q}}
          then: [modify $q: {heat: 0}]
        - rule: lukewarm
          step: first
          when: [{room $s: {heat: not 4}}]
          then: [modify $s: {heat: 4}]
    """
    found = doubts(tmp_path, rules, codes="equal-standing")
    folder = load_path(tmp_path)
    assert [problem.message.replace(folder, "") for problem in found] == [
        (
            "rule `hot` and `cold` at /rules.yaml:9:5, `lukewarm` at /rules.yaml:16:5 set `room.heat` differently"
            " and have the same standing"
        )
    ]
    assert "both apply on " in found[0].hint


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (
            "when: [{room $r: {heat: 1}}]\n  then: [modify $r: {heat: 2}]",
            "when: [{room $r: {heat: 3}}]\n  then: [modify $r: {heat: 4}]",
        ),
        ("when: [{room $r: {}}]\n  then: [modify $r: {heat: 2}]", "when: [{room $r: {}}]\n  then: [modify $r: {heat: 2}]"),
        (
            "when: [{room $r: {}}]\n  then: [modify $r: {heat: 2}]",
            "salience: 1\n  when: [{room $r: {}}]\n  then: [modify $r: {heat: 3}]",
        ),
        (
            "when: [{room $r: {}}, {turn: {phase: day}}]\n  then: [modify $r: {heat: 2}]",
            "when: [{room $r: {}}, {turn: {phase: night}}]\n  then: [modify $r: {heat: 3}]",
        ),
    ],
)
def test_rules_that_never_meet_or_agree_are_not_doubted(tmp_path: Path, first: str, second: str) -> None:
    rules = f"- rule: a\n  step: first\n  {first}\n- rule: b\n  step: first\n  {second}\n"
    assert doubts(tmp_path, rules, codes="equal-standing") == []


# ------------------------------------------------------------------------------------------------ repeated


def test_a_rule_said_twice_and_one_said_more_narrowly(tmp_path: Path) -> None:
    rules = """
        - rule: a
          step: first
          when:
            - lamp $x: {at: $r, lit: true}
            - room $r: {}
          then: [modify $x: {lit: false}]
        - rule: b
          step: first
          when:
            - room $q: {}
            - lamp $y: {lit: true, at: $q}
          then: [modify $y: {lit: false}]
        - rule: c
          step: first
          when:
            - lamp $x: {at: $r, lit: true}
            - room $r: {}
            - no: {note: {}}
          then: [modify $x: {lit: false}]
        - rule: d
          step: first
          when:
            - lamp $x: {at: $r, lit: true}
            - room $r: {}
          then: [modify $x: {glow: 2}]
    """
    found = [
        message.replace(load_path(tmp_path), "")
        for message in messages(doubts(tmp_path, rules, codes="duplicate-rule subsumed-rule"))
    ]
    assert found == [
        "rules.yaml:9: rule `b` says the same as `a` at /rules.yaml:2:5 [duplicate-rule]",
        "rules.yaml:16: rule `c` fires only where `a` at /rules.yaml:2:5 does, and does the same [subsumed-rule]",
        "rules.yaml:16: rule `c` fires only where `b` at /rules.yaml:9:5 does, and does the same [subsumed-rule]",
    ]


def load_path(folder: Path) -> str:
    """How messages call the folder."""
    return load_ruleset(folder).path


# ------------------------------------------------------------------------------------------------ scenarios, index, cards


GIVEN = "ruleset: houses\ngiven: {keepers: {ann: {}}, rooms: {hall: {}}, lamps: {a: {at: hall}}, turn: {keeper: ann}}\n"


def test_rules_without_scenarios(tmp_path: Path) -> None:
    rules = """
        - rule: works
          step: first
          when: [{lamp $x: {lit: false}}]
          then: [modify $x: {lit: true}]
        - rule: rests
          step: first
          when: [{lamp $x: {glow: 7}}]
          then: [modify $x: {lit: true}]
        - rule: refuses
          when:
            - rest $r: {by: $p}
            - keeper: {id: $p, points: 9}
          then: [refuse $r]
    """
    fixture = tmp_path / "fixtures/one.yaml"
    fixture.parent.mkdir()
    fixture.write_text(f"scenario: x\n{GIVEN}when: [begin: {{work: {{}}}}]\nthen: {{lamp a: {{lit: true}}}}\n", encoding="utf-8")
    found = doubts(tmp_path / "rulesets/houses", rules, codes="never-fired never-withheld", fixtures=(fixture,))
    # `works` has fired once and is looked at again: then it does not hold. Coverage says the same.
    (reached,) = measured((fixture,), Wanted())[0].scenarios
    assert sorted(reached.withheld) == ["rests", "works"]
    assert messages(found) == [
        "rules.yaml:7: no scenario lets rule `rests` fire [never-fired]",
        "rules.yaml:12: no scenario lets rule `refuses` refuse a request [never-fired]",
        "rules.yaml:12: no scenario comes to rule `refuses` without letting it refuse [never-withheld]",
    ]
    said = "# fired: [rests], refused: {rule: refuses}"
    fixture.write_text(
        f"{fixture.read_text()}  {said}\n".replace("{work: {}}]", "{work: {}}, rest: {by: ann}]"), encoding="utf-8"
    )
    found = doubts(tmp_path / "rulesets/houses", rules, codes="never-fired never-withheld", fixtures=(fixture,))
    assert messages(found) == []


def test_a_rule_that_cannot_be_withheld_or_has_a_reason_is_not_doubted(tmp_path: Path) -> None:
    rules = """
        - rule: is-there
          step: first
          when: [{turn $t: {}}]
          then: [modify $t: {phase: night}]
        - rule: holds-here
          step: first
          when: [{keeper $k: {points: 0}}]
          then: [modify $k: {team: kept}]
    """
    fixture = tmp_path / "fixtures/one.yaml"
    fixture.parent.mkdir()
    fixture.write_text(f"scenario: x\n{GIVEN}when: [begin: {{work: {{}}}}]\nthen: {{turn: {{phase: night}}}}\n", encoding="utf-8")
    doubted = [*doubts(tmp_path / "rulesets/houses", rules, codes="never-withheld", fixtures=(fixture,))]
    assert messages(doubted) == ["rules.yaml:7: no scenario comes to rule `holds-here` without letting it fire [never-withheld]"]
    (fixture.parent / "undecided.yaml").write_text(
        "ruleset: houses\nundecided: [{of: [rule holds-here], because: nobody scores}]\n", encoding="utf-8"
    )
    assert messages(doubts(tmp_path / "rulesets/houses", rules, codes="never-withheld", fixtures=(fixture,))) == []


def test_a_number_that_nothing_holds(tmp_path: Path) -> None:
    load(tmp_path, USED)
    (tmp_path / "rulebook.yaml").write_text(
        "rulebook:\n  - {number: '1', summary: a}\n  - {number: '2', summary: b, held: [template lamp]}\n"
        "  - {number: '3', summary: c, status: out of scope, reason: d}\n",
        encoding="utf-8",
    )
    found = [problem for problem in lint(load_ruleset(tmp_path)) if problem.code == "unused-citation"]
    assert messages(found) == ["rulebook.yaml:2: nothing holds the printed rule 1 [unused-citation]"]


def test_a_cards_exception_that_tests_no_kind(tmp_path: Path) -> None:
    ruleset = RULESET.replace("name: houses\n", "name: houses\ncards: [cards]\n")
    load(tmp_path, USED, ruleset=ruleset)
    (tmp_path / "cards").mkdir()
    (tmp_path / "cards/attic.yaml").write_text(
        "rules:\n"
        "  - rule: the-attic-stays-cold\n    house: true\n    step: first\n    salience: 1\n"
        "    when: [{room $r: {heat: some}}]\n    then: [modify $r: {heat: 0}]\n"
        "  - rule: the-attic-stays-dark\n    house: true\n    step: second\n"
        "    when: [{lamp $x: {at: $r}}, {room $r: {id: attic}}]\n    then: [modify $x: {lit: false}]\n",
        encoding="utf-8",
    )
    found = [problem for problem in lint(load_ruleset(tmp_path)) if problem.code == "exception-without-kind"]
    assert messages(found) == [
        (
            "attic.yaml:2: rule `the-attic-stays-cold` is a card's, but no condition of it says of which card: it holds of all"
            " [exception-without-kind]"
        )
    ]


# ------------------------------------------------------------------------------------------------ comments


def test_a_comment_takes_a_doubt_back_and_one_that_ignores_nothing_is_doubted(tmp_path: Path) -> None:
    rules = """
        - rule: a
          step: first
          when:
            - lamp $x: {glow: $g}  # riftrules: ignore unused-variable
            # riftrules: ignore unused-variable
            - room $r: {heat: $h}
            # riftrules: ignore unused-variable, no-such-code
          then: [modify $x: {lit: true}, modify $r: {heat: 3}]
    """
    assert messages(doubts(tmp_path, rules, codes="unused-variable unused-ignore")) == [
        "rules.yaml:9: `no-such-code` is no code of the linter [unused-ignore]",
        "rules.yaml:9: `unused-variable` ignores nothing [unused-ignore]",
    ]
