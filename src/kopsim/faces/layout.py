"""Tables as all faces of the command line draw them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text


def plain_table(headings: Sequence[str], rows: Iterable[Sequence[str]], *, left: int = 1) -> Table:
    """A table without frames; the first `left` columns to the left, the others to the right.

    Cells are taken as they are, never as markup; on a narrow terminal they wrap at
    ordinary spaces rather than lose anything.
    """
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0), show_header=any(headings))
    for place, heading in enumerate(headings):
        table.add_column(Text(heading), justify="left" if place < left else "right", overflow="fold")
    for row in rows:
        table.add_row(*map(Text, row))
    return table


def block(heading: str, *content: str | Table) -> Padding:
    """A bold heading over lines or tables, set off by an empty line."""
    lines = [Text(line) if isinstance(line, str) else line for line in content]
    return Padding(Group(Text(heading, style="bold"), *lines), (1, 0, 0, 0))
