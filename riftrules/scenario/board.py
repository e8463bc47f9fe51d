"""Opens a board: the facts a fixture gives, laid over each other, completed, and the frames it starts in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from riftrules.errors import Place
from riftrules.facts.memory import Fact, WorkingMemory
from riftrules.facts.trace import StackedFrame
from riftrules.facts.types import ListType, MapType, RefType, SetType, Type, Value, keyed_id
from riftrules.language.defaults import complete
from riftrules.language.model import Ruleset, Template
from riftrules.language.problems import Problems, near
from riftrules.language.stacks import tell_frame
from riftrules.language.values import fields_of, missing_fields
from riftrules.source import Entries, Items, Node, Scalar

SETTINGS = "settings"
STACK = "stack"


@dataclass(frozen=True, slots=True)
class Board:
    """A board that can be played on: complete facts in canonical order, and frames bottom first."""

    facts: tuple[Fact, ...]
    stack: tuple[StackedFrame, ...] = ()

    def ids(self) -> dict[str, tuple[str, ...]]:
        """The ids given, by template, frames included."""
        found: dict[str, list[str]] = {}
        for fact in (*self.facts, *(standing.frame for standing in self.stack)):
            found.setdefault(fact.template, []).append(fact.id)
        return {template: tuple(ids) for template, ids in found.items()}


@dataclass(slots=True)
class _Draft:
    """A fact as given so far: the fields of later layers lie over those of earlier ones."""

    id: str
    place: Place
    layer: int
    fields: dict[str, tuple[Scalar, Node]] = field(default_factory=dict)

    def node(self) -> Entries:
        return Entries(tuple(self.fields.values()), self.place)


def open_board(layers: Sequence[Entries], ruleset: Ruleset, mode: str, problems: Problems) -> Board:
    """The board that `given` says, in as many layers as files share it, after telling every problem.

    Singletons come first, so that defaults may read them; `settings` are those of the mode, and what is given over them.
    """
    return _Opening(ruleset, problems).board(layers, mode)


class _Opening:
    def __init__(self, ruleset: Ruleset, problems: Problems) -> None:
        self.ruleset = ruleset
        self.problems = problems
        self.memory = WorkingMemory(ruleset.shapes)
        self.drafts: dict[str, list[_Draft]] = {}
        self.stack: list[tuple[Scalar, Entries, str]] = []
        self.ids: dict[str, list[str]] = {}

    def board(self, layers: Sequence[Entries], mode: str) -> Board:
        for number, layer in enumerate(layers):
            for key, value in layer.pairs:
                self._key(key, value, number)
        self._name_all()
        self._settings(mode)
        ordered = sorted(self.ruleset.templates.values(), key=lambda template: template.kind != "singleton")
        for template in ordered:
            for position, draft in enumerate(self.drafts.get(template.name, ()), 1):
                self._put(template, draft, position)
        facts = tuple(self.memory)
        return Board(facts, tuple(self._frame(*item) for item in self.stack))

    # -------------------------------------------------------------------------------------------- gathering

    def _key(self, key: Scalar, value: Node, layer: int) -> None:
        if key.text == STACK:
            self._stack(value)
            return
        templates = self.ruleset.templates
        known = {name: template for template in templates.values() for name in (template.name, template.plural) if name}
        template = known.get(key.text)
        if template is None or template.kind not in {"standing", "singleton"}:
            hint = near(key.text, [name for name, one in known.items() if one.kind in {"standing", "singleton"}] + [STACK])
            self.problems.say(key.place, "unknown-key", f"unknown key `{key.text}` in `given`", hint)
            self.problems.lose("fact")
        elif template.kind == "singleton":
            self._lay(template, template.name, key.place, value, layer)
        elif isinstance(value, Items):
            for item in value.items:
                self._item(template, item, layer)
        else:
            self._named(template, value, layer)

    def _named(self, template: Template, value: Node, layer: int) -> None:
        if not isinstance(value, Entries):
            if isinstance(value, Scalar) and not value.text:
                return
            self.problems.say(
                value.place, "shape", f"each {template.name} is given by its id: `NAME: {{…}}`, or as a list of fields"
            )
            return
        if template.key:
            said = f"a {template.name} is known by {', '.join(f'`{name}`' for name in template.key)}, not by a name"
            self.problems.say(value.place, "shape", said, "write a list: `[{…}]`")
            return
        for name, fields in value.pairs:
            self._lay(template, name.text, name.place, fields, layer)

    def _item(self, template: Template, item: Node, layer: int) -> None:
        node = item if isinstance(item, Entries) else Entries((), item.place)
        given = node.get("id")
        rest = Entries(tuple(pair for pair in node.pairs if pair[0].text != "id"), node.place)
        if not isinstance(item, Entries) and not (isinstance(item, Scalar) and not item.text):
            self.problems.say(item.place, "shape", f"the fields of a {template.name} belong here: `{{field: value}}`")
        elif isinstance(given, Scalar) and not template.key:
            self._lay(template, given.text, given.place, rest, layer)
        elif given is not None:
            self.problems.say(given.place, "shape", f"a {template.name} cannot be given this id")
        else:
            self._lay(template, "", item.place, rest, layer)

    def _lay(self, template: Template, id_: str, place: Place, value: Node, layer: int) -> None:
        if isinstance(value, Scalar) and not value.text and not value.quoted:
            value = Entries((), value.place)
        if not isinstance(value, Entries):
            self.problems.say(value.place, "shape", f"the fields of a {template.name} belong here: `{{field: value}}`")
            return
        drafts = self.drafts.setdefault(template.name, [])
        draft = next((one for one in drafts if id_ and one.id == id_), None)
        if draft is None:
            draft = _Draft(id_, place, layer)
            drafts.append(draft)
        elif draft.layer == layer:
            self.problems.say(
                place,
                "doubled-id",
                f"{template.name} `{id_}` is given twice: it stands at {draft.place} already",
                "name them apart",
            )
        draft.layer = layer
        draft.fields.update({key.text: (key, node) for key, node in value.pairs})

    def _stack(self, value: Node) -> None:
        if not isinstance(value, Items):
            self.problems.say(value.place, "shape", "the stack is a list of procedures, the lowest first")
            return
        for item in value.items:
            pairs = [pair for pair in item.pairs if pair[0].text != "step"] if isinstance(item, Entries) else []
            step = item.get("step") if isinstance(item, Entries) else None
            procedure = self.ruleset.procedures.get(pairs[0][0].text) if len(pairs) == 1 else None
            if procedure is None or not isinstance(step, Scalar) or step.text not in procedure.steps:
                tell_frame(item, self.ruleset, self.problems)
                continue
            ((key, fields),) = pairs
            if isinstance(fields, Scalar) and not fields.text:
                fields = Entries((), fields.place)
            if isinstance(fields, Entries):
                self.stack.append((key, fields, step.text))
            else:
                self.problems.say(fields.place, "shape", f"the fields of `{key.text}` belong here: `{{field: value}}`")

    # -------------------------------------------------------------------------------------------- naming

    def _name_all(self) -> None:
        """Give every draft its id: as written, by its key, or `template-N` for those without."""
        words = _words(self.ruleset)
        for name, drafts in self.drafts.items():
            taken = {draft.id for draft in drafts}
            numbers = iter(range(1, len(drafts) * 2 + 1))
            for draft in drafts:
                if not draft.id:
                    draft.id = next(made for number in numbers if (made := f"{name}-{number}") not in taken)
                elif draft.id == "none" or draft.id in words.get(name, ()):
                    self.problems.say(
                        draft.place, "reserved", f"a {name} cannot be called `{draft.id}`: the word means something else"
                    )
            self.ids[name] = [draft.id for draft in drafts]
            self.problems.declared.update({("fact", f"{name} {draft.id}"): draft.place for draft in drafts})
        counts: dict[str, int] = {}
        for key, _, _ in self.stack:
            counts[key.text] = counts.get(key.text, 0) + 1
            self.ids.setdefault(key.text, []).append(f"{key.text}-{counts[key.text]}")

    def _refs(self, type_: RefType) -> list[str]:
        return self.ids.get(type_.template, [])

    # -------------------------------------------------------------------------------------------- completing

    def _settings(self, mode: str) -> None:
        template = self.ruleset.templates.get(SETTINGS)
        if template is None:
            return
        values: dict[str, Value] = dict(self.ruleset.modes.get(mode, {}))
        for draft in self.drafts.pop(SETTINGS, ()):
            values.update(self._fields(template, draft.node()))
        self.memory.put(complete(template, SETTINGS, values, self.memory))

    def _fields(self, template: Template, node: Node) -> dict[str, Value]:
        values, problems = fields_of(node, template, refs=self._refs, templates=self.ruleset.templates)
        self.problems.found.extend(problems)
        return values

    def _put(self, template: Template, draft: _Draft, position: int) -> None:
        values = self._fields(template, draft.node())
        self._check_required(template, draft.node(), draft.place, draft.id)
        fact = complete(template, draft.id, values, self.memory, position=position)
        if template.key:
            fact = Fact(template.name, keyed_id(tuple(fact.values[name] for name in template.key)), fact.values)
            if self.memory.get(template.name, fact.id) is not None:
                self.problems.say(
                    draft.place, "doubled-id", f"there is a {template.name} with the same {_listed(template.key)} already"
                )
        self.memory.put(fact)

    def _check_required(self, template: Template, node: Entries, place: Place, id_: str) -> None:
        missing = missing_fields(template, node)
        if missing:
            called = template.name if template.kind == "singleton" or template.key else f"{template.name} `{id_}`"
            self.problems.say(place, "missing-field", f"{called} needs {_listed(missing)}")

    def _frame(self, key: Scalar, node: Entries, step: str) -> StackedFrame:
        template = self.ruleset.templates[key.text]
        values = self._fields(template, node)
        self._check_required(template, node, key.place, key.text)
        fact = complete(template, self.memory.new_id(key.text), values, self.memory)
        self.memory.put(fact)
        return StackedFrame(fact, step)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _words(ruleset: Ruleset) -> dict[str, set[str]]:
    """For each template, the words that stand beside its ids in some field: no id may equal one."""
    found: dict[str, set[str]] = {}
    for template in ruleset.templates.values():
        for one in template.fields.values():
            for ref in _ref_types(one.type):
                found.setdefault(ref.template, set()).update(ref.words)
    return found


def _ref_types(type_: Type) -> Iterator[RefType]:
    match type_:
        case RefType():
            yield type_
        case SetType(of) | ListType(of) | MapType(of):
            yield from _ref_types(of)
