"""`riftrules report`: one page of scenarios to look at."""

# Typer reads annotations at run time, so nothing it needs is imported for type checking alone.
from pathlib import Path
from typing import Annotated

import typer


def report(
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="Write the page there.")],
    paths: Annotated[list[Path] | None, typer.Argument(metavar="[PATHS]...", help="Fixture files or folders of them.")] = None,
    *,
    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            metavar="RULES",
            help="Show beside each how it goes by older rules: a folder, a ruleset, a git revision, or REVISION:PATH.",
        ),
    ] = None,
    only: Annotated[
        list[str] | None, typer.Option("-k", metavar="WORDS", help="Only scenarios whose name, id or path holds these.")
    ] = None,
    ruleset: Annotated[
        str | None, typer.Option("--ruleset", metavar="RULESET", help="Play on this ruleset, whatever fixtures name.")
    ] = None,
    title: Annotated[str, typer.Option("--title", metavar="TEXT", help="What the page is called.")] = "",
    workers: Annotated[str, typer.Option("-n", metavar="N", help="Play in so many processes; `auto`: one a processor.")] = "auto",
    lenient: Annotated[
        bool, typer.Option("--lenient", help="Answer open choices by the first option; allow what expects nothing.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Write one self-contained HTML page of scenarios: boards, firings, why. Exit 0 once it is written, whatever has failed."""
    from riftrules.cli import pages
    from riftrules.cli.processes import workers_of

    try:
        asked = pages.Asked(paths or [], output, only or [], ruleset, against, title, workers_of(workers), lenient=lenient)
    except ValueError:
        message = f"`{workers}` is neither `auto` nor a number from 1"
        raise typer.BadParameter(message, param_hint="-n") from None
    try:
        code = pages.report(asked, as_json_=json)
    except OSError as error:
        message = f"cannot write `{output}`: {error.strerror or error}"
        raise typer.BadParameter(message, param_hint="-o") from None
    raise typer.Exit(int(code))
