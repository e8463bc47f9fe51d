"""Where an explanation starts: the causes an answer rests on first, and the rules that might have made it another one."""

from __future__ import annotations

from riftrules.analysis.answers import rests_asking
from riftrules.analysis.causes import Cause, Causes, Fired, RefusedBy, identity
from riftrules.analysis.leading import beginning_rules
from riftrules.analysis.questions import Question, known_ids
from riftrules.analysis.watching import Observation
from riftrules.analysis.why_not import Target, target
from riftrules.facts.memory import Fact
from riftrules.language.model import AskFor, Assert, Emit, EndGame, Expression, Modify, Read, Rule, Ruleset


def roots_of(asked: Question, seen: Observation, causes: Causes) -> tuple[Cause, ...]:
    """The causes an answer rests on first."""
    end = max(causes.firings, default=0) + 1
    found: list[Cause | None] = []
    match asked.kind:
        case "value":
            found = _value_roots(asked, seen, causes, end)
        case "fact":
            found = _fact_roots(asked, seen, causes, end)
        case "event":
            found = [causes.emitter(event.id) for event in seen.run.trace.events() if _asked_of(asked, event)]
        case "rule":
            found = _doing(asked.template, seen, causes)
        case "firing":
            found = [Fired(causes.firings[asked.number])]
        case "refusal":
            refusal = next(one.refusal for one in seen.run.moments if one.item == asked.number and one.refusal is not None)
            found = [RefusedBy(asked.number, refused, refusal) for refused in refusal.rules]
        case "invariant":
            found = causes.of_violation(asked.template)
        case "waiting":
            last = next((firing for firing in causes.firings.values() if firing.ends_game), None)
            found = [Fired(last)] if last is not None else [causes.beginner(seen.run.waiting.frame)]
    return tuple({identity(one): one for one in found if one is not None}.values())


def _value_roots(asked: Question, seen: Observation, causes: Causes, end: int) -> list[Cause | None]:
    template, key = seen.ruleset.templates[asked.template], (asked.template, asked.id)
    if asked.field in template.derived:
        number = _last_change(asked, seen, causes)
        return [Fired(causes.firings[number]) if number else None]
    if any((fact.template, fact.id) == key for fact in seen.run.after):
        return [causes.writer((*key, asked.field), end)]
    if template.kind != "frame":
        return [causes.maker(key, end)]
    written = reversed(causes.writers((*key, asked.field)))  # it has ended: everybody who wrote it while it was there
    return [*(Fired(causes.firings[number]) for number in written), causes.beginner(asked.id)]


def _fact_roots(asked: Question, seen: Observation, causes: Causes, end: int) -> list[Cause | None]:
    if seen.ruleset.templates[asked.template].kind == "frame":
        ids = [asked.id] if asked.id else known_ids(asked.template, seen)
        return [causes.beginner(id_) or causes.maker((asked.template, id_), end) for id_ in ids]
    if asked.id:
        return [causes.maker((asked.template, asked.id), end)]
    return [causes.maker((fact.template, fact.id), end) for fact in seen.run.after if fact.template == asked.template]


def _doing(name: str, seen: Observation, causes: Causes) -> list[Cause | None]:
    """The firings of a rule; of one that refuses each refusal; of one that asks what began the frames in which it asked."""
    if seen.ruleset.rule(name).kind == "ask":
        return [causes.beginner(rest.waiting.frame) for rest in rests_asking(name, seen)]
    if seen.ruleset.rule(name).kind != "legality":
        return [Fired(firing) for firing in causes.firings.values() if firing.rule == name]
    return [
        RefusedBy(moment.item, refused, moment.refusal)
        for moment in seen.run.moments
        if moment.refusal is not None
        for refused in moment.refusal.rules
        if refused.rule == name
    ]


def _asked_of(asked: Question, event: Fact) -> bool:
    return event.template == asked.template and asked.id in {"", event.id}


def _last_change(asked: Question, seen: Observation, causes: Causes) -> int:
    """The firing since which a derived field has the value it has; 0 where it always had it."""
    value = seen.session.read(asked.template, asked.id, asked.field)
    for number in sorted(causes.firings, reverse=True):
        board = seen.board_at(seen.watch.stood[number].before)
        if board.read(asked.template, asked.id, asked.field, derived=True) != value:
            return number
    return 0


# ------------------------------------------------------------------------------------------------ what might have been


def could_have(asked: Question, seen: Observation) -> tuple[str, ...]:
    """The rules that might have written the field, made the fact, emitted the event, fired, or accepted the request."""
    rules = seen.ruleset.rules
    match asked.kind:
        case "rule":
            return (asked.template,)
        case "invariant":
            return ()
        case "waiting":
            return _could_wait(asked, seen)
        case "fact" if seen.ruleset.templates[asked.template].kind == "frame":
            return beginning_rules((asked.template,), seen.ruleset)
        case "refusal":
            refusal = next(one.refusal for one in seen.run.moments if one.item == asked.number and one.refusal is not None)
            procedure = seen.ruleset.procedures.get(refusal.procedure)
            steps = procedure.steps if procedure is not None and refusal.reason == UNACCEPTED else ()
            return tuple(rule.id for rule in rules if rule.kind == "step" and rule.step in steps)
    return tuple(rule.id for rule in rules if any(_makes(said, asked) for said in rule.then) or _emits(rule, asked))


UNACCEPTED = "no rule accepts it"


def _makes(said: object, asked: Question) -> bool:
    match said:
        case Assert(template):
            return template == asked.template
        case Modify(_, template, changes):
            return asked.kind == "value" and template == asked.template and asked.field in {one.field for one in changes}
    return False


def _emits(rule: Rule, asked: Question) -> bool:
    return any(isinstance(said, Emit) and said.event == asked.template for said in rule.then)


def _could_wait(asked: Question, seen: Observation) -> tuple[str, ...]:
    """The rules that might have let a run wait as it was expected to; those it waits for where that is not said."""
    rules, waiting = seen.ruleset.rules, seen.run.waiting
    match asked.template:
        case "over":
            return tuple(rule.id for rule in rules if any(isinstance(said, EndGame) for said in rule.then))
        case "asked":
            return tuple(rule.id for rule in rules if rule.kind == "ask")
        case "choosing":
            return tuple(rule.id for rule in rules if rule.choose is not None)
    return (*(one.rule for one in waiting.asks if one.rule), *([waiting.choice.rule] if waiting.choice is not None else []))


def aimed_at(asked: Question, name: str, ruleset: Ruleset) -> tuple[Target, ...]:
    """A rule that might have done what was asked about, with the variable fixed that names it: the fact whose field is asked.

    Where a rule was to ask a player, or let them choose, it is that player. A rule that may write the field of several
    facts is there once for each variable.
    """
    rule = target(name, ruleset).rule
    named: list[Expression] = []
    if asked.kind == "value":
        named = [one.target for one in rule.then if isinstance(one, Modify) and _makes(one, asked)]
    elif asked.kind == "waiting" and asked.id:
        named = [rule.choose.by] if rule.choose is not None else [one.player for one in rule.then if isinstance(one, AskFor)]
    variables = dict.fromkeys(
        one.variable
        for one in named
        if isinstance(one, Read) and not one.hops and not one.singleton and one.variable in rule.variables
    )
    return tuple(Target(rule, ((variable, asked.id),)) for variable in variables) or (Target(rule),)
