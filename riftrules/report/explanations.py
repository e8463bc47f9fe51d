"""Answers on one screen: the tree of causes, the conditions of a rule; or all of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rich.console import Console

from riftrules.analysis.causes import Asked, Cause, Fired, Given, RefusedBy
from riftrules.analysis.edits import edit_text
from riftrules.analysis.explaining import Answers, Explained, Withheld
from riftrules.analysis.misses import FAILED, MET
from riftrules.analysis.smallest_change import SmallestChange
from riftrules.analysis.why import Node
from riftrules.analysis.why_not import FIRED, NEVER_STEP, WhyNot
from riftrules.facts.trace import Began, Chosen, Entry, Firing, Requested
from riftrules.language.model import Rule, Ruleset
from riftrules.report.console import styled
from riftrules.scenario.model import Scenario
from riftrules.scenario.words import effects, said, said_fields

WIDTH, HEIGHT = 100, 24
"""A narrower terminal breaks lines by itself: to cut them would leave too little."""
INDENT = 2
SHALLOW = 20


@dataclass(frozen=True, slots=True)
class Line:
    """One line of an answer. `weight` says which go first where there are too many: the highest."""

    text: str
    style: str = ""
    weight: int = 0


def print_lines(lines: Sequence[Line], to: Console) -> None:
    """Lines as they are."""
    for line in lines:
        to.print(styled((line.text, line.style)))


def fitted(lines: Sequence[Line], *, full: bool, width: int | None = WIDTH) -> list[Line]:
    """The lines on one screen, the weightiest left out where they are more than its height; cut where it has a width."""
    if full:
        return list(lines)
    kept = list(lines)
    left_out = 0
    while len(kept) > HEIGHT - 1:
        heaviest = max(range(len(kept)), key=lambda place: (kept[place].weight, place))
        left_out += 1
        del kept[heaviest]
    cut = [Line(_cut(line.text, width or len(line.text)), line.style, line.weight) for line in kept]
    return [*cut, Line(f"{left_out} lines more with --full", "dim")] if left_out else cut


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 1]}…"


def print_fitted(lines: Sequence[Line], to: Console, *, full: bool) -> None:
    """The lines on one screen where there is one; what is read by a program or kept in a file is not cut."""
    width = max(to.width, WIDTH) if to.is_terminal else None
    print_lines(fitted(lines, full=full, width=width), to)


# ------------------------------------------------------------------------------------------------ what is not as expected


def answers_lines(found: Answers, ruleset: Ruleset) -> Iterator[Line]:
    """What is not as expected, then each answer; the first is told before the others."""
    yield from (Line(text, "bold") for text in found.said)
    for number, one in enumerate(found.answers):
        lines = why_not_lines(one, found.scenario, ruleset) if isinstance(one, Withheld) else why_lines(one, ruleset)
        yield from (replace(line, weight=line.weight + number) for line in lines)


# ------------------------------------------------------------------------------------------------ why


def why_lines(explained: Explained, ruleset: Ruleset) -> Iterator[Line]:
    """The answer, then the tree of causes, then why what might have made it otherwise has not."""
    why = explained.why
    yield Line(f"{why.question.subject} {why.said}", "bold")
    if why.question.kind == "invariant":
        says = next(one.says for one in ruleset.invariants if one.name == why.question.template)
        yield Line(f"   {says}", "dim", 1)
    for root in why.roots:
        yield from _node(root, 0, ruleset)
    if not why.roots and why.question.kind in {"value", "fact"}:
        yield Line("nothing has written it")
    if explained.withheld:
        yield Line("what might have made it otherwise:" if why.roots else "what might have made it so:", "bold")
    for number, one in enumerate(explained.withheld):
        yield from _withheld_lines(one, number, explained.scenario, ruleset)


def _node(node: Node, depth: int, ruleset: Ruleset) -> Iterator[Line]:
    space = " " * min(INDENT * depth, SHALLOW)
    doubt = _doubt(node)
    match node.cause:
        case Fired(firing):
            done = "; ".join(effects(firing))
            yield Line(f"{space}{firing.number}. {firing.rule} {_cites(firing.cites)}{doubt}: {done}", "", depth)
            yield Line(f"{space}   {summary(ruleset.rule(firing.rule), ruleset)}", "dim", depth + SHALLOW)
        case RefusedBy(_, refused, refusal):
            what = f"{refusal.procedure} {{{said_fields(refusal.fields)}}}"
            yield Line(f"{space}{refused.rule} {_cites(refused.cites)}{doubt} refuses {what}", "", depth)
            yield Line(f"{space}   {summary(ruleset.rule(refused.rule), ruleset)}", "dim", depth + SHALLOW)
        case _:
            # At the root nothing has changed the value since: whether another would have stayed is beside the point.
            yield Line(f"{space}{cause_text(node.cause)}{doubt if depth else ''}", "cyan", depth)
    inner = f"{space}   "
    given = [child for child in node.children if isinstance(child.cause, Given)]
    asked = [child for child in node.children if isinstance(child.cause, Asked)]
    for what, children in (("", asked), ("given: ", given)):
        told = "; ".join(f"{cause_text(child.cause).removeprefix(what)}{_doubt(child)}" for child in children)
        if told:
            yield Line(f"{inner}{what}{told}", "cyan", depth + 1)
    for child in node.children:
        if isinstance(child.cause, Fired | RefusedBy):
            yield from _node(child, depth + 1, ruleset)


def _doubt(node: Node) -> str:
    return "" if node.needed else " (not tried)" if node.needed is None else " (made no difference)"


def cause_text(cause: Cause) -> str:
    """A cause in a few words."""
    match cause:
        case Fired(firing):
            return f"{firing.number}. {firing.rule}"
        case Asked(item, entry):
            return f"item {item}: {_entry(entry)}"
        case Given(template, id_, name, value):
            named = template if template == id_ else f"{template} {id_}"
            return f"given: {named}.{name} is {said(value)}" if name else f"given: {named}"
        case RefusedBy(item, refused, _):
            return f"item {item} is refused by {refused.rule}"


def _entry(entry: Entry) -> str:
    match entry:
        case Requested(_, procedure, fields):
            return f"{procedure} {{{said_fields(fields)}}}"
        case Began(_, calls):
            return "begin " + "; ".join(f"{name} {{{said_fields(fields)}}}" for name, fields in calls)
        case Chosen(_, by, option):
            return f"{said(by)} chooses {said(option)}"
        case Firing(number, rule):
            return f"{number}. {rule}"


def _cites(cites: Sequence[str], most: int = 3) -> str:
    more = [f"+{len(cites) - most}"] if len(cites) > most else []
    return f"[{', '.join([*cites[:most], *more])}]" if cites else "[house rule]"


def summary(rule: Rule, ruleset: Ruleset) -> str:
    """The index's summary of the first number a rule cites, else what the rule says of itself."""
    printed = next((ruleset.rulebook[number] for number in rule.cites if number in ruleset.rulebook), None)
    return f"{printed.number}: {printed.summary}" if printed is not None else rule.says


