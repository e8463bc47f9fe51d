"""Values as designers write them, read by the type their field declares and never by their look."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import TypeAlias

from riftrules.errors import Place, Problem
from riftrules.facts.types import (
    BoolType,
    Call,
    CallsType,
    IntType,
    ListType,
    MapType,
    RefType,
    SetType,
    TextType,
    Type,
    Value,
    WordType,
    fault,
    value_order,
)
from riftrules.language.behind_keys import FLAGS
from riftrules.language.model import AnyOf, Compare, Equals, Has, In, Known, Literal, Not, Template, Test
from riftrules.language.problems import Name, Problems, Unknown, misspelt, near
from riftrules.language.syntax import (
    CHANGES,
    KEYWORDS,
    MisreadError,
    Nothing,
    Text,
    Written,
    WrittenTest,
    misspelt_word,
    parse_test,
)
from riftrules.source import Entries, Items, Node, Scalar

Refs: TypeAlias = Callable[[RefType], list[str]]
"""The ids a reference may name, for the message when it names none of them."""

DIGITS = 30
_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)\Z")


def literal(text: Text, type_: Type) -> Value:
    """A plain or quoted text as a value of this type. Raises MisreadError with the words of a message and a hint."""
    match type_:
        case IntType():
            if text.quoted or not _NUMBER.match(text.text):
                message = f"`{_shown(text)}` is not a whole number"
                raise MisreadError(message, misspelt_word(text.text, (*KEYWORDS, *CHANGES)))
            value: Value = int(text.text[:DIGITS])  # what has more is too large, however it goes on
        case BoolType():
            if text.quoted or text.text not in {"true", "false"}:
                message = f"`{_shown(text)}` is neither `true` nor `false`"
                raise MisreadError(message, near(text.text, FLAGS, otherwise=False))
            value = text.text == "true"
        case TextType() | WordType() | RefType():
            value = text.text
        case _:
            message = f"`{_shown(text)}` is one text where {TYPE_NAMES[type(type_)]} belongs"
            raise MisreadError(message, _first_misspelt(text.text, ("has",)))
    said = fault(value, type_)
    if said:
        raise MisreadError(said, near(text.text, type_.words, otherwise=False) if isinstance(type_, WordType) else "")
    return value


def _first_misspelt(text: str, known: tuple[str, ...]) -> str:
    """A hint where the first of several words stands for a word of the language."""
    first, *others = text.split() or [""]
    return near(first, known, otherwise=False) if others else ""


TYPE_NAMES: Mapping[type, str] = {SetType: "a set", ListType: "a list", MapType: "a map", CallsType: "a list of procedures"}


def _shown(text: Text) -> str:
    return f'"{text.text}"' if text.quoted else text.text


class _Reader:
    """Reads one value, collecting problems. Shapes it cannot read become None."""

    def __init__(self, refs: Refs | None, templates: Mapping[str, Template]) -> None:
        self.refs = refs
        self.templates = templates
        self.problems: list[Problem] = []

    def say(self, node: Node, message: str, hint: str = "", code: str = "type") -> None:
        self.problems.append(Problem(node.place, code, message, hint))

    def unknown(self, node: Node, code: str, told: tuple[str, str], name: Name) -> None:
        """Note that nothing has this name; `told` are the message and the hint."""
        self.problems.append(Unknown(node.place, code, *told, name=name))

    def value(self, node: Node, type_: Type, *, optional: bool = False) -> Value:
        match type_:
            case SetType(of):
                return frozenset(self._members(node, of, "a set"))
            case ListType(of, at_most):
                members = tuple(self._members(node, of, "a list"))
                if at_most is not None and len(members) > at_most:
                    self.say(node, f"{len(members)} items are more than {at_most}")
                return members
            case MapType(key, to):
                return self._map(node, key, to)
            case CallsType():
                return self._calls(node)
        return self._scalar(node, type_, optional=optional)

    def _scalar(self, node: Node, type_: Type, *, optional: bool) -> Value:
        if not isinstance(node, Scalar):
            self.say(node, "one value belongs here")
            return None
        if node.text == "none" and not node.quoted:
            if not optional:
                self.say(node, "`none` is not possible here: the field is not optional")
            return None
        if not node.text and not node.quoted:
            self.say(node, "a value is missing here")
            return None
        try:
            value = literal(Text(node.text, node.quoted), type_)
        except MisreadError as said:
            self.unknown(node, "type", (str(said), said.hint), ("value", str(said)))
            return None
        if isinstance(type_, RefType) and self.refs is not None and value not in type_.words:
            known = self.refs(type_)
            if value not in known:
                told = (
                    f"`{value}` names no {type_.template}",
                    near(value, [*known, *type_.words, *(("none",) if optional else ())]),
                )
                self.unknown(node, "unknown-fact", told, ("fact", f"{type_.template} {value}"))
        return value

    def _members(self, node: Node, of: Type, what: str) -> list[Value]:
        if not isinstance(node, Items):
            self.say(node, f"{what} is written in brackets: `[…]`")
            return []
        return [self.value(item, of) for item in node.items]

    def _map(self, node: Node, key: Type, to: IntType) -> Value:
        if not isinstance(node, Entries):
            self.say(node, "a map is written as keys with numbers")
            return ()
        pairs = [(self.value(name, key), self.value(number, to)) for name, number in node.pairs]
        return tuple(sorted(pairs, key=lambda pair: value_order(pair[0])))

    def _calls(self, node: Node) -> Value:
        if not isinstance(node, Items):
            self.say(node, "procedures are written as a list: `[{draw: {player: …}}]`")
            return ()
        return tuple(call for item in node.items if (call := self.call(item)) is not None)

    def call(self, node: Node) -> Call | None:
        if isinstance(node, Scalar):
            node = Entries(((node, Entries((), node.place)),), node.place)
        if not isinstance(node, Entries) or len(node.pairs) != 1:
            self.say(node, "one procedure with its fields belongs here: `{draw: {player: …}}`")
            return None
        ((name, given),) = node.pairs
        template = self.templates.get(name.text)
        if template is None or template.kind != "frame":
            known = [known for known, found in self.templates.items() if found.kind == "frame"]
            told = (f"`{name.text}` is no procedure", near(name.text, known))
            self.unknown(name, "unknown-procedure", told, ("word", name.text))
            return None
        return Call(name.text, tuple(sorted(self.given(given, template).items())))

    def given(self, node: Node, template: Template) -> dict[str, Value]:
        if isinstance(node, Scalar) and not node.text and not node.quoted:
            return {}
        if not isinstance(node, Entries):
            self.say(node, f"the fields of `{template.name}` belong here")
            return {}
        found: dict[str, Value] = {}
        for key, value in node.pairs:
            field = template.fields.get(key.text)
            if field is None:
                name = ("field", f"{template.name}.{key.text}")
                self.unknown(key, "unknown-field", unknown_field(key.text, template), name)
            else:
                found[key.text] = self.value(value, field.type, optional=field.optional)
        return found


def tell_unknown_field(place: Place, name: str, template: Template, problems: Problems) -> None:
    """Tell that the template has no such field to be given or read."""
    problems.unknown(place, "unknown-field", *unknown_field(name, template), name=("field", f"{template.name}.{name}"))


KINDS = {"event": "the event", "frame": "the procedure", "standing": "the template", "singleton": "the template"}


def near_word(name: str, kinds: Collection[str], templates: Mapping[str, Template], others: Iterable[str] = ()) -> str:
    """A hint at the template of one of these kinds, or at one of the `others`, else at one of another kind, with its kind."""
    wanted = [*(known for known, template in templates.items() if template.kind in kinds), *others]
    close = misspelt(name, (*wanted, *templates))
    if close and close not in wanted:
        return f"did you mean {KINDS[templates[close].kind]} `{close}`?"
    return near(name, wanted)


def missing_fields(template: Template, given: Node) -> list[str]:
    """The fields that must be given and are not, but not those that are there under a misspelt name."""
    keys = given.keys() if isinstance(given, Entries) else ()
    missing = [field.name for field in template.fields.values() if field.required and field.name not in keys]
    meant = {misspelt(key, missing) for key in keys if key not in template.fields}
    return [name for name in missing if name not in meant]


def unknown_field(name: str, template: Template) -> tuple[str, str]:
    """Message and hint for a field a template does not have."""
    if name in template.derived:
        return f"`{name}` of `{template.name}` is derived and cannot be given", ""
    return f"`{template.name}` has no field `{name}`", near(name, [*template.fields, *template.derived])


def value_of(
    node: Node, type_: Type, *, refs: Refs | None = None, templates: Mapping[str, Template] | None = None, optional: bool = False
) -> tuple[Value, tuple[Problem, ...]]:
    """The value a node says for a field of this type, with every problem. With `refs`, references must name one of them."""
    reader = _Reader(refs, templates or {})
    value = reader.value(node, type_, optional=optional)
    return value, tuple(reader.problems)


def fields_of(
    node: Node, template: Template, *, refs: Refs | None = None, templates: Mapping[str, Template] | None = None
) -> tuple[dict[str, Value], tuple[Problem, ...]]:
    """The fields given for a fact, frame or request of `template`; which are required is the caller's to check."""
    reader = _Reader(refs, templates or {})
    return reader.given(node, template), tuple(reader.problems)


