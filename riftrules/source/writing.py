"""Writes a file whole or not at all: what was there stays until all of the new text is."""

from __future__ import annotations

import os
from pathlib import Path


def write_whole(path: Path, text: str | bytes) -> None:
    """Let the file hold this, in UTF-8. Raises OSError, with the file as it was.

    It is written beside the file and put in its place. What is no plain file (a pipe, a terminal), and what lies in a folder
    in which nothing new may be made, is written where it stands.
    """
    data = text.encode() if isinstance(text, str) else text
    target = path.resolve() if path.is_symlink() else path
    if target.exists() and not target.is_file():
        target.write_bytes(data)
        return
    beside = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        beside.touch()
    except OSError:
        target.write_bytes(data)
        return
    try:
        beside.write_bytes(data)
        if target.exists():
            beside.chmod(target.stat().st_mode)
        beside.replace(target)
    except OSError as error:
        raise OSError(error.errno, error.strerror, path.as_posix()) from error
    finally:
        beside.unlink(missing_ok=True)
