"""Folders of cards, and the writing of new files into them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from riftrules.analysis.lint.material import Material
from riftrules.cli import places
from riftrules.errors import Place, Problem, RulesetError
from riftrules.language.loader import load_ruleset
from riftrules.language.model import Ruleset
from riftrules.language.problems import near
from riftrules.report.console import console, styled
from riftrules.source.writing import write_whole


def card_folder(kind: str) -> str:
    """The folder of cards that a word means: `lamps` for `lamp`; empty where it means none."""
    for folder in places.rulesets():
        try:
            ruleset = load_ruleset(folder)
        except RulesetError:
            continue
        template = ruleset.templates.get(kind)
        cards = Material(ruleset).cards
        if kind in cards or (template is not None and template.plural in cards):
            return kind if kind in cards else template.plural if template is not None else ""
    return ""


def template_of(folder: str, ruleset: Ruleset) -> str:
    """The kind of fact whose cards a folder holds. Raises RulesetError where it is no folder of cards."""
    cards = Material(ruleset).cards
    plurals = {one.plural: name for name, one in ruleset.templates.items() if one.plural}
    if folder not in cards or folder not in plurals:
        hint = near(folder, [card for card in cards if card in plurals])
        said = f"`{folder}` is no folder of cards of `{ruleset.name}`"
        raise RulesetError((Problem(Place(ruleset.path), "unknown-folder", said, hint),))
    return plurals[folder]


def slug(name: str) -> str:
    """A name as the name of a file."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower().replace("'", "")).strip("-")


def write(files: Mapping[Path, str]) -> None:
    """Write new files, all or none. Raises RulesetError where one is there already."""
    there = [path for path in files if path.exists()]
    if there:
        said = "this file is here already"
        raise RulesetError(tuple(Problem(Place(path.as_posix()), "not-empty", said, "call it otherwise") for path in there))
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text)
        console().print(styled(("wrote ", "green"), path.as_posix()))
