# ruff: noqa: E501 - messages are quoted whole
"""Fixtures are read strictly: each mistake with its place, words and hint, all of them at once."""

from __future__ import annotations

import pytest

from riftrules.facts.types import Call
from riftrules.scenario.model import Beginning, Choosing, Expecting, Requesting
from tests.scenario.conftest import BOARD, Load, told

END = "then: {fired: []}\n"


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("when: {light: {lamp: candle}}\n", ["f.yaml:10:7: error: `when`: a list belongs here [shape]"]),
        (
            "when: [lihgt: {lamp: candle}]\n",
            ["f.yaml:10:8: error: unknown key `lihgt` in `when` [unknown-key] — did you mean `light`?"],
        ),
        ("when: [sweep: {}]\n", ["f.yaml:10:8: error: `sweep` is not a request [unknown-request] — write `begin: {sweep: {…}}`"]),
        ("when: [light: {}]\n", ["f.yaml:10:15: error: `light` needs `lamp` [missing-field]"]),
        (
            "when: [light: {lmap: candle}]\n",
            [
                "f.yaml:10:16: error: `light` has no field `lmap` [unknown-field] — did you mean `lamp`?",
            ],
        ),
        (
            "when: [light: everyone]\n",
            ["f.yaml:10:15: error: `everyone` cannot say the fields of `light` [shape] — only a request without required fields"],
        ),
        (
            "when: [{light: {lamp: candle}, rest: {}}]\n",
            [
                "f.yaml:10:8: error: one item says one thing [shape] — begin each with its own `- `; beside a request only `refused` may stand"
            ],
        ),
        (
            "when: [begin: {swep: {}}]\n",
            ["f.yaml:10:16: error: `swep` is no procedure [unknown-procedure] — did you mean `sweep`?"],
        ),
        (
            "when: [begin: {dim: {by: adda}}]\n",
            ["f.yaml:10:26: error: `adda` names no player [unknown-fact] — did you mean `ada`?"],
        ),
        (
            "when: [{choose: bulb, refused: {rule: x}}]\n",
            ["f.yaml:10:32: error: `refused` stands beside a request [unknown-key]"],
        ),
        (
            "when: [{light: {lamp: candle}, refused: {}}]\n",
            ["f.yaml:10:41: error: `refused` says by what [missing-key] — `rule`, `rules`, `cites` or `reason`"],
        ),
        (
            "when: [{light: {lamp: candle}, refused: {rule: a-lamp-is-lit}}]\n",
            ["f.yaml:10:48: error: no rule that refuses is called `a-lamp-is-lit` [unknown-name]"],
        ),
        (
            'when: [{light: {lamp: candle}, refused: {cites: "1.9"}}]\n',
            ["f.yaml:10:41: error: the rulebook index has no number `1.9` [unknown-number] — did you mean `1.2`?"],
        ),
        ('cites: ["33"]\n', ["f.yaml:10:8: error: the rulebook index has no number `33` [unknown-number] — did you mean `3`?"]),
        ("mode: nigth\n", ["f.yaml:10:7: error: there is no mode `nigth` [unknown-mode] — did you mean `night`?"]),
        (
            "uses: boards/none.yaml\n",
            ["f.yaml:10:7: error: there is no board `boards/none.yaml` beside this file or above it [missing-file]"],
        ),
        ("skip:\n", ["f.yaml:10:6: error: `skip`: a text is missing here [shape]"]),
        ("lenient: yes\n", ["f.yaml:10:10: error: `lenient`: `true` or `false` belongs here [shape]"]),
        (
            "salience: 3\n",
            [
                "f.yaml:10:1: error: unknown key `salience` in a scenario [unknown-key] — `salience` stands beside `when` and `then`, in the rule itself; allowed here: `uses`, `ruleset`, `mode`, `says`, `note`, `given`, `scenario`, `id`, `cites`, `skip`, `lenient`, `any_order`, `callouts`, `when`, `then`"
            ],
        ),
    ],
)
def test_mistakes_in_what_is_done(load: Load, written: str, expected: list[str]) -> None:
    assert sorted(told(load(BOARD.lstrip() + written + END))) == sorted(expected)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("{lamp cndle: {lit: true}}", ["f.yaml:10:8: error: `cndle` names no lamp [unknown-fact] — did you mean `candle`?"]),
        (
            "{lampp candle: {lit: true}}",
            ["f.yaml:10:8: error: unknown key `lampp candle` in an expectation [unknown-key] — did you mean `lamp`?"],
        ),
        (
            "{lamps: {lit: true}}",
            ["f.yaml:10:8: error: `lamps` are given, each is expected by itself [unknown-key] — write `lamp NAME: {…}`"],
        ),
        (
            "{lit: {lamp: candle}}",
            ["f.yaml:10:8: error: `lit` is an event, not a fact [unknown-key] — expect it under `events: [lit]`"],
        ),
        ("{lamp candle: {lid: true}}", ["f.yaml:10:22: error: `lamp` has no field `lid` [unknown-field] — did you mean `lit`?"]),
        ("{lamp candle: {at: atic}}", ["f.yaml:10:26: error: `atic` names no room [unknown-fact] — did you mean `attic`?"]),
        (
            "{lamp candle: {at: not atic or shelf}}",
            ["f.yaml:10:26: error: `atic` names no room [unknown-fact] — did you mean `attic`?"],
        ),
        ("{lamp candle: {watts: 10 or ten}}", ["f.yaml:10:29: error: `ten` is not a whole number [test]"]),
        ("{lamp candle: {owner: $p}}", ["f.yaml:10:29: error: a variable or a sum cannot stand in an expectation [test]"]),
        (
            "{lamp candle: {colours: has rde}}",
            ["f.yaml:10:31: error: `rde` is none of `red`, `green`, `blue` [test] — did you mean `red`?"],
        ),
        (
            "{lamp candle: lit}",
            ["f.yaml:10:21: error: what is expected of `lamp` is written as fields with tests: `{field: test}` [shape]"],
        ),
        (
            "{waiting: nobody}",
            [
                "f.yaml:10:17: error: a session never waits as `nobody` [unknown-word] — known here: `asked`, `choosing`, `idle`, `over`"
            ],
        ),
        ("{asked: adda}", ["f.yaml:10:15: error: `adda` names no fact given [unknown-fact] — did you mean `ada`?"]),
        (
            "{fired: [broken-lamps-stay-dark]}",
            [
                "f.yaml:10:16: error: `broken-lamps-stay-dark` refuses requests: it never fires [unknown-name] — write `refused: {rule: broken-lamps-stay-dark}` beside the request"
            ],
        ),
        (
            "{not_fired: [ask-who-has-not-had-enough]}",
            [
                "f.yaml:10:20: error: `ask-who-has-not-had-enough` asks a player: it never fires [unknown-name] — expect `asked: PLAYER`"
            ],
        ),
        ("{events: [lid]}", ["f.yaml:10:17: error: no event is called `lid` [unknown-name] — did you mean `lit`?"]),
        ("{fired: {a-lamp-is-lit: often}}", ["f.yaml:10:31: error: how often is a whole number [type]"]),
        (
            "{fird: [a-lamp-is-lit]}",
            ["f.yaml:10:8: error: unknown key `fird` in an expectation [unknown-key] — did you mean `fired`?"],
        ),
        ("[lamp candle]", ["f.yaml:10:7: error: `then`: keys with values belong here [shape]"]),
    ],
)
def test_mistakes_in_what_is_expected(load: Load, written: str, expected: list[str]) -> None:
    found = told(load(BOARD.lstrip() + f"then: {written}\n"))
    assert found == expected


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("lmps: {}", ["f.yaml:3:4: error: unknown key `lmps` in `given` [unknown-key] — did you mean `lamps`?"]),
        ("lamps: {x: {}}", ["f.yaml:3:12: error: lamp `x` needs `owner` [missing-field]"]),
        ("turn: {}", ["f.yaml:3:4: error: turn needs `player` [missing-field]"]),
        ("players: [ada]", ["f.yaml:3:14: error: the fields of a player belong here: `{field: value}` [shape]"]),
        ("players: ada", ["f.yaml:3:13: error: each player is given by its id: `NAME: {…}`, or as a list of fields [shape]"]),
        (
            "players: {ada: {points: 3}}",
            ["f.yaml:3:20: error: `player` has no field `points` [unknown-field] — known here: `score`, `seat`"],
        ),
        ("players: {ada: {score: -1}}", ["f.yaml:3:27: error: -1 is less than 0 [type]"]),
        ("rooms: {shelf: {}}", ["f.yaml:3:12: error: a room cannot be called `shelf`: the word means something else [reserved]"]),
        ("rooms: {none: {}}", ["f.yaml:3:12: error: a room cannot be called `none`: the word means something else [reserved]"]),
        (
            "rooms: [{id: a}, {id: a}]",
            ["f.yaml:3:26: error: room `a` is given twice: it stands at f.yaml:3:17 already [doubled-id] — name them apart"],
        ),
        (
            "{players: {a: {}}, rooms: {r: {}}, marks: {m: {by: a, at: r}}}",
            ["f.yaml:3:45: error: a mark is known by `by`, `at`, not by a name [shape] — write a list: `[{…}]`"],
        ),
        (
            "{players: {a: {}}, rooms: {r: {}}, marks: [{by: a, at: r}, {by: a, at: r}]}",
            ["f.yaml:3:62: error: there is a mark with the same `by`, `at` already [doubled-id]"],
        ),
        ("stack: {evening: {}}", ["f.yaml:3:11: error: the stack is a list of procedures, the lowest first [shape]"]),
        (
            "stack: [evening: {}]",
            [
                "f.yaml:3:12: error: `evening` on the stack needs one of its steps beside it, as `step` [unknown-step] — known here: `settled`, `watch`"
            ],
        ),
        (
            "stack: [{evning: {}, step: watch}]",
            ["f.yaml:3:13: error: `evning` is no procedure [unknown-procedure] — did you mean `evening`?"],
        ),
        ("settings: {goal: none}", ["f.yaml:3:21: error: `none` is not possible here: the field is not optional [type]"]),
    ],
)
def test_mistakes_in_what_is_given(load: Load, given: str, expected: list[str]) -> None:
    board = given if given.startswith("{") else f"{{{given}}}"
    text = f"scenario: given\ngiven:\n  {board}\nthen: {{fired: []}}\n"
    assert told(load(text)) == expected


