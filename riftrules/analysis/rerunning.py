"""After a change of files: which scenarios it can affect, so that only those are judged again.

What a scenario hangs on is noted while it is played: the procedures whose frames there were, the events that happened,
the requests that were made. A changed rule can only make a difference where its step, its event or its request came
up. Where anything else of the rules has changed, or a run says nothing of itself, everything is judged again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from riftrules.analysis.comparing.bare import bare
from riftrules.facts.memory import Fact
from riftrules.facts.trace import Refusal, StackedFrame, Waiting
from riftrules.facts.types import Value
from riftrules.language.model import Refuse, Rule, Ruleset
from riftrules.scenario.baselines import baseline_path
from riftrules.scenario.files import Catalogue
from riftrules.scenario.session import Opener, Session, opener
from riftrules.scenario.suite import FileResult, Judge, Options, Suite, suite_of


@dataclass(slots=True)
class Needs:
    """What the results of a file hang on. `everything`: on all of its rules, and on more than is known."""

    rulesets: set[str] = field(default_factory=set)
    procedures: set[str] = field(default_factory=set)
    events: set[str] = field(default_factory=set)
    requests: set[str] = field(default_factory=set)
    everything: bool = False


class Rerunner:
    """Judges files, and after a change those again that it can affect. The results are those of a cold run."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.results: dict[Path, FileResult] = {}
        self.ran: tuple[Path, ...] = ()
        self._needs: dict[Path, Needs] = {}
        self._texts: dict[Path, str] = {}
        self._pending: set[Path] = set()
        self._judge = Judge(options)
        self._opener = opener(options.engine)

    def suite(self, files: Sequence[Path], changed: Iterable[Path] | None = None) -> Suite:
        """The verdicts on all files, judging what the changed files can affect; everything where none are named.

        Raises RulesetError with what is wrong with the rules; then the next call starts from what was known before.
        """
        if changed is not None:
            self._pending |= {path.resolve() for path in changed}
        paths = self._pending if self.results and changed is not None else None
        known = self._judge.catalogue.loaded
        judge = Judge(self.options)
        judge.catalogue = self._reloaded(paths)
        ran = tuple(files) if paths is None else tuple(self._affected(files, paths, known, judge.catalogue.loaded))
        needs: dict[Path, Needs] = {path: Needs() for path in ran}
        judged = {path: self._judged(judge, path, needs[path]) for path in ran}
        results = {path: judged.get(path) or self.results[path] for path in files}
        suite = suite_of(list(results.values()))
        self.results, self.ran, self._judge, self._pending = results, ran, judge, set()
        self._needs |= needs
        self._texts = {path: path.read_text(encoding="utf-8", errors="replace") for path in files if path.exists()}
        return suite

    def _reloaded(self, changed: set[Path] | None) -> Catalogue:
        """The rulesets, those anew whose files have changed. Raises RulesetError."""
        old = self._judge.catalogue
        catalogue = Catalogue(old.override, old.bundled)
        if changed is None:
            return catalogue
        for folder, ruleset in old.loaded.items():
            if self._stale(folder, ruleset, changed):
                catalogue.ruleset(folder)
            else:
                catalogue.loaded[folder] = ruleset
        return catalogue

    def _stale(self, folder: Path, ruleset: Ruleset, changed: set[Path]) -> bool:
        """Whether a file of the ruleset, or of one it extends, has changed, come or gone."""
        read = {Path(name).resolve() for name in ruleset.files}
        folders = {folder, *(path.parent for path in read)}
        return bool(changed & read) or any(path.is_relative_to(one) for path in changed for one in folders)

    def _judged(self, judge: Judge, path: Path, needs: Needs) -> FileResult:
        judge.open_session = _Noting(self._opener, needs)
        result = judge.file(path)
        alone = any(verdict.status in {"invalid", "error"} for verdict in result.verdicts)
        needs.everything = needs.everything or alone or (not needs.rulesets and not result.board)
        return result

    # -------------------------------------------------------------------------------------------- what is affected

    def _affected(
        self, files: Sequence[Path], changed: set[Path], old: Mapping[Path, Ruleset], new: Mapping[Path, Ruleset]
    ) -> Iterator[Path]:
        differing = {one.path: _Difference(one, new[folder]) for folder, one in old.items() if new[folder] is not one}
        elsewhere = any(
            not any(path.is_relative_to(folder) for folder in old) for path in changed - {path.resolve() for path in files}
        )
        for path in files:
            result = self.results.get(path)
            own = {path.resolve(), baseline_path(path).resolve()}
            if (
                result is None
                or own & changed
                or {one.resolve() for one in result.uses} & changed
                or (elsewhere and self._needs[path].everything)
                or (differing and any(self._touches(path, name, one) for name, one in differing.items()))
            ):
                yield path

    def _touches(self, path: Path, ruleset: str, difference: _Difference) -> bool:
        needs = self._needs[path]
        if needs.everything:
            return True
        if ruleset not in needs.rulesets:
            return False
        return difference.everything or difference.named(self._texts[path]) or difference.touches(needs)


