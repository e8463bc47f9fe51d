"""What fired for a request before it was undone, because no rule accepted it: nothing of it is in the trace."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from riftrules.errors import RunError
from riftrules.facts.trace import Firing, Refusal
from riftrules.facts.types import Call
from riftrules.scenario.session import Session

UNACCEPTED = "no rule accepts it"


def undone_firings(session: Session, refusal: Refusal) -> tuple[Firing, ...]:
    """What fired before the request was undone, where that is why it was refused; the session stays as it is.

    The procedure of the request is begun again, as what a rule may begin: that asks nobody and is accepted in any case.
    """
    if refusal.reason != UNACCEPTED:
        return ()
    mark, before = session.mark(), sum(1 for _ in session.trace.firings())
    try:
        session.begin((Call(refusal.procedure, refusal.fields),))
        fired = list(session.trace.firings())[before:]
        return tuple(_within(fired, refusal.procedure))
    except (RunError, ValueError):
        return ()
    finally:
        session.undo(mark)


def _within(firings: Sequence[Firing], procedure: str) -> Iterator[Firing]:
    """The firings up to the last one in a frame of the procedure, or in what has begun there."""
    frames: set[str] = set()
    last = 0
    for number, firing in enumerate(firings, 1):
        if firing.frame in frames or firing.frame.rpartition("-")[0] == procedure:
            frames.update(firing.begun)
            last = number
    yield from firings[:last]
