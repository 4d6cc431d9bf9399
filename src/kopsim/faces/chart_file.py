"""Charts as files: PNG for a screen, SVG and PDF for print; written whole or not at all."""

from __future__ import annotations

import io
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from kopsim.errors import QueryError
from kopsim.table_file import write_whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CHART_ENDINGS = (".pdf", ".png", ".svg")
_DOTS = 200  # an inch, of a PNG


def check_chart_ending(path: Path) -> None:
    """Raises QueryError for a file whose ending names no known form of picture."""
    if path.suffix not in CHART_ENDINGS:
        raise QueryError("chart-ending", file=path.as_posix(), choices=CHART_ENDINGS)


def check_matplotlib() -> None:
    """Raises QueryError if what draws charts is not installed."""
    if find_spec("matplotlib") is None:
        raise QueryError("chart-missing")


def chart_bytes(figure: Figure, ending: str, dots: int = _DOTS) -> bytes:
    """A chart as a file's content, the same for the same chart; dots: an inch, of a PNG."""
    import matplotlib as mpl

    from kopsim.faces.chart_style import STYLE

    undated = {".png": {}, ".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
    out = io.BytesIO()
    with mpl.rc_context(STYLE):
        figure.savefig(out, format=ending.removeprefix("."), dpi=dots, metadata=undated[ending])
    return out.getvalue()


def write_chart(figure: Figure, path: Path) -> None:
    """Writes a chart in the form that the file's ending names; raises TableError if it cannot be written."""
    write_whole(path, chart_bytes(figure, path.suffix))
