"""Proofs of a small game: what is covered, what is found, and that neither hangs on who does the work."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from riftrules.analysis.proof.agreement import Agreement
from riftrules.analysis.proof.exploring import Explorer
from riftrules.analysis.proof.findings import Batch, Node
from riftrules.analysis.proof.journal import Journal, digest
from riftrules.analysis.proof.proving import Limits, Progress, Proof, Proving
from riftrules.analysis.proof.setup import Setup
from riftrules.analysis.proof.shrinking import counterexample
from riftrules.language.model import Ruleset
from riftrules.scenario.opening import play
from riftrules.scenario.workers import crew
from tests.analysis.proof.pebbles import ENDLESS, IMPOSSIBLE, SOUND, TEMPLATES, UNDECIDED, WITHOUT_LOSS, folder_of, pebbles


def proved(ruleset: Ruleset, scope: str = "small", limits: Limits | None = None) -> Proof:
    return Proving(ruleset, ruleset.scopes[scope]).run(limits)


def told(proof: Proof) -> Proof:
    """All that must be the same whenever it is proved again."""
    return replace(proof, seconds=0.0, resumed=0)


def test_a_sound_game_is_proved_for_runs_of_any_length(tmp_path: Path) -> None:
    proof = proved(pebbles(tmp_path))
    assert proof.proved
    assert proof.closed
    assert proof.findings == ()
    assert proof.unfired == ()
    assert (proof.boards, proof.states, proof.transitions, proof.depth) == (1, 7, 30, 3)
    assert proof.compared == proof.states


def test_a_proof_up_to_a_depth_says_that_it_is_not_closed(tmp_path: Path) -> None:
    ruleset = pebbles(tmp_path)
    proof = Proving(ruleset, replace(ruleset.scopes["small"], depth=2)).run()
    assert (proof.finished, proof.closed, proof.depth) == (True, False, 2)


def test_names_that_mean_nothing_make_no_states_of_their_own(tmp_path: Path) -> None:
    named = pebbles(tmp_path, templates=TEMPLATES.replace("symmetric: true, ", ""))
    assert proved(named).proved
    assert (proved(named).states, proved(pebbles(tmp_path)).states) == (18, 7)


@pytest.mark.parametrize(
    ("rules", "kind", "about"),
    [
        (WITHOUT_LOSS, "invariant", ("an-owner-has-a-pebble-there",)),
        (UNDECIDED, "confluence", ("whoever-is-first-owns-a-room",)),
        (ENDLESS, "termination", ("one-keeper-alone-owns-a-room", "owners-tire-of-their-rooms")),
        (IMPOSSIBLE, "failure", ("owners-pay",)),
    ],
)
def test_a_fault_is_found_and_its_fixture_fails_alone(
    tmp_path: Path, rules: tuple[str, ...], kind: str, about: tuple[str, ...]
) -> None:
    folder = folder_of(tmp_path, rules)
    ruleset = pebbles(tmp_path, rules)
    proving = Proving(ruleset, ruleset.scopes["crowded"])
    finding = next(one for one in proving.run(Limits(first=True)).findings if one.kind == kind)
    assert finding.about == about
    fixture = tmp_path / "found.yaml"
    fixture.write_text(counterexample(proving.setup, finding), encoding="utf-8")
    (run,) = play(fixture, ruleset=folder)
    assert run.verdict.status in {"failed", "error"}
    (mended,) = play(fixture, ruleset=folder_of(tmp_path / "sound", SOUND))
    assert mended.verdict.status == "passed"


def test_a_counterexample_is_as_small_as_can_be(tmp_path: Path) -> None:
    ruleset = pebbles(tmp_path, UNDECIDED)
    proving = Proving(ruleset, ruleset.scopes["crowded"])
    (finding,) = proving.run().findings
    assert counterexample(proving.setup, finding) == (
        "scenario: the order of two activations of 'whoever-is-first-owns-a-room' decides what comes of it\n"
        "ruleset: pebbles\n"
        "note: found by a proof of the scope crowded\n"
        "any_order: true\n"
        "given:\n"
        "  keepers:\n"
        "    ann: {}\n"
        "    bob: {}\n"
        "  rooms:\n"
        "    attic: {}\n"
        "    hall: {}\n"
        "  pebbles:\n"
        "    a: {keeper: ann}\n"
        "    b: {keeper: ann, at: hall}\n"
        "    d: {keeper: bob, at: hall}\n"
        "  clock: {}\n"
        "when:\n"
        "  - carry: {by: ann, pebble: a, to: attic}\n"
        "then:\n"
        "  clock: {}\n"
    )


def test_the_same_is_found_however_many_work(tmp_path: Path) -> None:
    ruleset = pebbles(tmp_path, UNDECIDED)
    alone = told(proved(ruleset, "crowded"))
    assert alone.findings
    with crew(2) as workers:
        assert told(Proving(ruleset, ruleset.scopes["crowded"], workers=workers).run()) == alone


def test_the_reference_is_asked_and_a_difference_is_found(tmp_path: Path) -> None:
    ruleset = pebbles(tmp_path)
    explorer = Explorer(Setup("unlike", ruleset, ruleset.scopes["small"]))
    explorer.agreement = Agreement(replace(ruleset, rules=ruleset.rules[:-1]))
    found = explorer.expand(Batch((Node(0, (), 0),), ())).findings
    assert {one.kind for one in found} == {"agreement"}
    assert found[0].message == "engine and reference have other traces"


# ------------------------------------------------------------------------------------------------ vacuity


def test_an_invariant_has_a_witness_for_each_condition_that_matters(tmp_path: Path) -> None:
    proof = proved(pebbles(tmp_path))
    witnessed = {(one.invariant, one.left_out) for one, *_ in proof.witnesses}
    assert witnessed == {
        ("an-owner-has-a-pebble-there", "no: {pebble: {at: $r, keeper: $k}}"),
        ("nobody-has-ten-points", "points: at least 9 of keeper"),
    }
    assert proof.unwitnessed == ()


def test_an_invariant_about_what_never_is_has_no_witness(tmp_path: Path) -> None:
    ruleset = pebbles(tmp_path, (*SOUND[:2], *SOUND[3:]))  # nothing is dropped
    nobody = replace(ruleset.scopes["small"], requests=(), effects=())
    proof = Proving(ruleset, nobody).run()
    assert [one.invariant for one in proof.unwitnessed] == ["an-owner-has-a-pebble-there", "nobody-has-ten-points"]


# ------------------------------------------------------------------------------------------------ kept


def journal_of(folder: Path, ruleset: Ruleset, *, fresh: bool = False) -> Journal:
    scope = ruleset.scopes["small"]
    return Journal(folder / "kept.jsonl", digest(ruleset, scope, ""), fresh)


def interrupt(progress: Progress) -> None:
    if progress.level == 3:
        raise KeyboardInterrupt


def test_an_interrupted_proof_keeps_what_is_done_and_goes_on_from_there(tmp_path: Path) -> None:
    ruleset = pebbles(tmp_path)
    scope = ruleset.scopes["small"]
    journal = journal_of(tmp_path, ruleset)
    begun = Proving(ruleset, scope, keeper=journal).run(told=interrupt)
    assert not begun.finished
    assert begun.depth == 2
    proof = Proving(ruleset, scope, keeper=journal_of(tmp_path, ruleset)).run()
    assert proof.resumed == 3
    assert told(proof) == told(proved(ruleset))


def test_a_line_torn_when_the_process_was_stopped_is_done_again(tmp_path: Path) -> None:
    ruleset = pebbles(tmp_path)
    journal = journal_of(tmp_path, ruleset)
    Proving(ruleset, ruleset.scopes["small"], keeper=journal).run(told=interrupt)
    text = journal.path.read_text(encoding="utf-8")
    journal.path.write_text(text[:-40], encoding="utf-8")
    proof = Proving(ruleset, ruleset.scopes["small"], keeper=journal_of(tmp_path, ruleset)).run()
    assert proof.resumed == 2
    assert told(proof) == told(proved(ruleset))


DAMAGED = (b"\xff\n", b'{"level": 1, "batch": 0, "found": "AAAA"}\n', b'{"level": 1, "found": "AAAA"}\n', b'"x"\n', b"3\n")


@pytest.mark.parametrize("line", DAMAGED)
def test_a_damaged_line_is_done_again(tmp_path: Path, line: bytes) -> None:
    ruleset = pebbles(tmp_path)
    journal = journal_of(tmp_path, ruleset)
    Proving(ruleset, ruleset.scopes["small"], keeper=journal).run(told=interrupt)
    with journal.path.open("ab") as file:
        file.write(line)
    proof = Proving(ruleset, ruleset.scopes["small"], keeper=journal_of(tmp_path, ruleset)).run()
    assert told(proof) == told(proved(ruleset))


def test_what_other_rules_have_kept_is_not_gone_on_with(tmp_path: Path) -> None:
    ruleset, other = pebbles(tmp_path), pebbles(tmp_path / "other", UNDECIDED)
    journal = journal_of(tmp_path, ruleset)
    Proving(ruleset, ruleset.scopes["small"], keeper=journal).run(told=interrupt)
    assert Proving(other, other.scopes["small"], keeper=journal_of(tmp_path, other)).run().resumed == 0


def test_a_proof_out_of_time_is_not_finished(tmp_path: Path) -> None:
    proof = proved(pebbles(tmp_path), limits=Limits(seconds=0.0))
    assert (proof.finished, proof.proved) == (False, False)
