"""Writes the board on which two rulesets differ as a fixture that passes on the newer one and fails on the older."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from riftrules.analysis.comparing.changes import chosen
from riftrules.analysis.comparing.mixing import Revision
from riftrules.analysis.comparing.outcomes import Divergence
from riftrules.errors import NOWHERE
from riftrules.facts.memory import Fact
from riftrules.facts.trace import Chosen, Firing
from riftrules.scenario.model import Choosing, Item, Refusing, Requesting, Run, Scenario
from riftrules.scenario.written import expected_lines, fixture_text


def fixture_of(scenario: Scenario, runs: tuple[Run, Run], revision: Revision, divergence: Divergence) -> tuple[Scenario, str]:
    """The scenario named for what it shows, and its text: what comes of it under the new rules is expected."""
    old, new = runs
    edits = revision.playing
    what = edits[0].name if len(edits) == 1 else f"{revision.old.name} and {revision.new.name}"
    told = replace(
        scenario, name=f"a board that tells apart what an edit of {what} changes", items=_items(new), lenient=False, place=NOWHERE
    )
    if len(edits) != 1:
        told = replace(told, name=f"a board that tells {what} apart")
    comment = [f"Under the new rules: {divergence.new}.", f"Under the old rules: {divergence.old}."]
    return told, fixture_text(told, revision.new, tuple(_then(old, new)), comment)


def _items(run: Run) -> tuple[Item, ...]:
    """What was done, every choice answered as it was, every refusal expected."""
    found: list[Item] = []
    done = 0
    for moment in run.moments:
        item = run.scenario.items[moment.item - 1]
        answered = [chosen(entry.option) for entry in run.trace.entries[done : moment.entries] if isinstance(entry, Chosen)]
        done = moment.entries
        if isinstance(item, Choosing):
            found.extend(answered)
        elif isinstance(item, Requesting):
            # A choice left open by what came before is answered first.
            found.extend(answered)
            rules = tuple(one.rule for one in moment.refusal.rules) if moment.refusal else ()
            refused = (
                None if moment.refusal is None else Refusing(rules=rules) if rules else Refusing(reason=moment.refusal.reason)
            )
            found.append(replace(item, refused=refused))
        else:
            found.extend(answered)
            found.append(item)
    return tuple(found)


def _then(old: Run, new: Run) -> Iterator[str]:
    """What holds at the end under the new rules and not under the old, and what fires."""
    olds, news = ({(fact.template, fact.id): fact for fact in run.after} for run in (old, new))
    differing = [(fact, _fields(fact, olds.get(key))) for key, fact in news.items() if fact.template != "settings"]
    gone = [fact for key, fact in olds.items() if key not in news and fact.template != "settings"]
    yield from expected_lines(
        [(fact, names) for fact, names in differing if names or (fact.template, fact.id) not in olds], gone=gone
    )
    if new.waiting.kind != old.waiting.kind:
        yield f"waiting: {new.waiting.kind}"
    fired, before = (Counter(firing.rule for firing in _firings(run)) for run in (new, old))
    known = {rule.id for rule in new.ruleset.rules}
    more = {rule: count for rule, count in fired.items() if before.get(rule, 0) != count}
    if more:
        yield f"fired: {{{', '.join(f'{rule}: {count}' for rule, count in sorted(more.items()))}}}"
    elif not fired and before:
        yield "fired: []"
    never = sorted(rule for rule in before if not fired.get(rule) and rule in known)
    if never and fired:
        yield f"not_fired: [{', '.join(never)}]"


def _fields(fact: Fact, other: Fact | None) -> list[str]:
    if other is None:
        return [name for name, value in fact.values.items() if value is not None]
    return [name for name, value in fact.values.items() if name not in other.values or other.values[name] != value]


def _firings(run: Run) -> Iterator[Firing]:
    return run.trace.firings()
