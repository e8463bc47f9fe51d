"""Reads what a fixture expects: facts with tests, what the session waits for, what has fired and happened."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeGuard

from riftrules.errors import Place
from riftrules.facts.types import IntType, ListType, MapType, RefType, SetType, TextType, Type, Value, WordType, key_of
from riftrules.language.documents import shaped
from riftrules.language.model import AnyOf, Equals, Has, In, Literal, Not, Ruleset, Template, Test
from riftrules.language.problems import ANY_FACT, Problems, near
from riftrules.language.values import expected_of, member_type, unknown_field
from riftrules.scenario.documents import ExpectationShape
from riftrules.scenario.model import CountExpectation, Expectation, FactExpectation, FieldExpectation
from riftrules.source import Entries, Items, Node, Scalar, place_at

WAITING = ("idle", "asked", "choosing", "over")
KEYS = tuple(ExpectationShape.model_fields)
NEVER_FIRES = {"legality": "refuses requests", "ask": "asks a player"}


@dataclass(frozen=True, slots=True)
class Names:
    """What a scenario may name: its ruleset, the ids given, and where problems go."""

    ruleset: Ruleset
    ids: Mapping[str, tuple[str, ...]]
    problems: Problems

    def knows(self, type_: RefType, value: Value) -> bool:
        """Whether a reference may name this: a word, a fact given, or one that a rule may make."""
        return value in type_.words or value in self.ids.get(type_.template, ()) or self.makes(type_.template, str(value))

    def makes(self, template: str, id_: str) -> bool:
        """Whether an id may be that of a fact a rule makes: `token-3`, or the values of a key."""
        found = self.ruleset.templates.get(template)
        if re.fullmatch(rf"{re.escape(template)}-[1-9][0-9]*", id_) is not None:
            return True
        return found is not None and bool(found.key) and not self.misses_key(found, id_)

    def misses_key(self, template: Template, id_: str) -> str:
        """Why an id is not made of the values of the template's key, in words; empty where it is."""
        key, parts = template.key or (), key_of(id_)
        if len(parts) != len(key):
            return f"its id is {' and '.join(f'`{name}`' for name in key)}, with a comma and a space between"
        for name, part in zip(key, parts, strict=True):
            type_ = template.fields[name].type
            if isinstance(type_, RefType) and not self.knows(type_, part):
                return f"`{part}` names no {type_.template}"
            if isinstance(type_, WordType) and part not in type_.words:
                return f"`{part}` is no `{name}`"
            if isinstance(type_, IntType) and not re.fullmatch(r"-?[0-9]+", part):
                return f"`{part}` is no number, as `{name}` is"
        return ""

    def tell_unknown(self, place: Place, template: str, id_: str, why: str = "", words: Sequence[str] = ()) -> None:
        """Tell that an id names nothing; `words` may be meant too."""
        known = self.ids.get(template, ())
        hint = near(id_, (*known, *words), otherwise=False) or near(id_, known)
        said = f"`{id_}` names no {template}" + (f": {why}" if why else "")
        self.problems.unknown(place, "unknown-fact", said, hint, name=("fact", f"{template} {id_}"))


def expectation_of(node: Node | None, names: Names) -> Expectation:
    """The expectation under `then` or `expect`, after telling every problem."""
    if node is None:
        return Expectation()
    if not isinstance(node, Entries):
        names.problems.say(node.place, "shape", "what is expected is written as keys with values")
        return Expectation()
    own = Entries(tuple(pair for pair in node.pairs if pair[0].text in KEYS), node.place)
    facts = tuple(fact for key, value in node.pairs if key.text not in KEYS for fact in _facts(key, value, names))
    asked = shaped(ExpectationShape, own, names.problems, "an expectation")
    if asked is None:
        return Expectation(facts, place=node.place)
    _check_words(own, asked, names)
    return Expectation(
        facts,
        waiting=asked.waiting,
        asked=asked.asked,
        choosing=asked.choosing,
        options=asked.options,
        fired=_counts(own.get("fired"), names, _fired_fault),
        not_fired=_not_fired(own.get("not_fired"), names),
        events=_counts(own.get("events"), names, _event_fault),
        exactly=asked.exactly,
        place=node.place,
    )


