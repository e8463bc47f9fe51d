"""Proofs as text and as JSON: what was covered, what was found, and never more than that."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

from rich.console import Console

from riftrules.analysis.proof.findings import Finding
from riftrules.analysis.proof.proving import Progress, Proof
from riftrules.report.console import styled

SHOWN = 8

Naming: TypeAlias = Callable[..., str]
"""Names in a row, the first of them or all."""


def print_proof(
    proof: Proof, texts: Mapping[Finding, str], written: Mapping[Finding, str], to: Console, *, full: bool = False
) -> None:
    """The verdict, what was covered, what was found. `texts` are counterexamples, `written` where they have been put.

    In lists of names the first few are told, with `full` all.
    """
    some = partial(_some, most=None if full else SHOWN)
    style = "green" if proof.proved else "bold red" if proof.findings else "yellow"
    mode = f", mode {proof.mode}" if proof.mode else ""
    edition = f" ({proof.edition})" if proof.edition else ""
    to.print(styled((verdict_of(proof), style), f": scope {proof.scope.name} of {proof.ruleset}{edition}{mode}"))
    if proof.scope.says:
        to.print(styled((f"  {proof.scope.says}", "dim")))
    for name, said in _covered(proof):
        to.print(styled(f"  {name:<13} ", said))
    for name, said, fine in _claims(proof, some):
        to.print(styled(f"  {name:<13} ", (said, "" if fine else "red")))
    _print_vacuous(proof, to, some)
    for finding in proof.findings:
        to.print(styled((f"{finding.kind}: ", "bold red"), finding.message))
        if finding in written:
            to.print(styled(f"  the smallest board found is in {written[finding]}"))
        elif finding in texts:
            to.print(styled("".join(f"  {line}\n" for line in texts[finding].splitlines()).rstrip()))


def verdict_of(proof: Proof) -> str:
    """`proved within scope`, `not proved`, `not finished`, or that there was nothing to prove."""
    if proof.findings:
        return "not proved"
    if proof.finished and not proof.transitions:
        return "nothing to prove: nothing can be done on the boards of this scope"
    return "proved within scope" if proof.finished else "not finished"


def _covered(proof: Proof) -> Iterator[tuple[str, str]]:
    left_out = f"; {_number(proof.left_out)} more violate an invariant from the start" if proof.left_out else ""
    alike = f", {_number(proof.distinct)} but for names" if proof.distinct != proof.boards else ""
    yield "boards", f"{_number(proof.boards)} to start from{alike}{left_out}"
    yield "states", f"{_number(proof.states)}, none like another but for names and ignored fields"
    yield "transitions", f"{_number(proof.transitions)}; {_number(proof.refused)} requests refused"
    yield "depth", _depth(proof)
    yield "symmetries", ", ".join(f"{name} names" for name in proof.symmetries) or "none"
    ignored = [f"{template}.{field}" for template, field in proof.scope.ignored]
    if ignored:
        yield "ignored", ", ".join(ignored)
    rate = f", {_number(round(proof.transitions / proof.seconds))} transitions a second" if proof.seconds >= 1 else ""
    resumed = f", {_count(proof.resumed, 'batch', 'es')} of an earlier run among them" if proof.resumed else ""
    yield "time", f"{proof.seconds:.1f} s{rate}{resumed}"


def _depth(proof: Proof) -> str:
    if proof.closed:
        return f"{_count(proof.depth, 'move')}; nothing new is found after them, so runs of any length are covered"
    wanted = "" if proof.finished or proof.scope.depth is None else f" of {proof.scope.depth}"
    return f"every run of up to {proof.depth}{wanted} {'move' if proof.depth == 1 and not wanted else 'moves'}"


def _claims(proof: Proof, some: Naming) -> Iterator[tuple[str, str, bool]]:
    """What is claimed of what was covered: name, words, whether nothing speaks against it."""
    found = {kind: [one for one in proof.findings if one.kind == kind] for kind in ("termination", "failure", "confluence")}
    ends = not found["termination"] and not found["failure"]
    yield (
        "termination",
        f"every run ends, the longest after {_count(proof.longest, 'firing')}" if ends else "not every run ends",
        ends,
    )
    confluent = not found["confluence"]
    ties = f"{_count(proof.ties, 'place')} where only the last tie-breaks order what fires, {_count(proof.orders, 'other order')}"
    yield "confluence", f"{ties}: {'the same boards' if confluent else 'other boards'}", confluent
    broken = sorted({one.about[0] for one in proof.findings if one.kind == "invariant"})
    held = len(proof.invariants) - len(broken)
    said = f"{held} of {len(proof.invariants)} hold after every move"
    yield "invariants", said + (f"; violated: {', '.join(broken)}" if broken else ""), not broken
    unlike = [one for one in proof.findings if one.kind == "agreement"]
    every = proof.scope.agreement
    sample = f"{_number(proof.compared)} states (one in {every}), with all that can be done there" if every > 1 else "every state"
    asked = f"engine and reference {'differ' if unlike else 'agree'} at {sample}" if every else "the reference was not asked"
    yield "agreement", asked, not unlike
    all_ = len(proof.fired) + len(proof.unfired)
    yield (
        "reachability",
        f"{len(proof.fired)} of {all_} rules fire, refuse or ask; not in this scope: {some(proof.unfired)}",
        True,
    )


def _print_vacuous(proof: Proof, to: Console, some: Naming) -> None:
    """Invariants that hold even without one of their conditions: in this scope nothing tells whether it matters."""
    idle: dict[str, list[str]] = {}
    for one in proof.unwitnessed:
        idle.setdefault(one.invariant, []).append(one.left_out)
    for name in proof.invariants:
        told = sum(1 for weakening, *_ in proof.witnesses if weakening.invariant == name)
        if name in idle:
            said = "holds for want of what it is about" if not told else "holds even without " + some(idle[name], "; ")
            to.print(styled(f"    {name}: {said}", ""))
    told = sum(1 for name in proof.invariants if name not in idle)
    to.print(styled(f"    {told} have a witness for each of their conditions"))


def _some(names: Sequence[str], sep: str = ", ", *, most: int | None) -> str:
    shown = sep.join(names[:most]) or "none"
    return shown if most is None or len(names) <= most else f"{shown} and {len(names) - most} more (--full names them)"


def _count(count: int, what: str, plural: str = "s") -> str:
    return f"1 {what}" if count == 1 else f"{_number(count)} {what}{plural}"


def _number(count: int) -> str:
    return f"{count:,}"


def progress_line(progress: Progress) -> str:
    """How far a proof is, in one line."""
    share = 100 * progress.done // max(progress.of, 1)
    bar = "█" * (share // 5) + "░" * (20 - share // 5)
    found = f", {progress.findings} found" if progress.findings else ""
    met = f"{_number(progress.states)} states, {_number(progress.transitions)} transitions"
    return f"move {progress.level}  {bar} {share:3d} %  {met}{found}, {progress.seconds:.0f} s"


def proof_data(proof: Proof, texts: Mapping[Finding, str], written: Mapping[Finding, str]) -> dict[str, Any]:
    """A proof as plain data; all but `seconds` is the same however many worked on it."""
    return {
        "verdict": verdict_of(proof),
        "ruleset": proof.ruleset,
        "edition": proof.edition,
        "scope": proof.scope.name,
        "mode": proof.mode,
        "covered": {
            "boards": proof.boards,
            "distinct": proof.distinct,
            "left_out": proof.left_out,
            "states": proof.states,
            "transitions": proof.transitions,
            "refused": proof.refused,
            "depth": proof.depth,
            "closed": proof.closed,
            "symmetries": list(proof.symmetries),
            "ignored": [f"{template}.{field}" for template, field in proof.scope.ignored],
            "ties": proof.ties,
            "orders": proof.orders,
            "longest": proof.longest,
            "agreement": {"one_in": proof.scope.agreement, "states": proof.compared},
        },
        "findings": [
            {
                "kind": one.kind,
                "about": list(one.about),
                "message": one.message,
                "fixture": texts.get(one, ""),
                "written": written.get(one, ""),
            }
            for one in proof.findings
        ],
        "invariants": [
            {
                "invariant": name,
                "witnessed": [one.left_out for one, *_ in proof.witnesses if one.invariant == name],
                "unwitnessed": [one.left_out for one in proof.unwitnessed if one.invariant == name],
            }
            for name in proof.invariants
        ],
        "fired": list(proof.fired),
        "unfired": list(proof.unfired),
        "seconds": round(proof.seconds, 3),
    }
