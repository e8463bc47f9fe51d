"""The decision on experta 1.9.4, which has not been kept up: names that left `collections` are put back while it is imported."""

from __future__ import annotations

import collections
import collections.abc
from itertools import pairwise
from typing import Any

from tests.benchmarks.boards import BATTLEFIELDS, PLAYERS, Battlefield, Board, Outcome, Unit

_GONE = [name for name in ("Mapping", "MutableMapping", "Iterable", "Callable") if not hasattr(collections, name)]
for _name in _GONE:
    setattr(collections, _name, getattr(collections.abc, _name))
try:
    from experta import AS, MATCH, NOT, TEST, Fact, KnowledgeEngine, Rule, W
finally:
    for _name in _GONE:
        delattr(collections, _name)

VICTORY = 8
STEPS = (
    "declare",
    "win-check",
    "deaths",
    "control-loss",
    "stage-showdowns",
    "contested-removal",
    "begin-showdown",
    "end-of-pass",
)
SCORING = ("take-control", "conquering", "mark", "point", "gain", "announce", "closes")
NEXT = {**dict(pairwise(STEPS)), **dict(pairwise(SCORING)), "opens": "focus"}
NOBODY = "none"


class AUnit(Fact): ...


class APlace(Fact): ...


class APlayer(Fact): ...


class Staged(Fact): ...


class Engagement(Fact): ...


class Scored(Fact): ...


class Mover(Fact): ...


class Pass(Fact): ...


class Arrived(Fact): ...


class Establish(Fact): ...


class Score(Fact): ...


class GainPoint(Fact): ...


class GainedPoints(Fact): ...


class Step(Fact): ...


class Changed(Fact): ...


