"""Writes a body of conditions: what binds is put in an order, and each test as early as it can be decided.

The order never changes what matches; it is chosen so that what is cheap and what matches little comes first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from riftrules.engine import ranging
from riftrules.engine.code import MOST_LOOPS, Text
from riftrules.engine.expressions import Scope, compare, defined, expression
from riftrules.engine.joins import JoinPlan
from riftrules.engine.ranging import ready
from riftrules.engine.syntax_tree import bindable, binds, mentioned
from riftrules.language.model import (
    Bind,
    Condition,
    Count,
    Each,
    Every,
    FieldTest,
    No,
    Pattern,
    Some,
    Sum,
    Use,
    Where,
)

_TEST, _USE, _QUANTIFIER, _NUMBER, _EACH, _NEVER = 0, 2, 3, 4, 5, 99

End: TypeAlias = Callable[[Scope], None]
"""Writes what is done with each match."""


class Joiner(Protocol):
    """Takes standing patterns of a rule that are to be joined."""

    def join(self, patterns: Sequence[Pattern]) -> tuple[int, JoinPlan] | None:
        """The number of a join of some of the patterns and what it decides; none where nothing links them."""
        ...


@dataclass(frozen=True, slots=True)
class Late:
    """A field test that waits for a variable: the fact it tests is kept already."""

    test: FieldTest
    template: str
    fact: str


@dataclass(frozen=True, slots=True)
class _Block:
    """A loop, or a function within the function, that the rest of a body is in: `depth` is that of what is in it."""

    depth: int
    part: str = ""


_Pending: TypeAlias = Condition | Late


def write_body(
    conditions: Sequence[Condition],
    scope: Scope,
    end: End,
    *,
    quantified: bool = True,
    joiner: Joiner | None = None,
    late: Sequence[Late] = (),
    flag: str = "",
) -> None:
    """Write the conditions, and tests that wait for them, and in them what is done with each match.

    With a `flag` one match is enough: it is set, and the search ends.
    """
    _Plan(scope, conditions, quantified=quantified, joiner=joiner, late=late).write(end, flag)


class _Plan:
    """Puts the conditions of one scope in order and writes them."""

    def __init__(
        self, scope: Scope, conditions: Sequence[Condition], *, quantified: bool, joiner: Joiner | None, late: Sequence[Late]
    ) -> None:
        self._scope = scope
        self._code = scope.code
        self._lone = quantified and len(conditions) == 1
        self._pending: list[_Pending] = [*conditions, *late]
        self._joiner = joiner
        self._blocks: list[_Block] = []

    def write(self, end: End, flag: str) -> None:
        """The whole body, the first condition outermost."""
        code = self._code
        depth, loops = code.depth, code.loops
        self._write_all()
        end(self._scope)
        if flag:
            code.line(f"{flag} = True")
            if self._blocks and not self._blocks[-1].part:
                code.line("break")
        self._leave(flag)
        code.close(depth)
        code.loops = loops

    def text(self) -> Text:
        """A body that searches nothing, as an expression."""
        waiting = self._code.take_checks()
        self._write_all()
        found = self._code.take_checks()
        for check in waiting:
            self._code.check(check)
        return f"({' and '.join(found)})" if found else "True"

    def _write_all(self) -> None:
        while self._pending:
            chosen = min(self._pending, key=self._rank)
            assert self._rank(chosen) < _NEVER, f"no order binds the variables of {chosen!r}"
            if not self._join(chosen):
                self._pending.remove(chosen)
                self._write(chosen)

    def _leave(self, flag: str) -> None:
        """End the blocks of the body, and with a flag the search as soon as it is set."""
        for place in reversed(range(len(self._blocks))):
            block = self._blocks[place]
            self._code.close(block.depth - 1)
            if block.part:
                self._code.line(f"{block.part}()")
            if flag and place and not self._blocks[place - 1].part:
                self._code.line(f"if {flag}: break")

    def _make_room(self) -> None:
        """Begin a function within the function where loops would be too deep in one another."""
        code = self._code
        if code.loops >= MOST_LOOPS:
            part = code.fresh("part")
            code.open(f"def {part}():")
            if code.flags:
                code.line(f"nonlocal {', '.join(code.flags)}")
            self._blocks.append(_Block(code.depth, part))
            code.loops = 0
        code.loops += 1

    def _loop(self, text: str) -> None:
        self._make_room()
        self._code.open(text)
        self._blocks.append(_Block(self._code.depth))

    def _ranges(self, condition: _Pending) -> bool:
        return isinstance(condition, Pattern) and (condition.name is not None or self._lone)

    def _rank(self, condition: _Pending) -> int:
        """How early a condition should come; one whose variables are not bound yet comes never."""
        if isinstance(condition, Pattern) and self._ranges(condition):
            return ranging.rank(condition, self._kind(condition), self._scope)
        if not self._needs(condition) <= self._scope.texts.keys():
            return _NEVER
        match condition:
            case Late() | Where():
                return _TEST
            case Use():
                return _USE
            case Count() | Sum():
                return _NUMBER
            case Each():
                return _EACH
        return _QUANTIFIER

    def _needs(self, condition: _Pending) -> set[str]:
        """The variables in reach that must be bound before the condition is decided."""
        if isinstance(condition, Late):
            return mentioned(condition.test)
        own = binds(condition, lone=False) if isinstance(condition, Count | Sum | Each) else set()
        return (mentioned(condition) & self._scope.reach) - own

    def _kind(self, pattern: Pattern) -> str:
        return self._scope.names.kind(pattern.template)

    def _write(self, condition: _Pending) -> None:  # noqa: C901 - one case for each kind of condition
        match condition:
            case Late(test, template, fact):
                self._code.check(ranging.field_check(test, template, fact, self._scope))
            case Pattern() if self._ranges(condition):
                self._pattern(condition)
            case Pattern():
                self._code.check(self.some((condition,)))
            case Some(conditions):
                self._code.check(self.some(conditions))
            case No(conditions):
                self._code.check(f"not {self.some(conditions)}")
            case Every(conditions, has):
                self._every(conditions, has)
            case Count() | Sum():
                self._number(condition)
            case Each():
                self._each(condition)
            case Where(left, test):
                self._code.check(compare(test, expression(left, self._scope), self._scope))
            case Use(definition, arguments):
                self._code.check(defined(definition, [expression(one, self._scope) for one in arguments], self._scope))

    # -------------------------------------------------------------------------------------------- patterns

    def _pattern(self, pattern: Pattern) -> None:
        scope, fact = self._scope, self._code.fresh("f")
        named, kind = pattern.name in scope.texts, self._kind(pattern)
        if ranging.rank(pattern, kind, scope) > ranging.LOOKUP and kind != "event":
            self._make_room()
        if ranging.find(pattern, kind, fact, scope):
            self._blocks.append(_Block(self._code.depth))
        self._name(pattern, fact, looked_up=named and kind != "singleton")
        bound = self._bound_fields(pattern, fact, pattern.tests)
        self._tests(pattern, fact, [test for test in pattern.tests if test not in bound])

    def _name(self, pattern: Pattern, fact: str, *, looked_up: bool = False) -> None:
        """Bind the pattern's name, or compare it where it is bound."""
        name, scope = pattern.name, self._scope
        if name is None:
            return
        scope.facts[name, pattern.template] = fact
        if name not in scope.texts:
            scope.texts[name] = f"{fact}.id"
        elif not looked_up:
            self._code.check(f"{fact}.id == {scope.texts[name]}")

    def _bound_fields(self, pattern: Pattern, fact: str, tests: Sequence[FieldTest]) -> list[FieldTest]:
        """Bind the bare variables that are not bound yet; the tests that do so."""
        found = []
        for test in tests:
            if isinstance(test.test, Bind) and test.test.variable not in self._scope.texts:
                ranging.binder(test, pattern.template, fact, self._scope)
                found.append(test)
        return found

    def _tests(self, pattern: Pattern, fact: str, tests: Sequence[FieldTest]) -> None:
        """Check what can be decided now; the rest waits."""
        for test in tests:
            if ready(test.test, self._scope):
                self._code.check(ranging.field_check(test, pattern.template, fact, self._scope))
            else:
                self._pending.append(Late(test, pattern.template, fact))

    def _join(self, chosen: _Pending) -> bool:
        """Leave to the matcher those standing patterns that must be searched for and are linked with one another."""
        if self._joiner is None or not self._searched(chosen):
            return False
        left = [one for one in self._pending if isinstance(one, Pattern) and self._searched(one)]
        joined = self._joiner.join(left)
        if joined is None:
            return False
        number, plan = joined
        known = frozenset(self._scope.texts)
        facts = [self._code.fresh("f") for _ in plan.joined]
        pairs = list(zip(plan.joined, facts, strict=True))
        self._loop(f"for {', '.join(facts)} in board.candidates({number}):")
        for pattern, fact in pairs:
            self._name(pattern, fact)
        for derived in (False, True):  # a join knows stored fields only: where one of them binds, a derived one is tested
            for pattern, fact in pairs:
                self._bound_fields(pattern, fact, [test for test in pattern.tests if test.derived is derived])
        for (pattern, fact), passed in zip(pairs, plan.passed, strict=True):
            self._pending.remove(pattern)
            self._tests(pattern, fact, [test for test in pattern.tests if test not in passed or mentioned(test.test) & known])
        return True

    def _searched(self, condition: _Pending) -> bool:
        """Whether this is a pattern over standing facts for which nothing bound by now says where to look."""
        if not isinstance(condition, Pattern) or not self._ranges(condition) or self._kind(condition) != "standing":
            return False
        return self._rank(condition) >= ranging.INDEX

    # -------------------------------------------------------------------------------------------- the rest

    def some(self, conditions: Sequence[Condition]) -> Text:
        """Whether there is a match; what it binds stays inside."""
        inner = self._scope.inner(bindable(conditions, quantified=True))
        if self._is_plain(conditions):
            return _Plan(inner, conditions, quantified=True, joiner=None, late=()).text()
        flag = self._variable("q", "False")
        write_body(conditions, inner, _nothing, flag=flag)
        self._code.flags.remove(flag)
        return flag

    def _is_plain(self, conditions: Sequence[Condition]) -> bool:
        """Whether the conditions are decided without a search."""
        for one in conditions:
            match one:
                case Pattern() if self._kind(one) == "singleton" or (
                    self._kind(one) != "event" and ranging.known_id(one, self._scope) is not None
                ):
                    continue
                case No(inner) | Some(inner) if self._is_plain(inner):
                    continue
                case Where() | Use():
                    continue
            return False
        return True

    def _variable(self, prefix: str, value: str) -> str:
        """A variable that what is inside sets."""
        name = self._code.fresh(prefix)
        self._code.line(f"{name} = {value}")
        self._code.flags.append(name)
        return name

    def _every(self, conditions: Sequence[Condition], has: Sequence[Condition]) -> None:
        inner = self._scope.inner(bindable(conditions, quantified=True))
        flag = self._variable("q", "False")

        def lacks(scope: Scope) -> None:
            self._code.check(f"not {_Plan(scope, (), quantified=True, joiner=None, late=()).some(has)}")

        write_body(conditions, inner, lacks, flag=flag)
        self._code.flags.remove(flag)
        self._code.check(f"not {flag}")

    def _number(self, condition: Count | Sum) -> None:
        scope = self._scope.inner(bindable(condition.conditions, quantified=True))
        total = self._variable("n", "0")

        def add(inner: Scope) -> None:
            term = "1" if isinstance(condition, Count) else f"({expression(condition.of, inner)} or 0)"
            self._code.line(f"{total} += {term}")

        write_body(condition.conditions, scope, add)
        self._code.flags.remove(total)
        if condition.variable in self._scope.texts:
            self._code.check(f"{total} == {self._scope.texts[condition.variable]}")
        else:
            self._scope.texts[condition.variable] = total

    def _each(self, each: Each) -> None:
        scope, names = self._scope, [self._code.fresh("v") for _ in each.variables]
        self._loop(f"for {', '.join(names)} in items({expression(each.of, scope)}):")
        for variable, name in zip(each.variables, names, strict=True):
            if variable in scope.texts:
                self._code.check(f"{name} == {scope.texts[variable]}")
            else:
                scope.texts[variable] = name


def _nothing(scope: Scope) -> None:
    """Nothing more is done with a match."""
