"""What the checks look at: a ruleset, what its parts read and write, and the texts of the fixtures that play it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from riftrules.engine.program import Program, compile_ruleset
from riftrules.errors import Place, Problem
from riftrules.language.model import Assert, Emit, Hop, Modify, Pattern, Rule, Ruleset
from riftrules.language.rebuilding import parts_of
from riftrules.scenario.files import UNDECIDED
from riftrules.source import Entries, Items, Scalar, read

RULESET = "ruleset.yaml"
_WORD = re.compile(r"[\w][\w-]*")
_NAMED = re.compile(
    r"(?<![\w-])(not_fired|fired|refused|rules|rule):[ ]*"
    r"(\[[^\]]*\]|\{[^}]*\}|(?:\n[ ]+(?:- [^\n]*|[\w-]+:[ ]*\d+[ ]*(?:#[^\n]*)?))+|[^\n]*)"
)

_REFUSED = re.compile(r"refused:[ ]*\{[^}]*cites:[ ]*[\"']?([\w.]+)")


@dataclass(frozen=True)
class Material:
    """A ruleset and the fixtures found for it. Everything else is worked out when it is first asked for."""

    ruleset: Ruleset
    paths: Sequence[Path] = ()

    # -------------------------------------------------------------------------------------------- reading and writing

    @cached_property
    def read(self) -> frozenset[tuple[str, str]]:
        """Every (template, field) that something reads; with an empty field, the templates that a pattern ranges over."""
        found: set[tuple[str, str]] = set()
        for node in self._reading():
            for part in parts_of(node):
                match part:
                    case Pattern(template, _, tests):
                        found |= {(template, ""), *((template, test.field) for test in tests)}
                    case Hop(template, name):
                        found.add((template, name))
        return frozenset(found)

    def _reading(self) -> list[Any]:
        ruleset = self.ruleset
        nodes: list[Any] = [(rule.when, rule.event, rule.choose, rule.then) for rule in ruleset.rules]
        nodes += [definition.when for definition in ruleset.definitions.values()]
        nodes += [derived.cases for template in ruleset.templates.values() for derived in template.derived.values()]
        nodes += [invariant.when for invariant in ruleset.invariants]
        nodes += [
            one.default for template in ruleset.templates.values() for one in template.fields.values() if one.default is not None
        ]
        return nodes

    @cached_property
    def asserted(self) -> Mapping[str, tuple[Rule, ...]]:
        """The rules that make facts of each template."""
        return self._by(lambda said: said.template if isinstance(said, Assert) else "")

    @cached_property
    def emitted(self) -> Mapping[str, tuple[Rule, ...]]:
        """The rules that emit each event."""
        return self._by(lambda said: said.event if isinstance(said, Emit) else "")

    def _by(self, name_of: Any) -> Mapping[str, tuple[Rule, ...]]:
        found: dict[str, list[Rule]] = {}
        for rule in self.ruleset.rules:
            for name in {name_of(said) for said in rule.then} - {""}:
                found.setdefault(name, []).append(rule)
        return {name: tuple(rules) for name, rules in found.items()}

    @cached_property
    def modified(self) -> Mapping[tuple[str, str], tuple[Rule, ...]]:
        """The rules that modify each (template, field)."""
        found: dict[tuple[str, str], list[Rule]] = {}
        for rule in self.ruleset.rules:
            pairs = {(said.template, change.field) for said in rule.then if isinstance(said, Modify) for change in said.changes}
            for pair in pairs:
                found.setdefault(pair, []).append(rule)
        return {pair: tuple(rules) for pair, rules in found.items()}

    @cached_property
    def viewed(self) -> frozenset[str]:
        """Every word of the view: templates and fields that are shown."""
        return frozenset(_words(self.ruleset.view))

    @cached_property
    def program(self) -> Program:
        """The ruleset compiled."""
        return compile_ruleset(self.ruleset)

    # -------------------------------------------------------------------------------------------- fixtures

    @cached_property
    def fixtures(self) -> tuple[str, ...]:
        """The texts of the fixtures."""
        return tuple(path.read_text(encoding="utf-8", errors="replace") for path in self.paths)

    @cached_property
    def words(self) -> Mapping[Path, frozenset[str]]:
        """The words of each fixture."""
        return {path: frozenset(_WORD.findall(text)) for path, text in zip(self.paths, self.fixtures, strict=True)}

    @cached_property
    def mentioned(self) -> frozenset[str]:
        """Every word of the fixtures."""
        return frozenset().union(*self.words.values())

    @cached_property
    def undecided(self) -> tuple[Path, ...]:
        """The files beside the fixtures, or in folders above them, that list what no scenario decides."""
        folders = {folder for path in self.paths for folder in path.parents}
        return tuple(sorted(file for folder in folders for file in folder.glob(f"{UNDECIDED}.y*ml")))

    @cached_property
    def named(self) -> Mapping[str, frozenset[str]]:
        """The rules that fixtures name: as `fired`, as `not_fired`, as the `rule` that refuses."""
        found: dict[str, set[str]] = {"fired": set(), "not_fired": set(), "rule": set()}
        for text in self.fixtures:
            for key, names in _NAMED.findall(text):
                found[key if key in found else "rule"].update(_WORD.findall(names))
        return {key: frozenset(names) for key, names in found.items()}

    @cached_property
    def refused_numbers(self) -> frozenset[str]:
        """The numbers that refusals are expected to cite."""
        return frozenset(number for text in self.fixtures for number in _REFUSED.findall(text))

    # -------------------------------------------------------------------------------------------- what is its own

    def is_own(self, place: Place) -> bool:
        """Whether something stands in the ruleset's own folder, not in one it extends."""
        return Path(place.path).is_relative_to(self.ruleset.path)

    @cached_property
    def own_rules(self) -> tuple[Rule, ...]:
        """The rules that are not those of a ruleset it extends."""
        return tuple(rule for rule in self.ruleset.rules if self.is_own(rule.place))

    # -------------------------------------------------------------------------------------------- cards

    @cached_property
    def cards(self) -> tuple[str, ...]:
        """The folders of cards: rules of one thing each, which must say of which."""
        node, _ = read(Path(self.ruleset.path) / RULESET)
        cards = node.get("cards") if isinstance(node, Entries) else None
        items = cards.items if isinstance(cards, Items) else (cards,) if isinstance(cards, Scalar) else ()
        return tuple(item.text for item in items if isinstance(item, Scalar))

    def is_card(self, rule: Rule) -> bool:
        """Whether a rule stands in a folder of cards."""
        folders = Path(rule.place.path).parts[len(Path(self.ruleset.path).parts) :]
        return bool(folders) and folders[0] in self.cards


def doubt(place: Place, code: str, message: str, hint: str = "") -> Problem:
    """A warning of the linter."""
    return Problem(place, code, message, hint, "warning")


def _words(node: Any) -> Iterable[str]:
    if isinstance(node, Mapping):
        for key, value in node.items():
            yield str(key)
            yield from _words(value)
    elif isinstance(node, list | tuple):
        for item in node:
            yield from _words(item)
    else:
        yield from _WORD.findall(str(node))
