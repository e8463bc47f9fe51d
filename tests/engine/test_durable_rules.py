"""What durable_rules 2.0.28 does, measured: one test for each thing the match network relies on or keeps away from.

They are not wishes: many pin a defect. When one fails, a new release (or platform) has changed something, and
riftrules/engine/network/ is to be read again. What kills the process is tried in one of its own.
"""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
import threading
import warnings

import durable_rules_engine as extension
import psutil
import pytest
from durable import engine
from durable.engine import Host, MessageNotHandledException

names = (f"ruleset-{number}" for number in itertools.count())


class Session:
    """A ruleset by the extension module alone, and the one session in it."""

    def __init__(self, rules):
        self.handle = extension.create_ruleset(next(names), json.dumps(rules))
        self.state = 0

    def tell(self, **fact):
        code, self.state = extension.assert_fact(self.handle, json.dumps(fact))
        return code

    def retract(self, id_):
        extension.retract_fact(self.handle, json.dumps({"id": id_}))

    def activations(self):
        """Every activation that waits: (rule, id of the fact of each pattern), sorted."""
        started = extension.start_action_for_state(self.handle, self.state)
        text = started[1] if started else None
        found = []
        while text:
            found += [(rule, *(facts[name]["id"] for name in sorted(facts))) for rule, facts in json.loads(text).items()]
            text = extension.complete_and_start_action(self.handle, self.state)
        return sorted(found)


def rule(*patterns):
    return {"r": {"all": [{f"p{number}": pattern} for number, pattern in enumerate(patterns)]}}


def joined(*tests, guard=True):
    """A rule of a fact of kind 1 and one of kind 2 to which the tests apply."""
    return rule({"k": 1}, {"$and": [{"k": 2}, *tests, *([{"g": {"p0": "g"}}] if guard else [])]})


def second_of(test, *values, other=3):
    """Which of the values of `f` the test joins with a first fact whose `h` is `other`."""
    session = Session(joined(test))
    session.tell(id="first", k=1, h=other, g=1)
    for number, value in enumerate(values):
        session.tell(id=f"s{number}", k=2, f=value, g=1)
    return [values[int(second[1:])] for _, _, second in session.activations()]


def ends(code, *, seconds=20):
    """The exit code of a Python process that runs the code after this module's names; None if it does not end."""
    start = f"import sys; sys.path.insert(0, {str(__file__.rpartition('/')[0])!r}); from test_durable_rules import *\n"
    try:
        return subprocess.run([sys.executable, "-c", start + code], capture_output=True, timeout=seconds, check=False).returncode
    except subprocess.TimeoutExpired:
        return None


class Quiet(Host):
    """A host without the threads."""

    def _run(self):
        pass


def hosted(action):
    name = next(names)
    return Quiet({name: {"r": {"all": [{"m": {"k": 1}}], "run": action}}}), name


# Shapes that work


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        ({"f": 3}, [3]),
        ({"$neq": {"f": 3}}, [2, 4]),
        ({"$lt": {"f": 3}}, [2]),
        ({"$lte": {"f": 3}}, [2, 3]),
        ({"$gt": {"f": 3}}, [4]),
        ({"$gte": {"f": 3}}, [3, 4]),
    ],
)
def test_a_constant_is_compared(test, expected) -> None:
    session = Session(rule({"$and": [{"k": 1}, test]}))
    for value in (2, 3, 4):
        session.tell(id=str(value), k=1, f=value)
    assert session.activations() == [("r", str(value)) for value in expected]


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        ({"f": {"p0": "h"}}, [3]),
        ({"$neq": {"f": {"p0": "h"}}}, [2, 4, 6]),
        ({"$lt": {"f": {"p0": "h"}}}, [2]),
        ({"$gte": {"f": {"p0": "h"}}}, [3, 4, 6]),
        ({"f": {"$add": {"$l": {"p0": "h"}, "$r": 1}}}, [4]),
        ({"f": {"$sub": {"$l": {"p0": "h"}, "$r": 1}}}, [2]),
        ({"f": {"$mul": {"$l": {"p0": "h"}, "$r": 2}}}, [6]),
    ],
)
def test_a_field_is_compared_with_one_of_an_earlier_fact(test, expected) -> None:
    assert second_of(test, 2, 3, 4, 6) == expected


def test_the_facts_of_an_activation_come_in_the_order_of_the_patterns_each_as_it_was_asserted() -> None:
    session = Session(joined({"f": {"p0": "h"}}))
    session.tell(id="s", k=2, f=3, g=1)
    session.tell(id="first", k=1, h=3, g=1)
    _, text = extension.start_action_for_state(session.handle, session.state)
    assert text == '{"r":{"p0":{"id": "first", "k": 1, "h": 3, "g": 1},"p1":{"id": "s", "k": 2, "f": 3, "g": 1}}}'


