"""The page about the language is a ruleset that loads."""

from __future__ import annotations

import re
from pathlib import Path

from riftrules.language.loader import load_ruleset
from riftrules.language.model import Ruleset

PAGE = Path(__file__).parents[2] / "rulesets" / "README.md"


def of_the_page(folder: Path) -> Ruleset:
    """Every example of the page, written to the file its first line names."""
    for name, text in re.findall(r"```yaml\n# (\S+)\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL):
        path = folder / "example" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (folder / "example" / "battlefields").mkdir()  # for cards to come
    return load_ruleset(folder / "example", shown="example")


def test_every_example_of_the_page_loads(tmp_path: Path) -> None:
    ruleset = of_the_page(tmp_path)
    assert ruleset.warnings == ()
    assert [rule.id for rule in ruleset.rules if rule.id.startswith("every-")] == [
        "every-condition-there-is",
        "every-test-there-is",
    ]


def test_the_variant_of_the_page_loads(tmp_path: Path) -> None:
    of_the_page(tmp_path)
    names = [rule.id for rule in load_ruleset(tmp_path / "short").rules]
    assert "points-are-gained" in names
    assert "points-double-on-the-first" not in names
