"""Checks a ruleset's view: every template and field it names is one, and every key is a view's."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from riftrules.facts.types import BoolType, IntType, RefType
from riftrules.language.model import Template
from riftrules.language.problems import ANY_FIELD, Problems, near
from riftrules.source import Entries, Items, Node, Scalar

FIELD = re.compile(r"\$(\w+(?:-\w+)*)")


def check_view(view: Sequence[Entries], templates: Mapping[str, Template], problems: Problems) -> None:
    """Tell every problem of a view, which may be written in several places."""
    _View(templates, problems).check(view)


class _View:
    def __init__(self, templates: Mapping[str, Template], problems: Problems) -> None:
        self.templates = {name: template for name, template in templates.items() if template.kind != "event"}
        self.problems = problems
        self.checks: dict[str, Callable[[Node], object]] = {
            **dict.fromkeys(("place", "players", "turn"), self._template),
            "lists": self._lists,
            "here": self._here,
            "elsewhere": self._word,
            "owner": self._some_field,
            "shows": lambda node: self._by_template(node, self._fields),
            "marks": self._marks,
            "labels": self._labels,
            "score": self._score,
            **dict.fromkeys(("order", "titles"), lambda node: self._by_template(node, self._field)),
            **dict.fromkeys(("seal", "against"), lambda node: self._by_template(node, partial(self._typed, IntType, "a number"))),
            "turned": lambda node: self._by_template(node, partial(self._typed, BoolType, "true or false")),
        }

    def check(self, view: Sequence[Entries]) -> None:
        for key, node in (pair for part in view for pair in part.pairs):
            if key.text in self.checks:
                self.checks[key.text](node)
            else:
                self.problems.say(key.place, "unknown-key", f"unknown key `{key.text}` in a view", near(key.text, self.checks))

    # -------------------------------------------------------------------------------------------- names

    def _word(self, node: Node) -> str:
        if isinstance(node, Scalar) and node.text:
            return node.text
        self.problems.say(node.place, "shape", "one word belongs here")
        return ""

    def _template(self, node: Node) -> Template | None:
        name = self._word(node)
        if name and name not in self.templates:
            hint = near(name, self.templates)
            self.problems.unknown(node.place, "unknown-template", f"`{name}` is no template", hint, name=("word", name))
        return self.templates.get(name)

    def _field(self, template: Template, node: Node) -> None:
        name = self._word(node)
        known = [*template.fields, *template.derived, "id"]
        if name and name not in known:
            said, of = f"`{template.name}` has no field `{name}`", ("field", f"{template.name}.{name}")
            self.problems.unknown(node.place, "unknown-field", said, near(name, known), name=of)

    def _typed(self, type_: type, said: str, template: Template, node: Node) -> None:
        """A field of this type."""
        self._field(template, node)
        name = node.text if isinstance(node, Scalar) else ""
        field = template.fields.get(name) or template.derived.get(name)
        if field is not None and not isinstance(field.type, type_):
            self.problems.say(node.place, "type", f"`{name}` of `{template.name}` is not {said}")

    def _fields(self, template: Template, node: Node) -> None:
        for item in _items(node):
            self._field(template, item)

    def _some_field(self, node: Node) -> None:
        """A field of any template."""
        name = self._word(node)
        known = {field for template in self.templates.values() for field in (*template.fields, *template.derived)}
        if name and name not in known:
            said, hint = f"no template has a field `{name}`", near(name, known, otherwise=False)
            self.problems.unknown(node.place, "unknown-field", said, hint, name=(ANY_FIELD, name))

    # -------------------------------------------------------------------------------------------- parts

    def _entries(self, node: Node, shape: str) -> Iterator[tuple[Scalar, Node]]:
        if isinstance(node, Entries):
            yield from node.pairs
        else:
            self.problems.say(node.place, "shape", f"this is written as `{{{shape}}}`")

    def _by_template(self, node: Node, check: Callable[[Template, Node], None]) -> None:
        for key, value in self._entries(node, "template: …"):
            template = self._template(key)
            if template is not None:
                check(template, value)

    def _here(self, node: Node) -> None:
        for item in _items(node):
            found = {key.text: value for key, value in self._entries(item, "template: T, at: FIELD")}
            if isinstance(item, Entries) and set(found) != {"template", "at"}:
                said = "what stands in a place is written as `{template: T, at: FIELD}`"
                self.problems.say(item.place, "shape", said, _meant(found, ("template", "at")))
            elif found:
                template = self._template(found["template"])
                if template is not None:
                    self._typed(RefType, "a place", template, found["at"])

    def _marks(self, node: Node) -> None:
        if isinstance(node, Items):
            self._lists(node)
            return
        self._by_template(node, self._mark)

    def _mark(self, template: Template, node: Node) -> None:
        if isinstance(node, Scalar):
            for name in FIELD.findall(node.text):
                self._field(template, replace(node, text=name))
        else:
            self._word(node)

    def _lists(self, node: Node) -> None:
        for item in _items(node):
            self._template(item)

    def _labels(self, node: Node) -> None:
        for key, value in self._entries(node, "field: word"):
            self._some_field(key)
            for item in _items(value):
                self._word(item)

    def _score(self, node: Node) -> None:
        found = {key.text: value for key, value in self._entries(node, "field: F, of: SINGLETON.FIELD")}
        if isinstance(node, Entries) and set(found) != {"field", "of"}:
            said = "a score is written as `{field: F, of: SINGLETON.FIELD}`"
            self.problems.say(node.place, "shape", said, _meant(found, ("field", "of")))
        elif found:
            self._some_field(found["field"])
            self._singleton(found["of"])

    def _singleton(self, node: Node) -> None:
        """A field of a singleton: `settings.goal`."""
        name, _, field = self._word(node).partition(".")
        if isinstance(node, Scalar) and name:
            template = self._template(replace(node, text=name))
            if template is not None:
                self._field(template, replace(node, text=field))


def _meant(keys: Iterable[str], known: tuple[str, ...]) -> str:
    """A hint at the first key that is misspelt."""
    return next((hint for key in keys if key not in known and (hint := near(key, known, otherwise=False))), "")


def _items(node: Node) -> tuple[Node, ...]:
    return node.items if isinstance(node, Items) else (node,)
