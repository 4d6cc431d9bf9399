"""Tables as all faces of the command line draw them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

# Rich breaks lines at every kind of space; these stand in for those at which a line may not break.
_KEPT, _STANDINS = "\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}", "\ue000\ue001"


def unbroken(text: str, style: str = "") -> Text:
    """Text as it is, never markup, whose numbers are not broken at the end of a line; see `laid_out`."""
    return Text(text.translate(str.maketrans(_KEPT, _STANDINS)), style)


def laid_out(what: RenderableType) -> str:
    """What a renderable shows on this terminal, line by line."""
    console = Console(highlight=False, markup=False, emoji=False)
    with console.capture() as capture:
        console.print(what)
    shown = capture.get().translate(str.maketrans(_STANDINS, _KEPT))
    return "\n".join(line.rstrip() for line in shown.splitlines())


def plain_table(headings: Sequence[str], rows: Iterable[Sequence[str]], *, left: int = 1) -> Table:
    """A table without frames; the first `left` columns to the left, the others to the right.

    Cells are taken as they are, never as markup; on a narrow terminal they wrap at
    ordinary spaces rather than lose anything.
    """
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0), show_header=any(headings))
    for place, heading in enumerate(headings):
        table.add_column(unbroken(heading), justify="left" if place < left else "right", overflow="fold")
    for row in rows:
        table.add_row(*map(unbroken, row))
    return table


def block(heading: str, *content: str | Table) -> Padding:
    """A bold heading over lines or tables, set off by an empty line."""
    lines = [unbroken(line) if isinstance(line, str) else line for line in content]
    return Padding(Group(unbroken(heading, style="bold"), *lines), (1, 0, 0, 0))
