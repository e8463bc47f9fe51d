"""What a load says of wrong files: the whole message, with its place and its hint."""

from __future__ import annotations

from pathlib import Path

import pytest

from riftrules.errors import RulesetError
from tests.language.small import RULES, RULESET, TEMPLATES, load, problems, rule


def only(found: list[object]) -> str:
    """The one problem, as it is printed."""
    assert len(found) == 1, "\n".join(map(str, found))
    return str(found[0])


def test_a_misspelt_field_in_a_rule_is_told_with_the_field_that_was_meant(tmp_path: Path) -> None:
    found = problems(tmp_path, rule("when: [{room $r: {keper: some}}]\nthen: [{modify $r: {keeper: none}}]"))
    assert only(found) == (
        "lamps/rules.yaml:5:23: error: `room` has no field `keper` [unknown-field]\n    hint: did you mean `keeper`?"
    )


def test_a_misspelt_field_behind_a_variable_is_the_same_error(tmp_path: Path) -> None:
    found = problems(tmp_path, rule("when:\n  - lamp $l: {}\n  - where: $l.gow at least 1\nthen: [{modify $l: {lit: true}}]"))
    assert only(found) == "lamps/rules.yaml:7:9: error: `lamp` has no field `gow` [unknown-field]\n    hint: did you mean `glow`?"


def test_one_key_twice_names_both_places(tmp_path: Path) -> None:
    found = problems(tmp_path, rule("when: [{lamp $l: {}}]\nwhen: [{lamp $l: {}}]\nthen: [{modify $l: {lit: true}}]"))
    assert "lamps/rules.yaml:6:5" in only(found)
    assert "5:5" in only(found)


def test_one_rule_id_in_two_files_names_both_places(tmp_path: Path) -> None:
    found = problems(tmp_path, more=RULES)
    assert only(found) == (
        "lamps/rules.yaml:2:5: error: `dark-rooms-are-lost` is declared twice: also at lamps/more.yaml:2:5 [duplicate]"
    )


@pytest.mark.parametrize(
    ("field", "said"),
    [
        ('glow: "5"', '`"5"` is not a whole number'),
        ("glow: yes", "`yes` is not a whole number"),
        ("glow: 010", "`010` is not a whole number"),
        ("glow: 12:30", "`12:30` is not a whole number"),
        ("glow: 10", "10 is more than 9"),
        ("lit: 1", "`1` is neither `true` nor `false`"),
        ("lit: NO", "`NO` is neither `true` nor `false`"),
        ("lit: y", "`y` is neither `true` nor `false`"),
        ('lit: "true"', '`"true"` is neither `true` nor `false`'),
    ],
)
def test_a_value_of_the_wrong_type_is_never_coerced(tmp_path: Path, field: str, said: str) -> None:
    found = problems(tmp_path, rule(f"when: [{{lamp $l: {{}}}}]\nthen: [{{modify $l: {{{field}}}}}]"))
    assert said in only(found)
    assert "[type]" in only(found)


@pytest.mark.parametrize("word", ["NO", "y", "on", "12:30", "010", "1e3", "~", "null", ".5"])
def test_a_plain_scalar_stays_the_text_that_was_typed(tmp_path: Path, word: str) -> None:
    templates = TEMPLATES.replace("team: {text: any, default: $id}", f"team: {{text: any, default: {word}}}")
    default = load(tmp_path, templates=templates).templates["keeper"].fields["team"].default
    assert default is not None
    assert default.value == word  # type: ignore[union-attr]


def test_rules_in_a_sub_folder_and_files_ending_yml_are_read(tmp_path: Path) -> None:
    load(tmp_path, more__deeper=RULES.replace("dark-rooms", "deeper-rooms"))
    (tmp_path / "lamps" / "last.yml").write_text(RULES.replace("dark-rooms", "yml-rooms"), encoding="utf-8")
    ruleset = load(tmp_path)
    assert [one.id for one in ruleset.rules] == ["yml-rooms-are-lost", "deeper-rooms-are-lost", "dark-rooms-are-lost"]


def test_a_file_the_loader_does_not_know_is_warned_about(tmp_path: Path) -> None:
    load(tmp_path)
    (tmp_path / "lamps" / "rules.txt").write_text("rules: []", encoding="utf-8")
    (warning,) = load(tmp_path).warnings
    assert str(warning) == (
        "lamps/rules.txt:1:1: warning: `rules.txt` is not read [unread-file]\n"
        "    hint: rules are read from files that end in `.yaml` or `.yml`"
    )


def test_a_key_in_the_wrong_place_says_where_it_belongs(tmp_path: Path) -> None:
    found = problems(tmp_path, ruleset=RULESET.replace("{together: true}", "{together: true, salience: 3}"))
    assert only(found) == (
        "lamps/ruleset.yaml:13:25: error: unknown key `salience` in a step (`dim`) [unknown-key]\n"
        "    hint: `salience` stands beside `when` and `then`, in the rule itself; "
        "allowed here: `together`, `cites`, `says`, `note`, `replaces`"
    )


