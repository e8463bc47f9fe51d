"""Compares two rulesets over all scenarios: whose outcome differs, and which edit is responsible."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from riftrules.analysis.comparing.edits import Edit
from riftrules.analysis.comparing.impact import Touched, may_differ, touched
from riftrules.analysis.comparing.mixing import Revision
from riftrules.analysis.comparing.outcomes import Comparing, Divergence
from riftrules.analysis.comparing.sentinel import Sentinel, Suspects, suspects_of
from riftrules.analysis.considering import ConsideringSession
from riftrules.engine.program import Program, compile_ruleset
from riftrules.engine.session import Session
from riftrules.errors import Place, Problem
from riftrules.facts.memory import Fact
from riftrules.facts.trace import StackedFrame
from riftrules.language.model import Ruleset
from riftrules.scenario.files import Catalogue
from riftrules.scenario.loading import Loaded, load_file
from riftrules.scenario.model import Run, Scenario
from riftrules.scenario.playing import play
from riftrules.scenario.workers import Crew, Lost

Progress: TypeAlias = Callable[[int, int], None]
Mixture: TypeAlias = tuple[Ruleset, tuple[Edit, ...]]

READ_ALIKE = {"rule", "definition", "step", "invariant", "printed rule", "view", "scope", "rules"}
"""Edits of these kinds change nothing in how a board or an item of a scenario is read."""


@dataclass(frozen=True, slots=True)
class Blame:
    """What an edit has to do with a difference.

    `alone`: made alone it changes this outcome; `whole`: alone it gives the new outcome; `needed`: left out, it is not
    the new outcome; `back`: left out, the old outcome comes back. `together` are the edits it could not be tried without.
    """

    edit: Edit
    alone: bool
    whole: bool
    needed: bool
    back: bool
    together: tuple[Edit, ...] = ()

    @property
    def said(self) -> str:
        """The part it plays, in a few words."""
        if self.whole:
            return "alone responsible" if self.back else "enough, but not the only cause"
        if self.alone:
            return "part of the difference" if self.needed else "changes it too, but not beside the others"
        return "necessary, with others" if self.back else "part of the difference, with others"


@dataclass(frozen=True, slots=True)
class Case:
    """A scenario with two outcomes, and the edits responsible."""

    divergence: Divergence
    blames: tuple[Blame, ...] = ()


@dataclass(frozen=True, slots=True)
class OneSided:
    """A scenario that can be read under one ruleset only, the `old` or the `new`: the problems under the other."""

    scenario: str
    place: Place
    readable: str
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a change of the rules changes. `played` scenarios were compared; of them `spared` could not be affected."""

    revision: Revision
    cases: tuple[Case, ...] = ()
    one_sided: tuple[OneSided, ...] = ()
    unreadable: tuple[Problem, ...] = ()
    played: int = 0
    spared: int = 0

    @property
    def differs(self) -> bool:
        """Whether there is any edit at all."""
        return bool(self.revision.edits)


@dataclass(slots=True)
class Players:
    """Plays scenarios on rulesets, each compiled once, up to so many firings a request."""

    limit: int = 10_000
    programs: dict[int, tuple[Ruleset, Program]] = field(default_factory=dict)

    def play(self, scenario: Scenario, ruleset: Ruleset) -> Run:
        """The run of a scenario. What goes wrong is in its verdict."""
        return play(scenario, ruleset, self._open)

    def program(self, ruleset: Ruleset) -> Program:
        """The program of a ruleset."""
        if id(ruleset) not in self.programs:
            self.programs[id(ruleset)] = (ruleset, compile_ruleset(ruleset))
        return self.programs[id(ruleset)][1]

    def watched(self, scenario: Scenario, ruleset: Ruleset, sentinel: Sentinel) -> Run:
        """The run of a scenario, of which the sentinel is told."""

        def open_session(_: Ruleset, facts: Sequence[Fact], stack: Sequence[StackedFrame]) -> Session:
            return ConsideringSession(self.program(ruleset), facts, stack, sentinel, limit=self.limit)

        return play(scenario, ruleset, open_session)

    def _open(self, ruleset: Ruleset, facts: Sequence[Fact], stack: Sequence[StackedFrame]) -> Session:
        return Session(self.program(ruleset), facts, stack, limit=self.limit, matcher="demand")