# ------------------------------------------------------------------------------------------------ why not


def why_not_lines(found: Withheld, scenario: Scenario, ruleset: Ruleset) -> Iterator[Line]:
    """The rule, where it was nearest, its conditions one by one, and with what change it would fire."""
    said_not, rule = found.why_not, found.why_not.target.rule
    yield Line(f"{rule.id} {_cites(rule.cites)} {_headline(said_not)}", "bold")
    yield Line(f"   {summary(rule, ruleset)}", "dim", 1)
    if said_not.kind == FIRED:
        return
    yield from _standing(said_not)
    yield from _change_lines(found, scenario, ruleset)
    yield from _leading_lines(found, "", scenario, ruleset)


def _headline(found: WhyNot) -> str:
    fixed = ", ".join(f"${name} = {said(value)}" for name, value in found.target.fixed)
    of = f" with {fixed}" if fixed else ""
    verb = {"legality": "refused", "ask": "asked"}.get(found.target.rule.kind, "fired")
    if found.kind == FIRED:
        numbers = ", ".join(map(str, found.firings))
        where = "firing" if verb == "fired" else "item"
        return f"has {verb}{of}: {where} {numbers}"
    return f"has not {verb}{of}: {found.kind}"


def _standing(found: WhyNot) -> Iterator[Line]:
    if found.said:
        yield Line(f"   {found.said}")
    if found.point is not None:
        yield Line(f"   looked at {where(found)}", "dim", 1)
    if found.miss is None:
        return
    bound = ", ".join(f"${name} = {said(value)}" for name, value in sorted(found.miss.env.items()))
    if bound:
        yield Line(f"   with {bound}", "dim", 1)
    width = min(max((len(one.condition) for one in found.miss.findings), default=0), SHALLOW * 2)
    for one in found.miss.findings:
        style = {MET: "green", FAILED: "bold red"}.get(one.status, "dim")
        heavy = 0 if one.status == FAILED else 2
        beside = f"  {one.said}" if one.said and one.status == MET else ""
        yield Line(f"   {one.status:<11} {one.condition:<{width if beside else 0}}{beside}", style, heavy)
        if one.said and one.status != MET:
            yield Line(f"   {'':<11}   {one.said}", style, heavy)


