"""`riftrules check`: validates rulesets and says what is doubted about them."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from riftrules.analysis.lint.linting import CODES, lint
from riftrules.cli import places
from riftrules.cli.exits import Exit
from riftrules.errors import Place, Problem, RulesetError
from riftrules.language.loader import load_ruleset
from riftrules.language.model import Ruleset
from riftrules.report.console import as_json, console, styled
from riftrules.report.problems import github_lines, print_problems, problem_data, sarif
from riftrules.scenario.files import find_fixtures

FORMATS = ("text", "json", "github", "sarif")


def check(named: Sequence[str], form: str) -> Exit:
    """Load each ruleset named (all there are, where none is), print every problem, and doubt what is probably not meant."""
    loaded: list[Ruleset] = []
    problems: list[Problem] = []
    for folder in _folders(named, problems):
        try:
            ruleset = load_ruleset(folder)
        except RulesetError as error:
            problems.extend(error.problems)
        else:
            loaded.append(ruleset)
            problems.extend((*ruleset.warnings, *lint(ruleset, _fixtures())))
    if not loaded and not problems:
        problems.append(Problem(Place(places.RULESETS), "no-rules", "there is no ruleset here", "name the folder of one"))
    errors = any(problem.severity == "error" for problem in problems)
    doubts = any(problem.code in _SAYS for problem in problems)
    _print(sorted(problems), loaded, form)
    return Exit.INVALID if errors else Exit.DIFFERS if doubts else Exit.AS_EXPECTED


_SAYS = {code.name: code.says for code in CODES}


def _fixtures() -> tuple[Path, ...]:
    return find_fixtures(places.fixtures(())).files


def _folders(named: Sequence[str], problems: list[Problem]) -> list[Path]:
    if not named:
        return list(places.rulesets())
    found: list[Path] = []
    for name in named:
        try:
            found.append(places.ruleset(name))
        except RulesetError as error:
            problems.extend(error.problems)
    return found


def _print(problems: Sequence[Problem], loaded: Sequence[Ruleset], form: str) -> None:
    counts = [_counts(ruleset) for ruleset in loaded]
    match form:
        case "json":
            print(as_json({"problems": [problem_data(problem) for problem in problems], "rulesets": counts}))  # noqa: T201
        case "sarif":
            print(as_json(sarif(problems, version("riftrules"), _SAYS)))  # noqa: T201
        case "github":
            for line in github_lines(problems):
                print(line)  # noqa: T201
        case _:
            to = console()
            print_problems(problems, to)
            for count in counts:
                to.print(styled((f"{count['ruleset']}: ", "bold"), _said(count)))
            errors = sum(1 for problem in problems if problem.severity == "error")
            to.print(styled((f"{errors} errors, {len(problems) - errors} warnings", "bold red" if errors else "bold green")))


def _counts(ruleset: Ruleset) -> dict[str, object]:
    return {
        "ruleset": ruleset.name,
        "path": ruleset.path,
        "version": ruleset.version,
        "files": len(ruleset.files),
        "rules": len(ruleset.rules),
        "templates": sum(1 for template in ruleset.templates.values() if template.kind in {"standing", "singleton"}),
        "procedures": len(ruleset.procedures),
        "definitions": len(ruleset.definitions),
        "invariants": len(ruleset.invariants),
        "printed": len(ruleset.rulebook),
    }


def _said(counts: dict[str, object]) -> str:
    names = {"printed": "printed numbers", "templates": "kinds of fact"}
    keys = ("files", "rules", "templates", "procedures", "definitions", "invariants", "printed")
    return ", ".join(f"{counts[key]} {names.get(key, key)}" for key in keys)