def test_a_rule_of_one_pattern_reports_its_fact_under_the_alias() -> None:
    session = Session(rule({"k": 1}))
    session.tell(id="a", k=1)
    assert extension.start_action_for_state(session.handle, session.state)[1] == '{"r":{"p0":{"id": "a", "k": 1}}}'


def test_an_activation_that_waits_goes_when_its_fact_does() -> None:
    session = Session(rule({"k": 1}))
    session.tell(id="a", k=1)
    session.retract("a")
    assert session.activations() == []


# What the safe subset keeps away from


def test_a_join_on_id_sees_other_facts_ids() -> None:
    session = Session(joined({"f": {"p0": "id"}}))
    for number in range(5):
        session.tell(id=f"a{number}", k=1, g=1)
    for number in range(5):
        session.tell(id=f"b{number}", k=2, f=f"a{number}", g=1)
    assert len(session.activations()) < 5


def test_a_false_last_test_kills_the_process_and_a_guard_after_it_does_not() -> None:
    code = """
def board(guard, count):
    tests = [{"f": {"p0": "f"}}, {"$neq": {"c": {"p0": "c"}}}, *guard]
    pairs = {n: [{"p0": {"k": f"a{n}"}}, {"p1": {"$and": [{"k": f"b{n}"}, *tests]}}] for n in range(count)}
    session = Session({f"r{n}": {"all": pair} for n, pair in pairs.items()})
    for n in range(count):
        session.tell(id=f"a{n}", k=f"a{n}", f=1, c=1, g=1)
        session.tell(id=f"b{n}", k=f"b{n}", f=1, c=1, g=1)
"""
    assert -11 in [ends(code + f"board([], {count})") for count in (100, 150, 200)]
    assert ends(code + "board([{'g': {'p0': 'g'}}], 200)") == 0


def test_an_unknown_alias_is_ignored_or_fails_when_a_fact_comes() -> None:
    session = Session(rule({"$and": [{"k": 1}, {"f": {"nobody": "h"}}]}))
    session.tell(id="a", k=1, f=3)
    assert session.activations() == [("r", "a")]
    session = Session(joined({"$neq": {"f": {"nobody": "h"}}}))
    session.tell(id="a", k=1, g=1)
    with pytest.raises(extension.error, match="error code: 305"):
        session.tell(id="b", k=2, f=1, g=1)


@pytest.mark.parametrize(("constant", "value"), [(1, True), (True, 1), (1, 1.0)])
def test_a_constant_matches_values_of_other_types(constant, value) -> None:
    session = Session(rule({"k": constant}))
    session.tell(id="a", k=value)
    assert session.activations() == [("r", "a")]


def test_a_join_takes_a_number_and_its_numeral_for_the_same() -> None:
    assert second_of({"f": {"p0": "h"}}, 3, "3", 4) == [3, "3"]


def test_a_text_that_begins_with_another_may_be_less_than_it() -> None:
    assert second_of({"$lt": {"f": {"p0": "h"}}}, "b!", "ba", other="b") == ["b!"]


def test_a_join_on_a_missing_field_is_error_311() -> None:
    session = Session(joined({"$neq": {"f": {"p0": "h"}}}))
    session.tell(id="a", k=1, g=1)
    with pytest.raises(extension.error, match="error code: 311"):
        session.tell(id="b", k=2, f=1, g=1)


def test_a_number_with_an_exponent_drops_the_rest_of_a_batch() -> None:
    session = Session(rule({"k": 1}))
    batch = '[{"id":"a","k":1},{"id":"b","k":1,"v":1e16},{"id":"c","k":1}]'
    code, session.state = extension.assert_facts(session.handle, batch)
    assert (code, session.activations()) == (0, [("r", "a")])


def test_two_ids_with_one_hash_are_one_fact() -> None:
    session = Session(rule({"k": 1}))
    assert [session.tell(id="u31992", k=1), session.tell(id="u605430", k=1)] == [0, 2]
    assert session.activations() == [("r", "u31992")]


def hash_of(text):
    """FNV-1a, 32 bits."""
    value = 0x811C9DC5
    for byte in text.encode():
        value = ((value ^ byte) * 0x01000193) & 0xFFFFFFFF
    return value


