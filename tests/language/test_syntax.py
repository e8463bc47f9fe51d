"""Tests and expressions in English."""

from __future__ import annotations

import pytest

from riftrules.language.fields import said
from riftrules.language.syntax import (
    GrammarError,
    Nothing,
    Operation,
    Text,
    Variable,
    WrittenChange,
    WrittenTest,
    WrittenWhere,
    parse_change,
    parse_expression,
    parse_test,
    parse_where,
)

U, P = Variable("u"), Variable("p", ("points",))
ONE = Text("1")


@pytest.mark.parametrize(
    ("text", "test"),
    [
        ("none", WrittenTest("none")),
        ("some", WrittenTest("some")),
        ("$u", WrittenTest("is", U)),
        ("combat", WrittenTest("is", Text("combat"))),
        ("The Arena's Greatest", WrittenTest("is", Text("The Arena's Greatest"))),
        ("Dawn at the Wall", WrittenTest("is", Text("Dawn at the Wall"))),
        ("not $u", WrittenTest("not", tests=(WrittenTest("is", U),))),
        ('not "Not Dead Yet"', WrittenTest("not", tests=(WrittenTest("is", Text("Not Dead Yet", quoted=True)),))),
        ("not none", WrittenTest("not", tests=(WrittenTest("none"),))),
        ("at least $p.points - 1", WrittenTest("at least", Operation("-", P, ONE))),
        ("at  most 1", WrittenTest("at most", ONE)),
        ("more than 1", WrittenTest("more than", ONE)),
        ("has tank", WrittenTest("has", Text("tank"))),
        ("in $p.points", WrittenTest("in", P)),
        ("not in $p.points", WrittenTest("not", tests=(WrittenTest("in", P),))),
        ("a b or c", WrittenTest("any", tests=(WrittenTest("is", Text("a b")), WrittenTest("is", Text("c"))))),
        (
            "not a or none",
            WrittenTest("any", tests=(WrittenTest("not", tests=(WrittenTest("is", Text("a")),)), WrittenTest("none"))),
        ),
    ],
)
def test_a_test_says_what_it_says(text: str, test: WrittenTest) -> None:
    assert parse_test(text) == test


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("$p.points + 1 * 1", Operation("+", P, Operation("*", ONE, ONE))),
        ("$p.points - 1 - 1", Operation("-", Operation("-", P, ONE), ONE)),
        ("($p.points - 1) mod 1", Operation("mod", Operation("-", P, ONE), ONE)),
        ("greater of 1 and $p.points + 1", Operation("greater", ONE, Operation("+", P, ONE))),
        ("$u else $p.points else none", Operation("else", Operation("else", U, P), Nothing())),
        ("$p.points at $u", Operation("at", P, U)),
    ],
)
def test_an_expression_says_what_it_says_and_can_be_said_again(text: str, tree: object) -> None:
    assert parse_expression(text) == tree
    if "(" not in text:
        assert said(parse_expression(text)) == text


def test_a_condition_compares_an_expression() -> None:
    assert parse_where("$u is not $p.points") == WrittenWhere(U, WrittenTest("not", tests=(WrittenTest("is", P),)))
    assert parse_where("$p.points at $u at least 1") == WrittenWhere(Operation("at", P, U), WrittenTest("at least", ONE))


def test_a_change_adds_or_sets() -> None:
    assert parse_change("plus $p.points") == WrittenChange("plus", P)
    assert parse_change("remove $u") == WrittenChange("remove", U)
    assert parse_change("none") == WrittenChange("set", Nothing())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Not Dead Yet", "`Not Dead Yet` begins like a test; quote it if it is a name"),
        ("at least", "`at least` begins like a test; quote it if it is a name"),
        ("not $u and $p.points", "`not $u and $p.points` is not a test: it stops making sense at `and $p.points`"),
    ],
)
def test_what_is_no_test_says_where_it_stops_making_sense(text: str, message: str) -> None:
    with pytest.raises(GrammarError) as fault:
        parse_test(text)
    assert str(fault.value) == message
