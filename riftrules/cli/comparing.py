"""`riftrules diff`: what a change of rules changes."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from riftrules.analysis.comparing.mixing import Revision
from riftrules.analysis.comparing.over_scenarios import Progress, compare, compare_with
from riftrules.analysis.comparing.players import Players
from riftrules.analysis.comparing.reading import scenarios_of
from riftrules.analysis.comparing.search import Limits, Search, Searched
from riftrules.cli import places
from riftrules.cli.exits import Exit
from riftrules.cli.revisions import Side, loaded, sides, was_not_there
from riftrules.errors import RulesetError
from riftrules.language.model import Ruleset
from riftrules.report.comparison_markdown import markdown
from riftrules.report.comparison_text import print_comparison, print_comparisons
from riftrules.report.comparisons import Compared, comparison_data
from riftrules.report.console import as_json, console, styled
from riftrules.scenario.files import find_fixtures
from riftrules.scenario.workers import crew
from riftrules.source.writing import write_whole

FORMATS = ("text", "json", "markdown")
SEVERAL = 20
MANY = 40


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked for on the command line."""

    old: str
    new: str | None = None
    ruleset: str | None = None
    fixtures: Sequence[Path] = ()
    output: Path | None = None
    form: str = "text"
    seconds: float = 60.0
    search: bool = True
    workers: int = 1
    cluster: str = ""


def diff(asked: Asked) -> Exit:
    """Compare each pair of rulesets named and say what differs: exit 1 where something comes out otherwise."""
    found: list[Compared] = []
    for old, new in sides(asked.old, asked.new, asked.ruleset):
        with loaded((old, new)) as (before, after):
            found.append(_compared(asked, (old, new), _there(before, old), _there(after, new)))
    written = _write(asked, found)
    _print(asked, found, written)
    return Exit.DIFFERS if any(one.plays_differently for one in found) else Exit.AS_EXPECTED


def _alone(asked: Asked, one: Compared) -> str:
    """The command that compares one of several rulesets alone."""
    revisions = [asked.old, *([asked.new] if asked.new is not None else [])]
    return " ".join(("riftrules", "diff", *revisions, "--ruleset", Path(one.new).name))


def _there(ruleset: Ruleset | None, side: Side) -> Ruleset:
    if ruleset is None:
        raise RulesetError((was_not_there(side),))
    return ruleset


def _compared(asked: Asked, named: tuple[Side, Side], old: Ruleset, new: Ruleset) -> Compared:
    revision, players = Revision(old, new), Players()
    files = find_fixtures(places.fixtures(asked.fixtures)).files
    if asked.cluster or (asked.workers > 1 and len(files) >= MANY):
        with crew(asked.workers, asked.cluster) as workers:
            comparison = compare_with(workers, revision, files)
    else:
        comparison = compare(revision, files, players, _progress())
    same = not (comparison.cases or comparison.one_sided)
    searched: Searched | None = None
    if asked.search and revision.playing and (same or asked.output is not None):
        seeds = scenarios_of(files, revision)
        searched = Search(revision, seeds, limits=Limits(seconds=asked.seconds)).run()
    return Compared(named[0].name, named[1].name, comparison, searched)


def _progress() -> Progress | None:
    """Counts scenarios on a terminal; silent elsewhere."""
    if not sys.stderr.isatty():
        return None

    def tell(done: int, all_: int) -> None:
        if all_ >= SEVERAL:
            sys.stderr.write(f"{done} of {all_} scenarios" + ("\r" if done < all_ else "\r\033[K"))
            sys.stderr.flush()

    return tell


def _write(asked: Asked, found: Sequence[Compared]) -> bool:
    """Write the fixture that was found, where one was asked for."""
    texts = [one.searched.found.text for one in found if one.searched is not None and one.searched.found is not None]
    if asked.output is None or not texts:
        return False
    asked.output.parent.mkdir(parents=True, exist_ok=True)
    for number, text in enumerate(texts, 1):
        path = asked.output if number == 1 else asked.output.with_stem(f"{asked.output.stem}-{number}")
        write_whole(path, text)
    return True


def _print(asked: Asked, found: Sequence[Compared], written: bool) -> None:  # noqa: FBT001 - a private step
    match asked.form:
        case "json":
            print(as_json({"comparisons": [comparison_data(one) for one in found]}))  # noqa: T201 - JSON is not for a console
        case "markdown":
            print("\n".join(markdown(one) for one in found), end="")  # noqa: T201 - likewise
        case _:
            to = console()
            if len(found) == 1:
                print_comparison(found[0], to)
            else:
                print_comparisons(found, to, lambda one: _alone(asked, one))
            if written and asked.output is not None:
                to.print(styled(f"the fixture is in {asked.output.as_posix()}"))
