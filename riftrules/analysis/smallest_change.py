"""The smallest change of the board with which a rule would fire, found by trying.

Tried are, each by playing the whole scenario again: every single edit (one field of a given fact, one fact more, one
fact less), then two fields at once where both together meet the rule's conditions where it was nearest. What the run
never looked at cannot have made a difference and is not tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from itertools import combinations
from typing import Any

from riftrules.analysis.domains import Domains
from riftrules.analysis.edits import Addition, BoardEdit, FieldEdit, Removal, edited
from riftrules.analysis.reaching import can_reach
from riftrules.analysis.trials import Trials
from riftrules.analysis.watching import Observation, observe
from riftrules.analysis.why_not import MISSED, NEVER_STEP, Target, WhyNot, fires
from riftrules.engine.reference.matching import Bindings, Board
from riftrules.facts.memory import Fact, WorkingMemory
from riftrules.facts.types import ListType, MapType, RefType, SetType, Type, Value
from riftrules.language.model import Bind, Compare, Condition, Equals, FieldTest, Has, In, Literal, Pattern, Ruleset, Use
from riftrules.scenario.model import Scenario

MOST_WORK = 3_000
"""How much may be played, in firings: an answer is to come at once. A run counts for some even if nothing fires in it."""
RUN = 8
PART = 5
"""Changes of two fields get such a part of the work: they are tried where they are likely."""
MOST_PAIRS = 40
MOST_LOCAL = 4_000
PAIR = 2


@dataclass(frozen=True, slots=True)
class SmallestChange:
    """Edits of the board with which the rule fires; none where no change that was tried makes it.

    `tried` boards were played. `complete` says that every smaller change there is was among them. Where not even
    another board can bring the scenario to the rule, it is not `reachable`, and none was played.
    """

    edits: tuple[BoardEdit, ...]
    tried: int
    complete: bool
    reachable: bool = True


def smallest_change(found: WhyNot, seen: Observation, trials: Trials, work: int = MOST_WORK) -> SmallestChange:
    """Search for the smallest change; what is found has been played on the engine and on the reference."""
    if not can_reach(found.target.rule, trials.scenario, trials.ruleset):
        return SmallestChange((), 0, complete=True, reachable=False)
    search = _Search(found, seen, trials, work)
    singles = search.singles()
    complete = True
    for edit in singles:
        if search.works((edit,)):
            return SmallestChange((edit,), search.tried, complete=True)
        if search.is_tired:
            complete = edit is singles[-1]
            break
    search.work = work // PART
    for pair in search.pairs(singles):
        if search.works(pair):
            return SmallestChange(pair, search.tried, complete=complete)
        if search.is_tired:
            return SmallestChange((), search.tried, complete=False)
    return SmallestChange((), search.tried, complete=complete)


def single_edits(
    scenario: Scenario, ruleset: Ruleset, wanted: Mapping[str, Mapping[str, Sequence[Value]]]
) -> Iterator[BoardEdit]:
    """Every single edit of a board: fields first, then one fact more, then one fact less.

    `wanted` gives for a template and field the values worth having in one fact more.
    """
    given = (*scenario.facts, *(one.frame for one in scenario.stack))
    domains = Domains(ruleset, given)
    for fact in given:
        for name in fact.values:
            yield from (FieldEdit(fact.template, fact.id, name, value) for value in domains.others(fact, name))
    for template in ruleset.templates.values():
        if template.kind in {"standing", "singleton"}:
            yield from (Addition(fact) for fact in domains.added(template, wanted.get(template.name, {})))
    for fact in scenario.facts:
        yield Removal(fact.template, fact.id)


class _Search:
    def __init__(self, found: WhyNot, seen: Observation, trials: Trials, work: int) -> None:
        self.work = work
        self.found, self.seen, self.trials = found, seen, trials
        self.asked: Target = found.target
        self.ruleset, self.scenario = trials.ruleset, trials.scenario
        self.mentioned = dict(mentioned_fields(self.asked.rule.when, self.ruleset))
        if self.asked.rule.event is not None:
            self.mentioned |= dict(mentioned_fields((self.asked.rule.event,), self.ruleset))
        self.board = self._board()
        self.began = trials.count

    @property
    def tried(self) -> int:
        """How many boards have been played."""
        return self.trials.count - self.began

    @property
    def is_tired(self) -> bool:
        """Whether enough has been played."""
        return self.work <= 0

    def works(self, edits: tuple[BoardEdit, ...]) -> bool:
        """Whether the rule fires with these edits: asked of the engine, and where it says so of the reference."""
        run = self.trials.run(*edits)
        self.work -= run.verdict.firings + RUN
        if not fires(self.asked, run):
            return False
        return bool(fires(self.asked, observe(edited(self.scenario, edits, self.ruleset), self.ruleset).run))

    def _board(self) -> Board | None:
        """The board where the rule was nearest."""
        point = self.found.point
        return self.seen.board_at(point.log, point.own, point.event) if point is not None and self.found.kind == MISSED else None

    # -------------------------------------------------------------------------------------------- one edit

    def singles(self) -> list[BoardEdit]:
        """The single edits that can make a difference, those that meet the conditions where it was nearest first."""
        edits = [edit for edit in single_edits(self.scenario, self.ruleset, self._wanted()) if self._looked_at(edit)]
        return sorted(edits, key=self._rank)

    def _rank(self, edit: BoardEdit) -> int:
        return 0 if self._meets((edit,)) else 1 if self._mentions(edit) else 2

    def _mentions(self, edit: BoardEdit) -> bool:
        match edit:
            case FieldEdit(template, _, name):
                return (template, name) in self.mentioned
            case Removal(template):
                return any(template == one for one, _ in self.mentioned)
            case Addition(fact):
                return any(fact.template == one for one, _ in self.mentioned)

    def _looked_at(self, edit: BoardEdit) -> bool:
        """Whether the run has read what the edit changes. Singletons give defaults, references are let go of: always."""
        reads = self.seen.watch.reads
        match edit:
            case FieldEdit(template, id_, name):
                kind = self.ruleset.templates[template]
                return (template, id_, name) in reads or kind.kind == "singleton" or _refers(kind.fields[name].type)
            case Removal(template, id_):
                return any(one == template and other in {"", id_} for one, other, _ in reads)
            case Addition(fact):
                return any(one == fact.template for one, _, _ in reads)

    def _meets(self, edits: tuple[BoardEdit, ...]) -> bool:
        """Whether the rule matches where it was nearest once the board there is changed."""
        board = self.board
        if board is None or not board.present(self.asked.rule.singletons):
            return False
        mark = board.memory.mark()
        for edit in edits:
            _apply(edit, board.memory)
        rule, fixed = self.asked.rule, dict(self.asked.fixed)
        if rule.event is not None:
            met = any(self.asked.agrees(env) for env in board.heard(rule.event, rule.when))
        else:
            met = next(board.matches(rule.when, fixed), None) is not None
        board.memory.undo(mark)
        return met

    # -------------------------------------------------------------------------------------------- two fields

    def pairs(self, singles: Sequence[BoardEdit]) -> Iterator[tuple[BoardEdit, ...]]:
        """Pairs of fields with which the rule matches where it was nearest."""
        if self.board is None:
            return
        mentioned = [edit for edit in singles if isinstance(edit, FieldEdit) and self._mentions(edit)]
        found = 0
        for number, pair in enumerate(combinations(mentioned, PAIR)):
            if number >= MOST_LOCAL or found >= MOST_PAIRS:
                return
            if _place(pair[0]) != _place(pair[1]) and self._meets(pair):
                found += 1
                yield pair

    # -------------------------------------------------------------------------------------------- what is wanted

    def _wanted(self) -> dict[str, dict[str, list[Value]]]:
        """For one fact more: the values that the rule's own patterns ask for, as far as they are known."""
        miss = self.found.miss
        if miss is None or self.found.kind == NEVER_STEP or self.board is None:
            return {}
        found: dict[str, dict[str, list[Value]]] = {}
        for pattern, env in _patterns(self.asked.rule.when, miss.env, self.board):
            for test in pattern.tests:
                values = found.setdefault(pattern.template, {}).setdefault(test.field, [])
                values.extend(value for value in _satisfying(test, env, self.board) if value not in values)
        return found


