"""Baselines: the whole outcome of each scenario of a fixture, kept beside it, so that any change of it is seen.

A baseline is written by `test --accept` and by nothing else; its hash tells when somebody else has.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from riftrules.errors import Place, Problem
from riftrules.facts.trace import Began, Chosen, Entry, Firing, Refusal, Requested
from riftrules.facts.types import canonical
from riftrules.scenario.files import BASELINE, shown
from riftrules.scenario.model import Difference, Run
from riftrules.scenario.words import effects, named, said, said_fields, said_waiting

FORMAT = 1
SHOWN_FACTS = 3
AGAIN = "run `riftrules test --accept` if the new outcome is right"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a scenario, in canonical lines: what happened in order, and the facts at the end."""

    scenario: str
    id: str
    ruleset: str
    edition: str
    happened: tuple[str, ...]
    facts: tuple[str, ...]
    waiting: str

    @property
    def made_by(self) -> str:
        """The ruleset and its edition."""
        return f"`{self.ruleset}` ({self.edition})" if self.edition else f"`{self.ruleset}`"


@dataclass(frozen=True, slots=True)
class Baseline:
    """The outcomes kept for a fixture file, by scenario. With `problems` it cannot be trusted."""

    path: Path
    outcomes: Mapping[str, Outcome]
    problems: tuple[Problem, ...] = ()


def baseline_path(fixture: Path) -> Path:
    """Where the baseline of a fixture file is."""
    return fixture.with_name(fixture.stem + BASELINE)


# ------------------------------------------------------------------------------------------------ outcomes


def outcome_of(run: Run) -> Outcome:
    """The whole outcome of a run."""
    scenario, ruleset = run.scenario, run.ruleset
    facts = (
        _line({"fact": named(fact), "fields": {name: canonical(value) for name, value in fact.values.items()}})
        for fact in run.after
    )
    happened = tuple(_line(one) for one in _happened(run))
    return Outcome(scenario.name, scenario.id, ruleset.name, ruleset.edition, happened, tuple(facts), said_waiting(run.waiting))


def _line(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False)


def _happened(run: Run) -> Iterator[dict[str, Any]]:
    """Entries of the trace, and refusals where they were given."""
    done = 0
    for moment in run.moments:
        yield from (_entry(entry) for entry in run.trace.entries[done : moment.entries])
        done = max(done, moment.entries)
        if moment.refusal is not None:
            yield _refusal(moment.refusal)
    yield from (_entry(entry) for entry in run.trace.entries[done:])


def _entry(entry: Entry) -> dict[str, Any]:
    match entry:
        case Requested(_, procedure, fields):
            return {"request": procedure, "fields": said_fields(fields)}
        case Began(_, calls):
            return {"begin": [f"{name} {{{said_fields(fields)}}}" for name, fields in calls]}
        case Chosen(rule, by, option):
            return {"choice": said(option), "by": said(by), "rule": rule}
    return _firing(entry)


def _firing(firing: Firing) -> dict[str, Any]:
    where = [one for one in (firing.event, firing.frame, firing.step) if one]
    cites = list(firing.cites)
    return {
        "firing": firing.number,
        "rule": firing.rule,
        "cites": cites,
        "in": where,
        "pass": firing.pass_number,
        "does": effects(firing),
    }


def _refusal(refusal: Refusal) -> dict[str, Any]:
    return {"refused": refusal.procedure, "by": [one.rule for one in refusal.rules], "reason": refusal.reason}


# ------------------------------------------------------------------------------------------------ files


def baseline_text(fixture: Path, outcomes: Sequence[Outcome]) -> str:
    """The file of these outcomes: one line for each thing that happened and for each fact."""
    scenarios = [_scenario_lines(outcome) for outcome in outcomes]
    body = "[\n" + ",\n".join(scenarios) + "\n]"
    head = f'"riftrules": "baseline {FORMAT}",\n"fixture": {_line(fixture.name)},\n"hash": "{_hash(json.loads(body))}"'
    return f'{{\n{head},\n"scenarios": {body}\n}}\n'


def _scenario_lines(outcome: Outcome) -> str:
    head = {"scenario": outcome.scenario, "id": outcome.id, "ruleset": outcome.ruleset, "edition": outcome.edition}
    named_parts = ",\n".join(f'"{name}": {_line(value)}' for name, value in head.items())
    return (
        f"{{\n{named_parts},\n{_listed('happened', outcome.happened)},\n{_listed('facts', outcome.facts)},\n"
        f'"waiting": {_line(outcome.waiting)}\n}}'
    )


def _listed(name: str, lines: Sequence[str]) -> str:
    return f'"{name}": [' + ",".join(f"\n  {line}" for line in lines) + "\n]"


