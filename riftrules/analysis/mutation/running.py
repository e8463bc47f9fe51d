"""A whole mutation run by several workers: scan the scenarios, judge the mutants, look for what would kill the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TypeAlias

from riftrules.analysis.mutation.concerning import Concerns
from riftrules.analysis.mutation.journal import Journal
from riftrules.analysis.mutation.laboratory import Judged, Laboratory, Searched, Setup
from riftrules.analysis.mutation.mutants import Mutant
from riftrules.analysis.mutation.scenes import Scene
from riftrules.analysis.mutation.witness import Witness
from riftrules.scenario.workers import Crew, Lost, crew

Progress: TypeAlias = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and of how much."""

Order: TypeAlias = tuple[tuple[int, int], ...]
"""Scenarios by place, each with its firings, the likeliest to notice first."""

CHUNK = 8
BATCH = 4
"""Scenarios searched at once: what was found near them is known for the next, whoever searches."""

MOST_NEAR = 16
"""Every board one change away is looked at for so many scenarios that come by an edit, the likeliest to notice first."""

ONE_CHANGE = f"up to one change of what is given or done in a scenario that comes by it, of the {MOST_NEAR} likeliest to notice"
LEAST_BOARDS = 400
"""So many boards are searched at least, all scenarios taken together."""


@dataclass(frozen=True, slots=True)
class Report:
    """What became of the mutants of one ruleset. `scenarios` is by how many they were judged, `finished` whether all were."""

    ruleset: str
    mutants: tuple[tuple[Mutant, Judged], ...]
    scenarios: int
    failing: tuple[str, ...] = ()
    finished: bool = True
    seconds: float = 0.0

    def count(self, status: str) -> int:
        """How many mutants have this status."""
        return sum(1 for _, judged in self.mutants if judged.status == status)

    @property
    def score(self) -> float:
        """The share killed of all that are not proved the same, in percent: what was not looked into counts as alive."""
        killed = self.count("killed")
        alive = self.count("survived") + self.count("undecided") + self.count("open")
        return 100.0 if not killed + alive else 100.0 * killed / (killed + alive)


@dataclass(slots=True)
class MutationRun:
    """A run over the mutants chosen. `boards` is how many boards near each scenario are searched."""

    setup: Setup
    chosen: Callable[[Mutant], bool]
    workers: int = 1
    boards: int = 6
    progress: Progress = lambda _what, _done, _all: None
    journal: Journal = field(default_factory=Journal)
    cluster: str = ""

    def run(self) -> Report:
        """Judge all mutants, those the journal knows as they were judged."""
        here = laboratory(self.setup)
        numbers = [number for number, mutant in enumerate(here.mutants) if self.chosen(mutant)]
        done = {number: known for number in numbers if (known := self.journal.known(here.mutants[number].name)) is not None}
        left = [number for number in numbers if number not in done]
        finished = True
        failing: list[int] = []
        scenes: list[Scene] = []
        try:
            if left or (self.boards and any(judged.status == "open" for judged in done.values())):
                with crew(self.workers, self.cluster) as working:
                    going = _Going(self, working, here, done)
                    scenes = going.scan(frozenset(left))
                    failing = [place for place in range(len(here.scenarios)) if place not in {one.place for one in scenes}]
                    going.judge(left, scenes)
                    going.search(scenes)
        except KeyboardInterrupt:
            finished = False
        judged = tuple((here.mutants[number], done[number]) for number in numbers if number in done)
        places = tuple(f"{here.scenarios[place].place}" for place in failing)
        return Report(here.ruleset.name, judged, len(here.scenarios) - len(failing), places, finished)


