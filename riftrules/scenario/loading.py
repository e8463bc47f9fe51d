"""Reads fixture files into scenarios, strictly, with every problem at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from riftrules.errors import Place, Problem, ScenarioError
from riftrules.language.documents import shaped
from riftrules.language.model import Ruleset
from riftrules.language.problems import Problems, near
from riftrules.scenario.board import open_board
from riftrules.scenario.callouts import callouts_of
from riftrules.scenario.documents import BoardDocument, ScenarioListDocument, ScenarioShape
from riftrules.scenario.expecting import Names, expectation_of
from riftrules.scenario.files import Catalogue, find_board, near_board, shown
from riftrules.scenario.items import ItemReader, check_cites
from riftrules.scenario.model import Scenario
from riftrules.source import Entries, Node, Scalar, read

LISTED = "scenarios"
RULESET = "ruleset"

_Board: TypeAlias = tuple[BoardDocument, Entries]
"""A shared board, and as it was written."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """One scenario of a file with the ruleset it is played on, or the problems why it cannot be."""

    name: str
    place: Place
    scenario: Scenario | None = None
    ruleset: Ruleset | None = None
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class LoadedFile:
    """What a fixture file holds: scenarios, or (with `board`) only a board for others. `uses` are the boards it names."""

    scenarios: tuple[Loaded, ...]
    board: bool = False
    uses: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class _Frame:
    """What the scenarios of a file share, and the boards they use."""

    document: BoardDocument
    layers: tuple[Entries, ...] = ()
    uses: tuple[Path, ...] = ()
    ruleset: Scalar | None = None
    mode: Scalar | None = None
    shared: ScenarioListDocument | None = None
    whole: bool = True
    """Whether every board that is used has been found and read."""


def load_scenarios(path: Path, catalogue: Catalogue) -> tuple[tuple[Scenario, Ruleset], ...]:
    """The scenarios of a file with their rulesets. Raises ScenarioError with every problem of the file, and RulesetError."""
    loaded = load_file(path, catalogue).scenarios
    problems = tuple(problem for one in loaded for problem in one.problems)
    if problems:
        raise ScenarioError(problems)
    return tuple((one.scenario, one.ruleset) for one in loaded if one.scenario is not None and one.ruleset is not None)


def load_file(path: Path, catalogue: Catalogue) -> LoadedFile:
    """The scenarios of a file, each with its problems. Raises RulesetError where a ruleset it names is wrong."""
    node, found = read(path, shown(path))
    if not isinstance(node, Entries) or found:
        wrong = found or (Problem(Place(shown(path)), "shape", "a fixture is written as keys with values"),)
        return LoadedFile((_invalid(path, node, wrong),))
    keys = set(node.keys())
    if keys <= set(BoardDocument.model_fields) and "given" in keys:
        return _board_file(path, node)
    return _Loading(path, catalogue).file(node)


def _shared(found: tuple[Loaded, ...]) -> tuple[tuple[Problem, ...], tuple[Loaded, ...]]:
    """What is wrong with all scenarios of a file alike, at the same places, and the scenarios with what else is wrong."""
    places = [{(problem.place, problem.code) for problem in one.problems} for one in found]
    common = set.intersection(*places) if len(found) > 1 else set()
    told = tuple(problem for problem in found[0].problems if (problem.place, problem.code) in common) if found else ()
    rest = tuple(
        replace(one, problems=tuple(problem for problem in one.problems if (problem.place, problem.code) not in common))
        for one in found
    )
    return told, rest


def _last(key: str, written: Sequence[_Board]) -> Scalar | None:
    """The value of a key where it is said last."""
    values = (node.get(key) for _, node in reversed(written))
    return next((value for value in values if isinstance(value, Scalar) and value.text), None)


def _invalid(path: Path, node: Node | None, problems: tuple[Problem, ...]) -> Loaded:
    name = node.get("scenario") if isinstance(node, Entries) else None
    return Loaded(name.text if isinstance(name, Scalar) else path.stem, Place(shown(path)), problems=problems)


def _board_file(path: Path, node: Entries) -> LoadedFile:
    problems = Problems()
    shaped(BoardDocument, node, problems, "a board")
    wrong = (_invalid(path, node, problems.errors),) if problems.errors else ()
    return LoadedFile(wrong, board=True)


class _Loading:
    """Loads one file."""

    def __init__(self, path: Path, catalogue: Catalogue) -> None:
        self.path = path
        self.catalogue = catalogue

    def file(self, node: Entries) -> LoadedFile:
        if node.get(LISTED) is None:
            one, uses = self._one(node, None)
            return LoadedFile((one,), uses=uses)
        problems = Problems()
        shared = shaped(ScenarioListDocument, node, problems, "a list of scenarios")
        if shared is None:
            return LoadedFile((_invalid(self.path, node, problems.errors),))
        frame = self._frame(node, shared, None, problems)
        found = [self._one(item, frame) for item in shared.scenarios.items]
        if not found:
            problems.say(shared.scenarios.place, "shape", "there is no scenario in this list")
        uses = tuple(path for _, paths in found for path in paths)
        shared_problems, loaded = _shared(tuple(one for one, _ in found))
        told = (*problems.errors, *shared_problems)
        wrong = (_invalid(self.path, node, told),) if told else ()
        return LoadedFile((*wrong, *loaded), uses=(*frame.uses, *uses))

    def _one(self, node: Node, outer: _Frame | None) -> tuple[Loaded, tuple[Path, ...]]:
        problems = Problems()
        problems.nodes.append(node)
        shape = shaped(ScenarioShape, node, problems, "a scenario")
        if shape is None or not isinstance(node, Entries):
            name = node.get("scenario") if isinstance(node, Entries) else None
            return Loaded(name.text if isinstance(name, Scalar) else self.path.stem, node.place, problems=problems.errors), ()
        frame = self._frame(node, shape, outer, problems)
        if not frame.whole:
            problems.lose("fact")
            problems.lose(RULESET)
        ruleset = self._ruleset(node, frame, problems)
        scenario = None if ruleset is None else self._scenario(node, shape, frame, ruleset, problems)
        wrong = tuple(sorted(set(problems.errors)))
        return Loaded(shape.scenario, node.place, scenario if frame.whole and not wrong else None, ruleset, wrong), frame.uses

    # -------------------------------------------------------------------------------------------- what is shared

    def _frame(self, node: Entries, document: BoardDocument, outer: _Frame | None, problems: Problems) -> _Frame:
        boards: dict[Path, _Board] = {}
        found = [self._use(name, node.get("uses") or node, (self.path,), boards, problems) for name in document.uses]
        written = [*boards.values(), (document, node)]
        layers = tuple(one.given for one, _ in written if one.given is not None)
        return _Frame(
            document,
            ((*outer.layers, *layers) if outer else layers),
            tuple(boards),
            _last(RULESET, written) or (outer.ruleset if outer else None),
            _last("mode", written) or (outer.mode if outer else None),
            outer.document if outer and isinstance(outer.document, ScenarioListDocument) else None,
            all(found) and (outer is None or outer.whole),
        )

    def _use(self, name: str, node: Node, chain: tuple[Path, ...], boards: dict[Path, _Board], problems: Problems) -> bool:
        """Put a shared board, after those it uses itself, among the boards; whether all of them could be read.

        `chain` is who uses it, the file first.
        """
        found = find_board(name, chain[-1])
        if found is None:
            message, hint = f"there is no board `{name}` beside this file or above it", near_board(name, chain[-1])
            problems.say(node.place, "missing-file", message, hint)
            return False
        if found in chain:
            problems.say(node.place, "ring", f"`{name}` uses the board that uses it")
        if found in boards:
            return True
        board, said = read(found, shown(found))
        problems.found.extend(said)
        problems.nodes.extend([] if board is None else [board])
        document = None if board is None else shaped(BoardDocument, board, problems, "a board")
        if document is None or not isinstance(board, Entries):
            return False
        boards[found] = (document, board)  # before those it uses, so that a ring of boards ends
        used = [self._use(other, board.get("uses") or board, (*chain, found), boards, problems) for other in document.uses]
        boards[found] = boards.pop(found)
        return all(used)

    def _ruleset(self, node: Entries, frame: _Frame, problems: Problems) -> Ruleset | None:
        name = frame.ruleset.text if frame.ruleset else ""
        path = self.catalogue.find(name, self.path)
        if path is not None:
            return self.catalogue.ruleset(path)
        if frame.ruleset:
            said, hint = f"there is no ruleset `{name}`", near(name, self.catalogue.names(self.path))
            problems.unknown(frame.ruleset.place, "unknown-ruleset", said, hint, name=(RULESET, name))
        else:
            problems.unknown(node.place, "missing-key", "a scenario needs the key `ruleset`", name=(RULESET, ""))
        return None

    # -------------------------------------------------------------------------------------------- the scenario

    def _scenario(self, node: Entries, shape: ScenarioShape, frame: _Frame, ruleset: Ruleset, problems: Problems) -> Scenario:
        shared = frame.shared
        mode = frame.mode.text if frame.mode else next(iter(ruleset.modes), "")
        if frame.mode and mode not in ruleset.modes:
            problems.say(frame.mode.place, "unknown-mode", f"there is no mode `{mode}`", near(mode, ruleset.modes))
        board = open_board(frame.layers, ruleset, mode, problems)
        names = Names(ruleset, board.ids(), problems)
        items = tuple(ItemReader(names).items(shape.when))
        then = expectation_of(shape.then, names)
        cites = shape.cites or (shared.cites if shared else ())
        check_cites(cites, node.get("cites") or node, names)
        return Scenario(
            shape.scenario,
            node.place,
            board.facts,
            board.stack,
            items,
            then,
            id=shape.id,
            cites=cites,
            mode=mode,
            says=shape.says,
            note=shape.note,
            skip=shape.skip or (shared.skip if shared else ""),
            lenient=shape.lenient or (shared.lenient if shared else False),
            any_order=shape.any_order,
            callouts=callouts_of(shape.callouts, names),
        )
