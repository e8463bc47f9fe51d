"""The names of a ruleset, and what types its variables, parameters and derived fields have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from riftrules.errors import Place
from riftrules.facts.types import BoolType, RefType, Type
from riftrules.language.documents import CaseShape, DefinitionShape, InvariantShape, RuleShape
from riftrules.language.model import (
    Procedure,
    Step,
    Template,
)
from riftrules.language.naming import doubled
from riftrules.language.problems import Problems
from riftrules.language.scopes import Known, Scope
from riftrules.language.syntax import GrammarError, parse_expression
from riftrules.language.values import near_word
from riftrules.language.written import ConditionReader, PatternSaid, variable_name
from riftrules.source import Entries, Node, Scalar

Shaped = TypeVar("Shaped")


@dataclass(frozen=True, slots=True)
class Placed(Generic[Shaped]):
    """A shape with where it stands, whether it stands in a card, and the order of its declaration."""

    shape: Shaped
    place: Place
    card: bool = False
    number: int = 0
    node: Entries | None = None


@dataclass(slots=True)
class Vocabulary:
    """The names of a ruleset, with the scopes of all that has conditions and the types that are found in them."""

    templates: dict[str, Template]
    procedures: dict[str, Procedure]
    steps: dict[str, Step]
    problems: Problems
    definitions: dict[str, Placed[DefinitionShape]] = field(default_factory=dict)
    parameters: dict[str, list[Type | None]] = field(default_factory=dict)
    derived_types: dict[tuple[str, str], Type] = field(default_factory=dict)
    uses: dict[tuple[str, str], set[tuple[str, str]]] = field(default_factory=dict)
    scopes: dict[tuple[str, str], list[Scope]] = field(default_factory=dict)

    @property
    def known(self) -> Known:
        """The names, for scopes."""
        return Known(self.templates, self.parameters, self.derived_types)

    def scope(
        self, nodes: tuple[Node, ...], *, given: Mapping[str, Type | None] | None = None, heard: RuleShape | None = None
    ) -> Scope:
        """The scope of these conditions, after the event that the rule hears if it hears one."""
        before = len(self.problems.found)
        hears = self._event(heard) if heard is not None else None
        counts = {name: len(kinds) for name, kinds in self.parameters.items()}
        said = ConditionReader(self.templates, counts, self.problems).read(nodes)
        broken = len(self.problems.found) > before
        first = (hears,) if hears is not None else ()
        return Scope((*first, *said), self.known, given=given, hears=hears, broken=broken)

    # ------------------------------------------------------------------ definitions and derived fields

    def declare(
        self,
        definitions: Mapping[str, Placed[DefinitionShape]],
        derived: Mapping[tuple[str, str], Placed[tuple[CaseShape, ...]]],
        rules: Mapping[str, Placed[RuleShape]],
        invariants: Mapping[str, Placed[InvariantShape]],
    ) -> None:
        """Read all conditions, and find the types of all variables, parameters and derived fields."""
        self.definitions = dict(definitions)
        for name, placed in definitions.items():
            self.parameters[name] = [None for _ in parameters_of(placed.shape)]
            self._check_parameters(placed)
        for name, placed in definitions.items():
            given = dict.fromkeys(parameters_of(placed.shape))
            self.scopes["definition", name] = [self.scope(placed.shape.when, given=given)]
        for (template, name), cases in derived.items():
            self.scopes[template, name] = [self.scope(case.when, given={"this": RefType(template)}) for case in cases.shape]
        for name, rule in rules.items():
            self.scopes["rule", name] = [self.scope(rule.shape.when, heard=rule.shape)]
        for name, invariant in invariants.items():
            self.scopes["invariant", name] = [self.scope(invariant.shape.when)]
        while self._learn(derived):
            pass

    def _check_parameters(self, placed: Placed[DefinitionShape]) -> None:
        words = placed.shape.define.split()[1:]
        for word in words:
            if not variable_name(word):
                self.problems.say(placed.place, "variable", f"`{word}` is not a variable", "like `define: dark $room`")
        for word in doubled(words):
            self.problems.say(placed.place, "duplicate", f"`{word}` is a parameter twice")

    def _learn(self, derived: Mapping[tuple[str, str], Placed[tuple[CaseShape, ...]]]) -> bool:
        learnt = False
        for (kind, name), scopes in self.scopes.items():
            for scope in scopes:
                learnt |= scope.learn()
            if kind == "definition":
                learnt |= self._agree(name, scopes[0])
        for key, placed in derived.items():
            if key not in self.derived_types:
                found = self._derived_type(key, placed.shape)
                if found is not None:
                    self.derived_types[key] = found
                    learnt = True
        return learnt

    def _agree(self, name: str, scope: Scope) -> bool:
        """Let a definition's parameters and the variables of its body be of the same types."""
        learnt = False
        kinds = self.parameters[name]
        for position, parameter in enumerate(parameters_of(self.definitions[name].shape)):
            inside, outside = scope.types[parameter], kinds[position]
            if inside != outside:
                scope.types[parameter] = kinds[position] = inside or outside
                learnt = True
        return learnt

    def _derived_type(self, key: tuple[str, str], cases: tuple[CaseShape, ...]) -> Type | None:
        for case, scope in zip(cases, self.scopes[key], strict=True):
            if isinstance(case.value, Scalar) and not case.value.quoted and case.value.text not in {"", "none"}:
                if case.value.text in {"true", "false"}:
                    return BoolType()
                try:
                    found = scope.expression_type(parse_expression(case.value.text))
                except GrammarError:
                    return None
                if found is not None:
                    return found
        return None

    def _event(self, shape: RuleShape) -> PatternSaid | None:
        if shape.after is None:
            return None
        if len(shape.after.pairs) != 1:
            self.problems.say(shape.after.place, "event", "`after` hears one event")
            return None
        ((key, value),) = shape.after.pairs
        name = key.text.split()[0] if key.text.split() else ""
        events = [known for known, template in self.templates.items() if template.kind == "event"]
        if name not in events:
            said, hint = f"`{name}` is no event", near_word(name, ("event",), self.templates)
            self.problems.unknown(key.place, "unknown-event", said, hint, name=("word", name))
            return None
        return ConditionReader(self.templates, {}, self.problems).pattern(key, value)


def parameters_of(shape: DefinitionShape) -> tuple[str, ...]:
    """The parameters of `define: name $a $b`; a word that is no variable counts as itself."""
    return tuple(variable_name(word) or word for word in shape.define.split()[1:])
