"""Judges many fixture files, in this process or in several: the verdicts are the same, in the same order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

from riftrules.errors import Place, Problem, RulesetError
from riftrules.facts.trace import Trace
from riftrules.scenario.baselines import baseline_path, baseline_text, compared, keys, outcome_of, read_baseline
from riftrules.scenario.files import Catalogue, shown
from riftrules.scenario.loading import Loaded, LoadedFile, load_file
from riftrules.scenario.model import Run, Verdict
from riftrules.scenario.playing import play, skipped
from riftrules.scenario.session import Opener, opener
from riftrules.scenario.workers import Crew, Lost, crew
from riftrules.source.writing import write_whole

Progress: TypeAlias = Callable[[int, int], None]
"""Called with how many files are done, and of how many."""

KEPT = Path(".riftrules") / "traces"


@dataclass(frozen=True, slots=True)
class Options:
    """How scenarios are judged.

    `ruleset` is played in place of what the fixtures name, `instead` folders in place of others (None: of one that was not
    there), and `known_as` is what messages call these; `only` are words that a scenario's name, id or path must
    hold; `traces` is the folder that gets the trace of every scenario. With `baselines` outcomes are compared with those
    kept beside the fixtures; with `accept` what has come of the scenarios is offered to be kept in their place. `draw`
    gives the board of a scenario that has failed, in lines.
    """

    engine: str = "engine"
    lenient: bool = False
    ruleset: Path | None = None
    bundled: Path | None = None
    only: tuple[str, ...] = ()
    traces: Path | None = None
    baselines: bool = True
    accept: bool = False
    draw: Callable[[Run], tuple[str, ...]] | None = None
    instead: tuple[tuple[Path, Path | None], ...] = ()
    known_as: tuple[tuple[Path, str], ...] = ()


@dataclass(frozen=True, slots=True)
class FileResult:
    """The verdicts on a file's scenarios, the names of all there are, and the problems of the rules they name.

    `unkept` says how many of those that passed have no baseline, and `doubts` what is wrong with the file's baseline;
    `kept` is the text of the baseline that is to be written, where one is asked for.
    """

    path: Path
    verdicts: tuple[Verdict, ...] = ()
    names: tuple[str, ...] = ()
    board: bool = False
    uses: tuple[Path, ...] = ()
    rules_problems: tuple[Problem, ...] = ()
    unkept: int = 0
    doubts: tuple[Problem, ...] = ()
    kept: str = ""


@dataclass(frozen=True, slots=True)
class Suite:
    """The verdicts on all scenarios, in the order of their files; `names` are those of all there were to choose from.

    `baselines` are the files that are to be written where outcomes are accepted.
    """

    verdicts: tuple[Verdict, ...]
    names: tuple[str, ...] = ()
    warnings: tuple[Problem, ...] = ()
    baselines: tuple[tuple[Path, str], ...] = ()

    def count(self, status: str) -> int:
        """How many scenarios have this verdict."""
        return sum(1 for verdict in self.verdicts if verdict.status == status)


@dataclass(slots=True)
class Judge:
    """Judges files one by one; what is loaded and compiled once serves for all of them."""

    options: Options
    catalogue: Catalogue = field(init=False)
    open_session: Opener = field(init=False)

    def __post_init__(self) -> None:
        options = self.options
        self.catalogue = Catalogue(options.ruleset, options.bundled, dict(options.instead), dict(options.known_as))
        self.open_session = opener(self.options.engine)

    def file(self, path: Path) -> FileResult:
        """The verdicts on the scenarios of a file. Wrong rules are told in the result."""
        try:
            loaded = load_file(path, self.catalogue)
        except RulesetError as error:
            return FileResult(path, rules_problems=error.problems)
        names = tuple(one.name for one in loaded.scenarios)
        labels = keys(names)
        played = {labels[max(number, 1) - 1]: self._saved(run, path, number) for number, run in self._played(loaded, path)}
        result = FileResult(path, tuple(_verdict_of(run) for run in played.values()), names, loaded.board, loaded.uses)
        if self.options.accept:
            kept = _accepted(path, labels, played)
            return result if kept == _text_of(baseline_path(path)) else replace(result, kept=kept)
        return _compared(result, played, labels) if self.options.baselines else result

    def loaded(self, path: Path) -> LoadedFile:
        """The scenarios of a file. Raises RulesetError."""
        return load_file(path, self.catalogue)

    def one(self, path: Path, loaded: LoadedFile, number: int) -> Verdict:
        """The verdict on one scenario of a file, by its place in the list."""
        labels = keys(tuple(one.name for one in loaded.scenarios))
        run = self._saved(self._run(loaded.scenarios[number]), path, 0 if len(labels) == 1 else number + 1)
        result = FileResult(path, (_verdict_of(run),))
        compared = _compared(result, {labels[number]: run}, labels) if self.options.baselines else result
        return compared.verdicts[0]

    def runs(self, path: Path) -> Iterator[Run | Verdict]:
        """The runs of a file's scenarios; a verdict alone where one cannot be played. Raises RulesetError."""
        for number, run in self._played(load_file(path, self.catalogue), path):
            yield self._saved(run, path, number)

    def _played(self, loaded: LoadedFile, path: Path) -> Iterator[tuple[int, Run | Verdict]]:
        """The scenarios chosen, played, each with its place in the list (0 where it is alone)."""
        alone = len(loaded.scenarios) == 1
        for number, one in enumerate(loaded.scenarios, 1):
            if self._chosen(one, path):
                yield (0 if alone else number), self._run(one)

    def _chosen(self, one: Loaded, path: Path) -> bool:
        return is_chosen(one.name, one.scenario.id if one.scenario else "", path, self.options.only)

    def _run(self, one: Loaded) -> Run | Verdict:
        if one.scenario is None or one.ruleset is None:
            reason = "" if one.problems else "what it shares with others is wrong"
            return Verdict(one.name, one.place, "invalid", reason=reason, problems=one.problems)
        if one.scenario.skip:
            return skipped(one.scenario)
        run = play(one.scenario, one.ruleset, self.open_session, lenient=self.options.lenient)
        if self.options.draw is None or run.verdict.status != "failed":
            return run
        return replace(run, verdict=replace(run.verdict, board=self.options.draw(run)))

    def _saved(self, run: Run | Verdict, path: Path, number: int) -> Run | Verdict:
        """The run, its trace saved where traces are asked for, and always where it could not finish."""
        folder = self.options.traces
        if isinstance(run, Verdict) or (folder is None and run.verdict.status != "error"):
            return run
        return replace(run, verdict=replace(run.verdict, saved=self._save(run.trace, path, number)))

    def _save(self, trace: Trace, path: Path, number: int) -> str:
        """Where the trace has been saved. Raises OSError where traces were asked for and cannot be saved."""
        if self.options.traces is not None:
            return save_trace(trace, self.options.traces, path, number)
        try:
            return save_trace(trace, KEPT, path, number)
        except OSError:
            return ""


