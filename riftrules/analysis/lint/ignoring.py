"""Comments that take a doubt back: `# riftrules: ignore CODE`, on the line or on the line above it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from riftrules.analysis.lint.material import doubt
from riftrules.errors import Place, Problem

IGNORE = re.compile(r"#\s*riftrules:\s*ignore\s+([\w-]+(?:\s*,\s*[\w-]+)*)")


@dataclass(frozen=True, slots=True)
class _Comment:
    """Codes that a comment ignores: it stands alone on its line, or beside what it is about."""

    codes: frozenset[str]
    alone: bool
    column: int


def without_ignored(problems: Sequence[Problem], files: Sequence[str], codes: frozenset[str]) -> Iterator[Problem]:
    """The problems no comment ignores, and `unused-ignore` for comments that ignore nothing or no code there is."""
    used: set[tuple[str, int, str]] = set()
    for problem in problems:
        line = _ignored_by(problem)
        if line:
            used.add((problem.place.path, line, problem.code))
        else:
            yield problem
    for path in files:
        for line, comment in _comments(path).items():
            for code in sorted(comment.codes):
                if (path, line, code) not in used:
                    said = "ignores nothing" if code in codes else "is no code of the linter"
                    yield doubt(Place(path, line, comment.column), "unused-ignore", f"`{code}` {said}", "take the comment away")


def _ignored_by(problem: Problem) -> int:
    """The line of the comment that ignores a problem; 0 where none does."""
    comments, line = _comments(problem.place.path), problem.place.line
    beside, above = comments.get(line), comments.get(line - 1)
    if beside is not None and problem.code in beside.codes:
        return line
    return line - 1 if above is not None and above.alone and problem.code in above.codes else 0


def _comments(path: str) -> dict[int, _Comment]:
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return {}
    return _found(text)


@lru_cache(maxsize=256)
def _found(text: str) -> dict[int, _Comment]:
    found: dict[int, _Comment] = {}
    if "riftrules:" not in text:
        return found
    for number, line in enumerate(text.splitlines(), 1):
        match = IGNORE.search(line)
        if match:
            codes = frozenset(code.strip() for code in match[1].split(","))
            found[number] = _Comment(codes, not line[: match.start()].strip(), match.start() + 1)
    return found