@dataclass(slots=True)
class _Going:
    """A run that is going on: `done` is what has become of mutants by number."""

    run: MutationRun
    crew: Crew
    here: Laboratory
    done: dict[int, Judged]
    concerns: Concerns = field(init=False)

    def __post_init__(self) -> None:
        self.concerns = Concerns(self.here.ruleset)

    def scan(self, numbers: frozenset[int]) -> list[Scene]:
        """The scenarios that pass, each with the mutants that could matter in it."""
        count = len(self.here.scenarios)
        chunks = [(tuple(range(at, min(at + CHUNK, count))), numbers) for at in range(0, count, CHUNK)]
        found: list[Scene] = []
        for at, (place, scenes) in enumerate(self.crew.work(_scan, self.run.setup, chunks), 1):
            found += [] if isinstance(scenes, Lost) else [scene for scene in scenes if scene is not None]
            self.run.progress("scenarios", min(at * CHUNK, count) if place >= 0 else 0, count)
        return sorted(found, key=lambda scene: scene.place)

    def judge(self, left: Sequence[int], scenes: Sequence[Scene]) -> None:
        """Mutants of one holder are judged together, so that what has killed one is the first to be tried on the next."""
        orders = Orders(self.here, scenes, self.concerns)
        groups: dict[str, list[tuple[int, Order]]] = {}
        for number in left:
            groups.setdefault(self.here.mutants[number].holder, []).append((number, orders.order(number)))
        items = [tuple(group) for group in groups.values()]
        count = 0
        for place, judged in self.crew.work(_judge, self.run.setup, items):
            for number, one in () if isinstance(judged, Lost) else judged:
                self._note(number, one)
            count += len(items[place])
            self.run.progress("mutants", count, len(left))

    def _note(self, number: int, judged: Judged) -> None:
        self.done[number] = judged
        self.run.journal.note(judged)

    def search(self, scenes: Sequence[Scene]) -> None:
        """Look near every scenario for what would kill those that no scenario tells from the rules."""
        if not self.run.boards:
            return
        open_ = {number for number, one in self.done.items() if one.status == "open"}
        boards: dict[int, int] = dict.fromkeys(open_, 0)
        tried: dict[int, int] = {}
        batch = BATCH
        for at in range(0, len(scenes), batch):
            for searched in self._searched(scenes[at : at + batch], len(scenes), open_, tried):
                for number, witness in searched.found:
                    if number in open_:
                        open_.discard(number)
                        self._note(number, replace(self.done[number], status="survived", witness=witness))
                for number, looked in searched.boards:
                    boards[number] += looked
                tried |= {number: max(times, tried.get(number, 0)) for number, times in searched.tried}
            self.run.progress("boards", min(at + batch, len(scenes)), len(scenes))
        self._set_aside(sorted(open_), boards, scenes)

    def _set_aside(self, left: Sequence[int], boards: Mapping[int, int], scenes: Sequence[Scene]) -> None:
        """Prove those for which nothing was found: by argument, by a scope, else by all boards that are near enough."""
        unproved = []
        for done, (place, proof) in enumerate(self.crew.work(_prove, self.run.setup, left), 1):
            number = left[place]
            bound, witness = ("", None) if isinstance(proof, Lost) else proof
            status = "proved" if bound else "survived" if witness else "undecided"
            if status == "undecided":
                unproved.append(number)
            else:
                self._note(number, replace(self.done[number], status=status, witness=witness, bound=bound))
            self.run.progress("proofs", done, len(left))
        self._exhaust(sorted(unproved), boards, scenes)

    def _exhaust(self, left: Sequence[int], boards: Mapping[int, int], scenes: Sequence[Scene]) -> None:
        """Look at every board one change away from the scenarios that are likeliest to notice."""
        orders = Orders(self.here, scenes, self.concerns)
        near = {number: [place for place, _ in orders.near(number)[:MOST_NEAR]] for number in left}
        items = [
            (scene.place, numbers)
            for scene in scenes
            if (numbers := frozenset(number for number in left if scene.place in near[number]))
        ]
        found: dict[int, Witness] = {}
        looked = dict.fromkeys(left, 0)
        whole = {number for number in left if near[number]}
        for done, (place, searched) in enumerate(self.crew.work(_exhaust, self.run.setup, items), 1):
            if isinstance(searched, Lost):
                whole -= items[place][1]
                continue
            found |= {number: witness for number, witness in searched.found if number not in found}
            for number, count in searched.boards:
                looked[number] += count
            self.run.progress("near boards", done, len(items))
        for number in left:
            status = "survived" if number in found else "proved" if number in whole else "undecided"
            bound = ONE_CHANGE if status == "proved" else ""
            count = looked[number] if status == "proved" else boards[number]
            self._note(number, replace(self.done[number], status=status, boards=count, witness=found.get(number), bound=bound))

    def _searched(self, scenes: Sequence[Scene], count: int, open_: Iterable[int], tried: dict[int, int]) -> Iterator[Searched]:
        """What is found near these scenarios, for the mutants that concern what they come by."""
        each = max(self.run.boards, LEAST_BOARDS // max(count, 1))
        concerns = self.concerns
        near = [
            (scene.place, frozenset(number for number in open_ if concerns.concerns(self.here.mutants[number], scene)))
            for scene in scenes
        ]
        items = [(place, numbers, each, tuple(tried.items())) for place, numbers in near if numbers]
        for _, searched in self.crew.work(_search, self.run.setup, items):
            if not isinstance(searched, Lost):
                yield searched


class Orders:
    """In which order a mutant meets the scenarios it could matter in."""

    def __init__(self, here: Laboratory, scenes: Sequence[Scene], concerns: Concerns) -> None:
        self._mutants = here.mutants
        self._scenes = scenes
        self._concerns = concerns
        self._infected: dict[int, list[Scene]] = {}
        for scene in scenes:
            for number in scene.infected:
                self._infected.setdefault(number, []).append(scene)

    def order(self, number: int) -> Order:
        """The scenarios, the likeliest to notice first."""
        mutant = self._mutants[number]
        if mutant.rule:
            reached = self._concerns.sorted(mutant, self._infected.get(number, []))
        else:
            reached = self._concerns.sorted(mutant, [scene for scene in self._scenes if self._concerns.concerns(mutant, scene)])
        return tuple((scene.place, scene.firings) for scene in reached)

    def near(self, number: int) -> Order:
        """The scenarios that come by what it edits, whether or not it could matter in them; the likeliest to notice first."""
        mutant = self._mutants[number]
        reached = [scene for scene in self._scenes if self._concerns.concerns(mutant, scene)]
        return tuple((scene.place, scene.firings) for scene in self._concerns.sorted(mutant, reached))


# ------------------------------------------------------------------------------------------------ workers


@lru_cache(maxsize=1)
def laboratory(setup: Setup) -> Laboratory:
    """The laboratory of this process."""
    return Laboratory(setup)


def _scan(setup: Setup, item: tuple[tuple[int, ...], frozenset[int]]) -> list[Scene | None]:
    places, numbers = item
    return [laboratory(setup).scan(place, numbers) for place in places]


def _judge(setup: Setup, group: tuple[tuple[int, Order], ...]) -> list[tuple[int, Judged]]:
    """Judge mutants that are alike: the scenario that has killed one is the first to be tried on the next."""
    first = -1
    found = []
    for number, order in group:
        likeliest = tuple(one for one in order if one[0] == first)
        judged, place = laboratory(setup).judge(number, (*likeliest, *(one for one in order if one[0] != first)))
        first = place if place >= 0 else first
        found.append((number, judged))
    return found


def _search(setup: Setup, item: tuple[int, frozenset[int], int, tuple[tuple[int, int], ...]]) -> Searched:
    return laboratory(setup).search(*item)


def _prove(setup: Setup, number: int) -> tuple[str, Witness | None]:
    return laboratory(setup).prove(number)


def _exhaust(setup: Setup, item: tuple[int, frozenset[int]]) -> Searched:
    return laboratory(setup).exhaust(*item)
