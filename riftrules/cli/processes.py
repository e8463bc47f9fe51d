"""How many processes work, as it is said on the command line."""

from __future__ import annotations

import os


def workers_of(text: str) -> int:
    """The number of worker processes: `auto` is one for each processor. Raises ValueError."""
    count = (os.cpu_count() or 1) if text == "auto" else int(text)
    if count < 1:
        message = "not a number of processes"
        raise ValueError(message)
    return count