def test_no_two_names_that_the_network_uses_have_one_hash() -> None:
    ids = [
        *(str(number) for number in range(10_001)),
        *(f"{letter}{number}" for letter in "vw" for number in range(2000)),
        "warm",
        "sid-0",
    ]
    properties = [
        "id",
        "sid",
        "g",
        "$s",
        "warm",
        *(f"k{number}" for number in range(2000)),
        *(f"f{number}" for number in range(256)),
    ]
    assert len({hash_of(text) for text in ids}) == len(ids)
    assert len({hash_of(text) for text in properties}) == len(properties)
    assert hash_of("u31992") == hash_of("u605430")


def test_a_fact_that_no_pattern_takes_is_dropped() -> None:
    session = Session(rule({"k": 1}))
    assert session.tell(id="a", k=2) == 1
    assert json.loads(extension.get_facts(session.handle, "0")) == []


def test_a_retraction_while_an_activation_waits_may_lose_that_activation() -> None:
    session = Session(joined({"f": {"p0": "h"}}))
    session.tell(id="a", k=1, h=3, g=1)
    session.tell(id="b", k=2, f=3, g=1)
    assert session.activations() == [("r", "a", "b")]
    session.tell(id="c", k=1, h=4, g=1)
    session.tell(id="d", k=2, f=4, g=1)
    session.retract("a")
    assert session.activations() == [], "(c, d) is right, and was waiting where (a, b) had waited"


def test_no_facts_kill_the_process_through_a_host_and_an_empty_one_through_the_extension() -> None:
    assert ends("Quiet({'t': {'r': {'all': [{'m': {'k': 1}}], 'run': lambda c: None}}}).assert_facts('t', [])") == -11
    assert ends("extension.assert_facts(Session(rule({'k': 1})).handle, '[{}]')") == -11


def test_deleting_a_session_in_which_no_action_has_run_kills_the_process() -> None:
    code = """
for number in range(2):
    session = Session(rule({"k": 1}))
    session.tell(id="a", k=1)
    used = [b"\\xff" * (4000 + n * 8) for n in range(600)]
    del used
run and session.activations()
extension.delete_state(session.handle, "0")
"""
    assert ends("run = False" + code) == -11
    assert ends("run = True" + code) == 0


def test_dividing_by_zero_kills_the_process() -> None:
    code = """
session = Session(joined({"f": {"$div": {"$l": {"p0": "h"}, "$r": {"p0": "z"}}}}))
session.tell(id="a", k=1, h=3, z=0, g=1)
session.tell(id="b", k=2, f=1, g=1)
"""
    assert ends(code) == -8


# Hosts and actions, which are not used


def test_a_host_starts_two_threads() -> None:
    assert ends("before = threading.active_count(); Host({'t': {}}); sys.exit(threading.active_count() - before)") == 2


def test_a_fact_that_nobody_takes_leaves_the_agenda_of_a_batch_unrun() -> None:
    seen = []
    host, name = hosted(lambda c: seen.append(c.m.id))
    with pytest.raises(MessageNotHandledException):
        host.assert_facts(name, [{"id": "a", "k": 1}, {"id": "b", "k": 2}])
    assert seen == []


def test_even_an_interrupt_is_swallowed_in_an_action() -> None:
    def interrupted(_):
        raise KeyboardInterrupt

    host, name = hosted(interrupted)
    assert "exception" in host.assert_fact(name, {"id": "a", "k": 1})


def test_an_action_of_two_parameters_is_taken_for_asynchronous() -> None:
    later = []

    def action(_, complete):
        later.append(complete)

    host, name = hosted(action)
    host.assert_fact(name, {"id": "a", "k": 1})
    host.assert_fact(name, {"id": "b", "k": 1})
    assert len(later) == 1, "the second waits until the first has called back"


def test_an_action_that_takes_ten_seconds_locks_its_session(monkeypatch) -> None:
    clock, seen = [0.0], []

    def slow(c):
        seen.append(c.m.id)
        clock[0] += 11

    monkeypatch.setattr(engine, "_unix_now", lambda: clock[0])
    host, name = hosted(slow)
    host.assert_fact(name, {"id": "a", "k": 1})
    host.assert_fact(name, {"id": "b", "k": 1})
    assert seen == ["a"]


def test_definitions_handed_to_a_host_are_changed() -> None:
    definitions = {"r": {"all": [{"m": {"k": 1}}], "run": lambda _: None}}
    Quiet({next(names): definitions})
    assert "run" not in definitions["r"]


@pytest.mark.skipif(sys.version_info < (3, 12), reason="the function was deprecated in 3.12")
def test_a_host_warns_of_a_deprecated_clock_at_every_action() -> None:
    host, name = hosted(lambda _: None)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        host.assert_fact(name, {"id": "a", "k": 1})
    assert "utcfromtimestamp" in str(caught[0].message)


