"""The commands and their options; each loads what it needs only when it is called."""

import os

# Typer reads annotations at run time, so nothing it needs is imported for type checking alone.
from dataclasses import replace
from inspect import getdoc
from pathlib import Path
from typing import Annotated

import typer

from riftrules.cli.beginning import Kinds, card, rule, scenario
from riftrules.cli.explain import explain
from riftrules.cli.options import (
    CLUSTER,
    ENGINE,
    JSON,
    LENIENT,
    ONLY,
    OUTPUT,
    PATHS,
    RULESET,
    TRACE,
    WATCH,
    done,
    known_engine,
    processes,
)
from riftrules.cli.report import report
from riftrules.cli.searching import diff, mutate, play, prove

app = typer.Typer(
    name="riftrules",
    help="A declarative rules engine: play scenarios, judge them, check rules.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
new = typer.Typer(cls=Kinds, help="Write the beginnings of something.", no_args_is_help=True, rich_markup_mode=None)
app.add_typer(new, name="new")


def _version(asked: bool) -> None:  # noqa: FBT001 - Typer calls it with what was typed
    if asked:
        from importlib.metadata import version

        typer.echo(f"riftrules {version('riftrules')}")
        raise typer.Exit


@app.callback()
def riftrules(
    *, version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")] = False
) -> None:
    """A declarative rules engine: play scenarios, judge them, check rules."""


@app.command()
def run(
    paths: PATHS = None,
    *,
    only: ONLY = None,
    ruleset: RULESET = None,
    engine: ENGINE = "engine",
    trace: TRACE = None,
    lenient: LENIENT = False,
    step: Annotated[bool, typer.Option("--step", help="Go through one scenario firing by firing, forward and back.")] = False,
    watch: WATCH = False,
    json: JSON = False,
) -> None:
    """Play scenarios and show the board, each firing and the result."""
    from riftrules.cli import testing

    if step:
        from riftrules.cli.explain import one_scenario
        from riftrules.cli.stepping import step as go

        if len(paths or ()) != 1 or json:
            message = "one fixture at a time, and not as JSON"
            raise typer.BadParameter(message, param_hint="--step")
        done(go(*one_scenario((paths or [])[0], only or (), ruleset)))
    asked = testing.Asked(paths or (), only or (), ruleset, known_engine(engine), trace=trace, lenient=lenient, json=json)
    if watch:
        from riftrules.cli import watching

        done(watching.run(asked))
    done(testing.run(asked))


@app.command("test")
def judge(
    paths: PATHS = None,
    *,
    only: ONLY = None,
    workers: Annotated[str, typer.Option("-n", metavar="N", help="Judge in so many processes; `auto`: one a processor.")] = "1",
    cluster: CLUSTER = "",
    junit: Annotated[Path | None, typer.Option("--junit", metavar="FILE", help="Write JUnit XML there.")] = None,
    ruleset: RULESET = None,
    engine: ENGINE = "engine",
    trace: TRACE = None,
    lenient: LENIENT = False,
    accept: Annotated[bool, typer.Option("--accept", help="Keep what comes of the scenarios as their baselines.")] = False,
    coverage: Annotated[bool, typer.Option("--coverage", help="Say what of the rules the scenarios reach.")] = False,
    least: Annotated[
        list[str] | None, typer.Option("--min", metavar="[KIND=]PERCENT", help="Exit 1 where less is reached; with coverage.")
    ] = None,
    each: Annotated[bool, typer.Option("--each", help="With coverage: a line for each scenario.")] = False,
    full: Annotated[
        bool, typer.Option("--full", help="With coverage: every line of what is left, of several rulesets too.")
    ] = False,
    boards: Annotated[bool, typer.Option("--boards", help="Draw the board of each scenario that has failed.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print only what is not as expected.")] = False,
    form: Annotated[str, typer.Option("--format", metavar="FORMAT", help="text, json or github.")] = "text",
    watch: WATCH = False,
    json: JSON = False,
) -> None:
    """Judge scenarios: exit 0 where all are as expected."""
    from riftrules.cli import testing

    if accept and os.environ.get("CI"):
        message = "baselines are accepted by a person, never in CI"
        raise typer.BadParameter(message, param_hint="--accept")
    if accept and (ruleset is not None or lenient):
        message = "a baseline says what comes of the rules a fixture names, strictly: leave out `--ruleset` and `--lenient`"
        raise typer.BadParameter(message, param_hint="--accept")
    processes(workers)
    asked = testing.Asked(
        paths or (), only or (), ruleset, known_engine(engine), workers, junit, trace, lenient=lenient, quiet=quiet, json=json
    )
    asked = replace(asked, boards=boards, cluster=cluster, accept=accept, form=form, json=json or form == "json")
    asked = replace(asked, coverage=coverage or each or full or bool(least), least=tuple(least or ()), each=each, full=full)
    wrong = testing.misasked(asked)
    if wrong:
        raise typer.BadParameter(wrong[1], param_hint=wrong[0])
    if watch:
        from riftrules.cli import watching

        if accept or coverage or each or least or junit is not None:
            message = "it judges, and does nothing else: leave out `--accept`, `--coverage`, `--min`, `--each` and `--junit`"
            raise typer.BadParameter(message, param_hint="--watch")
        done(watching.judge(asked))
    done(testing.test(asked))


@app.command()
def check(
    rulesets: Annotated[list[str] | None, typer.Argument(metavar="[RULESET]...", help="Names or folders of rulesets.")] = None,
    *,
    form: Annotated[str, typer.Option("--format", metavar="FORMAT", help="text, json, github or sarif.")] = "text",
    watch: WATCH = False,
    json: JSON = False,
) -> None:
    """Validate rulesets: every problem at once, with its place."""
    from riftrules.cli import checking

    if form not in checking.FORMATS:
        message = f"there is no format `{form}`: {', '.join(checking.FORMATS)}"
        raise typer.BadParameter(message, param_hint="--format")
    if watch:
        from riftrules.cli import watching

        done(watching.check(rulesets or (), "json" if json else form))
    done(checking.check(rulesets or (), "json" if json else form))


app.command()(diff)
app.command()(mutate)
app.command()(play)
app.command()(prove)


@app.command()
def graph(
    ruleset: Annotated[str | None, typer.Argument(metavar="[RULESET]", help="Name or folder of a ruleset.")] = None,
    *,
    rules: Annotated[list[str] | None, typer.Option("--rule", metavar="RULE", help="Only this rule and its neighbours.")] = None,
    since: Annotated[str | None, typer.Option("--since", metavar="REVISION", help="Mark what has changed since.")] = None,
    form: Annotated[str | None, typer.Option("--format", metavar="FORMAT", help="mermaid, svg, text or json.")] = None,
    output: OUTPUT = None,
    json: JSON = False,
) -> None:
    """Draw who writes what whom reads; with --since, which rules changed and which they may reach."""
    from riftrules.cli import graphing

    if form is not None and form not in graphing.FORMATS:
        message = f"there is no format `{form}`: {', '.join(graphing.FORMATS)}"
        raise typer.BadParameter(message, param_hint="--format")
    done(graphing.graph(graphing.Asked(ruleset, rules or (), since, "json" if json else form, output)))


@app.command()
def rulebook(
    ruleset: Annotated[str | None, typer.Argument(metavar="[RULESET]", help="Name or folder of a ruleset.")] = None,
    fixtures: Annotated[
        list[Path] | None, typer.Option("--fixtures", metavar="PATH", help="Where scenarios cite numbers.")
    ] = None,
    *,
    html: Annotated[Path | None, typer.Option("--html", metavar="FILE", help="Write the index as one HTML page there.")] = None,
    json: JSON = False,
) -> None:
    """Say which printed rules are implemented, cited, tested, out of scope; exit 1 where one is nothing of it."""
    from riftrules.cli import printed

    done(printed.rulebook(ruleset, fixtures or (), html=html, as_json_=json))


@app.command()
def schema(
    kind: Annotated[
        str | None, typer.Argument(metavar="[KIND]", help="Of which kind of file; without, the kinds are listed.")
    ] = None,
    *,
    ruleset: Annotated[
        str | None, typer.Option("--ruleset", metavar="RULESET", help="Whose names a fixture's schema knows.")
    ] = None,
    output: OUTPUT = None,
) -> None:
    """Print the JSON Schema of a kind of file, for editors."""
    from riftrules.cli import schemas

    done(schemas.schema(kind, ruleset, output))


@new.command()
def workspace(folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A folder that is empty or not there.")]) -> None:
    """Write a folder with a small ruleset and its fixture, ready to run."""
    from riftrules.cli import scaffold

    done(scaffold.workspace(folder))


app.command()(explain)
new.command()(rule)
new.command()(card)
new.command()(scenario)
app.command()(report)

for told in (
    *app.registered_commands,
    *new.registered_commands,
):  # in a list of commands each is told whole, however narrow it is
    told.short_help = getdoc(told.callback) if told.callback else None
