"""Exit codes: what a run of the command line means to a script."""

from __future__ import annotations

from enum import IntEnum

from riftrules.scenario.suite import Suite


class Exit(IntEnum):
    """2 is Typer's own, for wrong usage."""

    AS_EXPECTED = 0
    DIFFERS = 1
    USAGE = 2
    INVALID = 3
    UNFINISHED = 4
    NOTHING_RAN = 5


def exit_of(suite: Suite) -> Exit:
    """The gravest of what has come of the scenarios. Nothing ran where all there are were skipped."""
    for status, code in (("invalid", Exit.INVALID), ("error", Exit.UNFINISHED), ("failed", Exit.DIFFERS)):
        if suite.count(status):
            return code
    return Exit.AS_EXPECTED if suite.count("passed") else Exit.NOTHING_RAN
