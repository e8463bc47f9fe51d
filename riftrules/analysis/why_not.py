"""Why a rule has not fired (asked, refused): never its step, withdrawn, without effect, or the nearest miss."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from riftrules.analysis.leading import never_said
from riftrules.analysis.misses import Miss, nearest_miss
from riftrules.analysis.questions import QuestionError
from riftrules.analysis.watching import Observation, Point, observe
from riftrules.engine.reference.matching import Bindings, Board
from riftrules.engine.reference.planning import Activation
from riftrules.engine.reference.state import Visit
from riftrules.facts.trace import Ask, Chosen, Entry, Firing
from riftrules.facts.types import Value
from riftrules.language.model import AskFor, Read, Rule, Ruleset
from riftrules.language.problems import near
from riftrules.scenario.model import Run, Scenario
from riftrules.scenario.words import said

FIRED, NEVER_STEP, WITHDRAWN, NO_EFFECT, MISSED = "fired", "never its step", "withdrawn", "without effect", "missed"
OFFERED = "offered and not chosen"


@dataclass(frozen=True, slots=True)
class Target:
    """A rule asked about, the variables that are fixed, and with `at` the only step (or frame) that counts."""

    rule: Rule
    fixed: tuple[tuple[str, Value], ...] = ()
    at: str = ""

    def agrees(self, env: Mapping[str, Value]) -> bool:
        """Whether bindings have the fixed values."""
        return all(env.get(name) == value for name, value in self.fixed)

    def counts(self, frame: str, step: str) -> bool:
        """Whether what happens in this step of this frame is asked about."""
        return self.at in {"", step, frame, frame.rpartition("-")[0]}


@dataclass(frozen=True, slots=True)
class WhyNot:
    """Why a rule has not fired.

    kind: `fired` (it has: `firings`), `never its step` (`said` says why), `offered and not chosen` (`options` are the values
    with which it would have fired), `withdrawn` (`by` the entry of the trace after which it was gone), `without effect` (its
    conditions hold, but it may not or would change nothing: `said`), or `missed`. `point` is where it was looked at, `miss`
    how its conditions stood then.
    """

    target: Target
    kind: str
    said: str = ""
    point: Point | None = None
    miss: Miss | None = None
    by: Entry | None = None
    firings: tuple[int, ...] = ()
    options: tuple[Value, ...] = ()


def target(name: str, ruleset: Ruleset, fixed: Sequence[str] = (), at: str = "") -> Target:
    """A rule by its id, with bindings as typed (`$p=you`). Raises QuestionError."""
    rules = {rule.id: rule for rule in ruleset.rules}
    if name not in rules:
        hint = near(name, rules)
        message = f"there is no rule `{name}`" + (f": {hint}" if hint else "")
        raise QuestionError(message)
    rule = rules[name]
    return Target(rule, tuple(_binding(text, rule) for text in fixed), at)


def _binding(text: str, rule: Rule) -> tuple[str, Value]:
    name, equals, value = text.removeprefix("$").partition("=")
    name = name.strip()
    if not equals or name not in rule.variables:
        hint = near(name, rule.variables) or f"`{rule.id}` has no variables"
        message = f"`{text}` fixes no variable of `{rule.id}`: {hint}"
        raise QuestionError(message)
    words: dict[str, Value] = {"true": True, "false": False}
    value = value.strip()
    return name, int(value) if value.lstrip("-").isdecimal() else words.get(value, value)


def fires(asked: Target, run: Run) -> tuple[int, ...]:
    """The firings of the rule that are asked about; of one that asks or refuses the items (from 1) in which it did."""
    match asked.rule.kind:
        case "legality":
            return tuple(
                moment.item
                for moment in run.moments
                if moment.refusal
                for one in moment.refusal.rules
                if one.rule == asked.rule.id and asked.agrees(dict(one.bindings))
            )
        case "ask":
            waits = [(moment.item, one) for moment in run.moments for one in moment.waiting.asks]
            return tuple(item for item, one in waits if one.rule == asked.rule.id and _of_player(asked, one))
    return tuple(
        firing.number
        for firing in run.trace.firings()
        if firing.rule == asked.rule.id and asked.agrees(dict(firing.bindings)) and asked.counts(firing.frame, firing.step)
    )


def _of_player(asked: Target, ask: Ask) -> bool:
    """Whether an ask is of the player who is fixed, where the rule asks a variable."""
    player = next(one.player for one in asked.rule.then if isinstance(one, AskFor))
    plain = isinstance(player, Read) and not player.hops
    return all(ask.player == value for name, value in asked.fixed if plain and player == Read(name))


def why_not(asked: Target, scenario: Scenario, ruleset: Ruleset, *, full: bool = False) -> tuple[WhyNot, Observation]:
    """Why the rule has not fired in this scenario, and the run in which that was seen."""
    found, seen = why_not_each((asked,), scenario, ruleset, full=full)
    return found[0], seen


def why_not_each(
    asked: Sequence[Target], scenario: Scenario, ruleset: Ruleset, *, full: bool = False
) -> tuple[tuple[WhyNot, ...], Observation]:
    """Why each of these rules has not fired, and the one run in which that was seen. With `full`, every name is told."""
    watchers = [_Watcher(one) for one in asked]

    def look(*seen: Any) -> None:
        for watcher in watchers:
            watcher.look(*seen)

    seen = observe(scenario, ruleset, look)
    return tuple(one.found(seen, full=full) for one in watchers), seen


@dataclass(slots=True)
class _Watcher:
    """Looks at one rule wherever it might have fired."""

    asked: Target
    eligible: list[tuple[Point, Activation]] = field(default_factory=list)
    matching: list[tuple[Point, Bindings]] = field(default_factory=list)
    nearest: tuple[Point, Miss] | None = None

    def look(self, point: Point, board: Board, rules: Sequence[Rule], found: Sequence[Activation], _: Visit | None) -> None:
        """One moment of the run."""
        rule = self.asked.rule
        if rule not in rules or not self.asked.counts(point.frame, point.step):
            return
        mine = [one for one in found if one.rule.id == rule.id and self.asked.agrees(one.env)]
        if mine:
            self.eligible.extend((point, one) for one in mine)
            return
        below = self.nearest[1].failed + 1 if self.nearest else 1_000_000
        miss = nearest_miss(rule, replace(board), dict(self.asked.fixed), below)
        if miss is not None and not miss.failed:
            self.matching.append((point, miss.env))
        if miss is not None:
            self.nearest = (point, miss)  # of equals the last: that is the board the run ends with, or nearest to it

    def found(self, seen: Observation, *, full: bool) -> WhyNot:
        """What has come of it, once the run has ended."""
        fired = fires(self.asked, seen.run) or self.asked_in(seen)
        if fired:
            return WhyNot(self.asked, FIRED, firings=fired)
        found = self.offered(seen) or self.withdrawn(seen) or self.held() or self.missed()
        return found or WhyNot(self.asked, NEVER_STEP, never_said(self.asked.rule, self.asked.at, seen, full=full))

    def asked_in(self, seen: Observation) -> tuple[int, ...]:
        """The items in which a rule that asks has asked."""
        if self.asked.rule.kind != "ask":
            return ()
        return tuple(dict.fromkeys(seen.item_of(point.entries - 1) for point, _ in self.eligible))

    def offered(self, seen: Observation) -> WhyNot | None:
        """The last time it was for a player to choose, who has not chosen it."""
        choose = self.asked.rule.choose
        for point, activation in reversed(self.eligible if choose is not None else ()):
            answered = next(
                ((place, one) for place, one in enumerate(seen.run.trace.entries) if place >= point.entries and _is_move(one)),
                None,
            )
            who = _who_chose(self.asked.rule, point, answered, seen)
            if who and choose is not None:
                alike = [one for at, one in self.eligible if at == point and one.group == activation.group]
                options = tuple(dict.fromkeys(one.env[choose.one] for one in alike))
                miss = nearest_miss(self.asked.rule, seen.board_at(point.log, point.own, point.event), activation.env)
                by = answered[1] if answered is not None else None
                return WhyNot(self.asked, OFFERED, who, point, miss, by, options=options)
        return None

    def withdrawn(self, seen: Observation) -> WhyNot | None:
        """The last time it might have fired, and what came instead."""
        if not self.eligible or self.asked.rule.kind in {"ask", "legality"}:
            return None
        point, activation = self.eligible[-1]
        by = next((one for one in seen.run.trace.entries[point.entries :] if _is_move(one)), None)
        miss = self._after(seen, point, activation)
        return WhyNot(self.asked, WITHDRAWN, point=point, miss=miss, by=by, said=_instead(by, seen))

    def _after(self, seen: Observation, point: Point, activation: Activation) -> Miss | None:
        """How its conditions stood once it was gone."""
        stood = seen.watch.stood.get(point.firings + 1)
        if stood is None:
            return None
        return nearest_miss(self.asked.rule, seen.board_at(stood.after, point.own, point.event), activation.env)

    def held(self) -> WhyNot | None:
        """Its conditions hold, yet it may not fire."""
        if not self.matching:
            return None
        point, env = self.matching[-1]
        miss = self.nearest[1] if self.nearest else None
        by_choice = self.asked.rule.choose is not None
        said_so = "it would change nothing" + (", or what it was among is chosen" if by_choice else "")
        return WhyNot(self.asked, NO_EFFECT, said_so, point, replace(miss, env=env) if miss else None)

    def missed(self) -> WhyNot | None:
        """It was looked at and did not match."""
        if self.nearest is None:
            return None
        point, miss = self.nearest
        return WhyNot(self.asked, MISSED, point=point, miss=miss)


def _is_move(entry: Entry) -> bool:
    """Whether an entry may have come instead of a firing: another, or a choice."""
    return isinstance(entry, Firing | Chosen)


def _who_chose(rule: Rule, point: Point, answered: tuple[int, Entry] | None, seen: Observation) -> str:
    """To whom the rule was offered at which item, and what was chosen; empty where it was no such choice that came next."""
    waits = seen.run.waiting.choice
    if answered is None and waits is not None and waits.rule == rule.id:
        item = seen.item_of(max(point.entries - 1, 0))
        return f"offered to {said(waits.by)} in item {item}: {said(waits.by)} has still to choose"
    if answered is not None and isinstance(answered[1], Chosen) and answered[1].rule == rule.id:
        chosen = answered[1]
        return f"offered to {said(chosen.by)}: in item {seen.item_of(answered[0])} {said(chosen.by)} chose {said(chosen.option)}"
    return ""


def _instead(by: Entry | None, seen: Observation) -> str:
    match by:
        case Firing(number, rule):
            return f"{number}. {rule} fired instead"
        case Chosen(_, who, option):
            return f"{said(who)} chose {said(option)}"
    if seen.run.waiting.choice is not None:
        return f"{said(seen.run.waiting.choice.by)} has still to choose"
    return seen.run.verdict.reason or "the run ended first"
