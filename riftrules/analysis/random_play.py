"""Random games: a player who does anything that is not refused, from a seed, with the invariants looked at after every move."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from riftrules.analysis.proof.findings import Finding
from riftrules.analysis.proof.setup import Setup
from riftrules.analysis.proof.shrinking import Case, fixture_as_it_was, fixture_of
from riftrules.analysis.proof.steps import combined, gathering, open_moves, steps
from riftrules.engine.orders import Step, Trial
from riftrules.errors import LimitError, RunError
from riftrules.facts.trace import Refusal
from riftrules.facts.types import IntType, ListType, MapType, RefType, Type, Value
from riftrules.language.model import Move, ProofScope
from riftrules.scenario.words import said
from riftrules.scenario.workers import Crew, Lost

SELDOM = 50
LIMIT = 10_000
MOST = 2_000
"""Moves after which a game without an end is one that does not end."""

BATCH = 5


@dataclass(frozen=True, slots=True)
class Game:
    """One game: how it ended (`over`, `bound`, `beyond` the numbers tried, or `fault`), and the smallest fixture of a fault."""

    scope: str
    mode: str
    seed: int
    ended: str
    moves: int
    message: str = ""
    kind: str = ""
    fixture: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """What is played, and from which seeds."""

    setup: Setup
    seeds: tuple[int, ...]


def play_table(_: None, table: Table) -> tuple[Game, ...]:
    """The games of a table."""
    return tuple(_Player(table.setup, seed).game() for seed in table.seeds)


def play_games(setups: Sequence[Setup], games: int, seed: int, workers: Crew, told: Callable[[int], None]) -> tuple[Game, ...]:
    """So many games, in turn of each setup; the same whoever plays them."""
    seeds = {setup: tuple(range(seed + place, seed + games, len(setups))) for place, setup in enumerate(setups)}
    tables = [Table(setup, part) for setup, all_ in seeds.items() for part in _parts(all_)]
    found: dict[int, tuple[Game, ...]] = {}
    for place, played in workers.work(play_table, None, tables):
        if isinstance(played, Lost):
            message = "a process died over the same games twice"
            raise RunError(message)
        found[place] = played
        told(sum(len(one) for one in found.values()))
    return tuple(game for place in range(len(tables)) for game in found[place])


def _parts(seeds: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    return (seeds[at : at + BATCH] for at in range(0, len(seeds), BATCH))


class _Player:
    """One game being played."""

    def __init__(self, setup: Setup, seed: int) -> None:
        self.setup = setup
        self.seed = seed
        self.random = Random(f"{setup.scope.name} {setup.mode} {seed}")  # noqa: S311 - a game is no secret
        self.board = self.random.choice(setup.boards)
        self.session = Trial(setup.program, self.board.facts, self.board.stack, limit=LIMIT)
        self.done: list[Step] = []

    def game(self) -> Game:
        """Play until the game ends, or something is wrong."""
        try:
            self.session.settle()
            while len(self.done) < MOST:
                ended = self._ended()
                if ended:
                    return self._said(ended)
                fault = self._move()
                if fault is not None:
                    return fault if isinstance(fault, Game) else self._fault(fault)
        except RunError as error:
            kind = "termination" if isinstance(error, LimitError) else "failure"
            return self._fault(Finding(kind, (error.rule,), error.message, 0, ()))
        return self._said("fault", f"the game has not ended after {MOST} moves", "endless")

    def _ended(self) -> str:
        if self.session.waiting.kind == "over":
            return "over"
        bound = self.setup.scope.bound
        return "bound" if any(self.session.read(name, name, field) >= most for (name, field), most in bound) else ""

    def _move(self) -> Finding | Game | None:
        """One move that is not refused; a finding where it violates an invariant, an end where there is no such move."""
        for step in self._tried():
            self.done.append(step)
            if not isinstance(self.session.do(step), Refusal):
                return self._violated()
            self.done.pop()
        return self._said("beyond") if self._is_capped() else self._stuck()

    def _stuck(self) -> Game:
        """The session waits, and whatever the scope lets be asked for is refused."""
        found = Finding("stuck", (), "the session waits, and everything is refused", 0, ())
        case = Case(self.board.facts, self.board.stack, tuple(self.done))
        return self._said("fault", found.message, found.kind, fixture_as_it_was(self.setup, found, case))

    def _violated(self) -> Finding | None:
        for broken in self.session.violations():
            bound = ", ".join(f"${name} = {said(value)}" for name, value in broken.bindings)
            message = f"invariant `{broken.rule}` is violated" + (f" by {bound}" if bound else "")
            return Finding("invariant", (broken.rule,), message, 0, ())
        return None

    def _tried(self) -> list[Step]:
        """What may be tried, shuffled; what is to be seldom comes last but for one time in fifty."""
        session, scope = self.session, self.setup.scope
        if session.waiting.choice is not None:
            found = list(steps(self.setup.ruleset, scope, session.waiting, session.memory))
        else:
            found = [step for kind, move in open_moves(scope, session.waiting) for step in self._combined(kind, move)]
        self.random.shuffle(found)
        if not scope.seldom:
            return found
        seldom = self.random.randrange(SELDOM) == 0
        return sorted(found, key=lambda step: (step.name in scope.seldom) != seldom)

    def _combined(self, kind: str, move: Move) -> Iterator[Step]:
        """The ways to make a move. Where several things are named, only those are that the fewest rules refuse alone."""
        template = self.setup.ruleset.templates[move.procedure]
        found = combined(kind, move, template, self.session.memory, self.setup.scope.numbers)
        field = gathering(template, move) if kind == "request" else ""
        if not field:
            yield from found
            return
        best: dict[tuple[tuple[str, Value], ...], set[Value]] = {}
        for step in found:
            rest = tuple(pair for pair in step.fields if pair[0] != field)
            if rest not in best:
                best[rest] = self._best(step, field)
            if best[rest].issuperset(_members(dict(step.fields)[field])):
                yield step

    def _best(self, step: Step, field: str) -> set[Value]:
        """The members that the fewest rules refuse, each alone, with the other fields as they are."""
        of = self.setup.ruleset.templates[step.name].fields[field].type
        counts = {member: self.session.refused(_alone(step, field, member, of)) for member in self._all_members(of)}
        least = min(counts.values(), default=0)
        return {member for member, count in counts.items() if count == least}

    def _all_members(self, of: Type) -> tuple[Value, ...]:
        inner = of.key if isinstance(of, MapType) else getattr(of, "of", None)
        return tuple(fact.id for fact in self.session.memory.all(inner.template)) if isinstance(inner, RefType) else ()

    def _is_capped(self) -> bool:
        """Whether something is asked for in whose fields only small numbers are tried."""
        asked = {name for ask in self.session.waiting.asks for name in ask.requests}
        return any(move.procedure in asked and is_capped(move.procedure, self.setup) for move in self.setup.scope.requests)

    def _said(self, ended: str, message: str = "", kind: str = "", fixture: str = "") -> Game:
        setup = self.setup
        return Game(setup.scope.name, setup.mode, self.seed, ended, len(self.done), message, kind, fixture)

    def _fault(self, finding: Finding) -> Game:
        case = Case(self.board.facts, self.board.stack, tuple(self.done))
        return self._said("fault", finding.message, finding.kind, fixture_of(self.setup, finding, case))


def _members(value: Value) -> Iterator[Value]:
    return (one[0] if isinstance(one, tuple) else one for one in value)


def _alone(step: Step, field: str, member: Value, of: Type) -> Step:
    single: Value = ((member, 1),) if isinstance(of, MapType) else (member,) if isinstance(of, ListType) else frozenset({member})
    return step._replace(fields=tuple((name, single if name == field else value) for name, value in step.fields))


def is_capped(procedure: str, setup: Setup) -> bool:
    """Whether a field of the request has more values than are tried."""
    fields = setup.ruleset.templates[procedure].fields.values()
    return any(isinstance(field.type, MapType | IntType) and field.required for field in fields)


def playable(scope: ProofScope) -> bool:
    """Whether a scope is for games: it says how long they are at most."""
    return bool(scope.bound)
