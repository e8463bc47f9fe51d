"""Which edits are responsible for a difference: each is made alone, and left out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from riftrules.analysis.comparing.comparison import Blame
from riftrules.analysis.comparing.edits import Edit
from riftrules.analysis.comparing.impact import may_differ, touched
from riftrules.analysis.comparing.mixing import Revision
from riftrules.analysis.comparing.outcomes import Comparing
from riftrules.analysis.comparing.players import Players
from riftrules.analysis.comparing.reading import Both, Reader
from riftrules.language.model import Ruleset
from riftrules.scenario.model import Run

Mixture: TypeAlias = tuple[Ruleset, tuple[Edit, ...]]


@dataclass(slots=True)
class Blaming:
    """Tries the edits of one comparison. Each mixture of the two rulesets is made once."""

    revision: Revision
    reader: Reader
    players: Players
    comparing: Comparing
    mixtures: dict[Edit, tuple[Mixture | None, Mixture | None]] = field(default_factory=dict)

    def blames(self, both: Both, old: Run, new: Run) -> Iterator[Blame]:
        """The part of each edit that has one."""
        playing = self.revision.playing
        if len(playing) == 1:
            yield Blame(playing[0], alone=True, whole=True, needed=True, back=True)
            return
        for edit in playing:
            blame = self._blame(edit, both, old, new)
            if blame.alone or blame.needed:
                yield blame

    def _blame(self, edit: Edit, both: Both, old: Run, new: Run) -> Blame:
        alone, left_out = self._tried(edit)
        together = tuple(dict.fromkeys((*(alone[1] if alone else ()), *(left_out[1] if left_out else ()))))
        what, sides = touched(self.revision, (edit, *together)), (self.revision.old, self.revision.new)
        with_it = self._run(alone, both) if may_differ(old, what, sides) else old
        without = self._run(left_out, both) if may_differ(new, what, sides) else new
        same = self.comparing.same
        return Blame(
            edit,
            alone=with_it is not None and not same(old, with_it),
            whole=with_it is not None and same(with_it, new),
            needed=without is not None and not same(without, new),
            back=without is not None and same(old, without),
            together=together,
        )

    def _tried(self, edit: Edit) -> tuple[Mixture | None, Mixture | None]:
        if edit not in self.mixtures:
            self.mixtures[edit] = (self.revision.alone(edit), self.revision.without(edit))
        return self.mixtures[edit]

    def _run(self, mixture: Mixture | None, both: Both) -> Run | None:
        """The scenario on a mixture of the two rulesets; None where there is none, or it cannot be read under it."""
        one = None if mixture is None else self.reader.under(mixture[0], both)
        return None if mixture is None or one is None else self.players.play(one, mixture[0])
