"""`--watch`: runs again what a change of files can affect, until it is interrupted."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from watchfiles import watch

from riftrules.analysis.rerunning import Rerunner
from riftrules.cli import checking, places, testing
from riftrules.cli.exits import Exit
from riftrules.errors import RulesetError
from riftrules.report.console import console, styled
from riftrules.scenario.files import SUFFIXES, find_fixtures
from riftrules.scenario.suite import Options, Progress, Suite

Changes: TypeAlias = Iterator[set[Path]]
"""The files that have changed, come or gone, again and again."""

DEBOUNCE = 100
"""Milliseconds in which changes are taken as one: an editor writes a file in several."""


def changes(folders: Sequence[Path]) -> Changes:
    """What changes under these folders. Ends by KeyboardInterrupt."""
    there = [folder for folder in folders if folder.exists()]
    for found in watch(*there, debounce=DEBOUNCE, step=DEBOUNCE // 2):
        paths = {Path(path) for _, path in found if path.endswith(SUFFIXES)}
        if paths:
            yield paths


def judge(asked: testing.Asked, among: Changes | None = None) -> Exit:
    """Judge, and judge again what each change can affect."""
    rerunner = Rerunner(asked.options())
    return _again(asked, among, rerunner, lambda changed: testing.test(asked, _judging(rerunner, changed)))


def run(asked: testing.Asked, among: Changes | None = None) -> Exit:
    """Show all runs, and show again those that each change can affect."""
    rerunner = Rerunner(asked.options())

    def show(changed: set[Path] | None) -> Exit:
        files = find_fixtures(places.fixtures(asked.paths)).files
        rerunner.suite(files, changed)
        return testing.run(replace(asked, paths=rerunner.ran)) if rerunner.ran else Exit.AS_EXPECTED

    return _again(asked, among, rerunner, show)


def check(named: Sequence[str], form: str, among: Changes | None = None) -> Exit:
    """Check, and check again the rulesets that each change can affect."""
    checker = checking.Checker()
    code = checker.check(named, form)
    for changed in among or changes(_folders(())):
        count = checker.forget(changed)
        _say(f"{len(changed)} files changed, {count} rulesets are checked again")
        code = checker.check(named, form)
    return code


def _again(asked: testing.Asked, among: Changes | None, rerunner: Rerunner, do: Callable[[set[Path] | None], Exit]) -> Exit:
    code = _once(do, None)
    for changed in among or changes(_folders(asked.paths, asked.ruleset)):
        code = _once(do, changed)
        if code is not None:
            _say(f"{len(rerunner.ran)} of {len(rerunner.results)} files ran again")
    return Exit.INVALID if code is None else code


def _once(do: Callable[[set[Path] | None], Exit], changed: set[Path] | None) -> Exit | None:
    """One turn; none where the rules are wrong: that is told, and what was known before is kept."""
    try:
        return do(changed)
    except RulesetError as error:
        sys.stdout.write(f"{error}\n")
        _say("the rules are wrong: what was known of them is kept until they are mended")
        return None


def _judging(rerunner: Rerunner, changed: set[Path] | None) -> testing.Judging:
    def judging(files: Sequence[Path], options: Options, *, workers: int = 1, progress: Progress | None = None) -> Suite:
        del options, workers, progress  # the rerunner has its options, and what is left to do is little
        return rerunner.suite(files, changed)

    return judging


def _folders(paths: Sequence[Path], ruleset: str | None = None) -> tuple[Path, ...]:
    """What is watched: the fixtures, and the rulesets they may name."""
    fixtures = places.fixtures(paths)
    beside = {
        folder / places.RULESETS for path in fixtures for folder in path.resolve().parents if (folder / places.RULESETS).is_dir()
    }
    named = (places.ruleset(ruleset),) if ruleset else ()
    return (*fixtures, *sorted(beside), *named)


def _say(text: str) -> None:
    console().print(styled((f"--- {text}", "dim")))
    sys.stdout.flush()