def _place(edit: BoardEdit) -> object:
    return (edit.template, edit.id, edit.field) if isinstance(edit, FieldEdit) else edit


def _apply(edit: BoardEdit, memory: WorkingMemory) -> None:
    match edit:
        case FieldEdit(template, id_, name, value):
            fact = memory.get(template, id_)
            if fact is not None:
                memory.put(fact.with_values({name: value}), memory.within(template, id_))
        case Removal(template, id_):
            if memory.get(template, id_) is not None:
                memory.retract(template, id_)
        case Addition(fact):
            memory.put(fact)


def _refers(type_: Type) -> bool:
    match type_:
        case RefType():
            return True
        case SetType(of) | ListType(of) | MapType(of):
            return _refers(of)
    return False


# ------------------------------------------------------------------------------------------------ what a rule looks at


def mentioned_fields(node: Any, ruleset: Ruleset) -> Iterator[tuple[tuple[str, str], bool]]:
    """The (template, field) pairs that conditions name, definitions and derived fields followed."""
    met: set[tuple[str, str] | str] = set()
    waiting: list[Any] = [node]
    while waiting:
        one = waiting.pop()
        pairs: list[tuple[str, str]] = []
        match one:
            case Pattern(template, _, tests):
                pairs = [(template, ""), *((template, test.field) for test in tests)]
            case Use(name) if name not in met:
                met.add(name)
                waiting.append(ruleset.definitions[name].when)
        if hasattr(one, "hops"):
            pairs += [(hop.template, hop.field) for hop in one.hops]
        for pair in pairs:
            if pair not in met:
                met.add(pair)
                yield pair, True
                derived = ruleset.templates[pair[0]].derived.get(pair[1])
                waiting.extend([derived.cases] if derived is not None else [])
        waiting.extend(
            one if isinstance(one, tuple) else [getattr(one, each.name) for each in fields(one)] if is_dataclass(one) else []
        )


