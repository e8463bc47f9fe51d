"""What the parser of YAML finds wrong, in our words."""

from __future__ import annotations

from collections.abc import Iterator

from riftrules.errors import Place, Problem

MAX_DEPTH = 64

_WORDS: tuple[tuple[str, str, str], ...] = (
    (
        "mapping values are not allowed",
        "a `:` stands where no key can be",
        "quote a text that has `: ` in it; look at the indentation",
    ),
    (
        "could not find expected ':'",
        "this should be a key with a `:` behind it",
        "write `key: value`; indent a text of several lines",
    ),
    ("did not find expected ',' or '}'", "a `{` is not closed before this", "put a `,` between entries and a `}` at the end"),
    ("did not find expected ',' or ']'", "a `[` is not closed before this", "put a `,` between items and a `]` at the end"),
    (
        "did not find expected key",
        "this does not belong to the mapping above it",
        "indent it like its neighbours; look for a stray quote or bracket",
    ),
    (
        "did not find expected '-' indicator",
        "this does not belong to the list above it",
        "begin it with `- `, or indent it like its neighbours",
    ),
    ("did not find expected node content", "a value is missing here", "write one, or take the comma or bracket away"),
    ("unexpected end of stream", "a quoted text is never closed", "close the quote"),
    ("unexpected document indicator", "a quoted text is never closed", "close the quote"),
    ("escape character", "a `\\` in double quotes is followed by no known letter", "use single quotes, or write `\\\\`"),
    ("hexdecimal number", "a `\\` in double quotes is followed by no known number", "use single quotes, or write `\\\\`"),
    ("entries are not allowed", "a `- ` stands where no list can be", "begin the list on a line of its own"),
    ("mapping keys are not allowed", "a `? ` stands where no key can be", "write `key: value`"),
    (
        "alphabetic or numeric character",
        "anchors and aliases are not part of the language",
        "quote the text if the `&` or `*` belongs to it",
    ),
    ("tab character", "a tab is used to indent", "indent with spaces"),
    (
        "invalid leading utf-8",
        "there is a character here that no text may hold",
        "take it away, or write it as an escape in double quotes",
    ),
    ("control characters", "there is a control character here", "take it away, or write it as an escape in double quotes"),
    ("surrogates", "there is half a character here", "type it anew"),
    ("special characters", "there is a control character here", "take it away, or write it as an escape in double quotes"),
    ("tag", "tags are not part of the language", "quote the text if the `!` belongs to it"),
    ("<document start>", "the document has ended before this", "indent it like the lines above; one file holds one document"),
    ("directive", "a line that begins with `%` is not part of the language", "quote the text if the `%` belongs to it"),
    ("exceeded max", f"more than {MAX_DEPTH} levels are nested in each other", "write it flatter"),
)


def syntax_problem(error: Exception, text: str, shown: str) -> Problem:
    """A syntax error in our words."""
    theirs = str(getattr(error, "problem", None) or getattr(error, "reason", None) or error)
    place = _error_place(error, text, shown)
    if "cannot start any token" in theirs:
        return _bad_start(text, place)
    for part, message, hint in _WORDS:
        if part in theirs:
            return Problem(place, "syntax", message, hint + _opening(error, message))
    return Problem(place, "syntax", f"this is not YAML: {theirs}", "look at quotes, brackets and indentation here")


def _opening(error: Exception, message: str) -> str:
    """Where the bracket that is not closed was opened."""
    mark = getattr(error, "context_mark", None)
    return f" (it opens in line {mark.line + 1}, column {mark.column + 1})" if mark and "not closed" in message else ""


def _bad_start(text: str, place: Place) -> Problem:
    """The scanner met a character with which no text may begin."""
    character = next(iter(_line(text, place.line)[place.column - 1 :]), "")
    if character == "\t":
        return Problem(place, "syntax", "a tab is used to indent", "indent with spaces")
    return Problem(place, "syntax", f"a text cannot begin with {character!r} unless it is quoted".replace("'", "`"), "quote it")


def _line(text: str, number: int) -> str:
    return next((line for count, line in enumerate(_lines(text), 1) if count == number), "")


def _lines(text: str) -> Iterator[str]:
    yield from text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _error_place(error: Exception, text: str, shown: str) -> Place:
    """Where a syntax error is: the quote's beginning where a quote is never closed."""
    theirs = str(getattr(error, "problem", ""))
    mark = getattr(error, "problem_mark", None)
    begun = getattr(error, "context_mark", None)
    if begun is not None and "quoted scalar" in str(getattr(error, "context", "")) and "unexpected" in theirs:
        mark = begun
    if mark is not None:
        return Place(shown, mark.line + 1, mark.column + 1)
    offset = getattr(error, "position", getattr(error, "start", None))
    return _offset_place(text, offset if isinstance(offset, int) else 0, shown)


def _offset_place(text: str, offset: int, shown: str) -> Place:
    """The place of a character, for errors that give only its distance from the beginning."""
    before = text[:offset]
    return Place(shown, before.count("\n") + 1, offset - (before.rfind("\n") + 1) + 1)
