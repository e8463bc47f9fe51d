"""`riftrules new rule`, `new scenario`, and `new` with a kind of card: files that fail until they are filled in."""

# Typer reads annotations at run time, so nothing it needs is imported for type checking alone.
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

if TYPE_CHECKING:
    from riftrules.language.model import Ruleset

RULESET = Annotated[str | None, typer.Option("--ruleset", metavar="RULESET", help="Which ruleset it is of.")]
STEP = Annotated[str, typer.Option("--step", metavar="STEP", help="The step in which it fires.")]
AFTER = Annotated[str, typer.Option("--after", metavar="EVENT", help="The event it hears.")]
REFUSES = Annotated[str, typer.Option("--refuses", metavar="REQUEST", help="The request it refuses.")]
CITES = Annotated[
    list[str] | None, typer.Option("--cites", metavar="NUMBER", help="A printed rule; without, it is a house rule.")
]


class Kinds(TyperGroup):
    """The things there are to begin; `lamp` is `card lamps` where the ruleset has a folder of that name."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Take a word that is no command for a kind of card."""
        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            from riftrules.cli.cards import card_folder

            folder = card_folder(args[0])
            if folder:
                args = ["card", folder, *args[1:]]
        return super().resolve_command(ctx, args)


def rule(
    name: Annotated[str, typer.Argument(metavar="ID", help="Its id: a sentence with hyphens.")],
    *,
    step: STEP = "",
    after: AFTER = "",
    refuses: REFUSES = "",
    cites: CITES = None,
    ruleset: RULESET = None,
) -> None:
    """Write a rule and its scenario; both fail until they are filled in."""
    from riftrules.analysis.beginnings import Asked, begun_rule
    from riftrules.cli.cards import write

    _one_of(step, after, refuses)
    rules = _ruleset(ruleset)
    begun = begun_rule(Asked(name, step, after, refuses, tuple(cites or ())), rules)
    write({Path(rules.path) / "rules" / f"{name}.yaml": begun.rules, _fixtures(rules) / f"{name}.yaml": begun.fixture})


def card(
    folder: Annotated[str, typer.Argument(metavar="FOLDER", help="The folder of such cards in the ruleset.")],
    name: Annotated[str, typer.Argument(metavar="NAME", help="The card's name.")],
    *,
    step: STEP = "",
    after: AFTER = "",
    refuses: REFUSES = "",
    cites: CITES = None,
    ruleset: RULESET = None,
) -> None:
    """Write a card with one rule, and its scenario; both fail until they are filled in."""
    from riftrules.analysis.beginnings import Asked, begun_card
    from riftrules.cli.cards import slug, template_of, write

    _one_of(step, after, refuses)
    rules = _ruleset(ruleset)
    template = template_of(folder, rules)
    called = slug(name)
    begun = begun_card(name, Asked(f"{called}-does-something", step, after, refuses, tuple(cites or ())), template, rules)
    write(
        {Path(rules.path) / folder / f"{called}.yaml": begun.rules, _fixtures(rules) / folder / f"{called}.yaml": begun.fixture}
    )


def scenario(
    name: Annotated[str, typer.Argument(metavar="SENTENCE", help="What it shows.")],
    *,
    mode: Annotated[str, typer.Option("--mode", metavar="MODE", help="The mode of play.")] = "",
    ruleset: RULESET = None,
) -> None:
    """Write a scenario; it fails until it is filled in."""
    from riftrules.analysis.beginnings import begun_scenario
    from riftrules.cli.cards import slug, write

    rules = _ruleset(ruleset)
    write({_fixtures(rules) / f"{slug(name)}.yaml": begun_scenario(name, rules, mode)})


def _one_of(*named: str) -> None:
    if sum(1 for one in named if one) != 1:
        message = "say where it lives: `--step`, `--after` or `--refuses`"
        raise typer.BadParameter(message)


def _ruleset(named: str | None) -> "Ruleset":
    from riftrules.cli import places
    from riftrules.language.loader import load_ruleset

    return load_ruleset(places.only_ruleset(named))


def _fixtures(ruleset: "Ruleset") -> Path:
    """Where fixtures of the ruleset are: in a folder of its name where there is one."""
    from riftrules.cli import places

    beside = Path(ruleset.path).parent.parent / places.FIXTURES
    return beside / ruleset.name if (beside / ruleset.name).is_dir() else beside