@dataclass(slots=True)
class _Named(Catalogue):
    """Gives the one ruleset for every fixture that names one of these."""

    called: tuple[str, ...] = ()
    only: tuple[Ruleset, ...] = ()

    def find(self, name: str, fixture: Path) -> Path | None:
        """A stand-in for the folder of the ruleset."""
        return Path() if name in self.called and fixture else None

    def ruleset(self, path: Path) -> Ruleset:  # noqa: ARG002 - there is but one
        """The one ruleset."""
        return self.only[0]


def read_on(path: Path, ruleset: Ruleset, called: tuple[str, ...]) -> tuple[Loaded, ...]:
    """The scenarios of a fixture file that name one of these rulesets, read under this one; others are left out."""
    loaded = load_file(path, _Named(called=called, only=(ruleset,))).scenarios
    return tuple(one for one in loaded if not any(problem.code == "unknown-ruleset" for problem in one.problems))


def scenarios_of(paths: Sequence[Path], revision: Revision) -> tuple[Scenario, ...]:
    """The scenarios of these files that can be read under the newer ruleset and are not skipped."""
    called = tuple({revision.old.name: None, revision.new.name: None})
    loaded = (one.scenario for path in paths for one in read_on(path, revision.new, called))
    return tuple(scenario for scenario in loaded if scenario is not None and not scenario.skip)


@dataclass(frozen=True, slots=True)
class _Read:
    """A scenario of a file as it was read under either ruleset."""

    path: Path
    place: int
    old: Loaded
    new: Loaded


@dataclass(frozen=True, slots=True)
class _Both:
    """A scenario under both rulesets; the same value where they read it alike."""

    read: _Read
    old: Scenario
    new: Scenario


def compare(revision: Revision, fixtures: Sequence[Path], players: Players, progress: Progress | None = None) -> Comparison:
    """The whole comparison over the scenarios of these files, in this process."""
    return _Work(revision, players, progress or (lambda _done, _all: None)).all(fixtures)


def compare_with(crew: Crew, revision: Revision, fixtures: Sequence[Path]) -> Comparison:
    """The same comparison, the files shared out among a crew."""
    shares = [tuple(fixtures[first :: crew.size]) for first in range(crew.size)]
    parts = [part for _, part in crew.work(_share, (revision.old, revision.new), shares) if not isinstance(part, Lost)]
    cases = [case for part in parts for case in part.cases]
    one_sided = [one for part in parts for one in part.one_sided]
    return Comparison(
        revision,
        tuple(sorted(cases, key=lambda case: case.divergence.place)),
        tuple(sorted(one_sided, key=lambda one: one.place)),
        tuple(sorted(problem for part in parts for problem in part.unreadable)),
        sum(part.played for part in parts),
        sum(part.spared for part in parts),
    )


@dataclass(frozen=True, slots=True)
class _Part:
    """What came of a share of the files."""

    cases: tuple[Case, ...]
    one_sided: tuple[OneSided, ...]
    unreadable: tuple[Problem, ...]
    played: int
    spared: int


def _share(sides: tuple[Ruleset, Ruleset], fixtures: tuple[Path, ...]) -> _Part:
    found = compare(Revision(*sides), fixtures, Players())
    return _Part(found.cases, found.one_sided, found.unreadable, found.played, found.spared)


