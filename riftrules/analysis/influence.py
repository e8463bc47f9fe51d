"""Who writes what whom reads: how one rule's doing comes to be another rule's condition."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from riftrules.engine.syntax_tree import Dependencies
from riftrules.language.model import Assert, Begin, Consequent, Emit, Leave, Modify, Retract, Rule, Ruleset

CHANNEL_KINDS = ("field", "fact", "event", "procedure")


@dataclass(frozen=True, slots=True, order=True)
class Channel:
    """What rules meet in: a field of a template, the coming and going of its facts, an event, or a procedure that is begun."""

    kind: str
    name: str


@dataclass(frozen=True, slots=True)
class Node:
    """A rule with the channels it writes and reads. mark: `changed`, `impacted` or nothing."""

    rule: Rule
    writes: tuple[Channel, ...]
    reads: tuple[Channel, ...]
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Influence:
    """The rules of a ruleset in declaration order, and what they write and read."""

    ruleset: Ruleset
    nodes: tuple[Node, ...]

    @property
    def channels(self) -> tuple[Channel, ...]:
        """The channels that somebody writes and somebody reads, and those that only one of them does, in order."""
        return tuple(sorted({channel for node in self.nodes for channel in (*node.writes, *node.reads)}))

    def writers(self, channel: Channel) -> tuple[Node, ...]:
        """The rules that write it."""
        return tuple(node for node in self.nodes if channel in node.writes)

    def readers(self, channel: Channel) -> tuple[Node, ...]:
        """The rules that read it."""
        return tuple(node for node in self.nodes if channel in node.reads)

    def influenced(self, rules: Collection[str]) -> tuple[str, ...]:
        """The rules that read what one of these writes, these themselves left out."""
        written = {channel for node in self.nodes if node.rule.id in rules for channel in node.writes}
        return tuple(node.rule.id for node in self.nodes if node.rule.id not in rules and written & set(node.reads))


def influence(ruleset: Ruleset) -> Influence:
    """Who writes what whom reads, through definitions and derived fields."""
    depends = Dependencies(ruleset)
    nodes = (
        Node(rule, tuple(sorted(set(written(rule)))), tuple(sorted(set(_read(rule, ruleset, depends))))) for rule in ruleset.rules
    )
    return Influence(ruleset, tuple(nodes))


def written(rule: Rule) -> Iterator[Channel]:
    """What a rule writes, emits and begins."""
    for consequent in rule.then:
        yield from _written(consequent)


def _written(consequent: Consequent) -> Iterator[Channel]:
    match consequent:
        case Assert(template) | Retract(_, template):
            yield Channel("fact", template)
        case Modify(_, template, changes):
            yield from (Channel("field", f"{template}.{change.field}") for change in changes)
        case Emit(event):
            yield Channel("event", event)
        case Begin(procedure) | Leave(_, procedure):
            yield Channel("procedure", procedure)


def _read(rule: Rule, ruleset: Ruleset, depends: Dependencies) -> Iterator[Channel]:
    """What a rule reads, hears, and in which procedures it is looked at.

    That there are facts of a template is said only where no field of them is asked for: who asks for a field sees the
    facts come and go as well.
    """
    if rule.event is not None:
        yield Channel("event", rule.event.template)
    pairs = depends.of((rule.when, rule.choose, rule.then))
    for template, field in pairs:
        kind = ruleset.templates[template].kind
        if field and field != "id":
            yield Channel("field", f"{template}.{field}")
        yield Channel("procedure" if kind == "frame" else "fact", template)
    if rule.step:
        yield from (Channel("procedure", name) for name, one in ruleset.procedures.items() if rule.step in one.steps)


def marked(whole: Influence, changed: Collection[str]) -> Influence:
    """The same with these rules marked as changed, and as impacted those that read what one of them writes."""
    impacted = whole.influenced(changed)
    marks = {**dict.fromkeys(impacted, "impacted"), **dict.fromkeys(changed, "changed")}
    nodes = (Node(node.rule, node.writes, node.reads, marks.get(node.rule.id, "")) for node in whole.nodes)
    return Influence(whole.ruleset, tuple(nodes))


def around(whole: Influence, rules: Collection[str]) -> Influence:
    """These rules with those that write what they read and those that read what they write."""
    chosen = [node for node in whole.nodes if node.rule.id in rules]
    reads = {channel for node in chosen for channel in node.reads}
    writes = {channel for node in chosen for channel in node.writes}
    nodes: list[Node] = []
    for node in whole.nodes:
        if node.rule.id in rules:
            nodes.append(node)
            continue
        told = Node(
            node.rule, tuple(c for c in node.writes if c in reads), tuple(c for c in node.reads if c in writes), node.mark
        )
        if told.writes or told.reads:
            nodes.append(told)
    return Influence(whole.ruleset, tuple(nodes))
