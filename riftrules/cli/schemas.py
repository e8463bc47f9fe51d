"""`riftrules schema`: JSON Schemas for editors."""

from __future__ import annotations

from pathlib import Path

from riftrules.cli import places
from riftrules.cli.exits import Exit
from riftrules.errors import Place, Problem, RulesetError
from riftrules.language.loader import load_ruleset
from riftrules.language.problems import near
from riftrules.language.schema import schemas
from riftrules.report.console import as_json
from riftrules.source.writing import write_whole


def schema(kind: str | None, ruleset: str | None, output: Path | None) -> Exit:
    """Print the schema of a kind of file, or (without a kind) write all of them into a folder, or list the kinds."""
    found = schemas(load_ruleset(places.ruleset(ruleset)) if ruleset else None)
    if kind is None:
        if output is None:
            print("\n".join(found))  # noqa: T201 - plain names, for scripts
            return Exit.AS_EXPECTED
        for name, one in found.items():
            _write(output / f"{name}.schema.json", as_json(one))
        return Exit.AS_EXPECTED
    if kind not in found:
        hint = near(kind, found)
        raise RulesetError((Problem(Place(kind), "unknown-kind", f"there is no schema of `{kind}`", hint),))
    if output is None:
        print(as_json(found[kind]))  # noqa: T201
    else:
        _write(output, as_json(found[kind]))
    return Exit.AS_EXPECTED


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, text + "\n")
