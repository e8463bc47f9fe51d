"""What a run answers to a question: as one value, so that runs can be compared, and in a few words."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from riftrules.analysis.leading import leading_procedures
from riftrules.analysis.questions import Question, known_ids
from riftrules.analysis.watching import Observation, Rest
from riftrules.engine.reference.matching import Board, Key
from riftrules.engine.reference.scopes import Scopes
from riftrules.facts.memory import WorkingMemory
from riftrules.facts.trace import Began, Firing, Refused, Requested
from riftrules.facts.types import RefType, Value
from riftrules.scenario.model import Run
from riftrules.scenario.words import said, said_waiting


def final_board(run: Run) -> Board:
    """The board at the end of a run, as the reference reads it."""
    memory = WorkingMemory(run.ruleset.shapes)
    for fact in run.after:
        memory.put(fact)
    return Board(run.ruleset, memory, Scopes())


def answer(asked: Question, run: Run, firing: Firing | None = None) -> Value:
    """What a run has to say to a question, as one value: two runs that answer alike give equal ones.

    `firing` is the one asked about where the question is of a firing, or of a rule that fires. An event that has no id is
    asked about by its fields.
    """
    match asked.kind:
        case "value":
            return _value(asked, run)
        case "fact" if run.ruleset.templates[asked.template].kind == "frame":
            return len(_frames(leading_procedures((asked.template,), run.ruleset), run))
        case "fact":
            return any(fact.template == asked.template and asked.id in {"", fact.id} for fact in run.after)
        case "event":
            return sum(1 for event in run.trace.events() if event.template == asked.template and asked.id in {"", event.id})
        case "refusal":
            refusal = next((moment.refusal for moment in run.moments if moment.item == asked.number), None)
            return None if refusal is None else (refusal.reason, tuple(one.rule for one in refusal.rules))
        case "invariant":
            return any(one.path == f"invariant {asked.template}" for one in run.verdict.differences)
        case "waiting":
            waiting = run.waiting
            choice = (waiting.choice.rule, waiting.choice.by) if waiting.choice is not None else None
            return waiting.kind, tuple((one.player, one.requests) for one in waiting.asks), choice
        case "rule" if run.ruleset.rule(asked.template).kind == "legality":
            return len(_refusals(asked.template, run))
        case "rule" if run.ruleset.rule(asked.template).kind == "ask":
            # Within an item of `everyone` only the requests show how often it has asked.
            asks = [any(one.rule == asked.template for one in moment.waiting.asks) for moment in run.moments]
            return sum(asks), sum(1 for entry in run.trace.entries if isinstance(entry, Requested))
    assert firing is not None  # noqa: S101 - a question of a rule or a firing comes with one
    wanted = _alike(firing, run)
    return sum(1 for one in run.trace.firings() if one.rule == firing.rule and _alike(one, run) == wanted)


def _value(asked: Question, run: Run) -> Value:
    board = final_board(run)
    template = run.ruleset.templates[asked.template]
    if board.memory.get(asked.template, asked.id) is not None:
        return True, board.read(asked.template, asked.id, asked.field, derived=asked.field in template.derived)
    changes = [change for firing in run.trace.firings() for change in firing.changes] if template.kind == "frame" else []
    written = [
        one.after.values[asked.field]
        for one in changes
        if one.after is not None and (one.after.template, one.after.id) == (asked.template, asked.id)
    ]
    return False, written[-1] if written and asked.field in template.fields else None


def _frames(procedures: Collection[str], run: Run) -> set[str]:
    """The frames of these procedures that a trace names, and those given."""
    found = {fact.id for fact in run.before if fact.template in procedures}
    for entry in run.trace.entries:
        match entry:
            case Firing():
                found |= {*entry.begun, *entry.due, entry.frame}
            case Requested(frame, _, _):
                found.add(frame)
            case Began(frames, _):
                found |= set(frames)
    return {frame for frame in found if frame.rpartition("-")[0] in procedures}


def _alike(firing: Firing, run: Run) -> tuple[tuple[str, Value], ...]:
    """The bindings but for frames and events, whose numbers hang on what else has happened."""
    passing = {name for name, one in run.ruleset.templates.items() if one.kind in {"frame", "event"}}
    types = run.ruleset.rule(firing.rule).variables
    refs = {name for name, type_ in types.items() if isinstance(type_, RefType) and type_.template in passing}
    return tuple((name, value) for name, value in firing.bindings if name not in refs)


def _refusals(rule: str, run: Run) -> list[tuple[int, Refused]]:
    """The items in which a rule has refused, with its bindings."""
    refusals = [(moment.item, moment.refusal) for moment in run.moments if moment.refusal is not None]
    return [(item, one) for item, refusal in refusals for one in refusal.rules if one.rule == rule]


def rests_asking(rule: str, seen: Observation) -> list[Rest]:
    """Where a run came to rest because a rule asked."""
    return [rest for rest in seen.watch.rests if any(one.rule == rule for one in rest.waiting.asks)]


# ------------------------------------------------------------------------------------------------ in words


def said_answer(asked: Question, seen: Observation) -> str:
    """The answer in a few words: `is P1`, `is there`, `is gone`, `never happened`."""
    run = seen.run
    match asked.kind:
        case "value":
            there, value = answer(asked, run)
            return f"is {said(value)}" if there else f"is not there any more{_ended_with(asked, seen)}"
        case "fact" if run.ruleset.templates[asked.template].kind == "frame":
            return _said_frames(asked, seen)
        case "fact":
            return (
                "is there" if answer(asked, run) else "is gone" if asked.id in known_ids(asked.template, seen) else "is not there"
            )
        case "event":
            times = answer(asked, run)
            return "never happened" if not times else "happened" if times == 1 else f"happened {times} times"
        case "refusal":
            refusal = next(one.refusal for one in run.moments if one.item == asked.number and one.refusal is not None)
            return f"was refused: {refusal.reason}" if refusal.reason else "was refused"
        case "invariant":
            return _said_violation(asked, run)
        case "waiting":
            return f"({run.waiting.kind}): {said_waiting(run.waiting)}"
        case "rule":
            return _said_rule(asked.template, seen)
    firing = next(one for one in run.trace.firings() if one.number == asked.number)
    return f"is {firing.rule}"


def _said_rule(name: str, seen: Observation) -> str:
    match seen.ruleset.rule(name).kind:
        case "legality":
            refused = [f"item {item}{_with(one.bindings)}" for item, one in _refusals(name, seen.run)]
            return f"refused {'; '.join(refused)}" if refused else "never refused"
        case "ask":
            items = dict.fromkeys(str(seen.item_of(max(rest.entries - 1, 0))) for rest in rests_asking(name, seen))
            return f"asked in {'items' if len(items) > 1 else 'item'} {', '.join(items)}" if items else "never asked"
    times = sum(1 for one in seen.run.trace.firings() if one.rule == name)
    return "never fired" if not times else "fired" if times == 1 else f"fired {times} times"


def _with(bindings: Sequence[tuple[str, Value]]) -> str:
    return f" with {', '.join(f'${name} = {said(value)}' for name, value in bindings)}" if bindings else ""


def _said_violation(asked: Question, run: Run) -> str:
    found = ((moment.item, one) for moment in run.moments for one in moment.differences)
    first = next(((item, one) for item, one in found if one.path == f"invariant {asked.template}"), None)
    return f"is violated after item {first[0]}: {first[1].actual}" if first is not None else "is not violated"


# ------------------------------------------------------------------------------------------------ frames that have ended


def ended(key: Key, seen: Observation) -> str:
    """After (or by) which firing a frame ended; empty where it has not."""
    writes = seen.session.memory.log
    place = next((place for place in range(len(writes) - 1, -1, -1) if (writes[place].template, writes[place].id) == key), None)
    if place is None or writes[place].after is not None:
        return ""
    stood = seen.watch.stood
    number = max((number for number, one in stood.items() if one.before <= place), default=0)
    if not number:
        return "ended before anything fired"
    return f"ended {'by' if place < stood[number].after else 'after'} firing {number}"


def _ended_with(asked: Question, seen: Observation) -> str:
    """When the frame ended that a field is of, and what the field was then."""
    template = seen.ruleset.templates[asked.template]
    when = ended((asked.template, asked.id), seen) if template.kind == "frame" else ""
    last = seen.session.memory.last(asked.template, asked.id)
    if not when or last is None or asked.field not in template.fields:
        return f": its frame {when}" if when else ""
    return f": its frame {when}, when it was {said(last.values[asked.field])}"


def _said_frames(asked: Question, seen: Observation) -> str:
    """The frames there have been of a procedure: whether each is there, or when it ended, and what it follows."""
    ids = [asked.id] if asked.id else sorted(known_ids(asked.template, seen), key=_numbered)
    if not ids:
        return "never began"
    told = []
    for id_ in ids[:MOST_FRAMES]:
        origin = seen.watch.origins.get(id_, "")
        named = "" if asked.id else f"{id_} "
        told.append(f"{named}{ended((asked.template, id_), seen) or 'is there'}" + (f" (it comes of {origin})" if origin else ""))
    more = f"; {len(ids) - MOST_FRAMES} more" if len(ids) > MOST_FRAMES else ""
    return f"{'' if asked.id else 'began: '}{'; '.join(told)}{more}"


def _numbered(id_: str) -> int:
    number = id_.rpartition("-")[2]
    return int(number) if number.isdecimal() else 0


MOST_FRAMES = 3