def where(found: WhyNot) -> str:
    """Where a rule was looked at: step, pass, and after which firing."""
    point = found.point
    assert point is not None  # noqa: S101 - only where it was looked at is it asked where
    if point.kind == "request":
        return "when it was asked for"
    heard = f", {point.event.id}" if point.event is not None else ""
    step = f"{point.frame}, {point.step or 'before its first step'}, pass {point.pass_number}" if point.frame else "no procedure"
    return f"in {step}{heard}, after firing {point.firings}" if point.firings else f"in {step}{heard}, before anything fired"


def _change_lines(found: Withheld, scenario: Scenario, ruleset: Ruleset) -> Iterator[Line]:
    change = found.change
    if found.why_not.options:
        answers = " or ".join(f"`- choose: {said(option)}`" for option in found.why_not.options)
        yield Line(f"it would fire with {answers}", "bold green")
    if change is None:
        return
    verb = {"legality": "refuse", "ask": "ask"}.get(found.why_not.target.rule.kind, "fire")
    if not change.reachable:
        yield Line("nothing in this scenario leads to it, whatever the board", "yellow")
        return
    if not change.edits:
        yield Line(f"{_nothing_found(change)} {verb}", "yellow")
        yield Line(f"   tried: {_tried(change)} ({change.tried} boards played)", "yellow")
        return
    texts = "; ".join(edit_text(edit, scenario, ruleset) for edit in change.edits)
    smallest = "" if change.complete else " (smaller ones not all tried)"
    yield Line(f"it would {verb} with {texts}{smallest}", "bold green")


def _nothing_found(change: SmallestChange) -> str:
    """No more than has been tried: that there is none is said only where all have been."""
    return "no small change of the board makes it" if change.pairs else "of the small changes that were tried none makes it"


def _tried(change: SmallestChange) -> str:
    if not change.complete:
        return "of one fact more or less and of fields changed the changes most like it"
    return (
        "one fact more or less, or up to two fields changed"
        if change.pairs
        else "one fact more or less, one field changed, of two fields the most like it"
    )


def _leading_lines(found: Withheld, space: str, scenario: Scenario, ruleset: Ruleset) -> Iterator[Line]:
    """What would have led to a rule the run never came to: the nearest in full."""
    if found.leading:
        yield Line(f"{space}what might have led to it:", "bold")
    for number, one in enumerate(found.leading):
        yield from (replace(line, text=f"{space}{line.text}") for line in _withheld_lines(one, number, scenario, ruleset))


def _withheld_lines(found: Withheld, number: int, scenario: Scenario, ruleset: Ruleset) -> Iterator[Line]:
    """One rule among several: the nearest in full, the others by what they lack."""
    said_not, rule = found.why_not, found.why_not.target.rule
    if number == 0:
        yield Line(f"  {rule.id} {_cites(rule.cites)} {_headline(said_not)}")
        yield Line(f"     {summary(rule, ruleset)}", "dim", SHALLOW)
        yield from (Line(f"  {line.text}", line.style, line.weight) for line in _standing(said_not))
        yield from (Line(f"  {line.text}", line.style) for line in _change_lines(found, scenario, ruleset))
        yield from _leading_lines(found, "  ", scenario, ruleset)
        return
    failed = [one for one in said_not.miss.findings if one.status == FAILED] if said_not.miss else []
    lacks = f"{failed[0].condition}: {failed[0].said}" if failed and said_not.kind != NEVER_STEP else said_not.said
    yield Line(f"  {rule.id} {_cites(rule.cites)} {_headline(said_not)}" + (f": {lacks}" if lacks else ""), "", SHALLOW + number)
