"""Tests and expressions as written: a grammar, and the small trees it gives, each distinct text parsed once.

The trees are not typed yet: a plain word becomes the value of whatever field it meets (see `typing`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

from lark import Lark, Token, Transformer, UnexpectedInput

from riftrules.language.problems import misspelt

GRAMMAR = r"""
    ?test: single (_OR single)*                     -> any_of
    ?single: _NOT single                            -> not_
        | NONE                                      -> none_test
        | SOME                                      -> some_test
        | OP expression                             -> compare
        | _HAS expression                           -> has
        | _IN expression                            -> in_
        | expression                                -> is_
    where: expression _IS test                      -> where
        | expression OP expression                  -> where_compare
        | expression _HAS expression                -> where_has
        | expression _IN expression                 -> where_in
    change: CHANGE expression                       -> change
        | expression                                -> set_
    ?expression: sum (_ELSE sum)*                   -> else_
    ?sum: product
        | sum SIGN product                          -> arithmetic
    ?product: atom
        | product TIMES atom                        -> arithmetic
    ?atom: PICK expression _AND expression          -> pick
        | VARIABLE _AT atom                         -> at
        | VARIABLE                                  -> variable
        | "(" expression ")"
        | QUOTED                                    -> quoted
        | WORD+                                     -> text

    _OR.9: /or(?=\s)/
    _NOT.9: /not(?=\s)/
    NONE.9: /none(?=\s|\)|$)/
    SOME.9: /some(?=\s|\)|$)/
    OP.9: /(at\s+least|at\s+most|more\s+than|less\s+than)(?=\s)/
    _HAS.9: /has(?=\s)/
    _IN.9: /in(?=\s)/
    _IS.9: /is(?=\s)/
    CHANGE.9: /(plus|minus|add|remove)(?=\s)/
    _ELSE.9: /else(?=\s)/
    SIGN.9: /[+-](?=\s)/
    TIMES.9: /(\*|mod)(?=\s)/
    PICK.9: /(greater|lesser)\s+of(?=\s)/
    _AND.9: /and(?=\s)/
    _AT.8: /at(?=\s)/
    VARIABLE.9: /\$[A-Za-z][\w-]*(\.[A-Za-z][\w-]*)*(?=\s|\)|$)/
    QUOTED.9: /"[^"]*"(?=\s|\)|$)/
    WORD.1: /[^\s()$"][^\s()]*/
    %ignore /\s+/
"""


@dataclass(frozen=True, slots=True)
class Text:
    """A word or several, or a number, as written. A quoted one is always a literal."""

    text: str
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Nothing:
    """`none`."""


@dataclass(frozen=True, slots=True)
class Variable:
    """`$name.field.field`, without the sigil."""

    name: str
    fields: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Operation:
    """op: `+` `-` `*` `mod` `greater` `lesser` `else` `at`."""

    op: str
    left: Written
    right: Written


Written: TypeAlias = Text | Nothing | Variable | Operation


@dataclass(frozen=True, slots=True)
class WrittenTest:
    """op: `is` `none` `some` `not` `has` `in` `any`, or a comparison. `tests` for `not` and `any`, `to` for the rest."""

    op: str
    to: Written | None = None
    tests: tuple[WrittenTest, ...] = ()


@dataclass(frozen=True, slots=True)
class WrittenWhere:
    """`A is B`: an expression and the test it must pass."""

    left: Written
    test: WrittenTest


@dataclass(frozen=True, slots=True)
class WrittenChange:
    """op: `set` `plus` `minus` `add` `remove`."""

    op: str
    to: Written


class MisreadError(ValueError):
    """A text is not what belongs at its place; `hint` says what was probably meant."""

    def __init__(self, message: str, hint: str = "") -> None:
        self.hint = hint
        super().__init__(message)


class GrammarError(MisreadError):
    """The text is not in the grammar: the message says where it stops making sense."""


class _Build(Transformer[Token, Any]):
    """Turns the parse tree into the small trees above."""

    def text(self, words: list[Token]) -> Text:
        return Text(" ".join(words))

    def quoted(self, items: list[Token]) -> Text:
        return Text(items[0][1:-1], quoted=True)

    def variable(self, items: list[Token]) -> Variable:
        name, *fields = items[0][1:].split(".")
        return Variable(name, tuple(fields))

    def at(self, items: list[Any]) -> Operation:
        return Operation("at", self.variable(items[:1]), items[1])

    def pick(self, items: list[Any]) -> Operation:
        return Operation(items[0].split()[0], items[1], items[2])

    def arithmetic(self, items: list[Any]) -> Operation:
        return Operation(str(items[1]), items[0], items[2])

    def else_(self, items: list[Any]) -> Written:
        *rest, last = items
        return Operation("else", self.else_(rest), last) if rest else last

    def any_of(self, items: list[WrittenTest]) -> WrittenTest:
        return items[0] if len(items) == 1 else WrittenTest("any", tests=tuple(items))

    def not_(self, items: list[WrittenTest]) -> WrittenTest:
        return WrittenTest("not", tests=(items[0],))

    def none_test(self, _: list[Token]) -> WrittenTest:
        return WrittenTest("none")

    def some_test(self, _: list[Token]) -> WrittenTest:
        return WrittenTest("some")

    def compare(self, items: list[Any]) -> WrittenTest:
        return WrittenTest(" ".join(items[0].split()), items[1])

    def has(self, items: list[Any]) -> WrittenTest:
        return WrittenTest("has", items[0])

    def in_(self, items: list[Any]) -> WrittenTest:
        return WrittenTest("in", items[0])

    def is_(self, items: list[Any]) -> WrittenTest:
        return WrittenTest("is", items[0])

    def where(self, items: list[Any]) -> WrittenWhere:
        return WrittenWhere(items[0], items[1])

    def where_compare(self, items: list[Any]) -> WrittenWhere:
        return WrittenWhere(items[0], self.compare(items[1:]))

    def where_has(self, items: list[Any]) -> WrittenWhere:
        return WrittenWhere(items[0], self.has(items[1:]))

    def where_in(self, items: list[Any]) -> WrittenWhere:
        return WrittenWhere(items[0], self.in_(items[1:]))

    def change(self, items: list[Any]) -> WrittenChange:
        return WrittenChange(str(items[0]), items[1])

    def set_(self, items: list[Any]) -> WrittenChange:
        return WrittenChange("set", items[0])


_PATH = re.compile(r"\$[A-Za-z][\w-]*(\.[A-Za-z][\w-]*)*\Z")
_TESTS = re.compile(r"(not|none|some|at\s+least|at\s+most|more\s+than|less\s+than|has|in|is)(\s|$)", re.IGNORECASE)
_CHANGES = re.compile(r"(plus|minus|add|remove|greater of|lesser of)\s", re.IGNORECASE)
_WORDS = re.compile(r"\s(or|else|and|is|at|has|in|mod|[-+*])\s|[()$\"]")
_SINGLE_WORDS = {"none": WrittenTest("none"), "some": WrittenTest("some")}


@lru_cache(maxsize=1)
def _grammar() -> Lark:
    return Lark(GRAMMAR, start=["test", "where", "change", "expression"], parser="lalr", maybe_placeholders=False)


@lru_cache(maxsize=16384)
def parse_test(text: str) -> WrittenTest:
    """The test a plain scalar says. Raises GrammarError."""
    if text in _SINGLE_WORDS:
        return _SINGLE_WORDS[text]
    simple = _simple(text)
    if simple is not None:
        return WrittenTest("is", simple)
    found: WrittenTest = _parsed(text, "test")
    return found


@lru_cache(maxsize=4096)
def parse_where(text: str) -> WrittenWhere:
    """`A is B`, `A at least B` …. Raises GrammarError."""
    found: WrittenWhere = _parsed(text, "where")
    return found


@lru_cache(maxsize=4096)
def parse_change(text: str) -> WrittenChange:
    """What a consequent writes into a field. Raises GrammarError."""
    simple = _simple(text)
    return WrittenChange("set", simple) if simple is not None else _parsed(text, "change")


@lru_cache(maxsize=4096)
def parse_expression(text: str) -> Written:
    """An expression. Raises GrammarError."""
    simple = _simple(text)
    return simple if simple is not None else _parsed(text, "expression")


def _simple(text: str) -> Written | None:
    """What most texts are, without the grammar: `none`, one path, or plain words; None for anything else."""
    if text == "none":
        return Nothing()
    if _PATH.match(text):
        name, *fields = text[1:].split(".")
        return Variable(name, tuple(fields))
    if _TESTS.match(text) or _CHANGES.match(text) or _WORDS.search(text):
        return None
    return Text(text)


def _parsed(text: str, start: str) -> Any:
    try:
        return _checked(_Build().transform(_grammar().parse(text, start=start)))
    except UnexpectedInput as fault:
        column = max(getattr(fault, "column", 1), 1) - 1
        rest = text[column:].strip()
        where = f"at `{rest}`" if rest and getattr(fault, "column", -1) > 0 else "at its end"
        message = f"`{text}` is not {_ARTICLES[start]}: it stops making sense {where}"
        raise GrammarError(message, misspelt_word(text, (*KEYWORDS, *CHANGES) if start == "change" else KEYWORDS)) from None


KEYWORDS = ("least", "most", "more", "less", "than", "none", "some", "not", "else", "mod", "greater", "lesser", "and")
"""Words of tests and expressions that are long enough to be known when they are misspelt."""
CHANGES = ("plus", "minus", "add", "remove")
SIGNS = {">=": "at least", "<=": "at most", ">": "more than", "<": "less than", "!=": "not", "==": "is"}
_SIGN = re.compile("|".join(SIGNS))


def misspelt_word(text: str, known: tuple[str, ...]) -> str:
    """A hint at the first word, or sign, that probably stands for words of the language."""
    sign = _SIGN.search(text)
    if sign is not None:
        return f"write `{SIGNS[sign[0]]}` for `{sign[0]}`"
    words = (word for word in text.split() if word not in known and "$" not in word and len(word) > 1)
    close = next((meant for word in words if (meant := misspelt(word, known))), "")
    return f"did you mean `{close}`?" if close else ""


_ARTICLES = {"test": "a test", "where": "a condition", "change": "a value", "expression": "an expression"}


def _checked(tree: Any) -> Any:
    """The tree with the word `none` read as none. A name that begins like a test must have been quoted."""
    match tree:
        case Text("none", False):
            return Nothing()
        case Text(text, False) if begins_like_a_test(text):
            message = f"`{text}` begins like a test; quote it if it is a name"
            raise GrammarError(message)
        case Operation(op, left, right):
            return Operation(op, _checked(left), _checked(right))
        case WrittenTest("is", Text("none", False)):
            return WrittenTest("none")
        case WrittenTest(op, to, tests):
            return WrittenTest(op, _checked(to) if to is not None else None, tuple(_checked(test) for test in tests))
        case WrittenWhere(left, test):
            return WrittenWhere(_checked(left), _checked(test))
        case WrittenChange(op, to):
            return WrittenChange(op, _checked(to))
    return tree


def begins_like_a_test(text: str) -> bool:
    """Whether a name must be quoted where a test is read."""
    return bool(_TESTS.match(text)) and text not in _SINGLE_WORDS
