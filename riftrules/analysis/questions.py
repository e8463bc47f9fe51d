"""What may be asked about a run: a value, a fact, an event, a rule, a request that was refused."""

from __future__ import annotations

import re
from dataclasses import dataclass

from riftrules.analysis.watching import Observation
from riftrules.language.model import Ruleset
from riftrules.language.problems import near


class QuestionError(ValueError):
    """The question names nothing there is; the message says what was probably meant."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question about a run.

    kind: `value` (of a field), `fact` (is it there), `event`, `rule` (has it fired, asked or refused), `firing` (of this
    number), `refusal` (of this item), `invariant` (is it violated) or `waiting` (for what). `template` is also the event's,
    rule's or invariant's name, and how a run was expected to wait (with `id` the player expected); `number` the firing's or
    item's.
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
            case "waiting":
                return "what is waited for"
            case "event" | "rule" | "invariant":
                return f"{self.kind} {named}"
        return named


WAITING = "waiting"
NUMBERED = re.compile(r"(firing|item) (\d+)")


def question(text: str, seen: Observation) -> Question:
    """The question a text asks of a run: `room hall.owner`, `lamp beacon`, `no outcome`, `arrived`, `item 2`, `waiting`.

    A rule or `invariant NAME` may be asked of, too. Raises QuestionError.
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
    if word == "invariant" and template is None:
        return _invariant(rest.strip(), ruleset)
    if template is None and asked == WAITING and WAITING not in {rule.id for rule in ruleset.rules}:
        return Question("waiting")
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


def _invariant(name: str, ruleset: Ruleset) -> Question:
    known = [one.name for one in ruleset.invariants]
    if name in known:
        return Question("invariant", name)
    hint = near(name, known)
    message = f"there is no invariant `{name}`" + (f": {hint}" if hint else "")
    raise QuestionError(message)


def _rule(word: str, ruleset: Ruleset, asked: str) -> Question:
    rules = [rule.id for rule in ruleset.rules]
    if asked in rules or word in rules:
        return Question("rule", word)
    names = [*(name for name, one in ruleset.templates.items()), *rules]
    hint = (
        near(word, names, otherwise=False)
        or "ask of a fact (`unit Scout`), a field (`unit Scout.at`), an event, a rule, `item 2` or `waiting`"
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
