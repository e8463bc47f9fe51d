"""The commands that search: for what a change changes, for edits nobody notices, for games that go wrong, for proofs."""

# Typer reads annotations at run time, so nothing it needs is imported for type checking alone.
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from riftrules.cli.options import (
    CLUSTER,
    FIXTURES_TO,
    JSON,
    ONLY,
    done,
    processes,
)


def diff(
    old: Annotated[
        str, typer.Argument(metavar="OLD", help="A folder of rules, a ruleset's name, a git revision, or REVISION:PATH.")
    ],
    new: Annotated[str | None, typer.Argument(metavar="[NEW]", help="Likewise; without it, the rules as they are here.")] = None,
    *,
    ruleset: Annotated[str | None, typer.Option("--ruleset", metavar="RULESET", help="Which ruleset of the revisions.")] = None,
    fixtures: Annotated[list[Path] | None, typer.Option("--fixtures", metavar="PATH", help="Which scenarios to compare.")] = None,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="Search for a board that tells them apart; write it there."),
    ] = None,
    search: Annotated[bool, typer.Option("--search/--no-search", help="Search for a board where no scenario differs.")] = True,
    seconds: Annotated[float, typer.Option("--seconds", metavar="N", help="How long to search.")] = 60.0,
    workers: Annotated[str, typer.Option("-n", metavar="N", help="Play in so many processes; `auto`: one a processor.")] = "auto",
    cluster: CLUSTER = "",
    form: Annotated[str, typer.Option("--format", metavar="FORMAT", help="text, json or markdown.")] = "text",
    json: JSON = False,
) -> None:
    """Say what a change of rules changes: edits, scenarios that come out otherwise, and why; exit 1 where one does."""
    from riftrules.cli import comparing

    if form not in comparing.FORMATS:
        message = f"there is no format `{form}`: {', '.join(comparing.FORMATS)}"
        raise typer.BadParameter(message, param_hint="--format")
    shown = "json" if json else form
    asked = comparing.Asked(old, new, ruleset, fixtures or (), output, shown, seconds, search=search)
    done(comparing.diff(replace(asked, workers=processes(workers), cluster=cluster)))


def mutate(
    ruleset: Annotated[str | None, typer.Argument(metavar="[RULESET]", help="Name or folder of a ruleset.")] = None,
    *,
    fixtures: Annotated[list[Path] | None, typer.Option("--fixtures", metavar="PATH", help="Which scenarios to play.")] = None,
    only: ONLY = None,
    rules: Annotated[list[str] | None, typer.Option("--rule", metavar="RULE", help="Only edits of this rule.")] = None,
    since: Annotated[
        str | None, typer.Option("--since", metavar="REV", help="Only edits of what has changed since then.")
    ] = None,
    workers: Annotated[str, typer.Option("-n", metavar="N", help="In so many processes; `auto`: one a processor.")] = "auto",
    cluster: CLUSTER = "",
    boards: Annotated[
        int,
        typer.Option(
            "--boards",
            min=0,
            metavar="N",
            help="Search so many boards two changes away from each scenario; none: look for nothing.",
        ),
    ] = 6,
    least: Annotated[float, typer.Option("--min", min=0, max=100, metavar="PERCENT", help="Exit 1 where the score is less.")] = 0,
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="FOLDER", help="Write there what would kill.")] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Forget what an earlier run has found.")] = False,
    everything: Annotated[bool, typer.Option("--all", help="Show those proved the same too.")] = False,
    form: Annotated[str, typer.Option("--format", metavar="FORMAT", help="text, json or github.")] = "text",
    json: JSON = False,
) -> None:
    """Say which edits of the rules no scenario would notice."""
    from riftrules.cli import mutating

    if form not in mutating.FORMS:
        message = f"there is no format `{form}`: {', '.join(mutating.FORMS)}"
        raise typer.BadParameter(message, param_hint="--format")
    asked = mutating.Asked(ruleset, fixtures or (), only or (), rules or (), since, processes(workers), boards, least, output)
    asked = replace(asked, fresh=fresh, everything=everything, cluster=cluster)
    done(mutating.mutate(replace(asked, form="json" if json else form)))


def play(
    ruleset: Annotated[str | None, typer.Argument(metavar="[RULESET]", help="Name or folder of a ruleset.")] = None,
    *,
    games: Annotated[int, typer.Option("--games", metavar="N", min=1, help="So many, in turn of every scope and mode.")] = 50,
    scope: Annotated[str, typer.Option("--scope", metavar="NAME", help="In this scope, not in all that have a bound.")] = "",
    mode: Annotated[str, typer.Option("--mode", metavar="MODE", help="In this mode, not in every mode of the scope.")] = "",
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="The seed of the first game; the others count on.")] = 1,
    workers: Annotated[str, typer.Option("-n", metavar="N", help="In so many processes; `auto`: one a processor.")] = "1",
    cluster: CLUSTER = "",
    output: FIXTURES_TO = None,
    json: JSON = False,
) -> None:
    """Play random games: any move that is not refused, invariants looked at after each; exit 1 where something is wrong."""
    from riftrules.cli import playing

    done(playing.play(playing.Asked(games, ruleset, scope, mode, seed, processes(workers), cluster, output, json)))


def prove(
    ruleset: Annotated[str | None, typer.Argument(metavar="[RULESET]", help="Name or folder of a ruleset.")] = None,
    *,
    scope: Annotated[str, typer.Option("--scope", metavar="NAME", help="A scope of the ruleset; else its first.")] = "",
    mode: Annotated[str, typer.Option("--mode", metavar="MODE", help="In this mode, not the first of the scope.")] = "",
    depth: Annotated[int | None, typer.Option("--depth", metavar="N", min=1, help="So many moves, not the scope's.")] = None,
    workers: Annotated[str, typer.Option("-n", metavar="N", help="In so many processes; `auto`: one a processor.")] = "1",
    cluster: CLUSTER = "",
    output: FIXTURES_TO = None,
    seconds: Annotated[float | None, typer.Option("--seconds", metavar="N", help="Stop then; what is done is kept.")] = None,
    first: Annotated[bool, typer.Option("--first", help="Stop once something is found.")] = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="Begin anew; do not go on with what an earlier run has kept.")] = False,
    full: Annotated[bool, typer.Option("--full", help="Name every rule that is not in the scope, not the first few.")] = False,
    json: JSON = False,
) -> None:
    """Prove termination, confluence and invariants in a scope, or show the smallest board that speaks against it."""
    from riftrules.cli import proving

    asked = proving.Asked(scope, ruleset, mode, processes(workers), cluster, depth, output, seconds)
    done(proving.prove(replace(asked, first=first, fresh=fresh, full=full, json=json)))
