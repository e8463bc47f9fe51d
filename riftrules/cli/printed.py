"""`riftrules rulebook`: which printed numbers are implemented, cited, tested, out of scope."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from riftrules.cli import places
from riftrules.cli.exits import Exit
from riftrules.errors import RulesetError
from riftrules.language.loader import load_ruleset
from riftrules.report.console import as_json, console, styled
from riftrules.report.rulebook import number_data, numbers_of, print_rulebook, rulebook_summary
from riftrules.scenario.files import Catalogue, find_fixtures
from riftrules.scenario.loading import load_file
from riftrules.scenario.model import Scenario
from riftrules.source.writing import write_whole


def rulebook(named: str | None, paths: Sequence[Path], *, html: Path | None = None, as_json_: bool) -> Exit:
    """Print the index of printed rules with what is made of each; exit 1 where one is neither held nor out of scope.

    With `html` it is written there as a page, and only counted on the screen.
    """
    folder = places.only_ruleset(named)
    ruleset = load_ruleset(folder)
    paths = places.fixtures(paths)
    missing_paths = tuple(one for one in find_fixtures(paths).problems if one.severity == "error")
    if missing_paths:
        raise RulesetError(missing_paths)
    numbers = numbers_of(ruleset, _scenarios(folder, ruleset.name, paths))
    missing = [number for number in numbers if number.status == "missing"]
    if as_json_:
        print(as_json({"ruleset": ruleset.name, "numbers": [number_data(number) for number in numbers]}))  # noqa: T201
    elif html is None:
        print_rulebook(numbers, console())
    if html is not None:
        from riftrules.report.html.index import rulebook_page

        write_whole(html, rulebook_page(numbers, ruleset.name, ruleset.edition))
        if not as_json_:
            console().print(styled(f"{html.as_posix()}: {rulebook_summary(numbers)}"))
    return Exit.DIFFERS if missing else Exit.AS_EXPECTED


def _scenarios(folder: Path, name: str, paths: Sequence[Path]) -> list[Scenario]:
    """The scenarios on this ruleset that can be read; those that cannot are for `riftrules test` to tell."""
    catalogue = Catalogue(bundled=places.bundled(places.RULESETS))
    catalogue.loaded[folder.resolve()] = load_ruleset(folder)
    found: list[Scenario] = []
    for file in find_fixtures(paths).files:
        try:
            loaded = load_file(file, catalogue).scenarios
        except RulesetError:
            continue
        found.extend(one.scenario for one in loaded if one.scenario and one.ruleset and one.ruleset.name == name)
    return found
