"""The mutants of one rule: its conditions, consequents, choice, step and salience edited, one edit in each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from riftrules.analysis.mutation.edits import (
    Edited,
    Editor,
    Edits,
    dropped,
    inside,
    next_word,
    put,
)
from riftrules.errors import Place
from riftrules.facts.types import RefType, WordType
from riftrules.language.model import (
    AskFor,
    Assert,
    Begin,
    BeginEach,
    Bind,
    Choose,
    Consequent,
    Emit,
    Expression,
    FieldChange,
    Literal,
    Modify,
    Pattern,
    Read,
    Rule,
    Ruleset,
)
from riftrules.language.rebuilding import parts_of
from riftrules.language.saying import say

FLIPPED = {"plus": "minus", "minus": "plus", "add": "remove", "remove": "add"}


class RuleEditor:
    """Makes the edits of rules of one ruleset."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.editor = Editor(ruleset)

    def edits(self, rule: Rule) -> Edits:
        """Every edit of the rule. Some give what is no rule, for a variable that nothing binds any more."""
        if rule.event is not None:
            yield from inside(self.editor.tests(rule.event), lambda part: replace(rule, event=part))
        yield from inside(self.editor.conditions(rule.when), lambda part: replace(rule, when=part))
        yield from inside(self._consequents(rule), lambda part: replace(rule, then=part))
        yield from self._swaps(rule)
        yield from self._choice(rule)
        yield from self._steps(rule)
        yield from self._salience(rule)

    # -------------------------------------------------------------------------------------------- consequents

    def _consequents(self, rule: Rule) -> Edits:
        if rule.kind in {"ask", "legality"}:
            yield from self._asking(rule)
            return
        for place, one in enumerate(rule.then):
            if len(rule.then) > 1:
                yield Edited(dropped(rule.then, place), "drop a consequent", f"without `{say(one)}`", one.place)
            yield from inside(self._consequent(one), lambda part, at=place: put(rule.then, at, part))  # type: ignore[misc]

    def _asking(self, rule: Rule) -> Edits:
        ask = rule.then[0]
        if isinstance(ask, AskFor):
            if len(ask.requests) > 1:
                for place, name in enumerate(ask.requests):
                    part = replace(ask, requests=dropped(ask.requests, place))
                    yield Edited((part,), "drop a request", f"`{say(part)}`, without `{name}`", ask.place)
            yield from inside(self.editor.expression(ask.player, ask.place), lambda part: (replace(ask, player=part),))

    def _consequent(self, one: Consequent) -> Edits:
        match one:
            case Modify(changes=changes):
                if len(changes) > 1:
                    for place, change in enumerate(changes):
                        part = replace(one, changes=dropped(changes, place))
                        yield Edited(part, "drop a consequent", f"`{say(part)}`, without `{say(change)}`", one.place)
                for place, change in enumerate(changes):
                    edits = self._change(one.template, change, one.place)
                    yield from inside(edits, lambda part, at=place: replace(one, changes=put(changes, at, part)))  # type: ignore[misc]
            case Assert(template, _, within):
                if within is not None:
                    yield Edited(replace(one, within=None), "drop `within`", f"`{say(replace(one, within=None))}`", one.place)
                yield from self._fields(one, template)
            case Emit(event):
                yield from self._fields(one, event)
            case Begin(procedure, _, due):
                other = replace(one, due=not due)
                yield Edited(other, "begin or due", f"`{say(other)}` for `{say(one)}`", one.place)
                yield from self._fields(one, procedure)
            case BeginEach(calls):
                yield from inside(self.editor.expression(calls, one.place), lambda part: replace(one, calls=part))

    def _fields(self, one: Assert | Emit | Begin, template: str) -> Edits:
        for place, (name, value) in enumerate(one.fields):
            if not self.ruleset.templates[template].fields[name].required:
                part = replace(one, fields=dropped(one.fields, place))
                yield Edited(part, "drop a field", f"`{say(part)}`, without `{name}`", one.place)
            edits = self._value(template, name, value, one.place)
            yield from inside(edits, lambda part, at=place, key=name: replace(one, fields=put(one.fields, at, (key, part))))  # type: ignore[misc]

    def _change(self, template: str, change: FieldChange, place: Place) -> Edits:
        if change.op in FLIPPED:
            part = replace(change, op=FLIPPED[change.op])
            yield Edited(part, "turn a consequent round", f"`{say(part)}` for `{say(change)}`", place)
        yield from inside(self._value(template, change.field, change.to, place), lambda part: replace(change, to=part))

    def _value(self, template: str, name: str, value: Expression, place: Place) -> Edits:
        field = self.ruleset.templates[template].fields[name]
        match value:
            case Literal(bool(truth)):
                yield Edited(Literal(not truth), "another value", f"`{name}: {say(Literal(not truth))}`", place)
            case Literal(str(word)) if isinstance(field.type, WordType) and len(field.type.words) > 1:
                other = Literal(next_word(field.type.words, word))
                yield Edited(other, "another value", f"`{name}: {say(other)}` for `{word}`", place)
            case _:
                yield from self.editor.expression(value, place)
        if field.optional and not (isinstance(value, Literal) and value.value is None):
            yield Edited(Literal(None), "another value", f"`{name}: none` for `{say(value)}`", place)

    # -------------------------------------------------------------------------------------------- variables

    def _swaps(self, rule: Rule) -> Edits:
        """Two variables of one kind of fact swapped: in all that the rule does, and in one condition at a time."""
        named = [name for name, kind in rule.variables.items() if isinstance(kind, RefType)]
        pairs = [(one, other) for at, one in enumerate(named) for other in named[at + 1 :]]
        for one, other in (pair for pair in pairs if rule.variables[pair[0]] == rule.variables[pair[1]]):
            swap = _swapper(one, other)
            what = f"`${other}` for `${one}` and the other way round"
            if rule.kind != "legality" and _mentions(rule.then, one, other):
                yield Edited(replace(rule, then=swap(rule.then)), "swap variables", f"{what} in `then`", rule.place)
            for place, condition in enumerate(rule.when):
                ranging = isinstance(condition, Pattern) and condition.name is not None
                if not ranging and _mentions(condition, one, other):
                    part = replace(rule, when=put(rule.when, place, swap(condition)))
                    yield Edited(part, "swap variables", f"{what} in `{say(condition)}`", condition.place)

    # -------------------------------------------------------------------------------------------- the rest

    def _choice(self, rule: Rule) -> Edits:
        choose = rule.choose
        if choose is None:
            return
        for part, what in self._choices(choose):
            yield Edited(replace(rule, choose=part), "another choice", what, rule.place)
        for edit in self.editor.expression(choose.by, rule.place):
            yield replace(edit, part=replace(rule, choose=replace(choose, by=edit.part)))

    def _choices(self, choose: Choose) -> Iterator[tuple[Choose | None, str]]:
        yield None, "nobody chooses"
        other = replace(choose, optional=not choose.optional)
        yield other, "the choice need not be made" if other.optional else "the choice must be made"
        if choose.per is not None:
            yield replace(choose, per=None), f"one choice, not one for each `${choose.per}`"

    def _steps(self, rule: Rule) -> Edits:
        """In the step before and in the step after, of each procedure that lists the rule's step."""
        if not rule.step:
            return
        near: dict[str, None] = {}
        for procedure in self.ruleset.procedures.values():
            steps = [step for step in procedure.steps if step not in self.ruleset.procedures]
            if rule.step in steps:
                at = steps.index(rule.step)
                near.update(dict.fromkeys(steps[max(0, at - 1) : at] + steps[at + 1 : at + 2]))
        together = {name for name, step in self.ruleset.steps.items() if step.together}
        for name in near:
            if not (rule.choose is not None and name in together):
                yield Edited(replace(rule, step=name), "another step", f"in step `{name}`, not `{rule.step}`", rule.place)

    def _salience(self, rule: Rule) -> Edits:
        """Before all rules it stands beside, and after them all."""
        beside = [one for one in self.ruleset.rules if one.id != rule.id and one.kind == rule.kind and is_beside(one, rule)]
        if rule.kind == "legality" or not beside:
            return
        high, low = max(one.salience for one in beside), min(one.salience for one in beside)
        if any((one.salience, -one.number) > (rule.salience, -rule.number) for one in beside):
            yield Edited(replace(rule, salience=high + 1), "another salience", "before all it stands beside", rule.place)
        if any((one.salience, -one.number) < (rule.salience, -rule.number) for one in beside):
            yield Edited(replace(rule, salience=low - 1), "another salience", "after all it stands beside", rule.place)


def is_beside(one: Rule, other: Rule) -> bool:
    """Whether two rules are considered together: in one step, or for one event."""
    if one.event is not None and other.event is not None:
        return one.event.template == other.event.template
    return bool(one.step) and one.step == other.step


def _mentions(node: Any, *names: str) -> bool:
    return any(isinstance(part, Read | Bind) and part.variable in names for part in parts_of(node))


def _swapper(one: str, other: str) -> Callable[[Any], Any]:
    """Puts each of two variables in place of the other, wherever it is read or tested."""
    names = {one: other, other: one}

    def swapped(node: Any) -> Any:
        match node:
            case Read(variable, _, False) | Bind(variable) if variable in names:
                return replace(node, variable=names[variable])
            case tuple():
                return tuple(swapped(item) for item in node)
            case _ if hasattr(node, "__dataclass_fields__") and not isinstance(node, Place):
                changed = {name: swapped(getattr(node, name)) for name in node.__dataclass_fields__}
                return replace(node, **changed) if any(changed[name] is not getattr(node, name) for name in changed) else node
        return node

    return swapped
