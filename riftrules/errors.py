"""The exception tree, and the one shape in which a mistake is told.

RiftrulesError
├─ RulesetError      the author's rules are wrong; carries every Problem, not the first
├─ ScenarioError     the fixture is wrong; likewise
└─ RunError          the run could not finish; carries the trace up to there
   ├─ LimitError     the firing limit, or a configuration that repeats, with its cycle
   └─ EngineError    the match network refused; carries its code and our words for it

A failed expectation is a verdict and a refused request is a refusal: neither is an exception.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Where something stands in a file: lines and columns count from 1."""

    path: str
    line: int = 1
    column: int = 1

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"


NOWHERE = Place("")


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One mistake (or, as a warning, one doubt): where it is, what it is, and what to do about it."""

    place: Place
    code: str
    message: str
    hint: str = ""
    severity: str = "error"

    def __str__(self) -> str:
        said = f"{self.place}: {self.severity}: {self.message} [{self.code}]"
        return f"{said}\n    hint: {self.hint}" if self.hint else said


class RiftrulesError(Exception):
    """The base of everything riftrules raises on purpose."""


class _ProblemsError(RiftrulesError):
    """An error that carries every problem found, in the order of their places."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        self.problems = tuple(sorted(problems))
        super().__init__("\n".join(str(problem) for problem in self.problems))


class RulesetError(_ProblemsError):
    """The rules cannot be loaded."""


class ScenarioError(_ProblemsError):
    """The fixture cannot be played as it is written."""


class RunError(RiftrulesError):
    """A run could not finish: `trace` holds what happened up to there, `rule` and `bindings` what was tried."""

    def __init__(self, message: str, *, trace: Any = None, rule: str = "", bindings: tuple[tuple[str, Any], ...] = ()) -> None:
        self.message = message
        self.trace = trace
        self.rule = rule
        self.bindings = bindings
        super().__init__(message)


class LimitError(RunError):
    """The firing limit was reached, or a configuration repeats: `cycle` holds the numbers of the firings concerned."""

    def __init__(self, message: str, *, trace: Any = None, cycle: tuple[int, ...] = ()) -> None:
        self.cycle = cycle
        super().__init__(message, trace=trace)


class EngineError(RunError):
    """The match network refused: `code` is its own number for it (0 where it gave none)."""

    def __init__(self, message: str, *, code: int = 0, trace: Any = None) -> None:
        self.code = code
        super().__init__(message, trace=trace)
