"""A ruleset's `view`, read with care: what is a place, what stands in it, what is shown of each, and in which words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from riftrules.language.model import Ruleset


@dataclass(frozen=True, slots=True)
class View:
    """How a board is drawn. What is not said is not drawn; without a place, every fact is simply listed.

    `here` are (template, field) of what stands in a place, or at home where the field says `elsewhere`. `owner` is the
    field that says whose something is. `marks` are facts and frames that are said of the place or piece they refer to,
    in the words given; `lists` are shown beside the board, in order. By template, `seal` is the number drawn large,
    `against` the one that counts against it, `turned` the flag that turns a piece on its side, `order` the field by
    which facts are sorted, `titles` the field that names them. `labels` are a field's word and, after it, what is said
    where it is none, false or empty.
    """

    place: str = ""
    here: tuple[tuple[str, str], ...] = ()
    elsewhere: str = ""
    owner: str = ""
    players: str = ""
    shows: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    marks: Mapping[str, str] = field(default_factory=dict)
    lists: tuple[str, ...] = ()
    seal: Mapping[str, str] = field(default_factory=dict)
    against: Mapping[str, str] = field(default_factory=dict)
    turned: Mapping[str, str] = field(default_factory=dict)
    order: Mapping[str, str] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    score: tuple[str, str, str] | None = None
    turn: str = ""

    def shown(self, template: str) -> tuple[str, ...]:
        """The fields shown of a template."""
        return self.shows.get(template, ())

    def label(self, name: str) -> str:
        """The word for a field."""
        return self.labels.get(name, (spoken(name), ""))[0]

    def without(self, name: str) -> str:
        """What is said of a field that is none, false or empty: nothing, where the view gives no word."""
        return self.labels.get(name, ("", ""))[1]


def spoken(name: str) -> str:
    """A name of the language as it is read out."""
    return name.replace("_", " ").replace("-", " ")


def view_of(ruleset: Ruleset) -> View:
    """The view of a ruleset; of one without, an empty view."""
    view = ruleset.view
    return View(
        place=_word(view.get("place")),
        here=tuple((_word(one.get("template")), _word(one.get("at"))) for one in _mappings(view.get("here"))),
        elsewhere=_word(view.get("elsewhere")),
        owner=_word(view.get("owner")),
        players=_word(view.get("players")),
        shows={name: _words(fields) for name, fields in _pairs(view.get("shows"))},
        marks=_marks(view.get("marks")),
        lists=_words(view.get("lists")),
        seal=_texts(view.get("seal")),
        against=_texts(view.get("against")),
        turned=_texts(view.get("turned")),
        order=_texts(view.get("order")),
        titles=_texts(view.get("titles")),
        labels={name: _label(said) for name, said in _pairs(view.get("labels"))},
        score=_score(view.get("score")),
        turn=_word(view.get("turn")),
    )


def _word(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _words(value: Any) -> tuple[str, ...]:
    return tuple(map(_word, value)) if isinstance(value, list) else (value,) if isinstance(value, str) and value else ()


def _pairs(value: Any) -> Iterator[tuple[str, Any]]:
    return iter(value.items() if isinstance(value, Mapping) else ())


def _texts(value: Any) -> dict[str, str]:
    return {name: _word(said) for name, said in _pairs(value)}


def _mappings(value: Any) -> Sequence[Mapping[str, Any]]:
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, list) else []


def _marks(value: Any) -> dict[str, str]:
    """Marks by template, with their words; a mere list leaves the words to whoever draws them."""
    return _texts(value) if isinstance(value, Mapping) else dict.fromkeys(_words(value), "")


def _label(value: Any) -> tuple[str, str]:
    words = _words(value)
    return (words[0] if words else "", words[1] if len(words) > 1 else "")


def _score(value: Any) -> tuple[str, str, str] | None:
    if not isinstance(value, Mapping):
        return None
    singleton, _, name = _word(value.get("of")).partition(".")
    return (_word(value.get("field")), singleton, name) if name else None
