"""Conditions as written: nodes read into small trees, before variables have types."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from riftrules.errors import Place
from riftrules.language.model import Template
from riftrules.language.problems import Problems, near
from riftrules.language.syntax import (
    GrammarError,
    Text,
    Written,
    WrittenTest,
    WrittenWhere,
    parse_expression,
    parse_test,
    parse_where,
)
from riftrules.language.values import near_word
from riftrules.source import Entries, Items, Node, Scalar


@dataclass(frozen=True, slots=True)
class FieldSaid:
    """`field: test` in a pattern."""

    field: str
    test: WrittenTest
    text: str
    place: Place


@dataclass(frozen=True, slots=True, eq=False)
class PatternSaid:
    """`template $name: {…}`."""

    template: str
    name: str | None
    tests: tuple[FieldSaid, ...]
    place: Place


@dataclass(frozen=True, slots=True, eq=False)
class QuantifierSaid:
    """kind: `no` `some` `every` `count` `sum`. `has` for every, `of` for sum, `variable` for count and sum."""

    kind: str
    body: tuple[Said, ...]
    place: Place
    has: tuple[Said, ...] = ()
    of: Written | None = None
    variable: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class EachSaid:
    """`each: E` with one name, or two for a map."""

    of: Written
    variables: tuple[str, ...]
    place: Place


@dataclass(frozen=True, slots=True, eq=False)
class WhereSaid:
    """`where: A is B`."""

    where: WrittenWhere
    text: str
    place: Place


@dataclass(frozen=True, slots=True, eq=False)
class UseSaid:
    """A definition, used."""

    definition: str
    arguments: tuple[Written, ...]
    place: Place


Said: TypeAlias = PatternSaid | QuantifierSaid | EachSaid | WhereSaid | UseSaid

COMPANIONS = {"no": (), "some": (), "every": ("has",), "count": ("as",), "sum": ("over", "as"), "each": ("as",), "where": ()}
HOLDING = ("standing", "singleton", "frame")
"""The kinds of templates whose facts hold for a while, so that a condition may ask for them."""
AS_COMPANIONS = {name for names in COMPANIONS.values() for name in names}


@dataclass(frozen=True, slots=True)
class ConditionReader:
    """Reads conditions against the names of templates and definitions (with their number of parameters)."""

    templates: Mapping[str, Template]
    definitions: Mapping[str, int]
    problems: Problems

    def read(self, nodes: Iterator[Node] | tuple[Node, ...]) -> tuple[Said, ...]:
        """Every condition that can be read; problems are told."""
        return tuple(said for node in nodes if (said := self.condition(node)) is not None)

    def body(self, node: Node) -> tuple[Said, ...]:
        """One condition, or a list of them joined."""
        if isinstance(node, Items) and not node.items:
            self.problems.say(node.place, "condition", "an empty list of conditions")
        return self.read(node.items if isinstance(node, Items) else (node,))

    def condition(self, node: Node) -> Said | None:
        """One condition."""
        if isinstance(node, Scalar):
            return self._use(node, None)
        if not isinstance(node, Entries) or not node.pairs:
            self.problems.say(node.place, "condition", "a condition is a pattern, a definition, or one of the quantifiers")
            return None
        head = next((key.text for key, _ in node.pairs if key.text in COMPANIONS), None)
        if head is not None:
            return self._headed(head, node)
        if len(node.pairs) > 1:
            if any(key.text in AS_COMPANIONS for key, _ in node.pairs[1:]):
                self._unknown(node.pairs[0][0], node.pairs[0][0].text.partition(" ")[0])
                return None
            second = node.pairs[1][0]
            hint = "write two patterns, each with its own `-`"
            first = node.pairs[0][0].text
            self.problems.say(second.place, "two-facts", f"`{first}` and `{second.text}` are two facts in one pattern", hint)
            return None
        ((key, value),) = node.pairs
        return self._named(key, value)

    def _named(self, key: Scalar, value: Node) -> Said | None:
        words = key.text.split()
        if words and words[0] in self.templates:
            if self.templates[words[0]].kind == "event":
                hint = f"hear it: `after: {{{key.text}: {{…}}}}` beside `when`"
                self.problems.say(key.place, "event", f"`{words[0]}` is an event, which never holds", hint)
                return None
            return self.pattern(key, value)
        if len(words) == 1:
            return self._use(key, value)
        self._unknown(key, words[0] if words else "")
        return None

    def _unknown(self, key: Scalar, name: str) -> None:
        said = f"`{name}` is no template, definition or quantifier"
        hint = near_word(name, HOLDING, self.templates, (*self.definitions, *COMPANIONS))
        if name in {"or", "any", "either"}:
            hint = "write a rule for each, or `no: [{no: [ONE]}, {no: [OTHER]}]`"
        self.problems.unknown(key.place, "unknown-template", said, hint, name=("word", name))

    def pattern(self, key: Scalar, value: Node) -> PatternSaid | None:
        """`template: {…}` or `template $name: {…}`."""
        template, *names = key.text.split()
        if len(names) > 1 or (names and not variable_name(names[0])):
            self.problems.say(key.place, "pattern", f"`{key.text}` is not a pattern", f"write `{template} $name: {{…}}`")
            return None
        if isinstance(value, Scalar) and not value.text:
            value = Entries((), value.place)
        if not isinstance(value, Entries):
            self.problems.say(
                value.place, "pattern", f"the tests of `{template}` belong here", f"`{key.text}: {{}}` tests nothing"
            )
            return None
        tests = tuple(test for name, node in value.pairs if (test := self._test(name, node)) is not None)
        return PatternSaid(template, variable_name(names[0]) if names else None, tests, key.place)

    def _test(self, name: Scalar, node: Node) -> FieldSaid | None:
        if not isinstance(node, Scalar):
            hint = "write several conditions, `has`, or `A or B`"
            self.problems.say(node.place, "test", f"the test of `{name.text}` must be one plain text", hint)
            return None
        if not node.text and not node.quoted:
            self.problems.say(name.place, "test", f"the test of `{name.text}` is missing")
            return None
        try:
            test = WrittenTest("is", Text(node.text, quoted=True)) if node.quoted else parse_test(node.text)
        except GrammarError as fault:
            self.problems.say(node.place, "syntax", str(fault), fault.hint)
            return None
        return FieldSaid(name.text, test, node.text, name.place)

    def _use(self, key: Scalar, value: Node | None) -> UseSaid | None:
        parameters = self.definitions.get(key.text)
        if parameters is None:
            self._unknown(key, key.text)
            return None
        nodes = () if value is None else value.items if isinstance(value, Items) else (value,)
        arguments = tuple(found for node in nodes if (found := self.expression(node)) is not None)
        if len(nodes) != parameters:
            takes = f"{parameters} argument{'s' if parameters != 1 else ''}"
            self.problems.say(key.place, "arguments", f"`{key.text}` takes {takes}, not {len(nodes)}")
            return None
        return UseSaid(key.text, arguments, key.place) if len(arguments) == len(nodes) else None

    def expression(self, node: Node) -> Written | None:
        """An expression, or None after telling what is wrong."""
        if not isinstance(node, Scalar) or (not node.text and not node.quoted):
            self.problems.say(node.place, "syntax", "one expression belongs here")
            return None
        if node.quoted:
            return Text(node.text, quoted=True)
        try:
            return parse_expression(node.text)
        except GrammarError as fault:
            self.problems.say(node.place, "syntax", str(fault), fault.hint)
            return None

    def _headed(self, head: str, node: Entries) -> Said | None:
        needed = COMPANIONS[head]
        for key, _ in node.pairs:
            if key.text != head and key.text not in needed:
                beside = f"beside `{head}` stands {' and '.join(f'`{name}`' for name in needed)}"
                hint = near(key.text, needed, otherwise=False) or (beside if needed else "write it with its own `-`")
                self.problems.say(key.place, "unknown-key", f"unknown key `{key.text}` beside `{head}`", hint)
                return None
        for name in needed:
            if node.get(name) is None:
                self.problems.say(node.place, "missing-key", f"`{head}` needs `{name}` beside it")
                return None
        return self._quantifier(head, node)

    def _quantifier(self, head: str, node: Entries) -> Said | None:
        place, value = node.place, _got(node, head)
        match head:
            case "no" | "some":
                return QuantifierSaid(head, self.body(value), place)
            case "every":
                return QuantifierSaid("every", self.body(value), place, has=self.body(_got(node, "has")))
            case "count":
                return QuantifierSaid("count", self.body(value), place, variable=self._one(_got(node, "as")))
            case "sum":
                body = self.body(_got(node, "over"))
                of = self.expression(value)
                return None if of is None else QuantifierSaid("sum", body, place, of=of, variable=self._one(_got(node, "as")))
            case "each":
                of, names = self.expression(value), self._names(_got(node, "as"))
                return EachSaid(of, names, place) if of is not None and names else None
        return self._where(value, place)

    def _where(self, value: Node, place: Place) -> WhereSaid | None:
        if not isinstance(value, Scalar):
            self.problems.say(value.place, "syntax", "`where` is one plain text: `A is B`, `A at least B` …")
            return None
        try:
            return WhereSaid(parse_where(value.text), value.text, place)
        except GrammarError as fault:
            self.problems.say(value.place, "syntax", str(fault), fault.hint)
            return None

    def _one(self, node: Node) -> str:
        names = self._names(node)
        if len(names) > 1:
            self.problems.say(node.place, "variable", "one variable belongs here")
        return names[0] if names else ""

    def _names(self, node: Node) -> tuple[str, ...]:
        items = node.items if isinstance(node, Items) else (node,)
        names = [variable_name(item.text) if isinstance(item, Scalar) else "" for item in items]
        if all(names) and 1 <= len(names) <= PAIR:
            return tuple(names)
        self.problems.say(node.place, "variable", "a variable belongs here, like `$n`")
        return ()


PAIR = 2


def variable_name(text: str) -> str:
    """The name of `$name`, or nothing where the text is not a variable."""
    name = text[1:]
    return name if text.startswith("$") and name.replace("-", "_").isidentifier() else ""


def _got(node: Entries, key: str) -> Node:
    """The node under a key that has been seen to be there."""
    return next(value for name, value in node.pairs if name.text == key)