class Teaching(KnowledgeEngine):
    """The rules of the decision."""

    fired: list[str]

    def fires(self, rule: str) -> None:
        self.fired.append(rule)
        self.declare(Changed())

    def go(self, step: Fact, to: str) -> None:
        self.retract(step)
        self.declare(Step(name=to))

    @Rule(AS.s << Step(name=MATCH.name), TEST(lambda name: name in NEXT), salience=-10)
    def next_step(self, s: Fact, name: str) -> None:
        self.go(s, NEXT[name])

    @Rule(AS.s << Step(name="end-of-pass"), AS.c << Changed())
    def next_pass(self, s: Fact, c: Fact) -> None:
        self.retract(c)
        self.go(s, "win-check")

    @Rule(AS.s << Step(name="end-of-pass"), NOT(Changed()), Engagement(begun=False))
    def end_of_cleanup_before_a_showdown(self, s: Fact) -> None:
        self.go(s, "opens")

    @Rule(AS.s << Step(name="end-of-pass"), NOT(Changed()), NOT(Engagement()))
    def end_of_cleanup(self, s: Fact) -> None:
        self.retract(s)

    @Rule(
        Step(name="declare"),
        AS.m << Mover(id=MATCH.id, to=MATCH.to),
        AS.u << AUnit(id=MATCH.id, controller=MATCH.p, exhausted=False),
    )
    def units_pay_and_move(self, m: Fact, u: Fact, to: str, p: str) -> None:
        self.retract(m)
        self.modify(u, at=to, exhausted=True)
        self.declare(Arrived(controller=p, at=to))
        self.fires("units-pay-and-move")

    @Rule(
        Arrived(controller=MATCH.p, at=MATCH.bf),
        AS.b << APlace(id=MATCH.bf, contested_by=NOBODY, controller=~MATCH.p),
        salience=-1,
    )
    def arrival_contests(self, b: Fact, p: str) -> None:
        self.modify(b, contested_by=p)
        self.fires("arrival-contests")

    @Rule(AS.a << Arrived(), salience=-2)
    def arrival_is_heard(self, a: Fact) -> None:
        self.retract(a)

    @Rule(
        AS.u << AUnit(controller=MATCH.p, might=MATCH.m, damage=MATCH.d),
        TEST(lambda m, d: d >= max(1, m)),
        AS.o << APlayer(id=MATCH.p, trash=MATCH.t),
        Step(name="deaths"),
    )
    def lethal_damage_kills(self, u: Fact, o: Fact, t: int) -> None:
        self.retract(u)
        self.modify(o, trash=t + 1)
        self.fires("lethal-damage-kills")

    @Rule(
        Step(name="control-loss"),
        AS.b << APlace(id=MATCH.bf, controller=MATCH.p & ~W(NOBODY)),
        TEST(lambda p: p != NOBODY),
        NOT(AUnit(at=MATCH.bf, controller=MATCH.p)),
        NOT(Engagement(at=MATCH.bf)),
    )
    def control_lost_without_units(self, b: Fact) -> None:
        self.modify(b, controller=NOBODY)
        self.fires("control-lost-without-units")

    @Rule(
        Step(name="stage-showdowns"),
        APlace(id=MATCH.bf, contested_by=MATCH.p),
        AUnit(at=MATCH.bf, controller=MATCH.p),
        NOT(Engagement(at=MATCH.bf)),
        NOT(Staged(at=MATCH.bf)),
    )
    def contested_stages_a_showdown(self, bf: str) -> None:
        self.declare(Staged(at=bf))
        self.fires("contested-stages-a-showdown")

    @Rule(
        Step(name="contested-removal"),
        AS.b << APlace(id=MATCH.bf, contested_by=MATCH.p),
        TEST(lambda p: p != NOBODY),
        NOT(AUnit(at=MATCH.bf, controller=MATCH.p)),
        NOT(Engagement(at=MATCH.bf)),
    )
    def contested_ends_with_its_applier_gone(self, b: Fact) -> None:
        self.modify(b, contested_by=NOBODY)
        self.fires("contested-ends-with-its-applier-gone")

    @Rule(Step(name="begin-showdown"), NOT(Engagement()), APlace(id=MATCH.bf, contested_by=MATCH.p), AS.s << Staged(at=MATCH.bf))
    def turn_player_opens_a_showdown(self, s: Fact, bf: str, p: str) -> None:
        self.retract(s)
        self.declare(Engagement(at=bf, focus=p, begun=False, passed=0))
        self.fires("turn-player-opens-a-showdown")

    @Rule(Step(name="opens"), AS.e << Engagement(begun=False))
    def a_showdown_opens(self, e: Fact) -> None:
        self.modify(e, begun=True)
        self.fires("a-showdown-opens")

    @Rule(
        Step(name="focus"),
        AS.r << Pass(by=MATCH.p),
        AS.e << Engagement(focus=MATCH.p, passed=MATCH.n),
        APlayer(id=MATCH.p, next=MATCH.q),
    )
    def pass_moves_focus(self, r: Fact, e: Fact, q: str, n: int) -> None:
        self.retract(r)
        self.modify(e, passed=n + 1, focus=q)
        self.fires("pass-moves-focus")

    @Rule(AS.s << Step(name="focus"), Engagement(passed=len(PLAYERS)))
    def all_have_passed(self, s: Fact) -> None:
        self.go(s, "closes")

    @Rule(
        AS.s << Step(name="closes"),
        Engagement(at=MATCH.bf),
        APlayer(id=MATCH.p),
        APlace(id=MATCH.bf, controller=~MATCH.p),
        AUnit(at=MATCH.bf, controller=MATCH.p),
        NOT(AUnit(at=MATCH.bf, controller=~MATCH.p)),
    )
    def sole_player_left_establishes_control(self, s: Fact, bf: str, p: str) -> None:
        self.go(s, "take-control")
        self.declare(Establish(at=bf, by=p))
        self.fires("sole-player-left-establishes-control")

    @Rule(AS.s << Step(name="closes"), AS.e << Engagement(), salience=-1)
    def a_showdown_closes(self, s: Fact, e: Fact) -> None:
        self.retract(e)
        self.go(s, "win-check")
        self.fires("a-showdown-closes")

    @Rule(Step(name="take-control"), Establish(at=MATCH.bf, by=MATCH.p), AS.b << APlace(id=MATCH.bf, controller=~MATCH.p))
    def control_is_established(self, b: Fact, p: str) -> None:
        self.modify(b, controller=p, contested_by=NOBODY)
        self.fires("control-is-established")

    @Rule(Step(name="conquering"), AS.x << Establish(at=MATCH.bf, by=MATCH.p), NOT(Scored(by=MATCH.p, at=MATCH.bf)))
    def conquer(self, x: Fact, bf: str, p: str) -> None:
        self.retract(x)
        self.declare(Score(by=p, at=bf))
        self.fires("conquer")

    @Rule(Step(name="mark"), Score(by=MATCH.p, at=MATCH.bf), NOT(Scored(by=MATCH.p, at=MATCH.bf)))
    def a_score_is_recorded(self, bf: str, p: str) -> None:
        self.declare(Scored(by=p, at=bf))
        self.fires("a-score-is-recorded")

    @Rule(Step(name="point"), Score(by=MATCH.p), APlayer(id=MATCH.p, points=MATCH.n), TEST(lambda n: n < VICTORY - 1))
    def a_conquer_gains_a_point(self, p: str) -> None:
        self.declare(GainPoint(player=p))
        self.fires("a-conquer-gains-a-point")

    @Rule(Step(name="gain"), AS.g << GainPoint(player=MATCH.p), AS.q << APlayer(id=MATCH.p, points=MATCH.n))
    def points_are_shared_by_a_team(self, g: Fact, q: Fact, n: int) -> None:
        self.retract(g)
        self.modify(q, points=n + 1)
        self.fires("points-are-shared-by-a-team")
        self.declare(GainedPoints())

    @Rule(Step(name="gain"), AS.g << GainedPoints())
    def gained_points_are_announced(self, g: Fact) -> None:
        self.retract(g)
        self.fires("gained-points-are-announced")

    @Rule(Step(name="announce"), AS.s << Score())
    def a_conquer_is_announced(self, s: Fact) -> None:
        self.retract(s)
        self.fires("a-conquer-is-announced")


