"""Which scenarios a mutant can make a difference to: those that come by what it edits, the likeliest to notice first."""

from __future__ import annotations

from collections.abc import Iterable

from riftrules.analysis.coverage.pairs import Pairs
from riftrules.analysis.mutation.mutants import Mutant
from riftrules.analysis.mutation.scenes import Scene
from riftrules.language.model import Hop, Pattern, Procedure, Refuse, Rule, Ruleset, Step, Use
from riftrules.language.rebuilding import parts_of


class Concerns:
    """Knows what of a ruleset hangs on what."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.rules = {rule.id: rule for rule in ruleset.rules}
        pairs = Pairs(ruleset)
        self._known: dict[tuple[str, str], list[Rule]] = {}
        self._asked: dict[tuple[str, str], bool] = {}
        steps = {rule.step for rule in ruleset.rules if rule.step}
        self._steps = {step: frozenset(rule.id for rule in ruleset.rules if rule.step == step) for step in steps}
        self._readers = {
            name: frozenset(reader for reader, read in pairs.reads.items() if written & read)
            for name, written in pairs.writes.items()
        }

    def concerns(self, mutant: Mutant, scene: Scene) -> bool:
        """Whether a scenario comes by what the mutant edits: no other can come out otherwise."""
        kind, _, name = mutant.holder.partition(" ")
        match kind:
            case "rule":
                parts = [self.rules[name], *([mutant.part] if isinstance(mutant.part, Rule) else [])]
                return any(considers(scene, rule) for rule in parts)
            case "step" | "procedure":
                return self._comes_by(mutant.part, scene)
        if self._in_invariants(kind, name):
            return True
        return tuple(name.split(".")) in scene.derived or any(considers(scene, rule) for rule in self._users(kind, name))

    def _in_invariants(self, kind: str, name: str) -> bool:
        """Whether an invariant uses it: then every scenario asks for it."""
        if (kind, name) not in self._asked:
            self._asked[kind, name] = any(self._uses(one.when, kind, name) for one in self.ruleset.invariants)
        return self._asked[kind, name]

    def sorted(self, mutant: Mutant, scenes: Iterable[Scene]) -> list[Scene]:
        """The scenarios, the likeliest to notice first."""
        kind, _, name = mutant.holder.partition(" ")
        if kind == "rule":
            return sorted(scenes, key=lambda scene: self._likeness(scene, name))
        rules = {rule.id for rule in self._users(kind, name)} if kind in {"definition", "field"} else set()
        return sorted(scenes, key=lambda scene: (not scene.named & rules, not scene.fired & rules, scene.firings))

    def through(self, mutant: Mutant) -> list[Rule]:
        """The rules through which an edit could make a difference."""
        kind, _, name = mutant.holder.partition(" ")
        match mutant.part:
            case Procedure(steps=steps):
                return [rule for rule in self.ruleset.rules if rule.step in steps]
            case Step():
                return [rule for rule in self.ruleset.rules if rule.step == name]
        if kind == "rule":
            return [rule for rule in self.ruleset.rules if rule.id == name]
        return self._users(kind, name)

    def _comes_by(self, part: object, scene: Scene) -> bool:
        """Whether an edit of a procedure or step could make a difference: something must hold in a step that it concerns."""
        match part:
            case Step(name):
                return bool(self._steps.get(name, frozenset()) & scene.held)
            case Procedure(name, steps):
                if not any(procedure == name for procedure, _ in scene.steps):
                    return False
                before = self.ruleset.procedures[name].steps
                moved = {one for one, other in zip(steps, before, strict=True) if one != other} or set(steps)
                nested = moved & self.ruleset.procedures.keys()
                return bool(nested) or any(self._steps.get(step, frozenset()) & scene.held for step in moved)
        return True

    def _likeness(self, scene: Scene, rule: str) -> tuple[bool, bool, bool, int]:
        """How unlikely a scenario is to notice an edit of a rule."""
        return rule not in scene.named, rule not in scene.fired, not scene.fired & self._readers[rule], scene.firings

    def _users(self, kind: str, name: str) -> list[Rule]:
        """The rules that use a definition or read a derived field."""
        if (kind, name) not in self._known:
            self._known[kind, name] = [
                rule for rule in self.ruleset.rules if self._uses((rule.event, rule.when, rule.then, rule.choose), kind, name)
            ]
        return self._known[kind, name]

    def _uses(self, node: object, kind: str, name: str) -> bool:
        """Whether a node uses a definition or reads a derived field, through others too."""
        return (kind, name) in self.used(node)

    def used(self, node: object) -> set[tuple[str, str]]:
        """The definitions and derived fields in a node, through one another."""
        found: set[tuple[str, str]] = set()
        left: list[object] = [node]
        while left:
            for key, inner in self._direct(left.pop()):
                if key not in found:
                    found.add(key)
                    left.append(inner)
        return found

    def _direct(self, node: object) -> Iterable[tuple[tuple[str, str], object]]:
        for part in parts_of(node):
            match part:
                case Use(definition):
                    yield ("definition", definition), self.ruleset.definitions[definition].when
                case Hop(template, field, True):
                    yield ("field", f"{template}.{field}"), self.ruleset.templates[template].derived[field].cases
                case Pattern(template, _, tests):
                    derived = self.ruleset.templates[template].derived
                    for test in tests:
                        if test.derived:
                            yield ("field", f"{template}.{test.field}"), derived[test.field].cases


def considers(scene: Scene, rule: Rule) -> bool:
    """Whether a scenario comes to where the rule is considered."""
    if rule.event is not None:
        return rule.event.template in scene.events
    if rule.step:
        return any(step == rule.step for _, step in scene.steps)
    return any(isinstance(said, Refuse) and said.procedure in scene.requests for said in rule.then)
