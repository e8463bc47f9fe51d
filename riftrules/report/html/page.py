"""Writes pages: everything they need is in the one file, and they ask nothing of anybody."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from riftrules.report.html.packing import Packer
from riftrules.report.html.stories import Share, Story

SCRIPT = ("elements", "picture", "scenario", "causes", "finding")
STATUSES = {
    "error": "did not finish",
    "failed": "failed",
    "invalid": "invalid",
    "changed": "changed",
    "otherwise": "same end, otherwise reached",
    "passed": "passed",
    "same": "the same",
    "skipped": "skipped",
}


def report_page(shares: Iterable[Share], title: str) -> str:
    """The page of these scenarios, with those that need looking at first."""
    packer = Packer()
    stories: list[tuple[Story, int]] = []
    for share in shares:
        moved = packer.merge(share.table)
        stories.extend((story, moved[place]) for story, place in zip(share.stories, share.places, strict=True))
    order = list(STATUSES)
    stories.sort(key=lambda one: order.index(one[0].status))
    slugs: dict[str, int] = {}
    scenarios = [{**story.summary, "slug": _slug(story.summary, slugs), "at": place} for story, place in stories]
    counts = [(status, name, sum(story.status == status for story, _ in stories)) for status, name in STATUSES.items()]
    root = packer.put({"rules": _rules(story for story, _ in stories), "scenarios": scenarios})
    return render(
        "report.html",
        title=title,
        scenarios=scenarios,
        counts=[count for count in counts if count[-1]],
        data=as_script({"root": root, "table": packer.table}),
    )


def render(template: str, **values: Any) -> str:
    """A page from its template, with the stylesheet and the script in it. Everything is escaped but what is Markup."""
    return _environment().get_template(template).render(**values)


def as_script(data: Any) -> Markup:
    """Data as JSON that can stand in a script element: no text in it can end the element."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029"))  # noqa: S704 - escaped just now


@cache
def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader("riftrules.report.html"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    script = Markup("\n").join(_part(f"script/{name}.js") for name in SCRIPT)
    made.globals.update(look=_part("look.css"), script=script, statuses=STATUSES)
    return made


def _part(name: str) -> Markup:
    return Markup(files("riftrules.report.html").joinpath(name).read_text(encoding="utf-8"))  # noqa: S704 - our own file


def _rules(stories: Iterable[Story]) -> dict[str, Any]:
    """The rules of all stories, by the path of their ruleset, in an order that does not depend on who came first."""
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for story in stories:
        for path, told in story.rules.items():
            for kind, named in told.items():
                found.setdefault(path, {}).setdefault(kind, {}).update(named)
    return {path: {kind: dict(sorted(named.items())) for kind, named in told.items()} for path, told in sorted(found.items())}


def _slug(summary: Mapping[str, Any], taken: dict[str, int]) -> str:
    """A name for links: of the scenario's id, else of its name; numbered where it is taken."""
    made = re.sub(r"[^a-z0-9]+", "-", str(summary["id"] or summary["name"]).lower()).strip("-") or "scenario"
    taken[made] = taken.get(made, 0) + 1
    return made if taken[made] == 1 else f"{made}--{taken[made]}"