def is_chosen(name: str, id_: str, path: Path, words: Sequence[str]) -> bool:
    """Whether a scenario's name, id or path holds every one of the words."""
    text = f"{name} {id_} {shown(path)}".lower()
    return all(word.lower() in text for word in words)


def _verdict_of(run: Run | Verdict) -> Verdict:
    return run if isinstance(run, Verdict) else run.verdict


# ------------------------------------------------------------------------------------------------ baselines


def _compared(result: FileResult, played: Mapping[str, Run | Verdict], labels: Sequence[str]) -> FileResult:
    """The result, scenarios failed whose outcome is not that of their baseline, and what the baseline lacks or has too many."""
    baseline = read_baseline(result.path)
    kept = baseline.outcomes if baseline is not None else {}
    unkept = sum(1 for label, run in played.items() if label not in kept and _verdict_of(run).status == "passed")
    if baseline is None or baseline.problems:
        doubts = () if baseline is None else baseline.problems
        return replace(result, unkept=0 if doubts else unkept, doubts=doubts)
    verdicts = tuple(
        _verdict_of(compared(run, kept[label]) if label in kept and isinstance(run, Run) else run)
        for label, run in played.items()
    )
    hint = "run `riftrules test --accept` to write the baseline anew"
    doubts = tuple(
        Problem(Place(shown(baseline.path)), "stale-baseline", f"no scenario here is called `{label}` any more", hint, "warning")
        for label in kept
        if label not in labels
    )
    return replace(result, verdicts=verdicts, unkept=unkept, doubts=doubts)


def _accepted(path: Path, labels: Sequence[str], played: Mapping[str, Run | Verdict]) -> str:
    """The baseline with the outcomes of what passed now; a scenario not played, or not passed, keeps what it had."""
    baseline = read_baseline(path)
    known = dict(baseline.outcomes) if baseline is not None else {}
    known |= {label: outcome_of(run) for label, run in played.items() if isinstance(run, Run) and run.verdict.status == "passed"}
    outcomes = [known[label] for label in labels if label in known]
    return baseline_text(path, outcomes) if outcomes else ""


