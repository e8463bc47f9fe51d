"""How a request is refused, held against how it should have been."""

from __future__ import annotations

from riftrules.facts.trace import Refusal
from riftrules.scenario.model import Refusing
from riftrules.scenario.words import listed


def as_expected(refusal: Refusal, expected: Refusing) -> bool:
    """Whether a request was refused as it is written."""
    rules = [one.rule for one in refusal.rules]
    cites = [number for one in refusal.rules for number in one.cites]
    return (
        (expected.rule is None or expected.rule in rules)
        and (expected.rules is None or sorted(expected.rules) == sorted(rules))
        and (expected.cites is None or expected.cites in cites)
        and (expected.reason is None or expected.reason in refusal.reason)
    )


def said_refusing(expected: Refusing) -> str:
    """How a request should have been refused."""
    by = [f"`{expected.rule}`"] if expected.rule else []
    by += [f"exactly {listed(expected.rules)}"] if expected.rules is not None else []
    by += [f"a rule that cites {expected.cites}"] if expected.cites else []
    said_by = f"refused by {', '.join(by)}" if by else "refused"
    return f"{said_by}: {expected.reason}" if expected.reason else said_by
