"""`riftrules graph`: who writes what whom reads, and what a change of rules may reach."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from riftrules.analysis.comparing.impact import touched
from riftrules.analysis.comparing.mixing import Revision
from riftrules.analysis.comparing.relevance import concerned
from riftrules.analysis.influence import Influence, around, influence, marked
from riftrules.cli import places
from riftrules.cli.exits import Exit
from riftrules.cli.revisions import Side, known, loaded
from riftrules.errors import Place, Problem, RulesetError
from riftrules.language.loader import load_ruleset
from riftrules.language.model import Ruleset
from riftrules.language.problems import near
from riftrules.report.console import as_json, console
from riftrules.report.graphs import graph_data, mermaid, svg, text_lines
from riftrules.source.writing import write_whole

FORMATS = ("text", "mermaid", "svg", "json")
SUFFIXES = {".svg": "svg", ".mmd": "mermaid", ".mermaid": "mermaid", ".md": "mermaid", ".json": "json", ".txt": "text"}


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked for on the command line. Without a form it is that of the file written, else Mermaid."""

    ruleset: str | None = None
    rules: Sequence[str] = ()
    since: str | None = None
    form: str | None = None
    output: Path | None = None


def graph(asked: Asked) -> Exit:
    """Draw the graph and print or write it."""
    folder = places.ruleset(asked.ruleset) if asked.ruleset else _only()
    ruleset = load_ruleset(folder)
    whole = influence(ruleset)
    if asked.since is not None:
        whole = marked(whole, _changed(folder, ruleset, asked.since))
    if asked.rules:
        whole = around(whole, _named(asked.rules, ruleset))
    text = _drawn(whole, asked)
    if asked.output is None:
        print(text, end="")  # noqa: T201 - a picture is not for a console
    else:
        asked.output.parent.mkdir(parents=True, exist_ok=True)
        write_whole(asked.output, text)
        console().print(_said(whole, asked.output))
    return Exit.AS_EXPECTED


def _only() -> Path:
    there = places.rulesets()
    if len(there) != 1:
        said = "there is no ruleset here" if not there else "there are several rulesets here"
        hint = "name one" if not there else f"name one of {', '.join(f'`{folder.name}`' for folder in there)}"
        raise RulesetError((Problem(Place(places.RULESETS), "no-rules", said, hint),))
    return there[0]


def _named(rules: Sequence[str], ruleset: Ruleset) -> tuple[str, ...]:
    names = [rule.id for rule in ruleset.rules]
    unknown = [name for name in rules if name not in names]
    if unknown:
        problems = tuple(
            Problem(Place(ruleset.path), "unknown-rule", f"there is no rule `{name}`", near(name, names)) for name in unknown
        )
        raise RulesetError(problems)
    return tuple(rules)


def _changed(folder: Path, ruleset: Ruleset, since: str) -> tuple[str, ...]:
    """The rules that edits since a revision touch; without the ruleset there, all of them."""
    if not known(since):
        raise RulesetError(
            (Problem(Place(since), "unknown-revision", f"`{since}` is no git revision here", "name a branch, a tag or a commit"),)
        )
    with loaded((Side(folder, since),)) as (old,):
        if old is None:
            return tuple(rule.id for rule in ruleset.rules)
        return changed_rules(Revision(old, ruleset))


def changed_rules(revision: Revision) -> tuple[str, ...]:
    """The rules of the newer ruleset that an edit that plays makes act otherwise."""
    what = touched(revision)
    names = {rule.id for rule in what.rules}
    names |= {rule.id for edit in revision.playing for rule in concerned(edit, revision, revision.new)}
    return tuple(rule.id for rule in revision.new.rules if rule.id in names)


def _drawn(whole: Influence, asked: Asked) -> str:
    form = asked.form or (SUFFIXES.get(asked.output.suffix, "mermaid") if asked.output is not None else "mermaid")
    match form:
        case "svg":
            return svg(whole)
        case "json":
            return as_json(graph_data(whole)) + "\n"
        case "text":
            return "".join(f"{line}\n" for line in text_lines(whole))
    return mermaid(whole)


def _said(whole: Influence, output: Path) -> str:
    counts = [f"{len(whole.nodes)} rules"]
    for mark in ("changed", "impacted"):
        count = sum(1 for node in whole.nodes if node.mark == mark)
        counts += [f"{count} {mark}"] if count else []
    return f"{', '.join(counts)}: {output.as_posix()}"
