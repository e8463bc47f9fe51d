"""Where reports are written: one console for each stream, plain where nobody looks at colours."""

from __future__ import annotations

import json
import sys
from typing import Any, TextIO

from rich.console import Console
from rich.text import Text

WIDTH = 120


def console(stream: TextIO | None = None) -> Console:
    """A console on a stream (standard output where none is named). Lines are never broken, save those of tables."""
    found = stream or sys.stdout
    width = None if found.isatty() else WIDTH
    return Console(file=found, highlight=False, markup=False, soft_wrap=True, width=width, emoji=False)


def styled(*parts: str | tuple[str, str]) -> Text:
    """One line of parts, each a text or a text with its style."""
    return Text.assemble(*parts)


def as_json(data: Any) -> str:
    """Data as JSON that is the same for the same data."""
    return json.dumps(data, indent=2, ensure_ascii=False)
