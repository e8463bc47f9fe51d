"""Answers as plain data, for programs."""

from __future__ import annotations

from typing import Any

from riftrules.analysis.causes import Asked, Fired, Given, RefusedBy
from riftrules.analysis.edits import edit_text
from riftrules.analysis.explaining import Answers, Explained, Withheld
from riftrules.analysis.why import Node
from riftrules.facts.types import canonical
from riftrules.language.model import Ruleset
from riftrules.report.explanations import cause_text, summary, where
from riftrules.scenario.model import Scenario
from riftrules.scenario.words import effects


def answers_data(found: Answers, ruleset: Ruleset) -> dict[str, Any]:
    """What is not as expected as plain data: the first answer, with what it is about, and those that there are besides."""
    first, *more = (
        why_not_data(one, found.scenario, ruleset) if isinstance(one, Withheld) else why_data(one, ruleset)
        for one in found.answers
    )
    return {**first, "unexpected": list(found.said), "more": more}


def why_data(explained: Explained, ruleset: Ruleset) -> dict[str, Any]:
    """An answer as plain data."""
    why = explained.why
    return {
        "scenario": explained.scenario.name,
        "question": why.question.subject,
        "answer": why.said,
        "causes": [_node_data(root, explained.scenario, ruleset) for root in why.roots],
        "withheld": [why_not_data(one, explained.scenario, ruleset) for one in explained.withheld],
    }


def _node_data(node: Node, scenario: Scenario, ruleset: Ruleset) -> dict[str, Any]:
    cause = node.cause
    found: dict[str, Any] = {"kind": type(cause).__name__.lower(), "said": cause_text(cause), "needed": node.needed}
    if node.by:
        found["without"] = [edit_text(edit, scenario, ruleset) for edit in node.by]
    match cause:
        case Fired(firing):
            found |= {"firing": firing.number, "rule": firing.rule, "cites": list(firing.cites), "effects": effects(firing)}
        case RefusedBy(item, refused, _):
            found |= {"item": item, "rule": refused.rule, "cites": list(refused.cites)}
        case Asked(item, _):
            found |= {"item": item}
        case Given(template, id_, name, value):
            found |= {"template": template, "id": id_, "field": name or None, "value": canonical(value)}
    if isinstance(cause, Fired | RefusedBy):
        found["summary"] = summary(ruleset.rule(str(found["rule"])), ruleset)
    return {**found, "causes": [_node_data(child, scenario, ruleset) for child in node.children]}


def why_not_data(found: Withheld, scenario: Scenario, ruleset: Ruleset) -> dict[str, Any]:
    """Why a rule has not fired, as plain data."""
    said_not, rule, change = found.why_not, found.why_not.target.rule, found.change
    miss = said_not.miss
    return {
        "scenario": scenario.name,
        "rule": rule.id,
        "cites": list(rule.cites),
        "summary": summary(rule, ruleset),
        "kind": said_not.kind,
        "said": said_not.said,
        "firings": list(said_not.firings),
        "options": [canonical(option) for option in said_not.options],
        "where": where(said_not) if said_not.point else None,
        "bindings": {name: canonical(value) for name, value in sorted(miss.env.items())} if miss else {},
        "conditions": [{"condition": one.condition, "status": one.status, "said": one.said} for one in miss.findings]
        if miss
        else [],
        "leading": [why_not_data(one, scenario, ruleset) for one in found.leading],
        "change": None
        if change is None
        else {
            "edits": [edit_text(edit, scenario, ruleset) for edit in change.edits],
            "tried": change.tried,
            "complete": change.complete,
            "pairs": change.pairs,
            "reachable": change.reachable,
        },
    }
