"""Writes the board on which two rulesets differ as a fixture that passes on one of them and not on the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from riftrules.analysis.comparing.changes import chosen
from riftrules.analysis.comparing.mixing import Revision
from riftrules.analysis.comparing.outcomes import Divergence
from riftrules.analysis.comparing.players import Players
from riftrules.analysis.comparing.realising import on_both
from riftrules.analysis.rereading import reread
from riftrules.errors import NOWHERE
from riftrules.facts.memory import Fact
from riftrules.facts.trace import Chosen, Firing
from riftrules.scenario.model import Choosing, Item, Refusing, Requesting, Run, Scenario
from riftrules.scenario.written import expected_lines, fixture_text


@dataclass(frozen=True, slots=True)
class Told:
    """A fixture: under the `side` it is told for, `new` or `old`, it passes, and under the other it does not."""

    scenario: Scenario
    text: str
    side: str


def told(scenario: Scenario, runs: tuple[Run, Run], revision: Revision, divergence: Divergence, players: Players) -> Told | None:
    """The fixture that says what comes of the board under the new rules, or else under the old ones.

    None where neither tells them apart: what differs cannot be expected, or an invariant is violated on both sides.
    """
    here = on_both(scenario, revision)
    for side, place in (("new", 1), ("old", 0)):
        ruleset = (revision.old, revision.new)[place]
        run, other = runs[place], runs[1 - place]
        named = replace(here[place], name=_name(revision), items=_items(run), lenient=False, place=NOWHERE, cites=(), id="")
        text = fixture_text(named, ruleset, tuple(_then(other, run)), _comment(divergence, side))
        if _passes(text, revision, players) == (place == 0, place == 1):
            return Told(named, text, side)
    return None


def untold(scenario: Scenario, revision: Revision, divergence: Divergence) -> Told:
    """The board alone, for a difference that no scenario could expect."""
    comment = [
        *_comment(divergence, "new")[:2],
        "No scenario can expect the difference: it is in how the end is reached, or no such board is in play.",
    ]
    named = replace(scenario, name=_name(revision), lenient=False, place=NOWHERE, cites=(), id="")
    return Told(named, fixture_text(named, revision.new, (), comment), "")


def _name(revision: Revision) -> str:
    edits = revision.playing
    if len(edits) == 1:
        return f"a board that tells apart what an edit of {edits[0].name} changes"
    return f"a board that tells {revision.old.name} and {revision.new.name} apart"


def _comment(divergence: Divergence, side: str) -> list[str]:
    other = "old" if side == "new" else "new"
    passes = f"Passes under the {side} rules and not under the {other} ones."
    return [f"Under the new rules: {divergence.new}.", f"Under the old rules: {divergence.old}.", passes]


def _passes(text: str, revision: Revision, players: Players) -> tuple[bool, bool]:
    """Whether the fixture passes under the old and under the new rules."""
    called = (revision.old.name, revision.new.name)
    sides = [(ruleset, reread(text, ruleset, called)) for ruleset in (revision.old, revision.new)]
    old, new = (one is not None and players.play(one, ruleset).verdict.status == "passed" for ruleset, one in sides)
    return old, new


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
    # What was being done when the run broke off, and all after it, is as it was to be.
    return (*found, *run.scenario.items[len(run.moments) :])


def _then(old: Run, new: Run) -> Iterator[str]:
    """What holds at the end under the new rules and not under the old, and what fires."""
    olds, news = ({(fact.template, fact.id): fact for fact in run.after} for run in (old, new))
    differing = [(fact, _fields(fact, olds.get(key))) for key, fact in news.items() if fact.template != "settings"]
    gone = [fact for key, fact in olds.items() if key not in news and fact.template != "settings"]
    yield from expected_lines(
        [(fact, names) for fact, names in differing if names or (fact.template, fact.id) not in olds], gone=gone
    )
    if new.waiting.kind != old.waiting.kind or new.waiting.kind == "choosing":
        yield f"waiting: {new.waiting.kind}"
    fired, before = (Counter(firing.rule for firing in _firings(run)) for run in (new, old))
    known = {rule.id for rule in new.ruleset.rules}  # a rule that is dropped cannot be named
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
