"""One mistake is told once: what only follows from it is not told beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from riftrules.errors import RulesetError
from riftrules.language.loader import load_ruleset
from tests.language.small import RULES, RULESET, TEMPLATES, load, problems, rule

MANY_RULES = """\
rules:
  - rule: dark-rooms-are-lost
    cites: ["1.1"]
    step: light
    when:
      - room $r: {keeper: some}
      - dark: $r
    then:
      - modify $r: {keeper: none}
  - rule: a-flip-lights
    cites: ["1.2"]
    step: flipping
    when:
      - flip $f: {}
      - each: $f.lamps
        as: $l
      - where: $l.at.keeper is $f.by
    then:
      - modify $l: {lit: true, marks: add red}
      - emit flipped: {lamp: $l}
  - rule: a-flip-is-heard
    cites: ["1.1", "1.2"]
    after:
      flipped $e: {}
    when:
      - count: {lamp: {lit: true}}
        as: $n
      - keeper $k: {points: less than $settings.target}
      - where: $e.lamp.at.keeper is $k
      - where: $n at least 1
    then:
      - modify $k: {points: plus $n}
      - begin watch: {keeper: $k}
  - rule: no-flip-by-night
    cites: ["1.2"]
    when:
      - flip $f: {}
      - turn: {phase: night}
    then:
      - refuse $f
  - rule: whoever-watches-is-asked
    house: true
    step: waiting
    when:
      - watch $w: {}
      - where: $w.keeper is $turn.keeper
    then:
      - ask $w.keeper: [flip]
"""
INDEX = """\
rulebook:
  - number: "1.1"
    summary: Rooms without light are lost.
    held: [dark-rooms-are-lost, template room, definition dark, field lamp.lit, step light]
  - number: "1.2"
    summary: Lamps are flipped.
    held: [a-flip-lights, event flipped, setting target, mode short]
