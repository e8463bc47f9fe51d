"""Where rulesets and fixtures are when nobody says: in the current folder, else those that came with the package."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from riftrules.errors import Place, Problem, RulesetError
from riftrules.language.model import Ruleset
from riftrules.language.problems import near
from riftrules.source import Entries, is_file, is_folder, missing_file, read

RULESETS, FIXTURES = "rulesets", "fixtures"
RULESET_FILE = "ruleset.yaml"


def bundled(name: str) -> Path | None:
    """The folder of this name that came with the package, or that of the checkout it is installed from."""
    package = Path(__file__).resolve().parents[1]
    folders = (package / "_bundled" / name, package.parent / name)
    return next((folder for folder in folders if folder.is_dir()), None)


def fixtures(paths: Sequence[Path]) -> tuple[Path, ...]:
    """The paths named, else `fixtures` here, else those that came with the package."""
    if paths:
        return tuple(paths)
    if is_workspace():
        return (Path(FIXTURES),) if Path(FIXTURES).is_dir() else ()
    came = bundled(FIXTURES)
    return (came,) if came else ()


def is_workspace() -> bool:
    """Whether the current folder has rulesets or fixtures of its own: those that came with the package are then not meant."""
    return Path(RULESETS).is_dir() or Path(FIXTURES).is_dir()


def told(what: str) -> str:
    """That nothing of the current folder is looked at, where that is so; else an empty text."""
    return "" if is_workspace() else f"the {what} that came with riftrules: there are none here"


def ruleset(named: str) -> Path:
    """The folder of a ruleset named by path or by name. Raises RulesetError with the names there are."""
    path = Path(named)
    came = bundled(RULESETS)
    folders: list[Path] = [path, Path(RULESETS) / named, *((came / named,) if came else ())]
    for folder in folders:
        if is_file(folder / RULESET_FILE) or (folder.name == RULESET_FILE and is_file(folder)):
            return folder
    if is_folder(path):
        said = f"no rules are here: there is no `{RULESET_FILE}`"
        raise RulesetError((Problem(Place(path.as_posix()), "no-rules", said, "name the folder that holds it"),))
    names = [one.name for one in rulesets()]
    hint = near(named, names) or "name the folder of a ruleset"
    raise RulesetError((Problem(Place(named), "missing-folder", f"there is no ruleset `{named}`", hint),))


def rulesets() -> tuple[Path, ...]:
    """The folders of all rulesets here, else of those that came with the package."""
    folder = Path(RULESETS) if is_workspace() else bundled(RULESETS)
    if folder is None or not folder.is_dir():
        return ()
    return tuple(sorted(one.parent for one in folder.glob(f"*/{RULESET_FILE}")))


def lost() -> Iterator[Problem]:
    """The rulesets here that are links to nowhere."""
    folder = Path(RULESETS)
    for one in sorted(folder.iterdir()) if is_workspace() and folder.is_dir() else ():
        for link in (one, one / RULESET_FILE):
            if link.is_symlink() and not link.exists():
                yield missing_file(Place(link.as_posix()), link)


def only_ruleset(named: str | None) -> Path:
    """The ruleset named, else the only one there is that varies no other. Raises RulesetError where that is not one."""
    if named is not None:
        return ruleset(named)
    there = rulesets()
    whole = tuple(folder for folder in there if not _extends(folder))
    if len(whole) == 1:
        return whole[0]
    said = "there are several rulesets here" if there else "there is no ruleset here"
    hint = f"name one of {', '.join(f'`{folder.name}`' for folder in there)}" if there else "name one"
    raise RulesetError((Problem(Place(RULESETS), "no-rules", said, hint),))


def _extends(folder: Path) -> bool:
    """Whether a ruleset is a variant of another."""
    node, _ = read(folder / RULESET_FILE)
    return isinstance(node, Entries) and node.get("extends") is not None


def place_of(rules: Ruleset) -> Place:
    """Where a ruleset begins."""
    return Place(f"{rules.path}/{RULESET_FILE}")
