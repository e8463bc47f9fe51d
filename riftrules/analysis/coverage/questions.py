"""Every condition of a ruleset as questions to a board: whether it has held, and whether it alone has failed.

A condition has held where all of its body holds. It has failed where what stands beside it holds and it alone does not:
so the order in which conditions are written is never seen, nor what an engine happens to look at first. Both are asked
as conditions of the language, made from the rule's own: a test turned round, a quantifier in place of its opposite.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from riftrules.analysis.coverage.spots import FAILED, HELD, Path, Spot
from riftrules.analysis.coverage.taking_out import IT, NOTHING, Left, turned, with_name, without
from riftrules.errors import Place
from riftrules.language.model import (
    AnyOf,
    Bind,
    Condition,
    Count,
    Definition,
    Each,
    Every,
    FieldTest,
    Hop,
    No,
    Not,
    Pattern,
    Read,
    Rule,
    Ruleset,
    Some,
    Sum,
    Test,
    Use,
    Where,
)
from riftrules.language.rebuilding import parts_of
from riftrules.language.saying import say

Mark: TypeAlias = tuple[int, int]
"""A condition, by number, and one of its sides."""

Around: TypeAlias = Callable[[Left], Left]
"""Puts a body where it belongs among the conditions of its rule."""


@dataclass(frozen=True, slots=True)
class Question:
    """Where these conditions hold together, these sides are seen."""

    when: tuple[Condition, ...]
    event: Pattern | None
    marks: tuple[Mark, ...]
    singletons: tuple[str, ...] = ()


class Questions:
    """The questions of every rule and of every derived field; `spots` are the conditions, by number.

    `ruleset` is the one given with definitions besides, to which questions refer.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.spots: list[Spot] = []
        self._added: dict[str, Definition] = {}
        self._defined: dict[str, tuple[tuple[str, tuple[Mark, ...]], ...]] = {}
        self.rules = {rule.id: tuple(self._rule(rule)) for rule in ruleset.rules}
        for name in ruleset.definitions:
            self.definition(name)
        self.fields = {
            (template.name, name): tuple(self._field(template.name, name))
            for template in ruleset.templates.values()
            for name in template.derived
        }
        self.ruleset = replace(ruleset, definitions={**ruleset.definitions, **self._added})

    def spot(self, holder: str, path: Path, text: str, place: Place) -> int:
        """A number for a condition."""
        self.spots.append(Spot(holder, path, text, place))
        return len(self.spots) - 1

    def _rule(self, rule: Rule) -> Iterator[Question]:
        """The first question is whether the rule's conditions hold."""
        asking = _Asking(self, f"rule {rule.id}")
        for left, marks in asking.body(Left(rule.when, rule.event and with_name(rule.event, IT)), (), lambda body: body):
            yield Question(left.conditions, left.event, marks, rule.singletons)

    def definition(self, name: str) -> tuple[tuple[str, tuple[Mark, ...]], ...]:
        """Definitions that hold where sides of the conditions of this one are seen."""
        if name not in self._defined:
            definition = self.ruleset.definitions[name]
            self._defined[name] = self._variants(definition, f"definition {name}", ())
        return self._defined[name]

    def _variants(self, definition: Definition, holder: str, path: Path) -> tuple[tuple[str, tuple[Mark, ...]], ...]:
        asking = _Asking(self, holder)
        found = []
        for left, marks in asking.body(Left(definition.when, given=frozenset(definition.parameters)), path, lambda body: body):
            name = f"{definition.name} {len(self._added)}"
            self._added[name] = replace(definition, name=name, when=left.conditions)
            found.append((name, marks))
        return tuple(found)

    def _field(self, template: str, name: str) -> Iterator[Question]:
        """A derived field may be asked of any of its facts: its first case that holds gives it, later ones are not asked."""
        this = Pattern(template, "this", ())
        earlier: list[Condition] = []
        for number, case in enumerate(self.ruleset.templates[template].derived[name].cases):
            plain = Definition(f"{template} {name} {number}", ("this",), case.when, singletons=case.singletons)
            self._added[plain.name] = plain
            for variant, marks in self._variants(plain, f"field {template}.{name}", ("case", number)):
                yield Question((this, *earlier, Use(variant, (Read("this"),))), None, marks)
            earlier.append(No((Use(plain.name, (Read("this"),)),)))

    def derived(self, node: object) -> tuple[tuple[str, str], ...]:
        """The derived fields that a node reads, through definitions and other derived fields."""
        found: dict[tuple[str, str], None] = {}
        left: list[object] = [node]
        while left:
            for part in parts_of(left.pop()):
                if isinstance(part, Use) and part.definition in self._defined:
                    left.append(self.ruleset.definitions[part.definition].when)
                for key in _derived_of(part):
                    if key not in found:
                        found[key] = None
                        left.append(self.ruleset.templates[key[0]].derived[key[1]].cases)
        return tuple(found)


def _derived_of(part: object) -> Iterator[tuple[str, str]]:
    match part:
        case Pattern(template, _, tests):
            yield from ((template, test.field) for test in tests if test.derived)
        case Hop(template, name, True):
            yield template, name


