"""Loads a ruleset folder: reads, declares, resolves and checks, and tells every problem it finds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from riftrules.errors import Place, Problem, RulesetError
from riftrules.facts.types import TextType, Value
from riftrules.language.checks import check_cites, check_defaults, check_procedures, check_rings, check_rulebook
from riftrules.language.declared import Declared, places_of
from riftrules.language.documents import CaseShape, ProcedureShape, TemplateShape, shaped
from riftrules.language.fields import FieldReader, shape_of, template_of
from riftrules.language.folder import RULESET, FolderReader, overlaid, plain
from riftrules.language.model import Derived, Field, Literal, Printed, Procedure, Ruleset, Step, Template
from riftrules.language.naming import check_names, check_plurals
from riftrules.language.problems import Problems, near
from riftrules.language.proof_scopes import ScopeReader
from riftrules.language.rules import RuleReader
from riftrules.language.values import value_of
from riftrules.language.viewing import check_view
from riftrules.language.vocabulary import Placed
from riftrules.source import Entries, Items, Node, Scalar, place_at

SETTINGS = "settings"


def load_ruleset(path: str | Path, *, shown: str | Path | None = None) -> Ruleset:
    """The ruleset in this folder (or of this `ruleset.yaml`).

    `shown` is what messages call the folder. Raises RulesetError with every problem, not the first.
    """
    folder = Path(path)
    if folder.name == RULESET:
        folder = folder.parent
    called = Path(shown) if shown is not None else _relative(folder)
    problems = Problems()
    if not folder.is_dir():
        raise RulesetError(
            (Problem(Place(called.as_posix()), "missing-folder", f"there is no ruleset folder `{called.as_posix()}`"),)
        )
    declared = FolderReader(folder, problems, called).gather()
    if declared is None:
        raise RulesetError(problems.errors)
    ruleset = _Loader(declared, problems, called.as_posix()).ruleset()
    if problems.errors:
        raise RulesetError(problems.errors)
    return ruleset


def _relative(folder: Path) -> Path:
    try:
        return folder.resolve().relative_to(Path.cwd())
    except ValueError:
        return folder


class _Loader:
    """One load: names first, then fields, then what reads them."""

    def __init__(self, declared: Declared, problems: Problems, path: str) -> None:
        self.declared = declared
        self.problems = problems
        self.path = path
        self.templates: dict[str, Template] = {}
        self.derived: dict[tuple[str, str], Placed[tuple[CaseShape, ...]]] = {}

    def ruleset(self) -> Ruleset:
        """The whole ruleset; problems are told, and what cannot be read is left out."""
        self._templates()
        procedures, steps = self._procedures(), self._steps()
        reader = RuleReader(self.templates, procedures, steps, self.problems)
        reader.declare(self.declared.definitions, self.derived, self.declared.rules, self.declared.invariants)
        self._resolve_derived(reader)
        definitions = {name: reader.definition(name) for name in self.declared.definitions}
        rules = tuple(sorted((reader.rule(placed) for placed in self.declared.rules.values()), key=lambda rule: rule.number))
        invariants = tuple(reader.invariant(placed) for placed in self.declared.invariants.values())
        document = self.declared.document
        ruleset = Ruleset(
            name=document.name,
            path=self.path,
            version=document.version,
            edition=document.edition,
            templates=self.templates,
            procedures=procedures,
            definitions=definitions,
            steps=steps,
            rules=rules,
            invariants=invariants,
            modes=self._modes(),
            rulebook=self._rulebook(),
            view={name: plain(node) for name, node in overlaid(self.declared.view).items()},
            files=tuple(self.declared.files),
        )
        check_procedures(ruleset, self.problems)
        check_defaults(ruleset, self.problems)
        check_rings(reader.uses, ruleset, self.problems)
        check_cites(ruleset, self.problems)
        check_rulebook(ruleset, self.problems)
        check_view(self.declared.view, self.templates, self.problems)
        scopes = ScopeReader(ruleset, self.problems).scopes(overlaid(self.declared.scopes))
        return replace(ruleset, scopes=scopes, warnings=self.problems.warnings)

    # ------------------------------------------------------------------ templates

    def _templates(self) -> None:
        declared = self.declared
        self._names()
        self.problems.declared.update(places_of(self.declared))
        names = {*declared.templates, *declared.procedures, *declared.events}
        reader = FieldReader(names, self.problems)
        singletons = self._singletons(reader)
        for name, placed in declared.templates.items():
            self._template(name, placed, reader, singletons)
        for kind, found in (("frame", self._frames()), ("event", {n: (p.shape, p.place) for n, p in declared.events.items()})):
            for name, (fields, place) in found.items():
                template = template_of(name, kind, reader.fields(name, fields, singletons))
                self.templates[name] = Template(name, kind, template.fields, template.shape, place=place)

    def _frames(self) -> dict[str, tuple[Entries | None, Place]]:
        return {name: (placed.shape.fields, placed.place) for name, placed in self.declared.procedures.items()}

    def _names(self) -> None:
        declared = self.declared
        kinds = (("template", declared.templates), ("procedure", declared.procedures), ("event", declared.events))
        seen: dict[str, tuple[str, Place]] = {SETTINGS: ("the settings", declared.place)}
        for kind, names in (*kinds, ("definition", declared.definitions)):
            check_names(_one(kind), ((name, placed.place) for name, placed in names.items()), self.problems)
            for name, placed in names.items():
                if name in seen:
                    other, place = seen[name]
                    self.problems.say(placed.place, "duplicate", f"`{name}` names {_one(kind)} and {other} at {place}")
                seen[name] = (_one(kind), placed.place)
        requests = ((name, placed.place) for name, placed in declared.procedures.items() if placed.shape.request)
        check_names("a request", requests, self.problems)
        steps = {step: placed.place for placed in declared.procedures.values() for step in placed.shape.steps}
        check_names("a step", ((name, place) for name, place in steps.items() if name not in seen), self.problems)
        for kind, listed in (("a rule", declared.rules), ("an invariant", declared.invariants)):
            check_names(kind, ((name, placed.place) for name, placed in listed.items()), self.problems)
        plurals = {name: (placed.shape.plural, placed.place) for name, placed in declared.templates.items()}
        check_plurals(plurals, declared.templates, self.problems)

    def _singletons(self, reader: FieldReader) -> dict[str, tuple[str, ...]]:
        self._settings(reader)
        found = {SETTINGS: tuple(self.templates[SETTINGS].fields)}
        for name, placed in self.declared.templates.items():
            if placed.shape.singleton and placed.shape.fields is not None:
                found[name] = placed.shape.fields.keys()
        return found

    def _template(
        self, name: str, placed: Placed[TemplateShape], reader: FieldReader, singletons: Mapping[str, tuple[str, ...]]
    ) -> None:
        shape = placed.shape
        fields = reader.fields(name, shape.fields, singletons)
        for key in shape.key or ():
            if key not in fields:
                said, of = f"the key of `{name}` names no field `{key}`", ("field", f"{name}.{key}")
                self.problems.unknown(placed.place, "unknown-field", said, near(key, fields), name=of)
            elif fields[key].optional:
                self.problems.say(placed.place, "key", f"`{key}` is part of the key of `{name}` and cannot be optional")
        if shape.key == ():
            self.problems.say(placed.place, "key", f"the key of `{name}` names no field")
        if shape.singleton and shape.key is not None:
            self.problems.say(placed.place, "key", f"`{name}` is a singleton and needs no key")
        kind = "singleton" if shape.singleton else "standing"
        derived = self._derived_shapes(name, shape, fields)
        self.templates[name] = Template(
            name,
            kind,
            fields,
            shape_of(name, kind, fields, shape.key),
            shape.plural,
            shape.key,
            shape.symmetric,
            derived,
            placed.place,
        )

    def _derived_shapes(self, name: str, shape: TemplateShape, fields: Mapping[str, Field]) -> dict[str, Derived]:
        found = {}
        for key, node in shape.derived.pairs if shape.derived else ():
            if key.text in fields:
                self.problems.say(key.place, "duplicate", f"`{key.text}` of `{name}` is a field already")
            if key.text == "id":
                self.problems.say(key.place, "reserved", "`id` is every fact's own and cannot be a field")
            items = node.items if isinstance(node, Items) else (node,)
            if not items:
                self.problems.say(node.place, "shape", f"`{key.text}` of `{name}` has no case", "write at least `- is: VALUE`")
            cases = tuple(case for item in items if (case := shaped(CaseShape, item, self.problems, "a case")) is not None)
            self.derived[name, key.text] = Placed(cases, key.place)
            found[key.text] = Derived(key.text, TextType(), (), key.place)
        return found

    def _resolve_derived(self, reader: RuleReader) -> None:
        resolved: dict[str, dict[str, Derived]] = {}
        for (template, name), placed in self.derived.items():
            resolved.setdefault(template, {})[name] = reader.derived(template, name, placed)
        for name, derived in resolved.items():
            held = self.templates[name]
            self.templates[name] = Template(
                name, held.kind, held.fields, held.shape, held.plural, held.key, held.symmetric, derived, held.place
            )

    # ------------------------------------------------------------------ settings and modes

    def _settings(self, reader: FieldReader) -> None:
        declared = [(k, v) for part in self.declared.settings for k, v in part.pairs if isinstance(v, Entries)]
        fields = reader.fields(SETTINGS, Entries(tuple(declared), self.declared.place), {})
        for part in self.declared.settings:
            for key, node in part.pairs:
                if not isinstance(node, Entries):
                    value = self._setting(key, node, fields)
                    if key.text in fields:
                        held = fields[key.text]
                        fields[key.text] = Field(key.text, held.type, held.optional, Literal(value), held.internal, held.place)
        for field in fields.values():
            if field.required:
                self.problems.say(field.place, "setting", f"the setting `{field.name}` needs a default")
        self.templates[SETTINGS] = template_of(SETTINGS, "singleton", fields)

    def _setting(self, key: Scalar, node: Node, fields: Mapping[str, Field]) -> Value:
        if key.text not in fields:
            hint = near(key.text, fields) or "declare it: `{int: any, default: 0}`"
            said, of = f"`{key.text}` is no setting", ("field", f"{SETTINGS}.{key.text}")
            self.problems.unknown(key.place, "unknown-setting", said, hint, name=of)
            return None
        value, problems = value_of(node, fields[key.text].type, optional=fields[key.text].optional)
        self.problems.found.extend(problems)
        return value

    def _modes(self) -> dict[str, dict[str, Value]]:
        fields = self.templates[SETTINGS].fields
        found: dict[str, dict[str, Value]] = {}
        for name, node in overlaid(self.declared.modes).items():
            if not isinstance(node, Entries):
                self.problems.say(node.place, "shape", f"the settings of mode `{name}` belong here: `{{setting: value}}`")
            pairs = node.pairs if isinstance(node, Entries) else ()
            found[name] = {key.text: self._setting(key, value, fields) for key, value in pairs}
        return found

    # ------------------------------------------------------------------ procedures, steps, rulebook

    def _procedures(self) -> dict[str, Procedure]:
        return {name: self._procedure(name, placed) for name, placed in self.declared.procedures.items()}

    def _procedure(self, name: str, placed: Placed[ProcedureShape]) -> Procedure:
        shape = placed.shape
        if shape.repeat not in {None, "until stable"}:
            self.problems.say(
                place_at(placed.node, "repeat") if placed.node else placed.place,
                "repeat",
                f"`repeat: {shape.repeat}` is not known",
                "write `repeat: until stable`",
            )
        if shape.then and shape.then not in self.declared.procedures:
            hint = near(shape.then, self.declared.procedures)
            said, of = f"`then: {shape.then}` is no procedure", ("word", shape.then)
            self.problems.unknown(
                place_at(placed.node, "then") if placed.node else placed.place, "unknown-procedure", said, hint, name=of
            )
        return Procedure(
            name,
            shape.steps,
            shape.repeat is not None,
            shape.yields,
            shape.request,
            shape.then,
            shape.cites,
            shape.says,
            placed.place,
        )

    def _steps(self) -> dict[str, Step]:
        declared, procedures = self.declared.steps, self.declared.procedures
        steps: dict[str, Step] = {}
        for placed in procedures.values():
            for step in placed.shape.steps:
                if step not in procedures:
                    steps.setdefault(step, Step(step, place=placed.place))
        for name, said in declared.items():
            if name not in steps:
                told = f"no procedure lists the step `{name}`"
                self.problems.unknown(said.place, "unknown-step", told, near(name, steps), name=("step", name))
            steps[name] = Step(name, said.shape.together, said.shape.cites, said.shape.says, said.place)
        return steps

    def _rulebook(self) -> dict[str, Printed]:
        found = {}
        for number, placed in self.declared.rulebook.items():
            shape = placed.shape
            found[number] = Printed(number, shape.summary, shape.held, shape.status, shape.reason, placed.place)
        return found


def _one(kind: str) -> str:
    return f"an {kind}" if kind[0] in "aeiou" else f"a {kind}"