def _text_of(path: Path) -> str:
    """What a file says by now; nothing where there is none."""
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def save_trace(trace: Trace, folder: Path, fixture: Path, number: int = 0) -> str:
    """Write a trace under a folder, in a file of its own for each scenario; the path written. Raises OSError."""
    inside = Path(shown(fixture))
    inside = inside.relative_to(inside.anchor) if inside.is_absolute() else inside
    parts = [part for part in inside.parts if part != ".."]
    file = folder.joinpath(*parts[:-1], f"{parts[-1]}{f'.{number}' if number else ''}.jsonl")
    file.parent.mkdir(parents=True, exist_ok=True)
    write_whole(file, trace.lines())
    return file.as_posix()


# ------------------------------------------------------------------------------------------------ many files


def judge(
    files: Sequence[Path], options: Options, *, workers: int = 1, progress: Progress | None = None, cluster: str = ""
) -> Suite:
    """The verdicts on every scenario of the files, which the workers of a `cluster` must find where they are here.

    Raises RulesetError with the problems of every ruleset they name.
    """
    told = progress or (lambda _done, _all: None)
    if not cluster and (workers <= 1 or len(files) <= 1):
        return suite_of(list(_here(files, options, told)))
    with crew(min(workers, len(files)), cluster) as working:
        return suite_of(_there(files, options, working, told))


def suite_of(results: Sequence[FileResult]) -> Suite:
    """The results of files put together. Raises RulesetError with the problems of every ruleset they name."""
    wrong = {problem for result in results for problem in result.rules_problems}
    if wrong:
        raise RulesetError(tuple(wrong))
    verdicts = tuple(verdict for result in results for verdict in result.verdicts)
    names = tuple(name for result in results for name in result.names)
    kept = tuple((baseline_path(result.path), result.kept) for result in results if result.kept)
    return Suite(verdicts, names, (*_unused_boards(results), *_baseline_doubts(results)), kept)


def _baseline_doubts(results: Sequence[FileResult]) -> tuple[Problem, ...]:
    """What is doubted about baselines. That one is missing is said only where there are others."""
    doubts = tuple(problem for result in results for problem in result.doubts)
    if not any(baseline_path(result.path).is_file() for result in results):
        return doubts
    hint = "run `riftrules test --accept` to keep what has come of it"
    missing = tuple(
        Problem(Place(shown(result.path)), "missing-baseline", f"{_scenarios(result.unkept)} no baseline", hint, "warning")
        for result in results
        if result.unkept
    )
    return (*doubts, *missing)


def _scenarios(count: int) -> str:
    return "one scenario has" if count == 1 else f"{count} scenarios have"


def _unused_boards(results: Sequence[FileResult]) -> tuple[Problem, ...]:
    used = {path.resolve() for result in results for path in result.uses}
    unused = [result.path for result in results if result.board and not result.verdicts and result.path.resolve() not in used]
    if not used and len(unused) == len(results):
        return ()
    hint = "name it under `uses`, or delete it"
    return tuple(Problem(Place(shown(path)), "unused-board", "no scenario uses this board", hint, "warning") for path in unused)


def _here(files: Sequence[Path], options: Options, progress: Progress) -> Iterator[FileResult]:
    one = Judge(options)
    for done, path in enumerate(files, 1):
        yield one.file(path)
        progress(done, len(files))


@lru_cache(maxsize=1)
def _judge(options: Options) -> Judge:
    """The judge of a worker process, one for its life."""
    return Judge(options)


def _file(options: Options, path: Path) -> FileResult:
    return _judge(options).file(path)


def _there(files: Sequence[Path], options: Options, working: Crew, progress: Progress) -> Sequence[FileResult]:
    """The results of worker processes. A file whose worker dies takes no other with it."""
    results: dict[int, FileResult] = {}
    for place, found in working.work(_file, options, files):
        results[place] = _died(files[place]) if isinstance(found, Lost) else found
        progress(len(results), len(files))
    return [results[place] for place in range(len(files))]


def _died(path: Path) -> FileResult:
    died = Verdict(path.stem, Place(shown(path)), "error", reason="the process that played this file has died")
    return FileResult(path, (died,), (path.stem,))
