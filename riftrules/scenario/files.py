"""Finds fixture files, and the rulesets and boards they name."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from riftrules.errors import Place, Problem
from riftrules.language.loader import load_ruleset
from riftrules.language.model import Ruleset
from riftrules.language.problems import near
from riftrules.source import is_file, is_folder, missing_file, real

SUFFIXES = (".yaml", ".yml")
DOCUMENTS = (".md", ".txt", ".png")
BASELINE = ".baseline.json"
UNDECIDED = "undecided"
"""The stem of the file that lists, with reasons, which conditions no scenario decides: it is no fixture."""
RULESETS = "rulesets"


@dataclass(frozen=True, slots=True)
class Found:
    """The fixture files under some paths, each once, sorted; what is doubted or wrong about the paths."""

    files: tuple[Path, ...]
    problems: tuple[Problem, ...] = ()


def find_fixtures(paths: Sequence[Path]) -> Found:
    """Every fixture file named, or in a folder named, sub-folders included. Files of other kinds are warned about."""
    files: dict[Path, Path] = {}
    problems: list[Problem] = []
    for path in paths:
        if is_folder(path):
            _look_through(path, files, problems)
        elif _is_there(path):
            files.setdefault(real(path), path)
        else:
            problems.append(missing(path))
    return Found(tuple(sorted(files.values())), tuple(problems))


def _look_through(folder: Path, files: dict[Path, Path], problems: list[Problem]) -> None:
    """Put every fixture in a folder among the files, and what is doubted of others among the problems."""
    for file in _walk(folder, problems):
        if file.suffix in SUFFIXES and file.stem == UNDECIDED:
            continue
        if not _is_readable(file.name):
            said = "the name of this file is not UTF-8"
            problems.append(Problem(Place(_readable(file)), "not-utf-8", said, "rename it"))
        elif file.suffix in SUFFIXES:
            files.setdefault(real(file), file)
        elif file.name.endswith(BASELINE):
            problems.extend(_orphan(file))
        elif file.suffix not in DOCUMENTS and not file.exists():
            problems.append(missing_file(Place(shown(file)), file))
        elif file.suffix not in DOCUMENTS:
            said = f"this is no fixture: their names end in {' or '.join(SUFFIXES)}"
            problems.append(Problem(Place(shown(file)), "unknown-file", said, "rename it, or move it elsewhere", "warning"))


def find_undecided(paths: Sequence[Path]) -> tuple[Path, ...]:
    """The files in these folders that list what no scenario decides."""
    files = {real(file): file for path in paths if is_folder(path) for file in _walk(path, [])}
    return tuple(sorted(file for file in files.values() if file.suffix in SUFFIXES and file.stem == UNDECIDED))


def _orphan(baseline: Path) -> Iterator[Problem]:
    """Tell of a baseline whose fixture is gone."""
    stem = baseline.name.removesuffix(BASELINE)
    if not any(baseline.with_name(stem + suffix).is_file() for suffix in SUFFIXES):
        said = f"this baseline is stale: there is no fixture `{stem}` beside it"
        yield Problem(Place(shown(baseline)), "stale-baseline", said, "delete it, or bring its fixture back", "warning")


def _is_there(path: Path) -> bool:
    """Whether there is anything under this name; a name that the system refuses names nothing."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def missing(path: Path) -> Problem:
    """That there is nothing under a name, with the name that was probably meant."""
    parent = path.parent
    names = [entry.name for entry in parent.iterdir()] if is_folder(parent) else []
    return Problem(Place(shown(path)), "missing-file", "there is no such file or folder", near(path.name, names, otherwise=False))


def _walk(folder: Path, problems: list[Problem]) -> Iterator[Path]:
    """The files in a folder and below. A folder that cannot be listed is no empty folder: it is told."""

    def refused(error: OSError) -> None:
        said = f"this folder cannot be read: {(error.strerror or str(error)).lower()}"
        problems.append(Problem(Place(shown(Path(str(error.filename)))), "unreadable", said, "look at its permissions"))

    for where, folders, names in os.walk(folder, onerror=refused):
        folders[:] = sorted(name for name in folders if not name.startswith((".", "__")))
        yield from (Path(where) / name for name in sorted(names) if not name.startswith("."))


def _is_readable(name: str) -> bool:
    return name == _readable(Path(name))


def _readable(path: Path) -> str:
    """A path with what is not UTF-8 in it shown as such."""
    return path.as_posix().encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def shown(path: Path) -> str:
    """A path as messages say it: from the current folder where it is inside, with forward slashes; a link by its own name."""
    named = real(path.parent) / path.name if path.name and path.name != ".." else real(path)
    try:
        return named.relative_to(real(Path.cwd())).as_posix()
    except ValueError:
        return path.as_posix()


@dataclass(slots=True)
class Catalogue:
    """The rulesets that fixtures name, each loaded once.

    `override` is played in place of whatever a fixture names; `bundled` is the folder of rulesets that came with the
    package. `instead` gives folders to be read in place of others (None: there is none), `known_as` what messages call them.
    """

    override: Path | None = None
    bundled: Path | None = None
    instead: Mapping[Path, Path | None] = field(default_factory=dict)
    known_as: Mapping[Path, str] = field(default_factory=dict)
    loaded: dict[Path, Ruleset] = field(default_factory=dict)

    def find(self, name: str, fixture: Path) -> Path | None:
        """The folder of the ruleset a fixture names: in `rulesets` beside it or beside a folder above it, else bundled."""
        if self.override is not None:
            return self.override
        beside = (folder / RULESETS / name for folder in real(fixture).parents)
        bundled = (self.bundled / name,) if self.bundled else ()
        found = next((folder for folder in (*beside, *bundled) if name and is_folder(folder)), None)
        return found if found is None else self.instead.get(real(found), found)

    def names(self, fixture: Path) -> list[str]:
        """The names of the rulesets within reach of a fixture."""
        folders = [folder / RULESETS for folder in real(fixture).parents]
        reach = [folder for folder in (*folders, *((self.bundled,) if self.bundled else ())) if folder.is_dir()]
        return sorted({entry.name for folder in reach for entry in folder.iterdir() if entry.is_dir()})

    def ruleset(self, path: Path) -> Ruleset:
        """The ruleset in a folder. Raises RulesetError."""
        known = real(path)
        if known not in self.loaded:
            self.loaded[known] = load_ruleset(path, shown=self.known_as.get(path))
        return self.loaded[known]


def near_board(name: str, fixture: Path) -> str:
    """A hint at the board that `uses` probably means."""
    known: list[str] = []
    for folder in real(fixture).parents:
        inside = [entry for entry in folder.iterdir() if not entry.name.startswith(".")]
        files = [*inside, *(file for entry in inside if is_folder(entry) for file in entry.iterdir())]
        known.extend(file.relative_to(folder).as_posix() for file in files if file.suffix in SUFFIXES)
        if (folder / RULESETS).is_dir():
            break
    return near(name, known, otherwise=False)


def find_board(name: str, fixture: Path) -> Path | None:
    """The file that `uses` names: beside the fixture, or beside a folder above it, up to where the rulesets are."""
    for folder in real(fixture).parents:
        if is_file(folder / name):
            return folder / name
        if (folder / RULESETS).is_dir():
            break
    return None
