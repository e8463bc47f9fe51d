"""Finds and reads the files of a ruleset, and gathers what they declare, those of a base ruleset first."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import TypeVar

from riftrules.errors import Place
from riftrules.language.declared import Declared
from riftrules.language.documents import (
    DefinitionShape,
    Document,
    InvariantShape,
    PrintedShape,
    ProcedureShape,
    RulebookDocument,
    RulesetDocument,
    RuleShape,
    StepShape,
    TemplateShape,
    TopicDocument,
    ViewDocument,
    shaped,
    shaped_in_part,
)
from riftrules.language.problems import ANY, Problems, near
from riftrules.language.vocabulary import Placed
from riftrules.source import Entries, Items, Node, Scalar, is_file, missing_file, place_at, read

RULESET = "ruleset.yaml"
YAML = {".yaml", ".yml"}
SILENT = {".md", ".yamllint", ".json"}
NAMED = {"LICENSE", "README", "CHANGELOG", "NOTICE"}

_KINDS: Mapping[type[Document], str] = {
    TemplateShape: "word",
    ProcedureShape: "word",
    DefinitionShape: "word",
    StepShape: "step",
    RuleShape: "rule",
    InvariantShape: "invariant",
    PrintedShape: "number",
}
_WHAT: Mapping[type[Document], str] = {
    DefinitionShape: "a definition",
    RuleShape: "a rule",
    InvariantShape: "an invariant",
    PrintedShape: "a number",
}

Shape = TypeVar("Shape", bound=Document)
Declaration = TypeVar("Declaration")


class FolderReader:
    """Reads one ruleset folder into what it declares. `shown` turns a path into what messages call it."""

    def __init__(self, folder: Path, problems: Problems, shown: Path) -> None:
        self.folder = folder
        self.problems = problems
        self.shown = shown
        self._bases: tuple[str, ...] = ()

    def gather(self, chain: tuple[Path, ...] = ()) -> Declared | None:
        """The declarations of this folder on top of those of its base; None where `ruleset.yaml` cannot be read."""
        self._open(self.folder)
        node = self._node(self.folder / RULESET)
        document = None if node is None else shaped(RulesetDocument, node, self.problems, f"`{RULESET}`")
        if document is None or node is None:
            return None
        declared = self._base(document, node, (*chain, self.folder.resolve()))
        if declared is None:
            return None
        self._drop(document, declared, node)
        self._own(document, declared)
        for path in self._files():
            self._file(path, document, declared)
        for card in document.cards:
            if not (self.folder / card).is_dir():
                hint = near(card, [path.name for path in self.folder.iterdir() if path.is_dir()])
                self.problems.doubt(
                    place_at(node, "cards"), "missing-folder", f"`cards` names `{card}`, and there is no such folder", hint
                )
        return declared

    # ------------------------------------------------------------------ files

    def _name(self, path: Path) -> str:
        return (self.shown / path.relative_to(self.folder)).as_posix()

    def _node(self, path: Path) -> Node | None:
        node, problems = read(path, self._name(path))
        self.problems.found.extend(problems)
        if node is None:
            self.problems.lose(ANY)
        else:
            self.problems.nodes.append(node)
        return node

    def _files(self) -> Iterator[Path]:
        for path in sorted(self.folder.rglob("*"), key=lambda path: path.relative_to(self.folder).as_posix()):
            if path.is_dir():
                self._open(path)
                continue
            if path == self.folder / RULESET or path.name.startswith("."):
                continue
            if path.suffix in YAML:
                yield path
            elif path.suffix not in SILENT and not path.exists():
                self.problems.lose(ANY)
                self.problems.found.append(missing_file(Place(self._name(path)), path))
            elif path.suffix not in SILENT and path.name not in NAMED:
                hint = "rules are read from files that end in `.yaml` or `.yml`"
                self.problems.doubt(Place(self._name(path)), "unread-file", f"`{path.name}` is not read", hint)

    def _open(self, folder: Path) -> None:
        """Tell of a folder whose files cannot be listed."""
        try:
            next(folder.iterdir(), None)
        except OSError as error:
            self.problems.lose(ANY)
            said = f"this folder cannot be read: {(error.strerror or str(error)).lower()}"
            self.problems.say(Place(self._name(folder)), "unreadable", said)

    def _base(self, document: RulesetDocument, node: Node, chain: tuple[Path, ...]) -> Declared | None:
        if document.extends is None:
            return Declared(document, node.place)
        base = self.folder.parent / document.extends
        if not is_file(base / RULESET):
            known = [path.parent.name for path in self.folder.parent.glob(f"*/{RULESET}") if path.parent != self.folder]
            message = f"`extends: {document.extends}` names no ruleset beside this one"
            self.problems.say(place_at(node, "extends"), "unknown-ruleset", message, near(document.extends, known))
            return None
        if base.resolve() in chain:
            self.problems.say(place_at(node, "extends"), "ring", f"`{document.extends}` extends this ruleset in turn")
            return None
        reader = FolderReader(base, self.problems, self.shown.parent / document.extends)
        declared = reader.gather(chain)
        self._bases = (document.extends, *reader._bases)
        if declared is not None:
            declared.document, declared.place = _inherited(document, declared.document), node.place
        return declared

    def _drop(self, document: RulesetDocument, declared: Declared, node: Node) -> None:
        for name in document.drop:
            if declared.rules.pop(name, None) is None and declared.invariants.pop(name, None) is None:
                hint = near(name, (*declared.rules, *declared.invariants), otherwise=False)
                said = f"`drop` names `{name}`, which the base does not have"
                self.problems.unknown(place_at(node, "drop"), "unknown-rule", said, hint, name=("rule", name))

    # ------------------------------------------------------------------ declarations

    def _own(self, document: RulesetDocument, declared: Declared) -> None:
        declared.files.append(self._name(self.folder / RULESET))
        if document.settings is not None:
            # What a variant sets is set in every mode of its base: the base's modes no longer say otherwise.
            plain_keys = {key.text for key, value in document.settings.pairs if not isinstance(value, Entries)}
            declared.modes = [_without(mode, plain_keys) for mode in declared.modes]
        for part, kept in (
            (document.settings, declared.settings),
            (document.modes, declared.modes),
            (document.scopes, declared.scopes),
        ):
            if part is not None:
                kept.append(part)
        self._procedures(document.procedures, document.steps, declared)

    def _file(self, path: Path, document: RulesetDocument, declared: Declared) -> None:
        node = self._node(path)
        if node is None:
            return
        declared.files.append(self._name(path))
        if isinstance(node, Entries) and node.get("rulebook") is not None:
            self._rulebook(node, declared)
        elif isinstance(node, Entries) and node.get("view") is not None:
            view = shaped(ViewDocument, node, self.problems, "this file")
            declared.view.extend([view.view] if view else [])
        else:
            topic, whole = shaped_in_part(TopicDocument, node, self.problems, "this file", others=("rulebook", "view"))
            if not whole:
                self.problems.lose(ANY)
            if topic is not None:
                card = path.relative_to(self.folder).parts[0] in document.cards
                self._topic(topic, declared, card=card)

    def _topic(self, topic: TopicDocument, declared: Declared, *, card: bool) -> None:
        self._keyed(topic.templates, TemplateShape, declared.templates, "a template", card=card)
        for key, value in topic.events.pairs if topic.events else ():
            fields = Entries((), value.place) if isinstance(value, Scalar) and not value.text else value
            if isinstance(fields, Entries):
                self._add(declared.events, key.text, Placed(fields, key.place, card), None)
            else:
                self.problems.lose("word", key.text)
                self.problems.say(value.place, "shape", f"the fields of event `{key.text}` belong here")
        self._procedures(topic.procedures, topic.steps, declared)
        declared.scopes.extend([topic.scopes] if topic.scopes is not None else [])
        self._listed(topic.definitions, DefinitionShape, declared.definitions, "define", card=card)
        self._listed(topic.rules, RuleShape, declared.rules, "rule", card=card)
        self._listed(topic.invariants, InvariantShape, declared.invariants, "invariant", card=card)

    def _procedures(self, procedures: Entries | None, steps: Entries | None, declared: Declared) -> None:
        self._keyed(procedures, ProcedureShape, declared.procedures, "a procedure")
        self._keyed(steps, StepShape, declared.steps, "a step")

    def _rulebook(self, node: Entries, declared: Declared) -> None:
        document = shaped(RulebookDocument, node, self.problems, "this file")
        if document is not None:
            self._listed(document.rulebook, PrintedShape, declared.rulebook, "number")

    def _keyed(
        self, entries: Entries | None, shape: type[Shape], into: dict[str, Placed[Shape]], what: str, *, card: bool = False
    ) -> None:
        for key, value in entries.pairs if entries else ():
            body = Entries((), key.place) if isinstance(value, Scalar) and not value.text else value
            found, whole = shaped_in_part(shape, body, self.problems, f"{what} (`{key.text}`)")
            if not whole:
                self._lose(shape, key.text, body)
            if found is not None:
                node = body if isinstance(body, Entries) else None
                self._add(into, key.text, Placed(found, key.place, card, node=node), getattr(found, "replaces", None))

    def _listed(
        self, items: Items | None, shape: type[Shape], into: dict[str, Placed[Shape]], name: str, *, card: bool = False
    ) -> None:
        for node in items.items if items else ():
            found = shaped(shape, node, self.problems, _WHAT[shape])
            if found is None:
                labelled = node.get(name) if isinstance(node, Entries) else None
                said = labelled.text if isinstance(labelled, Scalar) else ""
                self.problems.lose(_KINDS[shape], (said.partition(" ")[0] if name == "define" else said) or ANY)
            elif isinstance(node, Entries):
                label = str(getattr(found, name)).split()[0] if name == "define" else str(getattr(found, name))
                placed = Placed(found, _label_place(node, name), card, node=node)
                self._add(into, label, placed, getattr(found, "replaces", None))

    def _lose(self, shape: type[Document], name: str, body: Node) -> None:
        """Note that this was not read as a whole; of a procedure, its steps were not either, as far as they are missing."""
        self.problems.lose(_KINDS[shape], name)
        steps = body.get("steps") if isinstance(body, Entries) else None
        if shape is ProcedureShape and steps is None:
            self.problems.lose("step")

    def _add(self, into: dict[str, Placed[Declaration]], name: str, placed: Placed[Declaration], replaces: str | None) -> None:
        held = into.get(name)
        if replaces is not None and replaces not in self._bases:
            self._misnamed(name, replaces, placed.place, into)
        elif replaces is not None and held is None:
            message = f"`{name}` replaces nothing: `{replaces}` has no such name"
            self.problems.unknown(placed.place, "replaces", message, near(name, into, otherwise=False), name=("rule", name))
        elif replaces is None and held is not None:
            self.problems.say(placed.place, "duplicate", f"`{name}` is declared twice: also at {held.place}")
            return
        number = held.number if held is not None else 1 + max((one.number for one in into.values()), default=-1)
        into[name] = Placed(placed.shape, placed.place, placed.card, number, placed.node)

    def _misnamed(self, name: str, replaces: str, place: Place, into: Collection[str]) -> None:
        """Tell of a `replaces` that names no base."""
        if not self._bases:
            self.problems.say(place, "replaces", f"`{name}` replaces nothing: this ruleset extends none")
            return
        hint = f"write `replaces: {self._bases[0]}`"
        if replaces in into:
            hint = f"what has the same name is replaced: call it `{replaces}`, and {hint}"
        self.problems.say(place, "replaces", f"`replaces: {replaces}` names no ruleset that this one extends", hint)


def _label_place(node: Entries, name: str) -> Place:
    return next((key.place for key, _ in node.pairs if key.text == name), node.place)


def _inherited(document: RulesetDocument, base: RulesetDocument) -> RulesetDocument:
    """The variant's document, with the base's cards."""
    return document.model_copy(update={"cards": (*base.cards, *document.cards), "edition": document.edition or base.edition})


def _without(modes: Entries, keys: set[str]) -> Entries:
    """Modes without these settings."""
    kept = [
        (name, Entries(tuple(pair for pair in mode.pairs if pair[0].text not in keys), mode.place))
        for name, mode in modes.pairs
        if isinstance(mode, Entries)
    ]
    return Entries(tuple(kept), modes.place)


def plain(node: Node) -> object:
    """A node as plain texts, lists and mappings, for those who read it themselves."""
    match node:
        case Scalar(text):
            return text
        case Items(items):
            return [plain(item) for item in items]
        case Entries(pairs):
            return {key.text: plain(value) for key, value in pairs}


def overlaid(parts: list[Entries]) -> Mapping[str, Node]:
    """The keys of several mappings, later ones over earlier."""
    return {key.text: value for part in parts for key, value in part.pairs}
