"""A player that does anything it may, by a seed: on boards of the riftbound ruleset, with cards made up on the spot."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

from riftrules import Call, Firing, Refusal, Ruleset, Session
from riftrules.language.problems import Problems
from riftrules.scenario.board import open_board
from riftrules.scenario.opening import node_of
from riftrules.scenario.session import Opener, close
from riftrules.source import Entries

TURNS, DECISIONS, TRIES = 8, 150, 60
GIVES_UP = 0.003
ON_UNITS = [
    *("kill", "banish", "return-to-hand", "damage", "heal", "ready", "exhaust", "stun", "recall", "move-unit", "place"),
    *("give-might", "gain-control", "play-unit"),
]
ON_THE_REST = [
    *("draw", "mill", "burn-out", "channel", "gain-point", "lose-point", "deny-points", "attach", "detach"),
    *("create-battlefield", "replace-battlefield", "change-victory-score"),
]
EFFECTS = [*ON_UNITS * 3, *ON_THE_REST]
POINTS_MOVE_BY = {"points-are-shared-by-a-team", "points-are-lost"}
CARDS = ["Toll Bridge", "Watchtower", "Whispering Archive", "Forbidden Summit", "The Arena's Greatest", "Abandoned Hall"]
KEYWORDS = ["tank", "backline", "ganking", "temporary"]


def board(rng: Random, ruleset: Ruleset, mode: str) -> dict[str, Any]:
    """A board as play could have left it: who has units at a battlefield controls it."""
    settings = ruleset.modes[mode]
    seats = [f"P{number}" for number in range(1, settings.get("players", 2) + 1)]
    places = ["A", "B", "C"][: settings.get("battlefields", 2)]
    holders: dict[str, str | None] = {place: rng.choice([*seats, None]) for place in places}
    units = dict(_units(rng, seats, holders))
    return {
        "players": dict(_players(rng, seats, teams=mode == "2v2")),
        "turn": {"player": rng.choice(seats), "phase": "main"},
        "battlefields": {
            place: {"controller": holders[place], "name": rng.choice([place, *CARDS]), "contributor": rng.choice(seats)}
            for place in places
        },
        "units": units,
        "abilities": [_ability(rng, unit, seats) for unit in units if rng.random() < 0.3],
        "auras": [{"from": one, "to": other, "amount": 1} for one, other in zip(units, list(units)[1:], strict=False)][:1],
        "hidden-cards": [
            {"controller": holder, "at": place} for place, holder in holders.items() if holder and rng.random() < 0.3
        ],
        "gears": [{"controller": seats[0], "at": "base"}],
        "stack": [{"game-turn": {}, "step": "main"}],
    }


def _players(rng: Random, seats: list[str], *, teams: bool) -> Iterator[tuple[str, dict[str, Any]]]:
    points: dict[str, int] = {}
    for number, seat in enumerate(seats):
        team = ("red", "blue")[number % 2] if teams else seat
        yield (
            seat,
            {
                "team": team,
                "points": points.setdefault(team, rng.choice([0, 0, 2, 4, 6])),
                "hand": rng.randint(0, 6),
                "deck": rng.choice([0, 2, 6, 20, 20, 20]),
                "trash": rng.choice([0, 2, 6]),
            },
        )


def _units(rng: Random, seats: list[str], holders: dict[str, str | None]) -> Iterator[tuple[str, dict[str, Any]]]:
    number = 0
    for seat in seats:
        own = [place for place, holder in holders.items() if holder == seat]
        for place in [*own, *["base"] * rng.randint(1, 4)]:
            number += 1
            might = rng.choice([0, 1, 1, 2, 3, 4])
            yield (
                f"u{number}",
                {
                    "controller": seat,
                    "at": place,
                    "might": might,
                    "damage": rng.randint(0, max(might - 1, 0)),
                    "exhausted": rng.random() < 0.2,
                    "assault": rng.choice([0, 0, 0, 1]),
                    "shield": rng.choice([0, 0, 0, 1]),
                    "keywords": [word for word in KEYWORDS if rng.random() < 0.15],
                },
            )


def _ability(rng: Random, unit: str, seats: list[str]) -> dict[str, Any]:
    does = rng.choice(
        [
            {"draw": {"player": rng.choice(seats)}},
            {"recall": {"unit": unit}},
            {"ready": {"unit": unit}},
            {"place": {"unit": unit, "at": "A"}},
            {"damage": {"unit": unit, "amount": 1}},
            {"gain-point": {"player": rng.choice(seats)}},
        ]
    )
    return {"of": unit, "on": rng.choice(["attack", "defend", "conquer", "hold", "death", "move"]), "does": [does]}


@dataclass(slots=True)
class Game:
    """One game. `script` is what was done, as it could be repeated."""

    ruleset: Ruleset
    seed: int
    mode: str
    opens: Opener
    decisions: int = DECISIONS
    given: dict[str, Any] = field(init=False)
    rng: Random = field(init=False)
    session: Session = field(init=False)
    script: list[tuple[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rng = Random(self.seed)
        self.given = board(self.rng, self.ruleset, self.mode)
        problems, node = Problems(), node_of(self.given, "given")
        assert isinstance(node, Entries)
        opened = open_board((node,), self.ruleset, self.mode, problems)
        assert not problems.errors
        self.session = self.opens(self.ruleset, opened.facts, opened.stack)

    def close(self) -> None:
        """Give back what the session holds."""
        close(self.session)

    def play(self) -> Iterator[None]:
        """Decide until the game is over or its bound is reached; the caller looks after each decision."""
        self.session.settle()
        yield
        for _ in range(self.decisions):
            waiting = self.session.waiting
            if waiting.kind == "over" or self.turn() > TURNS:
                return
            if waiting.choice is not None:
                options = [*waiting.choice.options, *([None] if waiting.choice.optional else [])]
                self._choose(self.rng.choice(options))
            else:
                self._request()
            yield

    def turn(self) -> int:
        """How many turns there have been."""
        turn = self.session.memory.get("turn", "turn")
        return turn.values["number"] if turn is not None else 0

    def ids(self, template: str) -> list[str]:
        """What there is of a kind."""
        return [fact.id for fact in self.session.memory if fact.template == template]

    # -------------------------------------------------------------------------------------------- decisions

    def _choose(self, option: Any) -> None:
        self.script.append(("choose", option))
        self.session.choose(option)

    def _request(self) -> None:
        """One request that is accepted. Where none is found by trying, there must still be one."""
        for _ in range(TRIES):
            name, fields = self._proposal()
            if self._ask(name, fields):
                return
        for name, fields in self.session.legal():  # type: ignore[attr-defined]
            if name not in {"concede", "play"} and self._ask(name, fields):
                return
        message = f"{self.mode}, seed {self.seed}: nobody can do anything, but {self.session.waiting} waits"
        raise AssertionError(message)

    def _ask(self, name: str, fields: dict[str, Any]) -> bool:
        answer = self.session.request(name, fields)
        if isinstance(answer, Refusal):
            return False
        self.script.append((name, fields))
        return True

    def _proposal(self) -> tuple[str, dict[str, Any]]:
        rng, waiting = self.rng, self.session.waiting
        requests = [name for ask in waiting.asks for name in ask.requests]
        if not requests:
            requests = [name for name, procedure in self.ruleset.procedures.items() if procedure.request]
        if "concede" in requests and rng.random() < GIVES_UP:
            return "concede", {}
        others = [name for name in requests if name != "concede"]
        name = rng.choice([*others, *[name for name in others if name in {"move", "pass"}] * 2])
        return name, dict(self._fields(name))

    def _fields(self, name: str) -> Iterable[tuple[str, Any]]:
        rng = self.rng
        places = self.ids("battlefield")
        match name:
            case "move":
                units = self.ids("unit")
                yield "units", tuple(rng.sample(units, min(len(units), rng.choice([1, 1, 2, 3]))))
                yield "to", rng.choice([*places, *places, "base"])
            case "assign":
                yield "amounts", self._amounts()
            case "hide":
                yield "at", rng.choice(places)
            case "play":
                yield from self._card(places)

    def _card(self, places: list[str]) -> Iterable[tuple[str, Any]]:
        rng = self.rng
        kind = rng.choice(["spell", "spell", "unit", "gear"])
        yield "kind", kind
        hidden = self.ids("hidden-card")
        if hidden and rng.random() < 0.3:
            yield "hidden", rng.choice(hidden)
        if kind == "spell":
            yield "calls", tuple(call for _ in range(rng.choice([1, 1, 2])) if (call := self._effect()) is not None)
        else:
            yield "at", rng.choice([*places, "base"])
            yield "might", rng.randint(0, 4)

    def _effect(self) -> Call | None:
        """A procedure with fields, each of them something there is."""
        name = self.rng.choice(EFFECTS)
        given = []
        for one, kind in self.ruleset.templates[name].fields.items():
            if one in {"burnt", "repeated", "through", "changed", "until", "keywords"}:
                continue
            value = self._value(one, kind.type)
            if value is None:
                return None
            given.append((one, value))
        return Call(name, tuple(given))

    def _value(self, name: str, kind: Any) -> Any:
        rng = self.rng
        match type(kind).__name__:
            case "RefType":
                known = [*self.ids(kind.template), *sorted(kind.words)]
                return rng.choice(known) if known else None
            case "IntType":
                return rng.randint(7, 11) if name == "to" else rng.randint(-2, 2) if kind.min is None else rng.randint(0, 3)
            case "BoolType":
                return rng.random() < 0.5
        return rng.choice(CARDS)

    def _amounts(self) -> tuple[tuple[str, int], ...]:
        """A spread of the damage that is asked for, whole units first as the rules want it, but in any order."""
        fight = next(fact for fact in self.session.memory if fact.template == "engagement")
        by = self.session.waiting.asks[0].player
        left = fight.values["attack" if fight.values["attacker"] == by else "defence"]
        targets = [
            fact.id
            for fact in self.session.memory
            if fact.template == "unit" and fact.values["at"] == fight.values["at"] and fact.values["controller"] != by
        ]
        self.rng.shuffle(targets)
        spread: dict[str, int] = {}
        for target in targets:
            missing = self.session.read("unit", target, "missing")
            spread[target] = min(left, missing)
            left -= spread[target]
        if targets and left:
            spread[targets[-1]] += left
        return tuple((target, amount) for target, amount in sorted(spread.items()) if amount)


# ------------------------------------------------------------------------------------------------ what must hold


def faults(game: Game, seen: int) -> list[str]:
    """What is wrong now: invariants that are violated, and points that moved by no rule for it since entry `seen`."""
    found = [f"{broken.rule} of {dict(broken.bindings)}" for broken in game.session.violations()]
    found += _restless(game)
    for entry in game.session.trace.entries[seen:]:
        if isinstance(entry, Firing) and entry.rule not in POINTS_MOVE_BY:
            found += [
                f"points of {change.fact.id} moved by {entry.rule}"
                for change in entry.changes
                if change.fact.template == "player" and change.before and change.after and _points(change)
            ]
    return found


def _restless(game: Game) -> Iterator[str]:
    """What play never leaves behind while nothing is going on, though a board may be given so."""
    if any(game.ids(template) for template in ("engagement", "chain", "cleanup", "outcome")):
        return
    yield from (f"{what} is staged and nothing stops it" for what in game.ids("staged"))
    facts = {fact.id: fact.values for fact in game.session.memory if fact.template == "battlefield"}
    for unit in game.ids("unit"):
        at, by = (game.session.read("unit", unit, name) for name in ("at", "controller"))
        if at in facts and facts[at]["controller"] != by:
            yield f"{unit} of {by} is at {at}, which is not theirs, and nothing comes of it"


def _points(change: Any) -> bool:
    return any(name == "points" for name, _, _ in change.fields())
