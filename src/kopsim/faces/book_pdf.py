"""The chart book as PDF on A4 or A5: cover, contents, running heads, page numbers, bookmarks and an index with pages.

On A5 everything is set as on A4 in a smaller unit, with as many pages as fold into sheets of four.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fpdf import FPDF

from kopsim.errors import message
from kopsim.faces.book_document import BookBlock, BookDocument, HandTable, Pictures
from kopsim.faces.chart_file import chart_bytes
from kopsim.faces.chart_style import alt_text
from kopsim.faces.document import Block, Heading
from kopsim.faces.document_pdf import add_blocks, set_up
from kopsim.faces.tricks import hand_text

if TYPE_CHECKING:
    from fpdf.outline import OutlineSection

SIZES = {"a4": (210.0, 297.0, 1.0), "a5": (148.0, 210.0, 0.78)}  # width and height in mm, and the unit
_MM = 72 / 25.4  # points
_ROW, _HEAD = 4.7, 5.4  # of a table of hands
_SMALL = 8.0  # points
_SHADE = (243, 245, 247)
_INDEX_COLUMNS = 3
_GAP = 4.0  # between charts


class _Pages(FPDF):
    """Pages with running heads, and what the index must know."""

    def __init__(self, book: BookDocument, size: str) -> None:
        width, height, self.scale = SIZES[size]
        super().__init__(format=(width / self.scale, height / self.scale), unit=_MM * self.scale)
        self.book, self.chapter = book, ""
        self.found: dict[frozenset[object], dict[int, None]] = {}

    def header(self) -> None:
        """The running head: the book's title and the chapter."""
        if self.page_no() == 1:
            return
        self.letters("", 8)
        self.set_y(8)
        self.cell(self.epw / 2, 5, f"{self.book.title}. {self.book.subtitle}", align="L")
        self.cell(self.epw / 2, 5, self.chapter, align="R", new_x="LMARGIN", new_y="NEXT")
        self.line(self.l_margin, 13.5, self.w - self.r_margin, 13.5)
        self.set_y(18)

    def footer(self) -> None:
        """The number of the page."""
        if self.page_no() == 1:
            return
        self.set_y(-13)
        self.letters("", 8)
        self.cell(0, 8, f"{self.page_no()} / {{nb}}", align="C")

    def letters(self, style: str, points: float) -> None:
        """A font of so many points on A4."""
        self.set_font("text", style, points * self.scale)

    def room(self) -> float:
        """What is left of the page."""
        return float(self.page_break_trigger - self.get_y())


def book_pdf(book: BookDocument, size: str) -> bytes:
    """The whole book."""
    pages = _Pages(book, size)
    set_up(pages, f"{book.title}: {book.subtitle}", book.lang)
    pages.set_top_margin(18)
    _cover(pages)
    pages.chapter = message("book-contents", book.lang)
    pages.add_page()
    pages.chapter = book.chapters[0].title  # for the page on which the placeholder ends
    pages.insert_toc_placeholder(_contents, pages=1)
    for chapter in book.chapters:
        _begin(pages, chapter.title)
        _add(pages, chapter.blocks)
    _begin(pages, message("book-index", book.lang))
    _index(pages)
    while size == "a5" and pages.page_no() % 4:
        pages.add_page()
    return bytes(pages.output())


def _cover(pages: _Pages) -> None:
    book = pages.book
    pages.add_page()
    pages.set_y(0.26 * pages.h)
    pages.letters("B", 30)
    pages.multi_cell(0, 14, book.title, align="C", new_x="LMARGIN", new_y="NEXT")
    pages.letters("", 34)
    pages.cell(0, 24, "♣  ♠  ♥  ♦", align="C", new_x="LMARGIN", new_y="NEXT")
    pages.letters("B", 18)
    pages.multi_cell(0, 9, book.subtitle, align="C", new_x="LMARGIN", new_y="NEXT")
    pages.ln(30)
    pages.letters("", 10)
    for text in book.cover:
        pages.multi_cell(0, 6, text, align="C", new_x="LMARGIN", new_y="NEXT")
        pages.ln(2)


def _begin(pages: _Pages, title: str) -> None:
    """A chapter on a new page, under its own running head."""
    pages.chapter = title
    if pages.get_y() > pages.t_margin:
        pages.add_page()
    pages.set_x(pages.l_margin)
    pages.start_section(title)
    add_blocks(pages, [Heading(title, 1)], pages.scale)


def _contents(pages: FPDF, outline: list[OutlineSection]) -> None:
    assert isinstance(pages, _Pages)
    pages.set_x(pages.l_margin)
    add_blocks(pages, [Heading(message("book-contents", pages.book.lang), 1)], pages.scale)
    for section in outline:
        pages.letters("" if section.level else "B", 9.5)
        left = 6.0 * section.level
        pages.set_x(pages.l_margin + left)
        link = pages.add_link(page=section.page_number)
        number = str(section.page_number)
        name, wide = section.name, pages.epw - left - 14
        dots = " ." * int((wide - pages.get_string_width(name)) / pages.get_string_width(" ."))
        pages.cell(wide, 5.6, name + dots, link=link)
        pages.cell(14, 5.6, number, align="R", link=link, new_x="LMARGIN", new_y="NEXT")


