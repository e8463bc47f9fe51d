"""Draws who writes what whom reads: as Mermaid, as SVG in three columns, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import PurePosixPath
from typing import Any

from riftrules.analysis.influence import Channel, Influence, Node

ROW, HEADING, TOP, GAP = 17, 24, 76, 240
WIDTHS = (330, 250, 330)
COLOURS = {"field": "#3b6ea5", "fact": "#4b7f52", "event": "#a0522d", "procedure": "#7a5195"}
MARKS = {"changed": "#f2b134", "impacted": "#8fc1e3"}
LEGEND = {"field": "field", "fact": "facts come and go", "event": "event", "procedure": "procedure"}


def told_channels(whole: Influence) -> tuple[Channel, ...]:
    """The channels in which rules meet: that one writes and one reads."""
    written = {channel for node in whole.nodes for channel in node.writes}
    read = {channel for node in whole.nodes for channel in node.reads}
    return tuple(channel for channel in whole.channels if channel in written and channel in read)


# ------------------------------------------------------------------------------------------------ text


def text_lines(whole: Influence) -> Iterator[str]:
    """For each channel, who writes and who reads it."""
    for channel in told_channels(whole):
        yield f"{channel.kind} {channel.name}"
        yield f"  written by {_listed(whole.writers(channel))}"
        yield f"  read by    {_listed(whole.readers(channel))}"


def _listed(nodes: Sequence[Node]) -> str:
    return ", ".join(f"{node.rule.id} ({node.mark})" if node.mark else node.rule.id for node in nodes)


def graph_data(whole: Influence) -> dict[str, Any]:
    """The graph as plain data."""
    return {
        "ruleset": whole.ruleset.name,
        "rules": [
            {
                "rule": node.rule.id,
                "path": node.rule.place.path,
                "line": node.rule.place.line,
                "mark": node.mark,
                "writes": [f"{channel.kind} {channel.name}" for channel in node.writes],
                "reads": [f"{channel.kind} {channel.name}" for channel in node.reads],
            }
            for node in whole.nodes
        ],
        "channels": [
            {
                "kind": channel.kind,
                "name": channel.name,
                "writers": [node.rule.id for node in whole.writers(channel)],
                "readers": [node.rule.id for node in whole.readers(channel)],
            }
            for channel in told_channels(whole)
        ],
    }


# ------------------------------------------------------------------------------------------------ Mermaid


def mermaid(whole: Influence) -> str:
    """The graph as a Mermaid flowchart: rules are boxes, what they meet in is round; solid is written, dotted is read."""
    channels = told_channels(whole)
    rules = {node.rule.id: f"r{number}" for number, node in enumerate(whole.nodes, 1)}
    lines = ["flowchart LR"]
    lines += [f'  {rules[node.rule.id]}["{node.rule.id}"]' for node in whole.nodes]
    for number, channel in enumerate(channels, 1):
        lines.append(f'  c{number}(["{channel.name}"])')
        lines += [f"  {rules[node.rule.id]} --> c{number}" for node in whole.writers(channel)]
        lines += [f"  c{number} -.-> {rules[node.rule.id]}" for node in whole.readers(channel)]
    for mark, colour in MARKS.items():
        names = [rules[node.rule.id] for node in whole.nodes if node.mark == mark]
        if names:
            lines += [f"  classDef {mark} fill:{colour},color:#000", f"  class {','.join(names)} {mark}"]
    return "\n".join(lines) + "\n"


# ------------------------------------------------------------------------------------------------ SVG


@dataclass(slots=True)
class _Layout:
    """Where everything stands: rules on the left as writers, on the right as readers, and between them what they meet in."""

    whole: Influence
    channels: Sequence[Channel]
    left: dict[str, float] = field(default_factory=dict)
    right: dict[str, float] = field(default_factory=dict)
    middle: dict[Channel, float] = field(default_factory=dict)
    headings: list[tuple[int, float, str]] = field(default_factory=list)
    height: float = 0

    def __post_init__(self) -> None:
        met = set(self.channels)
        bottoms = [
            self._rules(0, self.left, [node for node in self.whole.nodes if met & set(node.writes)]),
            self._rules(2, self.right, [node for node in self.whole.nodes if met & set(node.reads)]),
        ]
        bottoms.append(self._meet(max(bottoms)))
        self.height = max(bottoms) + ROW

    def _rules(self, column: int, into: dict[str, float], nodes: Sequence[Node]) -> float:
        """The rules below one another, by the file they stand in."""
        y: float = TOP
        topic = ""
        for node in nodes:
            found = PurePosixPath(node.rule.place.path).stem
            if found != topic:
                topic = found
                y += HEADING
                self.headings.append((column, y - ROW, topic))
            into[node.rule.id] = y
            y += ROW
        return y

    def _meet(self, bottom: float) -> float:
        """What they meet in, each near the middle of those that write and read it, so that lines cross seldom."""
        ordered = sorted(self.channels, key=lambda channel: (self._centre(channel), channel))
        space = max(float(ROW), (bottom - TOP - HEADING) / max(1, len(ordered)))
        for place, channel in enumerate(ordered):
            self.middle[channel] = TOP + HEADING + place * space
        return TOP + HEADING + len(ordered) * space

    def _centre(self, channel: Channel) -> float:
        places = [self.left[node.rule.id] for node in self.whole.writers(channel)]
        places += [self.right[node.rule.id] for node in self.whole.readers(channel)]
        return sum(places) / len(places)


def svg(whole: Influence) -> str:
    """The graph as one SVG picture that needs nothing else; what stands under the pointer has its lines shown."""
    layout = _Layout(whole, told_channels(whole))
    width = sum(WIDTHS) + 2 * GAP
    title = f"{whole.ruleset.name}: who writes what whom reads"
    size = f'width="{width}" height="{layout.height:.0f}" viewBox="0 0 {width} {layout.height:.0f}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{escape(title)}">',
        f"<title>{escape(title)}</title>",
        f"<style>{_STYLE}</style>",
        f'<rect width="100%" height="100%" class="ground"/><text x="16" y="28" class="title">{escape(title)}</text>',
        *_legend(whole),
        *(
            f'<text x="{_text_x(column)}" y="{y:.1f}" class="topic"{_anchor(column)}>{escape(topic)}</text>'
            for column, y, topic in layout.headings
        ),
        *(line for channel in layout.middle for line in _channel(channel, layout)),
        *_rules(0, layout.left, whole),
        *_rules(2, layout.right, whole),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


_STYLE = """
.ground{fill:#fff} text{font:12px system-ui,sans-serif;fill:#222} .title{font-size:18px;font-weight:600}
.topic{font-size:11px;font-weight:600;fill:#777;text-transform:uppercase} .column{font-weight:600;fill:#555}
path{fill:none;stroke-width:1;stroke-opacity:.28} .read{stroke-dasharray:4 3}
g:hover path{stroke-opacity:1;stroke-width:1.6} g:hover text{font-weight:600}
@media (prefers-color-scheme: dark){.ground{fill:#16181c} text{fill:#e6e6e6} .topic,.column{fill:#a0a0a0} .marked{fill:#111}}
"""


def _left(column: int) -> int:
    return sum(WIDTHS[:column]) + column * GAP


def _text_x(column: int) -> int:
    return _left(column) + (WIDTHS[0] - 8 if column == 0 else 8)


def _anchor(column: int) -> str:
    return ' text-anchor="end"' if column == 0 else ' text-anchor="middle"' if column == 1 else ""


def _legend(whole: Influence) -> Iterator[str]:
    x = 16
    for kind, said in LEGEND.items():
        yield f'<circle cx="{x + 5}" cy="44" r="5" fill="{COLOURS[kind]}"/><text x="{x + 16}" y="48">{said}</text>'
        x += 40 + 7 * len(said)
    yield f'<text x="{x}" y="48">solid: written, dashed: read</text>'
    x += 210
    for mark, colour in MARKS.items():
        if any(node.mark == mark for node in whole.nodes):
            yield f'<rect x="{x}" y="37" width="14" height="14" rx="3" fill="{colour}"/><text x="{x + 20}" y="48">{mark}</text>'
            x += 110
    for column, said in enumerate(("writes", "what", "reads")):
        middle = _left(column) + WIDTHS[column] // 2
        yield f'<text x="{middle}" y="{TOP - 4}" class="column" text-anchor="middle">{said}</text>'


def _channel(channel: Channel, layout: _Layout) -> Iterator[str]:
    """A channel with all its lines, in one group, so that they can be shown together."""
    y = layout.middle[channel]
    colour = COLOURS[channel.kind]
    writers, readers = layout.whole.writers(channel), layout.whole.readers(channel)
    yield f"<g><title>{escape(channel.kind)} {escape(channel.name)}: written by {len(writers)}, read by {len(readers)}</title>"
    for node in writers:
        yield _line(WIDTHS[0], layout.left[node.rule.id], _left(1), y, f'class="written" stroke="{colour}"')
    for node in readers:
        yield _line(_left(1) + WIDTHS[1], y, _left(2), layout.right[node.rule.id], f'class="read" stroke="{colour}"')
    middle = _left(1) + WIDTHS[1] // 2
    yield f'<text x="{middle}" y="{y + 4:.1f}" text-anchor="middle" style="fill:{colour}">{escape(channel.name)}</text></g>'


def _line(x: float, y: float, to_x: float, to_y: float, how: str) -> str:
    bend = (to_x - x) / 2
    return f'<path d="M{x} {y:.1f}C{x + bend:.0f} {y:.1f} {to_x - bend:.0f} {to_y:.1f} {to_x} {to_y:.1f}" {how}/>'


def _rules(column: int, places: Mapping[str, float], whole: Influence) -> Iterator[str]:
    for node in whole.nodes:
        y = places.get(node.rule.id)
        if y is None:
            continue
        if node.mark:
            x = _left(column)
            yield f'<rect x="{x}" y="{y - 8:.1f}" width="{WIDTHS[column]}" height="{ROW - 1}" rx="4" fill="{MARKS[node.mark]}"/>'
        said = f"{node.rule.id} ({node.mark})" if node.mark else node.rule.id
        kind = ' class="marked"' if node.mark else ""
        told = f"{said}: {node.rule.says}" if node.rule.says else said
        yield (
            f'<text x="{_text_x(column)}" y="{y + 4:.1f}"{_anchor(column)}{kind}>'
            f"<title>{escape(told)}</title>{escape(node.rule.id)}</text>"
        )
