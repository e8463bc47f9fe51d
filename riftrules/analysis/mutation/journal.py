"""Keeps what became of each mutant while a run goes on, so that one that was broken off can be taken up again."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from riftrules.analysis.mutation.laboratory import STATUSES, Judged
from riftrules.analysis.mutation.witness import Witness
from riftrules.analysis.own_code import own_code


@dataclass(slots=True)
class Journal:
    """What is known of mutants, by name, and the file it is kept in, if any. A line that cannot be read is left out."""

    path: Path | None = None
    _known: dict[str, Judged] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.path is not None and self.path.is_file():
            for line in self.path.read_text(encoding="utf-8", errors="replace").splitlines():
                one = _read(line)
                if one is not None:
                    self._known[one.name] = one

    def known(self, name: str) -> Judged | None:
        """What became of a mutant, where that is known."""
        return self._known.get(name)

    def note(self, judged: Judged) -> None:
        """Keep what became of a mutant so far."""
        self._known[judged.name] = judged
        if self.path is not None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(judged), ensure_ascii=False) + "\n")


def _read(line: str) -> Judged | None:
    try:
        data: Any = json.loads(line)
        told = data.pop("witness", None)
        found = Judged(**data, witness=Witness(**told) if told else None)
    except (ValueError, TypeError, AttributeError):
        return None
    return found if found.status in STATUSES else None


def digest(files: Iterable[Path], *words: str) -> str:
    """What a run hangs on, in a few letters: the text of all files, how it is run, and the tool itself."""
    found = sha256()
    for file in sorted(files):
        found.update(file.as_posix().encode())
        found.update(file.read_bytes())
    found.update("\0".join((own_code(), *words)).encode())
    return found.hexdigest()[:16]