# Limits


def beginning_alike(count):
    limits = [{"$and": [{"k": f"limit-{number}"}, {"f": {"p0": "h"}}, {"g": {"p0": "g"}}]} for number in range(count)]
    session = Session({f"r{number}": {"all": [{"p0": {"k": "unit"}}, {"p1": limit}]} for number, limit in enumerate(limits)})
    session.tell(id="a", k="unit", h=3, g=1)
    session.tell(id="b", k="limit-7", f=3, g=1)
    return session.activations()


def test_two_hundred_rules_may_begin_with_one_pattern_and_three_hundred_are_error_108() -> None:
    assert beginning_alike(200) == [("r7", "a", "b")]
    with pytest.raises(extension.error, match="error code: 108"):
        beginning_alike(300)


def joining_one_kind(count):
    last = {"$and": [{"k": "unit"}, {"f": {"p0": "h"}}, {"g": {"p0": "g"}}]}
    session = Session({f"r{number}": {"all": [{"p0": {"k": f"first-{number}"}}, {"p1": last}]} for number in range(count)})
    session.tell(id="a", k="first-7", h=3, g=1)
    session.tell(id="b", k="unit", f=3, g=1)
    return session.activations()


def test_sixty_four_patterns_may_be_joined_over_one_kind_and_one_more_is_error_303_when_a_fact_comes() -> None:
    assert joining_one_kind(64) == [("r7", "a", "b")]
    with pytest.raises(extension.error, match="error code: 303"):
        joining_one_kind(65)


def test_a_network_of_five_hundred_kinds_works_and_one_more_than_its_table_holds_never_ends() -> None:
    code = """
session = Session({f"r{n}": {"all": [{"p0": {"kind": n}}]} for n in range(%d)})
session.tell(id="a", kind=3)
assert session.activations() == [("r3", "a")]
"""
    assert ends(code % 505) == 0
    assert ends(code % 512, seconds=3) is None


def test_sixteen_patterns_in_a_rule_work_and_one_more_is_error_304() -> None:
    def row(count):
        session = Session(rule(*({"k": number} for number in range(count))))
        for number in range(count):
            session.tell(id=f"a{number}", k=number)
        return len(session.activations())

    assert row(16) == 1
    with pytest.raises(extension.error, match="error code: 304"):
        row(17)


def test_twenty_nine_tests_in_a_pattern_work_and_one_more_is_error_113() -> None:
    assert second_of({"f": {"p0": "h"}}, 3) == [3]
    Session(joined(*[{"f": {"p0": "h"}}] * 28))
    with pytest.raises(extension.error, match="error code: 113"):
        Session(joined(*[{"f": {"p0": "h"}}] * 29))


def test_two_hundred_and_fifty_fields_work_and_two_more_are_error_302() -> None:
    session = Session(rule({"k": 1}))
    assert session.tell(id="a", k=1, **{f"f{number}": number for number in range(250)}) == 0
    with pytest.raises(extension.error, match="error code: 302"):
        session.tell(id="b", k=1, **{f"f{number}": number for number in range(252)})


def test_numbers_saturate_at_two_to_the_sixty_third() -> None:
    assert second_of({"f": {"p0": "h"}}, 2**63 + 5, 2**63 - 1, 2**63 - 2, other=2**63) == [2**63 + 5, 2**63 - 1]


def test_a_thousand_and_twenty_four_sessions_are_the_most() -> None:
    ruleset = Session(rule({"k": 1}))
    for number in range(1024):
        ruleset.tell(id="a", sid=f"s{number}", k=1)
    with pytest.raises(MemoryError):
        ruleset.tell(id="a", sid="one more", k=1)


def test_a_ruleset_leaks_its_session_unless_that_is_deleted_first() -> None:
    def grown(delete):
        before = psutil.Process().memory_info().rss
        for _ in range(200):
            session = Session({f"r{number}": {"all": [{"p0": {"k": number}}, {"p1": {"k": number + 1}}]} for number in range(10)})
            session.tell(id="a", k=1)
            session.tell(id="b", k=2)
            session.activations()
            if delete:
                extension.delete_state(session.handle, "0")
            extension.delete_ruleset(session.handle)
        return (psutil.Process().memory_info().rss - before) / 2**20

    assert grown(delete=False) > 10
    assert grown(delete=True) < 10


def test_nothing_here_has_left_a_thread() -> None:
    assert threading.active_count() == 1 or all(thread.daemon for thread in threading.enumerate()[1:])
