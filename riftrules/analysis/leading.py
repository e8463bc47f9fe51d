"""How a run might have come to a rule that it never came to: who begins the procedure of its step, who emits its event."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from riftrules.analysis.watching import Observation
from riftrules.language.model import Begin, Emit, Refuse, Rule, Ruleset
from riftrules.scenario.words import listed

MOST_NAMED = 3


def leading_rules(rule: Rule, ruleset: Ruleset) -> tuple[str, ...]:
    """The rules that emit the event it hears, or begin a procedure in which (or after which) its step comes."""
    if rule.event is not None:
        return _emitting(rule.event.template, ruleset)
    if not rule.step:
        return ()
    return beginning_rules(listing(rule.step, ruleset), ruleset)


def is_dead_end(rule: Rule, ruleset: Ruleset) -> bool:
    """Whether nothing in the rules leads to a rule, and no request of a player."""
    asked = (ruleset.procedures[name].request for name in leading_procedures(listing(rule.step, ruleset), ruleset))
    return rule.kind != "legality" and not leading_rules(rule, ruleset) and not any(asked)


def beginning_rules(procedures: Sequence[str], ruleset: Ruleset) -> tuple[str, ...]:
    """The rules that begin one of these procedures, or one that it is a step of or follows."""
    begun = set(leading_procedures(procedures, ruleset))
    return tuple(one.id for one in ruleset.rules if any(isinstance(said, Begin) and said.procedure in begun for said in one.then))


def leading_procedures(procedures: Sequence[str], ruleset: Ruleset) -> tuple[str, ...]:
    """These procedures, and those that they are a step of or follow, however far."""
    found: dict[str, None] = {}
    waiting = list(procedures)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = None
            waiting += [other for other, one in ruleset.procedures.items() if one.then == name or name in one.steps]
    return tuple(found)


def listing(step: str, ruleset: Ruleset) -> list[str]:
    """The procedures that list a step."""
    return [name for name, one in ruleset.procedures.items() if step in one.steps]


def _emitting(event: str, ruleset: Ruleset) -> tuple[str, ...]:
    return tuple(one.id for one in ruleset.rules if any(isinstance(said, Emit) and said.event == event for said in one.then))


# ------------------------------------------------------------------------------------------------ in words


def never_said(rule: Rule, at: str, seen: Observation, *, full: bool) -> str:
    """Why a rule was never looked at (with `at` in this step, procedure or frame); with `full` every name is told."""
    ruleset, elsewhere = seen.ruleset, f" in `{at}`" if at else ""
    if rule.event is not None:
        emitters = _listed("emitted by", _emitting(rule.event.template, ruleset), full=full)
        return f"no `{rule.event.template}` happened{elsewhere}; {emitters}"
    if rule.kind == "legality":
        procedure = next(one.procedure for one in rule.then if isinstance(one, Refuse))
        return f"nobody asked for `{procedure}`"
    procedures = listing(rule.step, ruleset)
    if at and at not in {rule.step, *procedures}:
        return f"its step is `{rule.step}`, which was never visited{elsewhere}"
    ran = [name for name in procedures if any(write.template == name for write in seen.session.memory.log)]
    if ran:
        return f"`{ran[0]}` began but never came to step `{rule.step}`"
    begun = "; ".join(_begun(name, ruleset, full=full) for name in procedures)
    return f"`{rule.step}` is a step of {listed(procedures)}, which never ran{elsewhere}; {begun}"


def _begun(procedure: str, ruleset: Ruleset, *, full: bool) -> str:
    """Who begins a procedure."""
    if ruleset.procedures[procedure].request:
        return "a player asks for it"
    return _listed("begun by", tuple(_beginners(procedure, ruleset)), full=full)


def _beginners(procedure: str, ruleset: Ruleset) -> Iterator[str]:
    """The rules, then the procedures, that begin a procedure themselves."""
    for one in ruleset.rules:
        if any(isinstance(said, Begin) and said.procedure == procedure for said in one.then):
            yield one.id
    yield from (name for name, one in ruleset.procedures.items() if one.then == procedure or procedure in one.steps)


def _listed(what: str, names: Sequence[str], *, full: bool) -> str:
    if not names:
        return f"{what} nothing in the rules"
    most = len(names) if full else MOST_NAMED
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return f"{what} {listed(names[:most])}{more}"
