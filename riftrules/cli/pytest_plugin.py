"""A pytest plugin: fixtures collect as tests, so `pytest fixtures/` judges them, `-k` chooses and xdist shares them out.

Nothing but pytest is loaded until a fixture is met. A file is one where it is named on the command line, or where
some folder above it holds `rulesets` and it stands in `fixtures` there, or below a folder of that name.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from riftrules.scenario.loading import LoadedFile
    from riftrules.scenario.suite import Judge

FIXTURES, RULESETS = "fixtures", "rulesets"
SUFFIXES = (".yaml", ".yml")
JUDGE = pytest.StashKey["Judge"]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Offer what `riftrules test` offers."""
    group = parser.getgroup("riftrules", "scenarios of rules")
    group.addoption("--rules-engine", default="engine", metavar="ENGINE", help="`engine`, or the slower `reference`.")
    group.addoption("--rules-lenient", action="store_true", help="Answer open choices by the first option.")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """A fixture file as a collector of its scenarios; None of any other file."""
    if file_path.suffix not in SUFFIXES or not (parent.session.isinitpath(file_path) or _is_fixture(file_path)):
        return None
    return FixtureFile.from_parent(parent, path=file_path)


def _is_fixture(path: Path) -> bool:
    """Whether the file stands in a folder `fixtures` beside which, or beside one above, there is `rulesets`."""
    for folder in path.parents:
        if folder.name == FIXTURES:
            return any((above / RULESETS).is_dir() for above in folder.parents)
    return False


class FixtureFile(pytest.File):
    """A fixture file: its scenarios are tests. A board that scenarios share has none."""

    def collect(self) -> Iterator[ScenarioItem]:
        """A test for each scenario, named as it is, and found under its id too."""
        from riftrules.errors import RulesetError
        from riftrules.scenario.files import UNDECIDED

        if self.path.stem == UNDECIDED:
            return
        judge = _judge(self.config)
        try:
            loaded = judge.loaded(self.path)
        except RulesetError as error:
            message = f"the rules cannot be loaded:\n{error}"
            raise self.CollectError(message) from error
        for number, one in enumerate(loaded.scenarios, 1):
            id_ = one.scenario.id if one.scenario else ""
            name = f"{one.name} ({id_})" if id_ else one.name
            again = sum(1 for earlier in loaded.scenarios[: number - 1] if earlier.name == one.name)
            yield ScenarioItem.from_parent(self, name=f"{name} #{again + 1}" if again else name, loaded=loaded, number=number - 1)


def _judge(config: pytest.Config) -> Judge:
    """What judges, once for a session: rules are loaded and compiled once."""
    if JUDGE not in config.stash:
        from riftrules.cli import places
        from riftrules.scenario.suite import Judge, Options

        engine, lenient = config.getoption("--rules-engine"), config.getoption("--rules-lenient")
        config.stash[JUDGE] = Judge(Options(engine, lenient=lenient, bundled=places.bundled(RULESETS)))
    return config.stash[JUDGE]


class FailedScenario(Exception):  # noqa: N818 - it is shown, not handled
    """A scenario that is not as expected, in the words of `riftrules test`."""


class ScenarioItem(pytest.Item):
    """One scenario as a test."""

    def __init__(self, *, loaded: LoadedFile, number: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.loaded = loaded
        self.number = number
        place = self.place = loaded.scenarios[number].place
        self.user_properties.append(("place", f"{place.path}:{place.line}"))

    def runtest(self) -> None:
        """Judge it. Raises FailedScenario."""
        verdict = _judge(self.config).one(self.path, self.loaded, self.number)
        if verdict.status == "skipped":
            pytest.skip(verdict.reason)
        if verdict.status != "passed":
            from riftrules.report.verdicts import verdict_text

            raise FailedScenario(verdict_text(verdict))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """What is told of a failure: the verdict alone, without our own code."""
        if isinstance(excinfo.value, FailedScenario):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where the scenario stands, and its name."""
        return self.path, self.place.line - 1, self.name