def calls_of(
    node: Node, *, refs: Refs | None = None, templates: Mapping[str, Template] | None = None
) -> tuple[tuple[Call, ...], tuple[Problem, ...]]:
    """One procedure with its fields, or a list of them."""
    reader = _Reader(refs, templates or {})
    items = node.items if isinstance(node, Items) else (node,)
    return tuple(call for item in items if (call := reader.call(item)) is not None), tuple(reader.problems)


def expected_of(node: Node, type_: Type, *, refs: Refs | None = None) -> tuple[Test | None, tuple[Problem, ...]]:
    """The test a fixture expects of a field: the language's tests without variables.

    A set, list or map may also be written whole, in brackets or braces; then the field equals it.
    """
    if not isinstance(node, Scalar):
        value, problems = value_of(node, type_, refs=refs)
        return (None if problems else Equals(Literal(value))), problems
    try:
        if node.quoted:
            return _typed(WrittenTest("is", Text(node.text, quoted=True)), type_, refs), ()
        return _typed(parse_test(node.text), type_, refs), ()
    except MisreadError as said:
        return None, (Problem(node.place, "test", str(said), said.hint),)


def _typed(test: WrittenTest, type_: Type, refs: Refs | None) -> Test:
    match test.op:
        case "none":
            return Equals(Literal(None))
        case "some":
            return Known()
        case "not":
            return Not(_typed(test.tests[0], type_, refs))
        case "any":
            return AnyOf(tuple(_typed(one, type_, refs) for one in test.tests))
        case "is":
            return Equals(_literal(test.to, type_, refs))
        case "has":
            return Has(_literal(test.to, member_type(type_), refs))
        case "in":
            return In(_literal(test.to, type_, refs))
    if isinstance(type_, IntType):
        return Compare(test.op, _literal(test.to, type_, refs))
    message = f"`{test.op}` compares numbers"
    raise MisreadError(message)


def _literal(written: Written | None, type_: Type, refs: Refs | None) -> Literal:
    match written:
        case Nothing():
            return Literal(None)
        case Text():
            value = literal(written, type_)
            if isinstance(type_, RefType) and refs is not None and value not in (known := [*refs(type_), *type_.words]):
                message = f"`{value}` names no {type_.template}"
                raise MisreadError(message, near(value, known))
            return Literal(value)
    message = "a variable or a sum cannot stand in an expectation"
    raise MisreadError(message)


def member_type(type_: Type) -> Type:
    """The type of a member of a set or list, or of a key of a map."""
    match type_:
        case SetType(of) | ListType(of):
            return of
        case MapType(key):
            return key
    message = "`has` asks a set, a list or a map"
    raise MisreadError(message)
