"""`riftrules prove` and `riftrules play`: proofs within a scope, and random games."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from riftrules.analysis.proof.findings import Finding
from riftrules.analysis.proof.journal import Journal, digest
from riftrules.analysis.proof.proving import Limits, Progress, Proof, Proving
from riftrules.analysis.proof.shrinking import counterexample
from riftrules.cli import places
from riftrules.cli.exits import Exit
from riftrules.errors import Problem, RulesetError
from riftrules.language.loader import load_ruleset
from riftrules.language.model import ProofScope, Ruleset
from riftrules.language.problems import near
from riftrules.report.console import as_json, console, styled
from riftrules.report.proofs import print_proof, progress_line, proof_data
from riftrules.scenario.workers import crew
from riftrules.source.writing import write_whole

KEPT = Path(".riftrules") / "proofs"


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked for on the command line."""

    scope: str
    ruleset: str | None = None
    mode: str = ""
    workers: int = 1
    cluster: str = ""
    depth: int | None = None
    output: Path | None = None
    seconds: float | None = None
    first: bool = False
    fresh: bool = False
    full: bool = False
    json: bool = False


def prove(asked: Asked) -> Exit:
    """Prove a scope: exit 0 where it is, 1 where something was found, 4 where it is not finished, 5 where nothing can be done."""
    ruleset = load_ruleset(places.only_ruleset(asked.ruleset))
    scope = scope_of(ruleset, asked.scope)
    mode = mode_of(ruleset, scope, asked.mode)
    if asked.depth is not None:
        scope = replace(scope, depth=asked.depth)
    journal = Journal(
        KEPT / f"{ruleset.name}-{scope.name}{f'-{mode}' if mode else ''}.jsonl", digest(ruleset, scope, mode), asked.fresh
    )
    with crew(asked.workers, asked.cluster) as workers:
        proving = Proving(ruleset, scope, mode, workers=workers, keeper=journal)
        proof = proving.run(Limits(asked.seconds, first=asked.first), _teller())
    if proof.finished:
        journal.remove()
    texts = {finding: counterexample(proving.setup, finding) for finding in proof.findings}
    _tell(proof, texts, _written(proof, texts, asked.output), asked, journal.path)
    return _exit(proof)


def _exit(proof: Proof) -> Exit:
    if proof.findings:
        return Exit.DIFFERS
    if proof.finished and not proof.transitions:
        return Exit.NOTHING_RAN
    return Exit.AS_EXPECTED if proof.finished else Exit.UNFINISHED


def _tell(proof: Proof, texts: Mapping[Finding, str], written: Mapping[Finding, str], asked: Asked, journal: Path) -> None:
    if asked.json:
        print(as_json({"exit": int(_exit(proof)), **proof_data(proof, texts, written)}))  # noqa: T201 - JSON is not for a console
        return
    to = console()
    print_proof(proof, texts, written, to, full=asked.full)
    if not proof.finished:
        to.print(styled((f"what is done is kept in {journal.as_posix()}: the same command goes on from there", "dim")))


def _written(proof: Proof, texts: Mapping[Finding, str], folder: Path | None) -> dict[Finding, str]:
    """Write each counterexample as a fixture of its own; where."""
    if folder is None:
        return {}
    folder.mkdir(parents=True, exist_ok=True)
    found = {}
    for number, finding in enumerate(proof.findings, 1):
        words = "-".join((finding.kind, *finding.about)) if finding.kind != "agreement" else f"agreement-{number}"
        path = folder / f"{proof.scope.name}-{words}.yaml"
        write_whole(path, texts[finding])
        found[finding] = path.as_posix()
    return found


def scope_of(ruleset: Ruleset, name: str) -> ProofScope:
    """The scope of this name; the first where none is named. Raises RulesetError with those there are."""
    if not name and ruleset.scopes:
        return next(iter(ruleset.scopes.values()))
    found = ruleset.scopes.get(name)
    if found is None:
        said = f"`{ruleset.name}` has no scope `{name}`" if ruleset.scopes else f"`{ruleset.name}` has no scopes"
        hint = near(name, ruleset.scopes) or f"say in `{places.RULESET_FILE}`, under `scopes`, what a proof is to cover"
        raise RulesetError((Problem(places.place_of(ruleset), "unknown-scope", said, hint),))
    return found


def mode_of(ruleset: Ruleset, scope: ProofScope, mode: str) -> str:
    """The mode asked for, else the scope's first. Raises RulesetError with those there are."""
    if mode and mode not in ruleset.modes:
        said = f"`{mode}` is no mode of `{ruleset.name}`"
        raise RulesetError((Problem(places.place_of(ruleset), "unknown-mode", said, near(mode, ruleset.modes)),))
    return mode or scope.modes[0]


def _teller() -> Callable[[Progress], None] | None:
    """Tells of progress on a terminal; silent elsewhere."""
    if not sys.stderr.isatty():
        return None

    def tell(progress: Progress) -> None:
        sys.stderr.write(f"\r\033[K{progress_line(progress)}")
        if progress.done == progress.of:
            sys.stderr.write("\r\033[K")
        sys.stderr.flush()

    return tell
