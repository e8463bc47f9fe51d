"""Who joins the standing patterns of rules ahead of time: the protocol, and the matcher that leaves it to the rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from riftrules.facts.differences import Difference


class Matcher(Protocol):
    """Keeps up with working memory."""

    def update(self, differences: Sequence[Difference]) -> None:
        """Working memory differs by this, in this order."""
        ...

    def close(self) -> None:
        """The session is over."""
        ...


class DemandMatcher:
    """Nothing is joined ahead of time: a rule that is looked at finds its facts by lookups on the board."""

    def update(self, differences: Sequence[Difference]) -> None:
        """Nothing: the board is looked at when it is wanted."""

    def close(self) -> None:
        """Nothing is held."""
