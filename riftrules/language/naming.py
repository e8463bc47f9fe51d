"""What may be a name: one word, free of what the language or a fixture says at the same place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from riftrules.errors import Place
from riftrules.language.problems import Problems
from riftrules.language.written import COMPANIONS

WORDS = {*COMPANIONS, "id", "this", "asked", "none", "stack"}
"""Words of the language, which name nothing else."""
EXPECTED = {"waiting", "asked", "choosing", "options", "fired", "not_fired", "events", "exactly"}
"""Keys of an expectation: a template of such a name could not be expected."""
ITEMS = {"expect", "choose", "begin"}
"""Keys of an item under `when` in a fixture: a request of such a name could not be made."""


def check_names(kind: str, names: Iterable[tuple[str, Place]], problems: Problems) -> None:
    """Tell of names that are not one word of letters, digits, `-` and `_`, or that mean something else."""
    for name, place in names:
        if not re.fullmatch(r"[\w-]+", name):
            problems.say(place, "name", f"`{name}` cannot name {kind}", "a name is one word of letters, digits, `-` and `_`")
        elif name in WORDS and kind != "a field":
            problems.say(place, "reserved", f"`{name}` is a word of the language and cannot name {kind}")
        elif kind == "a template" and name in EXPECTED:
            problems.say(place, "reserved", f"`{name}` is a key of what a fixture expects and cannot name {kind}")
        elif kind == "a request" and name in ITEMS:
            problems.say(place, "reserved", f"`{name}` is a key of what a fixture does and cannot name {kind}")


def check_plurals(plurals: Mapping[str, tuple[str, Place]], templates: Iterable[str], problems: Problems) -> None:
    """Tell of plurals, by template, under which a fixture's `given` could not tell its facts from others."""
    taken = dict.fromkeys(templates, "the name of a template") | {"stack": "where a fixture gives frames"}
    for template, (plural, place) in plurals.items():
        if plural and plural in taken and plural != template:
            problems.say(place, "duplicate", f"`{plural}` cannot be the plural of `{template}`: it is {taken[plural]}")
        elif plural:
            taken[plural] = f"the plural of `{template}`"


def doubled(words: Iterable[str]) -> Iterator[str]:
    """The words that come again, each once."""
    seen: set[str] = set()
    told: set[str] = set()
    for word in words:
        if word in seen and word not in told:
            told.add(word)
            yield word
        seen.add(word)
