"""`any_order: true`: the board at the end may not hang on the last tie-breaks."""

from __future__ import annotations

from pathlib import Path

from riftrules.scenario.model import Verdict
from riftrules.scenario.opening import play
from tests.analysis.proof.pebbles import SOUND, UNDECIDED, folder_of

SCENARIO = """\
scenario: two keepers come to have a pebble each in a room that nobody owns
ruleset: pebbles
any_order: true
given:
  keepers: {ann: {}, bob: {}}
  rooms: {hall: {}, attic: {}}
  pebbles: {a: {keeper: ann, at: hall}, b: {keeper: bob, at: hall}, c: {keeper: ann}}
  clock: {}
when:
  - carry: {by: ann, pebble: c, to: attic}
then:
  pebble c: {at: attic}
"""


def judged(root: Path, rules: tuple[str, ...], scenario: str = SCENARIO) -> Verdict:
    folder = folder_of(root, rules)
    fixture = root / "tied.yaml"
    fixture.write_text(scenario, encoding="utf-8")
    (run,) = play(fixture, ruleset=folder)
    return run.verdict


def test_a_board_that_hangs_on_the_order_fails_with_what_hangs_on_it(tmp_path: Path) -> None:
    verdict = judged(tmp_path, UNDECIDED)
    assert verdict.status == "failed"
    (difference, *_) = verdict.differences
    assert (difference.path, difference.expected, difference.actual, difference.note) == (
        "any order",
        "the same board whatever goes first",
        "the order of two activations of `whoever-is-first-owns-a-room` decides: room hall.owner is ann or bob",
        "say which goes first, with `salience` or `choose`, or make them independent",
    )


def test_a_board_that_does_not_hang_on_it_passes(tmp_path: Path) -> None:
    assert judged(tmp_path, SOUND).status == "passed"


def test_without_the_key_nobody_asks(tmp_path: Path) -> None:
    assert judged(tmp_path, UNDECIDED, SCENARIO.replace("any_order: true\n", "")).status == "passed"
