"""The smallest change of the board with which a rule would fire, found by trying.

Tried are, each by playing the whole scenario again: every single edit (one field of a given fact, one fact more, one
fact less), then two fields at once: first where both together meet the rule's conditions where it was nearest, then the
other fields that the rule mentions, then, where that is little work, all others. By itself, what the run never looked at
cannot have made a difference and is not tried; together with another change it may.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, islice

from riftrules.analysis.domains import Domains
from riftrules.analysis.edits import Addition, BoardEdit, FieldEdit, Removal, edited
from riftrules.analysis.mentioning import mentioned_fields, patterns_of, satisfying
from riftrules.analysis.reaching import can_reach
from riftrules.analysis.trials import Trials
from riftrules.analysis.watching import Observation, observe
from riftrules.analysis.why_not import MISSED, NEVER_STEP, Target, WhyNot, fires
from riftrules.engine.reference.matching import Board
from riftrules.facts.memory import Fact, WorkingMemory
from riftrules.facts.types import ListType, MapType, RefType, SetType, Type, Value
from riftrules.language.model import Ruleset
from riftrules.scenario.model import Scenario

MOST_WORK = 5_000
"""How much may be played, in firings: an answer is to come at once. A run counts for some even if nothing fires in it."""
RUN = 8
MOST_LIKELY = 40
"""So many changes of two fields, each meeting the rule's conditions where it was nearest, are tried before others."""
MOST_LOCAL = 4_000
PAIR = 2


@dataclass(frozen=True, slots=True)
class SmallestChange:
    """Edits of the board with which the rule fires; none where no change that was tried makes it.

    `tried` boards were played. `complete` says that every single edit there is was among them (up to the one that works),
    `pairs` that every change of two fields was as well. Numbers and texts are those that the rules tell apart (see `domains`).
    Where not even another board can bring the scenario to the rule, it is not `reachable`, and none was played.
    """

    edits: tuple[BoardEdit, ...]
    tried: int
    complete: bool
    pairs: bool = False
    reachable: bool = True


def smallest_change(found: WhyNot, seen: Observation, trials: Trials, work: int = MOST_WORK) -> SmallestChange:
    """Search for the smallest change; what is found has been played on the engine and on the reference."""
    if not can_reach(found.target.rule, trials.scenario, trials.ruleset):
        return SmallestChange((), 0, complete=True, reachable=False)
    search = _Search(found, seen, trials, work)
    singles = search.singles()
    complete = not search.domains.cut
    for number, edit in enumerate(singles, 1):
        if search.works((edit,)):
            return SmallestChange((edit,), search.tried, complete=True)
        if search.is_tired and number < len(singles):
            complete = False
            break
    search.work = work
    for pair in search.pairs(singles):
        if search.is_tired:
            return SmallestChange((), search.tried, complete=complete)
        if search.works(pair):
            return SmallestChange(pair, search.tried, complete=complete)
    return SmallestChange((), search.tried, complete=complete, pairs=complete and search.exhausted)


def single_edits(
    scenario: Scenario,
    ruleset: Ruleset,
    wanted: Mapping[str, Mapping[str, Sequence[Value]]],
    domains: Domains | None = None,
) -> Iterator[BoardEdit]:
    """Every single edit of a board: fields first, then one fact more, then one fact less.

    `wanted` gives for a template and field the values worth having in one fact more.
    """
    given = (*scenario.facts, *(one.frame for one in scenario.stack))
    domains = domains or Domains(ruleset, given)
    yield from field_edits(domains)
    for template in ruleset.templates.values():
        if template.kind in {"standing", "singleton"}:
            yield from (Addition(fact) for fact in domains.added(template, wanted.get(template.name, {})))
    for fact in scenario.facts:
        yield Removal(fact.template, fact.id)


def field_edits(domains: Domains) -> Iterator[FieldEdit]:
    """Every field of a given fact or frame with each of the other values it might have."""
    for fact in domains.facts:
        for name in fact.values:
            yield from (FieldEdit(fact.template, fact.id, name, value) for value in domains.others(fact, name))


class _Search:
    def __init__(self, found: WhyNot, seen: Observation, trials: Trials, work: int) -> None:
        self.work = work
        self.found, self.seen, self.trials = found, seen, trials
        self.asked: Target = found.target
        self.ruleset, self.scenario = trials.ruleset, trials.scenario
        self.domains = Domains(self.ruleset, (*self.scenario.facts, *(one.frame for one in self.scenario.stack)))
        self.exhausted = False
        self.mentioned = dict(mentioned_fields(self.asked.rule.when, self.ruleset))
        if self.asked.rule.event is not None:
            self.mentioned |= dict(mentioned_fields((self.asked.rule.event,), self.ruleset))
        self.board = self._board()
        self.tried = 0

    @property
    def is_tired(self) -> bool:
        """Whether enough has been played."""
        return self.work <= 0

    def works(self, edits: tuple[BoardEdit, ...]) -> bool:
        """Whether the rule fires with these edits: asked of the engine, and where it says so of the reference."""
        run = self.trials.run(*edits)
        self.tried += 1
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
        edits = single_edits(self.scenario, self.ruleset, self._wanted(), self.domains)
        return sorted((edit for edit in edits if self._looked_at(edit)), key=self._rank)

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
        """Pairs of fields, the likely ones first, and all there are where that is not too much: then it is `exhausted`."""
        mentioned = [edit for edit in singles if isinstance(edit, FieldEdit) and self._mentions(edit)]
        every = list(field_edits(self.domains))
        all_of_them = len(every) * (len(every) - 1) // 2 * RUN <= self.work
        met: set[frozenset[BoardEdit]] = set()
        rest = combinations(every, PAIR) if all_of_them else ()
        for pair in chain(self._likely(mentioned), combinations(mentioned, PAIR), rest):
            if _place(pair[0]) != _place(pair[1]) and frozenset(pair) not in met:
                met.add(frozenset(pair))
                yield pair
        self.exhausted = all_of_them

    def _likely(self, mentioned: Sequence[FieldEdit]) -> Iterator[tuple[FieldEdit, ...]]:
        """Pairs of fields with which the rule matches where it was nearest."""
        found = 0
        for pair in islice(combinations(mentioned, PAIR), MOST_LOCAL if self.board is not None else 0):
            if found < MOST_LIKELY and _place(pair[0]) != _place(pair[1]) and self._meets(pair):
                found += 1
                yield pair

    # -------------------------------------------------------------------------------------------- what is wanted

    def _wanted(self) -> dict[str, dict[str, list[Value]]]:
        """For one fact more: the values that the rule's own patterns ask for, as far as they are known."""
        miss = self.found.miss
        if miss is None or self.found.kind == NEVER_STEP or self.board is None:
            return {}
        found: dict[str, dict[str, list[Value]]] = {}
        for pattern, env in patterns_of(self.asked.rule.when, miss.env, self.board):
            for test in pattern.tests:
                values = found.setdefault(pattern.template, {}).setdefault(test.field, [])
                values.extend(value for value in satisfying(test, env, self.board) if value not in values)
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


__all__ = ["Fact", "SmallestChange", "single_edits", "smallest_change"]
