"""What may be asked about a run: a value, a fact, an event, a rule, a request that was refused."""

from __future__ import annotations

import re
from dataclasses import dataclass

from riftrules.analysis.watching import Observation
from riftrules.engine.reference.matching import Board
from riftrules.engine.reference.scopes import Scopes
from riftrules.facts.memory import WorkingMemory
from riftrules.facts.trace import Firing
from riftrules.facts.types import RefType, Value
from riftrules.language.model import Ruleset
from riftrules.language.problems import near
from riftrules.scenario.model import Run
from riftrules.scenario.words import said


class QuestionError(ValueError):
    """The question names nothing there is; the message says what was probably meant."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question about a run.

    kind: `value` (of a field), `fact` (is it there), `event`, `rule` (has it fired), `firing` (of this number) or
    `refusal` (of this item). `template` is also the event's or the rule's name; `number` the firing's or item's.
    """

    kind: str
    template: str = ""
    id: str = ""
    field: str = ""
    number: int = 0

    @property
    def subject(self) -> str:
        """What is asked about, as it is typed."""
        named = self.template if self.id in {"", self.template} else f"{self.template} {self.id}"
        match self.kind:
            case "value":
                return f"{named}.{self.field}"
            case "firing":
                return f"firing {self.number}"
            case "refusal":
                return f"item {self.number}"
            case "event" | "rule":
                return f"{self.kind} {named}"
        return named


NUMBERED = re.compile(r"(firing|item) (\d+)")


def question(text: str, seen: Observation) -> Question:
    """The question a text asks of a run: `room hall.owner`, `lamp beacon`, `no outcome`, `arrived`, `item 2`, a rule.

    Raises QuestionError.
    """
    asked = text.strip().removeprefix("no ").strip()
    numbered = NUMBERED.fullmatch(asked)
    if numbered is not None:
        return _numbered(numbered[1], int(numbered[2]), seen)
    ruleset = seen.ruleset
    word, _, rest = asked.partition(" ")
    if word in {"event", "rule"} and rest:
        word, _, rest = rest.partition(" ")
    head = word.partition(".")[0]
    template = ruleset.templates.get(head)
    if template is None:
        return _rule(word, ruleset, asked)
    if template.kind == "event":
        return Question("event", head, rest.strip())
    if template.kind == "singleton":
        return _of_fact(head, head, word.partition(".")[2], ruleset)
    return _fact(head, rest.strip(), seen)


def _numbered(kind: str, number: int, seen: Observation) -> Question:
    if kind == "item":
        refused = [moment.item for moment in seen.run.moments if moment.refusal is not None]
        if number not in refused:
            there = f"refused are the items {', '.join(map(str, refused))}" if refused else "nothing was refused"
            message = f"item {number} was not refused: {there}"
            raise QuestionError(message)
        return Question("refusal", number=number)
    last = max((firing.number for firing in seen.run.trace.firings()), default=0)
    if not 0 < number <= last:
        message = f"there is no firing {number}: there are {last}"
        raise QuestionError(message)
    return Question("firing", number=number)


def _rule(word: str, ruleset: Ruleset, asked: str) -> Question:
    rules = [rule.id for rule in ruleset.rules]
    if asked in rules or word in rules:
        return Question("rule", word)
    names = [*(name for name, one in ruleset.templates.items()), *rules]
    hint = (
        near(word, names, otherwise=False)
        or "ask of a fact (`unit Scout`), a field (`unit Scout.at`), an event, a rule or `item 2`"
    )
    message = f"`{word}` is no template, event or rule: {hint}"
    raise QuestionError(message)


def _fact(template: str, rest: str, seen: Observation) -> Question:
    """A fact by its id, or one of its fields: ids may hold dots and spaces, so the longest id that was ever there counts."""
    ids = known_ids(template, seen)
    if rest in ids:
        return Question("fact", template, rest)
    id_, _, field = rest.rpartition(".")
    if id_ in ids:
        return _of_fact(template, id_, field, seen.ruleset)
    if not rest:
        return Question("fact", template)
    hint = near(id_ or rest, ids)
    message = f"there never was a {template} `{id_ or rest}`" + (f": {hint}" if hint else "")
    raise QuestionError(message)