class _Difference:
    """What two loads of a ruleset differ in: rules, or more than rules."""

    def __init__(self, old: Ruleset, new: Ruleset) -> None:
        before, after = ({rule.id: rule for rule in one.rules} for one in (old, new))
        both = [name for name in before if name in after]
        moved = both != [name for name in after if name in before]
        self.everything = moved or _rest(old) != _rest(new)
        self.names = before.keys() ^ after.keys()
        changed = [name for name in both if _said(before[name]) != _said(after[name])]
        names = (*changed, *self.names)
        self.rules = [one[name] for one in (before, after) for name in names if name in one]
        self.procedures = new.procedures

    def named(self, text: str) -> bool:
        """Whether a fixture names a rule that has come or gone."""
        return any(name in text for name in self.names)

    def touches(self, needs: Needs) -> bool:
        """Whether one of the rules was looked at."""
        steps = {step for name in needs.procedures if name in self.procedures for step in self.procedures[name].steps}
        for rule in self.rules:
            refused = {one.procedure for one in rule.then if isinstance(one, Refuse)}
            heard = rule.event is not None and rule.event.template in needs.events
            if rule.step in steps or heard or refused & (needs.requests | needs.procedures):
                return True
        return False


def _said(rule: Rule) -> object:
    return bare(replace(rule, number=0))


def _rest(ruleset: Ruleset) -> object:
    """All of a ruleset but its rules, as far as verdicts can hang on it."""
    parts: tuple[Any, ...] = (
        dict(ruleset.templates),
        dict(ruleset.procedures),
        dict(ruleset.definitions),
        dict(ruleset.steps),
        ruleset.invariants,
        dict(ruleset.modes),
        tuple(ruleset.modes),
        tuple(ruleset.rulebook),
        dict(ruleset.view),
    )
    return bare(parts)


# ------------------------------------------------------------------------------------------------ noting


class _Noting:
    """Opens sessions that note what their runs hang on."""

    def __init__(self, open_session: Opener, needs: Needs) -> None:
        self.open_session = open_session
        self.needs = needs

    def __call__(self, ruleset: Ruleset, facts: Sequence[Fact], stack: Sequence[StackedFrame]) -> Session:
        self.needs.rulesets.add(ruleset.path)
        session: Any = _Noted(self.open_session(ruleset, facts, stack), self.needs)
        return session  # type: ignore[no-any-return]


class _Noted:
    """A session that notes the requests made of it, and at its end which frames and events there were."""

    def __init__(self, session: Session, needs: Needs) -> None:
        self._session = session
        self._needs = needs

    def __getattr__(self, name: str) -> Any:
        return getattr(self._session, name)

    def request(self, name: str, fields: Mapping[str, Value]) -> Waiting | Refusal:
        """Ask, and note what for. A request that no rule accepts is undone with all that it did: nothing is known of it."""
        answer = self._session.request(name, fields)
        self._needs.requests.add(name)
        if isinstance(answer, Refusal) and answer.reason == UNACCEPTED:
            self._needs.everything = True
        return answer

    def close(self) -> None:
        """Note what there was, and give back what the session holds."""
        session, needs = self._session, self._needs
        kinds = session.ruleset.templates
        needs.procedures |= {write.template for write in session.memory.log if kinds[write.template].kind == "frame"}
        needs.events |= {event.template for event in session.trace.events()}
        closing = getattr(session, "close", None)
        if closing is not None:
            closing()


UNACCEPTED = "no rule accepts it"
