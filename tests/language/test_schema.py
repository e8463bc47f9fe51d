"""The JSON Schemas are schemas, accept our own files, and refuse what the loader refuses."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from riftrules.language.loader import load_ruleset
from riftrules.language.schema import schemas
from riftrules.source import Entries, Items, Node, Scalar, read
from tests.language.small import load

ROOT = Path(__file__).parents[2]
RIFTBOUND = ROOT / "rulesets" / "riftbound"


def as_editor(node: Node) -> Any:
    """A document as an editor's YAML 1.2 reader gives it to a schema."""
    match node:
        case Entries(pairs):
            return {key.text: as_editor(value) for key, value in pairs}
        case Items(items):
            return [as_editor(item) for item in items]
        case Scalar(text, False):
            if text in {"true", "false"}:
                return text == "true"
            if text in {"", "null", "~"}:
                return None
            return int(text) if re.fullmatch(r"-?[0-9]+", text) else text
    return node.text


def told(name: str, path: Path, found: dict[str, Any]) -> list[str]:
    """What a schema says of a file."""
    node, problems = read(path)
    assert node is not None
    assert not problems
    return [
        f"{path.name} {list(error.path)} {error.message[:120]}"
        for error in jsonschema.Draft202012Validator(found[name]).iter_errors(as_editor(node))
    ]


@pytest.mark.parametrize("known", [True, False])
def test_schemas_are_schemas(known: bool, tmp_path: Path) -> None:  # noqa: FBT001
    for schema in schemas(load(tmp_path) if known else None).values():
        jsonschema.Draft202012Validator.check_schema(schema)


def test_the_schemas_of_a_ruleset_accept_its_own_files() -> None:
    found = schemas(load_ruleset(RIFTBOUND))
    kinds = {"ruleset.yaml": "ruleset", "rulebook.yaml": "rulebook", "view.yaml": "view"}
    files = sorted(RIFTBOUND.rglob("*.yaml"))
    assert files
    assert [said for path in files for said in told(kinds.get(path.name, "rules"), path, found)] == []


def test_a_misspelt_field_is_marked_in_the_editor(tmp_path: Path) -> None:
    found = schemas(load(tmp_path))
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text("rules:\n  - {rule: r, step: light, when: [{lamp $l: {gow: 1}}], then: [retract $l]}\n", encoding="utf-8")
    assert told("rules", wrong, found)
    wrong.write_text("rules:\n  - {rule: r, step: light, when: [{lamp $l: {glow: 1}}], then: [retract $l]}\n", encoding="utf-8")
    assert told("rules", wrong, found) == []
