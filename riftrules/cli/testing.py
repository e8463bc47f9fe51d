"""`riftrules test` and `riftrules run`: judge scenarios, or show them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from riftrules.cli import places
from riftrules.cli.exits import Exit, exit_of
from riftrules.cli.processes import workers_of
from riftrules.errors import Problem, RulesetError
from riftrules.language.problems import near
from riftrules.report.board import board_lines
from riftrules.report.console import as_json, console, counted, styled
from riftrules.report.problems import github_lines, print_problems, problem_data
from riftrules.report.runs import print_run, run_data
from riftrules.report.verdicts import junit, print_verdict, summary, verdict_data, verdict_lines
from riftrules.scenario.files import Found, find_fixtures
from riftrules.scenario.model import Verdict
from riftrules.scenario.suite import Judge, Options, Progress, Suite, judge
from riftrules.source.writing import write_whole

if TYPE_CHECKING:
    from riftrules.cli.covering import Covered  # loaded when it is asked for

SEVERAL = 20


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked for on the command line."""

    paths: Sequence[Path]
    only: Sequence[str] = ()
    ruleset: str | None = None
    engine: str = "engine"
    workers: str = "1"
    junit: Path | None = None
    trace: Path | None = None
    lenient: bool = False
    quiet: bool = False
    json: bool = False
    boards: bool = False
    accept: bool = False
    form: str = "text"
    coverage: bool = False
    least: Sequence[str] = ()
    each: bool = False
    full: bool = False
    cluster: str = ""

    def options(self) -> Options:
        """How the scenarios are to be judged. Raises RulesetError where the ruleset named is none."""
        folder = places.ruleset(self.ruleset) if self.ruleset else None
        words = tuple(word for text in self.only for word in text.split())
        bundled = places.bundled(places.RULESETS)
        # Baselines say what comes of the rules a fixture names, every choice answered.
        kept = folder is None and not self.lenient
        options = Options(self.engine, lenient=self.lenient, ruleset=folder, bundled=bundled, only=words, traces=self.trace)
        return replace(options, baselines=kept, accept=self.accept)

    @property
    def for_machines(self) -> bool:
        """Whether something is written that a machine reads, be the rules wrong or not."""
        return self.json or self.junit is not None or self.form != "text"


FORMS = ("text", "json", "github")


def misasked(asked: Asked) -> tuple[str, str] | None:
    """An option that was given what it does not take, and why; nothing where all is well."""
    if asked.form not in FORMS:
        return "--format", f"there is no format `{asked.form}`: {', '.join(FORMS)}"
    if asked.least:
        from riftrules.cli.covering import thresholds

        try:
            thresholds(asked.least)
        except ValueError as error:
            return "--min", str(error)
    return None


class Judging(Protocol):
    """Judges fixture files; `judge` is one."""

    def __call__(self, files: Sequence[Path], options: Options, *, workers: int = 1, progress: Progress | None = None) -> Suite:
        """The verdicts on every scenario of the files."""


def test(asked: Asked, judging: Judging | None = None) -> Exit:  # noqa: PT028 - it is a command, not a test
    """Judge the scenarios and say what has come of them."""
    paths = places.fixtures(asked.paths)
    found = find_fixtures(paths)
    wrong = tuple(problem for problem in found.problems if problem.severity == "error")
    suite = _judged(asked, found, judging or partial(judge, cluster=asked.cluster))
    suite = replace(suite, warnings=(*found.problems, *suite.warnings))
    code = Exit.INVALID if wrong else exit_of(suite)
    if code is Exit.AS_EXPECTED and _errors(suite.warnings):
        code = Exit.DIFFERS
    for path, text in suite.baselines:
        write_whole(path, text)
    if asked.junit is not None:
        asked.junit.parent.mkdir(parents=True, exist_ok=True)
        write_whole(asked.junit, junit(suite.verdicts))
    covered = _covered(found, paths, asked) if asked.coverage else None
    if code is Exit.AS_EXPECTED and covered is not None and not covered.is_met:
        code = Exit.DIFFERS
    if asked.json:
        coverage = {} if covered is None else {"coverage": covered.data()}
        print(as_json(_suite_data(suite, code) | coverage))  # noqa: T201 - JSON is not for a console
    elif asked.form == "github":
        unmet = () if covered is None else covered.problems()
        for line in (*github_lines(suite.warnings), *verdict_lines(suite.verdicts), *github_lines(unmet)):
            print(line)  # noqa: T201 - for a machine
    else:
        _print_suite(suite, found, asked)
        if covered is not None:
            covered.show(each=asked.each, full=asked.full)
    return code


def _judged(asked: Asked, found: Found, judging: Judging) -> Suite:
    """What has come of the scenarios. Wrong rules are a verdict where a machine reads the verdicts."""
    options = replace(asked.options(), draw=board_lines if asked.boards else None)
    try:
        return judging(found.files, options, workers=workers_of(asked.workers), progress=_progress())
    except RulesetError as error:
        if not asked.for_machines:
            raise
        sys.stderr.write(f"{error}\n")
        return Suite((Verdict("rules", error.problems[0].place, "invalid", problems=error.problems),))


