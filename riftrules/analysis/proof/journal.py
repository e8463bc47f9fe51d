"""What a proof has done so far, in a file that grows line by line: what is written is kept, whatever happens.

Lines are JSON and nothing else, so that reading a journal runs nothing.
"""

from __future__ import annotations

import json
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, Protocol

from riftrules.analysis.own_code import own_code
from riftrules.analysis.proof.findings import Expanded, expanded_from
from riftrules.errors import Place
from riftrules.language.model import ProofScope, Ruleset

FORMAT = 1


def digest(ruleset: Ruleset, scope: ProofScope, mode: str) -> str:
    """What tells one proof from another: everything that can change what it finds."""
    hashed = blake2b(digest_size=16)
    played = (ruleset.templates, ruleset.procedures, ruleset.definitions, ruleset.steps, ruleset.rules, ruleset.invariants)
    # The hashing of tuples is part of fingerprints; an interpreter that hashes otherwise does not go on with a journal.
    for part in _texts((FORMAT, own_code(), hash((1, 2, 3)), mode, played, ruleset.modes, scope)):
        hashed.update(part.encode())
    return hashed.hexdigest()


def _texts(node: Any) -> Iterator[str]:
    """A value as texts, in an order that is the same in every process; where it was written does not count."""
    match node:
        case Place():
            return
        case Mapping():
            for key, value in node.items():
                yield f"{key!r}:"
                yield from _texts(value)
        case frozenset() | set():
            yield from sorted("".join(_texts(member)) for member in node)
        case tuple() | list():
            yield "("
            for item in node:
                yield from _texts(item)
            yield ")"
        case _ if is_dataclass(node) and not isinstance(node, type):
            yield type(node).__name__
            for one in fields(node):
                yield from _texts(getattr(node, one.name))
        case _:
            yield f"{node!r},"


class Keeper(Protocol):
    """Keeps what came of batches, and remembers those of an earlier run."""

    def kept(self, level: int, batch: int) -> Expanded | None:
        """What came of a batch, where it is known already."""

    def keep(self, level: int, batch: int, found: Expanded) -> None:
        """Keep what came of a batch."""


@dataclass(slots=True)
class NoJournal:
    """Keeps nothing."""

    def kept(self, level: int, batch: int) -> Expanded | None:
        """Nothing is known."""
        del level, batch
        return None

    def keep(self, level: int, batch: int, found: Expanded) -> None:
        """Nothing is kept."""


@dataclass(slots=True)
class Journal:
    """A journal in a file. One of another proof, or of other rules, is begun anew; so is any where it is to be `fresh`."""

    path: Path
    key: str
    fresh: bool = False
    _known: dict[tuple[int, int], str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.fresh:
            self._read()
        if not self._known:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.write_text(json.dumps({"format": FORMAT, "key": self.key}) + "\n", encoding="utf-8")

    def _read(self) -> None:
        """Remember every line that was written whole; one that cannot be read is left out."""
        if not self.path.is_file():
            return
        with self.path.open(encoding="utf-8", errors="replace") as lines:
            head = _line(next(lines, ""))
            if head.get("key") != self.key:
                return
            for text in lines:
                match _line(text):
                    case {"level": int(level), "batch": int(batch), "found": str(found)} if text.endswith("\n"):
                        self._known[level, batch] = found

    def kept(self, level: int, batch: int) -> Expanded | None:
        """What came of a batch, where an earlier run has done it."""
        found = self._known.pop((level, batch), None)
        if found is None:
            return None
        try:
            return expanded_from(json.loads(zlib.decompress(b64decode(found))))
        except (ValueError, TypeError, LookupError, zlib.error):
            return None  # damaged: it is done again

    def keep(self, level: int, batch: int, found: Expanded) -> None:
        """Write what came of a batch."""
        packed = zlib.compress(json.dumps(found.as_data(), separators=(",", ":")).encode(), 1)
        line = json.dumps({"level": level, "batch": batch, "found": b64encode(packed).decode()})
        with self.path.open("a", encoding="utf-8") as file:
            file.write(line + "\n")

    def remove(self) -> None:
        """The proof is through: nothing is to be resumed."""
        self.path.unlink(missing_ok=True)


def _line(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except ValueError:
        return {}  # torn in the middle when the process was stopped
    return found if isinstance(found, dict) else {}
