"""Runs every check of the linter over a ruleset."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from riftrules.analysis.lint.cards import exceptions_without_kind
from riftrules.analysis.lint.duplicates import repeated_rules
from riftrules.analysis.lint.ignoring import without_ignored
from riftrules.analysis.lint.matching import contradictions
from riftrules.analysis.lint.material import Material
from riftrules.analysis.lint.printed import unused_numbers
from riftrules.analysis.lint.repeating import endless_procedures
from riftrules.analysis.lint.scenarios import untested_rules
from riftrules.analysis.lint.standing import equal_standings
from riftrules.analysis.lint.unused import read_never_written, unused_declarations, unused_variables, written_never_read
from riftrules.errors import Problem
from riftrules.language.model import Ruleset

Check: TypeAlias = Callable[[Material], Iterator[Problem]]


@dataclass(frozen=True, slots=True)
class Code:
    """What the linter may say, in one sentence; its section is in `rulesets/README.md`."""

    name: str
    says: str


CODES = (
    Code("unused-variable", "A rule binds a variable and makes no use of it."),
    Code("unused-template", "A kind of fact that no rule reads or writes."),
    Code("unused-definition", "A definition that nothing uses."),
    Code("written-never-read", "A fact or field that rules write and nothing reads."),
    Code("read-never-written", "A fact or event that rules wait for and nothing makes."),
    Code("never-matches", "Tests that contradict each other, or ask for what a field never is."),
    Code("may-not-end", "A procedure that may repeat for ever."),
    Code("equal-standing", "Rules of the same standing that write one field differently."),
    Code("duplicate-rule", "A rule that says the same as another."),
    Code("subsumed-rule", "A rule that fires only where another does the same."),
    Code("never-fired", "A rule that no scenario lets fire."),
    Code("never-withheld", "A rule that no scenario comes to without letting it fire."),
    Code("unused-citation", "A printed rule of the index that nothing holds."),
    Code("exception-without-kind", "A card's rule that does not say of which card it is."),
    Code("unused-ignore", "A comment that ignores nothing."),
)

CHECKS: tuple[Check, ...] = (
    unused_variables,
    unused_declarations,
    written_never_read,
    read_never_written,
    contradictions,
    endless_procedures,
    equal_standings,
    repeated_rules,
    untested_rules,
    unused_numbers,
    exceptions_without_kind,
)


def lint(ruleset: Ruleset, fixtures: Sequence[Path] = ()) -> tuple[Problem, ...]:
    """Every doubt about a ruleset that no comment ignores, by place. `fixtures` are the files that may play it."""
    material = Material(ruleset, tuple(path for path in fixtures if _plays(path, ruleset)))
    found = [problem for check in CHECKS for problem in check(material) if material.is_own(problem.place)]
    return tuple(sorted(without_ignored(found, ruleset.files, frozenset(code.name for code in CODES))))


_RULESET = re.compile(r"^ruleset:[ ]*[\"']?([^\s\"'#]+)", re.MULTILINE)
_SCENARIO = re.compile(r"^\s*(?:- )?scenario:", re.MULTILINE)


def _plays(path: Path, ruleset: Ruleset) -> bool:
    """Whether a file holds scenarios that may be of this ruleset: it names it, or leaves that to a board."""
    text = path.read_text(encoding="utf-8", errors="replace")
    named = _RULESET.search(text)
    return _SCENARIO.search(text) is not None and (named is None or named[1] in {ruleset.name, Path(ruleset.path).name})
