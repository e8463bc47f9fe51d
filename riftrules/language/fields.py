"""Types and fields as designers write them: `{ref: unit}`, `{int: {min: 0}, default: 0}`, `{set: [tank, ganking]}`."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from riftrules.facts.types import (
    BoolType,
    CallsType,
    FieldShape,
    IntType,
    ListType,
    MapType,
    RefType,
    SetType,
    Shape,
    TextType,
    Type,
    WordType,
)
from riftrules.language.model import Else, Expression, Field, Hop, Literal, Position, Read, Template
from riftrules.language.naming import check_names, doubled
from riftrules.language.problems import Problems, misspelt, near
from riftrules.language.syntax import MisreadError, Nothing, Operation, Text, Variable, Written, parse_expression
from riftrules.language.values import literal, value_of
from riftrules.source import Entries, Items, Node, Scalar

TYPES = ("ref", "int", "bool", "text", "one of", "set", "list", "map", "calls")
LIMITS = {"ref": ("or",), "list": ("at most",), "map": ("to",)}
ANY = "any"
PLAIN: Mapping[str, Type] = {"bool": BoolType(), "text": TextType(), "calls": CallsType()}


@dataclass(frozen=True, slots=True)
class FieldReader:
    """Reads fields against the names of all templates that a reference may name."""

    names: Collection[str]
    problems: Problems

    def type_of(self, node: Node) -> Type | None:
        """The type a node says, or None after telling what is wrong."""
        if not isinstance(node, Entries):
            self.problems.say(node.place, "type", "a type is written like `{int: any}` or `{ref: player}`")
            return None
        kinds = [(key, value) for key, value in node.pairs if key.text in TYPES]
        if len(kinds) != 1:
            known = ", ".join(f"`{name}`" for name in TYPES)
            close = next((meant for name in node.keys() if (meant := misspelt(name, TYPES))), "")  # noqa: SIM118 - no dict
            hint = f"did you mean `{close}`?" if close and not kinds else f"one of {known}"
            self.problems.say(node.place, "type", "a field says exactly one type", hint)
            return None
        (key, value) = kinds[0]
        return self._named(key.text, value, node)

    def _named(self, kind: str, value: Node, node: Entries) -> Type | None:
        match kind:
            case "ref":
                return self._ref(value, node)
            case "int":
                return self._int(value)
            case "bool" | "text" | "calls":
                self._any(value, kind)
                return PLAIN[kind]
            case "one of":
                words = self._words(value)
                return WordType(words) if words else None
            case "set":
                of: Type | None = WordType(self._words(value)) if isinstance(value, Items) else self.type_of(value)
                return None if of is None else SetType(of)
            case "list":
                of, most = self.type_of(value), self._limit(node, "at most")
                if most is not None and most < 0:
                    self.problems.say(node.place, "type", f"no list has at most {most} items")
                return None if of is None else ListType(of, most)
        return self._map(value, node)

    def _ref(self, value: Node, node: Entries) -> Type | None:
        if not isinstance(value, Scalar):
            self.problems.say(value.place, "type", "`ref` names one template")
            return None
        if value.text not in self.names:
            message = f"`ref: {value.text}` names no template"
            hint = near(value.text, self.names)
            self.problems.unknown(value.place, "unknown-template", message, hint, name=("word", value.text))
            return None
        others = node.get("or")
        return RefType(value.text, () if others is None else self._words(others))

    def _int(self, value: Node) -> IntType:
        if not isinstance(value, Entries):
            self._any(value, "int")
            return IntType()
        for key, _ in value.pairs:
            if key.text not in {"min", "max"}:
                hint = near(key.text, ("min", "max"), otherwise=False) or "`int` has `min` and `max`"
                self.problems.say(key.place, "unknown-key", f"unknown key `{key.text}` in `int`", hint)
        low, high = self._limit(value, "min"), self._limit(value, "max")
        if low is not None and high is not None and low > high:
            self.problems.say(value.place, "type", f"no number is at least {low} and at most {high}")
        return IntType(low, high)

    def _map(self, value: Node, node: Entries) -> Type | None:
        key, to = self.type_of(value), node.get("to")
        number = IntType() if to is None else self.type_of(to)
        if to is None or not isinstance(number, IntType):
            self.problems.say(node.place, "type", "a map says `to:` with an `int`")
            return None
        return None if key is None else MapType(key, number)

    def _any(self, value: Node, kind: str) -> None:
        if not (isinstance(value, Scalar) and value.text == ANY):
            self.problems.say(value.place, "type", f"`{kind}` without limits is written `{kind}: any`")

    def _words(self, value: Node) -> tuple[str, ...]:
        if isinstance(value, Items) and value.items and all(isinstance(item, Scalar) for item in value.items):
            words = tuple(item.text for item in value.items if isinstance(item, Scalar))
            for word in doubled(words):
                self.problems.say(value.place, "duplicate", f"`{word}` is in this list twice")
            return words
        self.problems.say(value.place, "type", "a list of words belongs here")
        return ()

    def _limit(self, node: Entries, key: str) -> int | None:
        value = node.get(key)
        if value is None:
            return None
        found, said = value_of(value, IntType())
        self.problems.found.extend(said)
        return None if said else found

    def fields(self, of: str, node: Entries | None, singletons: Mapping[str, Collection[str]]) -> dict[str, Field]:
        """The fields of a template, in the order written. `singletons` gives the fields a default may read."""
        found: dict[str, Field] = {}
        for key, value in node.pairs if node else ():
            if key.text == "id":
                self.problems.say(key.place, "reserved", "`id` is every fact's own and cannot be a field")
            else:
                check_names("a field", ((key.text, key.place),), self.problems)
            field = self._field(key, value, singletons)
            if field is None:
                self.problems.lose("field", f"{of}.{key.text}")
            else:
                self.problems.declared["field", f"{of}.{key.text}"] = key.place
                found[key.text] = field
        return found

    def _field(self, key: Scalar, value: Node, singletons: Mapping[str, Collection[str]]) -> Field | None:
        type_ = self.type_of(value)
        if type_ is None or not isinstance(value, Entries):
            return None
        before = len(self.problems.found)
        self._check_keys(key, value)
        default = value.get("default")
        optional, internal = self._flag(value, "optional"), self._flag(value, "internal")
        said = self._unsaid(type_) if default is None else self._default(default, type_, singletons)
        if len(self.problems.found) > before and said is None:
            optional, said = True, Literal(None)  # what cannot be read may say that it need not be given: nobody is told it must
        return Field(key.text, type_, optional=optional, default=said, internal=internal, place=key.place)

    def _check_keys(self, key: Scalar, value: Entries) -> None:
        kind = next(name.text for name, _ in value.pairs if name.text in TYPES)
        known = (kind, *LIMITS.get(kind, ()), "default", "optional", "internal", "says")
        for name, _ in value.pairs:
            if name.text not in known:
                hint = near(name.text, known)
                self.problems.say(name.place, "unknown-key", f"unknown key `{name.text}` in field `{key.text}`", hint)

    def _unsaid(self, type_: Type) -> Literal | None:
        """Sets and maps are empty where nothing is said."""
        match type_:
            case SetType():
                return Literal(frozenset())
            case MapType():
                return Literal(())
        return None

    def _flag(self, node: Entries, key: str) -> bool:
        value = node.get(key)
        if value is None:
            return False
        found, said = value_of(value, BoolType())
        self.problems.found.extend(said)
        return bool(found)

    def _default(self, node: Node, type_: Type, singletons: Mapping[str, Collection[str]]) -> Expression | Position | None:
        if isinstance(node, Scalar) and not node.quoted:
            if node.text == "position" and isinstance(type_, IntType):
                return Position()
            if "$" in node.text:
                return self._default_expression(node, type_, singletons)
        value, said = value_of(node, type_, refs=None)
        self.problems.found.extend(said)
        return Literal(value)

    def _default_expression(self, node: Scalar, type_: Type, singletons: Mapping[str, Collection[str]]) -> Expression | None:
        try:
            written = parse_expression(node.text)
            for name, field in _paths(written):
                if name not in {"id", "asked"} and field not in singletons.get(name, ()):
                    self._unknown_default(node, name, field, singletons)
                    return None
            return self._admitted(written, type_, singletons)
        except MisreadError as fault:
            hint = fault.hint or "a default may read `$id`, `$asked` and fields of singletons"
            self.problems.say(node.place, "default", str(fault), hint)
            return None

    def _unknown_default(self, node: Scalar, name: str, field: str, singletons: Mapping[str, Collection[str]]) -> None:
        """Tell that a default reads what no singleton has."""
        path, of = f"${name}.{field}", ("field", f"{name}.{field}") if name in singletons else ("word", name)
        known = [f"${one}.{other}" for one, fields in singletons.items() for other in fields]
        hint = near(path, known, otherwise=False) or "a default may read `$id`, `$asked` and fields of singletons"
        self.problems.unknown(node.place, "default", f"a default cannot say `{path}`", hint, name=of)

    def _admitted(self, written: Written, type_: Type, singletons: Mapping[str, Collection[str]]) -> Expression:
        match written:
            case Nothing():
                return Literal(None)
            case Text():
                return Literal(literal(written, type_))
            case Variable("id" | "asked", ()):
                return Read(written.name)
            case Variable(name, (field,)) if name in singletons and field in singletons[name]:
                return Read(name, (Hop(name, field),), singleton=True)
            case Operation("else", left, right):
                return Else(self._admitted(left, type_, singletons), self._admitted(right, type_, singletons))
        message = f"a default cannot say `{said(written)}`"
        raise MisreadError(message, near(said(written), ("$id", "$asked"), otherwise=False))


def _paths(written: Written) -> Iterator[tuple[str, str]]:
    """The variables and the first fields that an expression reads."""
    match written:
        case Variable(name, (field, *_)):
            yield name, field
        case Operation(_, left, right):
            yield from _paths(left)
            yield from _paths(right)


def said(written: Written) -> str:
    """An expression as its author would write it."""
    match written:
        case Nothing():
            return "none"
        case Text(text):
            return text
        case Variable(name, fields):
            return "$" + ".".join((name, *fields))
        case Operation("greater" | "lesser" as op, left, right):
            return f"{op} of {said(left)} and {said(right)}"
        case Operation(op, left, right):
            return f"{said(left)} {op} {said(right)}"


def shape_of(name: str, kind: str, fields: Mapping[str, Field], key: tuple[str, ...] | None) -> Shape:
    """What working memory needs of a template."""
    shapes = {field.name: FieldShape(field.type, field.optional) for field in fields.values()}
    return Shape(name, shapes, () if kind == "singleton" else key, keeps=kind in {"frame", "event"})


def template_of(name: str, kind: str, fields: Mapping[str, Field]) -> Template:
    """The template of a procedure's frames, of an event, or of a plain singleton."""
    return Template(name, kind, fields, shape_of(name, kind, fields, None), key=() if kind == "singleton" else None)
