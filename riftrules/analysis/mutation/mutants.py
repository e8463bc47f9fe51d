"""The mutants of a ruleset: each the ruleset with one edit, named so that it is known again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from riftrules.analysis.comparing.names import unbound
from riftrules.analysis.mutation.edits import Editor, Edits, inside, put
from riftrules.analysis.mutation.rules import RuleEditor
from riftrules.analysis.trials import without_rule
from riftrules.engine.program import Program, compile_ruleset, with_procedures, with_rule
from riftrules.errors import Place
from riftrules.language.model import Definition, Derived, Procedure, Rule, Ruleset, Step
from riftrules.language.rebuilding import rebuilt, rebuilt_case, rebuilt_definition

Part: TypeAlias = Rule | Definition | tuple[str, Derived] | Procedure | Step


@dataclass(frozen=True, slots=True)
class Mutant:
    """The ruleset with one edit. `holder` is what was edited (`rule a-lamp-is-lit`), `what` says how.

    `part` is what stands in its place: for a derived field with its template, and None where a rule is dropped.
    `number` tells apart what reads alike.
    """

    holder: str
    operator: str
    what: str
    place: Place
    part: Part | None = field(default=None, compare=False, repr=False)
    number: int = 0

    @property
    def name(self) -> str:
        """What it is known by: the same for as long as what it edits is the same."""
        again = f" ({self.number + 1})" if self.number else ""
        return f"{self.holder}: {self.operator}: {self.what}{again}"

    @property
    def rule(self) -> str:
        """The rule that is edited, or an empty text."""
        return self.holder.removeprefix("rule ") if self.holder.startswith("rule ") else ""


def mutants_of(ruleset: Ruleset) -> tuple[Mutant, ...]:
    """Every mutant, in the order in which what they edit is declared. Some may be no rules: `mutated` tells."""
    seen: dict[str, int] = {}
    found: list[Mutant] = []
    for one in _all(ruleset):
        again = seen.get(one.name, 0)
        seen[one.name] = again + 1
        found.append(replace(one, number=again))
    return tuple(found)


def _all(ruleset: Ruleset) -> Iterator[Mutant]:
    editor = RuleEditor(ruleset)
    for rule in ruleset.rules:
        holder = f"rule {rule.id}"
        yield Mutant(holder, "drop the rule", "without it", rule.place, None)
        yield from _named(holder, editor.edits(rule))
    for definition in ruleset.definitions.values():
        edits = editor.editor.conditions(definition.when)
        yield from _named(f"definition {definition.name}", inside(edits, lambda part, of=definition: replace(of, when=part)))  # type: ignore[misc]
    for template in ruleset.templates.values():
        for derived in template.derived.values():
            edits = inside(_derived(derived, editor.editor), lambda part, name=template.name: (name, part))  # type: ignore[misc]
            yield from _named(f"field {template.name}.{derived.name}", edits)
    for procedure in ruleset.procedures.values():
        yield from _procedure(procedure, ruleset)
    for step in ruleset.steps.values():
        what = "its activations fire one by one" if step.together else "its activations fire as one change"
        if step.together or not any(rule.choose for rule in ruleset.rules if rule.step == step.name):
            yield Mutant(f"step {step.name}", "together", what, step.place, replace(step, together=not step.together))


def _named(holder: str, edits: Edits) -> Iterator[Mutant]:
    for edit in edits:
        yield Mutant(holder, edit.operator, edit.what, edit.place, edit.part)


def _derived(derived: Derived, editor: Editor) -> Edits:
    for place, case in enumerate(derived.cases):
        edits = inside(editor.conditions(case.when), lambda part, of=case: replace(of, when=part))  # type: ignore[misc]
        values = inside(editor.expression(case.value, derived.place), lambda part, of=case: replace(of, value=part))  # type: ignore[misc]
        for edit in (*edits, *values):
            yield replace(edit, part=replace(derived, cases=put(derived.cases, place, edit.part)))


def _procedure(procedure: Procedure, ruleset: Ruleset) -> Iterator[Mutant]:
    holder, place = f"procedure {procedure.name}", procedure.place
    if procedure.until_stable or len(procedure.steps) > 1:
        what = "one pass" if procedure.until_stable else "repeated until stable"
        yield Mutant(holder, "repeat", what, place, replace(procedure, until_stable=not procedure.until_stable))
    if any(rule.step in procedure.steps for rule in ruleset.rules):
        what = "it does not yield" if procedure.yields else "it yields"
        yield Mutant(holder, "yields", what, place, replace(procedure, yields=not procedure.yields))
    if procedure.then:
        yield Mutant(holder, "drop what follows", f"no `{procedure.then}` follows", place, replace(procedure, then=""))
    for at, (one, other) in enumerate(zip(procedure.steps, procedure.steps[1:], strict=False)):
        steps = (*procedure.steps[:at], other, one, *procedure.steps[at + 2 :])
        yield Mutant(holder, "swap steps", f"`{other}` before `{one}`", place, replace(procedure, steps=steps))


# ------------------------------------------------------------------------------------------------ put into a ruleset


def mutated(mutant: Mutant, program: Program) -> Program | None:
    """The program with the mutant's edit, compiled; None where the edit leaves no rules that can be."""
    try:
        return _mutated(mutant, program)
    except (AssertionError, KeyError, TypeError, ValueError):
        return None  # a variable that nothing binds any more: the loader would not have read it


def _mutated(mutant: Mutant, program: Program) -> Program | None:
    ruleset = program.ruleset
    if isinstance(mutant.part, Rule):
        rule = rebuilt(mutant.part, ruleset.templates)
        return with_rule(program, rule) if binds_what_it_reads(rule) else None
    if mutant.part is None:
        return without_rule(program, mutant.rule)
    changed = with_part(ruleset, mutant.part)
    if isinstance(mutant.part, Procedure | Step):
        return with_procedures(program, changed)
    return compile_ruleset(changed)


def binds_what_it_reads(rule: Rule) -> bool:
    """Whether the variables that a rule reads, chooses by and refuses are bound: else the loader would not have read it."""
    return next(unbound(rule), None) is None


def with_part(ruleset: Ruleset, part: Part) -> Ruleset:
    """The ruleset with a part in place of the one of its name."""
    match part:
        case Rule():
            changed = tuple(part if one.id == part.id else one for one in ruleset.rules)
            return replace(ruleset, rules=changed)
        case Definition():
            return replace(ruleset, definitions={**ruleset.definitions, part.name: rebuilt_definition(part)})
        case Procedure():
            return replace(ruleset, procedures={**ruleset.procedures, part.name: part})
        case Step():
            return replace(ruleset, steps={**ruleset.steps, part.name: part})
        case (name, derived):
            template = ruleset.templates[name]
            cases = tuple(rebuilt_case(case) for case in derived.cases)
            fields = {**template.derived, derived.name: replace(derived, cases=cases)}
            return replace(ruleset, templates={**ruleset.templates, name: replace(template, derived=fields)})
