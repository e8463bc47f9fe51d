"""The match network: what goes in and comes out, its limits in words, and that it agrees with matching by brute force."""

from __future__ import annotations

import gc
import itertools
import operator
import os
import random
import sys
import threading

import psutil
import pytest

from riftrules.engine.network import Blueprint, Join, NetPattern, NetRule, host
from riftrules.errors import EngineError

COMPARE = {"==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
LONG = bool(os.environ.get("RIFTRULES_LONG"))
"""Set it for the long runs: ten times the random rule sets, and ten times the sessions."""

UNIT = NetPattern("unit", ("at", "by"))
PLACE_OF_UNIT = NetPattern("place", ("id", "by"), (Join("==", "id", 0, "at"),))
STANDS = NetRule("stands", (UNIT, PLACE_OF_UNIT))
FIELDS = {"unit": ("at", "by", "might"), "place": ("id", "by"), "player": ("points",)}


def by_brute_force(rule, board):
    """Every tuple of keys that satisfies the rule; one fact may satisfy several patterns."""
    rows = [
        [(key, dict(zip(p.fields, values, strict=True))) for (kind, key), values in board.items() if kind == p.kind]
        for p in rule.patterns
    ]
    return {
        tuple(key for key, _ in chosen) for chosen in itertools.product(*rows) if joined(rule, [fields for _, fields in chosen])
    }


def joined(rule, facts):
    return all(
        COMPARE[join.op](facts[number][join.field], facts[join.pattern][join.other] + join.plus)
        for number, pattern in enumerate(rule.patterns)
        for join in pattern.joins
    )


def random_rule(dice, name):
    patterns = []
    for number in range(dice.choice((1, 2, 2, 3, 4))):
        kind = dice.choice(list(FIELDS))
        joins = []
        for _ in range(dice.randint(0, 3) if number else 0):
            other = dice.randrange(number)
            joins.append(
                Join(
                    dice.choice(list(COMPARE)),
                    dice.choice(FIELDS[kind]),
                    other,
                    dice.choice(FIELDS[patterns[other].kind]),
                    dice.choice((0, 0, 0, 1, -1)),
                )
            )
        patterns.append(NetPattern(kind, FIELDS[kind], tuple(joins)))
    return NetRule(name, tuple(patterns))


def random_step(dice, board, kinds):
    """Retractions and assertions that change the board, and the board changed."""
    retracts, asserts, held = [], [], set(board)
    for _ in range(dice.randint(1, 3)):
        kind = dice.choice(kinds)
        key = dice.randrange(4)
        values = tuple(dice.randint(-1, 2) for _ in FIELDS[kind])
        if (kind, key) in board and (kind, key) in held and dice.random() < 0.4:
            retracts.append((kind, key))
            del board[kind, key]
        elif (kind, key) not in {(k, n) for k, n, _ in asserts}:
            asserts.append((kind, key, values))
            board[kind, key] = values
    asserts = [item for item in asserts if item[:2] in board]
    return retracts, asserts


def played(blueprint, seed, steps=30):
    """One random session, checked against brute force after each step; its activations as they came."""
    dice = random.Random(seed)
    network = blueprint.open()
    board, told = {}, []
    for _ in range(steps):
        network.apply(*random_step(dice, board, list(blueprint.kinds)))
        for number, rule in enumerate(blueprint.rules):
            found = list(network.matches(number))
            assert len(found) == len(set(found))
            assert set(found) == by_brute_force(rule, board)
            told.append(found)
    network.close()
    return told


@pytest.mark.parametrize("seed", range(1000 if LONG else 100))
def test_activations_are_those_of_a_brute_force_matcher_whatever_is_asserted_retracted_or_modified(seed) -> None:
    dice = random.Random(seed)
    blueprint = Blueprint([random_rule(dice, f"rule-{number}") for number in range(dice.randint(1, 6))])
    first = played(blueprint, seed)
    assert played(blueprint, seed) == first, "a network that has served before tells the same, in the same order"


def after(rules, *changes):
    """The activations of each rule after the changes, in order."""
    network = Blueprint(rules).open()
    for retracts, asserts in changes:
        network.apply(retracts, asserts)
    return [sorted(network.matches(number), key=str) for number in range(len(rules))]


def test_a_rule_of_one_pattern_is_activated_by_each_fact() -> None:
    assert after([NetRule("seen", (UNIT,))], ([], [("unit", "ada", (1, 2)), ("unit", 7, (1, 2))])) == [[("ada",), (7,)]]


def test_an_activation_is_withdrawn_when_one_of_its_facts_goes() -> None:
    board = [("unit", "ada", (1, 0)), ("place", "bog", (1, 0))]
    assert after([STANDS], ([], board)) == [[("ada", "bog")]]
    assert after([STANDS], ([], board), ([("place", "bog")], [])) == [[]]


def test_a_fact_asserted_again_is_modified() -> None:
    board = [("unit", "ada", (1, 0)), ("place", "bog", (1, 0)), ("place", "dam", (2, 0))]
    assert after([STANDS], ([], board), ([], [("unit", "ada", (2, 5))])) == [[("ada", "dam")]]
    assert after([STANDS], ([], board), ([("unit", "ada")], [("unit", "ada", (1, 0))])) == [[("ada", "bog")]]


def test_one_fact_may_match_several_patterns() -> None:
    twice = NetRule("twice", (UNIT, NetPattern("unit", ("at", "by"), (Join("==", "at", 0, "at"),))))
    assert after([twice], ([], [("unit", 1, (3, 0))])) == [[(1, 1)]]


def test_rules_that_are_alike_are_matched_once_and_told_apart() -> None:
    rules = [NetRule("one", (UNIT, PLACE_OF_UNIT)), NetRule("two", (UNIT, PLACE_OF_UNIT)), NetRule("three", (UNIT,))]
    assert len(Blueprint(rules).links) == 2
    assert after(rules, ([], [("unit", 1, (3, 0)), ("place", 2, (3, 0))])) == [[(1, 2)], [(1, 2)], [(1,)]]


def test_rules_that_begin_alike_share_their_beginning() -> None:
    third = [NetPattern("player", ("points",), (Join(op, "points", 0, "by"),)) for op in ("==", "<")]
    blueprint = Blueprint([NetRule(f"rule-{number}", (UNIT, PLACE_OF_UNIT, pattern)) for number, pattern in enumerate(third)])
    assert len(blueprint.links) == 3


def test_twenty_patterns_in_a_rule_are_matched() -> None:
    row = (
        NetPattern("step", ("at",)),
        *(NetPattern("step", ("at",), (Join("==", "at", number, "at", 1),)) for number in range(19)),
    )
    assert after([NetRule("staircase", row)], ([], [("step", key, (key,)) for key in range(20)])) == [[tuple(range(20))]]


def test_six_hundred_rules_that_begin_with_one_pattern_are_matched() -> None:
    limits = [NetPattern(f"limit-{number}", ("at",), (Join("==", "at", 0, "at"),)) for number in range(600)]
    rules = [NetRule(f"rule-{number}", (NetPattern("unit", ("at",)), limit)) for number, limit in enumerate(limits)]
    found = after(rules, ([], [("unit", "ada", (7,)), ("limit-412", 0, (7,)), ("limit-413", 0, (6,))]))
    assert {number: keys for number, keys in enumerate(found) if keys} == {412: [("ada", 0)]}


def test_six_hundred_rules_that_join_one_kind_are_matched() -> None:
    firsts = [NetPattern(f"first-{number}", ("at",)) for number in range(600)]
    rules = [
        NetRule(f"rule-{number}", (first, NetPattern("unit", ("at",), (Join("==", "at", 0, "at"),))))
        for number, first in enumerate(firsts)
    ]
    found = after(rules, ([], [("unit", "ada", (7,)), ("first-412", 0, (7,)), ("first-413", 0, (6,))]))
    assert {number: keys for number, keys in enumerate(found) if keys} == {412: [(0, "ada")]}


def test_more_kinds_than_one_network_holds_are_spread_over_several() -> None:
    rules = [NetRule(f"rule-{number}", (NetPattern(f"kind-{number}"), NetPattern("all"))) for number in range(700)]
    assert Blueprint(rules).layout.networks > 1
    board = [("all", "x", ()), *((f"kind-{number}", number, ()) for number in range(700))]
    assert after(rules, ([], board)) == [[(number, "x")] for number in range(700)]


def test_a_crowd_is_matched_though_it_outgrows_the_network_twice() -> None:
    crowd = [("unit", key, (key % 3, 0)) for key in range(100)]
    places = [("place", key, (key, 0)) for key in range(3)]
    expected = sorted(((key, key % 3) for key in range(100)), key=str)
    assert after([STANDS], ([], places), ([], crowd)) == [expected]
    assert after([STANDS], ([], crowd), ([], places)) == [expected]
    assert after([STANDS], ([], crowd + places), ([("unit", key) for key in range(1, 100)], [])) == [[(0, 0)]]


@pytest.mark.parametrize(
    ("patterns", "message"),
    [
        ((), "rule `r`: has no pattern"),
        ((UNIT, NetPattern("unit", ("at",))), "rule `r`: pattern 2 gives kind `unit` other fields than an earlier one"),
        (
            (UNIT, NetPattern("place", ("id",), (Join("~", "id", 0, "at"),))),
            "rule `r`: pattern 2 joins by `~`, which the match network does not know",
        ),
        (
            (UNIT, NetPattern("place", ("id",), (Join("==", "id", 1, "id"),))),
            "rule `r`: pattern 2 is joined with pattern 2, which is not before it",
        ),
        (
            (UNIT, NetPattern("place", ("id",), (Join("==", "id", 0, "it"),))),
            "rule `r`: pattern 2 joins `id` with `it`, and one of them is not sent",
        ),
        (
            (UNIT, NetPattern("place", ("id",), (Join("==", "id", 0, "at"),) * 29)),
            "rule `r`: pattern 2 has 29 joins; the match network takes at most 28",
        ),
        (
            (NetPattern("wide", tuple(f"f{number}" for number in range(241))),),
            "rule `r`: pattern 1 has 241 fields; the match network takes at most 240",
        ),
    ],
)
def test_what_the_network_cannot_match_is_refused_by_the_name_of_its_rule(patterns, message) -> None:
    with pytest.raises(EngineError) as raised:
        Blueprint([NetRule("fine", (UNIT,)), NetRule("r", patterns)])
    assert raised.value.message == message


def test_as_many_joins_and_fields_as_are_allowed_are_matched() -> None:
    wide = tuple(f"f{number}" for number in range(240))
    ahead = NetRule("joins", (UNIT, NetPattern("place", ("id", "by"), (Join("==", "id", 0, "at"),) * 28)))
    thirds = [
        NetRule(f"fields-{name}", (NetPattern("wide", wide), NetPattern("wide", wide, (Join("==", name, 0, name),))))
        for name in wide
    ]
    found = after([ahead, *thirds], ([], [("unit", 1, (2, 0)), ("place", 3, (2, 0)), ("wide", 4, tuple(range(240)))]))
    assert found == [[(1, 3)], *([[(4, 4)]] * 240)]


@pytest.mark.parametrize(
    ("retracts", "asserts", "message"),
    [
        ([], [("place", "bog", (0, 0))], "no rule has a pattern over kind `place`"),
        ([("unit", "ada")], [], "`unit ada` is not in the match network"),
        ([], [("unit", "ada", (1 << 62, 0))], "4611686018427387904 is too large a number for the match network"),
        (
            [],
            [("unit", number, (0, 0)) for number in range(9001)],
            "more than 9000 facts at once are too many for the match network",
        ),
    ],
)
def test_a_change_that_cannot_be_made_closes_the_network_and_says_why(retracts, asserts, message) -> None:
    network = Blueprint([NetRule("seen", (UNIT,))]).open()
    with pytest.raises(EngineError) as raised:
        network.apply(retracts, asserts)
    assert raised.value.message == message
    with pytest.raises(EngineError, match="the match network of this session is closed"):
        network.apply()


def test_numbers_of_either_sign_up_to_the_limit_are_compared_exactly() -> None:
    most = (1 << 62) - 1
    number = NetPattern("n", ("v",))
    same = NetRule("same", (number, NetPattern("n", ("v",), (Join("==", "v", 0, "v"),))))
    following = NetRule("following", (number, NetPattern("n", ("v",), (Join("==", "v", 0, "v", 1),))))
    values = (-most, -most + 1, -1, 0, most - 1, most)
    found = after([same, following], ([], [("n", value, (value,)) for value in values]))
    assert set(found[0]) == {(value, value) for value in values}
    assert set(found[1]) == {(-most, -most + 1), (-1, 0), (most - 1, most)}


def test_an_interrupt_in_the_middle_of_a_change_closes_the_network_and_spoils_no_other(monkeypatch) -> None:
    def interrupt(_):
        raise KeyboardInterrupt

    blueprint = Blueprint([NetRule("seen", (UNIT,))])
    network = blueprint.open()
    monkeypatch.setattr(network, "_note", interrupt)
    with pytest.raises(KeyboardInterrupt):
        network.apply([], [("unit", 1, (0, 0))])
    with pytest.raises(EngineError):
        network.apply()
    other = blueprint.open()
    other.apply([], [("unit", 1, (0, 0))])
    assert list(other.matches(0)) == [(1,)]


def test_sessions_of_one_blueprint_do_not_see_each_other() -> None:
    blueprint = Blueprint([STANDS])
    one, two = blueprint.open(), blueprint.open()
    one.apply([], [("unit", 1, (3, 0))])
    two.apply([], [("place", 2, (3, 0))])
    assert (list(one.matches(0)), list(two.matches(0))) == ([], [])
    one.apply([], [("place", 2, (3, 0))])
    assert (list(one.matches(0)), list(two.matches(0))) == ([(1, 2)], [])


def test_nothing_runs_in_the_background() -> None:
    before = threading.active_count()
    network = Blueprint([NetRule("seen", (UNIT,))]).open()
    network.apply([], [("unit", 1, (0, 0))])
    assert threading.active_count() == before


def test_without_durable_rules_the_error_says_what_to_type(monkeypatch) -> None:
    host.extension.cache_clear()
    monkeypatch.setitem(sys.modules, "durable_rules_engine", None)
    with pytest.raises(EngineError) as raised:
        Blueprint([NetRule("seen", (UNIT,))]).open()
    host.extension.cache_clear()
    assert raised.value.message == (
        "the match network is not installed: `durable-rules` is built from source and needs a C compiler; with one in place type "
        "`CPPFLAGS=-DPyEval_CallObject=PyObject_CallObject pip install durable-rules==2.0.28`"
    )


def test_what_durable_rules_reports_as_a_number_is_told_in_words() -> None:
    explained = host.explained(Exception("Could not assert fact, error code: 303"))
    assert (explained.code, explained.message) == (303, "the match network refused: there are too many patterns over one kind")


def used():
    gc.collect()
    return psutil.Process().memory_info().rss / 2**20


def session(blueprint, number):
    network = blueprint.open()
    network.apply(
        [], [("unit", unit, (unit % 3, number % 2)) for unit in range(10)] + [("place", place, (place, 1)) for place in range(3)]
    )
    for unit in range(10):
        network.apply([], [("unit", unit, ((unit + number) % 3, 1))])
    return network


def test_thousands_of_sessions_need_no_more_memory_than_the_first_thousand() -> None:
    player = NetPattern("player", ("points",), (Join("==", "points", 1, "by"),))
    blueprint = Blueprint([NetRule("one", (UNIT,)), STANDS, NetRule("held", (UNIT, PLACE_OF_UNIT, player))])
    for number in range(1000):
        session(blueprint, number).close()
    before = used()
    for number in range(10_000 if LONG else 2000):
        session(blueprint, number).close()
    assert used() - before < 20


def test_networks_left_open_and_blueprints_dropped_give_their_memory_back() -> None:
    def generations(count):
        for number in range(count):
            session(Blueprint([STANDS]), number)

    generations(100)
    before = used()
    generations(1000 if LONG else 200)
    assert used() - before < 20
