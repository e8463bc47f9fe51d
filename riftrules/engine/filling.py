"""Fills in defaults, and tells quickly that values may be written; both made ready once for each template."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from riftrules.facts.memory import Fact, WorkingMemory
from riftrules.facts.types import BoolType, FieldShape, IntType, RefType, Shape, TextType, Value, WordType
from riftrules.language.defaults import complete
from riftrules.language.model import Literal, Template

Facts: TypeAlias = Mapping[str, Mapping[str, Fact]]
Accepts: TypeAlias = Callable[[Value, Facts], bool]


@dataclass(frozen=True, slots=True)
class Filler:
    """The fields of a template in their order. `plain` is whether every default is a value that is known by now."""

    template: Template
    values: Mapping[str, Value]
    plain: bool
    accepts: Mapping[str, Accepts]

    def fill(self, id_: str, given: Mapping[str, Value], memory: WorkingMemory, asked: Value = None) -> Fact:
        """The fact with every field, as `language.defaults.complete` gives it."""
        if self.plain:
            return Fact(self.template.name, id_, {**self.values, **given})
        return complete(self.template, id_, given, memory, asked=asked)

    def accepts_all(self, values: Mapping[str, Value], facts: Facts) -> bool:
        """Whether all the values may surely be written; `writing.refused` knows of the rest."""
        accepts = self.accepts
        for name, value in values.items():  # noqa: SIM110 - half the time of `all` over a generator
            if not accepts[name](value, facts):
                return False
        return True


def filler(template: Template) -> Filler:
    """The filler of a template."""
    defaults = {name: field.default for name, field in template.fields.items()}
    return Filler(
        template,
        {name: default.value if isinstance(default, Literal) else None for name, default in defaults.items()},
        all(default is None or isinstance(default, Literal) for default in defaults.values()),
        {name: _accepts(kind, template.shape) for name, kind in template.shape.fields.items()},
    )


def _accepts(kind: FieldShape, shape: Shape) -> Accepts:
    test = _of_type(kind, keeps=shape.keeps)
    if kind.optional:
        return lambda value, facts: value is None or test(value, facts)
    return test


def _of_type(kind: FieldShape, *, keeps: bool) -> Accepts:
    """Says yes to most values that may be written, never to one that may not."""
    match kind.type:
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
    return lambda value, facts: False
