"""Reads scopes: every name and value in them is checked against the ruleset when it is loaded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from riftrules.facts.types import IntType, RefType, TextType, Value
from riftrules.language.documents import ScopeShape, SupplyShape, shaped, shaped_in_part
from riftrules.language.model import Field, Move, ProofScope, Ruleset, Supply, Template
from riftrules.language.model.proof_scopes import Path
from riftrules.language.problems import Problems, misspelt, near
from riftrules.language.stacks import tell_frame
from riftrules.language.values import Refs, fields_of, tell_unknown_field, value_of
from riftrules.source import Entries, Items, Node, Scalar, place_at

DEFAULT = "default"
SETTING = "$settings."
SETTINGS = "settings"
MOST = 16
"""How many facts of a template a reference may count on where a setting says how many there are."""


@dataclass(slots=True)
class ScopeReader:
    """Reads the scopes of one ruleset."""

    ruleset: Ruleset
    problems: Problems
    ids: dict[str, list[str]] = field(default_factory=dict)
    whole: bool = True
    """Whether all that is on the boards of the scope could be read: else nothing is told of what is not there."""

    def scopes(self, nodes: Mapping[str, Node]) -> dict[str, ProofScope]:
        """The scopes by name, after telling every problem."""
        found = {}
        for name, node in nodes.items():
            shape = shaped(ScopeShape, node, self.problems, f"the scope `{name}`")
            if shape is not None:
                found[name] = self._scope(name, shape, node)
        return found

    def _scope(self, name: str, shape: ScopeShape, node: Node) -> ProofScope:
        self.ids, self.whole = {}, True
        return ProofScope(
            name=name,
            says=shape.says,
            modes=tuple(self._modes(shape, node)) or ("",),
            supplies=tuple(self._supplies(shape.boards)),
            stack=tuple(self._stack(shape.stack)),
            requests=tuple(self._moves(shape.requests, "request")),
            effects=tuple(self._moves(shape.effects, "effect")),
            numbers=shape.numbers,
            ignored=tuple(self._paths(shape.ignored, (isinstance(node, Entries) and node.get("ignored")) or node)),
            depth=shape.depth,
            agreement=shape.agreement,
            seldom=tuple(self._known(shape.seldom, node)),
            bound=tuple(self._bound(shape.bound)),
            place=node.place,
        )

    def _modes(self, shape: ScopeShape, node: Node) -> Iterator[str]:
        for mode in shape.mode:
            if mode in self.ruleset.modes:
                yield mode
            else:
                said, hint = f"`{mode}` is no mode", near(mode, self.ruleset.modes)
                self.problems.unknown(place_at(node, "mode"), "unknown-mode", said, hint, name=("mode", mode))

    # -------------------------------------------------------------------------------------------- boards

    def _supplies(self, boards: Entries) -> Iterator[Supply]:
        known = {name: one for one in self.ruleset.templates.values() for name in (one.name, one.plural) if name}
        given = []
        for key, node in boards.pairs:
            template = known.get(key.text)
            if template is None or template.kind not in {"standing", "singleton"}:
                said, hint = f"`{key.text}` is no template", near(key.text, known)
                self.problems.unknown(key.place, "unknown-template", said, hint, name=("word", key.text))
                self.whole = False
                continue
            if self.problems.is_lost("word", template.name):
                self.whole = False
                continue
            if template.kind == "singleton":
                self.ids[template.name] = [template.name]
                given.append((template, SupplyShape(fields=node if isinstance(node, Entries) else None), node))
                continue
            shape, whole = shaped_in_part(SupplyShape, node, self.problems, f"`{key.text}`")
            self.whole = self.whole and whole
            if shape is not None:
                self.ids[template.name] = [*shape.names, *(f"{template.name}-{number}" for number in range(1, MOST + 1))]
                given.append((template, shape, node))
        for template, shape, node in given:
            yield self._supply(template, shape, node)

    def _supply(self, template: Template, shape: SupplyShape, node: Node) -> Supply:
        if shape.each and shape.each not in self.ids and self.whole:
            self.problems.say(
                node.place, "unknown-template", f"`each: {shape.each}` is not on the boards", near(shape.each, self.ids)
            )
        lost = self.problems.is_lost("field", f"{template.name}.{shape.by}")
        if self.whole and (bool(shape.each) != bool(shape.by) or (shape.by and shape.by not in template.fields and not lost)):
            said = f"`each` needs `by`: the field of `{template.name}` that refers to it"
            self.problems.say(place_at(node, "by"), "scope", said, near(shape.by, template.fields))
        return Supply(
            template.name,
            self._count(shape, node),
            shape.each,
            shape.by,
            shape.names,
            tuple(self._alternatives(template, shape.fields)),
            tuple(self._alternatives(template, shape.dealt)),
        )

    def _count(self, shape: SupplyShape, node: Node) -> int | str:
        if shape.count.isdecimal():
            return int(shape.count)
        settings = self.ruleset.templates[SETTINGS].fields
        name = shape.count.removeprefix(SETTING)
        if name == shape.count or name not in settings or not isinstance(settings[name].type, IntType):
            said = f"`count: {shape.count}` is neither a number nor a setting that is one"
            hint = near(name, settings, otherwise=False) or f"write `2`, or `{SETTING}NAME`"
            self.problems.unknown(place_at(node, "count"), "scope", said, hint, name=("field", f"{SETTINGS}.{name}"))
        return name

    def _alternatives(self, template: Template, entries: Entries | None) -> Iterator[tuple[str, tuple[Value, ...]]]:
        """The values of each field; a list says several."""
        for key, node in entries.pairs if entries else ():
            field_ = template.fields.get(key.text)
            if field_ is None:
                tell_unknown_field(key.place, key.text, template, self.problems)
            else:
                items = node.items if isinstance(node, Items) else (node,)
                yield key.text, tuple(self._value(item, field_) for item in items)

    def _value(self, node: Node, field_: Field) -> Value:
        value, problems = value_of(
            node, field_.type, refs=self._known_refs, templates=self.ruleset.templates, optional=field_.optional
        )
        self.problems.found.extend(problems)
        return value

    @property
    def _known_refs(self) -> Refs | None:
        return self._refs if self.whole else None

    def _refs(self, type_: RefType) -> list[str]:
        return self.ids.get(type_.template, [])

    def _stack(self, items: Items | None) -> Iterator[tuple[str, tuple[tuple[str, Value], ...], str]]:
        for item in items.items if items else ():
            pairs = [pair for pair in item.pairs if pair[0].text != "step"] if isinstance(item, Entries) else []
            step = item.get("step") if isinstance(item, Entries) else None
            procedure = self.ruleset.procedures.get(pairs[0][0].text) if len(pairs) == 1 else None
            if procedure is None or not isinstance(step, Scalar) or step.text not in procedure.steps:
                tell_frame(item, self.ruleset, self.problems)
                continue
            template = self.ruleset.templates[procedure.name]
            fields, problems = fields_of(pairs[0][1], template, refs=self._known_refs, templates=self.ruleset.templates)
            self.problems.found.extend(problems)
            yield procedure.name, tuple(sorted(fields.items())), step.text

    # -------------------------------------------------------------------------------------------- moves

    def _moves(self, node: Node | None, what: str) -> Iterator[Move]:
        """A list of procedures, or each with what is tried in its fields."""
        if node is None:
            return
        pairs = node.pairs if isinstance(node, Entries) else ()
        items = node.items if isinstance(node, Items) else ()
        for key, fields in (*pairs, *((item, None) for item in items)):
            name = key.text if isinstance(key, Scalar) else ""
            procedure = self.ruleset.procedures.get(name)
            if procedure is None or (what == "request" and not procedure.request):
                known = [one.name for one in self.ruleset.procedures.values() if one.request or what == "effect"]
                said = f"`{name}` is no {'request' if what == 'request' else 'procedure'}"
                hint = near(name, known, otherwise=False)
                self.problems.unknown(key.place, "unknown-procedure", said, hint, name=("word", name))
            else:
                yield Move(name, dict(self._tried(self.ruleset.templates[name], fields)))

    def _tried(self, template: Template, node: Node | None) -> Iterator[tuple[str, tuple[Value, ...] | None]]:
        for key, value in node.pairs if isinstance(node, Entries) else ():
            field_ = template.fields.get(key.text)
            if field_ is None:
                tell_unknown_field(key.place, key.text, template, self.problems)
            elif isinstance(value, Scalar) and value.text == DEFAULT and not value.quoted:
                if field_.required:
                    self.problems.say(value.place, "scope", f"`{key.text}` of `{template.name}` has no default")
                yield key.text, None
            elif isinstance(value, Scalar) and misspelt(value.text, (DEFAULT,)) and not isinstance(field_.type, TextType):
                said = f"`{value.text}` is no value of `{key.text}`"
                self.problems.say(value.place, "scope", said, f"did you mean `{DEFAULT}`?")
            else:
                items = value.items if isinstance(value, Items) else (value,)
                yield key.text, tuple(self._value(item, field_) for item in items)

    def _known(self, names: tuple[str, ...], node: Node) -> Iterator[str]:
        known = self.ruleset.procedures
        for name in names:
            if name in known:
                yield name
            else:
                hint = near(name, known, otherwise=False)
                said = f"`{name}` is no procedure"
                self.problems.unknown(place_at(node, "seldom"), "unknown-procedure", said, hint, name=("word", name))

    # -------------------------------------------------------------------------------------------- paths

    def _paths(self, texts: tuple[str, ...], node: Node) -> Iterator[Path]:
        for text in texts:
            path = self._path(text, node)
            if path is not None:
                yield path

    def _path(self, text: str, node: Node) -> Path | None:
        name, _, field_ = text.partition(".")
        template = self.ruleset.templates.get(name)
        if template is None or field_ not in template.fields:
            known = [f"{name}.{one}" for one in template.fields] if template is not None else self.ruleset.templates
            said = f"`{text}` is no field of a template"
            hint = near(text, known, otherwise=False) or "write `TEMPLATE.FIELD`"
            of = ("word", name) if template is None else ("field", text)
            self.problems.unknown(node.place, "unknown-field", said, hint, name=of)
            return None
        return name, field_

    def _bound(self, entries: Entries | None) -> Iterator[tuple[Path, int]]:
        for key, node in entries.pairs if entries else ():
            path = self._path(key.text, key)
            if path is None:
                continue
            value, problems = value_of(node, IntType())
            self.problems.found.extend(problems)
            if self.problems.is_lost("word", path[0]):
                continue
            if self.ruleset.templates[path[0]].kind != "singleton":
                self.problems.say(key.place, "scope", f"`{key.text}`: only a field of a singleton bounds a game")
            elif not isinstance(self.ruleset.templates[path[0]].fields[path[1]].type, IntType):
                self.problems.say(key.place, "scope", f"`{key.text}`: only a field that is a number bounds a game")
            elif isinstance(value, int):
                yield path, value