"""
SAID_ONLY = re.compile(r"summary:|name: lamps")
FILES = {"ruleset": RULESET, "templates": TEMPLATES, "rules": MANY_RULES, "rulebook": INDEX}


def misspelt() -> Iterator[tuple[str, str, str]]:
    """The file, the text with one word misspelt in it, and which word it was."""
    for name, text in FILES.items():
        for found in re.finditer(r"\$?[A-Za-z][\w-]{3,}", text):
            line = text[text.rfind("\n", 0, found.start()) + 1 : found.end()]
            if not SAID_ONLY.search(line):
                word = found.group()
                middle = len(word) // 2
                wrong = word[:middle] + word[middle + 1 :]
                yield name, text[: found.start()] + wrong + text[found.end() :], f"{name}:{found.start()} {word}"


def test_the_game_loads(tmp_path: Path) -> None:
    assert len(load(tmp_path, **FILES).rules) == 5


@pytest.mark.parametrize(("name", "text"), [pytest.param(name, text, id=word) for name, text, word in misspelt()])
def test_a_misspelt_word_is_one_mistake(tmp_path: Path, name: str, text: str) -> None:
    told = [str(one) for one in _told(tmp_path, {**FILES, name: text})]
    assert len(told) <= 1
    assert all("did you mean" in one or "write `" in one for one in told)


def _told(folder: Path, files: dict[str, str]) -> tuple[object, ...]:
    """What is wrong with these files; a word may also be misspelt into another that is right."""
    try:
        load(folder, **files)
    except RulesetError as error:
        return error.problems
    return ()


# ------------------------------------------------------------------------------------------------ what is told


def only(found: list[object]) -> str:
    assert len(found) == 1, "\n".join(map(str, found))
    return str(found[0])


def test_a_misspelt_declaration_is_told_where_it_stands(tmp_path: Path) -> None:
    templates = TEMPLATES.replace("  lamp:\n", "  lmp:\n")
    assert only(problems(tmp_path, MANY_RULES, templates, RULESET)) == (
        "lamps/templates.yaml:4:3: error: nothing else says `lmp`, and 4 places say `lamp`, "
        "the first of them lamps/rules.yaml:26:17 [unknown-template]\n    hint: did you mean `lamp`?"
    )


def test_a_name_that_nothing_has_is_told_once_with_where_else_it_is(tmp_path: Path) -> None:
    body = "when: [{lmap $l: {}}, {no: {lmap: {lit: true}}}, {some: {lmap: {}}}, {some: {lmap: {}}}]\nthen: [{retract $l}]"
    assert only(problems(tmp_path, rule(body.replace("{retract $l}", "end game")))) == (
        "lamps/rules.yaml:5:13: error: `lmap` is no template, definition or quantifier [unknown-template]\n"
        "    hint: did you mean `lamp`?; also at lamps/rules.yaml:5:33, lamps/rules.yaml:5:62 and in 1 more"
    )


def test_a_variable_that_nothing_binds_is_told_once(tmp_path: Path) -> None:
    body = "when: [{room $rr: {}}, {dark: $r}, {lamp $l: {at: not $r}}]\nthen: [{modify $r: {keeper: none}}]"
    assert only(problems(tmp_path, rule(body))) == (
        "lamps/rules.yaml:5:29: error: nothing binds `$r` [unbound]\n"
        "    hint: did you mean `$rr`?; also at lamps/rules.yaml:5:51, lamps/rules.yaml:6:13"
    )


def test_two_mistakes_of_one_rule_are_two(tmp_path: Path) -> None:
    body = "when: [{lamp $l: {glo: 1}}]\nthen: [{modify $l: {lt: true}}]"
    assert [one.code for one in problems(tmp_path, rule(body))] == ["unknown-field", "unknown-field"]


def test_of_a_file_that_cannot_be_read_nothing_is_missed(tmp_path: Path) -> None:
    assert only(problems(tmp_path, templates=TEMPLATES.replace("events:", "events: {"))).startswith("lamps/templates.yaml:")


def test_a_mistake_in_the_base_of_a_variant_is_told_where_it_stands(tmp_path: Path) -> None:
    load(tmp_path)
    variant = tmp_path / "variant"
    variant.mkdir()
    (variant / "ruleset.yaml").write_text("name: variant\nextends: lamps\ndrop: [dark-rooms-are-lost]\n", encoding="utf-8")
    (tmp_path / "lamps" / "rules.yaml").write_text(RULES.replace("house: true", "hous: true"), encoding="utf-8")
    with pytest.raises(RulesetError) as error:
        load_ruleset(variant, shown="variant")
    assert only(list(error.value.problems)).startswith("lamps/rules.yaml:3:5: error: unknown key `hous` in a rule")


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("then: [{emit fliped: {lamp: $l}}]", "`fliped` is no event [unknown-template]\n    hint: did you mean `flipped`?"),
        ("then: [{assert fliped: {lamp: $l}}]", "did you mean the event `flipped`?"),
        (
            "then: [{begin flipped: {lamp: $l}}]",
            "`flipped` is no procedure [unknown-template]\n    hint: it is an event: `emit flipped: {…}`",
        ),
        ("then: [{assert watch: {}}]", "it is a procedure: `begin watch: {…}`"),
        ("then: [{emit lmap: {}}]", "did you mean the template `lamp`?"),
        ("then: [{emt flipped: {lamp: $l}}]", "did you mean `emit`?"),
        ("then: [{assert room witin $l: {}}]", "did you mean `within`?"),
    ],
)
def test_a_word_of_another_kind_is_named_with_its_kind(tmp_path: Path, body: str, said: str) -> None:
    assert said in only(problems(tmp_path, rule(f"when: [{{lamp $l: {{}}}}]\n{body}")))


def test_an_event_that_is_misspelt_as_a_condition_is_named(tmp_path: Path) -> None:
    assert "did you mean the event `flipped`?" in only(problems(tmp_path, rule("when: [{fliped $e: {}}]\nthen: [end game]")))


@pytest.mark.parametrize(("test", "meant"), [("glow: soe", "some"), ("glow: at lest 1", "least"), ("lit: tre", "true")])
def test_a_misspelt_test_names_what_was_meant(tmp_path: Path, test: str, meant: str) -> None:
    found = problems(tmp_path, rule(f"when: [{{lamp $l: {{{test}}}}}]\nthen: [retract $l]"))
    assert only(found).endswith(f"hint: did you mean `{meant}`?")
