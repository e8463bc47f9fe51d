"""Writes what a rule does: each value in the order written, then whether anything comes of it, then all of it at once."""

from __future__ import annotations

from collections.abc import Sequence

from riftrules.engine.code import Text
from riftrules.engine.effects import (
    Effects,
    FieldWrite,
    ImpossibleError,
    NewFact,
    Unmade,
    asserting,
    differs,
    fail,
    writes_something,
)
from riftrules.engine.expressions import Scope, expression
from riftrules.facts.types import Call
from riftrules.language.model import (
    Assert,
    Begin,
    BeginEach,
    Consequent,
    Emit,
    EndGame,
    Expression,
    Leave,
    Modify,
    Read,
    Retract,
    Ruleset,
)

CALLED = {
    "Call": Call,
    "Effects": Effects,
    "FieldWrite": FieldWrite,
    "ImpossibleError": ImpossibleError,
    "NewFact": NewFact,
    "asserting": asserting,
    "differs": differs,
    "Unmade": Unmade,
    "fail": fail,
    "writes_something": writes_something,
}


class ConsequentWriter:
    """Writes the consequents of one rule. What is written may raise ImpossibleError or ZeroDivisionError.

    `certain` is whether something comes of them whatever the board holds.
    """

    def __init__(self, consequents: Sequence[Consequent], scope: Scope, ruleset: Ruleset) -> None:
        self._scope = scope
        self._code = scope.code
        self._ruleset = ruleset
        self._parts: dict[str, list[Text]] = {}
        self._differs: list[Text] = []
        self._made: list[Text] = []
        self._alone = sum(1 for one in consequents if isinstance(one, Modify | Assert)) < 2
        self.certain = False
        self.consequents = consequents

    def write(self) -> None:
        """Write every value, in order."""
        for consequent in self.consequents:
            self._write(consequent)

    def effects(self) -> Text:
        """All of it, as one value."""
        ends = self._parts.pop("ends_game", None)
        parts = [f"{name}=({', '.join(texts)},)" for name, texts in self._parts.items()]
        return f"Effects({', '.join([*parts, *(['ends_game=True'] if ends else [])])})"

    def test(self, effects: Text) -> Text:
        """Whether anything comes of it, where that is not certain; `effects` names all of it."""
        if self.certain:
            return "True"
        if not self._alone:
            return f"({effects}.certain() or writes_something({effects}, board.memory) or board.makes_due({effects}.dues))"
        return f"({' or '.join(self._differs)})" if self._differs else "False"

    @property
    def tested_first(self) -> bool:
        """Whether the test needs no more than the values written."""
        return self._alone or self.certain

    def _add(self, kind: str, text: Text) -> None:
        self._parts.setdefault(kind, []).append(text)

    def _keep(self, text: Text, prefix: str = "x") -> str:
        name = self._code.fresh(prefix)
        self._code.line(f"{name} = {text}")
        return name

    def _write(self, consequent: Consequent) -> None:
        match consequent:
            case Assert():
                self._assert(consequent)
            case Modify():
                self._modify(consequent)
            case Retract(target, template):
                self._certain("retracts", self._target(target, template)[0])
            case Leave(target, procedure):
                self._certain("leaves", self._target(target, procedure)[0])
            case Emit(event, fields):
                self._certain("emits", self._keep(f"Call({event!r}, {self._pairs(fields)})"))
            case Begin(procedure, fields, due):
                self._begin(self._keep(f"Call({procedure!r}, {self._pairs(fields)})"), due=due)
            case BeginEach(calls):
                begun = self._keep(f"tuple({expression(calls, self._scope)} or ())")
                self._add("begins", f"*{begun}")
                self._differs.append(begun)
            case EndGame():
                self._certain("ends_game", "True")
            case _:
                message = f"a consequent that does nothing by itself: {consequent!r}"
                raise TypeError(message)

    def _certain(self, kind: str, text: Text) -> None:
        self._add(kind, text)
        self.certain = True

    def _begin(self, call: Text, *, due: bool) -> None:
        if due:
            self._add("dues", call)
            self._differs.append(f"board.makes_due(({call},))")
        else:
            self._certain("begins", call)

    def _pairs(self, fields: Sequence[tuple[str, Expression]]) -> Text:
        return "(" + "".join(f"({name!r}, {expression(value, self._scope)}), " for name, value in fields) + ")"

    def _target(self, target: Read, template: str) -> tuple[Text, str]:
        """The identity of the fact that is changed or ends, and the fact. It must hold."""
        fact = self._scope.facts.get((target.variable, template))
        if fact is None or target.singleton or target.hops:
            fact = self._looked_up(expression(target, self._scope), target.variable, template)
        return self._keep(f"({template!r}, {fact}.id)", "k"), fact

    def _looked_up(self, text: Text, variable: str, template: str) -> str:
        id_, fact = self._keep(text), self._code.fresh("f")
        self._code.line(f"if {id_} is None: fail({f'`${variable}` is none'!r})")
        gone = f"{f'{template} `'!r} + {id_} + '` is gone'"
        self._code.line(f"if ({fact} := F[{template!r}].get({id_})) is None: fail({gone})")
        return fact

    def _modify(self, modify: Modify) -> None:
        key, fact = self._target(modify.target, modify.template)
        for change in modify.changes:
            value = self._keep(expression(change.to, self._scope))
            self._add("writes", f"FieldWrite({key}, {change.field!r}, {change.op!r}, {value})")
            old = self._scope.of(fact, change.field)
            self._differs.append(f"{value} != {old}" if change.op == "set" else f"differs({old}, {change.op!r}, {value})")
        if len({change.field for change in modify.changes}) < len(modify.changes):
            self._alone = False

    def _assert(self, said: Assert) -> None:
        template = self._ruleset.templates[said.template]
        given = self._keep(f"{{{', '.join(f'{name!r}: {expression(value, self._scope)}' for name, value in said.fields)}}}")
        within = "''"
        if said.within is not None:
            within = self._keep(expression(said.within, self._scope))
            self._code.line(f"if {within} is None: fail({f'`${said.within.variable}` is none'!r})")
        name = self._code.constant(template)
        number = " + ".join(self._made) or "0"
        if template.kind != "singleton" and template.key is None:
            self._made.append("1")
            self._certain("asserts", f"NewFact({name}, '', {given}, {within})")
            if said.called:
                self._scope.texts[said.called] = self._keep(f"Unmade({number})")
            return
        writes, new, id_ = self._code.fresh("x"), self._code.fresh("x"), self._code.fresh("x")
        self._code.line(f"{writes}, {new}, {id_} = asserting({name}, {given}, {within}, {number}, board.memory)")
        self._made.append(f"len({new})")
        self._add("writes", f"*{writes}")
        self._add("asserts", f"*{new}")
        self._alone = False
        if said.called:
            self._scope.texts[said.called] = id_
