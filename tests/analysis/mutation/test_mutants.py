"""Mutants: edits as data, the scenarios they concern, and what tells them from the rules."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from riftrules.analysis.comparing.bare import bare
from riftrules.analysis.mutation.concerning import Concerns
from riftrules.analysis.mutation.journal import Journal
from riftrules.analysis.mutation.laboratory import Judged, Laboratory, Setup
from riftrules.analysis.mutation.mutants import mutants_of, mutated, with_part
from riftrules.analysis.mutation.running import MutationRun, Orders, laboratory
from riftrules.analysis.mutation.scenes import Outcome, Stage, Stand
from riftrules.analysis.mutation.witness import witness
from riftrules.facts.trace import Waiting
from riftrules.language.loader import load_ruleset
from riftrules.language.model import Rule
from riftrules.scenario.files import Catalogue, find_fixtures
from riftrules.scenario.loading import load_file
from riftrules.scenario.playing import play
from riftrules.scenario.session import opener

HERE = Path(__file__).parents[2]
LAMPS = Setup(find_fixtures([HERE / "fixtures" / "lamps"]).files, HERE / "rulesets" / "lamps")
GAME = HERE.parent


@cache
def riftbound() -> Laboratory:
    """A laboratory with a few scenarios of the game."""
    files = find_fixtures([GAME / "fixtures" / "riftbound" / "details" / "chain.yaml"]).files
    return laboratory(Setup(files, GAME / "rulesets" / "riftbound"))


def test_every_edit_has_a_name_of_its_own() -> None:
    names = [mutant.name for mutant in mutants_of(load_ruleset(LAMPS.folder))]
    assert len(names) == len(set(names))


def test_every_edit_of_a_rule_is_another_rule() -> None:
    ruleset = load_ruleset(GAME / "rulesets" / "riftbound")
    for mutant in mutants_of(ruleset):
        if isinstance(mutant.part, Rule):
            assert bare(mutant.part) != bare(ruleset.rule(mutant.rule)), mutant.name


def test_the_kinds_of_edit_are_all_made() -> None:
    operators = {mutant.operator for mutant in mutants_of(load_ruleset(GAME / "rulesets" / "riftbound"))}
    assert operators >= {
        "drop the rule",
        "drop a condition",
        "drop a test",
        "turn a condition round",
        "turn a test round",
        "shift a comparison",
        "drop a consequent",
        "swap variables",
        "read the twin field",
        "another step",
        "another salience",
        "another choice",
        "begin or due",
        "drop `within`",
        "together",
        "repeat",
        "yields",
        "swap steps",
        "drop what follows",
    }


def test_a_rule_that_refuses_what_nothing_binds_is_no_mutant() -> None:
    here = riftbound()
    name = "rule no-move-during-a-showdown: drop a condition: without `move $m: {}`"
    number = next(at for at, mutant in enumerate(here.mutants) if mutant.name == name)
    assert mutated(here.mutants[number], here.program) is None
    assert here.judge(number, [(0, 1)])[0].status == "broken"


def test_an_edited_rule_is_compiled_alone_to_what_the_whole_ruleset_gives() -> None:
    here = riftbound()
    scenario = here.scenarios[0]
    rules = [mutant for mutant in here.mutants if isinstance(mutant.part, Rule)]
    for mutant in random.Random(1).sample(rules, 12):
        program = mutated(mutant, here.program)
        if program is None:
            continue
        edited = with_part(here.ruleset, program.ruleset.rule(mutant.rule))
        quick = Stage(program).play(scenario)
        slow = play(scenario, edited, opener("reference"))
        assert (quick.verdict.status, quick.trace.lines()) == (slow.verdict.status, slow.trace.lines()), mutant.name


@pytest.mark.parametrize("make", [lambda: laboratory(LAMPS), riftbound], ids=["lamps", "riftbound"])
def test_a_scenario_that_a_mutant_does_not_concern_comes_out_the_same(make: object) -> None:
    here: Laboratory = make()  # type: ignore[operator]
    numbers = frozenset(range(len(here.mutants)))
    scenes = [scene for place in range(len(here.scenarios)) if (scene := here.scan(place, numbers)) is not None]
    orders = Orders(here, scenes, Concerns(here.ruleset))
    chosen = [number for number in numbers if mutated(here.mutants[number], here.program) is not None]
    for number in random.Random(2).sample(chosen, min(len(chosen), 60)):
        concerned = {place for place, _ in orders.order(number)}
        program = mutated(here.mutants[number], here.program)
        assert program is not None
        for scene in scenes:
            if scene.place not in concerned:
                scenario = here.scenarios[scene.place]
                own, other = Stage(here.program), Stage(program)
                same = own.outcome(own.play(scenario)) == other.outcome(other.play(scenario, 1000))
                assert same, (here.mutants[number].name, scenario.name)


def test_what_tells_a_mutant_from_the_rules_is_a_fixture_that_does(tmp_path: Path) -> None:
    here = laboratory(LAMPS)
    number = next(
        at for at, mutant in enumerate(here.mutants) if mutant.name == "rule the-first-light-owns: drop the rule: without it"
    )
    scenario = next(one for one in here.scenarios if one.id == "L-1")
    program = mutated(here.mutants[number], here.program)
    assert program is not None
    own, other = Stage(here.program), Stage(program)
    run = own.play(scenario)
    found = witness("a lit room has an owner", run, own.outcome(run), other.outcome(other.play(scenario)), here.ruleset)
    written = tmp_path / "found.yaml"
    written.write_text(found.text, encoding="utf-8")
    catalogue = Catalogue()
    catalogue.override = LAMPS.folder
    catalogue.loaded[LAMPS.folder.resolve()] = here.ruleset
    (loaded,) = load_file(written, catalogue).scenarios
    assert loaded.scenario is not None, loaded.problems
    assert own.play(loaded.scenario).verdict.status == "passed"
    assert other.play(loaded.scenario).verdict.status == "failed"


def test_a_frame_that_only_the_mutant_has_is_expected_not_to_be_there() -> None:
    here = laboratory(LAMPS)
    run = Stage(here.program).play(next(one for one in here.scenarios if one.id == "L-1"))
    idle = Waiting("idle")
    own = Stand(frozenset(), idle, None, frozenset())
    two = replace(own, facts=frozenset({(("dim", "1"), ()), (("dim", "2"), ())}))
    found = witness(
        "nothing is dimmed", run, Outcome(error=False, stands=(own,)), Outcome(error=False, stands=(two,)), here.ruleset
    )
    assert found.text.endswith("then:\n  no dim: {}\n")


def test_in_which_pass_a_session_waits_no_scenario_can_ask() -> None:
    files = find_fixtures([GAME / "fixtures" / "riftbound" / "derived" / "section-11.yaml"]).files
    here = laboratory(Setup(files, GAME / "rulesets" / "riftbound"))
    named = "procedure game-turn: repeat: repeated until stable"
    program = mutated(next(mutant for mutant in here.mutants if mutant.name == named), here.program)
    assert program is not None
    own, other = Stage(here.program), Stage(program)
    runs = [(own.play(one), other.play(one)) for one in here.scenarios]
    passes = [[[moment.waiting.pass_number for moment in run.moments] for run in both] for both in runs]
    assert any(one != two for one, two in passes)
    assert all(own.outcome(own.play(one)) == other.outcome(other.play(one)) for one in here.scenarios)


def test_a_run_tells_how_far_it_is() -> None:
    told: list[tuple[str, int, int]] = []
    report = MutationRun(
        LAMPS, lambda mutant: mutant.rule == "a-lamp-is-lit", progress=lambda what, done, of: told.append((what, done, of))
    ).run()
    assert list(dict.fromkeys(one for one, _, _ in told)) == ["scenarios", "mutants", "boards"]
    assert told[-1] == ("boards", report.scenarios, report.scenarios)


DAMAGED = (b"\xff\n", b"3\n", b"null\n", b'"x"\n', b'{"name": "a", "status": "zork"}\n', b'{"name": "a"}\n')


@pytest.mark.parametrize("line", DAMAGED)
def test_a_damaged_line_of_a_journal_is_left_out(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "kept.jsonl"
    Journal(path).note(Judged("b", "killed", by="somewhere"))
    with path.open("ab") as file:
        file.write(line)
    kept = Journal(path)
    assert kept.known("a") is None
    assert kept.known("b") == Judged("b", "killed", by="somewhere")
