"""`riftrules check`: validates rulesets and says what is doubted about them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib.metadata import version
from pathlib import Path

from riftrules.analysis.lint.linting import CODES, lint
from riftrules.cli import places
from riftrules.cli.exits import Exit
from riftrules.errors import Place, Problem, RulesetError
from riftrules.language.loader import load_ruleset
from riftrules.language.model import Ruleset
from riftrules.report.console import as_json, console, counted, styled
from riftrules.report.problems import github_lines, print_problems, problem_data, sarif
from riftrules.scenario.files import find_fixtures

FORMATS = ("text", "json", "github", "sarif")


def check(named: Sequence[str], form: str) -> Exit:
    """Load each ruleset named (all there are, where none is), print every problem, and doubt what is probably not meant."""
    return Checker().check(named, form)


class Checker:
    """Checks rulesets; what is known of one is kept until something it hangs on is forgotten."""

    def __init__(self) -> None:
        self._known: dict[Path, tuple[Ruleset | None, tuple[Problem, ...]]] = {}

    def check(self, named: Sequence[str], form: str) -> Exit:
        """Print every problem and doubt of the rulesets."""
        problems: list[Problem] = []
        known = [self._checked(folder) for folder in _folders(named, problems)]
        loaded = [ruleset for ruleset, _ in known if ruleset is not None]
        problems.extend(problem for _, found in known for problem in found)
        problems = list({(problem.place, problem.code, problem.hint): problem for problem in reversed(problems)}.values())
        if not loaded and not problems:
            problems.append(Problem(Place(places.RULESETS), "no-rules", "there is no ruleset here", "name the folder of one"))
        errors = any(problem.severity == "error" for problem in problems)
        doubts = any(problem.code in _SAYS for problem in problems)
        _print(sorted(problems), loaded, form)
        return Exit.INVALID if errors else Exit.DIFFERS if doubts else Exit.AS_EXPECTED

    def _checked(self, folder: Path) -> tuple[Ruleset | None, tuple[Problem, ...]]:
        key = folder.resolve()
        if key not in self._known:
            try:
                ruleset = load_ruleset(folder)
            except RulesetError as error:
                self._known[key] = (None, error.problems)
            else:
                self._known[key] = (ruleset, (*ruleset.warnings, *lint(ruleset, _fixtures())))
        return self._known[key]

    def forget(self, changed: Iterable[Path]) -> int:
        """Forget the rulesets that a change of these files can affect; how many they are."""
        paths = {path.resolve() for path in changed}
        stale = [folder for folder, (ruleset, _) in self._known.items() if _affects(paths, folder, ruleset)]
        for folder in stale:
            del self._known[folder]
        return len(stale)


def _affects(paths: set[Path], folder: Path, ruleset: Ruleset | None) -> bool:
    """Whether a change is within the ruleset or one it extends, or outside of all rulesets: then it may be of a fixture."""
    if ruleset is None:
        return True
    folders = {folder, *(Path(name).resolve().parent for name in ruleset.files)}
    others = places.RULESETS
    return any(any(path.is_relative_to(one) for one in folders) or others not in path.parts for path in paths)


_SAYS = {code.name: code.says for code in CODES}


def _fixtures() -> tuple[Path, ...]:
    return find_fixtures(places.fixtures(())).files


def _folders(named: Sequence[str], problems: list[Problem]) -> list[Path]:
    if not named:
        problems.extend(places.lost())
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
            if loaded and (told := places.told("rulesets")):
                to.print(styled((told, "dim")))
            print_problems(problems, to)
            for count in counts:
                to.print(styled((f"{count['ruleset']}: ", "bold"), _said(count)))
            errors = sum(1 for problem in problems if problem.severity == "error")
            said = f"{counted(errors, 'error')}, {counted(len(problems) - errors, 'warning')}"
            to.print(styled((said, "bold red" if errors else "bold green")))


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
    names = {"printed": ("printed number", "s"), "templates": ("kind", "s of fact")}
    found = []
    for key in ("files", "rules", "templates", "procedures", "definitions", "invariants", "printed"):
        one, more = names.get(key, (key.removesuffix("s"), "s"))
        number = counts[key]
        found.append(f"{number} {one}{more.removeprefix('s') if number == 1 else more}")
    return ", ".join(found)
