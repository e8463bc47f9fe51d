"""Boards in the terminal: the scene that pages draw, in 80 columns, with colours and without them."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rich.box import ROUNDED
from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from riftrules.facts.memory import Fact
from riftrules.facts.types import Value
from riftrules.language.model import Ruleset
from riftrules.report.plan import plan_of
from riftrules.report.readings import memory_of
from riftrules.report.scene import FLAG, PLAYER, SCORE, Mark, Part, Scene, Seat, Shown
from riftrules.report.staging import Stage
from riftrules.scenario.model import Run
from riftrules.scenario.words import said

WIDTH = 80
NARROWEST = 26
BARE = 12
"""In fewer columns no box is drawn around a place."""
COLOURS = ("cyan", "dark_orange", "magenta", "yellow", "bright_red", "bright_blue")
SHAPES = "●◆▲■⬟⬢"
STAR = ("*", "bold yellow")
PIPS = 15
"""A score of more than so many is told by its number alone."""

Seen = dict[tuple[str, str, str], Value]
"""What stood on a board before: each value by template, id and field."""


def print_boards(ruleset: Ruleset, before: Sequence[Fact], after: Sequence[Fact], to: Console) -> None:
    """The board before and after, what has changed with a star and, where there are colours, in bold."""
    plan = plan_of(ruleset)
    first = Stage(plan, memory_of(ruleset, before))
    given = first.scene()
    last = Stage(plan, memory_of(ruleset, after))
    last.numbers.update(first.numbers)
    to.print(Text("before", "bold"))
    print_scene(given, first.numbers, to)
    if tuple(before) != tuple(after):
        to.print(Text.assemble(("after", "bold"), ("  (* has changed)", "dim")))
        print_scene(last.scene(), last.numbers, to, seen_of(given))


def board_lines(run: Run) -> tuple[str, ...]:
    """The board a run ended with, as lines of plain text."""
    text = io.StringIO()
    stage = Stage(plan_of(run.ruleset), memory_of(run.ruleset, run.after))
    scene = stage.scene()
    print_scene(scene, stage.numbers, Console(file=text, width=WIDTH, highlight=False, markup=False, emoji=False))
    return tuple(line.rstrip() for line in text.getvalue().splitlines())


def print_scene(scene: Scene, numbers: Mapping[str, int], to: Console, seen: Seen | None = None) -> None:
    """One board, in at most 80 columns. `numbers` are the players'; what was not `seen` before is marked."""
    width = min(WIDTH, to.width)
    to.print(Group(*_Drawing(to, width, numbers, seen).rows(scene)), soft_wrap=False, width=width)


