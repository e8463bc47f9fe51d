"""`riftrules explain`: why something is so, why a rule has not fired, and what would make it."""

# Typer reads annotations at run time, so nothing it needs is imported for type checking alone.
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from riftrules.language.model import Ruleset
    from riftrules.scenario.model import Scenario


def explain(
    fixture: Annotated[Path, typer.Argument(metavar="FIXTURE", help="A file with a scenario.")],
    bindings: Annotated[
        list[str] | None, typer.Argument(metavar="[$VARIABLE=VALUE]...", help="Fix variables of --why-not's rule.")
    ] = None,
    *,
    why: Annotated[
        str | None,
        typer.Option(
            "--why", metavar="WHAT", help="`TEMPLATE ID.field`, a fact, an event, a rule, `firing 3`, `item 2`, `waiting`."
        ),
    ] = None,
    why_not: Annotated[str | None, typer.Option("--why-not", metavar="RULE", help="Why this rule has not fired.")] = None,
    at: Annotated[str, typer.Option("--at", metavar="STEP", help="Only in this step, procedure or frame.")] = "",
    only: Annotated[
        list[str] | None, typer.Option("-k", metavar="WORDS", help="The scenario whose name or id holds these.")
    ] = None,
    ruleset: Annotated[str | None, typer.Option("--ruleset", metavar="RULESET", help="Play on this ruleset.")] = None,
    full: Annotated[bool, typer.Option("--full", help="Everything, also what made no difference.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Say why something is so, or why a rule has not fired. Without a question: what is not as the scenario expects."""
    from riftrules.analysis.questions import QuestionError
    from riftrules.cli.exits import Exit

    if why is not None and why_not is not None:
        message = "ask one question at a time: --why or --why-not"
        raise typer.BadParameter(message)
    if why_not is None and (bindings or at):
        message = "variables and --at narrow the question of --why-not"
        raise typer.BadParameter(message)
    scenario, rules = one_scenario(fixture, only or (), ruleset)
    try:
        if why_not is not None:
            _say_why_not(why_not, scenario, rules, bindings or [], at, full=full, json=json)
        elif why is None:
            _say_unexpected(scenario, rules, full=full, json=json)
        else:
            _say_why(why, scenario, rules, full=full, json=json)
    except QuestionError as error:
        raise typer.BadParameter(str(error)) from None
    raise typer.Exit(int(Exit.AS_EXPECTED))


def one_scenario(fixture: Path, only: list[str] | tuple[()], ruleset: str | None) -> "tuple[Scenario, Ruleset]":
    """The one scenario asked about. Raises ScenarioError and RulesetError; a usage error where there are several."""
    from riftrules.cli import places
    from riftrules.errors import ScenarioError
    from riftrules.scenario.files import Catalogue, find_fixtures
    from riftrules.scenario.loading import load_scenarios
    from riftrules.source import is_folder

    wrong = tuple(problem for problem in find_fixtures((fixture,)).problems if not is_folder(fixture))
    if wrong:
        raise ScenarioError(wrong)
    catalogue = Catalogue(places.ruleset(ruleset) if ruleset else None, places.bundled(places.RULESETS))
    words = [word.lower() for text in only for word in text.split()]
    found = load_scenarios(fixture, catalogue)
    chosen = [one for one in found if all(word in f"{one[0].name} {one[0].id}".lower() for word in words)]
    if len(chosen) == 1:
        return chosen[0]
    names = "; ".join(f"`{scenario.name}`" for scenario, _ in chosen or found)
    said = "several scenarios are" if chosen else "no scenario is"
    message = f"{said} meant: choose one of {names} with -k"
    raise typer.BadParameter(message, param_hint="FIXTURE")


def _say_unexpected(scenario: "Scenario", ruleset: "Ruleset", *, full: bool, json: bool) -> None:
    from riftrules.analysis.explaining import explain_unexpected
    from riftrules.report.console import as_json, console
    from riftrules.report.explanation_data import answers_data
    from riftrules.report.explanations import answers_lines, print_fitted

    found = explain_unexpected(scenario, ruleset, full=full)
    if json:
        print(as_json(answers_data(found, ruleset)))  # noqa: T201 - JSON is not for a console
    else:
        print_fitted(tuple(answers_lines(found, ruleset)), console(), full=full)


def _say_why(text: str, scenario: "Scenario", ruleset: "Ruleset", *, full: bool, json: bool) -> None:
    from riftrules.analysis.explaining import explain_why
    from riftrules.report.console import as_json, console
    from riftrules.report.explanation_data import why_data
    from riftrules.report.explanations import print_fitted, why_lines

    found = explain_why(text, scenario, ruleset, full=full)
    if json:
        print(as_json(why_data(found, ruleset)))  # noqa: T201 - JSON is not for a console
    else:
        print_fitted(tuple(why_lines(found, ruleset)), console(), full=full)


def _say_why_not(
    rule: str, scenario: "Scenario", ruleset: "Ruleset", bindings: list[str], at: str, *, full: bool, json: bool
) -> None:
    from riftrules.analysis.explaining import explain_why_not
    from riftrules.report.console import as_json, console
    from riftrules.report.explanation_data import why_not_data
    from riftrules.report.explanations import print_fitted, why_not_lines

    found = explain_why_not(rule, scenario, ruleset, bindings, at=at, full=full)
    if json:
        print(as_json(why_not_data(found, scenario, ruleset)))  # noqa: T201 - JSON is not for a console
    else:
        print_fitted(tuple(why_not_lines(found, scenario, ruleset)), console(), full=full)
