"""Columns of small whole numbers as one short text, which the page unpacks with what every browser has.

The columns stand one after the other, each with all its low bytes before its high bytes,
because like next to like packs better; all of it deflated, in base64.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

NONE = -1  # no figure; payments, which may be negative, are kept with OFFSET added
OFFSET = 32000


class Columns:
    """Columns by name, all of so many rows, that are there from the first figure on that is written to them."""

    def __init__(self, rows: int) -> None:
        self._rows = rows
        self._columns: dict[str, NDArray[np.int64]] = {}

    def write(self, row: int, figures: Mapping[str, int]) -> None:
        """Writes figures, 0 to 65,534 or `NONE`, into columns of their names."""
        for name, figure in figures.items():
            if figure == NONE:
                continue
            if name not in self._columns:
                self._columns[name] = np.full(self._rows, NONE, dtype=np.int64)
            self._columns[name][row] = figure

    def packed(self) -> dict[str, Any]:
        """All of them as JSON data: how many rows, the names in order, and the text."""
        columns = self._columns.values()
        if any(column.min() < NONE or column.max() > 65_534 for column in columns):
            raise ValueError("a figure that two bytes do not hold")
        planes = [np.stack([column & 255, column >> 8 & 255]).astype(np.uint8).tobytes() for column in columns]
        squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
        body = squeeze.compress(b"".join(planes)) + squeeze.flush()
        return {"rows": self._rows, "columns": list(self._columns), "body": base64.b64encode(body).decode()}


def hundredths(value: float | None) -> int:
    """A payment in hundredths, rounded as it is printed, with `OFFSET`; `NONE` for none."""
    return NONE if value is None else round(float(f"{value:.2f}") * 100) + OFFSET


def per_mille(share: float | None) -> int:
    """A share in tenths of a percent, rounded as it is printed.

    As in print, what is not quite 0 or 1 never looks like it: 2000 stands for less than 0.1 %,
    2001 for more than 99.9 %.
    """
    if share is None or not 0 <= share <= 1:
        return NONE
    if 0 < share < 0.001:
        return 2000
    if 0.999 < share < 1:
        return 2001
    return round(float(f"{100 * share:.1f}") * 10)
