"""Why a value, a fact, an event, a firing or a refusal is what it is: the tree of causes, each tried out.

What a trace says had been read may still have made no difference. So each cause is taken away or changed, the
scenario is played again, and a cause counts as needed where the answer to the question is then another one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from riftrules.analysis.answers import answer, said_answer
from riftrules.analysis.causes import Asked, Cause, Causes, Fired, Given, Identity, RefusedBy, identity
from riftrules.analysis.domains import Domains
from riftrules.analysis.edits import Edit, FieldEdit, ItemRemoval, Removal, RuleRemoval
from riftrules.analysis.questions import Question
from riftrules.analysis.roots import could_have, roots_of
from riftrules.analysis.trials import Trials
from riftrules.analysis.watching import Observation
from riftrules.facts.memory import Fact
from riftrules.facts.trace import Firing

MOST_TRIALS = 150
MOST_VALUES = 6
LAST = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Node:
    """A cause with what it rests on.

    needed: whether the answer is another one without it; None where that was not tried. `by` is the change that
    showed it. A cause stands once in a tree, where it is nearest to the question.
    """

    cause: Cause
    needed: bool | None
    by: tuple[Edit, ...] = ()
    children: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True)
class Why:
    """The answer to a question and what it rests on. `could` are the rules that might have made it otherwise, where none did."""

    question: Question
    said: str
    roots: tuple[Node, ...]
    could: tuple[str, ...] = ()


def why(asked: Question, seen: Observation, trials: Trials, *, full: bool = False) -> Why:
    """Why the answer to a question is what it is. Without `full`, causes that made no difference are left out."""
    causes = Causes(seen)
    asking = _Asking(asked, seen, causes, trials, full)
    roots = roots_of(asked, seen, causes)
    made = bool(roots) if asked.kind in {"fact", "rule"} else any(isinstance(one, Fired | RefusedBy) for one in roots)
    could = () if made and asked.kind != "waiting" else could_have(asked, seen)
    return Why(asked, said_answer(asked, seen), asking.tree(roots), could)


# ------------------------------------------------------------------------------------------------ the tree


@dataclass(slots=True)
class _Draft:
    cause: Cause
    needed: bool | None
    by: tuple[Edit, ...]
    children: list[_Draft] = field(default_factory=list)

    @property
    def number(self) -> int:
        """The number of the firing; a refusal comes after all that it rests on."""
        return self.cause.firing.number if isinstance(self.cause, Fired) else LAST

    def node(self) -> Node:
        return Node(self.cause, self.needed, self.by, tuple(child.node() for child in self.children))


@dataclass(slots=True)
class _Asking:
    """One question on its way: what has been met, what has been tried."""

    asked: Question
    seen: Observation
    causes: Causes
    trials: Trials
    full: bool
    met: set[Identity] = field(default_factory=set)
    tried: dict[tuple[Edit, ...], bool] = field(default_factory=dict)
    firing: Firing | None = None
    domains: Domains | None = None

    def tree(self, roots: Sequence[Cause]) -> tuple[Node, ...]:
        """The causes nearest first: what one rests on is looked at only where it is needed itself, or all is wanted."""
        self.firing = next((one.firing for one in roots if isinstance(one, Fired)), None)
        self.met |= {identity(one) for one in roots}
        drafts = [_Draft(one, *self.needed(one)) for one in roots]
        asked: dict[Identity, tuple[_Draft, _Draft]] = {}
        waiting = deque(drafts)
        while waiting:
            draft = waiting.popleft()
            for cause in self.causes.of(draft.cause):
                if isinstance(cause, Asked):
                    self._note(asked, draft, cause)
                elif identity(cause) not in self.met:
                    child = _Draft(cause, *self.needed(cause))
                    if child.needed or self.full:
                        self.met.add(identity(cause))
                        draft.children.append(child)
                        waiting.append(child)
        for parent, child in asked.values():
            parent.children.insert(0, child)
        return tuple(draft.node() for draft in drafts)

    def _note(self, asked: dict[Identity, tuple[_Draft, _Draft]], draft: _Draft, cause: Asked) -> None:
        """An item stands with the first firing that rests on it, whatever followed."""
        key = identity(cause)
        if key not in asked:
            child = _Draft(cause, *self.needed(cause))
            if child.needed or self.full:
                asked[key] = (draft, child)
        elif draft.number < asked[key][0].number:
            asked[key] = (draft, asked[key][1])

    def needed(self, cause: Cause) -> tuple[bool | None, tuple[Edit, ...]]:
        """Whether the answer is another one without the cause, and the edit that shows it."""
        for edit in self._edits(cause):
            if self.trials.count >= MOST_TRIALS and (edit,) not in self.tried:
                return None, ()
            if self._differs((edit,)):
                return True, (edit,)
        return False, ()

    def _differs(self, edits: tuple[Edit, ...]) -> bool:
        if edits not in self.tried:
            now = answer(self.asked, self.seen.run, self.firing)
            self.tried[edits] = answer(self.asked, self.trials.run(*edits), self.firing) != now
        return self.tried[edits]

    def _edits(self, cause: Cause) -> Sequence[Edit]:
        match cause:
            case Fired(firing):
                return (RuleRemoval(firing.rule),)
            case RefusedBy(_, refused, _):
                return (RuleRemoval(refused.rule),)
            case Asked(item, _):
                return (ItemRemoval(item),)
            case Given(template, id_, name, _):
                return self._given_edits(template, id_, name)

    def _given_edits(self, template: str, id_: str, name: str) -> Sequence[Edit]:
        fact = next(fact for fact in self.seen.run.before if (fact.template, fact.id) == (template, id_))
        removal = () if self.seen.ruleset.templates[template].kind == "frame" else (Removal(template, id_),)
        if not name:
            return removal
        return [FieldEdit(template, id_, name, value) for value in self._others(fact, name)[:MOST_VALUES]] or removal

    def _others(self, fact: Fact, name: str) -> Sequence[object]:
        if self.domains is None:
            self.domains = Domains(self.seen.ruleset, self.seen.run.before)
        return self.domains.others(fact, name)
