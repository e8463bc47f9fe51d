"""What a change of the rules changes, as Markdown for a pull request."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from riftrules.analysis.comparing.comparison import Case
from riftrules.analysis.comparing.edits import Edit
from riftrules.report.comparisons import SIGNS, Compared, because, called, headline, rows


def markdown(compared: Compared) -> str:
    """The comparison as Markdown for a pull request."""
    return "\n".join(_markdown(compared)) + "\n"


def _markdown(compared: Compared) -> Iterator[str]:
    comparison = compared.comparison
    yield f"### Rules: `{compared.old}` → `{compared.new}`"
    yield ""
    yield f"{headline(compared)}."
    if comparison.revision.edits:
        yield from ("", "| | edit | before | after | printed |", "|---|---|---|---|---|")
        for edit in comparison.revision.edits:
            cells = (SIGNS[edit.change], called(edit), _code(edit.before), _code(edit.after), ", ".join(edit.cites))
            yield f"| {' | '.join(_cell(cell) for cell in cells)} |"
    for case in comparison.cases:
        yield from _markdown_case(case, comparison.revision.playing)
    for one in comparison.one_sided:
        yield from ("", f"- `{one.place}` {one.scenario}: read under the {one.readable} rules only")
        yield from (f"  - {problem.message}" for problem in one.problems)
    if compared.searched is not None:
        yield from ("", f"**A board that tells them apart**: {compared.searched.said}")
        if compared.searched.found is not None:
            yield from ("", "```yaml", compared.searched.found.text.rstrip("\n"), "```")
    table = rows(comparison)
    if table:
        yield from ("", "| printed | summary | edits | scenarios that come out otherwise |", "|---|---|---|---|")
        for row in table:
            yield f"| {row.number} | {_cell(row.summary)} | {_cell('; '.join(row.edits))} | {_cell('; '.join(row.scenarios))} |"


def _markdown_case(case: Case, edits: Sequence[Edit]) -> Iterator[str]:
    divergence = case.divergence
    verdict = f", {divergence.verdict}" if divergence.verdict else ""
    yield from ("", f"<details><summary>{_html(divergence.scenario)} (<code>{divergence.place}</code>{verdict})</summary>", "")
    yield from (f"first differs at {divergence.at}:", "", "```diff", f"- {divergence.old}", f"+ {divergence.new}", "```")
    for fact in divergence.facts:
        yield f"- {fact.fact}: `{fact.old}` → `{fact.new}`"
    if len(edits) > 1:
        yield ""
        yield from (f"- because of **{called(blame.edit, edits)}**: {because(blame, edits)}" for blame in case.blames)
    yield from ("", "</details>")


def _code(text: str) -> str:
    return f"`{text}`" if text else ""


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _html(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
