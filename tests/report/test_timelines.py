"""A run as stops, and recorded boards."""

from __future__ import annotations

from riftrules.facts.memory import Fact
from riftrules.report.timeline import stops_of
from riftrules.scenario.recording import Recording
from tests.report.conftest import Record

LIGHT = """
scenario: a lamp is lit
when:
  - light: {lamp: wreck}
    refused: {rule: broken-lamps-stay-dark}
  - expect: {fired: []}
  - light: {lamp: beacon}
  - begin: {dim: {by: ada}}
  - choose: bulb
then:
  player ada: {score: 7}
"""


def recorded(record: Record, text: str = LIGHT) -> Recording:
    (found,) = record(text)
    assert isinstance(found, Recording)
    return found


def test_every_thing_that_happened_is_a_stop_with_a_key_for_links(record: Record) -> None:
    stops = stops_of(recorded(record))
    assert [(stop.kind, stop.key) for stop in stops] == [
        ("start", "0"),
        ("refused", "0.1"),
        ("expect", "0.2"),
        ("request", "0.3"),
        ("firing", "1"),
        ("firing", "2"),
        ("firing", "3"),
        ("begin", "3.1"),
        ("choice", "3.2"),
        ("firing", "4"),
        ("firing", "5"),
        ("end", "end"),
    ]


def test_a_stop_says_what_was_waited_for_and_what_was_not_as_expected(record: Record) -> None:
    stops = stops_of(recorded(record))
    waiting = {stop.key: stop.waiting.kind for stop in stops if stop.waiting}
    assert waiting == {"0.1": "idle", "0.2": "idle", "3": "idle", "3.1": "choosing", "5": "idle", "end": "idle"}
    assert [(stop.key, [one.path for one in stop.differences]) for stop in stops if stop.differences] == [
        ("end", ["player ada.score"])
    ]


def test_the_board_at_each_stop_is_as_it_was_then(record: Record) -> None:
    recording = recorded(record)
    stops = stops_of(recording)
    boards = []
    for stop, memory in zip(stops, recording.boards([stop.writes for stop in stops]), strict=True):
        beacon, bulb = memory.get("lamp", "beacon"), memory.get("lamp", "bulb")
        assert beacon is not None
        assert bulb is not None
        boards.append((stop.key, beacon.values["lit"], bulb.values["lit"]))
    before, after = ("0", "0.1", "0.2", "0.3"), ("1", "2", "3", "3.1", "3.2")
    assert boards == [
        *((key, False, True) for key in before),
        *((key, True, True) for key in after),
        ("4", True, False),
        ("5", True, False),
        ("end", True, False),
    ]


def test_a_recording_begins_with_what_was_given_and_ends_with_what_is_left(record: Record) -> None:
    recording = recorded(record)
    given, last = ([*memory] for memory in _snapshots(recording, [recording.given, len(recording.writes)]))
    assert given == list(recording.run.before)
    assert last == list(recording.run.after)


def test_frames_stand_on_recorded_boards_while_they_last(record: Record) -> None:
    recording = recorded(
        record,
        "scenario: rests\ngiven: {stack: [{evening: {}, step: watch}]}\nwhen:\n  - rest: everyone\nthen: {waiting: idle}\n",
    )
    stops = stops_of(recording)
    there = [len(memory.all("evening")) for memory in recording.boards([stop.writes for stop in stops])]
    assert there[0] == 1
    assert there[-1] == 0
    assert recording.run.verdict.status == "passed"


def test_a_run_that_could_not_be_opened_shows_what_was_given(record: Record) -> None:
    recording = recorded(record)
    alone = Recording(recording.run)
    (board,) = _snapshots(alone, [0])
    assert board == list(recording.run.before)


def _snapshots(recording: Recording, stops: list[int]) -> list[list[Fact]]:
    return [list(memory) for memory in recording.boards(stops)]
