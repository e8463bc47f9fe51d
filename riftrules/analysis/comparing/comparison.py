"""What came of comparing two rulesets over all scenarios: whose outcome differs, and which edit is responsible."""

from __future__ import annotations

from dataclasses import dataclass

from riftrules.analysis.comparing.edits import Edit
from riftrules.analysis.comparing.mixing import Revision
from riftrules.analysis.comparing.outcomes import Divergence
from riftrules.errors import Place, Problem


@dataclass(frozen=True, slots=True)
class Blame:
    """What an edit has to do with a difference.

    `alone`: made alone it changes this outcome; `whole`: alone it gives the new outcome; `needed`: left out, it is not
    the new outcome; `back`: left out, the old outcome comes back. `together` are the edits it could not be tried without.
    """

    edit: Edit
    alone: bool
    whole: bool
    needed: bool
    back: bool
    together: tuple[Edit, ...] = ()

    @property
    def said(self) -> str:
        """The part it plays, in a few words."""
        if self.whole:
            return "alone responsible" if self.back else "enough, but not the only cause"
        if self.alone:
            return "part of the difference" if self.needed else "changes it too, but not beside the others"
        return "necessary, with others" if self.back else "part of the difference, with others"


@dataclass(frozen=True, slots=True)
class Case:
    """A scenario with two outcomes, and the edits responsible."""

    divergence: Divergence
    blames: tuple[Blame, ...] = ()


@dataclass(frozen=True, slots=True)
class OneSided:
    """A scenario that can be read under one ruleset only, the `old` or the `new`: the problems under the other."""

    scenario: str
    place: Place
    readable: str
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a change of the rules changes. `played` scenarios were compared; of them `spared` could not be affected."""

    revision: Revision
    cases: tuple[Case, ...] = ()
    one_sided: tuple[OneSided, ...] = ()
    unreadable: tuple[Problem, ...] = ()
    played: int = 0
    spared: int = 0

    @property
    def differs(self) -> bool:
        """Whether there is any edit at all."""
        return bool(self.revision.edits)
