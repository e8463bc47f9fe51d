"""Gates: what a rule cannot match without, known beforehand, so that it is not looked at while there is none of it.

A gate is a template, or a template with a value that one of its fields must have. A rule is closed while one of its
gates has no fact. A rule about what is not on the board costs nothing but the bit that says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from riftrules.facts.memory import Fact
from riftrules.facts.types import TextType, Value
from riftrules.language.model import Assert, Equals, FieldTest, Literal, Modify, Pattern, Rule, Ruleset


class Gate(NamedTuple):
    """Facts of a template; with a `field`, those whose field has the value."""

    template: str
    field: str = ""
    value: Value = None


class GateKeeper:
    """Finds the gates of rules.

    A field is a gate where it says what a fact is rather than how it stands: a text, or what no rule writes.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        self._templates = ruleset.templates
        self._written = {place for rule in ruleset.rules for place in self._writes(rule)}

    def gates(self, rule: Rule) -> tuple[Gate, ...]:
        """Every gate of a rule: its patterns outside quantifiers, and what their fields are said to be."""
        found: dict[Gate, None] = {}
        for pattern in rule.when:
            if isinstance(pattern, Pattern) and self._templates[pattern.template].kind in {"standing", "frame"}:
                found[Gate(pattern.template)] = None
                for test in pattern.tests:
                    if isinstance(test.test, Equals) and isinstance(test.test.to, Literal) and self._stays(pattern, test):
                        found[Gate(pattern.template, test.field, test.test.to.value)] = None
        return tuple(found)

    def _stays(self, pattern: Pattern, test: FieldTest) -> bool:
        template = self._templates[pattern.template]
        if test.derived or test.field == "id" or template.kind == "frame":
            return False
        if isinstance(template.fields[test.field].type, TextType):
            return True
        return not {(pattern.template, test.field), (pattern.template, "")} & self._written

    def _writes(self, rule: Rule) -> Iterator[tuple[str, str]]:
        """The (template, field) pairs that a rule writes; an assert of a fact that may be there writes every field."""
        for said in rule.then:
            match said:
                case Modify(template=template, changes=changes):
                    yield from ((template, change.field) for change in changes)
                case Assert(template=template) if self._templates[template].key is not None:
                    yield template, ""


About: TypeAlias = tuple[int, tuple[tuple[str, Mapping[Value, int]], ...]]
"""The number of a template's own gate (-1: it is not in question), and of each field in question the gates by its values."""

MOST_KEPT = 4096
"""For so many states of the gates it is kept which rules they close."""


class Gates:
    """The gates of all rules, each with the bits of the rules it closes when it is shut."""

    def __init__(self, rules: Iterable[tuple[Sequence[Gate], int]]) -> None:
        """Each rule by its gates and its own bit."""
        numbers: dict[Gate, int] = {}
        bits: list[int] = []
        for gates, rule in rules:
            for gate in gates:
                number = numbers.setdefault(gate, len(numbers))
                if number == len(bits):
                    bits.append(0)
                bits[number] |= rule
        self.bits = tuple(bits)
        self.plain = {gate.template: number for gate, number in numbers.items() if not gate.field}
        self.fields: dict[str, dict[str, dict[Value, int]]] = {}
        for gate, number in numbers.items():
            if gate.field:
                self.fields.setdefault(gate.template, {}).setdefault(gate.field, {})[gate.value] = number
        self._closed: dict[int, int] = {}

    def about(self, template: str, fields: tuple[str, ...]) -> About:
        """The gates that facts of the template open or shut which come or go, or have other values in these fields."""
        of_fields = self.fields.get(template, {})
        named = tuple((name, numbers) for name, numbers in of_fields.items() if not fields or name in fields)
        return -1 if fields else self.plain.get(template, -1), named

    def closed(self, open_: int) -> int:
        """The bits of the rules that are closed where these gates are open, by their bits."""
        found = self._closed.get(open_)
        if found is None:
            if len(self._closed) >= MOST_KEPT:
                self._closed.clear()
            found = 0
            for number, bits in enumerate(self.bits):
                if not open_ >> number & 1:
                    found |= bits
            self._closed[open_] = found
        return found


class OpenGates:
    """Which gates are open on one board, each by its bit, and which rules that leaves open: their bits are in `rules`."""

    def __init__(self, gates: Gates, facts: Iterable[Fact]) -> None:
        """`facts` are those of the board by now."""
        self._gates = gates
        self._counts = [0] * len(gates.bits)
        self._open = 0
        self.rules = ~gates.closed(0)
        for fact in facts:
            self.note(gates.about(fact.template, ()), None, fact)

    def note(self, about: About, before: Fact | None, after: Fact | None) -> None:
        """A fact has come, has gone or has other values, which is about these gates."""
        open_before, (template, fields) = self._open, about
        if template >= 0:
            self._count(template, 1 if before is None else -1)
        for name, numbers in fields:
            if before is not None and (gate := numbers.get(before.values[name])) is not None:
                self._count(gate, -1)
            if after is not None and (gate := numbers.get(after.values[name])) is not None:
                self._count(gate, 1)
        if self._open != open_before:
            self.rules = ~self._gates.closed(self._open)

    def _count(self, gate: int, more: int) -> None:
        """One fact more, or less, for a gate: with the first it opens, with the last it shuts."""
        count = self._counts[gate]
        self._counts[gate] = count + more
        if count in (0, -more):
            self._open ^= 1 << gate
