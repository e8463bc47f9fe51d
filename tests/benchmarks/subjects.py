"""Who is measured: each by a name, and what makes one from a board."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any, Protocol

from tests.benchmarks.boards import Board, Outcome
from tests.benchmarks.by_hand import ByHand
from tests.benchmarks.on_riftrules import OnRiftrules

NETWORK, DEMAND, REFERENCE = "network", "demand", "reference"
CLIPS, CLIPS_BLIND, EXPERTA, BY_HAND = "CLIPS", "CLIPS, nothing read back", "experta", "by hand"


class Subject(Protocol):
    """One board in play."""

    def reset(self) -> None: ...
    def decide(self) -> None: ...
    def cleanup(self) -> None: ...
    def outcome(self) -> Outcome: ...
    def close_session(self) -> None: ...


def _on_clips(board: Board, *, reads: bool) -> Subject:
    from tests.benchmarks.on_clips import OnClips

    return OnClips(board, reads=reads)


def _on_experta(board: Board) -> Subject:
    from tests.benchmarks.on_experta import OnExperta

    return OnExperta(board)


MAKERS: dict[str, Callable[[Board], Any]] = {
    NETWORK: lambda board: OnRiftrules(board, "network"),
    DEMAND: lambda board: OnRiftrules(board, "demand"),
    REFERENCE: lambda board: OnRiftrules(board, "reference"),
    CLIPS: lambda board: _on_clips(board, reads=True),
    CLIPS_BLIND: lambda board: _on_clips(board, reads=False),
    EXPERTA: _on_experta,
    BY_HAND: ByHand,
}
NEEDS = {CLIPS: "clips", CLIPS_BLIND: "clips", EXPERTA: "experta"}


def installed() -> Sequence[str]:
    """The names of those that can be measured here."""
    return [name for name in MAKERS if name not in NEEDS or find_spec(NEEDS[name]) is not None]
