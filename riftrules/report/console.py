"""Where reports are written: one console for each stream, plain where nobody looks at colours."""

from __future__ import annotations

import json
import sys
from typing import Any, TextIO

from rich.console import Console
from rich.text import Text

WIDTH = 120
SHOWN = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160)) if chr(code) not in "\n\t"}
"""Control characters, by how they are shown."""


class _Console(Console):
    """A console that leaves it to the command line what it means that the reader has gone."""

    def on_broken_pipe(self) -> None:
        """Say that it has. Raises BrokenPipeError."""
        raise BrokenPipeError


def console(stream: TextIO | None = None) -> Console:
    """A console on a stream (standard output where none is named). Lines are never broken, save those of tables."""
    found = stream or sys.stdout
    width = None if found.isatty() else WIDTH
    return _Console(file=found, highlight=False, markup=False, soft_wrap=True, width=width, emoji=False)


def styled(*parts: str | tuple[str, str]) -> Text:
    """One line of parts, each a text or a text with its style. What would steer the terminal is shown as what it is."""
    shown = (part.translate(SHOWN) if isinstance(part, str) else (part[0].translate(SHOWN), part[1]) for part in parts)
    return Text.assemble(*shown)


def counted(number: int, what: str) -> str:
    """`1 error`, `2 errors`."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def as_json(data: Any) -> str:
    """Data as JSON that is the same for the same data."""
    return json.dumps(data, indent=2, ensure_ascii=False)