def _check_words(own: Entries, asked: ExpectationShape, names: Names) -> None:
    if asked.waiting is not None and asked.waiting not in WAITING:
        words = near(asked.waiting, WAITING)
        names.problems.say(place_at(own, "waiting"), "unknown-word", f"a session never waits as `{asked.waiting}`", words)
    everyone = [id_ for ids in names.ids.values() for id_ in ids]
    for key, player in (("asked", asked.asked), ("choosing", asked.choosing)):
        if player is not None and player not in everyone:
            said = f"`{player}` names no fact given"
            names.problems.unknown(place_at(own, key), "unknown-fact", said, near(player, everyone), name=(ANY_FACT, player))


# ------------------------------------------------------------------------------------------------ facts


def _facts(key: Scalar, value: Node, names: Names) -> Iterator[FactExpectation]:
    """The expectations of one key: `unit Scout`, `no unit`, `turn`. A list says several of a template."""
    negated = key.text.startswith("no ")
    subject = key.text.removeprefix("no ").strip()
    word, _, id_ = subject.partition(" ")
    template = _template(key, word, names)
    if template is None:
        return
    named = template.name if template.kind == "singleton" else id_.strip() or None
    if named is not None and template.kind != "singleton":
        _check_id(key, template, named, names)
    for node in value.items if isinstance(value, Items) else (value,):
        yield FactExpectation(template.name, named, _tests(node, template, names), key.place, negated)


def _template(key: Scalar, word: str, names: Names) -> Template | None:
    templates = names.ruleset.templates
    found = templates.get(word)
    plural = next((name for name, template in templates.items() if template.plural == word), "")
    if found is not None and found.kind == "event":
        names.problems.say(key.place, "unknown-key", f"`{word}` is an event, not a fact", f"expect it under `events: [{word}]`")
    elif plural and found is None:
        names.problems.say(
            key.place, "unknown-key", f"`{word}` are given, each is expected by itself", f"write `{plural} NAME: {{…}}`"
        )
    elif found is not None:
        return found
    else:
        facts = [name for name, template in templates.items() if template.kind != "event"]
        hint = (
            near(word, [*facts, *KEYS], otherwise=False)
            or f"a template with a name, or one of {', '.join(f'`{one}`' for one in KEYS)}"
        )
        names.problems.say(key.place, "unknown-key", f"unknown key `{key.text}` in an expectation", hint)
    return None


def _check_id(key: Scalar, template: Template, id_: str, names: Names) -> None:
    if id_ not in names.ids.get(template.name, ()) and not names.makes(template.name, id_):
        why = names.misses_key(template, id_) if template.key else ""
        names.tell_unknown(key.place, template.name, id_, why)


def _tests(node: Node, template: Template, names: Names) -> tuple[FieldExpectation, ...]:
    if isinstance(node, Scalar) and not node.text and not node.quoted:
        return ()
    if not isinstance(node, Entries):
        message = f"what is expected of `{template.name}` is written as fields with tests: `{{field: test}}`"
        names.problems.say(node.place, "shape", message)
        return ()
    found = (_test(key, value, template, names) for key, value in node.pairs)
    return tuple(test for test in found if test is not None)


def _test(key: Scalar, value: Node, template: Template, names: Names) -> FieldExpectation | None:
    type_ = field_type(template, key.text)
    if type_ is None:
        message, hint = unknown_field(key.text, template)
        names.problems.say(key.place, "unknown-field", message, hint)
        return None
    test, problems = expected_of(value, type_)
    names.problems.found.extend(problems)
    if test is None:
        return None
    words = ("none", "some", *(type_.words if isinstance(type_, RefType) else ()))
    for template_name, id_ in _unknown(test, type_, names):
        names.tell_unknown(value.place, template_name, id_, words=words)
    return FieldExpectation(key.text, test, written(value), value.place, key.text in template.derived)


def field_type(template: Template, name: str) -> Type | None:
    """The type of a field, derived ones and `id` included; None where there is no such field."""
    if name in template.fields:
        return template.fields[name].type
    if name in template.derived:
        return template.derived[name].type
    return TextType() if name == "id" else None


