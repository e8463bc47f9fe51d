"""Everything one process needs to judge mutants: the scenarios, the rules compiled, the mutants themselves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from riftrules.analysis.considering import Changes, ConsideringSession
from riftrules.analysis.mutation.concerning import Concerns
from riftrules.analysis.mutation.infecting import Infection, Suspects, suspects_of
from riftrules.analysis.mutation.mutants import mutants_of, mutated
from riftrules.analysis.mutation.neighbours import Neighbours
from riftrules.analysis.mutation.scenes import Outcome, Scene, Stage
from riftrules.analysis.mutation.witness import Witness, witness
from riftrules.engine.productions import Production
from riftrules.engine.program import compile_ruleset
from riftrules.engine.syntax_tree import Dependencies
from riftrules.language.loader import load_ruleset
from riftrules.scenario.files import Catalogue
from riftrules.scenario.loading import load_file
from riftrules.scenario.model import Run, Scenario
from riftrules.scenario.playing import play
from riftrules.scenario.suite import is_chosen

MOST_TRIED = 60
"""So many boards are tried on one mutant that could matter on them and does not."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What a laboratory is made of: fixture files, the folder of the ruleset, words that scenarios must hold."""

    files: tuple[Path, ...]
    folder: Path
    bundled: Path | None = None
    only: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Scan:
    """What the run of one scenario told. `infected` are the mutants of rules that could matter in it."""

    scene: Scene | None
    infected: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of a mutant.

    status: `killed` (by a scenario), `survived` (with a `witness` that would kill it), `equivalent` (no difference on
    `boards` boards), `open` (not looked into further) or `broken` (no rule that can be read).
    """

    name: str
    status: str
    by: str = ""
    plays: int = 0
    boards: int = 0
    witness: Witness | None = None


class Laboratory:
    """Judges mutants of one ruleset by scenarios."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.ruleset = load_ruleset(setup.folder)
        self.program = compile_ruleset(self.ruleset)
        self.scenarios = tuple(self._scenarios())
        self.mutants = mutants_of(self.ruleset)
        self.concerns = Concerns(self.ruleset)
        self._suspects: dict[frozenset[int], Suspects] = {}
        self._compiled: dict[int, Production | None] = {}
        self._stages: dict[int, Stage] = {}
        self._changes = Changes(self.ruleset)
        self._depends = self._dependencies()

    def _scenarios(self) -> Iterable[Scenario]:
        catalogue = Catalogue(bundled=self.setup.bundled)
        catalogue.loaded[self.setup.folder.resolve()] = self.ruleset
        for path in self.setup.files:
            for one in load_file(path, catalogue).scenarios:
                scenario = one.scenario
                if scenario is None or one.ruleset is not self.ruleset or scenario.skip:
                    continue
                if is_chosen(scenario.name, scenario.id, path, self.setup.only):
                    yield scenario

    def suspects(self, numbers: frozenset[int]) -> Suspects:
        """These mutants, compiled to be looked for."""
        if numbers not in self._suspects:
            mutants = {number: self.mutants[number] for number in numbers}
            self._suspects = {numbers: suspects_of(mutants, self.program, self._compiled)}
        return self._suspects[numbers]

    # -------------------------------------------------------------------------------------------- scanning

    def scan(self, place: int, numbers: frozenset[int]) -> Scan:
        """Play a scenario under the rules as they are, and tell which of these mutants could matter in it."""
        scenario = self.scenarios[place]
        scene = Stage(self.program).scene(scenario)
        if scene is None:
            return Scan(None)
        infection = self._infection(scenario, numbers)
        return Scan(replace(scene, held=frozenset(infection.held)), frozenset(infection.infected))

    def _infection(self, scenario: Scenario, numbers: frozenset[int]) -> Infection:
        infection = Infection(self.suspects(numbers), self._changes, self.ruleset.templates)
        play(scenario, self.ruleset, lambda _, facts, stack: ConsideringSession(self.program, facts, stack, infection))
        return infection

    # -------------------------------------------------------------------------------------------- judging

    def judge(self, number: int, scans: Mapping[int, Scan], first: int = -1) -> Judged:
        """Play a mutant against the scenarios it could matter in, until one fails. `first` is the likeliest."""
        mutant = self.mutants[number]
        program = mutated(mutant, self.program)
        if program is None:
            return Judged(mutant.name, "broken")
        stage = Stage(program)
        noticed: tuple[Scene, Outcome] | None = None
        order = self._order(number, scans, first)
        for plays, scene in enumerate(order, 1):
            run = stage.play(scene.scenario, scene.limit)
            if run.verdict.status != "passed":
                return Judged(mutant.name, "killed", scene.where, plays)
            if noticed is None and (outcome := stage.outcome(run)) != scene.outcome:
                noticed = scene, outcome
        if noticed is None:
            return Judged(mutant.name, "open", plays=len(order))
        return Judged(mutant.name, "survived", plays=len(order), witness=self._witness(number, noticed[0].scenario, noticed[1]))

    def _order(self, number: int, scans: Mapping[int, Scan], first: int) -> list[Scene]:
        mutant = self.mutants[number]
        reached = (scan for scan in scans.values() if not mutant.rule or number in scan.infected)
        scenes = [scan.scene for scan in reached if scan.scene is not None]
        order = [scene for scene in self.concerns.scenes(mutant, scenes) if self.concerns.could_matter(mutant, scene)]
        likeliest = scans[first].scene if first in scans else None
        return [likeliest, *(one for one in order if one is not likeliest)] if likeliest in order else order

    def _witness(self, number: int, scenario: Scenario, other: Outcome) -> Witness:
        stage = Stage(self.program)
        run = stage.play(scenario)
        return witness(self._told(number), run, stage.outcome(run), other, self.ruleset)

    # -------------------------------------------------------------------------------------------- searching

    def search(self, place: int, numbers: frozenset[int], boards: int, tried: Mapping[int, int]) -> Searched:
        """Look for a difference on scenarios near one; `tried` says how often a mutant made none where it could have."""
        found: dict[int, Witness] = {}
        counts = dict(tried)
        looked = dict.fromkeys(numbers, 0)
        near = Neighbours(self.scenarios[place], self.ruleset, self._fields(numbers)).near(boards)
        for scenario in near:
            left = [number for number in sorted(numbers) if number not in found and counts.get(number, 0) < MOST_TRIED]
            if not left:
                break
            infection = self._infection(scenario, numbers)
            own: list[tuple[Run, Outcome]] = []
            for number in left:
                looked[number] += 1
                if self._matters(number, infection):
                    counts[number] = counts.get(number, 0) + 1
                    one = self._difference(number, self._stage(number), scenario, own)
                    if one is not None:
                        found[number] = one
        return Searched(found, counts, looked)

    def _fields(self, numbers: frozenset[int]) -> frozenset[tuple[str, str]]:
        """What the rules these mutants are of depend on."""
        return frozenset(pair for number in numbers for pair in self._depends.get(self.mutants[number].rule, ()))

    def _dependencies(self) -> dict[str, frozenset[tuple[str, str]]]:
        dependencies = Dependencies(self.ruleset)
        return {
            rule.id: dependencies.of((rule.when, rule.choose)) | dependencies.of_consequents(rule.then)
            for rule in self.ruleset.rules
        }

    def _stage(self, number: int) -> Stage:
        """Where a mutant is played."""
        if number not in self._stages:
            program = mutated(self.mutants[number], self.program)
            assert program is not None  # noqa: S101 - it has been played already
            self._stages[number] = Stage(program)
        return self._stages[number]

    def _matters(self, number: int, infection: Infection) -> bool:
        kind, _, name = self.mutants[number].holder.partition(" ")
        if kind == "rule":
            return number in infection.infected
        if kind == "procedure":
            return any(procedure == name for procedure, _ in infection.steps)
        return kind != "step" or any(step == name for _, step in infection.steps)

    def _difference(self, number: int, stage: Stage, scenario: Scenario, own: list[tuple[Run, Outcome]]) -> Witness | None:
        """What tells a mutant from the rules on this board. `own` keeps the rules' own run of it."""
        if not own:
            plain = Stage(self.program)
            run = plain.play(scenario)
            own.append((run, plain.outcome(run)))
        run, outcome = own[0]
        if run.verdict.status == "error":
            return None
        other = stage.outcome(stage.play(scenario, 100 + 5 * sum(1 for _ in run.trace.firings())))
        return None if other == outcome else witness(self._told(number), run, outcome, other, self.ruleset)

    def _told(self, number: int) -> str:
        """The name of the scenario that tells a mutant from the rules."""
        mutant = self.mutants[number]
        return f"{mutant.holder} as it is, not {mutant.what}"


@dataclass(frozen=True, slots=True)
class Searched:
    """What was found near one scenario: witnesses, how often each mutant made no difference, boards looked at for it."""

    found: Mapping[int, Witness]
    tried: Mapping[int, int]
    boards: Mapping[int, int]


def survivors(judged: Sequence[Judged]) -> tuple[Judged, ...]:
    """Those that a scenario would have to be written for."""
    return tuple(one for one in judged if one.status == "survived")