def _covered(found: Found, paths: Sequence[Path], asked: Asked) -> Covered:
    from riftrules.cli.covering import covered

    return covered(found.files, paths, asked.options(), workers_of(asked.workers), asked.least)


def _progress() -> Progress | None:
    """Counts files on a terminal; silent elsewhere."""
    if not sys.stderr.isatty():
        return None

    def tell(done: int, all_: int) -> None:
        if all_ >= SEVERAL:
            end = "\r" if done < all_ else "\r\033[K"
            sys.stderr.write(f"{done} of {all_} files{end}")
            sys.stderr.flush()

    return tell


def _suite_data(suite: Suite, code: Exit) -> dict[str, object]:
    statuses = ("passed", "failed", "error", "invalid", "skipped")
    return {
        "exit": int(code),
        "counts": {status: suite.count(status) for status in statuses},
        "warnings": [problem_data(problem) for problem in suite.warnings],
        "baselines": [path.as_posix() for path, _ in suite.baselines],
        "scenarios": [verdict_data(verdict) for verdict in suite.verdicts],
    }


def _print_suite(suite: Suite, found: Found, asked: Asked) -> None:
    to = console()
    if not asked.quiet:
        if not asked.paths and (told := places.told("fixtures")):
            to.print(styled((told, "dim")))
        print_problems(suite.warnings, to)
    else:
        print_problems(_errors(suite.warnings), to)
    for verdict in suite.verdicts:
        if verdict.status not in {"passed", "skipped"} or (verdict.status == "skipped" and not asked.quiet):
            print_verdict(verdict, to)
    if not suite.verdicts:
        to.print(styled(_nothing(suite, found, asked)))
    elif not asked.quiet or exit_of(suite):
        to.print(styled((summary(suite.verdicts), "bold")))
    if asked.accept and not asked.quiet:
        to.print(styled(_accepted(suite)))


def _accepted(suite: Suite) -> str:
    """How many baselines were written, and what was not accepted."""
    others = len(suite.verdicts) - suite.count("passed") - suite.count("skipped")
    written = f"{counted(len(suite.baselines), 'baseline')} written"
    was = "was" if others == 1 else "were"
    return f"{written}; {counted(others, 'scenario')} did not pass and {was} not accepted" if others else written


def _errors(problems: Sequence[Problem]) -> tuple[Problem, ...]:
    return tuple(problem for problem in problems if problem.severity == "error")


def _nothing(suite: Suite, found: Found, asked: Asked) -> str:
    """Why nothing ran, with the names that were probably meant."""
    if not found.files:
        where = ", ".join(path.as_posix() for path in asked.paths) or "`fixtures`"
        return f"nothing ran: there is no fixture in {where}"
    if not suite.names:
        return "nothing ran: no file holds a scenario"
    wanted = " ".join(asked.only)
    hint = near(wanted, suite.names, otherwise=False) or _sharing(wanted, suite.names)
    return f"nothing ran: no scenario's name, id or path holds `{wanted}`" + (f"\n    hint: {hint}" if hint else "")


def _sharing(wanted: str, names: Sequence[str]) -> str:
    """A hint at the names that share words, or what looks like them, with what was asked for."""
    words = {word for name in names for word in name.split()}
    close = next((hint for word in wanted.split() if (hint := near(word, words, otherwise=False))), "")
    return close or f"there are {len(names)} scenarios, among them `{names[0]}`"


# ------------------------------------------------------------------------------------------------ run


def run(asked: Asked) -> Exit:
    """Play the scenarios and show each: its board, firings, result."""
    found = find_fixtures(places.fixtures(asked.paths))
    one = Judge(asked.options())
    to = console()
    if not asked.json:
        print_problems(found.problems, to)
    verdicts: list[Verdict] = []
    shown: list[dict[str, object]] = []
    for played in (played for path in found.files for played in one.runs(path)):
        verdicts.append(played if isinstance(played, Verdict) else played.verdict)
        if asked.json:
            shown.append(verdict_data(played) if isinstance(played, Verdict) else run_data(played))
        elif isinstance(played, Verdict):
            print_verdict(played, to)
        else:
            print_run(played, to)
    names = tuple(scenario.name for path in found.files for scenario in one.loaded(path).scenarios) if not verdicts else ()
    suite = Suite(tuple(verdicts), names or tuple(verdict.name for verdict in verdicts))
    code = Exit.INVALID if _errors(found.problems) else exit_of(suite)
    if asked.json:
        problems = [problem_data(problem) for problem in found.problems]
        print(as_json({"exit": int(code), "problems": problems, "runs": shown}))  # noqa: T201 - JSON is not for a console
    elif not verdicts:
        to.print(styled(_nothing(suite, found, asked)))
    return code