class OnExperta:
    """One engine; `reset` declares the board anew."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.engine = Teaching()
        self.reset()

    def reset(self) -> None:
        engine, board = self.engine, self.board
        engine.reset()
        engine.fired = []
        for unit in board.units:
            engine.declare(AUnit(**unit._asdict()))
        for place in board.battlefields:
            engine.declare(APlace(id=place.id, controller=place.controller or NOBODY, contested_by=NOBODY))
        for name, other, points in zip(PLAYERS, reversed(PLAYERS), board.points, strict=True):
            engine.declare(APlayer(id=name, points=points, trash=0, next=other))

    def decide(self) -> None:
        """The units move, both players pass."""
        engine, board = self.engine, self.board
        for id_ in board.movers:
            engine.declare(Mover(id=id_, to=board.to))
        engine.declare(Step(name="declare"))
        engine.run()
        for player in PLAYERS:
            engine.declare(Pass(by=player))
            engine.run()

    def cleanup(self) -> None:
        self.engine.declare(Step(name="win-check"))
        self.engine.run()

    def outcome(self) -> Outcome:
        def of(kind: type[Fact]) -> dict[str, Any]:
            return {fact["id"]: fact for fact in self.engine.facts.values() if type(fact) is kind}

        units, places, players = of(AUnit), of(APlace), of(APlayer)
        return Outcome(
            tuple(Unit(*(units[one.id][name] for name in Unit._fields)) for one in self.board.units if one.id in units),
            tuple(Battlefield(*(_plain(places[name][slot]) for slot in Battlefield._fields)) for name in BATTLEFIELDS),
            tuple(players[name]["points"] for name in PLAYERS),
            tuple(players[name]["trash"] for name in PLAYERS),
            tuple(sorted((fact["by"], fact["at"]) for fact in self.engine.facts.values() if type(fact) is Scored)),
            tuple(self.engine.fired),
        )

    def close_session(self) -> None:
        """Nothing is held."""


def _plain(value: Any) -> Any:
    return None if value == NOBODY else value
