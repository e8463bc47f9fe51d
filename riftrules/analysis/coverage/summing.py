"""What a whole set of scenarios reaches of a ruleset: shares, and by name and place what is left."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from riftrules.analysis.coverage.effects import doings
from riftrules.analysis.coverage.measuring import Measure, Reached
from riftrules.analysis.coverage.reasons import Reasons
from riftrules.analysis.coverage.spots import BOTH, FAILED, HELD
from riftrules.errors import Place
from riftrules.language.model import Ruleset

KINDS = ("fired", "withheld", "conditions", "consequents", "steps", "pairs")
ALL = ("fired", "withheld", "conditions", "consequents", "steps")
"""What a threshold without a name is for: pairs are told, not asked for."""


@dataclass(frozen=True, slots=True)
class Missing:
    """One thing that no scenario reaches: what it is, what of it is missing, and the reason where one is listed."""

    place: Place
    text: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Share:
    """How much of one kind is reached. What is left for a listed reason counts as reached."""

    kind: str
    total: int
    missing: tuple[Missing, ...] = ()

    @property
    def open(self) -> tuple[Missing, ...]:
        """What is left without a reason."""
        return tuple(one for one in self.missing if not one.reason)

    @property
    def percent(self) -> float:
        """The share reached, of what can be."""
        return 100.0 if not self.total else 100.0 * (self.total - len(self.open)) / self.total


@dataclass(frozen=True, slots=True)
class Coverage:
    """What scenarios reach of one ruleset. `stale` are the reasons listed for what is reached, or is not there."""

    ruleset: Ruleset
    shares: tuple[Share, ...]
    scenarios: tuple[Reached, ...]
    stale: tuple[Missing, ...] = ()

    def share(self, kind: str) -> Share:
        """The share of one kind."""
        return next(one for one in self.shares if one.kind == kind)


def coverage(measure: Measure, reached: Sequence[Reached], reasons: Reasons | None = None) -> Coverage:
    """Sum up what scenarios have reached."""
    told = reasons or Reasons()
    shares = (
        _fired(measure, reached),
        _withheld(measure, reached, told),
        _conditions(measure, reached, told),
        _consequents(measure, reached),
        _steps(measure, reached),
        _pairs(measure, reached),
    )
    sides = all_sides(measure, reached)
    withheld = {name for one in reached for name in one.withheld}
    undecided = (spot for number, spot in enumerate(measure.asker.spots) if sides[number] != BOTH)
    stale = tuple(told.stale(undecided, (rule.id for rule in measure.ruleset.rules if rule.id not in withheld)))
    return Coverage(measure.ruleset, shares, tuple(reached), tuple(Missing(place, text) for place, text in stale))


def all_sides(measure: Measure, reached: Iterable[Reached]) -> bytes:
    """The sides of each condition that any of the scenarios has seen."""
    sides = bytearray(len(measure.asker.spots))
    for one in reached:
        for number, side in enumerate(one.sides):
            sides[number] |= side
    return bytes(sides)


def _fired(measure: Measure, reached: Iterable[Reached]) -> Share:
    fired = {name for one in reached for name in one.fired}
    missing = (Missing(rule.place, f"rule `{rule.id}` has never fired") for rule in measure.ruleset.rules if rule.id not in fired)
    return Share("fired", len(measure.ruleset.rules), tuple(missing))


def _withheld(measure: Measure, reached: Iterable[Reached], told: Reasons) -> Share:
    """A rule that cannot be withheld, for nothing in it can fail, needs not have been."""
    withheld = {name for one in reached for name in one.withheld}
    missing = []
    for rule in measure.ruleset.rules:
        if rule.id not in withheld:
            spots = [spot for spot in measure.asker.spots if spot.holder == f"rule {rule.id}"]
            sure = all(told.of(spot) for spot in spots)
            reason = told.of_rule(rule.id) or ("nothing in it can fail" if sure else "")
            missing.append(Missing(rule.place, f"rule `{rule.id}` has never been withheld", reason))
    return Share("withheld", len(measure.ruleset.rules), tuple(missing))


def _conditions(measure: Measure, reached: Iterable[Reached], reasons: Reasons) -> Share:
    sides = all_sides(measure, reached)
    left = [(spot, sides[number]) for number, spot in enumerate(measure.asker.spots) if sides[number] != BOTH]
    missing = tuple(Missing(spot.place, f"{spot.holder}: `{spot.text}` {_lacks(side)}", reasons.of(spot)) for spot, side in left)
    return Share("conditions", len(measure.asker.spots), missing)


def _lacks(side: int) -> str:
    if side == HELD:
        return "has never failed alone"
    return "has never held" if side == FAILED else "has never decided anything"


def _consequents(measure: Measure, reached: Iterable[Reached]) -> Share:
    done = {key for one in reached for key in one.consequents}
    every = tuple(doings(measure.ruleset))
    left = (one for one in every if one.key not in done)
    missing = (Missing(one.place, f"rule {one.key[0]}: `{one.text}` has never changed anything") for one in left)
    return Share("consequents", len(every), tuple(missing))


def _steps(measure: Measure, reached: Iterable[Reached]) -> Share:
    visited = {key for one in reached for key in one.steps}
    every = [(procedure, step) for procedure in measure.ruleset.procedures.values() for step in procedure.steps]
    listed = [(procedure, step) for procedure, step in every if step not in measure.ruleset.procedures]
    missing = (
        Missing(procedure.place, f"step `{step}` of procedure `{procedure.name}` has never been visited")
        for procedure, step in listed
        if (procedure.name, step) not in visited
    )
    return Share("steps", len(listed), tuple(missing))


def _pairs(measure: Measure, reached: Iterable[Reached]) -> Share:
    met = {pair for one in reached for pair in one.pairs}
    possible = sorted(measure.pairs.possible())
    places = {rule.id: rule.place for rule in measure.ruleset.rules}
    left = (pair for pair in possible if pair not in met)
    missing = (Missing(places[reader], f"rule `{reader}` has never acted on what `{writer}` did") for writer, reader in left)
    return Share("pairs", len(possible), tuple(missing))


def only_here(reached: Sequence[Reached]) -> Iterator[tuple[Reached, int]]:
    """For each scenario how many sides of conditions, rules and consequents it alone reaches."""
    counts: dict[object, int] = {}
    things = [tuple(_things(one)) for one in reached]
    for one in things:
        for thing in one:
            counts[thing] = counts.get(thing, 0) + 1
    for scenario, one in zip(reached, things, strict=True):
        yield scenario, sum(1 for thing in one if counts[thing] == 1)


def _things(reached: Reached) -> Iterator[object]:
    yield from (("fired", name) for name in reached.fired)
    yield from (("withheld", name) for name in reached.withheld)
    yield from reached.consequents
    for number, side in enumerate(reached.sides):
        yield from ((number, one) for one in (HELD, FAILED) if side & one)


def unmet(found: Coverage, wanted: Mapping[str, float]) -> tuple[Share, ...]:
    """The shares that are less than wanted."""
    return tuple(share for share in found.shares if share.percent < wanted.get(share.kind, 0.0))
