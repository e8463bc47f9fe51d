"""What `riftrules report` does: plays scenarios, writes their page, and says what is on it."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from riftrules.cli import places
from riftrules.cli.exits import Exit
from riftrules.cli.revisions import older
from riftrules.report.console import as_json, console, styled
from riftrules.report.html.gathering import shares_of
from riftrules.report.html.page import STATUSES, report_page
from riftrules.report.html.stories import Story
from riftrules.report.problems import print_problems, problem_data
from riftrules.scenario.files import find_fixtures
from riftrules.scenario.suite import Options
from riftrules.source.writing import write_whole


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked for on the command line."""

    paths: Sequence[Path]
    output: Path
    only: Sequence[str] = ()
    ruleset: str | None = None
    against: str | None = None
    title: str = ""
    workers: int = 1
    lenient: bool = False

    def options(self) -> Options:
        """How the scenarios are to be played. Raises RulesetError where the ruleset named is none."""
        folder = places.ruleset(self.ruleset) if self.ruleset else None
        words = tuple(word for text in self.only for word in text.split())
        return Options(lenient=self.lenient, ruleset=folder, bundled=places.bundled(places.RULESETS), only=words)


def report(asked: Asked, *, as_json_: bool) -> Exit:
    """Write the page. Raises RulesetError where rules cannot be loaded, and OSError where the page cannot be written."""
    paths = places.fixtures(asked.paths)
    found = find_fixtures(paths)
    gc.disable()  # one big value is made and written, then the process ends: looking for garbage in it takes a third of the time
    try:
        options = asked.options()
        with older(options, asked.against) as against:
            shares = list(shares_of(found.files, options, against=against, workers=asked.workers))
        stories = [story for share in shares for story in share.stories]
        title = asked.title or ", ".join(path.as_posix() for path in paths)
        size = _write(asked.output, report_page(shares, title)) if stories else 0
    finally:
        gc.enable()
    counts = Counter(story.status for story in stories)
    if as_json_:
        problems = [problem_data(problem) for problem in found.problems]
        written = asked.output.as_posix() if stories else None
        print(as_json({"written": written, "bytes": size, "counts": dict(sorted(counts.items())), "problems": problems}))  # noqa: T201 - JSON is not for a console
    else:
        to = console()
        print_problems(found.problems, to)
        to.print(styled(_said(asked, stories, counts)))
    if any(problem.severity == "error" for problem in found.problems):
        return Exit.INVALID
    return Exit.AS_EXPECTED if stories else Exit.NOTHING_RAN


def _write(path: Path, text: str) -> int:
    data = text.encode("utf-8")
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, data)
    return len(data)


def _said(asked: Asked, stories: Sequence[Story], counts: Counter[str]) -> str:
    if not stories:
        return "nothing was written: there is no scenario to show"
    told = ", ".join(f"{counts[status]} {name}" for status, name in STATUSES.items() if counts[status])
    return f"{asked.output.as_posix()}: {len(stories)} scenarios, {told}"
