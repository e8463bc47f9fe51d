"""The page lists every code that a load of rules can print, and no other."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import riftrules.language

PACKAGE = Path(riftrules.language.__file__).parent
READ = sorted((PACKAGE.parent / "source").glob("*.py"))
SOURCES = (*sorted(PACKAGE.rglob("*.py")), *READ, PACKAGE.parent / "cli" / "places.py")
PAGE = PACKAGE.parents[1] / "rulesets" / "README.md"
TELLING = {"say", "unknown", "doubt", "Problem", "_problem"}
A_CODE = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def _codes(source: Path) -> Iterator[str]:
    """The codes with which a module tells of problems; what is computed is told elsewhere by its code."""
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            given = [one.value for one in node.args[1:] if isinstance(one, ast.Constant) and isinstance(one.value, str)]
            if name in TELLING:
                yield from (text for text in (*given[:1], *given[-1:]) if A_CODE.fullmatch(text) and text != "warning")


def test_the_page_lists_every_code() -> None:
    page = PAGE.read_text(encoding="utf-8")
    part = page[page.index("## Codes of `riftrules check`") : page.index("## Editors")]
    told = {code for source in SOURCES for code in _codes(source)}
    assert set(re.findall(r"`([a-z0-9-]+)`", part)) == told