def _hash(scenarios: Any) -> str:
    text = json.dumps(scenarios, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return f"sha256:{sha256(text.encode()).hexdigest()}"


def read_baseline(fixture: Path) -> Baseline | None:
    """The baseline of a fixture file; None where there is none. One that was edited by hand has a problem."""
    path = baseline_path(fixture)
    if not path.is_file():
        return None
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        outcomes = [_outcome(one) for one in data["scenarios"]]
        hash_, form = data["hash"], data["riftrules"]
    except (ValueError, KeyError, TypeError, UnicodeDecodeError):
        return Baseline(path, {}, (_problem(path, "this is no baseline that can be read"),))
    if form != f"baseline {FORMAT}":
        return Baseline(path, {}, (_problem(path, f"this baseline is of another format: `{form}`"),))
    if hash_ != _hash(data["scenarios"]):
        return Baseline(path, {}, (_problem(path, "this baseline was edited by hand: its hash is not that of its content"),))
    return Baseline(path, dict(zip(keys([one.scenario for one in outcomes]), outcomes, strict=True)))


def _problem(path: Path, message: str) -> Problem:
    return Problem(Place(shown(path)), "baseline", message, "run `riftrules test --accept` to write it anew")


def _outcome(data: Mapping[str, Any]) -> Outcome:
    happened, facts = (tuple(_line(one) for one in data[name]) for name in ("happened", "facts"))
    return Outcome(data["scenario"], data["id"], data["ruleset"], data["edition"], happened, facts, data["waiting"])


def keys(names: Sequence[str]) -> list[str]:
    """A name for each scenario that no other of its file has: the second of one name is `NAME #2`."""
    return [f"{name} #{names[:place].count(name) + 1}" if name in names[:place] else name for place, name in enumerate(names)]


# ------------------------------------------------------------------------------------------------ comparing


def compared(run: Run, kept: Outcome) -> Run:
    """The run, its verdict failed where its outcome is not the one kept."""
    if run.verdict.status not in {"passed", "failed"}:
        return run
    found = tuple(_differences(run.verdict.place, kept, outcome_of(run)))
    if not found:
        return run
    return replace(run, verdict=replace(run.verdict, status="failed", differences=(*run.verdict.differences, *found)))


def _differences(place: Place, kept: Outcome, now: Outcome) -> Iterator[Difference]:
    if (kept.ruleset, kept.edition) != (now.ruleset, now.edition):
        yield Difference(
            place, "baseline", f"an outcome of {now.made_by}", f"the baseline was made by {kept.made_by}", note=AGAIN
        )
        return
    number = next((number for number, pair in enumerate(_pairs(kept.happened, now.happened), 1) if pair[0] != pair[1]), 0)
    if number:
        was, is_ = _at(kept.happened, number), _at(now.happened, number)
        yield Difference(place, f"baseline, line {number} of what happened", was, is_, note=AGAIN)
    gone = [line for line in kept.facts if line not in now.facts]
    new = [line for line in now.facts if line not in kept.facts]
    subjects = dict.fromkeys(json.loads(line)["fact"] for line in (*gone, *new))
    for subject in list(subjects)[:SHOWN_FACTS]:
        yield Difference(place, f"baseline, {subject}", _fact(gone, subject, new), _fact(new, subject, gone))
    if len(subjects) > SHOWN_FACTS:
        yield Difference(place, "baseline", "the same facts at the end", f"{len(subjects) - SHOWN_FACTS} more differ")
    if kept.waiting != now.waiting:
        yield Difference(place, "baseline, the end", kept.waiting, now.waiting)


def _pairs(one: Sequence[str], other: Sequence[str]) -> Iterator[tuple[str, str]]:
    length = max(len(one), len(other))
    yield from zip((*one, *[""] * (length - len(one))), (*other, *[""] * (length - len(other))), strict=True)


def _at(lines: Sequence[str], number: int) -> str:
    """What happened in a line, in words."""
    if number > len(lines):
        return "nothing more"
    data = json.loads(lines[number - 1])
    if "firing" in data:
        cites = f" [{', '.join(data['cites'])}]" if data["cites"] else ""
        return f"{data['firing']}. {data['rule']}{cites}: {'; '.join(data['does'])}"
    return ", ".join(f"{name}: {value if isinstance(value, str) else ', '.join(value)}" for name, value in data.items() if value)


def _fact(lines: Sequence[str], subject: str, others: Sequence[str]) -> str:
    """The fields of a fact that the other side has otherwise."""
    fields = _fields(lines, subject)
    other = _fields(others, subject)
    if fields is None:
        return "it is not there"
    differing = {name: value for name, value in fields.items() if other is None or other.get(name) != value}
    return ", ".join(f"{name}: {_said(value)}" for name, value in differing.items())


def _fields(lines: Sequence[str], subject: str) -> dict[str, Any] | None:
    return next((data["fields"] for line in lines if (data := json.loads(line))["fact"] == subject), None)


def _said(value: Any) -> str:
    return "none" if value is None else value if isinstance(value, str) else _line(value)
