"""Tables and texts as all faces of the command line draw them: fitted to the terminal, coloured where it is one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.measure import Measurement
from rich.padding import Padding
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from kopsim.faces.letters import carried

# Rich breaks lines at every kind of space; these stand in for those at which a line may not break.
_KEPT, _STANDINS = "\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}", "\ue000\ue001"

# Lines longer than this are hard to read, however wide the terminal.
_WIDEST = 100

# Where the environment tells of no columns at all.
_USUAL = 80

# Between columns, from what looks best to what still tells them apart.
_GAPS = (3, 2, 1)

# Red suits and signs of a verdict; each stands next to a word or a sign that says the same.
_COLOURS = ((r"(?<!\w)(?:10|[2-9AKQJDW])[♥♦]", "red"), (r"✓", "green"), (r"✗", "bold red"), (r"≠", "yellow"))


class Prose(Text):
    """Text in lines of readable length."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterable[Segment]:
        """The text, however wide the terminal."""
        return super().__rich_console__(console, options.update(width=min(options.max_width, _WIDEST)))


def unbroken(text: str, style: str = "") -> Prose:
    """Text as it is, never markup, whose numbers are not broken at the end of a line; see `laid_out`."""
    shown = cell(text, style)
    return Prose(shown.plain, shown.style, spans=shown.spans)


def cell(text: str, style: str = "") -> Text:
    """The same for a table, which may be as wide as it needs."""
    plain = re.sub(f"[^{_KEPT}]+", lambda part: carried(part[0]), text)
    shown = Text(plain.translate(str.maketrans(_KEPT, _STANDINS)), style)
    for pattern, colour in _COLOURS:
        shown.highlight_regex(pattern, colour)
    return shown


def _console(*, plain: bool = False) -> Console:
    # What notebooks show they lay out themselves.
    console = Console(highlight=False, markup=False, emoji=False, force_jupyter=False)
    if plain or console.no_color:
        # Rich keeps bold where NO_COLOR is set; whoever sets it wants the plain text.
        console = Console(color_system=None, highlight=False, markup=False, emoji=False, force_jupyter=False)
    if not console.width:
        console.width = _USUAL
    return console


def coloured() -> bool:
    """Whether the standard output gets colours: a terminal that is not dumb, NO_COLOR unset, or FORCE_COLOR."""
    return _console().color_system is not None


def laid_out(what: RenderableType, *, plain: bool = False) -> str:
    """What a renderable shows on this terminal, line by line; plain: without colours, whatever the terminal."""
    console = _console(plain=plain)
    with console.capture() as capture:
        console.print(what)
    shown = capture.get().translate(str.maketrans(_STANDINS, _KEPT))
    return "\n".join(line.rstrip() for line in shown.splitlines())


class PlainTable:
    """A table without frames that loses nothing on a narrow terminal.

    Cells wrap at ordinary spaces. Where their longest words need more room, columns move
    closer together; where that is not enough, the table goes on below with the other
    columns, its first ones repeated.
    """

    def __init__(self, headings: Sequence[str], rows: Iterable[Sequence[str]], *, left: int) -> None:
        self.columns = [list(map(cell, column)) for column in zip(headings, *rows, strict=True)]
        self.headed = any(headings)
        self.left = left
        # What a row is about: a table of nothing but words is told by its first column.
        self.keys = left if left < len(self.columns) and left <= 2 else 1

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        """From the longest words to the whole cells."""
        return Measurement.get(console, options, self._table(range(len(self.columns)), _GAPS[0], None))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        """The table, or the tables below one another, that fit."""
        least = [max(Measurement.get(console, options, cell).minimum for cell in column) for column in self.columns]
        most = [max(Measurement.get(console, options, cell).maximum for cell in column) for column in self.columns]
        room = options.max_width
        parts = self._parts(least, room)
        for number, part in enumerate(parts):
            lows = [least[place] for place in part]
            gap = next((gap for gap in _GAPS if sum(lows) + gap * len(lows) <= room + gap), _GAPS[-1])
            widths = _shared([most[place] for place in part], lows, room, gap)
            yield Padding(self._table(part, gap, widths), (1 if number else 0, 0, 0, 0))

    def _parts(self, least: Sequence[int], room: int) -> list[list[int]]:
        """The columns of each table: all in one if they fit, the first ones repeated in the others."""
        keys = list(range(self.keys))
        parts = [[*keys]]
        for place in range(self.keys, len(self.columns)):
            part = [*parts[-1], place]
            fits = sum(least[each] for each in part) + _GAPS[-1] * (len(part) - 1) <= room
            if fits or len(parts[-1]) == self.keys:
                parts[-1] = part
            else:
                parts.append([*keys, place])
        return parts

    def _table(self, part: Sequence[int], gap: int, widths: Sequence[int] | None) -> Table:
        table = Table(box=None, pad_edge=False, padding=(0, gap, 0, 0), show_header=self.headed)
        for number, place in enumerate(part):
            table.add_column(
                self.columns[place][0],
                justify="left" if place < self.left else "right",
                overflow="fold",
                width=None if widths is None else widths[number],
            )
        for row in zip(*(self.columns[place][1:] for place in part), strict=True):
            table.add_row(*row)
        return table


def _shared(most: Sequence[int], least: Sequence[int], room: int, gap: int) -> list[int]:
    """Widths between the least and the most of each column that fill the room: the widest, with gap, give way first."""
    widths, last = list(most), len(most) - 1
    while sum(widths) + gap * last > room:
        able = [place for place, width in enumerate(widths) if width > least[place]]
        # Where even single words are too long, they are folded.
        widths[max(able or range(len(widths)), key=lambda place: (widths[place] + gap * (place < last), place))] -= 1
    return widths


def plain_table(headings: Sequence[str], rows: Iterable[Sequence[str]], *, left: int = 1) -> PlainTable:
    """A table without frames; the first `left` columns to the left, the others to the right.

    Cells are taken as they are, never as markup.
    """
    return PlainTable(headings, rows, left=left)


def block(heading: str, *content: str | PlainTable) -> Padding:
    """A bold heading over lines or tables, set off by an empty line."""
    lines = [unbroken(line) if isinstance(line, str) else line for line in content]
    return Padding(Group(unbroken(heading, style="bold"), *lines), (1, 0, 0, 0))