def known_ids(template: str, seen: Observation) -> tuple[str, ...]:
    """The ids of a template that were there at some time in the run."""
    given = {fact.id for fact in seen.run.before if fact.template == template}
    written = {write.id for write in seen.session.memory.log if write.template == template}
    return tuple(sorted(given | written))


def _of_fact(template: str, id_: str, field: str, ruleset: Ruleset) -> Question:
    if not field:
        return Question("fact", template, id_)
    kind = ruleset.templates[template]
    known = [*kind.fields, *kind.derived]
    if field not in known:
        hint = near(field, known)
        message = f"`{template}` has no field `{field}`" + (f": {hint}" if hint else "")
        raise QuestionError(message)
    return Question("value", template, id_, field)


# ------------------------------------------------------------------------------------------------ answers


def final_board(run: Run) -> Board:
    """The board at the end of a run, as the reference reads it."""
    memory = WorkingMemory(run.ruleset.shapes)
    for fact in run.after:
        memory.put(fact)
    return Board(run.ruleset, memory, Scopes())


def answer(asked: Question, run: Run, firing: Firing | None = None) -> Value:
    """What a run has to say to a question, as one value: two runs that answer alike give equal ones.

    `firing` is the one asked about where the question is of a rule or a firing. An event that has no id is asked about
    by its fields.
    """
    match asked.kind:
        case "value":
            board = final_board(run)
            there = board.memory.get(asked.template, asked.id) is not None
            derived = asked.field in run.ruleset.templates[asked.template].derived
            return there, board.read(asked.template, asked.id, asked.field, derived=derived) if there else None
        case "fact":
            return any(fact.template == asked.template and asked.id in {"", fact.id} for fact in run.after)
        case "event":
            return sum(1 for event in run.trace.events() if event.template == asked.template and asked.id in {"", event.id})
        case "refusal":
            refusal = next((moment.refusal for moment in run.moments if moment.item == asked.number), None)
            return None if refusal is None else (refusal.reason, tuple(one.rule for one in refusal.rules))
    assert firing is not None  # noqa: S101 - a question of a rule or a firing comes with one
    wanted = _alike(firing, run)
    return sum(1 for one in run.trace.firings() if one.rule == firing.rule and _alike(one, run) == wanted)


def _alike(firing: Firing, run: Run) -> tuple[tuple[str, Value], ...]:
    """The bindings but for frames and events, whose numbers hang on what else has happened."""
    passing = {name for name, one in run.ruleset.templates.items() if one.kind in {"frame", "event"}}
    types = run.ruleset.rule(firing.rule).variables
    refs = {name for name, type_ in types.items() if isinstance(type_, RefType) and type_.template in passing}
    return tuple((name, value) for name, value in firing.bindings if name not in refs)


def said_answer(asked: Question, seen: Observation) -> str:
    """The answer in a few words: `P1`, `there`, `gone`, `never`."""
    run = seen.run
    match asked.kind:
        case "value":
            there, value = answer(asked, run)
            return f"is {said(value)}" if there else "is not there any more"
        case "fact":
            if answer(asked, run):
                return "is there"
            return (
                "is gone"
                if asked.id and known_ids(asked.template, seen) and asked.id in known_ids(asked.template, seen)
                else "is not there"
            )
        case "event":
            times = answer(asked, run)
            return "never happened" if not times else "happened" if times == 1 else f"happened {times} times"
        case "refusal":
            refusal = next(one.refusal for one in run.moments if one.item == asked.number and one.refusal is not None)
            return f"was refused: {refusal.reason}" if refusal.reason else "was refused"
        case "rule":
            times = sum(1 for one in run.trace.firings() if one.rule == asked.template)
            return "never fired" if not times else "fired" if times == 1 else f"fired {times} times"
    firing = next(one for one in run.trace.firings() if one.number == asked.number)
    return f"is {firing.rule}"
