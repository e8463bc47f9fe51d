"""The entry of the command line: what goes wrong is said on standard error, and the exit code says what kind it was."""

from __future__ import annotations

import os
import sys
import traceback

INTERRUPTED = 130


def main() -> None:
    """Run the command line and exit."""
    from riftrules.cli.app import app  # here, so that a fault of an import is told as well
    from riftrules.errors import RiftrulesError

    try:
        app()
    except RiftrulesError as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(_code(error))
    except BrokenPipeError:
        # The reader has gone (`| head`): nothing more can be said, and Python must not try at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(INTERRUPTED)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except Exception:  # noqa: BLE001 - the last word on a fault of our own
        sys.stderr.write(f"riftrules has a fault of its own; please report this:\n{traceback.format_exc()}")
        sys.exit(4)


def _code(error: Exception) -> int:
    from riftrules.cli.exits import Exit
    from riftrules.errors import RunError

    return int(Exit.UNFINISHED if isinstance(error, RunError) else Exit.INVALID)