class _Asking:
    """Makes the questions of one holder."""

    def __init__(self, questions: Questions, holder: str) -> None:
        self.questions = questions
        self.holder = holder
        self._names = 0

    def body(self, body: Left, path: Path, around: Around) -> Iterator[tuple[Left, tuple[Mark, ...]]]:
        """The questions of a body: whether it holds, and for each of its conditions whether that alone fails."""
        held: list[Mark] = []
        found: list[tuple[Left, tuple[Mark, ...]]] = []
        if body.event is not None:
            found += self._pattern(body, -1, body.event, path, held)
        for place, one in enumerate(body.conditions):
            if isinstance(one, Pattern) and one.name is not None:
                found += self._pattern(body, place, one, path, held)
            else:
                found += self._condition(body, place, one, path, held)
        yield around(body), tuple(held)
        yield from ((around(left), marks) for left, marks in found)

    # -------------------------------------------------------------------------------------------- tests of fields

    def _pattern(
        self, body: Left, place: int, pattern: Pattern, path: Path, held: list[Mark]
    ) -> Iterator[tuple[Left, tuple[Mark, ...]]]:
        """The questions of the tests of a pattern that ranges."""
        for at, test in enumerate(pattern.tests):
            here = (*path, place, at)
            rest, entire = body.less(place, pattern, at)
            if not entire and not self._may_be_none(pattern.template, test):
                continue  # the variable that it binds is always found
            number = self._spot(here, pattern, test)
            held.append((number, HELD))
            against = turned(test) if entire else replace(test, test=NOTHING)
            yield rest.with_tests(place, [against]), ((number, FAILED),)
            for alternative, others in _alternatives(test.test):
                number = self._spot((*here, "or", say(alternative)), pattern, replace(test, test=alternative))
                apart = [replace(test, test=Not(other)) for other in others]
                one = replace(test, test=alternative)
                yield rest.with_tests(place, [one, *apart]), ((number, HELD),)
                yield rest.with_tests(place, [turned(one), *apart]), ((number, FAILED),)

    def _spot(self, path: Path, pattern: Pattern, test: FieldTest) -> int:
        named = f" ${pattern.name}" if pattern.name is not None and not pattern.name.startswith(IT) else ""
        text = f"{pattern.template}{named}: {{{test.field}: {say(test.test)}}}"
        return self.questions.spot(self.holder, path, text, test.place)

    def _may_be_none(self, template: str, test: FieldTest) -> bool:
        field = self.questions.ruleset.templates[template].fields.get(test.field)
        return isinstance(test.test, Bind) and test.field != "id" and (field is None or field.optional)

    # -------------------------------------------------------------------------------------------- other conditions

    def _condition(
        self, body: Left, place: int, one: Condition, path: Path, held: list[Mark]
    ) -> Iterator[tuple[Left, tuple[Mark, ...]]]:
        here = (*path, place)
        rest, entire = body.without(place)
        if entire and not isinstance(one, Each | Count | Sum):
            number = self.questions.spot(self.holder, here, say(one), one.place)
            held.append((number, HELD))
            yield rest.plus(_failing(one)), ((number, FAILED),)
        match one:
            case No(inner) | Some(inner) | Count(inner) | Sum(_, inner):
                yield from self._inside(rest, inner, (*here, "of"))
            case Every(inner, has):
                yield from self._inside(rest, inner, (*here, "of"))
                named = tuple(with_name(condition, self._name()) if len(inner) == 1 else condition for condition in inner)
                yield from self._inside(rest, has, (*here, "has"), named)
            case Pattern(_, _, tests) if len(tests) > 1:
                yield from self._inside(rest, (one,), here)
            case Use(name, arguments):
                for variant, marks in self.questions.definition(name):
                    yield rest.plus(Use(variant, arguments)), marks
            case Where():
                yield from self._where(rest, one, here)

    def _name(self) -> str:
        self._names += 1
        return f"{IT} {self._names}"

    def _inside(
        self, rest: Left, conditions: tuple[Condition, ...], path: Path, beside: tuple[Condition, ...] = ()
    ) -> Iterator[tuple[Left, tuple[Mark, ...]]]:
        """The questions of a quantifier's body. A single pattern ranges there though it has no name."""
        lone = len(conditions) == 1
        named = tuple(with_name(one, self._name()) if lone else one for one in conditions)
        given = rest.given | rest.plus(*beside).bound()
        yield from self.body(Left(named, given=given), path, lambda body: rest.plus(Some((*beside, *body.conditions))))

    def _where(self, rest: Left, where: Where, path: Path) -> Iterator[tuple[Left, tuple[Mark, ...]]]:
        for alternative, others in _alternatives(where.test):
            one = replace(where, test=alternative)
            number = self.questions.spot(self.holder, (*path, "or", say(alternative)), say(one), where.place)
            apart = [replace(where, test=Not(other)) for other in others]
            yield rest.plus(one, *apart), ((number, HELD),)
            yield rest.plus(replace(where, test=Not(alternative)), *apart), ((number, FAILED),)


def _failing(condition: Condition) -> Condition:
    """The opposite of a condition that binds nothing."""
    match condition:
        case No(inner):
            return Some(inner)
        case Some(inner):
            return No(inner)
        case Where(_, test):
            return replace(condition, test=Not(test))
    return No((condition,))


def _alternatives(test: Test) -> Iterator[tuple[Test, Sequence[Test]]]:
    """Each alternative of `A or B` with the others; nothing of other tests."""
    inner = test.test if isinstance(test, Not) else test
    if isinstance(inner, AnyOf):
        for place, one in enumerate(inner.tests):
            yield one, without(inner.tests, place)
