"""The same rules as a programmer would write them for this decision alone: no rule can be added without reading it all."""

from __future__ import annotations

from tests.benchmarks.boards import PLAYERS, Battlefield, Board, Outcome, Unit

VICTORY = 8
OTHER = {"P1": "P2", "P2": "P1"}


class ByHand:
    """One game on one board."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.reset()

    def reset(self) -> None:
        self.units = {one.id: list(one) for one in self.board.units}
        self.battlefields = {one.id: list(one) for one in self.board.battlefields}
        self.points = dict(zip(PLAYERS, self.board.points, strict=True))
        self.trash = dict.fromkeys(PLAYERS, 0)
        self.scored: set[tuple[str, str]] = set()
        self.staged: list[str] = []
        self.showdown: str | None = None
        self.fired: list[str] = []

    def decide(self) -> None:
        """The units move, both players pass."""
        self.move()
        if self.showdown is not None:
            self.fired += ["a-showdown-opens", "pass-moves-focus", "pass-moves-focus"]
            self.close(self.showdown)

    def move(self) -> None:
        board, place = self.board, self.battlefields[self.board.to]
        for id_ in board.movers:
            unit = self.units[id_]
            assert (unit[1], unit[5]) == ("P1", False)
            assert unit[2] != board.to
        for id_ in board.movers:
            unit = self.units[id_]
            unit[2], unit[5] = board.to, True
            self.fired.append("units-pay-and-move")
        if place[1] != "P1" and place[2] is None:
            place[2] = "P1"
            self.fired.append("arrival-contests")
        self.cleanup()

    def is_at(self, place: str, controller: str) -> bool:
        return any(unit[2] == place and unit[1] == controller for unit in self.units.values())

    def cleanup(self) -> None:
        while self.cleanup_pass():
            pass

    def cleanup_pass(self) -> bool:
        """The steps in their order; whether anything came of them."""
        start, fired = len(self.fired), self.fired
        best = max(self.points, key=self.points.__getitem__)
        assert self.points[best] < VICTORY or len(set(self.points.values())) == 1
        for id_ in [id_ for id_, unit in self.units.items() if unit[4] >= max(1, unit[3])]:
            self.trash[self.units.pop(id_)[1]] += 1
            fired.append("lethal-damage-kills")
        for id_, place in self.battlefields.items():
            if place[1] is not None and id_ != self.showdown and not self.is_at(id_, place[1]):
                place[1] = None
                fired.append("control-lost-without-units")
        for id_, place in self.battlefields.items():
            if place[2] is not None and id_ != self.showdown and id_ not in self.staged and self.is_at(id_, place[2]):
                self.staged.append(id_)
                fired.append("contested-stages-a-showdown")
        for id_, place in self.battlefields.items():
            if place[2] is not None and id_ != self.showdown and not self.is_at(id_, place[2]):
                place[2] = None
                fired.append("contested-ends-with-its-applier-gone")
        if self.showdown is None and self.staged:
            self.showdown = self.staged.pop(0)
            fired.append("turn-player-opens-a-showdown")
        return len(fired) > start

    def close(self, at: str) -> None:
        place = self.battlefields[at]
        there = {unit[1] for unit in self.units.values() if unit[2] == at}
        if len(there) == 1 and place[1] not in there:
            (player,) = there
            place[1], place[2] = player, None
            self.fired += ["sole-player-left-establishes-control", "control-is-established"]
            if (player, at) not in self.scored:
                self.score(player, at)
        self.showdown = None
        self.fired.append("a-showdown-closes")
        self.cleanup()

    def score(self, player: str, at: str) -> None:
        assert self.points[player] < VICTORY - 1
        self.scored.add((player, at))
        self.points[player] += 1
        self.fired += [
            "conquer",
            "a-score-is-recorded",
            "a-conquer-gains-a-point",
            "points-are-shared-by-a-team",
            "gained-points-are-announced",
            "a-conquer-is-announced",
        ]

    def outcome(self) -> Outcome:
        return Outcome(
            tuple(Unit(*unit) for unit in self.units.values()),
            tuple(Battlefield(*place) for place in self.battlefields.values()),
            tuple(self.points.values()),
            tuple(self.trash.values()),
            tuple(sorted(self.scored)),
            tuple(self.fired),
        )

    def close_session(self) -> None:
        """Nothing is held."""
