"""Files and folders as the system has them: what is there, what it holds, and why it cannot be read."""

from __future__ import annotations

import stat
from pathlib import Path

from riftrules.errors import Place, Problem

MAX_BYTES = 5_000_000


def is_file(path: Path) -> bool:
    """Whether there is a file; a path that the system refuses, too long a name among them, names none."""
    try:
        return path.is_file()
    except OSError:
        return False


def is_folder(path: Path) -> bool:
    """Whether there is a folder; a path that the system refuses names none."""
    try:
        return path.is_dir()
    except OSError:
        return False


def real(path: Path) -> Path:
    """The path with its links followed, as far as they lead anywhere."""
    try:
        return path.resolve()
    except (OSError, RuntimeError):  # a ring of links: OSError from Python 3.13 on
        return path.absolute()


def bytes_of(path: Path, shown: str) -> bytes | Problem:
    """What the file holds, or the problem why it cannot be read."""
    place = Place(shown)
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            return Problem(place, "directory", "this is a folder, not a file", "name a file in it")
        if not stat.S_ISREG(mode):  # a pipe or a device might never end
            return Problem(place, "unreadable", "this is not a plain file", "copy what it holds into one")
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except FileNotFoundError:
        return missing_file(place, path)
    except (OSError, ValueError) as error:
        why = (getattr(error, "strerror", None) or "it has an impossible name").lower()
        return Problem(place, "unreadable", f"this file cannot be read: {why}", "look at its name and permissions")
    if len(data) > MAX_BYTES:
        return Problem(place, "too-large", f"this file is larger than {MAX_BYTES // 1_000_000} MB", "split it into several files")
    return data


def missing_file(place: Place, path: Path) -> Problem:
    """That there is no such file; of a link, where it should lead."""
    if not path.is_symlink():
        return Problem(place, "missing-file", "there is no such file", "look at the path")
    said = f"this link leads nowhere: there is no `{path.readlink().as_posix()}`"
    return Problem(place, "missing-file", said, "take it away, or bring back what it leads to")


def not_utf8(data: bytes, error: UnicodeDecodeError, shown: str) -> Problem:
    """That a file is not UTF-8, and from where on."""
    before = data[: error.start]
    line_start = before.rfind(b"\n") + 1
    column = len(before[line_start:].decode("utf-8", "replace")) + 1
    place = Place(shown, before.count(b"\n") + 1, column)
    return Problem(place, "not-utf-8", "this file is not UTF-8 from here on", "save it as UTF-8 (without a choice of code page)")
