"""Makes a finding small: what is not needed for it goes, as long as it is still found."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from riftrules.analysis.proof.agreement import Agreement
from riftrules.analysis.proof.exploring import explorer
from riftrules.analysis.proof.findings import Finding, Node
from riftrules.analysis.proof.setup import Setup
from riftrules.engine.orders import Step, Trial, ends_of_orders
from riftrules.engine.reference import Session as Reference
from riftrules.errors import NOWHERE, LimitError, RunError
from riftrules.facts.memory import Fact, WorkingMemory
from riftrules.facts.trace import Refusal, StackedFrame
from riftrules.facts.types import Call
from riftrules.language.defaults import complete
from riftrules.scenario.board import SETTINGS
from riftrules.scenario.model import Beginning, Choosing, Item, Requesting
from riftrules.scenario.words import said
from riftrules.scenario.writing import Draft, fixture_text
from riftrules.source import Scalar


@dataclass(frozen=True, slots=True)
class Case:
    """A board, and the steps that end in the finding."""

    facts: tuple[Fact, ...]
    stack: tuple[StackedFrame, ...]
    steps: tuple[Step, ...]


def counterexample(setup: Setup, finding: Finding) -> str:
    """The finding as the smallest fixture found, which fails when it is played alone."""
    return fixture_of(setup, finding, _case(setup, finding))


def fixture_of(setup: Setup, finding: Finding, case: Case) -> str:
    """The case as a fixture, once everything is out of it that is not needed."""
    return fixture_text(_draft(setup, finding, smallest(setup, finding, case)), setup.ruleset)


def fixture_as_it_was(setup: Setup, finding: Finding, case: Case) -> str:
    """The case as a fixture, with everything that was done: what makes it a finding is all of the board at its end."""
    return fixture_text(_draft(setup, finding, case), setup.ruleset)


def _case(setup: Setup, finding: Finding) -> Case:
    board = setup.boards[finding.board]
    walking = explorer(setup)
    steps = []
    for length, place in enumerate(finding.trail):
        trial = walking.at(Node(finding.board, finding.trail[:length], 0))
        steps.append(walking.steps(trial)[place])
    return Case(board.facts, board.stack, tuple(steps))


def smallest(setup: Setup, finding: Finding, case: Case) -> Case:
    """The case without whatever can be taken out, one thing after the other, until nothing more can."""
    while True:
        smaller = next((one for one in _smaller(setup, case) if shows(setup, finding, one)), None)
        if smaller is None:
            return case
        case = smaller


def _smaller(setup: Setup, case: Case) -> Iterator[Case]:
    """Smaller cases, the boldest first: steps in ever shorter runs, frames, facts, fields."""
    length = len(case.steps) // 2
    while length:
        for place in range(0, len(case.steps) - length + 1, length):
            yield replace(case, steps=(*case.steps[:place], *case.steps[place + length :]))
        length //= 2
    if case.stack:
        yield replace(case, stack=())
    for fact in case.facts:
        if fact.template != SETTINGS:
            yield replace(case, facts=_without(setup, case.facts, fact))
    for place, fact in enumerate(case.facts):
        yield from (
            replace(case, facts=(*case.facts[:place], plainer, *case.facts[place + 1 :]))
            for plainer in _plainer(setup, case, fact)
        )


def _without(setup: Setup, facts: tuple[Fact, ...], gone: Fact) -> tuple[Fact, ...]:
    """The facts without one, and without what hangs on it."""
    memory = _memory(setup, facts)
    memory.retract(gone.template, gone.id)
    return tuple(memory)


def _memory(setup: Setup, facts: tuple[Fact, ...]) -> WorkingMemory:
    memory = WorkingMemory(setup.ruleset.shapes)
    for fact in facts:
        memory.put(fact)
    return memory


def _plainer(setup: Setup, case: Case, fact: Fact) -> Iterator[Fact]:
    """The fact with one field as it is by default."""
    template = setup.ruleset.templates[fact.template]
    settled = setup.ruleset.modes.get(setup.mode, {}) if fact.template == SETTINGS else {}
    silent = complete(template, fact.id, settled, _memory(setup, case.facts), position=_position(case, fact)).values
    for name, value in fact.values.items():
        if value != silent[name] and not template.fields[name].required and name not in (template.key or ()):
            yield fact.with_values({name: silent[name]})


def _position(case: Case, fact: Fact) -> int:
    return [one.id for one in case.facts if one.template == fact.template].index(fact.id) + 1


# ------------------------------------------------------------------------------------------------ is it still found


def shows(setup: Setup, finding: Finding, case: Case) -> bool:
    """Whether the case still shows the finding."""
    if not case.steps and finding.kind != "invariant":
        return False
    try:
        trial = Trial(setup.program, case.facts, case.stack)
        trial.settle()
        return SHOWS[finding.kind](setup, finding, case, trial)
    except (RunError, ValueError, LookupError, AssertionError):  # a board without what the rules take for granted
        return False


def _does_all(trial: Trial, steps: tuple[Step, ...]) -> bool:
    return not any(isinstance(trial.do(step), Refusal) for step in steps)


def _fails(setup: Setup, finding: Finding, case: Case, trial: Trial) -> bool:
    """The last step raises, as before."""
    del setup
    if not _does_all(trial, case.steps[:-1]):
        return False
    try:
        trial.do(case.steps[-1])
    except LimitError:
        return finding.kind == "termination"
    except RunError as error:
        return finding.kind == "failure" and finding.about == (error.rule,)
    return False


def _violates(setup: Setup, finding: Finding, case: Case, trial: Trial) -> bool:
    """The invariant holds before the last step and is violated after it."""
    del setup
    broken = finding.about[0]
    if not case.steps or not _does_all(trial, case.steps[:-1]) or _is_violated(trial, broken):
        return False
    return not isinstance(trial.do(case.steps[-1]), Refusal) and _is_violated(trial, broken)


def _is_violated(trial: Trial, invariant: str) -> bool:
    return any(one.rule == invariant for one in trial.violations())


def _hangs(setup: Setup, finding: Finding, case: Case, trial: Trial) -> bool:
    """In the last step the order of the same rules decides."""
    if not _does_all(trial, case.steps[:-1]):
        return False
    return any(pair == finding.about for pair in ends_of_orders(trial, explorer(setup).strict, case.steps[-1]))


def _differs(setup: Setup, finding: Finding, case: Case, trial: Trial) -> bool:
    """Engine and reference differ in the last step, in the same way."""
    if not _does_all(trial, case.steps[:-1]):
        return False
    board = replace(setup.boards[finding.board], facts=case.facts, stack=case.stack)
    found = Agreement(setup.ruleset).differences(board, trial, case.steps[:-1], case.steps[-1:])
    return any((message,) == finding.about for _, message in found)


SHOWS: dict[str, Callable[[Setup, Finding, Case, Trial], bool]] = {
    "termination": _fails,
    "failure": _fails,
    "invariant": _violates,
    "confluence": _hangs,
    "agreement": _differs,
}


# ------------------------------------------------------------------------------------------------ as a fixture


def _draft(setup: Setup, finding: Finding, case: Case) -> Draft:
    ruleset = setup.ruleset
    return Draft(
        name=finding.message.replace("`", "'"),
        ruleset=ruleset.name,
        facts=case.facts,
        stack=case.stack,
        items=tuple(_item(step) for step in case.steps),
        then=_then(setup, finding, case),
        mode=setup.mode,
        note=f"found by a proof of the scope {setup.scope.name}",
        any_order=finding.kind == "confluence",
    )


def _item(step: Step) -> Item:
    if step.kind == "request":
        return Requesting(step.name, step.fields, NOWHERE)
    if step.kind == "begin":
        return Beginning((Call(step.name, step.fields),), NOWHERE)
    quoted = isinstance(step.option, str)
    return Choosing(Scalar(step.option if quoted else said(step.option), quoted, NOWHERE), NOWHERE)


def _then(setup: Setup, finding: Finding, case: Case) -> tuple[str, ...]:
    """What the fixture expects besides what fails: in an agreement what the reference says, else something to look at."""
    if finding.kind == "agreement":
        return _as_the_reference(setup, case)
    templates = setup.ruleset.templates
    there = [fact for fact in case.facts if fact.template != SETTINGS and not templates[fact.template].key]
    lasting = sorted(there, key=lambda fact: templates[fact.template].kind != "singleton")
    named = [fact.template if fact.id == fact.template else f"{fact.template} {fact.id}" for fact in lasting[:1]]
    return tuple(f"{name}: {{}}" for name in named)


def _as_the_reference(setup: Setup, case: Case) -> tuple[str, ...]:
    reference = Reference(setup.ruleset, case.facts, case.stack)
    reference.settle()
    for step in case.steps:
        if step.kind == "choose":
            reference.choose(step.option)
        elif step.kind == "begin":
            reference.begin((Call(step.name, step.fields),))
        else:
            reference.request(step.name, dict(step.fields))
    counts: dict[str, int] = {}
    for firing in reference.trace.firings():
        counts[firing.rule] = counts.get(firing.rule, 0) + 1
    fired = ", ".join(f"{rule}: {count}" for rule, count in counts.items())
    return (f"waiting: {reference.waiting.kind}", f"fired: {{{fired}}}" if fired else "fired: []")