def test_a_consequent_key_that_belongs_to_the_rule_is_no_consequent(tmp_path: Path) -> None:
    found = problems(tmp_path, rule("when: [{lamp $l: {}}]\nthen:\n  - modify $l: {lit: true}\n  - salience: 3"))
    assert "`salience` is no consequent" in only(found)
    assert "stands beside `when` and `then`" in only(found)


def test_a_pattern_of_two_facts_says_that_two_patterns_are_needed(tmp_path: Path) -> None:
    found = problems(tmp_path, rule("when:\n  - lamp $l: {}\n    room $r: {}\nthen: [{modify $l: {lit: true}}]"))
    assert only(found) == (
        "lamps/rules.yaml:7:9: error: `lamp $l` and `room $r` are two facts in one pattern [two-facts]\n"
        "    hint: write two patterns, each with its own `-`"
    )


def test_a_citation_the_index_does_not_have_is_an_error(tmp_path: Path) -> None:
    index = 'rulebook:\n  - {number: "10.1", summary: Rooms are lost., held: [dark-rooms-are-lost]}\n'
    found = problems(tmp_path, RULES.replace("house: true", 'cites: ["10.2"]'), rulebook=index)
    assert only(found) == (
        "lamps/rules.yaml:2:5: error: rule `dark-rooms-are-lost` cites `10.2`, "
        "which the index of printed rules does not have [unknown-citation]\n    hint: did you mean `10.1`?"
    )


def test_a_rule_deleted_from_a_file_is_gone_at_the_next_load(tmp_path: Path) -> None:
    assert [one.id for one in load(tmp_path).rules] == ["dark-rooms-are-lost"]
    assert load(tmp_path, "rules: []\n").rules == ()


def test_a_definition_that_needs_itself_shows_the_ring(tmp_path: Path) -> None:
    ring = "  - {define: a $r, when: [{b: $r}]}\n  - {define: b $r, when: [{room $r: {}}, {no: {a: $r}}]}\n"
    found = problems(tmp_path, templates=TEMPLATES + ring)
    assert only(found) == "lamps/templates.yaml:17:6: error: these need one another: `a` → `b` → `a` [ring]"


def test_a_derived_field_that_needs_itself_shows_the_ring(tmp_path: Path) -> None:
    derived = "      marks: {set: [red, blue]}\n    derived: {bright: [{is: $this.dim + 1}], dim: [{is: $this.bright}]}\n"
    found = problems(tmp_path, templates=TEMPLATES.replace("      marks: {set: [red, blue]}\n", derived))
    assert any("these need one another: `lamp.bright` → `lamp.dim` → `lamp.bright`" in str(one) for one in found)


def test_all_problems_are_told_not_the_first(tmp_path: Path) -> None:
    rules = rule("when:\n  - lamp $l: {gow: 1}\n  - rom: {}\nthen: [{modify $x: {lit: true}}]", head="step: lihgt")
    assert [one.code for one in problems(tmp_path, rules)] == ["unknown-step", "unknown-field", "unknown-template"]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("when: [{lamp: {at: $r}}]\nthen: [{modify $r: {keeper: none}}]", "nothing binds `$r`"),
        (
            "when: [{lamp $l: {lit: Not Dead Yet}}]\nthen: [retract $l]",
            "`Not Dead Yet` begins like a test; quote it if it is a name",
        ),
        ("when: [{lamp $l: {at: $l}}]\nthen: [retract $l]", "`$l` would have to be both a lamp and a room"),
        ("when: [{lamp $l: {marks: has green}}]\nthen: [retract $l]", "`green` is none of `red`, `blue`"),
        ("when: [{lamp $l: {}}]\nthen: [{assert lamp: {lit: true}}]", "`lamp` needs `at`"),
        ("when: [{lamp $l: {}}]\nthen: [{begin watch: {}}]", "`watch` needs `keeper`"),
        ("when: [{lamp $l: {}}]\nthen: [{modify $l: {lit: plus 1}}]", "`plus` works on numbers"),
        ("when: [{keeper $k: {}}]\nthen: [{ask $k: [flip]}, end game]", "`ask` must stand alone in its rule"),
        ("when: [{keeper $k: {}}]\nthen: [{ask $k: [flip]}]", "which does not yield"),
        ("when: [{flip $f: {}}]\nthen: [refuse $f]", "a rule that refuses has neither `step` nor `after`"),
        ("when: [{lamp $l: {}}]\nthen: [{emit fliped: {lamp: $l}}]", "`fliped` is no event"),
        ("when: [{lamp $l: {at: A lamp, lit: [a]}}]\nthen: [retract $l]", "the test of `lit` must be one plain text"),
    ],
)
def test_what_cannot_be_meant_is_told(tmp_path: Path, body: str, said: str) -> None:
    assert said in "\n".join(map(str, problems(tmp_path, rule(body))))


def test_a_choice_in_a_step_where_all_fire_together_is_refused(tmp_path: Path) -> None:
    body = "when: [{lamp $l: {}}]\nchoose: {by: $turn.keeper, one: $l}\nthen: [retract $l]"
    assert "where all fire together" in only(problems(tmp_path, rule(body, "step: dim")))