@dataclass(slots=True)
class _Work:
    revision: Revision
    players: Players
    progress: Progress
    called: tuple[str, ...] = ()
    spared: int = 0
    mixtures: dict[Edit, tuple[Mixture | None, Mixture | None]] = field(default_factory=dict)
    files: dict[tuple[int, Path], tuple[Loaded, ...]] = field(default_factory=dict)

    def all(self, fixtures: Sequence[Path]) -> Comparison:
        self.called = tuple({self.revision.old.name: None, self.revision.new.name: None})
        if not self.revision.edits:
            return Comparison(self.revision)
        pairs = [pair for path in fixtures for pair in self._read(path)]
        played = [both for pair in pairs if (both := _both(pair)) is not None and not both.new.skip]
        cases = tuple(self._cases(played)) if self.revision.playing else ()
        return Comparison(
            self.revision,
            cases,
            tuple(self._one_sided(pair) for pair in pairs if (pair.old.scenario is None) != (pair.new.scenario is None)),
            tuple(
                problem
                for pair in pairs
                if pair.old.scenario is None and pair.new.scenario is None
                for problem in pair.new.problems
            ),
            len(played),
            self.spared if self.revision.playing else len(played),
        )

    def _one_sided(self, pair: _Read) -> OneSided:
        readable, other = (pair.old, pair.new) if pair.old.scenario is not None else (pair.new, pair.old)
        side = "old" if readable is pair.old else "new"
        return OneSided(readable.name, readable.place, side, other.problems)

    # -------------------------------------------------------------------------------------------- reading

    def _read(self, path: Path) -> Iterator[_Read]:
        """The scenarios under the new ruleset, and under the old one where it may read them otherwise."""
        news = self._file(path, self.revision.new)
        alike = self._read_alike and all(one.scenario is not None for one in news)
        olds = news if alike else self._file(path, self.revision.old)
        for place, (old, new) in enumerate(zip(olds, news, strict=False)):
            if self._read_alike:  # only names in expectations can differ, and the items are the same
                yield _Read(path, place, *((new, new) if new.scenario is not None else (old, old)))
            else:
                yield _Read(path, place, old, new)

    def _file(self, path: Path, ruleset: Ruleset) -> tuple[Loaded, ...]:
        if (id(ruleset), path) not in self.files:
            self.files[id(ruleset), path] = read_on(path, ruleset, self.called)
        return self.files[id(ruleset), path]

    @property
    def _read_alike(self) -> bool:
        """Whether boards and items are read alike under both: no edit is about facts, settings or procedures."""
        reads = (edit for edit in self.revision.edits if edit.plays or edit.part == "plural")
        return all(edit.item[0] in READ_ALIKE for edit in reads)

    # -------------------------------------------------------------------------------------------- playing

    def _cases(self, pairs: Sequence[_Both]) -> Iterator[Case]:
        what, suspects = touched(self.revision), suspects_of(self.revision)
        comparing = Comparing(self.revision.found.renamed)
        for done, pair in enumerate(pairs, 1):
            old = self._old(pair.old, what, suspects)
            if old is not None:
                yield from self._case(pair, old, comparing)
            else:
                self.spared += 1
            self.progress(done, len(pairs))

    def _old(self, scenario: Scenario, what: Touched, suspects: Suspects | None) -> Run | None:
        """The run under the old rules; None where it would be the same under the new ones."""
        if suspects is None:
            run = self.players.play(scenario, self.revision.old)
            return run if may_differ(run, what, (self.revision.old, self.revision.new)) else None
        sentinel = Sentinel(suspects)
        run = self.players.watched(scenario, self.revision.old, sentinel)
        return run if sentinel.alarmed else None

    def _case(self, pair: _Both, old: Run, comparing: Comparing) -> Iterator[Case]:
        new = self.players.play(pair.new, self.revision.new)
        divergence = comparing.divergence(old, new)
        if divergence is not None:
            yield Case(divergence, tuple(self._blames(pair, old, new, comparing)))

    def _blames(self, pair: _Both, old: Run, new: Run, comparing: Comparing) -> Iterator[Blame]:
        """The part of each edit that has one."""
        playing = self.revision.playing
        if len(playing) == 1:
            yield Blame(playing[0], alone=True, whole=True, needed=True, back=True)
            return
        for edit in playing:
            blame = self._blame(edit, pair, old, new, comparing)
            if blame.alone or blame.needed:
                yield blame

    def _blame(self, edit: Edit, pair: _Both, old: Run, new: Run, comparing: Comparing) -> Blame:
        alone, left_out = self._tried(edit)
        together = tuple(dict.fromkeys((*(alone[1] if alone else ()), *(left_out[1] if left_out else ()))))
        what, sides = touched(self.revision, (edit, *together)), (self.revision.old, self.revision.new)
        with_it = self._run(alone, pair) if may_differ(old, what, sides) else old
        without = self._run(left_out, pair) if may_differ(new, what, sides) else new
        return Blame(
            edit,
            alone=with_it is not None and not comparing.same(old, with_it),
            whole=with_it is not None and comparing.same(with_it, new),
            needed=without is not None and not comparing.same(without, new),
            back=without is not None and comparing.same(old, without),
            together=together,
        )

    def _tried(self, edit: Edit) -> tuple[Mixture | None, Mixture | None]:
        if edit not in self.mixtures:
            self.mixtures[edit] = (self.revision.alone(edit), self.revision.without(edit))
        return self.mixtures[edit]

    def _run(self, mixture: Mixture | None, pair: _Both) -> Run | None:
        """The scenario on a mixture of the two rulesets; None where there is none, or it cannot be read under it."""
        if mixture is None:
            return None
        ruleset = mixture[0]
        one = pair.new if self._read_alike else self._file(pair.read.path, ruleset)[pair.read.place].scenario
        return None if one is None else self.players.play(one, ruleset)


def _both(pair: _Read) -> _Both | None:
    old, new = pair.old.scenario, pair.new.scenario
    return None if old is None or new is None else _Both(pair, old, new)
