"""Everything one process needs to judge mutants: the scenarios, the rules compiled, the mutants themselves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from riftrules.analysis.considering import Changes, ConsideringSession
from riftrules.analysis.mutation.arguing import argument
from riftrules.analysis.mutation.bounded import Bound, bound_of
from riftrules.analysis.mutation.concerning import Concerns
from riftrules.analysis.mutation.infecting import Infection, Suspects, suspects_of
from riftrules.analysis.mutation.mutants import mutants_of, mutated
from riftrules.analysis.mutation.neighbours import Neighbours, touches
from riftrules.analysis.mutation.scenes import Outcome, Scene, Stage, derived_fields, limit_of, named_rules
from riftrules.analysis.mutation.witness import Witness, witness
from riftrules.analysis.rereading import reread
from riftrules.engine.productions import Production
from riftrules.engine.program import compile_ruleset
from riftrules.engine.syntax_tree import Dependencies
from riftrules.facts.memory import Fact
from riftrules.facts.trace import StackedFrame
from riftrules.language.loader import load_ruleset
from riftrules.language.model import Rule, Ruleset
from riftrules.scenario.files import Catalogue
from riftrules.scenario.loading import load_file
from riftrules.scenario.model import Requesting, Run, Scenario
from riftrules.scenario.playing import play
from riftrules.scenario.suite import is_chosen

MOST_TRIED = 60
"""So many boards are tried on one mutant that could matter on them and does not."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What a laboratory is made of: fixture files, the folder of the ruleset, words that scenarios must hold.

    `digest` is of the text of all these files: a worker that has seen other texts under these names reads them anew.
    """

    files: tuple[Path, ...]
    folder: Path
    bundled: Path | None = None
    only: tuple[str, ...] = ()
    digest: str = ""


STATUSES = ("killed", "survived", "proved", "undecided", "open", "broken")


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of a mutant.

    status: `killed` (by a scenario), `survived` (with a `witness` that would kill it), `proved` (the same up to a
    `bound`, of so many `boards` where it is one of boards, or on every board), `undecided` (no difference on `boards`
    boards, which is no proof), `open` (not looked into further) or `broken` (no rule that can be read).
    """

    name: str
    status: str
    by: str = ""
    plays: int = 0
    boards: int = 0
    witness: Witness | None = None
    bound: str = ""


@dataclass(frozen=True, slots=True)
class Searched:
    """What was found near one scenario: witnesses, how often each mutant made no difference, boards looked at for it."""

    found: tuple[tuple[int, Witness], ...] = ()
    tried: tuple[tuple[int, int], ...] = ()
    boards: tuple[tuple[int, int], ...] = ()


