"""Which rules an edit touches, and which runs could have come to a rule that is touched."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from riftrules.analysis.comparing.edits import Edit
from riftrules.analysis.comparing.mixing import Revision
from riftrules.facts.trace import Began, Firing, Requested
from riftrules.language.model import Refuse, Rule, Ruleset, Use
from riftrules.language.rebuilding import parts_of
from riftrules.scenario.model import Requesting, Run


@dataclass(frozen=True, slots=True)
class Touched:
    """The rules of either side that edits touch. With `everything` any run may come out otherwise."""

    rules: tuple[Rule, ...] = ()
    everything: bool = False


def touched(revision: Revision, edits: Sequence[Edit] | None = None) -> Touched:
    """What these edits touch (without any named: all that play)."""
    rules: list[Rule] = []
    chosen = revision.playing if edits is None else edits
    if unseen_users(revision, {edit.item[1] for edit in chosen if edit.item[0] == "definition"}):
        return Touched(everything=True)
    for edit in chosen:
        found = list(_rules_of(edit, revision))
        if not found and edit.item[0] not in {"rule", "definition"}:
            return Touched(everything=True)
        rules.extend(found)
    return Touched(tuple(rules))


def _rules_of(edit: Edit, revision: Revision) -> Iterator[Rule]:
    kind, name = edit.item
    if kind == "rule":
        item = revision.found.items[edit.item]
        yield from (rule for rule in (item.old, item.new) if rule is not None)
    elif kind == "definition":
        for side in (revision.old, revision.new):
            names = using(side, {name})
            yield from (rule for rule in side.rules if uses(rule) & names)


def uses(part: object) -> set[str]:
    """The definitions that a rule or a definition names."""
    whole = (part.event, part.when, part.then, part.choose) if isinstance(part, Rule) else part
    return {one.definition for one in parts_of(whole) if isinstance(one, Use)}


def using(ruleset: Ruleset, names: set[str]) -> set[str]:
    """The definitions, and those that name them, and so on."""
    found = set(names)
    while True:
        more = {name for name, one in ruleset.definitions.items() if uses(one.when) & found} - found
        if not more:
            return found
        found |= more


def unseen_users(revision: Revision, definitions: set[str]) -> bool:
    """Whether an invariant or a derived field uses one of these definitions, which no rule shows."""
    if not definitions:
        return False
    for side in (revision.old, revision.new):
        names = using(side, definitions)
        derived = tuple(one for template in side.templates.values() for one in template.derived.values())
        if any(uses(one) & names for one in (*(invariant.when for invariant in side.invariants), derived)):
            return True
    return False


# ------------------------------------------------------------------------------------------------ runs


def may_differ(run: Run, what: Touched, rulesets: Iterable[Ruleset]) -> bool:
    """Whether the run comes to a point at which a touched rule is looked at; never false where the outcome differs."""
    if what.everything:
        return True
    sides = tuple(rulesets)
    steps = {step for side in sides for name in _procedures(run, side) for step in side.procedures[name].steps}
    events = {event.template for event in run.trace.events()}
    requests = {item.procedure for item in run.scenario.items if isinstance(item, Requesting)}
    return any(_looked_at(rule, steps, events, requests) for rule in what.rules) or _reads(run, what)


def _looked_at(rule: Rule, steps: set[str], events: set[str], requests: set[str]) -> bool:
    match rule.kind:
        case "after":
            return rule.event is not None and rule.event.template in events
        case "legality":
            return any(isinstance(one, Refuse) and one.procedure in requests for one in rule.then)
    return rule.step in steps


def _reads(run: Run, what: Touched) -> bool:
    """A run that broke off may have come to a rule that left no entry."""
    return run.verdict.status == "error" and bool(what.rules)


def _procedures(run: Run, ruleset: Ruleset) -> set[str]:
    """Every procedure that has run, with those that follow and those that are steps of them."""
    frames = {standing.frame.template for standing in run.scenario.stack}
    for entry in run.trace.entries:
        match entry:
            case Firing():
                frames |= {frame.rpartition("-")[0] for frame in (*entry.begun, *entry.due, entry.frame)}
            case Requested(_, procedure):
                frames.add(procedure)
            case Began(_, calls):
                frames |= {name for name, _ in calls}
    frames |= {item.procedure for item in run.scenario.items if isinstance(item, Requesting)}
    return _followed(frames & set(ruleset.procedures), ruleset)


def _followed(names: set[str], ruleset: Ruleset) -> set[str]:
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found.add(name)
        procedure = ruleset.procedures[name]
        waiting.extend(one for one in (procedure.then, *procedure.steps) if one in ruleset.procedures)
    return found
