"""The decision on CLIPS, through clipspy: only the rules it needs, native negation, state and trace read back or not."""

from __future__ import annotations

from pathlib import Path

import clips

from tests.benchmarks.boards import BATTLEFIELDS, PLAYERS, Battlefield, Board, Outcome, Unit

TRUTH = {True: clips.Symbol("TRUE"), False: clips.Symbol("FALSE")}
NONE = clips.Symbol("none")
RULES = Path(__file__).with_name("teaching.clp")


def environment(extra: str = "") -> clips.Environment:
    """The rules built, and `extra` ones."""
    built = clips.Environment()
    built.load(str(RULES))
    for rule in extra.split("\n\n"):
        if rule:
            built.build(rule)
    return built


def inert(number: int) -> str:
    """A rule of the cleanup that never applies."""
    return (
        f"(defrule inert-{number} (step (name control-loss)) (battlefield (id ?bf) (controller card-{number}))"
        " (unit (at ?bf) (controller ?p) (exhausted TRUE)) (not (unit (at ?bf) (damage 0)))"
        f" => (fires inert-{number}))"
    )


class OnClips:
    """One environment; `reset` asserts the board anew. `reads` is whether a decision reads board and trace back."""

    def __init__(self, board: Board, *, reads: bool = True, built: clips.Environment | None = None) -> None:
        self.board = board
        self.reads = reads
        self.environment = built or environment()
        self.templates = {one.name: one for one in self.environment.templates()}
        self.reset()

    def reset(self) -> None:
        self.environment.reset()
        self.environment.eval("(bind ?*fired* (create$))")
        for unit in self.board.units:
            self._add("unit", **{**unit._asdict(), "exhausted": TRUTH[unit.exhausted]})
        for place in self.board.battlefields:
            self._add("battlefield", id=place.id, controller=place.controller or NONE, contested_by=NONE)
        for name, other, points in zip(PLAYERS, reversed(PLAYERS), self.board.points, strict=True):
            self._add("player", id=name, points=points, trash=0, next=other)
        self.environment.run()

    def _add(self, template: str, **values: object) -> None:
        symbols = {
            name: clips.Symbol(value) if isinstance(value, str) and not isinstance(value, clips.Symbol) else value
            for name, value in values.items()
        }
        self.templates[template].assert_fact(**symbols)

    def decide(self) -> None:
        """The units move, both players pass."""
        self._add("move", by="P1", units=[clips.Symbol(one) for one in self.board.movers], to=self.board.to)
        self.environment.run()
        for player in PLAYERS:
            self._add("pass", by=player)
            self.environment.run()
        if self.reads:
            self.read = self.outcome()

    def cleanup(self) -> None:
        self._add("step", name="win-check")
        self.environment.run()

    def outcome(self) -> Outcome:
        facts: dict[str, dict[str, dict[str, object]]] = {"unit": {}, "battlefield": {}, "player": {}}
        scored = []
        for fact in self.environment.facts():
            name = fact.template.name
            if name in facts:
                values = dict(fact)
                facts[name][str(values["id"])] = values
            elif name == "scored":
                scored.append((str(fact["by"]), str(fact["at"])))
        units, places, players = facts["unit"], facts["battlefield"], facts["player"]
        return Outcome(
            tuple(_unit(units[one.id]) for one in self.board.units if one.id in units),
            tuple(_battlefield(places[name]) for name in BATTLEFIELDS),
            tuple(players[name]["points"] for name in PLAYERS),  # type: ignore[misc]
            tuple(players[name]["trash"] for name in PLAYERS),  # type: ignore[misc]
            tuple(sorted(scored)),
            tuple(str(rule) for rule in self.environment.eval("?*fired*")),
        )

    def close_session(self) -> None:
        """Nothing is held."""


def _unit(values: dict[str, object]) -> Unit:
    return Unit(
        str(values["id"]),
        str(values["controller"]),
        str(values["at"]),
        values["might"],  # type: ignore[arg-type]
        values["damage"],  # type: ignore[arg-type]
        str(values["exhausted"]) == "TRUE",
    )


def _battlefield(values: dict[str, object]) -> Battlefield:
    return Battlefield(*(None if values[name] == "none" else str(values[name]) for name in Battlefield._fields))
