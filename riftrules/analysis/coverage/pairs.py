"""Ordered pairs of rules: where one can act on what another has done, and where it did."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from riftrules.analysis.coverage.effects import procedure_of
from riftrules.engine.syntax_tree import Dependencies, Dependency
from riftrules.facts.trace import Change, Firing
from riftrules.language.model import Assert, Begin, Emit, Modify, Retract, Rule, Ruleset


class Pairs:
    """Who writes what whom reads, in one ruleset.

    Facts that come and go are written under an empty field, and so are frames that are begun; events under their name.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        dependencies = Dependencies(ruleset)
        self.reads: dict[str, frozenset[Dependency]] = {}
        self.writes: dict[str, frozenset[Dependency]] = {}
        for rule in ruleset.rules:
            heard = {("", rule.event.template)} if rule.event is not None else set()
            single = {(name, "") for name in rule.singletons}
            self.reads[rule.id] = dependencies.of((rule.when, rule.then, rule.choose)) | heard | single
            self.writes[rule.id] = frozenset(_writes(rule, ruleset))

    def possible(self) -> Iterator[tuple[str, str]]:
        """Every (writer, reader) that can meet."""
        for writer, written in self.writes.items():
            for reader, read in self.reads.items():
                if written & read:
                    yield writer, reader

    def met(self, firings: Sequence[Firing]) -> Iterator[tuple[str, str]]:
        """Those that met in a run: the reader fired, and the writer was the last to write something it looked at."""
        facts: dict[tuple[str, str, str], str] = {}
        last: dict[Dependency, str] = {}
        emitted: dict[str, str] = {}
        for firing in firings:
            found = {facts[read] for read in firing.reads if read in facts}
            direct = {(template, name) for template, _, name in firing.reads}
            found |= {facts[template, id_, ""] for template, id_ in firing.matched if (template, id_, "") in facts}
            found |= {last[pair] for pair in self.reads[firing.rule] - direct if pair in last}
            found |= {emitted[firing.event]} if firing.event in emitted else set()
            yield from ((writer, firing.rule) for writer in found)
            _note(firing, facts, last)
            emitted.update({event.id: firing.rule for event in firing.emitted})


def _note(firing: Firing, facts: dict[tuple[str, str, str], str], last: dict[Dependency, str]) -> None:
    for change in firing.changes:
        for template, id_, name in _written(change):
            facts[template, id_, name] = firing.rule
            last[template, name] = firing.rule
    for frame in (*firing.begun, *firing.due):
        facts[procedure_of(frame), frame, ""] = firing.rule
        last[procedure_of(frame), ""] = firing.rule


def _written(change: Change) -> Iterator[tuple[str, str, str]]:
    fact = change.fact
    if change.before is None or change.after is None:
        yield fact.template, fact.id, ""
    yield from ((fact.template, fact.id, name) for name, _, _ in change.fields())


def _writes(rule: Rule, ruleset: Ruleset) -> Iterator[Dependency]:
    for said in rule.then:
        match said:
            case Modify(_, template, changes):
                yield from ((template, change.field) for change in changes)
            case Assert(template):
                yield from ((template, name) for name in ("", *ruleset.templates[template].fields))
            case Retract(_, template):
                yield template, ""
            case Begin(procedure):
                yield procedure, ""
            case Emit(event):
                yield "", event
