"""Collects every problem of a load, and finds the word that was probably meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from riftrules.errors import Place, Problem


class Problems:
    """Problems in the order they are met; a load goes on after one as far as it can."""

    def __init__(self) -> None:
        self.found: list[Problem] = []

    def say(self, place: Place, code: str, message: str, hint: str = "") -> None:
        """Note an error."""
        self.found.append(Problem(place, code, message, hint))

    def doubt(self, place: Place, code: str, message: str, hint: str = "") -> None:
        """Note a warning."""
        self.found.append(Problem(place, code, message, hint, "warning"))

    @property
    def errors(self) -> tuple[Problem, ...]:
        """The errors, without what is only doubted."""
        return tuple(problem for problem in self.found if problem.severity == "error")

    @property
    def warnings(self) -> tuple[Problem, ...]:
        """What is only doubted."""
        return tuple(problem for problem in self.found if problem.severity == "warning")


def near(word: str, known: Iterable[str], *, otherwise: bool = True) -> str:
    """A hint: the known word that was probably meant, else (where there are few) all of them."""
    options = sorted({*known} - {word})
    close = difflib.get_close_matches(word, options, n=1, cutoff=0.6)
    if close:
        return f"did you mean `{close[0]}`?"
    if otherwise and options and len(options) <= FEW:
        return f"known here: {', '.join(f'`{option}`' for option in options)}"
    return ""


FEW = 16
