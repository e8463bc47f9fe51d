"""The commands and their options; each loads what it needs only when it is called."""

import os

# Typer reads annotations at run time, so nothing it needs is imported for type checking alone.
from dataclasses import replace
from inspect import getdoc
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from riftrules.cli.beginning import Kinds, card, rule, scenario
from riftrules.cli.explain import explain
from riftrules.cli.report import report

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


def _done(code: int) -> NoReturn:
    raise typer.Exit(int(code))


def _known_engine(engine: str) -> str:
    from riftrules.scenario.session import ENGINES

    if engine not in ENGINES:
        message = f"there is no engine `{engine}`: {' or '.join(ENGINES)}"
        raise typer.BadParameter(message, param_hint="--engine")
    return engine


def _processes(workers: str) -> int:
    from riftrules.cli.processes import workers_of

    try:
        return workers_of(workers)
    except ValueError:
        message = f"`{workers}` is neither `auto` nor a number from 1"
        raise typer.BadParameter(message, param_hint="-n") from None


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
        _done(go(*one_scenario((paths or [])[0], only or (), ruleset)))
    asked = testing.Asked(paths or (), only or (), ruleset, _known_engine(engine), trace=trace, lenient=lenient, json=json)
    if watch:
        from riftrules.cli import watching

        _done(watching.run(asked))
    _done(testing.run(asked))


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
    _processes(workers)
    asked = testing.Asked(
        paths or (), only or (), ruleset, _known_engine(engine), workers, junit, trace, lenient=lenient, quiet=quiet, json=json
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
        _done(watching.judge(asked))
    _done(testing.test(asked))


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

        _done(watching.check(rulesets or (), "json" if json else form))
    _done(checking.check(rulesets or (), "json" if json else form))


@app.command()
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
    _done(comparing.diff(replace(asked, workers=_processes(workers), cluster=cluster)))


@app.command()
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
    boards: Annotated[int, typer.Option("--boards", min=0, metavar="N", help="Search so many boards near each scenario.")] = 12,
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
    asked = mutating.Asked(ruleset, fixtures or (), only or (), rules or (), since, _processes(workers), boards, least, output)
    asked = replace(asked, fresh=fresh, everything=everything, cluster=cluster)
    _done(mutating.mutate(replace(asked, form="json" if json else form)))


@app.command()
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

    _done(playing.play(playing.Asked(games, ruleset, scope, mode, seed, _processes(workers), cluster, output, json)))


@app.command()
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
    json: JSON = False,
) -> None:
    """Prove termination, confluence and invariants in a scope, or show the smallest board that speaks against it."""
    from riftrules.cli import proving

    asked = proving.Asked(scope, ruleset, mode, _processes(workers), cluster, depth, output, seconds)
    _done(proving.prove(replace(asked, first=first, fresh=fresh, json=json)))


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
    _done(graphing.graph(graphing.Asked(ruleset, rules or (), since, "json" if json else form, output)))


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

    _done(printed.rulebook(ruleset, fixtures or (), html=html, as_json_=json))


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

    _done(schemas.schema(kind, ruleset, output))


@new.command()
def workspace(folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A folder that is empty or not there.")]) -> None:
    """Write a folder with a small ruleset and its fixture, ready to run."""
    from riftrules.cli import scaffold

    _done(scaffold.workspace(folder))


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
