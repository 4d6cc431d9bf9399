"""Tables as CSV: one writer for all, for programs and for spreadsheets of a country."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from kopsim.errors import QueryError
from kopsim.faces.letters import carried

Cell = str | int | float | None
_BYTE_ORDER_MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"  # by which spreadsheets know UTF-8


class _Style(NamedTuple):
    delimiter: str
    decimal: str
    mark: str


_STYLES = {"plain": _Style(",", ".", ""), "pl": _Style(";", ",", _BYTE_ORDER_MARK)}


def csv_style(as_csv: bool, style: str | None) -> str | None:
    """The style that --csv and --csv-style ask for, None where they ask for no CSV; QueryError for one there is not."""
    if style is not None and style not in _STYLES:
        raise QueryError("csv-style-bad", text=style, choices=list(_STYLES))
    return style or ("plain" if as_csv else None)


def csv_text(
    headings: Sequence[str], rows: Iterable[Sequence[Cell]], style: str = "plain", *, places: int | None = None
) -> str:
    """Rows under their headings, without a line end after the last.

    style: "plain", or "pl" as Polish spreadsheets read it (semicolons, decimal commas, byte-order mark);
    places: of numbers that are not whole, default as many as they have.
    """
    delimiter, decimal, mark = _STYLES[style]

    def shown(cell: Cell) -> Cell:
        if not isinstance(cell, float):
            return cell
        return (str(cell) if places is None else f"{cell:.{places}f}").replace(".", decimal)

    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    writer.writerow(headings)
    writer.writerows([shown(cell) for cell in row] for row in rows)
    # An output that cannot carry the mark is not UTF-8, of which it tells.
    return (mark if carried(mark) == mark else "") + out.getvalue().rstrip("\n")
