"""Reads what a rule does: the consequents under `then`, resolved at once."""

from __future__ import annotations

from dataclasses import dataclass

from riftrules.facts.types import CallsType, IntType, ListType, RefType, SetType, Type
from riftrules.language.documents import HOMES
from riftrules.language.given import GivenReader
from riftrules.language.model import (
    AskFor,
    Assert,
    Begin,
    BeginEach,
    Consequent,
    Emit,
    EndGame,
    Expression,
    FieldChange,
    Leave,
    Literal,
    Modify,
    Read,
    Refuse,
    Retract,
    Template,
)
from riftrules.language.problems import misspelt, near
from riftrules.language.syntax import GrammarError, Variable, WrittenChange, parse_change, parse_expression
from riftrules.language.type_names import type_name
from riftrules.language.values import member_type, near_word, tell_unknown_field
from riftrules.language.written import variable_name
from riftrules.source import Entries, Items, Node, Scalar

DONE_TO = {
    "event": "it is an event: `emit",
    "frame": "it is a procedure: `begin",
    "standing": "it is a template: `assert",
    "singleton": "it is a template: `assert",
}
"""What is done to templates of each kind."""
JOINING = ("within", "each", "game")
"""Words that stand behind a verb."""
VERBS = ("assert", "modify", "retract", "emit", "begin", "due", "leave", "ask", "refuse", "end game")


