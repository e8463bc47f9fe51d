"""What is said of a rule can be read again, and means the same."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from riftrules.errors import NOWHERE
from riftrules.language.loader import load_ruleset
from riftrules.language.model import Rule, Ruleset
from riftrules.language.saying import say, say_value
from tests.language.test_readme import of_the_page

RIFTBOUND = Path(__file__).parents[2] / "rulesets" / "riftbound"


def written(rule: Rule) -> str:
    """The rule as YAML, from what is said of its parts."""
    lines = [f"  - rule: {rule.id}", "    house: true", f"    salience: {rule.salience}"]
    lines += [f"    step: {rule.step}"] if rule.step else []
    lines += [f"    after: {{{say(rule.event)}}}"] if rule.event else []
    lines += [f"    {say(rule.choose)}"] if rule.choose else []
    lines += (
        ["    when:", *(f"      - {{{said}}}" if ":" in (said := say(one)) else f"      - {said}" for one in rule.when)]
        if rule.when
        else []
    )
    lines += ["    then:", *(f"      - {{{said}}}" if ":" in (said := say(one)) else f"      - {said}" for one in rule.then)]
    return "\n".join(lines) + "\n"


def placeless(thing: Any) -> Any:
    """The same without places, numbers and citations."""
    if dataclasses.is_dataclass(thing) and not isinstance(thing, type):
        names = [
            field.name
            for field in dataclasses.fields(thing)
            if field.name not in {"place", "text", "number", "cites", "says", "note", "house"}
        ]
        return (type(thing).__name__, *(placeless(getattr(thing, name)) for name in names))
    if isinstance(thing, tuple):
        return tuple(placeless(item) for item in thing)
    return thing


def again(ruleset: Ruleset, source: Path, folder: Path) -> Ruleset:
    """The ruleset with its rules written anew from what is said of them."""
    for path in source.rglob("*.yaml"):
        text = path.read_text(encoding="utf-8")
        rest = text.split("\nrules:\n")[0] if path.name not in {"rulebook.yaml", "view.yaml"} else None
        if rest is not None:
            target = folder / path.relative_to(source)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text("" if rest.startswith("rules:\n") else rest + "\n", encoding="utf-8")
            if not target.read_text(encoding="utf-8").strip("\n #"):
                target.unlink()
    (folder / "said.yaml").write_text("rules:\n" + "".join(written(rule) for rule in ruleset.rules), encoding="utf-8")
    return load_ruleset(folder)


@pytest.mark.parametrize("name", ["page", "riftbound"])
def test_a_ruleset_said_again_is_the_same(name: str, tmp_path: Path) -> None:
    ruleset = of_the_page(tmp_path / "page") if name == "page" else load_ruleset(RIFTBOUND)
    source = tmp_path / "page" / "example" if name == "page" else RIFTBOUND
    found = {rule.id: placeless(rule) for rule in again(ruleset, source, tmp_path / "again").rules}
    differing = [rule.id for rule in ruleset.rules if found.get(rule.id) != placeless(rule)]
    assert differing == []
    assert NOWHERE.path == ""


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "none"),
        (True, "true"),
        ("Silent Shrine", "Silent Shrine"),
        ("Not Dead Yet", '"Not Dead Yet"'),
        ("none", '"none"'),
        (frozenset({"b", "a"}), "[a, b]"),
        ((("a", 1), ("b", 2)), "{a: 1, b: 2}"),
    ],
)
def test_a_value_is_said_so_that_it_is_read_back(value: object, text: str) -> None:
    assert say_value(value) == text
