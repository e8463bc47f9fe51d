"""One mistake in a fixture is told once, with what was probably meant."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.scenario.conftest import Load, told

FIXTURE = """\
scenario: tried
ruleset: lamps
mode: evening
given:
  players: {ada: {}, benn: {}}
  turn: {player: ada}
  rooms: {hall: {}, attic: {owner: benn}}
  lamps:
    candle: {owner: ada, at: hall, watts: 5, lit: false}
    bulb: {owner: benn, at: attic, lit: true, colours: [red]}
  stack:
    - evening: {}
      step: watch
when:
  - light: {lamp: candle}
    refused: {reason: word}
  - rest: everyone
  - begin: {dim: {by: ada}}
  - choose: bulb
  - expect:
      lamp candle: {lit: true, at: not shelf, owner: ada or benn, colours: has red}
then:
  waiting: asked
  asked: benn
  fired: [a-lamp-is-lit]
  not_fired: [a-lamp-is-lit]
  events: [lit]
  room hall: {owner: none}
  no mark: {by: benn}
callouts:
  lamp bulb: it
"""
FREE = re.compile(r"scenario: |ruleset: |reason: |choose: |light: |bulb: it")


def misspelt() -> Iterator[tuple[str, str]]:
    """The fixture with one word misspelt in it, and which word it was."""
    for found in re.finditer(r"[A-Za-z][\w-]{2,}", FIXTURE):
        line = FIXTURE[FIXTURE.rfind("\n", 0, found.start()) + 1 : found.end()]
        word, middle = found.group(), len(found.group()) // 2
        if not FREE.search(line):
            yield (
                FIXTURE[: found.start()] + word[:middle] + word[middle + 1 :] + FIXTURE[found.end() :],
                f"{found.start()} {word}",
            )


def test_the_fixture_can_be_read(load: Load) -> None:
    assert told(load(FIXTURE)) == []


@pytest.mark.parametrize("text", [pytest.param(text, id=word) for text, word in misspelt()])
def test_a_misspelt_word_is_one_mistake_with_what_was_meant(load: Load, text: str) -> None:
    (said,) = told(load(text))
    assert "did you mean" in said