def test_every_problem_of_a_fixture_is_told_at_once(load: Load) -> None:
    found = told(load("scenario: many\ngiven: {lmps: {}, rooms: {none: {}}}\nwhen: [lihgt: {}]\nthen: {fired: [x]}\n"))
    assert [line.split(": ")[0] for line in found] == ["f.yaml:2:9", "f.yaml:2:27", "f.yaml:3:8", "f.yaml:4:16"]


def test_a_file_that_is_no_fixture_is_told(load: Load) -> None:
    assert told(load("- a\n")) == ["f.yaml:1:1: error: a fixture is written as keys with values [shape]"]
    assert told(load("")) == ["f.yaml:1:1: error: nothing is in this file [empty-file] — write the document, or delete the file"]
    assert told(load("then: {}\n")) == ["f.yaml:1:1: error: a scenario needs the key `scenario` [missing-key]"]
    assert told(load("scenarios: []\n")) == ["f.yaml:1:12: error: there is no scenario in this list [shape]"]


def test_items_are_read_as_what_they_are(load: Load) -> None:
    (one,) = load(
        BOARD
        + """
when:
  - light: {lamp: candle}
  - rest
  - rest: everyone
  - begin: sweep
  - begin: [{dim: {by: ada}}, sweep]
  - choose: bulb
  - expect: {lamp candle: {lit: true}}
then: {fired: [a-lamp-is-lit]}
"""
    )
    assert one.scenario is not None
    light, rest, everyone, sweep, two, choose, expect = one.scenario.items
    assert isinstance(light, Requesting)
    assert (light.procedure, light.fields) == ("light", (("lamp", "candle"),))
    assert isinstance(rest, Requesting)
    assert (rest.procedure, rest.everyone) == ("rest", False)
    assert isinstance(everyone, Requesting)
    assert everyone.everyone
    assert isinstance(sweep, Beginning)
    assert sweep.calls == (Call("sweep"),)
    assert isinstance(two, Beginning)
    assert two.calls == (Call("dim", (("by", "ada"),)), Call("sweep"))
    assert isinstance(choose, Choosing)
    assert isinstance(expect, Expecting)


def test_what_stands_beside_scenarios_is_shared_and_may_be_written_over(load: Load) -> None:
    shared, own = load(
        """
        mode: night
        cites: ["1"]
        given:
          players: {ada: {score: 1}}
          rooms: {hall: {}}
        scenarios:
          - scenario: shared
            then: {fired: []}
          - scenario: own
            mode: evening
            cites: ["2"]
            given: {players: {ada: {score: 2}, ben: {}}}
            then: {fired: []}
        """
    )
    assert told((shared, own)) == []
    assert shared.scenario is not None
    assert own.scenario is not None
    assert [(one.mode, one.cites) for one in (shared.scenario, own.scenario)] == [("night", ("1",)), ("evening", ("2",))]
    scores = [
        {fact.id: fact.values["score"] for fact in one.facts if fact.template == "player"}
        for one in (shared.scenario, own.scenario)
    ]
    assert scores == [{"ada": 1}, {"ada": 2, "ben": 0}]
