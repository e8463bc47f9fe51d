"""Puts questions to the board of a session, each only for as long as it has something left to show."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from riftrules.analysis.coverage.questions import Question, Questions
from riftrules.analysis.coverage.spots import BOTH, Spot
from riftrules.engine.board import Board
from riftrules.engine.productions import Production, RuleCompiler
from riftrules.facts.memory import WorkingMemory
from riftrules.language.model import Rule, Ruleset


@dataclass(slots=True, eq=False)
class _Asked:
    """A question with what answers it."""

    question: Question
    number: int
    production: Production | None = None


@dataclass(slots=True)
class Seen:
    """What has been seen in one scenario: for each condition its sides; rules that held or asked, and rules withheld."""

    sides: bytearray
    held: set[str] = field(default_factory=set)
    withheld: set[str] = field(default_factory=set)

    def lacks(self, question: Question) -> bool:
        """Whether a side is left that the question would show."""
        return any(not self.sides[number] & side for number, side in question.marks)

    def mark(self, question: Question) -> None:
        """The question has been answered with yes."""
        for number, side in question.marks:
            self.sides[number] |= side


class Asker:
    """Asks the questions about one ruleset."""

    def __init__(self, ruleset: Ruleset) -> None:
        questions = Questions(ruleset)
        self.spots: tuple[Spot, ...] = tuple(questions.spots)
        self._compiler = RuleCompiler(questions.ruleset)
        numbers = iter(range(1_000_000))
        self._rules = {name: [_Asked(one, next(numbers)) for one in asked] for name, asked in questions.rules.items()}
        self._fields = {key: [_Asked(one, next(numbers)) for one in asked] for key, asked in questions.fields.items()}
        self._derived = {rule.id: questions.derived((rule.event, rule.when, rule.then)) for rule in ruleset.rules}
        self.sure = frozenset(name for name, asked in self._rules.items() if not any(one.question.marks for one in asked))

    def nothing_seen(self) -> Seen:
        """What has been seen before anything is."""
        return Seen(bytearray(len(self.spots)))

    def rule(self, rule: Rule, board: Board, seen: Seen) -> None:
        """The rule is considered on this board."""
        for key in self._derived[rule.id]:
            self._ask(self._fields[key], board, seen)
        whole, *others = self._rules[rule.id]
        if rule.id not in seen.held or rule.id not in seen.withheld:
            if self._answer(whole, board):
                seen.held.add(rule.id)
                seen.mark(whole.question)
            else:
                seen.withheld.add(rule.id)
        self._ask(others, board, seen)

    def _ask(self, questions: Iterable[_Asked], board: Board, seen: Seen) -> None:
        for one in questions:
            if seen.lacks(one.question) and self._answer(one, board):
                seen.mark(one.question)

    def _answer(self, asked: _Asked, board: Board) -> bool:
        if asked.production is None:
            asked.production = self._compile(asked)
        memory: WorkingMemory = board.memory
        if any(memory.get(name, name) is None for name in asked.question.singletons):
            return False
        return asked.production.holds(board)

    def _compile(self, asked: _Asked) -> Production:
        one = asked.question
        rule = Rule(f"question {asked.number}", asked.number, "legality", (), "", one.when, (), event=one.event)
        return self._compiler.production(rule, joined=False)


def reached(sides: Sequence[int]) -> int:
    """How many conditions have been seen from both sides."""
    return sum(1 for one in sides if one == BOTH)
