"""What a proof finds, as values that can be written down and read again."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias

Trail: TypeAlias = tuple[int, ...]
"""The way to a state: at each state before it, which of the steps that are tried there was done, from 0."""

KINDS = ("termination", "failure", "confluence", "invariant", "agreement")


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that should not be, with the shortest way to it.

    kind: `termination` (a run does not end), `failure` (a rule cannot be carried out), `confluence` (two orders give two
    boards: at the decision `tie` of the last step, the alternative `other` instead of the first), `invariant` (one is
    violated) or `agreement` (engine and reference differ). `about` are the rules or the invariant concerned; two findings
    of one kind about the same are one.
    """

    kind: str
    about: tuple[str, ...]
    message: str
    board: int
    trail: Trail
    tie: int = -1
    other: int = 0

    @property
    def key(self) -> tuple[str, tuple[str, ...]]:
        """What makes it the same finding elsewhere."""
        return self.kind, self.about


@dataclass(frozen=True, slots=True)
class Node:
    """A state to go on from, by the way to it; `number` is its fingerprint."""

    board: int
    trail: Trail
    number: int


@dataclass(frozen=True, slots=True)
class Batch:
    """States to go on from, and which weakened invariants have no witness yet."""

    nodes: tuple[Node, ...]
    unwitnessed: tuple[int, ...]


@dataclass(slots=True)
class Expanded:
    """What came of going on from the states of a batch.

    `successors` are, for each of them, the (fingerprint, step) of those states that were not met earlier in the batch.
    """

    successors: list[list[tuple[int, int]]] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    witnesses: dict[int, tuple[int, Trail]] = field(default_factory=dict)
    fired: set[str] = field(default_factory=set)
    transitions: int = 0
    refused: int = 0
    ties: int = 0
    orders: int = 0
    longest: int = 0
    compared: int = 0

    def as_data(self) -> dict[str, Any]:
        """As plain data for JSON."""
        return {
            "successors": self.successors,
            "findings": [
                [one.kind, list(one.about), one.message, one.board, list(one.trail), one.tie, one.other] for one in self.findings
            ],
            "witnesses": [[place, board, list(trail)] for place, (board, trail) in sorted(self.witnesses.items())],
            "fired": sorted(self.fired),
            "counts": [self.transitions, self.refused, self.ties, self.orders, self.longest, self.compared],
        }


def expanded_from(data: Any) -> Expanded:
    """The inverse of `as_data`."""
    return Expanded(
        [[(number, step) for number, step in one] for one in data["successors"]],
        [
            Finding(kind, tuple(about), message, board, tuple(trail), tie, other)
            for kind, about, message, board, trail, tie, other in data["findings"]
        ],
        {place: (board, tuple(trail)) for place, board, trail in data["witnesses"]},
        set(data["fired"]),
        *data["counts"],
    )
