"""Mistakes that would pass in silence, or fail far from their place, are told where they stand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from riftrules.errors import RulesetError
from riftrules.language.loader import load_ruleset
from riftrules.language.problems import near
from tests.language.small import RULES, RULESET, TEMPLATES, load, problems, rule


def codes(found: list[Any]) -> list[tuple[str, str]]:
    """The code and message of each problem."""
    return [(problem.code, problem.message) for problem in found]


# ------------------------------------------------------------------------------------------------ values


@pytest.mark.parametrize(("summed", "is_a"), [("$l.at", "room"), ("$l.lit", "true or false")])
def test_sum_adds_up_nothing_but_numbers(tmp_path: Path, summed: str, is_a: str) -> None:
    when = f"when: [{{sum: {summed}, over: {{lamp $l: {{}}}}, as: $n}}, {{where: $n is 1}}]\nthen: [end game]"
    (told,) = codes(problems(tmp_path, rule(when)))
    assert told[0] == "type"
    assert told[1].startswith("`sum` adds up numbers, and this is")
    assert is_a in told[1]


@pytest.mark.parametrize("number", [2**62, -(2**62), 10**40])
def test_a_number_beyond_what_the_engine_reckons_with_is_told(tmp_path: Path, number: int) -> None:
    templates = TEMPLATES.replace("points: {int: {min: 0}, default: 0}", f"points: {{int: any, default: {number}}}")
    assert codes(problems(tmp_path, templates=templates)) == [("type", "the number is too large")]


def test_the_largest_number_loads(tmp_path: Path) -> None:
    templates = TEMPLATES.replace("points: {int: {min: 0}, default: 0}", f"points: {{int: any, default: {2**62 - 1}}}")
    default = load(tmp_path, templates=templates).templates["keeper"].fields["points"].default
    assert default.value == 2**62 - 1  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "then",
    ["begin flip: {by: $k, lamps: [$l]}", "modify $l: {marks: [$k]}", "begin flip: {by: $k, lamps: [a, $l]}"],
)
def test_brackets_take_no_variables(tmp_path: Path, then: str) -> None:
    found = problems(tmp_path, rule(f"when: [{{keeper $k: {{}}}}, {{lamp $l: {{}}}}]\nthen: [{{{then}}}]"))
    assert [(code, message.split(":")[1]) for code, message in codes(found)] == [
        ("syntax", " brackets hold values, not variables")
    ]


@pytest.mark.parametrize(("written", "value"), [('"$this"', "$this"), ('"some text"', "some text")])
def test_a_quoted_value_of_a_derived_field_is_a_literal(tmp_path: Path, written: str, value: str) -> None:
    templates = TEMPLATES.replace("  turn:", f"  sign: {{fields: {{}}, derived: {{says: [{{is: {written}}}]}}}}\n  turn:")
    ruleset = load(tmp_path, templates=templates)
    (case,) = ruleset.templates["sign"].derived["says"].cases
    assert case.value.value == value  # type: ignore[union-attr]


# ------------------------------------------------------------------------------------------------ modes and variants


def test_a_mode_that_is_no_mapping_is_told(tmp_path: Path) -> None:
    ruleset = RULESET.replace("long: {target: 5}", "long: 5")
    assert codes(problems(tmp_path, ruleset=ruleset)) == [
        ("shape", "the settings of mode `long` belong here: `{setting: value}`")
    ]


def test_the_plain_settings_of_a_variant_win_over_the_modes_of_its_base(tmp_path: Path) -> None:
    load(tmp_path)
    variant = tmp_path / "variant"
    variant.mkdir()
    (variant / "ruleset.yaml").write_text("name: variant\nextends: lamps\nsettings: {target: 2}\n", encoding="utf-8")
    ruleset = load_ruleset(variant)
    assert {mode: dict(settings).get("target", 2) for mode, settings in ruleset.modes.items()} == {"short": 2, "long": 2}


# ------------------------------------------------------------------------------------------------ files


@pytest.fixture
def closed(monkeypatch: pytest.MonkeyPatch) -> set[Path]:
    """Folders put here cannot be listed, whoever runs the tests."""
    shut: set[Path] = set()
    real = Path.iterdir

    def iterdir(path: Path) -> Iterator[Path]:
        if path in shut:
            raise PermissionError(13, "Permission denied", str(path))
        return real(path)

    monkeypatch.setattr(Path, "iterdir", iterdir)
    return shut


@pytest.mark.parametrize("inside", [".", "more", "more/deeper"])
def test_a_folder_of_rules_that_cannot_be_listed_is_told(tmp_path: Path, closed: set[Path], inside: str) -> None:
    load(tmp_path, more__deeper__rules=RULES.replace("dark-rooms", "deeper-rooms"))
    closed.add(tmp_path / "lamps" / inside)
    with pytest.raises(RulesetError, match="this folder cannot be read: permission denied") as error:
        load_ruleset(tmp_path / "lamps", shown="lamps")
    assert error.value.problems[0].place.path == (Path("lamps") / inside).as_posix()


# ------------------------------------------------------------------------------------------------ hints


def test_a_hint_never_names_the_word_that_is_wrong() -> None:
    assert near("unit", ["unit"]) == ""
    assert near("unit", ["unit", "units"]) == "did you mean `units`?"
    assert "`due`" not in near("due", ["ask", "due", "emit"])


@pytest.mark.parametrize(
    ("condition", "hint"),
    [
        ('lamp $l: {glow: ">= 3"}', "write `at least` for `>=`"),
        ("where: $settings.target < 3", "write `less than` for `<`"),
        ("or: [{lamp: {lit: true}}, {lamp: {glow: 1}}]", "write a rule for each, or `no: [{no: [ONE]}, {no: [OTHER]}]`"),
    ],
)
def test_what_other_languages_have_is_told_in_the_words_of_this_one(tmp_path: Path, condition: str, hint: str) -> None:
    (problem,) = problems(tmp_path, rule(f"when: [{{lamp $x: {{}}}}, {{{condition}}}]\nthen: [{{modify $x: {{lit: true}}}}]"))
    assert hint in str(problem)
