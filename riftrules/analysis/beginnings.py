"""The beginnings of a rule, a card or a scenario: files that load, and fail until they are filled in.

A rule begun never matches (`where: 0 is 1`), which `check` says; its scenario expects it to fire, which it does not. A
scenario begun expects nothing, which is called vacuous. The board is made of what the ruleset itself needs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from riftrules.analysis.comparing.instances import instance
from riftrules.errors import NOWHERE, Place, Problem, RulesetError
from riftrules.language.model import Rule, Ruleset
from riftrules.language.problems import near
from riftrules.language.saying import say_value
from riftrules.scenario.model import Scenario
from riftrules.scenario.writing import Draft, fixture_text

TO_WRITE = "to be written, in one sentence"


@dataclass(frozen=True, slots=True)
class Asked:
    """A rule to begin: its id, and where it lives: a step, an event it hears, or a request it refuses."""

    id: str
    step: str = ""
    after: str = ""
    refuses: str = ""
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Begun:
    """The texts of a rule file and of a fixture file."""

    rules: str
    fixture: str


def begun_rule(asked: Asked, ruleset: Ruleset) -> Begun:
    """A rule and its scenario. Raises RulesetError where a name is not of this ruleset."""
    _check(asked, ruleset)
    return Begun(_rules(asked, []), _fixture(asked, ruleset))


def begun_card(name: str, asked: Asked, template: str, ruleset: Ruleset) -> Begun:
    """A card of a kind of fact, told by its name, and its scenario. Raises RulesetError where a name is not of this ruleset."""
    _check(asked, ruleset)
    by = next((one for one in ("name", "kind") if one in ruleset.templates[template].fields), "id")
    fixture = _fixture(asked, ruleset).replace(f"{template}-1", say_value(name))
    return Begun(_rules(asked, [f"- {template} $card: {{{by}: {say_value(name)}}}"]), fixture)


def begun_scenario(name: str, ruleset: Ruleset, mode: str = "") -> str:
    """A fixture on the least board there is. Raises RulesetError where the mode is not of this ruleset."""
    if mode and mode not in ruleset.modes:
        _wrong(f"there is no mode `{mode}`", near(mode, ruleset.modes))
    board = _board(next(iter(ruleset.procedures), ""), ruleset)
    draft = Draft(name, ruleset.name, board.facts, mode=mode or board.mode)
    return fixture_text(draft, ruleset)


def _wrong(message: str, hint: str) -> None:
    raise RulesetError((Problem(Place("new"), "unknown-name", message, hint),))


def _check(asked: Asked, ruleset: Ruleset) -> None:
    if asked.id in {rule.id for rule in ruleset.rules}:
        _wrong(f"there is a rule `{asked.id}` already", "call it otherwise")
    events = [name for name, one in ruleset.templates.items() if one.kind == "event"]
    requests = [name for name, one in ruleset.procedures.items() if one.request]
    for what, name, known in (
        ("step", asked.step, list(ruleset.steps)),
        ("event", asked.after, events),
        ("request", asked.refuses, requests),
    ):
        if name and name not in known:
            _wrong(f"there is no {what} `{name}`", near(name, known))
    for number in asked.cites:
        if number not in ruleset.rulebook:
            _wrong(f"the index has no number `{number}`", near(number, ruleset.rulebook))


def _rules(asked: Asked, conditions: Sequence[str]) -> str:
    numbers = ", ".join(f'"{number}"' for number in asked.cites)
    cites = f"cites: [{numbers}]" if numbers else "house: true"
    where = [f"step: {asked.step}"] if asked.step else [f"after: {{{asked.after} $e: {{}}}}"] if asked.after else []
    request = [f"- {asked.refuses} $r: {{}}"] if asked.refuses else []
    then = "[refuse $r]" if asked.refuses else "[]"
    when = [*request, *conditions, "- where: 0 is 1                # never: say instead on which boards it does"]
    lines = [
        f"- rule: {asked.id}",
        f"  {cites}",
        f"  says: {TO_WRITE}.",
        *(f"  {line}" for line in where),
        "  when:",
        *(f"    {line}" for line in when),
        f"  then: {then}",
    ]
    return "rules:\n" + "".join(f"  {line}\n" for line in lines)


def _fixture(asked: Asked, ruleset: Ruleset) -> str:
    board = _board(_procedure(asked, ruleset), ruleset, _emitting(asked.after, ruleset))
    then = (f"fired: [{asked.id}]",)
    name = asked.id.replace("-", " ")
    text = fixture_text(Draft(name, ruleset.name, board.facts, board.stack, board.items, then, board.mode), ruleset)
    if not asked.refuses:
        return text
    lines = text.replace(f"fired: [{asked.id}]", "fired: []").splitlines()
    return "".join(f"{line}\n{_refused(asked, line)}" for line in lines)


def _refused(asked: Asked, line: str) -> str:
    return f"    refused: {{rule: {asked.id}}}\n" if line.startswith(f"  - {asked.refuses}:") else ""


def _procedure(asked: Asked, ruleset: Ruleset) -> str:
    """A procedure that comes to the rule."""
    if asked.refuses:
        return asked.refuses
    emitting = _emitting(asked.after, ruleset)
    steps = {asked.step} if asked.step else {emitting.step} if emitting is not None else set()
    listing = [name for name, one in ruleset.procedures.items() if steps & set(one.steps)]
    return next(iter(listing or ruleset.procedures), "")


def _emitting(event: str, ruleset: Ruleset) -> Rule | None:
    """The first rule of a step that emits the event."""
    emits = (rule for rule in ruleset.rules if rule.step and any(getattr(said, "event", "") == event for said in rule.then))
    return next(emits, None) if event else None


def _board(procedure: str, ruleset: Ruleset, comes_to: Rule | None = None) -> Scenario:
    """The least board, on which a procedure begins; one for the conditions of a rule that it comes to, where there is one."""
    nothing = Rule("", 0, "step", (), "", (), ())
    return instance(comes_to or nothing, procedure, ruleset) if procedure else Scenario("", NOWHERE, ())