def _add(pages: _Pages, blocks: Sequence[BookBlock]) -> None:
    plain: list[Block] = []
    for place, block in enumerate(blocks):
        if isinstance(block, (HandTable, Pictures)):
            add_blocks(pages, plain, pages.scale)
            plain = []
            if isinstance(block, HandTable):
                _hand_table(pages, block)
            elif pages.scale < 1 and len(block.figures) > 1:
                # On small paper charts side by side could not be read.
                for figure in block.figures:
                    _pictures(pages, Pictures([figure], 0.86))
            else:
                _pictures(pages, block)
            continue
        if isinstance(block, Heading) and block.level == 2:
            add_blocks(pages, plain, pages.scale)
            plain = []
            after = blocks[place + 1] if place + 1 < len(blocks) else None
            wanted = _size(pages, after)[1] + 14 if isinstance(after, Pictures) else 60.0
            if pages.room() < wanted:
                pages.add_page()
            pages.start_section(block.text, level=1)
        plain.append(block)
    add_blocks(pages, plain, pages.scale)


def _pictures(pages: _Pages, block: Pictures) -> None:
    """Charts side by side, together on one page."""
    width, height = _size(pages, block)
    if pages.room() < height:
        pages.add_page()
    top, left = pages.get_y(), pages.l_margin
    if len(block.figures) == 1:
        left += (pages.epw - width) / 2
    for figure in block.figures:
        image = io.BytesIO(chart_bytes(figure, ".png"))
        pages.image(image, x=left, y=top, w=width, alt_text=alt_text(figure))
        left += width + _GAP
    pages.set_xy(pages.l_margin, top + height + 3)


def _size(pages: _Pages, block: Pictures) -> tuple[float, float]:
    """How wide each chart is, and how high the highest; smaller than asked for if a page has no room for them."""
    width = pages.epw * block.share - (_GAP if len(block.figures) > 1 else 0)
    ratio = max(figure.get_size_inches()[1] / figure.get_size_inches()[0] for figure in block.figures)
    width = min(width, (pages.page_break_trigger - pages.t_margin - 14) / ratio)
    return width, width * ratio


def _hand_table(pages: _Pages, table: HandTable) -> None:
    widths = _widths(pages, table)
    aligns = ["L" if place < table.left else "R" for place in range(len(widths))]
    heading = _HEAD * (2 if table.name else 1)
    if pages.room() < heading + 4 * _ROW:
        pages.add_page()
    _hand_head(pages, table, widths, aligns)
    pages.set_fill_color(*_SHADE)
    for number, (hand, cells) in enumerate(table.rows):
        if pages.room() < _ROW:
            pages.add_page()
            _hand_head(pages, table, widths, aligns)
            pages.set_fill_color(*_SHADE)
        pages.found.setdefault(frozenset(hand), {})[pages.page_no()] = None
        for width, align, text in zip(widths, aligns, (hand_text(hand, pages.book.lang), *cells), strict=True):
            pages.cell(width, _ROW, text, align=align, fill=number % 2 == 1)
        pages.ln(_ROW)
    pages.ln(3)


def _widths(pages: _Pages, table: HandTable) -> list[float]:
    """As wide as what stands in them, and figures spread over the page."""
    pages.letters("B", _SMALL)
    lang = pages.book.lang
    columns = zip(*((hand_text(hand, lang), *cells) for hand, cells in table.rows), strict=True)
    texts = [[heading, *column] for heading, column in zip(table.headings, columns, strict=True)]
    widths = [max(pages.get_string_width(text) for text in column) + 4 for column in texts]
    spare = pages.epw - sum(widths)
    figures = len(widths) - table.left
    if figures:
        widths[table.left :] = [width + spare / figures for width in widths[table.left :]]
    return widths


def _hand_head(pages: _Pages, table: HandTable, widths: Sequence[float], aligns: Sequence[str]) -> None:
    pages.letters("B", _SMALL)
    if table.name:
        place = 1
        pages.cell(widths[0], _HEAD, table.name)
        for text, count in table.groups:
            pages.cell(sum(widths[place : place + count]), _HEAD, text, align="C" if count > 1 else "R")
            place += count
        pages.ln(_HEAD)
    for width, align, text in zip(widths, aligns, table.headings, strict=True):
        pages.cell(width, _HEAD, text, align=align, border="B")
    pages.ln(_HEAD)
    pages.letters("", _SMALL)


def _index(pages: _Pages) -> None:
    """Every hand with its pages, in columns."""
    lang = pages.book.lang
    pages.letters("", 7.5)
    wide, high = pages.epw / _INDEX_COLUMNS, 4.2
    top = pages.get_y()
    column, y = 0, top
    for hand in pages.book.hands:
        if y + high > pages.page_break_trigger:
            column, y = column + 1, top
        if column == _INDEX_COLUMNS:
            pages.add_page()
            pages.letters("", 7.5)
            column, y, top = 0, pages.get_y(), pages.get_y()
        numbers = list(pages.found.get(frozenset(hand), {}))
        pages.set_xy(pages.l_margin + column * wide, y)
        link = pages.add_link(page=numbers[0]) if numbers else None
        pages.cell(wide - 3, high, f"{hand_text(hand, lang)}  {', '.join(map(str, numbers))}", link=link)
        y += high
    pages.set_xy(pages.l_margin, y)