def _patterns(conditions: Sequence[Condition], env: Bindings, board: Board) -> Iterator[tuple[Pattern, Bindings]]:
    """The patterns of conditions, however deep, each with the bindings known where it stands."""
    for one in conditions:
        if isinstance(one, Pattern):
            yield one, env
        elif isinstance(one, Use):
            definition = board.ruleset.definitions[one.definition]
            values = [_known(argument, env, board) for argument in one.arguments]
            given = {name: value for name, value in zip(definition.parameters, values, strict=True) if value is not None}
            yield from _patterns(definition.when, given, board)
        else:
            for part in ("conditions", "has"):
                yield from _patterns(getattr(one, part, ()), env, board)


def _known(expression: Any, env: Bindings, board: Board) -> Value:
    try:
        return board.evaluate(expression, env)
    except KeyError:
        return None


def _satisfying(test: FieldTest, env: Bindings, board: Board) -> tuple[Value, ...]:
    """Values of the field that pass the test, where they can be told without searching."""
    match test.test:
        case Bind(variable):
            return (env[variable],) if variable in env else ()
        case Equals(Literal(value)):
            return (value,)
        case Equals(to):
            return (_known(to, env, board),)
        case Has(to):
            return (frozenset({_known(to, env, board)}),)
        case In(to):
            return tuple(_known(to, env, board) or ())
        case Compare(op, to):
            value = _known(to, env, board)
            near = {"at least": 0, "at most": 0, "more than": 1, "less than": -1}[op]
            return (value + near,) if isinstance(value, int) else ()
    return ()


__all__ = ["Fact", "SmallestChange", "mentioned_fields", "single_edits", "smallest_change"]
