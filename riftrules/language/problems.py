"""Collects every problem of a load, once each, and finds the word that was probably meant.

A mistake has consequences: what could not be read is missing wherever it is named. Those are no mistakes of their own, and
are not told. A name that nothing has is told once, with the other places that say it; where all of them are right and the
declaration is misspelt, the declaration is told.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from riftrules.errors import Place, Problem
from riftrules.source import Entries, Items, Node, Scalar

Name: TypeAlias = tuple[str, str]
"""A name with its kind: `word` (templates, procedures, events, definitions), `field` (`TEMPLATE.FIELD`), `step`, `rule` …"""

ANY = "*"
ANY_FIELD, ANY_FACT = "field of any", "fact of any"
"""The kinds of a name that a field of some template should have, or some fact."""
TYPE = "type"
"""The kind of what cannot be told where anything at all is unknown."""
PARTED = {"field": ".", "fact": " "}
"""What stands between the template and the name, in names of these kinds."""
FEW = 16
PLACES = 2
"""How many other places of a repeated problem are told."""
FOLLOWING = {"unbound", "untyped", "type"}
"""What is told of a rule because something else in it could not be read."""


@dataclass(frozen=True, slots=True)
class Unknown(Problem):
    """A name that nothing has, which may be a consequence of something that could not be read."""

    name: Name = ("", "")

    def plain(self, hint: str) -> Problem:
        """The problem as it is told."""
        return Problem(self.place, self.code, self.message, hint, self.severity)


class Problems:
    """Problems in the order they are met; a load goes on after one as far as it can."""

    def __init__(self) -> None:
        self.found: list[Problem] = []
        self.declared: dict[Name, Place] = {}
        self.nodes: list[Node] = []
        self._lost: set[Name] = set()

    def say(self, place: Place, code: str, message: str, hint: str = "") -> None:
        """Note an error."""
        self.found.append(Problem(place, code, message, hint))

    def unknown(self, place: Place, code: str, message: str, hint: str = "", *, name: Name) -> None:
        """Note that nothing has this name, unless it could not be read."""
        self.found.append(Unknown(place, code, message, hint, name=name))

    def doubt(self, place: Place, code: str, message: str, hint: str = "") -> None:
        """Note a warning."""
        self.found.append(Problem(place, code, message, hint, "warning"))

    def lose(self, kind: str, name: str = ANY) -> None:
        """Something of this name is there, but could not be read as a whole; `*` where it is not even known what is there."""
        self._lost.add((kind, name))

    def is_lost(self, kind: str, name: str) -> bool:
        """Whether this, or what it is a part of, could not be read."""
        if kind in {ANY_FIELD, ANY_FACT}:
            return any(lost in {"field", "word", "fact", ANY} for lost, _ in self._lost)
        wider = {(kind, name), (kind, ANY), (ANY, ANY)}
        if kind == "field":
            template = name.partition(".")[0]
            wider |= {("word", template), ("word", ANY), ("field", f"{template}.{ANY}")}
        return not wider.isdisjoint(self._lost)

    def without_consequences(self, start: int, *, broken: bool = False) -> None:
        """Forget what only follows from an unknown name, among the problems noted since there were `start` of them."""
        since = self.found[start:]
        if broken or any(isinstance(problem, Unknown) and problem.name[0] in {"word", "field"} for problem in since):
            self.found[start:] = [problem for problem in since if isinstance(problem, Unknown) or problem.code not in FOLLOWING]

    @property
    def errors(self) -> tuple[Problem, ...]:
        """The errors, without what is only doubted, and each mistake once."""
        return tuple(problem for problem in self._settled() if problem.severity == "error")

    @property
    def warnings(self) -> tuple[Problem, ...]:
        """What is only doubted."""
        return tuple(problem for problem in self.found if problem.severity == "warning")

    # ------------------------------------------------------------------ one mistake, once

    def _settled(self) -> Iterator[Problem]:
        groups: dict[Name, list[Unknown]] = {}
        for problem in dict.fromkeys(self.found):
            if not isinstance(problem, Unknown):
                yield problem
            elif not self.is_lost(*problem.name):
                groups.setdefault(problem.name, []).append(problem)
        parts = {(kind, name.partition(PARTED[kind])[2]) for kind, name in groups if kind in PARTED}
        for kind, word in [*groups]:
            if (kind.removesuffix(" of any"), word) in parts or (kind == TYPE and (self._lost or len(groups) > 1)):
                del groups[kind, word]
        said = Counter(word for node in self.nodes for word in words_in(node)) if groups else Counter()
        for name, group in groups.items():
            yield self._misdeclared(name, group, said) or _told_once(group)

    def _misdeclared(self, name: Name, group: list[Unknown], said: Counter[str]) -> Problem | None:
        """The declaration that is misspelt: nothing says its name, and several places say one that is near to it."""
        kind, word = name
        part, between, _ = word.partition(PARTED.get(kind, ANY))
        prefix = part + between if between else ""
        known = {declared.removeprefix(prefix): place for (of, declared), place in self.declared.items() if of == kind}
        own = word.removeprefix(prefix)
        close = misspelt(own, [one for one in known if said[one] == 1])
        first = min(problem.place for problem in group)
        if not close or len(group) < PLACES:
            return None
        message = f"nothing else says `{close}`, and {len(group)} places say `{own}`, the first of them {first}"
        return Problem(known[close], group[0].code, message, f"did you mean `{own}`?")


def _told_once(group: list[Unknown]) -> Problem:
    """The first of several problems with one name, and where the others are."""
    first, *others = sorted(group, key=lambda problem: problem.place)
    places = [str(place) for place in dict.fromkeys(problem.place for problem in others) if place != first.place]
    if not places:
        return first.plain(first.hint)
    more = f" and in {len(places) - PLACES} more" if len(places) > PLACES else ""
    also = f"also at {', '.join(places[:PLACES])}{more}"
    return first.plain(f"{first.hint}; {also}" if first.hint else also)


def words_in(node: Node) -> Iterator[str]:
    """Every word that is written in a node, keys among them."""
    match node:
        case Scalar(text):
            words = re.findall(r"[\w-]+", text)
            yield from words if text in words else (*words, text)
        case Items(items):
            for item in items:
                yield from words_in(item)
        case Entries(pairs):
            for key, value in pairs:
                yield from words_in(key)
                yield from words_in(value)


def misspelt(word: str, known: Iterable[str]) -> str:
    """The known word that this one probably stands for, if there is one."""
    return next(iter(difflib.get_close_matches(word, sorted({*known} - {word}), n=1, cutoff=0.6)), "")


def near(word: str, known: Iterable[str], *, otherwise: bool = True) -> str:
    """A hint: the known word that was probably meant, else (where there are few) all of them."""
    options = sorted({*known} - {word})
    close = misspelt(word, options)
    if close:
        return f"did you mean `{close}`?"
    if otherwise and options and len(options) <= FEW:
        return f"known here: {', '.join(f'`{option}`' for option in options)}"
    return ""