@dataclass(frozen=True, slots=True)
class _Drawing:
    """Draws scenes: `numbers` are the players', `seen` what stood before (None: nothing is marked)."""

    console: Console
    width: int
    numbers: Mapping[str, int]
    seen: Seen | None = None

    @property
    def _dot(self) -> str:
        return ", " if self.plain else " · "

    @property
    def plain(self) -> bool:
        """Whether only the plainest characters can be written."""
        return self.console.options.ascii_only

    def rows(self, scene: Scene) -> Iterator[RenderableType]:
        """A whole board, from the far side to the near one."""
        if scene.turn is not None:
            yield Text.assemble((f"{scene.turn.title}: ", "bold"), *self._about(scene.turn))
        for seat in scene.far:
            yield from self._seat(seat, scene.home)
        if scene.places:
            yield self._places(scene.places)
        for name, parts in scene.lists:
            if parts:
                yield Text.assemble((f"{name}: ", "bold"), *_between("; ", [self._piece(part, "") for part in parts]))
        for seat in scene.near:
            yield from self._seat(seat, scene.home)
        for part in scene.others:
            named = part.template if part.id == part.template else f"{part.template} {part.title}"
            yield Text.assemble((named, "bold"), self._star(part, ""), ": ", *self._about(part))

    # -------------------------------------------------------------------------------------------- players

    def _seat(self, seat: Seat, home: str) -> Iterator[RenderableType]:
        part = seat.part
        score = next((shown for shown in part.values if shown.kind == SCORE), None)
        turn = [Text(" on turn ", "reverse")] if seat.on_turn else []
        first = [Text(part.title, "bold"), *turn, *([self._score(part, score)] if score else [])]
        yield Text.assemble(self._sign(part.id), *_between(" ", first))
        rest = [self._value(part, shown) for shown in part.values if shown.text and shown is not score]
        rest += [self._mark(mark) for mark in part.marks]
        if home and not part.parts:
            rest.append(Text(f"{home}: nothing", "dim"))
        if rest:
            yield Text.assemble("  ", *_between(self._dot, rest))
        if home and part.parts:
            yield Text.assemble((f"  {home}: ", "dim"), *_between("; ", [self._piece(piece, part.id) for piece in part.parts]))

    def _score(self, part: Part, shown: Shown) -> Text:
        full, empty = ("#", ".") if self.plain else ("●", "○")
        value = shown.value if isinstance(shown.value, int) else 0
        pips = ""
        if shown.whole is not None and 0 < shown.whole <= PIPS:
            pips = full * min(value, shown.whole) + empty * (shown.whole - value) + " "
        return Text.assemble((pips, self._colour(part.id)), self._value(part, shown))

    # -------------------------------------------------------------------------------------------- places

    def _places(self, places: Sequence[Part]) -> RenderableType:
        if self.width < BARE:
            return Group(*(line for place in places for line in (self._title(place), *self._lines(place))))
        columns = max(1, min(len(places), self.width // NARROWEST))
        room = self.width // columns - 4
        grid = Table.grid(expand=True, padding=(0, 0))
        for _ in range(columns):
            grid.add_column(ratio=1, overflow="fold")
        for start in range(0, len(places), columns):
            row = places[start : start + columns]
            bodies = [self._body(place, room) for place in row]
            height = max(sum(len(line.wrap(self.console, room)) for line in lines) for lines in bodies) + 2
            grid.add_row(*(self._place(place, lines, room, height) for place, lines in zip(row, bodies, strict=True)))
        return grid

    def _title(self, part: Part) -> Text:
        return Text.assemble((part.title, "bold"), self._star(part, ""))

    def _body(self, part: Part, room: int) -> list[Text]:
        """What stands in the box of a place: its title too, where that is longer than the edge of the box."""
        title = self._title(part)
        return [*([] if self._fits(title, room) else [title]), *self._lines(part)]

    @staticmethod
    def _fits(title: Text, room: int) -> bool:
        return title.cell_len + 2 <= room

    def _place(self, part: Part, lines: Sequence[Text], room: int, height: int) -> RenderableType:
        title = self._title(part)
        body, colour = Text("\n").join(lines), self._colour(part.owner)
        on_edge = title if self._fits(title, room) else None
        return Panel(body, title=on_edge, title_align="left", box=ROUNDED, border_style=colour, height=height)

    def _lines(self, part: Part) -> list[Text]:
        about = [self._value(part, shown) for shown in part.values if self._is_told(part, shown)]
        pieces = [self._piece(piece, part.id) for piece in part.parts] or [Text("nothing", "dim")]
        return [*about, *(self._mark(mark) for mark in part.marks), *pieces]

    # -------------------------------------------------------------------------------------------- pieces and values

    def _piece(self, part: Part, where: str) -> Text:
        seal = next((shown for shown in part.values if part.seal and shown.field == part.seal), None)
        rest = [self._value(part, shown) for shown in part.values if shown is not seal and self._is_told(part, shown, off=False)]
        about = [*rest, *(self._mark(mark) for mark in part.marks)]
        number = Text.assemble((f" [{seal.value}]", "bold"), self._star(part, seal.field)) if seal else Text()
        told = [Text(" ("), *_between(", ", about), Text(")")] if about else []
        moved = self.seen is not None and (part.template, part.id, f"@{where}") not in self.seen
        return Text.assemble(self._sign(part.owner), part.title, STAR if moved else "", number, *told)

    def _about(self, part: Part) -> list[Text]:
        about = [self._value(part, shown) for shown in part.values if self._is_told(part, shown)]
        return _between(", ", [*about, *(self._mark(mark) for mark in part.marks)])

    def _is_told(self, part: Part, shown: Shown, *, off: bool = True) -> bool:
        """Whether a value is told: what is said of it, and `off` what it is not; that too where it was something before."""
        if shown.text and (off or not shown.off):
            return True
        before = None if self.seen is None else self.seen.get((part.template, part.id, shown.field))
        return bool(before) and before != shown.text

    def _value(self, part: Part, shown: Shown) -> Text:
        sign = self._sign(str(shown.value)) if shown.kind == PLAYER and not shown.off else ""
        text = shown.text or (f"not {shown.label}" if shown.kind == FLAG else f"{shown.label} {said(shown.value)}")
        return Text.assemble(sign, (text, "dim" if shown.off else ""), self._star(part, shown.field))

    def _mark(self, mark: Mark) -> Text:
        new = self.seen is not None and (mark.template, mark.id, mark.text) not in self.seen
        return Text.assemble(self._sign(mark.player), (mark.text, "italic"), STAR if new else "")

    def _star(self, part: Part, field: str) -> tuple[str, str]:
        """A star for what was not so before: a value, or (without a field) a part that is new."""
        if self.seen is None:
            return "", ""
        key = (part.template, part.id, field)
        now = next((shown.text for shown in part.values if shown.field == field), None)
        same = key in self.seen and (now is None or self.seen[key] == now)
        return ("", "") if same else STAR

    def _sign(self, player: str) -> tuple[str, str]:
        """The shape of a player, in their colour; nothing for nobody."""
        number = self.numbers.get(player)
        if number is None:
            return "", ""
        shape = f"{number}:" if self.plain else SHAPES[(number - 1) % len(SHAPES)]
        return f"{shape} ", self._colour(player)

    def _colour(self, player: str) -> str:
        number = self.numbers.get(player)
        return "dim" if number is None else COLOURS[(number - 1) % len(COLOURS)]


def _between(sign: str, parts: Sequence[Text]) -> list[Text]:
    """Texts with a sign between them."""
    found: list[Text] = []
    for part in parts:
        found.extend([Text(sign), part] if found else [part])
    return found


def seen_of(scene: Scene) -> Seen:
    """What stands on a board, to tell afterwards what has changed: where a piece is goes under the field that says so."""
    found: Seen = {}

    def take(parts: Iterable[Part], where: str) -> None:
        for part in parts:
            found[part.template, part.id, ""] = None
            found[part.template, part.id, f"@{where}"] = None
            found.update({(part.template, part.id, shown.field): shown.text for shown in part.values})
            found.update({(mark.template, mark.id, mark.text): None for mark in part.marks})
            take(part.parts, part.id)

    take([seat.part for seat in scene.seats], "")
    take(
        [
            *scene.places,
            *scene.others,
            *([scene.turn] if scene.turn else []),
            *(part for _, parts in scene.lists for part in parts),
        ],
        "",
    )
    return found