class Laboratory:
    """Judges mutants of one ruleset by scenarios, each known by its place."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.ruleset = load_ruleset(setup.folder)
        self.program = compile_ruleset(self.ruleset)
        self.scenarios = tuple(self._scenarios())
        self.mutants = mutants_of(self.ruleset)
        self._rules = {rule.id: rule for rule in self.ruleset.rules}
        self._changes = Changes(self.ruleset)
        self._depends = self._dependencies()
        self._suspects: dict[frozenset[int], tuple[Suspects, frozenset[str]]] = {}
        self._compiled: dict[int, Production | None] = {}
        self._stages: dict[int, Stage] = {}
        self._outcomes: dict[int, Outcome] = {}

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

    def _dependencies(self) -> dict[str, frozenset[tuple[str, str]]]:
        """What each rule depends on."""
        dependencies = Dependencies(self.ruleset)
        return {
            rule.id: dependencies.of((rule.when, rule.choose)) | dependencies.of_consequents(rule.then)
            for rule in self.ruleset.rules
        }

    # -------------------------------------------------------------------------------------------- scanning

    def scan(self, place: int, numbers: frozenset[int]) -> Scene | None:
        """Play a scenario under the rules as they are, and tell which of these mutants could matter; None if it fails."""
        scenario = self.scenarios[place]
        infection = self._infection(numbers, everywhere=True)
        run = self._considered(scenario, infection)
        if run.verdict.status != "passed":
            return None
        firings = list(run.trace.firings())
        return Scene(
            place,
            f"{scenario.place.path}:{scenario.place.line}",
            frozenset(firing.rule for firing in firings),
            frozenset(infection.held),
            frozenset(infection.visited),
            frozenset(event.template for event in run.trace.events()),
            frozenset(item.procedure for item in scenario.items if isinstance(item, Requesting)),
            named_rules(scenario),
            derived_fields(scenario),
            len(firings),
            frozenset(infection.infected),
        )

    def _infection(self, numbers: frozenset[int], *, everywhere: bool) -> Infection:
        """What is told of these mutants in a run: `everywhere`, or only in the steps where they could matter."""
        if numbers not in self._suspects:
            mutants = {number: self.mutants[number] for number in numbers}
            self._suspects = {numbers: (suspects_of(mutants, self.program, self._compiled), self._steps(numbers))}
        suspects, steps = self._suspects[numbers]
        return Infection(suspects, self._changes, self.ruleset.templates, None if everywhere else steps)

    def _steps(self, numbers: Iterable[int]) -> frozenset[str]:
        """The steps in which it can be seen whether these mutants could matter."""
        found: set[str] = set()
        for number in numbers:
            mutant = self.mutants[number]
            kind, _, name = mutant.holder.partition(" ")
            found |= {rule.step for rule in self._concerns.through(mutant)}
            found |= {*self.ruleset.procedures[name].steps} if kind == "procedure" else {name} if kind == "step" else set()
            found |= {mutant.part.step} if isinstance(mutant.part, Rule) else set()
        return frozenset(found)

    def _considered(self, scenario: Scenario, infection: Infection) -> Run:
        """The run of a scenario under the rules as they are, with whatever it comes by told."""

        def opened(_: Ruleset, facts: Sequence[Fact], stack: Sequence[StackedFrame]) -> ConsideringSession:
            return ConsideringSession(self.program, facts, stack, infection)

        return play(scenario, self.ruleset, opened)

    # -------------------------------------------------------------------------------------------- judging

    def judge(self, number: int, order: Sequence[tuple[int, int]]) -> tuple[Judged, int]:
        """Play a mutant against scenarios, given by place and firings, until one fails: and tell which (-1: none)."""
        mutant = self.mutants[number]
        stage = self._stage(number)
        if stage is None:
            return Judged(mutant.name, "broken"), -1
        noticed: tuple[int, Outcome] | None = None
        for plays, (place, firings) in enumerate(order, 1):
            scenario = self.scenarios[place]
            run = stage.play(scenario, limit_of(firings))
            if run.verdict.status != "passed":
                del self._stages[number]  # it is not played again
                return Judged(mutant.name, "killed", f"{scenario.place.path}:{scenario.place.line}", plays), place
            if noticed is None and (outcome := stage.outcome(run)) != self._outcome(place):
                noticed = place, outcome
        if noticed is None:
            return Judged(mutant.name, "open", plays=len(order)), -1
        found = self._witness(number, self.scenarios[noticed[0]], noticed[1])
        return Judged(mutant.name, "open" if found is None else "survived", plays=len(order), witness=found), -1

    def _stage(self, number: int) -> Stage | None:
        """Where a mutant is played; None where it is no rule."""
        if number not in self._stages:
            program = mutated(self.mutants[number], self.program)
            if program is None:
                return None
            self._stages[number] = Stage(program)
        return self._stages[number]

    def _outcome(self, place: int) -> Outcome:
        """What comes of a scenario under the rules as they are."""
        if place not in self._outcomes:
            stage = Stage(self.program)
            self._outcomes[place] = stage.outcome(stage.play(self.scenarios[place]))
        return self._outcomes[place]

    def _witness(self, number: int, scenario: Scenario, other: Outcome) -> Witness | None:
        stage = Stage(self.program)
        run = stage.play(scenario)
        return self._said(number, run, stage.outcome(run), other)

    def _said(self, number: int, run: Run, own: Outcome, other: Outcome) -> Witness | None:
        """The fixture that tells a mutant from the rules; None where it fails under them too, as with an invariant broken."""
        found = witness(self._told(number), run, own, other, self.ruleset)
        scenario = reread(found.text, self.ruleset, (self.ruleset.name,))
        return found if scenario is not None and Stage(self.program).play(scenario).verdict.status == "passed" else None

    def _told(self, number: int) -> str:
        """The name of the scenario that tells a mutant from the rules."""
        mutant = self.mutants[number]
        return f"{mutant.holder} as it is, not {mutant.what}"

    # -------------------------------------------------------------------------------------------- searching

    def search(self, place: int, numbers: frozenset[int], boards: int, tried: Sequence[tuple[int, int]]) -> Searched:
        """Look for a difference on scenarios near one; `tried` says how often a mutant made none where it could have."""
        found: dict[int, Witness] = {}
        counts = dict(tried)
        looked = dict.fromkeys(numbers, 0)
        for scenario in Neighbours(self.scenarios[place], self.ruleset, self._fields(numbers)).near(boards):
            left = [number for number in sorted(numbers) if number not in found and counts.get(number, 0) < MOST_TRIED]
            if not left:
                break
            for number, matters, one in self._told_apart(scenario, left, numbers):
                looked[number] += 1
                counts[number] = counts.get(number, 0) + matters
                if one is not None:
                    found[number] = one
        return Searched(tuple(found.items()), tuple(counts.items()), tuple(looked.items()))

    def exhaust(self, place: int, numbers: frozenset[int]) -> Searched:
        """Look for a difference on every scenario that is one change of one away, of what the mutants' rules depend on."""
        found: dict[int, Witness] = {}
        looked = dict.fromkeys(numbers, 0)
        fields = {number: self._fields((number,)) for number in numbers}
        near = Neighbours(self.scenarios[place], self.ruleset, frozenset().union(*fields.values()))
        for edit, scenario in near.single():
            left = [number for number in sorted(numbers) if number not in found and touches(edit, fields[number])]
            for number, _, one in self._told_apart(scenario, left, numbers) if left else ():
                looked[number] += 1
                if one is not None:
                    found[number] = one
        return Searched(tuple(found.items()), boards=tuple(looked.items()))

    def _told_apart(
        self, scenario: Scenario, numbers: Sequence[int], among: frozenset[int]
    ) -> Iterator[tuple[int, bool, Witness | None]]:
        """For each mutant, whether it could matter in a scenario, and what tells it from the rules there.

        Nothing where the rules themselves do not come to the scenario's end. `among` are mutants that hold these.
        """
        infection = self._infection(among, everywhere=False)
        own = self._considered(scenario, infection)
        plain: list[tuple[Run, Outcome]] = []
        for number in numbers if own.verdict.status != "error" else ():
            matters = self._matters(number, infection)
            yield number, matters, self._difference(number, scenario, plain) if matters else None

    def _fields(self, numbers: Iterable[int]) -> frozenset[tuple[str, str]]:
        """What the rules depend on that these mutants work through."""
        rules = {rule.id for number in numbers for rule in self._concerns.through(self.mutants[number])}
        return frozenset(pair for rule in rules for pair in self._depends[rule])

    def _matters(self, number: int, infection: Infection) -> bool:
        kind, _, name = self.mutants[number].holder.partition(" ")
        if kind == "rule":
            return number in infection.infected
        if kind == "procedure":
            return any(procedure == name for procedure, _ in infection.visited)
        return kind != "step" or any(step == name for _, step in infection.visited)

    def _difference(self, number: int, scenario: Scenario, own: list[tuple[Run, Outcome]]) -> Witness | None:
        """What tells a mutant from the rules on this board. `own` keeps the rules' own run of it."""
        stage = self._stage(number)
        if stage is None:
            return None
        if not own:
            plain = Stage(self.program)
            run = plain.play(scenario)
            own.append((run, plain.outcome(run)))
        run, outcome = own[0]
        other = stage.outcome(stage.play(scenario, limit_of(sum(1 for _ in run.trace.firings()))))
        return None if other == outcome else self._said(number, run, outcome, other)

    # -------------------------------------------------------------------------------------------- proving

    def prove(self, number: int) -> tuple[str, Witness | None]:
        """How far a mutant is the same as the rules, else an empty text and what tells them apart, if found."""
        argued = argument(self.mutants[number], self.ruleset)
        if argued:
            return argued, None
        stage, bound = self._stage(number), self._bound
        if stage is None or bound is None or not self._is_met(number, bound):
            return "", None
        apart = bound.parts(stage.program)
        if apart is None:
            return bound.said, None
        return "", self._difference(number, apart.scenario(bound.scope), [])

    @cached_property
    def _bound(self) -> Bound | None:
        return bound_of(self.program)

    @cached_property
    def _concerns(self) -> Concerns:
        return Concerns(self.ruleset)

    def _is_met(self, number: int, bound: Bound) -> bool:
        """Whether the edit is met within a bound: else that nothing differs there would say nothing.

        A rule it works through acts there, and there is something of all that it looks at.
        """
        mutant = self.mutants[number]
        rules = self._concerns.through(mutant)
        looks = {template for rule in rules for template, _ in self._depends[rule.id]} if mutant.rule else set()
        return any(rule.id in bound.acting for rule in rules) and looks <= bound.templates
