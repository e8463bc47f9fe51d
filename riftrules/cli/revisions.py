"""Rulesets as they are in a folder, or were in a revision of the repository."""

from __future__ import annotations

import io
import subprocess
import tarfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory

from riftrules.cli import places
from riftrules.errors import Place, Problem, RulesetError
from riftrules.language.loader import load_ruleset
from riftrules.language.model import Ruleset
from riftrules.language.problems import near
from riftrules.scenario.suite import Options
from riftrules.source import real


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a comparison: a folder here, or `path` as it was in `revision`."""

    path: Path
    revision: str = ""

    @property
    def name(self) -> str:
        """What it is called in a report."""
        return f"{self.revision}:{_inside(self.path).as_posix()}" if self.revision else self.path.as_posix()


def sides(old: str, new: str | None, only: str | None = None) -> tuple[tuple[Side, Side], ...]:
    """The pairs of rulesets that two arguments name.

    Each is a folder, the name of a ruleset, a git revision, or `REVISION:PATH`. Without a new side it is the working
    tree. Revisions alone are compared over `only`, or over every ruleset there is here. Raises RulesetError.
    """
    one, other = _side(old), Side(Path()) if new is None else _side(new)
    if one.path != Path() and other.path != Path():
        return ((one, other),)
    if one.path != Path() or other.path != Path():
        path = other.path if one.path == Path() else one.path
        return ((Side(path, one.revision), Side(path, other.revision)),)
    folders = (places.ruleset(only),) if only else places.rulesets()
    return tuple((Side(folder, one.revision), Side(folder, other.revision)) for folder in folders)


def _side(named: str) -> Side:
    try:
        return Side(places.ruleset(named))
    except RulesetError:
        if Path(named).is_dir():
            raise
        revision, colon, path = named.partition(":")
        if not known(revision):
            hint = near(named, [folder.name for folder in places.rulesets()]) or "name a folder, a ruleset or a git revision"
            raise RulesetError(
                (Problem(Place(named), "unknown-ruleset", f"`{named}` is no folder, ruleset or git revision", hint),)
            ) from None
        return Side(Path(path) if colon else Path(), revision)


def known(revision: str) -> bool:
    """Whether git knows this revision here."""
    return (
        bool(revision)
        and not revision.startswith("-")
        and _git("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}") is not None
    )


def _git(*arguments: str) -> bytes | None:
    """What git says; None where it fails, or is not there."""
    program = which("git")
    if program is None:
        return None
    done = subprocess.run([program, *arguments], capture_output=True, check=False)  # noqa: S603 - git, with a revision that was looked up
    return done.stdout if done.returncode == 0 else None


def _inside(path: Path) -> Path:
    """A path from the top of the repository."""
    top = _git("rev-parse", "--show-toplevel")
    root = Path(top.decode().strip()) if top else Path.cwd()
    try:
        return path.resolve().relative_to(root.resolve())
    except ValueError:
        return path


@contextmanager
def loaded(chosen: Sequence[Side]) -> Iterator[tuple[Ruleset | None, ...]]:
    """The rulesets of the sides, those of a revision from files laid out for as long as the block runs.

    None for a folder that was not there in its revision. Raises RulesetError.
    """
    with TemporaryDirectory(prefix="riftrules-") as scratch:
        yield tuple(_load(side, Path(scratch) / str(number)) for number, side in enumerate(chosen))


@contextmanager
def older(options: Options, named: str | None) -> Iterator[Options | None]:
    """The options with older rules, for as long as the block runs. None where nothing is named. Raises RulesetError.

    `named` is a folder, the name of a ruleset, `REVISION:PATH`, or a revision alone: then every ruleset is as it was in it.
    """
    if named is None:
        yield None
        return
    side = _side(named)
    if not side.revision:
        yield replace(options, ruleset=side.path)
        return
    with TemporaryDirectory(prefix="riftrules-") as scratch:
        if side.path != Path():
            folder = _laid_out(side, Path(scratch))
            if folder is None:
                raise RulesetError((was_not_there(side),))
            yield replace(options, ruleset=folder, known_as=((folder, side.name),))
            return
        sides_ = [Side(folder, side.revision) for folder in places.rulesets()]
        laid = [(one, _laid_out(one, Path(scratch) / str(number))) for number, one in enumerate(sides_)]
        known_as = tuple((folder, one.name) for one, folder in laid if folder is not None)
        yield replace(options, instead=tuple((real(one.path), folder) for one, folder in laid), known_as=known_as)


def was_not_there(side: Side) -> Problem:
    """That a folder of rules was not there in its revision."""
    said = f"`{side.path.as_posix()}` was not there in `{side.revision}`"
    return Problem(Place(side.name), "missing-folder", said, "name a revision that has it")


def _load(side: Side, scratch: Path) -> Ruleset | None:
    if not side.revision:
        return load_ruleset(side.path)
    folder = _laid_out(side, scratch)
    return load_ruleset(folder, shown=side.name) if folder is not None else None


def _laid_out(side: Side, scratch: Path) -> Path | None:
    """The folder as it was in its revision, with those beside it; None where it was not there."""
    inside = _inside(side.path)
    # Rulesets beside it are laid out as well: it may extend one of them.
    archive = _git("-C", _top(), "archive", "--format=tar", side.revision, "--", inside.parent.as_posix())
    if archive is None:
        return None
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(scratch, filter="data")
    folder = scratch / inside
    return folder if folder.is_dir() else None


def _top() -> str:
    top = _git("rev-parse", "--show-toplevel")
    return top.decode().strip() if top else "."
