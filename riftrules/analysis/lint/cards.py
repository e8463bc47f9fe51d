"""`exception-without-kind`: a card's rule that does not say of which card it is, and so speaks of all."""

from __future__ import annotations

from collections.abc import Iterator

from riftrules.analysis.lint.material import Material, doubt
from riftrules.errors import Problem
from riftrules.facts.types import TextType, WordType
from riftrules.language.model import AnyOf, Equals, FieldTest, Has, Literal, Not, Pattern, Rule, Ruleset, Test, Use, Where
from riftrules.language.rebuilding import parts_of


def exceptions_without_kind(material: Material) -> Iterator[Problem]:
    """`exception-without-kind`: no condition of a card's rule tests a name or a kind by a word of its own."""
    for rule in material.ruleset.rules:
        if material.is_card(rule) and not _tests_a_kind(rule, material.ruleset):
            said = f"rule `{rule.id}` is a card's, but no condition of it says of which card: it holds of all"
            yield doubt(rule.place, "exception-without-kind", said, "test the name or the kind: `$x: {name: …}`")


def _tests_a_kind(rule: Rule, ruleset: Ruleset) -> bool:
    waiting: list[object] = [(rule.event, rule.when) if rule.event is not None else rule.when]
    met: set[str] = set()
    while waiting:
        for part in parts_of(waiting.pop()):
            match part:
                case Pattern(template, _, tests) if any(_is_kind(test, template, ruleset) for test in tests):
                    return True
                case Where(_, test) if _literal(test):
                    return True
                case Use(name) if name not in met:
                    met.add(name)
                    waiting.append(ruleset.definitions[name].when)
    return False


def _is_kind(test: FieldTest, template: str, ruleset: Ruleset) -> bool:
    field = ruleset.templates[template].fields.get(test.field)
    named = (
        test.field == "id" or (field is not None and isinstance(field.type, TextType | WordType)) or isinstance(test.test, Has)
    )
    return named and _literal(test.test)


def _literal(test: Test) -> bool:
    match test:
        case Equals(Literal(str())) | Has(Literal(str())):
            return True
        case Not(inner):
            return _literal(inner)
        case AnyOf(tests):
            return all(_literal(one) for one in tests)
    return False
