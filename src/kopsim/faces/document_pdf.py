"""Documents as PDF, A4, with numbered pages.

Needs the extra kopsim[report]; the font is the one that matplotlib brings, which has
suit symbols and Polish letters.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING

from kopsim.errors import Lang, QueryError
from kopsim.faces.document import Block, Grid, Heading, Items, title_of

if TYPE_CHECKING:
    from fpdf import FPDF

_HEADINGS = {1: 16.0, 2: 13.0, 3: 11.0, 4: 9.5}  # points
_TEXT = 9.5
_LINE = 5.2  # mm
_PADDING = 1.5  # mm
_SHORT = 9  # rows
_RULE = (200, 204, 210)


def check_pdf() -> None:
    """Raises QueryError if what a PDF needs is not installed."""
    if any(find_spec(name) is None for name in ("fpdf", "matplotlib", "pypdf")):
        raise QueryError("pdf-missing")


def as_pdf(blocks: Sequence[Block], lang: Lang) -> bytes:
    """The blocks, the first of them the title, as a PDF file."""
    from fpdf import FPDF

    class Pages(FPDF):
        """Pages with their number below."""

        def footer(self) -> None:
            """The number of the page and of pages."""
            self.set_y(-12)
            self.set_font("text", size=8)
            self.cell(0, 8, f"{self.page_no()} / {{nb}}", align="C")

    pages = Pages(format="A4")
    set_up(pages, title_of(blocks), lang)
    pages.add_page()
    add_blocks(pages, blocks)
    return bytes(pages.output())


def set_up(pages: FPDF, title: str, lang: Lang) -> None:
    """Fonts, margins and what the file says of itself."""
    import matplotlib as mpl

    pages.set_lang(lang)
    pages.set_title(title)
    for style, name in (("", "DejaVuSans"), ("B", "DejaVuSans-Bold")):
        pages.add_font("text", style, f"{mpl.get_data_path()}/fonts/ttf/{name}.ttf")
    pages.set_margins(18, 16, 18)
    pages.set_auto_page_break(True, margin=18)
    pages.set_draw_color(*_RULE)


def add_blocks(pages: FPDF, blocks: Sequence[Block], scale: float = 1.0) -> None:
    """Blocks one after the other, what belongs together on one page.

    scale: of letters, where a page's own unit is so many millimetres.
    """
    for place, block in enumerate(blocks):
        if pages.will_page_break(_kept_together(blocks[place:])):
            pages.add_page()
        _add(pages, block, scale)


def _kept_together(blocks: Sequence[Block]) -> float:
    """About how much room (mm) a block needs with what may not be parted from it."""
    block = blocks[0]
    rest = _kept_together(blocks[1:]) if len(blocks) > 1 else 0.0
    if isinstance(block, Heading):
        return _HEADINGS[block.level] + rest
    if isinstance(block, Grid):
        size = (len(block.rows) + 1) * (_LINE + 2)
        # A long table may be parted; two short ones, a deal and its tricks, belong together.
        if len(block.rows) > _SHORT:
            return 30.0
        return size + (rest if len(blocks) > 1 and isinstance(blocks[1], Grid) else 0.0)
    lines = 2 * _LINE
    return lines + (rest if len(blocks) > 1 and isinstance(blocks[1], Grid) else 0.0)


def _add(pages: FPDF, block: Block, scale: float) -> None:
    pages.set_font("text", size=_TEXT * scale)
    if isinstance(block, Heading):
        _heading(pages, block, scale)
    elif isinstance(block, Grid):
        _table(pages, block, scale)
    elif isinstance(block, Items):
        for number, text in enumerate(block.texts, start=1):
            mark = f"{number}. " if block.numbered else "– "
            pages.multi_cell(0, _LINE, mark + text, align="L", new_x="LMARGIN", new_y="NEXT")
        pages.ln(1.5)
    else:
        pages.multi_cell(0, _LINE, block.text, align="L", new_x="LMARGIN", new_y="NEXT")
        pages.ln(1.5)


def _heading(pages: FPDF, block: Heading, scale: float) -> None:
    size = _HEADINGS[block.level]
    if block.level > 1:
        pages.ln(size / 5)
    pages.set_font("text", "B", size * scale)
    pages.multi_cell(0, size * 0.5, block.text, align="L", new_x="LMARGIN", new_y="NEXT")
    pages.ln(1)


def _table(pages: FPDF, block: Grid, scale: float) -> None:
    """A table as wide as it needs."""
    from fpdf import FontFace

    rows = [row for row in (block.headings, *block.rows) if any(row)]
    pages.set_font("text", "B", _TEXT * scale)
    widths = [
        max(pages.get_string_width(row[place]) for row in rows) + 3 * _PADDING + 1 for place in range(len(rows[0]))
    ]
    pages.set_font("text", size=_TEXT * scale)
    room = pages.epw
    if sum(widths) > room:
        # The last column wraps; it is the one that holds sentences.
        widths[-1] = max(room - sum(widths[:-1]), 0.2 * room)
        widths = [width * room / sum(widths) for width in widths]
    with pages.table(
        rows=rows,
        align="L",
        width=sum(widths),
        col_widths=widths,
        text_align=["L" if place < block.left else "R" for place in range(len(widths))],
        line_height=_LINE,
        padding=(0.4, _PADDING),
        borders_layout="HORIZONTAL_LINES",
        first_row_as_headings=any(block.headings),
        headings_style=FontFace(emphasis="B"),
    ):
        pass
    pages.ln(2.5)
