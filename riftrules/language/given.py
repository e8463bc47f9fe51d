"""Reads what a consequent gives: the fields of what is made, and the values written."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from riftrules.errors import Place
from riftrules.facts.types import CallsType, ListType, RefType, SetType, Type
from riftrules.language.model import (
    Expression,
    Field,
    Literal,
    Made,
    Procedure,
    Template,
)
from riftrules.language.resolve import Resolver
from riftrules.language.scopes import Scope, variables_in
from riftrules.language.syntax import GrammarError, Text, Written, parse_expression
from riftrules.language.type_names import comparable, type_name
from riftrules.language.values import missing_fields, tell_unknown_field, value_of
from riftrules.language.written import variable_name
from riftrules.source import Entries, Items, Node, Scalar


@dataclass(slots=True)
class GivenReader:
    """Reads the fields that a consequent gives, within the scope of its rule."""

    resolver: Resolver
    scope: Scope
    procedures: dict[str, Procedure]
    made: dict[str, str] = dataclasses.field(default_factory=dict)
    """The template of each fact that an `assert` read so far gives a name to."""

    @property
    def templates(self) -> dict[str, Template]:
        """All templates."""
        return dict(self.scope.known.templates)

    def say(self, place: Place, code: str, message: str, hint: str = "") -> None:
        """Tell what is wrong."""
        self.resolver.problems.say(place, code, message, hint)

    def fields(self, template: Template, node: Node) -> tuple[tuple[str, Expression], ...]:
        """The fields given for a new fact, event or frame, after telling what is wrong."""
        found: list[tuple[str, Expression]] = []
        if isinstance(node, Scalar) and not node.text:
            node = Entries((), node.place)
        if not isinstance(node, Entries):
            self.say(node.place, "consequent", f"the fields of `{template.name}` belong here")
            return ()
        for name, value in node.pairs:
            field = template.fields.get(name.text)
            if field is None:
                tell_unknown_field(name.place, name.text, template, self.resolver.problems)
            else:
                self.check_none(value, field)
                found.append((name.text, self._given(value, field.type)))
        self._check_required(template, node)
        return tuple(found)

    def _check_required(self, template: Template, node: Entries) -> None:
        """Tell of each field that is needed and not given, but not where it is there under a misspelt name."""
        for name in missing_fields(template, node):
            if not self.resolver.problems.is_lost("field", f"{template.name}.{name}"):
                self.say(node.place, "missing-field", f"`{template.name}` needs `{name}`")

    def check_none(self, node: Node, field: Field) -> None:
        """Tell where `none` is given to a field that cannot be none."""
        if isinstance(node, Scalar) and node.text == "none" and not node.quoted and not field.optional:
            self.say(node.place, "type", f"`{field.name}` cannot be none")

    def _given(self, node: Node, type_: Type) -> Expression:
        """A value of something that is made: it may be the id of a fact made just before."""
        name = variable_name(node.text) if isinstance(node, Scalar) and not node.quoted else ""
        if name not in self.made:
            return self.value(node, type_)
        other = RefType(self.made[name])
        if not comparable(type_, other):
            self.say(node.place, "type", f"this is {type_name(other)} where {type_name(type_)} belongs")
        return Made(name)

    def is_made(self, name: str, place: Place) -> bool:
        """Whether the variable names a fact that is only made by this rule, so that nothing else can be done with it."""
        if name not in self.made:
            return False
        hint = "what is asserted, emitted, begun or due after it can be given it as it is"
        self.say(place, "unbound", f"`${name}` is not there before the rule has fired", hint)
        return True

    def value(self, node: Node, type_: Type) -> Expression:
        """A value of this type, or an expression."""
        if isinstance(node, Items):
            for item in node.items:
                if isinstance(item, Scalar) and item.text.startswith("$") and not item.quoted:
                    hint = "write it with an empty list, then `modify … add`"
                    self.say(item.place, "syntax", f"`{item.text}`: brackets hold values, not variables", hint)
                    return Literal(None)
        if not isinstance(node, Scalar) or (isinstance(type_, SetType | ListType | CallsType) and "$" not in node.text):
            value, problems = value_of(node, type_, templates=self.templates)
            self.resolver.problems.found.extend(problems)
            return Literal(value)
        try:
            written: Written = Text(node.text, quoted=True) if node.quoted else parse_expression(node.text)
        except GrammarError as fault:
            self.say(node.place, "syntax", str(fault), fault.hint)
            return Literal(None)
        return self.fitting(written, type_, node.place)

    def fitting(self, written: Written, type_: Type, place: Place) -> Expression:
        """An expression that fits the type."""
        if any(self.is_made(name, place) for name in variables_in(written)):
            return Literal(None)
        other = None if isinstance(written, Text) else self.scope.expression_type(written)
        if other is not None and not comparable(type_, other):
            self.say(place, "type", f"this is {type_name(other)} where {type_name(type_)} belongs")
        return self.resolver.expression(written, type_, self.scope, place)
