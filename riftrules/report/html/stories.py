"""Scenarios as stories for a page: plain data that can be told in one process and put on the page in another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import Any, TypeAlias

from riftrules.report.html.packing import Packer
from riftrules.report.html.rules import Library
from riftrules.report.html.sides import side_data
from riftrules.report.problems import problem_data
from riftrules.scenario.model import Verdict
from riftrules.scenario.recording import Recording

Told: TypeAlias = Recording | Verdict
"""A scenario played, or the verdict on one that could not be."""


@dataclass(frozen=True, slots=True)
class Pair:
    """One scenario as it goes by the old rules and by the new ones."""

    old: Told
    new: Told


@dataclass(frozen=True, slots=True)
class Story:
    """A scenario as it is told: its status, what the list says of it, its runs stop by stop, the rules that took part.

    A pair's status is `changed`, `otherwise` (the same end, reached in another way) or `same`. `rules` are by the name
    under which the runs tell them: the path of their ruleset, after `old` or `new` in a pair.
    """

    status: str
    summary: Mapping[str, Any]
    body: Mapping[str, Any]
    rules: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Share:
    """Some stories, their bodies packed into one table: `places` are where the body of each stands in it."""

    stories: tuple[Story, ...]
    places: tuple[int, ...]
    table: list[Any]


def share_of(stories: Iterable[Story]) -> Share:
    """Stories packed, as they are handed from one process to another."""
    packer = Packer()
    found = tuple(stories)
    places = tuple(packer.put(story.body) for story in found)
    return Share(tuple(replace(story, body={}) for story in found), places, packer.table)


def story_of(told: Told | Pair, library: Library) -> Story:
    """The story of a scenario, or of a pair."""
    both = (told.old, told.new) if isinstance(told, Pair) else (told,)
    verdict = _verdict(both[-1])
    named = {f"{which} {one.run.ruleset.path}".lstrip(): one for which, one in _called(both) if isinstance(one, Recording)}
    sides = [side_data(recording, name, library.plan(recording.run.ruleset)) for name, recording in named.items()]
    body = {
        "sides": sides,
        "rows": _rows(sides),
        "problems": [problem_data(problem) for problem in verdict.problems],
        "details": list(verdict.details),
    }
    rules = {name: library.told(one.run.ruleset, sorted(set(_named(one)))) for name, one in named.items()}
    says = next((one.run.scenario.says for one in named.values()), "")
    status = _compared(told) if isinstance(told, Pair) else verdict.status
    return Story(status, _summary(verdict, status, says), body, rules)


def _called(both: Sequence[Told]) -> Iterable[tuple[str, Told]]:
    return zip(("old", "new") if len(both) > 1 else ("",), both, strict=True)


def _verdict(told: Told) -> Verdict:
    return told if isinstance(told, Verdict) else told.run.verdict


def _summary(verdict: Verdict, status: str, says: str) -> dict[str, Any]:
    return {
        "name": verdict.name,
        "id": verdict.id,
        "path": verdict.place.path,
        "line": verdict.place.line,
        "status": status,
        "reason": verdict.reason,
        "says": says,
        "cites": list(verdict.cites),
        "fired": list(verdict.fired),
    }


def _named(recording: Recording) -> Iterable[str]:
    """The rules that fired, and those that refused."""
    yield from (firing.rule for firing in recording.run.trace.firings())
    for moment in recording.run.moments:
        yield from (one.rule for one in moment.refusal.rules) if moment.refusal else ()


# ------------------------------------------------------------------------------------------------ pairs


def _compared(pair: Pair) -> str:
    """Whether a pair ends alike, and in the same way."""
    old, new = pair.old, pair.new
    if not isinstance(old, Recording) or not isinstance(new, Recording):
        return "same" if _verdict(old).status == _verdict(new).status else "changed"
    if old.run.after != new.run.after or old.run.waiting != new.run.waiting or _verdict(old).status != _verdict(new).status:
        return "changed"
    return "same" if old.run.trace.lines() == new.run.trace.lines() else "otherwise"


def _rows(sides: Sequence[Mapping[str, Any]]) -> list[list[int]]:
    """The stops of two runs side by side, as places in each: -1 where one has nothing to match. Nothing for one run."""
    if len(sides) <= 1:
        return []
    old, new = ([(stop["kind"], stop["text"]) for stop in side["stops"]] for side in sides)
    rows: list[list[int]] = []
    for kind, old_from, old_to, new_from, new_to in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            rows.extend([left, new_from + left - old_from] for left in range(old_from, old_to))
        else:
            rows.extend([left, -1] for left in range(old_from, old_to))
            rows.extend([-1, right] for right in range(new_from, new_to))
    return rows