def test_a_card_may_not_read_an_internal_field(tmp_path: Path) -> None:
    ruleset = RULESET + "cards: [cards]\n"
    found = problems(tmp_path, "rules: []\n", ruleset=ruleset, cards__one=RULES)
    assert only(found) == ("lamps/cards/one.yaml:6:19: error: `keeper` of `room` is internal: a card may not read it [internal]")


def test_a_variant_drops_replaces_and_sets(tmp_path: Path) -> None:
    load(tmp_path)
    variant = tmp_path / "variant"
    variant.mkdir()
    (variant / "ruleset.yaml").write_text("name: variant\nextends: lamps\nsettings: {target: 4}\n", encoding="utf-8")
    replaced = RULES.replace("house: true", "house: true\n    replaces: lamps").replace("some", "$p")
    (variant / "rules.yaml").write_text(replaced, encoding="utf-8")
    from riftrules.language.loader import load_ruleset

    ruleset = load_ruleset(variant, shown="variant")
    (one,) = ruleset.rules
    assert one.place.path == "variant/rules.yaml"
    assert ruleset.templates["settings"].fields["target"].default.value == 4  # type: ignore[union-attr]
    (variant / "ruleset.yaml").write_text("name: variant\nextends: lamps\ndrop: [dark-rooms-are-lost]\n", encoding="utf-8")
    (variant / "rules.yaml").unlink()
    assert load_ruleset(variant).rules == ()


@pytest.mark.parametrize(
    ("named", "rule", "said"),
    [
        ("lamps", "dark-rooms-are-lost", ""),
        ("true", "dark-rooms-are-lost", "`replaces: true` names no ruleset that this one extends"),
        ("lamps", "dark-rooms-are-won", "`dark-rooms-are-won` replaces nothing: `lamps` has no such name"),
        (
            "dark-rooms-are-lost",
            "dark-rooms-are-won",
            "what has the same name is replaced: call it `dark-rooms-are-lost`, and write `replaces: lamps`",
        ),
    ],
)
def test_what_replaces_names_the_ruleset_whose_it_replaces(tmp_path: Path, named: str, rule: str, said: str) -> None:
    from riftrules.language.loader import load_ruleset

    load(tmp_path)
    variant = tmp_path / "variant"
    variant.mkdir()
    (variant / "ruleset.yaml").write_text("name: variant\nextends: lamps\n", encoding="utf-8")
    text = RULES.replace("house: true", f"house: true\n    replaces: {named}").replace("dark-rooms-are-lost", rule, 1)
    (variant / "rules.yaml").write_text(text, encoding="utf-8")
    if not said:
        assert load_ruleset(variant).rules
        return
    with pytest.raises(RulesetError) as told:
        load_ruleset(variant)
    assert said in str(told.value)


def test_six_hundred_rules_on_one_field_load(tmp_path: Path) -> None:
    one = "  - {{rule: r{n}, house: true, step: light, when: [{{lamp $l: {{glow: 1}}}}], then: [{{modify $l: {{lit: true}}}}]}}\n"
    assert len(load(tmp_path, "rules:\n" + "".join(one.format(n=n) for n in range(600))).rules) == 600


@pytest.mark.parametrize(
    ("then", "said"),
    [
        (
            "[{assert lamp $new: {at: store}}, {modify $new: {lit: true}}]",
            (
                "lamps/rules.yaml:6:46: error: `$new` is not there before the rule has fired [unbound]\n"
                "    hint: what is asserted, emitted, begun or due after it can be given it as it is"
            ),
        ),
        (
            "[{assert lamp $new: {at: store, glow: 2}}, {assert lamp: {at: store, glow: $new.glow}}]",
            (
                "lamps/rules.yaml:6:86: error: `$new` is not there before the rule has fired [unbound]\n"
                "    hint: what is asserted, emitted, begun or due after it can be given it as it is"
            ),
        ),
        (
            "[{assert lamp: {at: $new}}, {assert room $new: {}}]",
            "lamps/rules.yaml:6:31: error: nothing binds `$new` [unbound]\n    hint: name the pattern that should bind it",
        ),
        (
            "[{assert room $new: {}}, {emit flipped: {lamp: $new}}]",
            "lamps/rules.yaml:6:58: error: this is a room where a lamp belongs [type]",
        ),
        (
            "[{assert room $l: {}}]",
            "lamps/rules.yaml:6:13: error: `$l` names something already [duplicate]\n    hint: give the new fact another name",
        ),
        (
            "[{assert room new: {}}]",
            "lamps/rules.yaml:6:13: error: `new` is not a variable [consequent]\n    hint: like `assert room $new`",
        ),
    ],
)
def test_the_name_of_a_new_fact_is_for_what_is_made_after_it(tmp_path: Path, then: str, said: str) -> None:
    found = problems(tmp_path, rule(f"when: [{{lamp $l: {{}}}}]\nthen: {then}"))
    assert str(found[0]) == said
