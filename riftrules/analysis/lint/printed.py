"""`unused-citation`: printed rules of the index that nothing holds."""

from __future__ import annotations

from collections.abc import Iterator

from riftrules.analysis.lint.material import Material, doubt
from riftrules.errors import Problem

OUT_OF_SCOPE = "out of scope"


def unused_numbers(material: Material) -> Iterator[Problem]:
    """`unused-citation`: a number that no rule, procedure, step, definition or invariant cites and nothing is said to hold."""
    ruleset = material.ruleset
    citing = (
        ruleset.rules,
        ruleset.procedures.values(),
        ruleset.steps.values(),
        ruleset.definitions.values(),
        ruleset.invariants,
    )
    cited = {number for group in citing for one in group for number in one.cites}
    for number, printed in ruleset.rulebook.items():
        if number not in cited and not printed.held and printed.status != OUT_OF_SCOPE:
            hint = "cite it where it is held, say what holds it under `held`, or `status: out of scope` with a `reason`"
            yield doubt(printed.place, "unused-citation", f"nothing holds the printed rule {number}", hint)
