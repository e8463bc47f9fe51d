"""Rules, definitions, derived fields and invariants: from their shapes to the model."""

from __future__ import annotations

from dataclasses import dataclass

from riftrules.errors import Place
from riftrules.facts.types import RefType, TextType, Type
from riftrules.language.consequents import ConsequentReader
from riftrules.language.documents import CaseShape, ChooseShape, InvariantShape, RuleShape, shaped
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
    Read,
    Refuse,
    Rule,
)
from riftrules.language.problems import near
from riftrules.language.resolve import Resolver
from riftrules.language.scopes import Scope, order_of, scope_types
from riftrules.language.standing import standing_order
from riftrules.language.syntax import GrammarError, Text, parse_expression
from riftrules.language.type_names import type_name
from riftrules.language.vocabulary import Placed, Vocabulary, parameters_of
from riftrules.language.written import variable_name
from riftrules.source import Scalar


@dataclass(slots=True)
class RuleReader(Vocabulary):
    """Reads everything that has conditions, against one vocabulary."""

    def definition(self, name: str) -> Definition:
        """A definition, resolved."""
        placed = self.definitions[name]
        before = len(self.problems.found)
        scope = self.scopes["definition", name][0]
        resolver = Resolver(self.problems, placed.card)
        when = self._resolved(scope, resolver, placed.place)
        self.uses["definition", name] = resolver.uses
        self.problems.without_consequences(before, broken=scope.broken)
        parameters = parameters_of(placed.shape)
        kinds = tuple(kind or TextType() for kind in self.parameters[name])
        return Definition(name, parameters, when, kinds, placed.shape.cites, tuple(sorted(resolver.singletons)), placed.place)

    def derived(self, template: str, name: str, placed: Placed[tuple[CaseShape, ...]]) -> Derived:
        """A derived field, resolved."""
        type_ = self.derived_types.get((template, name), TextType())
        cases, uses = [], set()
        before, broken = len(self.problems.found), any(scope.broken for scope in self.scopes[template, name])
        for case, scope in zip(placed.shape, self.scopes[template, name], strict=True):
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
        scope = self.scopes["invariant", shape.invariant][0]
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
        scope = self.scopes["rule", shape.rule][0]
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
