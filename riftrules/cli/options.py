"""Options that several commands have, and what is made of them."""

# Typer reads annotations at run time, so nothing it needs is imported for type checking alone.
from pathlib import Path
from typing import Annotated, NoReturn

import typer

PATHS = Annotated[list[Path] | None, typer.Argument(metavar="[PATHS]...", help="Fixture files or folders of them.")]
RULESET = Annotated[
    str | None, typer.Option("--ruleset", metavar="RULESET", help="Play on this ruleset, whatever fixtures name.")
]
ENGINE = Annotated[str, typer.Option("--engine", metavar="ENGINE", help="`engine`, or the slower `reference`.")]
LENIENT = Annotated[bool, typer.Option("--lenient", help="Answer open choices by the first option; allow what expects nothing.")]
WATCH = Annotated[bool, typer.Option("--watch", help="Again after every change of a file, as far as it can affect.")]
JSON = Annotated[bool, typer.Option("--json", help="Print JSON.")]
TRACE = Annotated[Path | None, typer.Option("--trace", metavar="FOLDER", help="Save traces in this folder.")]
ONLY = Annotated[list[str] | None, typer.Option("-k", metavar="WORDS", help="Only scenarios whose name, id or path holds these.")]
CLUSTER = Annotated[str, typer.Option("--cluster", metavar="ADDRESS", help="On the workers of this Dask scheduler.")]
FIXTURES_TO = Annotated[
    Path | None, typer.Option("-o", "--output", metavar="FOLDER", help="Write counterexamples there, as fixtures.")
]
OUTPUT = Annotated[Path | None, typer.Option("-o", "--output", metavar="PATH", help="Write there, not on the screen.")]


def done(code: int) -> NoReturn:
    """End with this exit code."""
    raise typer.Exit(int(code))


def known_engine(engine: str) -> str:
    """The engine, if there is one of this name."""
    from riftrules.scenario.session import ENGINES

    if engine not in ENGINES:
        message = f"there is no engine `{engine}`: {' or '.join(ENGINES)}"
        raise typer.BadParameter(message, param_hint="--engine")
    return engine


def processes(workers: str) -> int:
    """How many processes these are."""
    from riftrules.cli.processes import workers_of

    try:
        return workers_of(workers)
    except ValueError:
        message = f"`{workers}` is neither `auto` nor a number from 1"
        raise typer.BadParameter(message, param_hint="-n") from None
