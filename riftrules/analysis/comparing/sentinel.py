"""Watches a run under the old rules for a board on which an edited rule would act otherwise.

An edit of a rule's conditions matters only where the edited rule has other activations than the rule itself on a board
on which it is looked at; an edit of what it does only where it has any. A run in which that never is so is the same
under the new rules, and need not be played under them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from riftrules.analysis.comparing.bare import bare
from riftrules.analysis.comparing.impact import unseen_users, uses, using
from riftrules.analysis.comparing.mixing import Revision
from riftrules.engine.board import Board
from riftrules.engine.productions import Activation, Production, RuleCompiler
from riftrules.language.model import Rule

SEEN = {"rule", "definition"}
"""Edits of these kinds are of what rules are, and can be seen where rules are looked at."""


@dataclass(frozen=True, slots=True)
class Suspect:
    """A rule that is looked at and what becomes of it: `new` is None where it is dropped.

    With `acts` it does otherwise, or stands elsewhere, wherever it holds at all.
    """

    new: Production | None
    acts: bool


@dataclass
class Suspects:
    """The edited rules of a revision, by the rule looked at; those that are new in a step, by that step; `rules`: all."""

    rules: list[Rule] = field(default_factory=list)
    edited: dict[str, Suspect] = field(default_factory=dict)
    come: dict[str, list[Production]] = field(default_factory=dict)

    @cached_property
    def steps(self) -> frozenset[str]:
        """The steps that these rules are in."""
        return frozenset(rule.step for rule in self.rules if rule.step)


def suspects_of(revision: Revision) -> Suspects | None:
    """What to watch for; None where an edit cannot be seen where rules are looked at."""
    if any(edit.item[0] not in SEEN for edit in revision.playing):
        return None
    if unseen_users(revision, {edit.item[1] for edit in revision.playing if edit.item[0] == "definition"}):
        return None
    found = Suspects()
    compiler = RuleCompiler(revision.new)
    for old, new in _pairs(revision):
        found.rules += [rule for rule in (old, new) if rule is not None]
        if new is not None and (old is None or old.step != new.step):
            if new.kind != "step":
                return None
            found.come.setdefault(new.step, []).append(compiler.production(new, joined=False))
        if old is not None:
            gone = new is None or old.step != new.step
            found.edited[old.id] = Suspect(
                None if gone or new is None else compiler.production(new, joined=False), gone or new is None or _acts(old, new)
            )
    return found


def _pairs(revision: Revision) -> Iterable[tuple[Rule | None, Rule | None]]:
    """The rules that edits are of, or that use a definition that is edited, on either side."""
    names = {edit.item[1] for edit in revision.playing if edit.item[0] == "rule"}
    defined = {edit.item[1] for edit in revision.playing if edit.item[0] == "definition"}
    olds, news = using(revision.old, defined), using(revision.new, defined)
    for item in revision.found.items.values():
        if item.key[0] == "rule":
            old, new = item.old, item.new
            by_definition = (old is not None and uses(old) & olds) or (new is not None and uses(new) & news)
            if item.key[1] in names or by_definition:
                yield old, new


def _acts(old: Rule, new: Rule) -> bool:
    """Whether the new rule does otherwise wherever it holds: another thing, or in another order, or by another choice."""
    parts = [(rule.then, rule.choose, rule.salience, rule.kind, rule.standing, rule.singletons) for rule in (old, new)]
    return bare(parts[0]) != bare(parts[1]) or len(old.ranged) != len(new.ranged)


@dataclass(slots=True)
class Sentinel:
    """Told what is looked at in a run; `alarmed` once an edited rule would act otherwise."""

    suspects: Suspects
    alarmed: bool = False

    @property
    def wanted_steps(self) -> frozenset[str]:
        """The steps of the edited rules, where they were and where they are; none any more once it is alarmed."""
        return frozenset() if self.alarmed else self.suspects.steps

    def visit(self, procedure: str, step: str, board: Board) -> None:  # noqa: ARG002 - as it is told
        """A step is visited: rules that are new in it may hold."""
        if not self.alarmed:
            self.alarmed = any(production.matches(board) for production in self.suspects.come.get(step, ()))

    def look(self, board: Board, productions: Iterable[Production]) -> None:
        """Rules are looked at on this board."""
        if self.alarmed:
            return
        for production in productions:
            suspect = self.suspects.edited.get(production.rule.id)
            if suspect is not None and _matters(suspect, production.matches(board), board):
                self.alarmed = True
                return


def _matters(suspect: Suspect, own: Sequence[Activation], board: Board) -> bool:
    if suspect.new is None:
        return bool(own)
    other = suspect.new.matches(board)
    if suspect.acts:
        return bool(own or other)
    return len(own) != len(other) or any(_differ(*pair) for pair in zip(own, other, strict=True))


def _differ(one: Activation, other: Activation) -> bool:
    """Whether two activations are of other facts, or bind what both bind otherwise."""
    mine, others = dict(one.bindings), dict(other.bindings)
    return one.identity != other.identity or any(mine[name] != others[name] for name in mine.keys() & others.keys())
