"""A run to go through firing by firing, forward and back, with facts changed on the way.

Nothing is undone: the scenario is played again on the reference with the changes made where they were made. So going
back is free, and the run after a change is what it would have been.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from riftrules.analysis.edits import Addition, BoardEdit, FieldEdit, Removal, edited
from riftrules.analysis.questions import QuestionError
from riftrules.analysis.watching import Observation, Point, Rest, observe
from riftrules.engine.reference.matching import Board
from riftrules.engine.reference.planning import Activation
from riftrules.engine.reference.state import Visit
from riftrules.facts.memory import Fact, WorkingMemory
from riftrules.facts.trace import Firing, Waiting
from riftrules.facts.types import keyed_id
from riftrules.language.defaults import complete
from riftrules.language.model import Rule, Ruleset, Template
from riftrules.language.problems import near
from riftrules.language.saying import say_value
from riftrules.language.values import fields_of, value_of
from riftrules.scenario.model import Expecting, Item, Requesting, Scenario
from riftrules.scenario.writing import Draft, fixture_text
from riftrules.source import Entries, parse


@dataclass(frozen=True, slots=True)
class Alteration:
    """A change made by hand after a firing; 0 is before the first."""

    after: int
    edit: BoardEdit


@dataclass(frozen=True, slots=True)
class Waits:
    """A rule that may fire next, with its bindings."""

    rule: Rule
    bindings: tuple[tuple[str, object], ...]


class Stepper:
    """Where somebody stands in a run: after the firing `position`, 0 being the board as it was given."""

    def __init__(self, scenario: Scenario, ruleset: Ruleset) -> None:
        self.given, self.ruleset = scenario, ruleset
        self.alterations: tuple[Alteration, ...] = ()
        self.position = 0
        self.agenda: dict[int, tuple[Waits, ...]] = {}
        self.seen = self._played()

    # -------------------------------------------------------------------------------------------- going

    @property
    def last(self) -> int:
        """The number of the last firing."""
        return max((firing.number for firing in self.seen.run.trace.firings()), default=0)

    @property
    def firing(self) -> Firing | None:
        """The firing that made the board as it is here; none at the start."""
        return next((firing for firing in self.seen.run.trace.firings() if firing.number == self.position), None)

    def go(self, position: int) -> None:
        """Stand after this firing, or as near to it as there are firings."""
        self.position = max(0, min(position, self.last))

    def facts(self, position: int | None = None) -> tuple[Fact, ...]:
        """The board after a firing; here where none is named."""
        at = self.position if position is None else position
        if not at:
            return (*self.scenario.facts, *(item.frame for item in self.scenario.stack))
        if at == self.last:
            return self.seen.run.after
        written = self.seen.watch.stood[at].after + self._by_hand.get(at, 0)
        return tuple(self.seen.board_at(written).memory)

    def waits(self) -> tuple[Waits, ...]:
        """What may fire next."""
        return self.agenda.get(self.position, ())

    def waiting(self) -> Waiting | None:
        """Why the run has come to rest here; none where it goes on by itself."""
        rests = [rest for rest in self.seen.watch.rests if rest.firings == self.position]
        return rests[-1].waiting if rests else None

    # -------------------------------------------------------------------------------------------- changing

    @property
    def scenario(self) -> Scenario:
        """The scenario with what was changed before the first firing."""
        return edited(self.given, [one.edit for one in self.alterations if not one.after], self.ruleset)

    def alter(self, text: str) -> None:
        """Change one fact here and play on: `unit u.at: A`, `no unit u`, `unit: {controller: you, at: A}` for one more.

        What was changed further on is dropped. Raises QuestionError with what is wrong.
        """
        edit = self._edit(text)
        self.alterations = (*(one for one in self.alterations if one.after <= self.position), Alteration(self.position, edit))
        self.seen = self._played()
        self.go(self.position)

    def restore(self) -> bool:
        """Take the last change back; false where there is none."""
        if not self.alterations:
            return False
        self.alterations = self.alterations[:-1]
        self.seen = self._played()
        self.go(self.position)
        return True

    def _played(self) -> Observation:
        self.agenda = {}
        self._by_hand: dict[int, int] = {}

        def alter(number: int, memory: WorkingMemory) -> None:
            before = len(memory.log)
            for one in self.alterations:
                if one.after == number:
                    _apply(one.edit, memory)
            self._by_hand[number] = len(memory.log) - before

        return observe(self.scenario, self.ruleset, self._look, alter)

    def _look(self, point: Point, _: Board, __: Sequence[Rule], found: Sequence[Activation], ___: Visit | None) -> None:
        if point.kind in {"step", "event"} and found:
            waits = tuple(Waits(one.rule, tuple(sorted(one.env.items()))) for one in found)
            self.agenda.setdefault(point.firings, waits)

    def _edit(self, text: str) -> BoardEdit:
        """The edit that a text says. Raises QuestionError."""
        if text.startswith("no "):
            template, id_ = self._fact(text.removeprefix("no ").strip())
            return Removal(template, id_)
        left, colon, right = text.partition(":")
        if not colon:
            message = "say `unit u.at: A`, `no unit u`, or `unit: {…}` for one more"
            raise QuestionError(message)
        if left.strip() in self.ruleset.templates:
            return Addition(self._new(self.ruleset.templates[left.strip()], right))
        subject, _, field = left.strip().rpartition(".")
        template, id_ = self._fact(subject)
        shape = self.ruleset.templates[template].fields.get(field)
        if shape is None:
            hint = near(field, self.ruleset.templates[template].fields)
            message = f"`{template}` has no field `{field}`" + (f": {hint}" if hint else "")
            raise QuestionError(message)
        node, problems = parse(right.strip(), "")
        value, more = value_of(node, shape.type, optional=shape.optional) if node is not None else (None, problems)
        if problems or more:
            raise QuestionError([*problems, *more][0].message)
        return FieldEdit(template, id_, field, value)

    def _fact(self, subject: str) -> tuple[str, str]:
        template, _, id_ = subject.partition(" ")
        known = {(fact.template, fact.id) for fact in self.facts()}
        key = (template, id_.strip() or template)
        if key not in known:
            names = [f"{one} {other}" if one != other else one for one, other in sorted(known)]
            hint = near(subject, names, otherwise=False)
            message = f"there is no {subject} here" + (f": {hint}" if hint else "")
            raise QuestionError(message)
        return key

    def _new(self, template: Template, text: str) -> Fact:
        node, problems = parse(text.strip() or "{}", "")
        if not isinstance(node, Entries) or problems:
            message = f"the fields of one more {template.name} are written `{{field: value}}`"
            raise QuestionError(message)
        refs = {fact.template: [one.id for one in self.facts() if one.template == fact.template] for fact in self.facts()}
        values, wrong = fields_of(
            node, template, refs=lambda type_: refs.get(type_.template, []), templates=self.ruleset.templates
        )
        missing = [one.name for one in template.fields.values() if one.required and one.name not in values]
        if wrong or missing:
            message = (
                wrong[0].message if wrong else f"one more {template.name} needs {', '.join(f'`{name}`' for name in missing)}"
            )
            raise QuestionError(message)
        memory = WorkingMemory(self.ruleset.shapes)
        for fact in self.facts():
            memory.put(fact)
        fact = complete(template, template.name if template.kind == "singleton" else memory.new_id(template.name), values, memory)
        return (
            Fact(fact.template, keyed_id(tuple(fact.values[name] for name in template.key)), fact.values)
            if template.key
            else fact
        )

    # -------------------------------------------------------------------------------------------- saving

    def fixture(self, name: str) -> str:
        """The scenario as a fixture: as changed from its start, or from the last rest before here on.

        What is expected is what comes of it. Raises QuestionError where it has not come to rest since a change.
        """
        later = [one for one in self.alterations if one.after]
        rest = next((one for one in reversed(self.seen.watch.rests) if one.firings <= self.position), None) if later else None
        if later and (rest is None or rest.firings < later[-1].after or rest.waiting.kind not in {"idle", "asked"}):
            message = "a board is saved where the run waits: go on until it does"
            raise QuestionError(message)
        return fixture_text(self._draft(name, rest), self.ruleset)

    def _draft(self, name: str, rest: Rest | None) -> Draft:
        scenario = self.scenario
        facts, stack, items = scenario.facts, scenario.stack, scenario.items
        if rest is not None:
            board = self.seen.board_at(rest.log).memory
            facts = tuple(fact for fact in board if self.ruleset.templates[fact.template].kind != "frame")
            stack = rest.stack
            items = items[sum(1 for moment in self.seen.run.moments if moment.entries <= rest.entries) :]
        kept = tuple(item for item in items if not _only_looks(item))
        then = tuple(_then(facts, self.seen.run.after, self.ruleset))
        return Draft(name, self.ruleset.name, facts, stack, kept, then, scenario.mode)


def _only_looks(item: Item) -> bool:
    """Whether an item changes nothing: an expectation, a request that is refused."""
    return isinstance(item, Expecting) or (isinstance(item, Requesting) and item.refused is not None)


def _then(before: Sequence[Fact], after: Sequence[Fact], ruleset: Ruleset) -> Iterator[str]:
    """What has come of a board, as lines of `then`: each fact that has changed, come or gone."""
    was = {(fact.template, fact.id): fact for fact in before}
    now = {(fact.template, fact.id): fact for fact in after if ruleset.templates[fact.template].kind != "frame"}
    for key, fact in now.items():
        old = was[key].values if key in was else {}
        changed = {name: value for name, value in fact.values.items() if old.get(name) != value}
        if changed:
            said = ", ".join(
                f"{name}: {say_value(value)}" for name, value in changed.items() if not isinstance(value, tuple) or not value
            )
            yield f"{_named(*key)}: {{{said}}}"
    yield from (f"no {_named(*key)}: {{}}" for key in was if key not in now)


def _named(template: str, id_: str) -> str:
    return template if template == id_ else f"{template} {id_}"


def _apply(edit: BoardEdit, memory: WorkingMemory) -> None:
    match edit:
        case FieldEdit(template, id_, name, value):
            fact = memory.get(template, id_)
            if fact is not None:
                memory.put(fact.with_values({name: value}), memory.within(template, id_))
        case Removal(template, id_):
            if memory.get(template, id_) is not None:
                memory.retract(template, id_)
        case Addition(fact):
            memory.put(fact)
