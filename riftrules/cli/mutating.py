"""`riftrules mutate`: which edits of the rules no scenario would notice."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from riftrules.analysis.comparing.bare import bare
from riftrules.analysis.mutation.journal import Journal, digest
from riftrules.analysis.mutation.laboratory import Setup
from riftrules.analysis.mutation.mutants import Mutant
from riftrules.analysis.mutation.running import MutationRun, Report
from riftrules.cli import places, revisions
from riftrules.cli.exits import Exit
from riftrules.errors import Place, Problem, RulesetError
from riftrules.language.loader import load_ruleset
from riftrules.language.model import Ruleset
from riftrules.language.problems import near
from riftrules.report.console import as_json, console, styled
from riftrules.report.mutants import mutants_data, print_mutants, survivor_problems
from riftrules.report.problems import github_lines
from riftrules.scenario.files import find_fixtures
from riftrules.source.writing import write_whole

FORMS = ("text", "json", "github")
KEPT = Path(".riftrules") / "mutants"


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked for on the command line. `rules` and `since` choose mutants; `boards` are searched near each scenario."""

    ruleset: str | None
    fixtures: Sequence[Path] = ()
    only: Sequence[str] = ()
    rules: Sequence[str] = ()
    since: str | None = None
    workers: int = 1
    boards: int = 6
    least: float = 0.0
    output: Path | None = None
    fresh: bool = False
    everything: bool = False
    form: str = "text"
    cluster: str = ""


def mutate(asked: Asked) -> Exit:
    """Judge mutants and say which survive."""
    folder = places.only_ruleset(asked.ruleset)
    ruleset = load_ruleset(folder)
    chosen = _chosen(asked, ruleset, folder)
    setup = _setup(asked, folder)
    begun = time.monotonic()
    run = MutationRun(setup, chosen, asked.workers, asked.boards, _progress(), _journal(asked, setup), asked.cluster)
    report = replace(run.run(), seconds=time.monotonic() - begun)
    if asked.output is not None:
        _write(report, asked.output)
    code = _exit(report, asked.least)
    _print(report, asked, code)
    return code


def _words(asked: Asked) -> tuple[str, ...]:
    return tuple(word for text in asked.only for word in text.split())


def _setup(asked: Asked, folder: Path) -> Setup:
    files = find_fixtures(places.fixtures(asked.fixtures)).files
    rules = [path for path in folder.parent.rglob("*") if path.is_file() and path.suffix in {".yaml", ".yml"}]
    text = digest((*files, *rules), str(asked.boards), *_words(asked))
    return Setup(files, folder, places.bundled(places.RULESETS), _words(asked), text)


def _journal(asked: Asked, setup: Setup) -> Journal:
    """What an earlier run over the same files has found, unless a fresh start is asked for."""
    kept = KEPT / f"{setup.digest}.jsonl"
    if asked.fresh:
        kept.unlink(missing_ok=True)
    return Journal(kept)


def _chosen(asked: Asked, ruleset: Ruleset, folder: Path) -> Callable[[Mutant], bool]:
    """Which mutants: of the rules named, or of what has changed since a revision. Raises RulesetError."""
    known = {rule.id for rule in ruleset.rules}
    for name in asked.rules:
        if name not in known:
            raise RulesetError((Problem(Place(ruleset.path), "unknown-rule", f"there is no rule `{name}`", near(name, known)),))
    touched = _touched(asked.since, ruleset, folder) if asked.since else None

    def chosen(mutant: Mutant) -> bool:
        return (not asked.rules or mutant.rule in asked.rules) and (touched is None or mutant.holder in touched)

    return chosen


def _touched(since: str, ruleset: Ruleset, folder: Path) -> frozenset[str]:
    """What is otherwise than it was in a revision: all that was not there, and all that has been edited."""
    if not revisions.known(since):
        raise RulesetError((Problem(Place(since), "unknown-revision", f"git knows no revision `{since}` here"),))
    with revisions.loaded((revisions.Side(folder, since),)) as (old,):
        before = {} if old is None else _parts(old)
    return frozenset(name for name, part in _parts(ruleset).items() if before.get(name) != part)


def _parts(ruleset: Ruleset) -> dict[str, object]:
    """Everything mutants are of, without its places."""
    found: dict[str, object] = {f"rule {rule.id}": bare(replace(rule, number=0)) for rule in ruleset.rules}
    found |= {f"definition {name}": bare(one) for name, one in ruleset.definitions.items()}
    found |= {f"procedure {name}": bare(one) for name, one in ruleset.procedures.items()}
    found |= {f"step {name}": bare(one) for name, one in ruleset.steps.items()}
    for template in ruleset.templates.values():
        found |= {f"field {template.name}.{name}": bare(one) for name, one in template.derived.items()}
    return found


def _progress() -> Callable[[str, int, int], None]:
    """Counts on a terminal, with the time it has taken; silent elsewhere."""
    begun = time.monotonic()

    def tell(what: str, done: int, of: int) -> None:
        if sys.stderr.isatty():
            end = "\r" if done < of or what not in {"boards", "proofs", "near boards"} else "\r\033[K"
            sys.stderr.write(f"\033[K{what}: {done} of {of}, {time.monotonic() - begun:.0f} s{end}")
            sys.stderr.flush()

    return tell


def _exit(report: Report, least: float) -> Exit:
    if not report.finished:
        return Exit.UNFINISHED
    if not report.mutants or not report.scenarios:
        return Exit.NOTHING_RAN
    return Exit.DIFFERS if report.score < least else Exit.AS_EXPECTED


def _print(report: Report, asked: Asked, code: Exit) -> None:
    match asked.form:
        case "json":
            print(as_json(mutants_data(report, int(code))))  # noqa: T201 - JSON is not for a console
        case "github":
            for line in github_lines(tuple(survivor_problems(report))):
                print(line)  # noqa: T201 - for a machine
        case _ if code is Exit.NOTHING_RAN:
            console().print(styled(_nothing(report, asked)))
        case _:
            print_mutants(report, console(), asked.least, everything=asked.everything)


def _nothing(report: Report, asked: Asked) -> str:
    if not report.scenarios:
        return f"nothing ran: no scenario of `{report.ruleset}` passes here"
    return f"nothing ran: no rule has changed since `{asked.since}`" if asked.since else "nothing ran: there is nothing to edit"


def _write(report: Report, folder: Path) -> None:
    """Each witness as a fixture of its own, named for what it is about."""
    folder.mkdir(parents=True, exist_ok=True)
    count: dict[str, int] = {}
    for mutant, judged in report.mutants:
        if judged.witness is not None and judged.status == "survived":
            stem = re.sub(r"[^a-z0-9.]+", "-", mutant.holder.lower()).strip("-")
            count[stem] = count.get(stem, 0) + 1
            write_whole(folder / f"{stem}-{count[stem]}.yaml", judged.witness.text)
