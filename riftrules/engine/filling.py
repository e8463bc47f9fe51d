"""Fills in defaults, and tells quickly that values may be written; both made ready once for each template."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from riftrules.facts.memory import Fact, WorkingMemory
from riftrules.facts.types import BoolType, FieldShape, IntType, ListType, RefType, SetType, TextType, Type, Value, WordType
from riftrules.language.defaults import complete
from riftrules.language.model import Literal, Template

Facts: TypeAlias = Mapping[str, Mapping[str, Fact]]
Accepts: TypeAlias = Callable[[Value, Facts], bool]


@dataclass(frozen=True, slots=True)
class Filler:
    """The fields of a template in their order.

    `plain` is whether every default is a value that is known by now, `unsure` are the fields whose default may not be
    one that may be written. `accepts` tells it of values, `holds` of those of a request, which refer to what holds.
    """

    template: Template
    values: Mapping[str, Value]
    plain: bool
    unsure: tuple[str, ...]
    accepts: Mapping[str, Accepts]
    holds: Mapping[str, Accepts]

    def fill(self, id_: str, given: Mapping[str, Value], memory: WorkingMemory, asked: Value = None) -> Fact:
        """The fact with every field, as `language.defaults.complete` gives it."""
        if self.plain:
            return Fact(self.template.name, id_, {**self.values, **given})
        return complete(self.template, id_, given, memory, asked=asked)

    def accepts_all(self, given: Mapping[str, Value], facts: Facts) -> bool:
        """Whether a fact with these fields, and else its defaults, may surely be written; `writing.refused` knows of the rest."""
        if not self.plain:
            return False
        for name in self.unsure:
            if name not in given:
                return False
        accepts = self.accepts
        for name, value in given.items():  # noqa: SIM110 - half the time of `all` over a generator
            if not accepts[name](value, facts):
                return False
        return True

    def fits(self, values: Mapping[str, Value], facts: Facts) -> bool:
        """Whether a request with all these fields is surely fit; `requests.unfit` knows of the rest."""
        holds = self.holds
        for name, value in values.items():  # noqa: SIM110 - likewise
            if not holds[name](value, facts):
                return False
        return True


def filler(template: Template) -> Filler:
    """The filler of a template."""
    defaults = {name: field.default for name, field in template.fields.items()}
    values = {name: default.value if isinstance(default, Literal) else None for name, default in defaults.items()}
    kinds, keeps = template.shape.fields, template.shape.keeps
    return Filler(
        template,
        values,
        all(default is None or isinstance(default, Literal) for default in defaults.values()),
        tuple(name for name, value in values.items() if _is_unsure(value, kinds[name], keeps=keeps)),
        {name: _accepts(kind, keeps=keeps) for name, kind in kinds.items()},
        {name: _accepts(kind, keeps=False) for name, kind in kinds.items()},
    )


def _is_unsure(default: Value, kind: FieldShape, *, keeps: bool) -> bool:
    if default is None:
        return not kind.optional
    return isinstance(kind.type, RefType) and not keeps


def _accepts(kind: FieldShape, *, keeps: bool) -> Accepts:
    test = _of_type(kind.type, keeps=keeps)
    if kind.optional:
        return lambda value, facts: value is None or test(value, facts)
    return test


def _of_type(type_: Type, *, keeps: bool) -> Accepts:
    """Says yes to most values that may be written, never to one that may not."""
    match type_:
        case IntType(low, high):
            least, most = -(2**62) if low is None else low, 2**62 if high is None else high
            return lambda value, facts: type(value) is int and least <= value <= most
        case BoolType():
            return lambda value, facts: value is True or value is False
        case TextType():
            return lambda value, facts: type(value) is str
        case WordType(words):
            return lambda value, facts: type(value) is str and value in words
        case RefType(template, words):
            if keeps:
                return lambda value, facts: type(value) is str
            return lambda value, facts: type(value) is str and (value in facts[template] or value in words)
        case SetType(of):
            member = _of_type(of, keeps=keeps)
            return lambda value, facts: type(value) is frozenset and all(member(one, facts) for one in value)
        case ListType(of, None):
            item = _of_type(of, keeps=keeps)
            return lambda value, facts: type(value) is tuple and all(item(one, facts) for one in value)
    return lambda value, facts: False
