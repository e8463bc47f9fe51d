"""What no scenario can decide both ways or withhold, with the reason: `undecided.yaml` among the fixtures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from riftrules.analysis.coverage.spots import Spot
from riftrules.errors import Place, Problem, ScenarioError
from riftrules.scenario.files import UNDECIDED, shown
from riftrules.source import Entries, Items, Node, Scalar, read

KEYS = {"condition", "of", "because"}


@dataclass(frozen=True, slots=True)
class Reason:
    """Why no scenario decides a condition both ways, or none withholds a rule.

    It is for the condition that reads so, in what `of` names or in all where that is empty; without a condition it is for
    the rules of `of`.
    """

    condition: str
    of: tuple[str, ...]
    because: str
    place: Place

    def is_for(self, spot: Spot) -> bool:
        """Whether this condition is meant."""
        return bool(self.condition) and spot.text == self.condition and (not self.of or spot.holder in self.of)


@dataclass(slots=True)
class Reasons:
    """What is listed for one ruleset."""

    listed: tuple[Reason, ...] = ()
    _known: dict[Spot, str] = field(default_factory=dict)

    def of(self, spot: Spot) -> str:
        """The reason listed for a condition, or an empty text."""
        if spot not in self._known:
            self._known[spot] = next((one.because for one in self.listed if one.is_for(spot)), "")
        return self._known[spot]

    def of_rule(self, rule: str) -> str:
        """The reason why a rule is never withheld, or an empty text."""
        return next((one.because for one in self.listed if not one.condition and f"rule {rule}" in one.of), "")

    def stale(self, undecided: Iterable[Spot], unwithheld: Iterable[str]) -> Iterator[tuple[Place, str]]:
        """What is listed, and where, although it names nothing that is left."""
        left, rules = tuple(undecided), {f"rule {rule}" for rule in unwithheld}
        for one in self.listed:
            if not one.condition:
                said = "is withheld in a scenario, or not there: it needs no reason"
                yield from ((one.place, f"{holder} {said}") for holder in one.of if holder not in rules)
                continue
            meant = {spot.holder for spot in left if one.is_for(spot)}
            said = "is decided both ways, or not there: it needs no reason"
            if not meant:
                yield one.place, f"`{one.condition}` {said}"
            elif one.of:
                yield from ((one.place, f"`{one.condition}` of {holder} {said}") for holder in one.of if holder not in meant)


def read_reasons(paths: Iterable[Path], ruleset: str) -> Reasons:
    """The reasons listed for a ruleset beside the fixtures. Raises ScenarioError with every problem."""
    problems: list[Problem] = []
    found: list[Reason] = []
    for path in paths:
        node, wrong = read(path, shown(path))
        problems.extend(wrong)
        if isinstance(node, Entries) and _text(node.get("ruleset")) == ruleset:
            listed = node.get(UNDECIDED)
            for item in listed.items if isinstance(listed, Items) else ():
                one = _reason(item)
                if isinstance(one, Problem):
                    problems.append(one)
                else:
                    found.append(one)
    if problems:
        raise ScenarioError(tuple(problems))
    return Reasons(tuple(found))


def _reason(node: Node) -> Reason | Problem:
    keys = set(node.keys()) if isinstance(node, Entries) else set()
    if not isinstance(node, Entries) or "because" not in keys or not keys & {"condition", "of"} or keys - KEYS:
        said = "what is undecided has the key `because`, and `condition`, `of` or both"
        return Problem(node.place, "shape", said)
    of = node.get("of")
    holders = tuple(_text(one) for one in of.items) if isinstance(of, Items) else (_text(of),) if of is not None else ()
    return Reason(_text(node.get("condition")), holders, _text(node.get("because")), node.place)


def _text(node: Node | None) -> str:
    return node.text if isinstance(node, Scalar) else ""
