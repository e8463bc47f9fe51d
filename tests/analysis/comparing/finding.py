"""Measures the search for a distinguishing board: on edits that the fixtures notice, but without showing it the fixtures.

`python -m tests.analysis.comparing.finding [COUNT] [SECONDS] [SEED]` says of each edit what was found and how soon.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from riftrules.analysis.comparing.mixing import Revision
from riftrules.analysis.comparing.names import lacking
from riftrules.analysis.comparing.search import Limits, Search
from riftrules.analysis.mutation.laboratory import Setup
from riftrules.analysis.mutation.mutants import Mutant, with_part
from riftrules.analysis.mutation.running import MutationRun, laboratory
from riftrules.language.loader import load_ruleset
from riftrules.language.model import Rule, Ruleset
from riftrules.language.rebuilding import rebuilt
from riftrules.scenario.files import find_fixtures

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "rulesets" / "riftbound"


@dataclass(frozen=True, slots=True)
class Tried:
    """One edit and what the search for a board came to."""

    mutant: Mutant
    found: bool
    seconds: float
    said: str
    text: str = ""


def noticed(count: int, seed: int = 1) -> tuple[Mutant, ...]:
    """So many mutants that the fixtures kill, the same ones every time."""
    setup = Setup(find_fixtures([ROOT / "fixtures"]).files, FOLDER)
    mutants = list(laboratory(setup).mutants)
    random.Random(seed).shuffle(mutants)
    names = {one.name for one in mutants[: 2 * count]}
    report = MutationRun(setup, lambda mutant: mutant.name in names, boards=0).run()
    killed = {mutant.name for mutant, judged in report.mutants if judged.status == "killed"}
    ruleset = laboratory(setup).ruleset
    whole = (one for one in mutants if one.name in killed and next(lacking(edited(one, ruleset)), None) is None)
    return tuple(whole)[:count]


def edited(mutant: Mutant, ruleset: Ruleset) -> Ruleset:
    """The ruleset with the mutant's edit."""
    if mutant.part is None:
        return replace(ruleset, rules=tuple(rule for rule in ruleset.rules if rule.id != mutant.rule))
    part = rebuilt(mutant.part, ruleset.templates) if isinstance(mutant.part, Rule) else mutant.part
    return with_part(ruleset, part)


def tried(mutants: Sequence[Mutant], seconds: float) -> Iterator[Tried]:
    """What a search for each comes to."""
    ruleset = load_ruleset(FOLDER)
    for mutant in mutants:
        begun = time.process_time()
        searched = Search(Revision(ruleset, edited(mutant, ruleset)), (), limits=Limits(seconds=seconds)).run()
        found = searched.found is not None and bool(searched.found.told.side)
        text = searched.found.text if searched.found else ""
        yield Tried(mutant, found, time.process_time() - begun, searched.said, text)


def main(count: int = 100, seconds: float = 60.0, seed: int = 1) -> None:
    """Print each edit, and the share found with the median and the 90th percentile of the time."""
    results: list[Tried] = []
    for one in tried(noticed(count, seed), seconds):
        results.append(one)
        print(f"{'found ' if one.found else 'MISSED'} {one.seconds:6.2f} s  {one.mutant.name}  ({one.said})", flush=True)  # noqa: T201 - a command
    times = sorted(one.seconds if one.found else seconds for one in results)
    share = 100 * sum(one.found for one in results) / len(results)
    print(  # noqa: T201 - likewise
        f"{share:.1f} % of {len(results)} found; median {statistics.median(times):.2f} s, "
        f"90th percentile {times[int(0.9 * (len(times) - 1))]:.2f} s"
    )


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
