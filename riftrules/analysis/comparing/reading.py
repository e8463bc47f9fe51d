"""Reads the same fixtures under two rulesets, or under what lies between them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from riftrules.analysis.comparing.mixing import Revision
from riftrules.language.model import Ruleset
from riftrules.scenario.files import Catalogue
from riftrules.scenario.loading import Loaded, load_file
from riftrules.scenario.model import Scenario

READ_ALIKE = {"rule", "definition", "step", "invariant", "printed rule", "view", "scope", "rules"}
"""Edits of these kinds change nothing in how a board or an item of a scenario is read."""


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
class Read:
    """A scenario of a file as it was read under either ruleset; the same value where they read it alike."""

    path: Path
    place: int
    old: Loaded
    new: Loaded


@dataclass(frozen=True, slots=True)
class Both:
    """A scenario that can be read under both rulesets."""

    read: Read
    old: Scenario
    new: Scenario


@dataclass(slots=True)
class Reader:
    """Reads the fixtures for one comparison, each file once under each ruleset."""

    revision: Revision
    alike: bool = field(init=False)
    called: tuple[str, ...] = field(init=False)
    files: dict[tuple[int, Path], tuple[Loaded, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.called = tuple({self.revision.old.name: None, self.revision.new.name: None})
        # Boards and items are read alike where no edit is about facts, settings or procedures.
        reads = (edit for edit in self.revision.edits if edit.plays or edit.part == "plural")
        self.alike = all(edit.item[0] in READ_ALIKE for edit in reads)

    def read(self, path: Path) -> Iterator[Read]:
        """The scenarios under the new ruleset, and under the old one where it may read them otherwise."""
        news = self._file(path, self.revision.new)
        alike = self.alike and all(one.scenario is not None for one in news)
        olds = news if alike else self._file(path, self.revision.old)
        for place, (old, new) in enumerate(zip(olds, news, strict=False)):
            if self.alike:  # only names in expectations can differ, and the items are the same
                yield Read(path, place, *((new, new) if new.scenario is not None else (old, old)))
            else:
                yield Read(path, place, old, new)

    def under(self, ruleset: Ruleset, both: Both) -> Scenario | None:
        """The scenario as a mixture of the two rulesets reads it; None where it cannot."""
        return both.new if self.alike else self._file(both.read.path, ruleset)[both.read.place].scenario

    def _file(self, path: Path, ruleset: Ruleset) -> tuple[Loaded, ...]:
        if (id(ruleset), path) not in self.files:
            self.files[id(ruleset), path] = read_on(path, ruleset, self.called)
        return self.files[id(ruleset), path]


def on_both_sides(read: Read) -> Both | None:
    """The scenario under both rulesets; None where one of them cannot read it."""
    old, new = read.old.scenario, read.new.scenario
    return None if old is None or new is None else Both(read, old, new)