@dataclass(slots=True)
class ConsequentReader(GivenReader):
    """Reads consequents within the scope of their rule."""

    def read(self, node: Node) -> Consequent | None:
        """One consequent, or None after telling what is wrong."""
        if isinstance(node, Scalar):
            return self._verb(node, Entries((), node.place))
        if not isinstance(node, Entries) or len(node.pairs) != 1:
            hint = "write each with its own `-`" if isinstance(node, Entries) else ""
            self.say(node.place, "consequent", "one consequent belongs here", hint)
            return None
        ((key, value),) = node.pairs
        return self._verb(key, value)

    def _verb(self, key: Scalar, value: Node) -> Consequent | None:
        match key.text.split():
            case ["assert" | "modify" | "retract" | "emit", *words]:
                return self._of_facts(key, words, value)
            case ["begin", "each", "of", calls]:
                return self._begin_each(key, calls)
            case ["begin" | "due" as verb, procedure]:
                return self._begin(key, procedure, value, due=verb == "due")
            case ["leave", target]:
                read = self._target(key, target, "frame")
                return None if read is None else Leave(read[0], read[1].name, key.place)
            case ["ask", player]:
                return self._ask(key, player, value)
            case ["refuse", target]:
                return self._refuse(key, target)
            case ["end", "game"]:
                return EndGame(key.place)
        self._unknown(key)
        return None

    def _of_facts(self, key: Scalar, words: list[str], value: Node) -> Consequent | None:
        match key.text.split()[0], words:
            case "assert", [template]:
                return self._assert(key, template, ("", ""), value)
            case "assert", [template, "within", frame]:
                return self._assert(key, template, ("", frame), value)
            case "assert", [template, called]:
                return self._assert(key, template, (called, ""), value)
            case "assert", [template, called, "within", frame]:
                return self._assert(key, template, (called, frame), value)
            case "modify", [target]:
                return self._modify(key, target, value)
            case "retract", [target]:
                read = self._target(key, target)
                return None if read is None else Retract(read[0], read[1].name, key.place)
            case "emit", [event]:
                return self._emit(key, event, value)
        self._unknown(key)
        return None

    def _unknown(self, key: Scalar) -> None:
        hint = HOMES.get(key.text) or _meant(key.text) or near(key.text, VERBS)
        self.say(key.place, "consequent", f"`{key.text}` is no consequent", hint)

    # ------------------------------------------------------------------ facts

    def _assert(self, key: Scalar, name: str, words: tuple[str, str], value: Node) -> Assert | None:
        """`words` are the name the new fact is given and the frame it is within; each may be empty."""
        called, frame = words
        template = self._template(key, name, ("standing", "singleton"), "template of standing facts")
        within = self._target(key, frame, "frame") if frame else None
        if template is None or (frame and within is None):
            return None
        fields = self.fields(template, value)
        return Assert(name, fields, within[0] if within else None, key.place, self._called(key, called, template))

    def _called(self, key: Scalar, text: str, template: Template) -> str:
        """The name a new fact is given, for the consequents after this one."""
        name = variable_name(text) if text else ""
        if text and not name:
            self.say(key.place, "consequent", f"`{text}` is not a variable", f"like `assert {template.name} $new`")
        elif name and (self.scope.visible(name) or name in self.made or self.scope.known.is_singleton(name)):
            self.say(key.place, "duplicate", f"`${name}` names something already", "give the new fact another name")
        elif name:
            self.made[name] = template.name
        return name

    def _template(self, key: Scalar, name: str, kinds: tuple[str, ...], what: str) -> Template | None:
        template = self.templates.get(name)
        if template is None or template.kind not in kinds:
            said = f"`{name}` is no {what}"
            if template is None:
                hint = near_word(name, kinds, self.templates)
                self.resolver.problems.unknown(key.place, "unknown-template", said, hint, name=("word", name))
            else:
                self.say(key.place, "unknown-template", said, f"{DONE_TO[template.kind]} {name}: {{…}}`")
            return None
        return template

    def _target(self, key: Scalar, text: str, kind: str = "") -> tuple[Read, Template] | None:
        name = variable_name(text)
        if not name:
            self.say(key.place, "consequent", f"`{text}` is not a variable", f"like `{key.text.split()[0]} $x`")
            return None
        if self.is_made(name, key.place):
            return None
        read = self.resolver.variable(Variable(name), self.scope, key.place)
        type_ = self.scope.type_of(name) if not read.singleton else RefType(name)
        if not isinstance(type_, RefType):
            if self.scope.visible(name):
                self.say(key.place, "type", f"`${name}` does not name a fact")
            return None
        template = self.templates[type_.template]
        wrong = (
            template.kind != kind
            if kind
            else template.kind == "event" or (key.text.startswith("retract") and template.kind == "frame")
        )
        if wrong:
            self.say(key.place, "type", f"`${name}` is a {template.name}: `{key.text.split()[0]}` cannot be done to it")
            return None
        return read, template

    def _modify(self, key: Scalar, text: str, node: Node) -> Modify | None:
        target = self._target(key, text)
        if target is None:
            return None
        read, template = target
        if not isinstance(node, Entries) or not node.pairs:
            self.say(node.place, "consequent", f"the fields to change of `{template.name}` belong here")
            return None
        changes = [change for name, value in node.pairs if (change := self._change(name, value, template)) is not None]
        return Modify(read, template.name, tuple(changes), key.place)

    def _change(self, name: Scalar, node: Node, template: Template) -> FieldChange | None:
        field = template.fields.get(name.text)
        if field is None:
            tell_unknown_field(name.place, name.text, template, self.resolver.problems)
            return None
        if template.key and name.text in template.key:
            self.say(name.place, "key", f"`{name.text}` is part of the key of `{template.name}` and cannot be modified")
            return None
        self.check_none(node, field)
        if not isinstance(node, Scalar) or node.quoted:
            return FieldChange(name.text, "set", self.value(node, field.type))
        try:
            said = parse_change(node.text)
        except GrammarError as fault:
            self.say(node.place, "syntax", str(fault), fault.hint)
            return None
        return FieldChange(name.text, said.op, self._changed(said, field.type, node))

    def _changed(self, said: WrittenChange, type_: Type, node: Scalar) -> Expression:
        match said.op:
            case "set":
                return self.value(node, type_)
            case "plus" | "minus":
                if not isinstance(type_, IntType):
                    self.say(node.place, "type", f"`{said.op}` works on numbers")
                return self.fitting(said.to, IntType(), node.place)
        if not isinstance(type_, SetType | ListType):
            self.say(node.place, "type", f"`{said.op}` works on sets and lists")
            return Literal(None)
        return self.fitting(said.to, member_type(type_), node.place)

    # ------------------------------------------------------------------ events, procedures, requests

    def _emit(self, key: Scalar, name: str, node: Node) -> Emit | None:
        template = self._template(key, name, ("event",), "event")
        return None if template is None else Emit(name, self.fields(template, node), key.place)

    def _begin(self, key: Scalar, name: str, node: Node, *, due: bool) -> Begin | None:
        template = self._template(key, name, ("frame",), "procedure")
        return None if template is None else Begin(name, self.fields(template, node), due, key.place)

    def _begin_each(self, key: Scalar, text: str) -> BeginEach | None:
        try:
            written = parse_expression(text)
        except GrammarError as fault:
            self.say(key.place, "syntax", str(fault), fault.hint)
            return None
        type_ = self.scope.expression_type(written)
        if type_ is not None and not isinstance(type_, CallsType):
            self.say(key.place, "type", f"`{text}` is {type_name(type_)}, not a list of procedures")
        return BeginEach(self.resolver.expression(written, None, self.scope, key.place), key.place)

    def _ask(self, key: Scalar, text: str, node: Node) -> AskFor | None:
        items = node.items if isinstance(node, Items) else (node,)
        names = tuple(item.text for item in items if isinstance(item, Scalar) and item.text)
        requests = [name for name, procedure in self.procedures.items() if procedure.request]
        for item, name in zip(items, names, strict=False):
            if name not in requests:
                said, of = f"`{name}` is no request", ("word", name)
                self.resolver.problems.unknown(item.place, "unknown-request", said, near(name, requests), name=of)
        if not names:
            self.say(key.place, "consequent", "`ask` lists the requests that may be made", "like `ask $p: [pass, play]`")
        try:
            player = self.resolver.expression(parse_expression(text), None, self.scope, key.place)
        except GrammarError as fault:
            self.say(key.place, "syntax", str(fault), fault.hint)
            return None
        return AskFor(player, names, key.place)

    def _refuse(self, key: Scalar, text: str) -> Refuse | None:
        target = self._target(key, text, "frame")
        if target is None:
            return None
        read, template = target
        if not self.procedures[template.name].request and not self.resolver.problems.is_lost("word", template.name):
            self.say(key.place, "type", f"`{template.name}` is no request and cannot be refused")
        return Refuse(read, template.name, key.place)


def _meant(text: str) -> str:
    """A hint at the first word of a consequent that is misspelt; a verb comes first, other words of the language later."""
    first, *others = text.split() or [""]
    verbs = [verb.split()[0] for verb in VERBS]
    close = "" if first in verbs else misspelt(first, verbs)
    words = (word for word in others if not word.startswith("$") and word not in JOINING)
    close = close or next((meant for word in words if (meant := misspelt(word, JOINING))), "")
    return f"did you mean `{close}`?" if close else ""


def default_needs(template: Template) -> bool:
    """Whether a frame of this template can be made with defaults alone."""
    return not any(field.required for field in template.fields.values())
