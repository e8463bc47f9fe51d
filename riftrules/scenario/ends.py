"""The verdicts on scenarios, as far as they need no look at the board."""

from __future__ import annotations

from dataclasses import replace

from riftrules.errors import RunError
from riftrules.scenario.model import Scenario, Verdict
from riftrules.scenario.session import Session
from riftrules.scenario.words import said, said_firing

LAST_FIRINGS = 10


def verdict_of(scenario: Scenario, status: str) -> Verdict:
    """A verdict of which nothing more is known yet."""
    return Verdict(scenario.name, scenario.place, status, scenario.id, scenario.cites)


def unfinished(scenario: Scenario, reason: str, session: Session | None, tried: tuple[str, ...]) -> Verdict:
    """The verdict on a run that could not finish, with the last that fired."""
    firings = list(session.trace.firings()) if session else []
    last = tuple(said_firing(firing) for firing in firings[-LAST_FIRINGS:])
    return replace(verdict_of(scenario, "error"), reason=reason, details=(*tried, *last), firings=len(firings))


def tried_rule(error: RunError) -> tuple[str, ...]:
    """The rule that was tried, with its bindings."""
    if not error.rule:
        return ()
    bound = ", ".join(f"${name} = {said(value)}" for name, value in error.bindings)
    return (f"tried: {error.rule}" + (f" with {bound}" if bound else ""),)
