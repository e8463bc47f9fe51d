"""Rules, definitions, derived fields and invariants: from their shapes to the model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from riftrules.errors import Place
from riftrules.facts.types import BoolType, RefType, TextType, Type
from riftrules.language.consequents import ConsequentReader
from riftrules.language.documents import CaseShape, ChooseShape, DefinitionShape, InvariantShape, RuleShape, shaped
from riftrules.language.model import (
    AskFor,
    Case,
    Choose,
    Condition,
    Consequent,
    Definition,
    Derived,
    Each,
    Expression,
    Hop,
    Invariant,
    Literal,
    Modify,
    Pattern,
    Procedure,
    Read,
    Refuse,
    Rule,
    Step,
    Template,
)
from riftrules.language.naming import doubled
from riftrules.language.problems import Problems, near
from riftrules.language.resolve import Resolver
from riftrules.language.scopes import Known, Scope, order_of, scope_types
from riftrules.language.standing import standing_order
from riftrules.language.syntax import GrammarError, Text, parse_expression
from riftrules.language.type_names import type_name
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
class RuleReader:
    """Reads everything that has conditions, against one vocabulary."""

    templates: dict[str, Template]
    procedures: dict[str, Procedure]
    steps: dict[str, Step]
    problems: Problems
    definitions: dict[str, Placed[DefinitionShape]] = field(default_factory=dict)
    parameters: dict[str, list[Type | None]] = field(default_factory=dict)
    derived_types: dict[tuple[str, str], Type] = field(default_factory=dict)
    uses: dict[tuple[str, str], set[tuple[str, str]]] = field(default_factory=dict)
    _scopes: dict[tuple[str, str], list[Scope]] = field(default_factory=dict)

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
            self.parameters[name] = [None for _ in _parameters(placed.shape)]
            self._check_parameters(placed)
        for name, placed in definitions.items():
            given = dict.fromkeys(_parameters(placed.shape))
            self._scopes["definition", name] = [self.scope(placed.shape.when, given=given)]
        for (template, name), cases in derived.items():
            self._scopes[template, name] = [self.scope(case.when, given={"this": RefType(template)}) for case in cases.shape]
        for name, rule in rules.items():
            self._scopes["rule", name] = [self.scope(rule.shape.when, heard=rule.shape)]
        for name, invariant in invariants.items():
            self._scopes["invariant", name] = [self.scope(invariant.shape.when)]
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
        for (kind, name), scopes in self._scopes.items():
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
        for position, parameter in enumerate(_parameters(self.definitions[name].shape)):
            inside, outside = scope.types[parameter], kinds[position]
            if inside != outside:
                scope.types[parameter] = kinds[position] = inside or outside
                learnt = True
        return learnt

    def _derived_type(self, key: tuple[str, str], cases: tuple[CaseShape, ...]) -> Type | None:
        for case, scope in zip(cases, self._scopes[key], strict=True):
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

    def definition(self, name: str) -> Definition:
        """A definition, resolved."""
        placed = self.definitions[name]
        before = len(self.problems.found)
        scope = self._scopes["definition", name][0]
        resolver = Resolver(self.problems, placed.card)
        when = self._resolved(scope, resolver, placed.place)
        self.uses["definition", name] = resolver.uses
        self.problems.without_consequences(before, broken=scope.broken)
        parameters = _parameters(placed.shape)
        kinds = tuple(kind or TextType() for kind in self.parameters[name])
        return Definition(name, parameters, when, kinds, placed.shape.cites, tuple(sorted(resolver.singletons)), placed.place)

    def derived(self, template: str, name: str, placed: Placed[tuple[CaseShape, ...]]) -> Derived:
        """A derived field, resolved."""
        type_ = self.derived_types.get((template, name), TextType())
        cases, uses = [], set()
        before, broken = len(self.problems.found), any(scope.broken for scope in self._scopes[template, name])
        for case, scope in zip(placed.shape, self._scopes[template, name], strict=True):
            resolver = Resolver(self.problems)
            when = self._resolved(scope, resolver, placed.place)
            value = self._case_value(case, type_, scope, resolver, placed.place)
            cases.append(Case(when, value, tuple(sorted(resolver.singletons))))
            uses |= resolver.uses
        self.uses[template, name] = uses
        self.problems.without_consequences(before, broken=broken)
        return Derived(name, type_, tuple(cases), placed.place)

    def _case_value(self, case: CaseShape, type_: Type, scope: Scope, resolver: Resolver, place: Place) -> Expression:
        if not isinstance(case.value, Scalar):
            self.problems.say(place, "syntax", "`is` is one expression")
            return Literal(None)
        try:
            written = Text(case.value.text, quoted=True) if case.value.quoted else parse_expression(case.value.text)
            return resolver.expression(written, type_, scope, case.value.place)
        except GrammarError as fault:
            self.problems.say(case.value.place, "syntax", str(fault), fault.hint)
            return Literal(None)

    def _resolved(self, scope: Scope, resolver: Resolver, place: Place) -> tuple[Condition, ...]:
        scope.settle()
        for name in scope.types:
            if scope.known.is_singleton(name) and scope.types[name] != RefType(name):
                said = f"`${name}` would hide the singleton `{name}`"
                self.problems.say(place, "reserved", said, "give the variable another name")
        for name, (one, other) in scope.all_clashes():
            self.problems.say(place, "type", f"`${name}` would have to be both {type_name(one)} and {type_name(other)}")
        order_of(scope, self.problems)
        return resolver.conditions(scope)

    # ------------------------------------------------------------------ rules and invariants

    def invariant(self, placed: Placed[InvariantShape]) -> Invariant:
        """An invariant, resolved."""
        shape = placed.shape
        before = len(self.problems.found)
        scope = self._scopes["invariant", shape.invariant][0]
        resolver = Resolver(self.problems, placed.card)
        when = self._resolved(scope, resolver, placed.place)
        self.uses["invariant", shape.invariant] = resolver.uses
        self.problems.without_consequences(before, broken=scope.broken)
        singletons = tuple(sorted(resolver.singletons))
        return Invariant(shape.invariant, shape.cites, shape.says, when, scope_types(scope), singletons, placed.place)

    def rule(self, placed: Placed[RuleShape]) -> Rule:
        """A rule, resolved; what is wrong with it is told."""
        shape, problems = placed.shape, self.problems
        before = len(problems.found)
        scope = self._scopes["rule", shape.rule][0]
        event = scope.hears
        resolver = Resolver(problems, placed.card)
        conditions = self._resolved(scope, resolver, placed.place)
        then = self._then(shape, scope, resolver)
        kind, step = self._kind(placed, then)
        heard = conditions[0] if event else None
        when = conditions[1:] if event else conditions
        ranged = tuple(one for one in conditions if isinstance(one, Each) or (isinstance(one, Pattern) and one.name is not None))
        choose = self._choose(shape, scope, resolver)
        self.uses["rule", shape.rule] = resolver.uses
        self._together(placed, kind, choose)
        self._written_once(then, placed.place)
        problems.without_consequences(before, broken=scope.broken)
        if not shape.then:
            problems.doubt(placed.place, "consequent", f"rule `{shape.rule}` does nothing: `then` is empty")
        return Rule(
            id=shape.rule,
            number=placed.number,
            kind=kind,
            cites=shape.cites,
            says=shape.says,
            when=when,
            then=then,
            step=step,
            event=heard if isinstance(heard, Pattern) else None,
            request=next((one.target for one in then if isinstance(one, Refuse)), None),
            choose=choose,
            salience=shape.salience,
            house=shape.house,
            note=shape.note,
            variables=scope_types(scope),
            ranged=ranged,
            standing=standing_order(ranged, (*conditions, *then, choose)),
            reads=_closed(resolver.reads, scope),
            singletons=tuple(sorted(resolver.singletons)),
            place=placed.place,
        )

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

    def _then(self, shape: RuleShape, scope: Scope, resolver: Resolver) -> tuple[Consequent, ...]:
        reader = ConsequentReader(resolver, scope, self.procedures)
        return tuple(found for node in shape.then if (found := reader.read(node)) is not None)

    def _kind(self, placed: Placed[RuleShape], then: tuple[Consequent, ...]) -> tuple[str, str]:
        shape, say = placed.shape, self.problems.say
        asks, refuses = (any(isinstance(one, kind) for one in then) for kind in (AskFor, Refuse))
        if (asks or refuses) and len(then) > 1:
            say(placed.place, "alone", f"`{'ask' if asks else 'refuse'}` must stand alone in its rule")
        self._one_kind(placed, asks=asks, refuses=refuses)
        if refuses:
            return "legality", ""
        if shape.after is not None:
            return "after", ""
        if shape.step is None:
            if then:
                say(placed.place, "kind", f"rule `{shape.rule}` has neither `step` nor `after`, and does not only refuse")
            return "step", ""
        if shape.step not in self.steps:
            node = placed.node.get("step") if placed.node else None
            place, said = node.place if node else placed.place, f"`{shape.step}` is no step"
            self.problems.unknown(place, "unknown-step", said, near(shape.step, self.steps), name=("step", shape.step))
        return ("ask" if asks else "step"), shape.step

    def _one_kind(self, placed: Placed[RuleShape], *, asks: bool, refuses: bool) -> None:
        in_step, hears = placed.shape.step is not None, placed.shape.after is not None
        if in_step and hears:
            self.problems.say(placed.place, "kind", "a rule has `step` or `after`, not both")
        if refuses and (in_step or hears):
            self.problems.say(placed.place, "kind", "a rule that refuses has neither `step` nor `after`")
        if asks and hears:
            self.problems.say(placed.place, "kind", "a rule that asks stands in a step")

    def _choose(self, shape: RuleShape, scope: Scope, resolver: Resolver) -> Choose | None:
        if shape.choose is None:
            return None
        chosen = shaped(ChooseShape, shape.choose, self.problems, "`choose`")
        if chosen is None or not isinstance(chosen.by, Scalar):
            return None
        try:
            by = resolver.expression(parse_expression(chosen.by.text), None, scope, chosen.by.place)
        except GrammarError as fault:
            self.problems.say(chosen.by.place, "syntax", str(fault), fault.hint)
            return None
        for name in (chosen.one, chosen.per):
            if name is not None and variable_name(name) not in scope.types:
                self.problems.say(shape.choose.place, "unbound", f"nothing binds `{name}`, so it cannot be chosen")
        per = variable_name(chosen.per) if chosen.per is not None else None
        return Choose(by, variable_name(chosen.one), per, chosen.optional)

    def _written_once(self, then: tuple[Consequent, ...], place: Place) -> None:
        """A field of one fact is not given two values by one rule."""
        given: dict[tuple[Read, str], Expression] = {}
        for modify in (one for one in then if isinstance(one, Modify)):
            for change in (one for one in modify.changes if one.op == "set"):
                before = given.setdefault((modify.target, change.field), change.to)
                if isinstance(before, Literal) and isinstance(change.to, Literal) and before.value != change.to.value:
                    said = f"`{change.field}` of `${modify.target.variable}` is given two values"
                    self.problems.say(modify.place if modify.place.path else place, "consequent", said)

    def _together(self, placed: Placed[RuleShape], kind: str, choose: Choose | None) -> None:
        step = self.steps.get(placed.shape.step or "")
        if choose is not None and step is not None and step.together:
            message = f"rule `{placed.shape.rule}` chooses in step `{step.name}`, where all fire together"
            self.problems.say(placed.place, "choose", message, "give the choice a step of its own")
        if choose is not None and kind in {"ask", "legality"}:
            self.problems.say(placed.place, "choose", "a rule that asks or refuses chooses nothing")


def _parameters(shape: DefinitionShape) -> tuple[str, ...]:
    """The parameters of `define: name $a $b`; a word that is no variable counts as itself."""
    return tuple(variable_name(word) or word for word in shape.define.split()[1:])


def _closed(reads: set[Read], scope: Scope) -> tuple[Read, ...]:
    """Reads of rule-level variables and singletons, closed under prefixes; one-hop reads of events left out."""
    found = set()
    for read in reads:
        if not read.singleton and read.variable not in scope.types:
            continue
        for length in range(1, len(read.hops) + 1):
            hops: tuple[Hop, ...] = read.hops[:length]
            if length == 1 and scope.known.templates[hops[0].template].kind == "event":
                continue
            found.add(Read(read.variable, hops, read.singleton))
    return tuple(sorted(found, key=lambda read: (read.variable, tuple((hop.template, hop.field) for hop in read.hops))))
