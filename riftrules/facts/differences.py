"""What writes of working memory make different: those who keep up with it look at nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from riftrules.facts.memory import Fact, Write

Difference: TypeAlias = tuple[str, str, Fact | None, Fact | None, tuple[str, ...]]
"""(template, id, before, after, fields): a fact that has come or gone, or has other values in `fields`."""


def differences(writes: Iterable[Write]) -> list[Difference]:
    """What each write makes different, in order; nothing where a fact is written as it was."""
    return [write[:5] for write in writes if write.fields or (write.before is None) is not (write.after is None)]


def undone(writes: Iterable[Write]) -> list[Difference]:
    """What taking these writes back makes different, the last first."""
    return [(template, id_, after, before, fields) for template, id_, before, after, fields in reversed(differences(writes))]
