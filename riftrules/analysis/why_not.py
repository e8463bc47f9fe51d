"""Why a rule has not fired (asked, refused): never its step, withdrawn, without effect, or the nearest miss."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from riftrules.analysis.misses import Miss, nearest_miss
from riftrules.analysis.questions import QuestionError
from riftrules.analysis.watching import Observation, Point, observe
from riftrules.engine.reference.matching import Bindings, Board
from riftrules.engine.reference.planning import Activation
from riftrules.engine.reference.state import Visit
from riftrules.facts.trace import Chosen, Entry, Firing
from riftrules.facts.types import Value
from riftrules.language.model import Begin, Emit, Refuse, Rule, Ruleset
from riftrules.language.problems import near
from riftrules.scenario.model import Run, Scenario
from riftrules.scenario.words import listed, said

FIRED, NEVER_STEP, WITHDRAWN, NO_EFFECT, MISSED = "fired", "never its step", "withdrawn", "without effect", "missed"


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

    kind: `fired` (it has: `firings`), `never its step` (`said` says why), `withdrawn` (`by` the entry of the trace after
    which it was gone), `without effect` (its conditions hold, but it may not or would change nothing: `said`), or
    `missed`. `point` is where it was looked at, `miss` how its conditions stood then.
    """

    target: Target
    kind: str
    said: str = ""
    point: Point | None = None
    miss: Miss | None = None
    by: Entry | None = None
    firings: tuple[int, ...] = ()


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
            waits = [(moment.item, moment.waiting) for moment in run.moments]
            return tuple(item for item, waiting in waits if any(one.rule == asked.rule.id for one in waiting.asks))
    return tuple(
        firing.number
        for firing in run.trace.firings()
        if firing.rule == asked.rule.id and asked.agrees(dict(firing.bindings)) and asked.counts(firing.frame, firing.step)
    )


def why_not(asked: Target, scenario: Scenario, ruleset: Ruleset) -> tuple[WhyNot, Observation]:
    """Why the rule has not fired in this scenario, and the run in which that was seen."""
    watcher = _Watcher(asked)
    seen = observe(scenario, ruleset, watcher.look)
    fired = fires(asked, seen.run) or watcher.asked_in(seen)
    if fired:
        return WhyNot(asked, FIRED, firings=fired), seen
    found = watcher.withdrawn(seen) or watcher.held() or watcher.missed()
    return found or WhyNot(asked, NEVER_STEP, _never(asked, seen)), seen


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

    def asked_in(self, seen: Observation) -> tuple[int, ...]:
        """The items in which a rule that asks has asked."""
        if self.asked.rule.kind != "ask":
            return ()
        return tuple(dict.fromkeys(seen.item_of(point.entries - 1) for point, _ in self.eligible))

    def withdrawn(self, seen: Observation) -> WhyNot | None:
        """The last time it might have fired, and what came instead."""
        if not self.eligible or self.asked.rule.kind in {"ask", "legality"}:
            return None
        point, activation = self.eligible[-1]
        by = _next_entry(seen, point)
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


def _next_entry(seen: Observation, point: Point) -> Entry | None:
    """What happened next: a firing, or a choice."""
    entries = seen.run.trace.entries
    after = next((place + 1 for place, one in enumerate(entries) if isinstance(one, Firing) and one.number == point.firings), 0)
    return next((one for one in entries[after:] if isinstance(one, Firing | Chosen)), None)


def _instead(by: Entry | None, seen: Observation) -> str:
    match by:
        case Firing(number, rule):
            return f"{number}. {rule} fired instead"
        case Chosen(_, who, option):
            return f"{said(who)} chose {said(option)}"
    if seen.run.waiting.choice is not None:
        return f"{said(seen.run.waiting.choice.by)} has still to choose"
    return seen.run.verdict.reason or "the run ended first"


# ------------------------------------------------------------------------------------------------ never its step


def _never(asked: Target, seen: Observation) -> str:
    """Why the rule was never looked at."""
    rule, ruleset = asked.rule, seen.ruleset
    elsewhere = f" in `{asked.at}`" if asked.at else ""
    if rule.event is not None:
        emitters = [
            one.id for one in ruleset.rules if any(isinstance(two, Emit) and two.event == rule.event.template for two in one.then)
        ]
        return f"no `{rule.event.template}` happened{elsewhere}; {_listed('emitted by', emitters)}"
    if rule.kind == "legality":
        procedure = next(one.procedure for one in rule.then if isinstance(one, Refuse))
        return f"nobody asked for `{procedure}`"
    listing = [name for name, one in ruleset.procedures.items() if rule.step in one.steps]
    if asked.at and not asked.counts("", rule.step) and asked.at not in {*listing}:
        return f"its step is `{rule.step}`, which was never visited{elsewhere}"
    ran = [name for name in listing if any(write.template == name for write in seen.session.memory.log)]
    if ran:
        return f"`{ran[0]}` began but never came to step `{rule.step}`"
    begun = "; ".join(_begun(name, ruleset) for name in listing)
    return f"`{rule.step}` is a step of {listed(listing)}, which never ran{elsewhere}; {begun}"


def _begun(procedure: str, ruleset: Ruleset) -> str:
    """Who begins a procedure."""
    if ruleset.procedures[procedure].request:
        return "a player asks for it"
    rules = [one.id for one in ruleset.rules if any(isinstance(two, Begin) and two.procedure == procedure for two in one.then)]
    others = [name for name, one in ruleset.procedures.items() if one.then == procedure or procedure in one.steps]
    return _listed("begun by", [*rules, *others])


def _listed(what: str, names: Sequence[str], most: int = 3) -> str:
    if not names:
        return f"{what} nothing in the rules"
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return f"{what} {listed(names[:most])}{more}"
