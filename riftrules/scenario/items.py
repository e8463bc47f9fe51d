"""Reads what is done in a scenario: requests, procedures begun, choices, and looks at the board."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from riftrules.errors import Place
from riftrules.facts.types import Value
from riftrules.language.documents import shaped
from riftrules.language.model import Template
from riftrules.language.problems import misspelt, near
from riftrules.language.values import calls_of, fields_of, missing_fields
from riftrules.scenario.documents import RefusedShape
from riftrules.scenario.expecting import Names, expectation_of, unknown_refs
from riftrules.scenario.model import Beginning, Choosing, Expecting, Item, Refusing, Requesting
from riftrules.source import Entries, Items, Node, Scalar, place_at

EVERYONE = "everyone"
VERBS = ("begin", "choose", "expect")


def check_cites(cites: tuple[str, ...], node: Node, names: Names) -> None:
    """Tell of each number that the index of the printed rules does not have."""
    index = names.ruleset.rulebook
    for number in cites:
        if index and number not in index:
            message = f"the rulebook index has no number `{number}`"
            names.problems.say(node.place, "unknown-number", message, near(number, index, otherwise=False))


@dataclass(frozen=True, slots=True)
class ItemReader:
    """Reads the items of `when`, telling every problem."""

    names: Names

    def items(self, listed: Items | None) -> Iterator[Item]:
        """The items that can be read, in the order written."""
        for node in listed.items if listed else ():
            item = self._item(node)
            if item is not None:
                yield item

    def _item(self, node: Node) -> Item | None:
        if isinstance(node, Scalar):
            node = Entries(((node, Entries((), node.place)),), node.place)
        if not isinstance(node, Entries):
            self._say(node, "shape", "a request, `begin`, `choose` or `expect` belongs here")
            return None
        verbs = [(key, value) for key, value in node.pairs if key.text != "refused"]
        if len(verbs) != 1:
            meant = any(misspelt(key.text, ("refused",)) for key, _ in verbs[1:])
            hint = "begin each with its own `- `; beside a request only `refused` may stand"
            self._say(node, "shape", "one item says one thing", "did you mean `refused`?" if meant else hint)
            return None
        ((key, value),) = verbs
        refused = node.get("refused")
        if key.text in VERBS and refused is not None:
            self._say(refused, "unknown-key", "`refused` stands beside a request")
            return None
        match key.text:
            case "begin":
                return self._begin(value, key.place)
            case "choose":
                return Choosing(value, key.place)
            case "expect":
                return Expecting(expectation_of(value, self.names), key.place)
        return self._request(key, value, refused)

    def _say(self, node: Node, code: str, message: str, hint: str = "") -> None:
        self.names.problems.say(node.place, code, message, hint)

    def _begin(self, value: Node, place: Place) -> Beginning:
        items: list[Node] = []
        for item in value.items if isinstance(value, Items) else (value,):
            several = isinstance(item, Entries) and len(item.pairs) > 1
            items.extend(Entries((pair,), pair[0].place) for pair in item.pairs) if several and isinstance(
                item, Entries
            ) else items.append(item)
        calls, problems = calls_of(Items(tuple(items), value.place), templates=self.names.ruleset.templates)
        self.names.problems.found.extend(problems)
        if not problems:
            for call, node in zip(calls, items, strict=True):
                template = self.names.ruleset.templates[call.procedure]
                self._check_refs(template, dict(call.fields), node)
                self._check_required(template, node.pairs[0][1] if isinstance(node, Entries) else node, node)
        return Beginning(calls, place)

    def _request(self, key: Scalar, value: Node, refused: Node | None) -> Requesting | None:
        procedures = self.names.ruleset.procedures
        requests = [name for name, procedure in procedures.items() if procedure.request]
        if key.text not in requests:
            if key.text in procedures:
                self._say(key, "unknown-request", f"`{key.text}` is not a request", f"write `begin: {{{key.text}: {{…}}}}`")
                return None
            hint = near(key.text, [*requests, *VERBS, "refused"])
            self._say(key, "unknown-key", f"unknown key `{key.text}` in `when`", hint)
            return None
        refusing = self._refused(refused)
        template = self.names.ruleset.templates[key.text]
        if isinstance(value, Scalar) and value.text == EVERYONE:
            if any(field.required for field in template.fields.values()):
                self._say(
                    value, "shape", f"`everyone` cannot say the fields of `{key.text}`", "only a request without required fields"
                )
            return Requesting(key.text, (), key.place, refusing, everyone=True)
        if isinstance(value, Scalar) and misspelt(value.text, (EVERYONE,)):
            self._say(value, "shape", f"the fields of `{key.text}` belong here", f"did you mean `{EVERYONE}`?")
            return None
        values, problems = fields_of(value, template, templates=self.names.ruleset.templates)
        self.names.problems.found.extend(problems)
        self._check_required(template, value, value)
        return Requesting(key.text, tuple(sorted(values.items())), key.place, refusing)

    def _check_required(self, template: Template, given: Node, node: Node) -> None:
        missing = missing_fields(template, given)
        if missing:
            needed = ", ".join(f"`{name}`" for name in missing)
            self._say(node, "missing-field", f"`{template.name}` needs {needed}")

    def _check_refs(self, template: Template, values: dict[str, Value], node: Node) -> None:
        for name, value in values.items():
            for named, id_ in unknown_refs(value, template.fields[name].type, self.names):
                self.names.tell_unknown(_value_node(node, name).place, named, id_)

    def _refused(self, node: Node | None) -> Refusing | None:
        if node is None:
            return None
        shape = shaped(RefusedShape, node, self.names.problems, "`refused`")
        if shape is None:
            return None
        if all(one is None for one in (shape.rule, shape.rules, shape.cites, shape.reason)):
            self._say(node, "missing-key", "`refused` says by what", "`rule`, `rules`, `cites` or `reason`")
        known = [rule.id for rule in self.names.ruleset.rules if rule.kind == "legality"]
        for rule in (*(shape.rules or ()), *((shape.rule,) if shape.rule else ())):
            if rule not in known:
                place = place_at(node, "rule" if rule == shape.rule else "rules")
                hint = near(rule, known, otherwise=False)
                self.names.problems.say(place, "unknown-name", f"no rule that refuses is called `{rule}`", hint)
        if shape.cites:
            check_cites((shape.cites,), node, self.names)
        return Refusing(shape.rule, shape.rules, shape.cites, shape.reason)


def _value_node(node: Node, field: str) -> Node:
    """The node of a field of one procedure, for the place of a problem."""
    fields = node.pairs[0][1] if isinstance(node, Entries) and node.pairs else node
    value = fields.get(field) if isinstance(fields, Entries) else None
    return node if value is None else value
