"""The entry of the command line: what goes wrong is said on standard error, and the exit code says what kind it was."""

from __future__ import annotations

import gc
import os
import sys
import traceback
from pathlib import Path

INTERRUPTED = 130
BROKEN_PIPE = 141
USAGE = 2


def main() -> None:
    """Run the command line and exit."""
    from riftrules.cli.app import app  # here, so that a fault of an import is told as well
    from riftrules.errors import RiftrulesError

    _open_streams()
    # Rules, scenarios and traces live as long as the command: looking for rings of garbage among them costs a tenth of it.
    gc.set_threshold(50_000, 20, 20)
    try:
        app()
    except RiftrulesError as error:
        if "--json" in sys.argv:
            _print_json(error)
        sys.stderr.write(f"{error}\n")
        sys.exit(_code(error))
    except SystemExit as ended:
        # Click ends a run whose reader has gone (`| head`) with 1, which would mean a difference.
        gone = ended.code == 1 and type(sys.stdout).__name__ == "PacifyFlushWrapper"
        sys.exit(BROKEN_PIPE if gone else ended.code)
    except BrokenPipeError:
        # The reader has gone (`| head`): nothing more can be said, and Python must not try at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(BROKEN_PIPE)
    except OSError as error:
        # A path to read or write that the system refuses: the caller's to mend, as with a wrong option.
        where = f"`{error.filename}`: " if error.filename else ""
        sys.stderr.write(f"{where}{(error.strerror or str(error)).lower()}\n")
        sys.exit(USAGE)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except Exception:  # noqa: BLE001 - the last word on a fault of our own
        sys.stderr.write(f"riftrules has a fault of its own; please report this:\n{traceback.format_exc()}")
        sys.exit(4)


def _open_streams() -> None:
    """Where the caller has closed a stream, let what is said go nowhere, and nothing be there to read: the exit code stands."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 - for the life of the process


def _print_json(error: Exception) -> None:
    """What is wrong, for whoever reads standard output."""
    from riftrules.report.console import as_json
    from riftrules.report.problems import problem_data

    problems = [problem_data(problem) for problem in getattr(error, "problems", ())]
    print(as_json({"exit": _code(error), "error": str(error).splitlines()[0], "problems": problems}))  # noqa: T201


def _code(error: Exception) -> int:
    from riftrules.cli.exits import Exit
    from riftrules.errors import RunError

    return int(Exit.UNFINISHED if isinstance(error, RunError) else Exit.INVALID)
