"""Procedures and their steps made ready to run: the rules of each step, and what is known of them beforehand."""

from __future__ import annotations

from dataclasses import dataclass, field

from riftrules.engine.productions import Production

MOST_KEPT = 512
"""So many sets of rules of one step are kept in order."""


@dataclass(frozen=True, slots=True, eq=False)
class StepPlan:
    """A step as one procedure lists it.

    `productions` are its rules, the highest first, `mask` is the bits of them all; `sensitive` are those (asking ones
    included) whose verdict hangs on which frame runs, of any procedure that lists the step, and `changing` is their
    bits. A step that is a procedure has its name in `begins`. `stops` is whether something may come of it although none
    of its rules fires: it is a procedure, or asks. `kept` is what has been asked for of late.
    """

    name: str
    begins: str
    together: bool
    productions: tuple[Production, ...]
    asks: tuple[Production, ...]
    sensitive: tuple[Production, ...]
    mask: int
    changing: int
    stops: bool
    kept: dict[int, tuple[Production, ...]] = field(default_factory=dict)

    def among(self, bits: int) -> tuple[Production, ...]:
        """The rules of the step among these bits, the highest first."""
        found = self.kept.get(bits)
        if found is None:
            if len(self.kept) >= MOST_KEPT:
                self.kept.clear()
            found = self.kept[bits] = tuple(one for one in self.productions if one.mask & bits)
        return found


def step_plan(
    name: str,
    *,
    begins: str = "",
    together: bool = False,
    productions: tuple[Production, ...] = (),
    asks: tuple[Production, ...] = (),
    sensitive: tuple[Production, ...] = (),
) -> StepPlan:
    """The plan of a step, with what follows from its rules."""
    return StepPlan(
        name=name,
        begins=begins,
        together=together,
        productions=productions,
        asks=asks,
        sensitive=sensitive,
        mask=sum(one.mask for one in productions),
        changing=sum(one.mask for one in sensitive),
        stops=bool(begins or asks),
    )


@dataclass(frozen=True, slots=True, eq=False)
class Routine:
    """A procedure with its steps compiled."""

    name: str
    steps: tuple[StepPlan, ...]
    until_stable: bool
    yields: bool
    request: bool
    then: str