def _unknown(test: Test, type_: Type, names: Names) -> Iterator[tuple[str, str]]:
    """(template, id) of each reference in a test that can name nothing."""
    match test:
        case Equals(Literal(value)):
            yield from unknown_refs(value, type_, names)
        case Has(Literal(value)):
            yield from unknown_refs(value, member_type(type_), names)
        case In(Literal(value)):
            yield from unknown_refs(value, type_, names)
        case Not(inner):
            yield from _unknown(inner, type_, names)
        case AnyOf(tests):
            for one in tests:
                yield from _unknown(one, type_, names)


def unknown_refs(value: Value, type_: Type, names: Names) -> Iterator[tuple[str, str]]:
    """(template, id) of each reference in a value that names neither a fact given nor one a rule may make."""
    match type_:
        case RefType() if value is not None and not names.knows(type_, value):
            yield type_.template, value
        case SetType(of) | ListType(of):
            for member in value or ():
                yield from unknown_refs(member, of, names)
        case MapType(of):
            for member, _ in value or ():
                yield from unknown_refs(member, of, names)


def written(node: Node) -> str:
    """A node much as it was typed, on one line."""
    match node:
        case Scalar(text, quoted):
            return f'"{text}"' if quoted else text
        case Items(items):
            return f"[{', '.join(written(item) for item in items)}]"
        case Entries(pairs):
            return f"{{{', '.join(f'{key.text}: {written(value)}' for key, value in pairs)}}}"


# ------------------------------------------------------------------------------------------------ firings and events


Fault: TypeAlias = Callable[[Scalar, Names], "tuple[str, str] | None"]
"""Message and hint where a name names nothing."""


def _fired_fault(key: Scalar, names: Names) -> tuple[str, str] | None:
    rules = {rule.id: rule for rule in names.ruleset.rules}
    found = rules.get(key.text)
    if found is None:
        return f"no rule is called `{key.text}`", near(key.text, rules, otherwise=False)
    if found.kind in NEVER_FIRES:
        hint = (
            f"write `refused: {{rule: {key.text}}}` beside the request" if found.kind == "legality" else "expect `asked: PLAYER`"
        )
        return f"`{key.text}` {NEVER_FIRES[found.kind]}: it never fires", hint
    return None


def _event_fault(key: Scalar, names: Names) -> tuple[str, str] | None:
    known = [name for name, template in names.ruleset.templates.items() if template.kind == "event"]
    return None if key.text in known else (f"no event is called `{key.text}`", near(key.text, known))


def _counts(node: Node | None, names: Names, fault: Fault) -> CountExpectation | None:
    """`[a, b]` (each at least once), `{a: 2}` (so often) or `[]` (nothing at all)."""
    match node:
        case None:
            return None
        case Items(items):
            wanted: tuple[tuple[Node, int | None], ...] = tuple((item, None) for item in items)
        case Entries(pairs):
            wanted = tuple((key, _number(value, names)) for key, value in pairs)
        case Scalar():
            wanted = ((node, None),)
    return CountExpectation(tuple((key.text, count, key.place) for key, count in wanted if _known(key, names, fault)), node.place)


def _known(key: Node, names: Names, fault: Fault) -> TypeGuard[Scalar]:
    if not isinstance(key, Scalar):
        names.problems.say(
            key.place, "shape", "one name belongs here", "write a list of names, or names with numbers: `{name: 2}`"
        )
        return False
    told = fault(key, names)
    if told is not None:
        names.problems.say(key.place, "unknown-name", *told)
    return told is None


def _number(node: Node, names: Names) -> int | None:
    if isinstance(node, Scalar) and not node.quoted and re.fullmatch(r"[0-9]{1,9}", node.text):
        return int(node.text)
    names.problems.say(node.place, "type", "how often is a whole number")
    return None


def _not_fired(node: Node | None, names: Names) -> tuple[tuple[str, Place], ...]:
    items = node.items if isinstance(node, Items) else () if node is None else (node,)
    return tuple((item.text, item.place) for item in items if _known(item, names, _fired_fault))
