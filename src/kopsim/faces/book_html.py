"""The chart book as one web page: contents, an index with links, pictures inside; it prints on A4 or A5."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from html import escape

from kopsim.errors import message
from kopsim.faces.book_document import BookBlock, BookDocument, Hand, HandTable, Pictures
from kopsim.faces.chart_file import chart_bytes
from kopsim.faces.chart_style import alt_text
from kopsim.faces.document_file import html_of, page, red_suits
from kopsim.faces.tricks import hand_text

_STYLE = """
@page { size: %s; margin: 16mm 14mm 18mm; @bottom-center { content: counter(page); font-size: 8pt; } }
.cover { text-align: center; padding: 18vh 0 10vh; }
.cover h1 { font-size: 2.4rem; margin: 0; }
.cover .suits { font-size: 3rem; letter-spacing: .4em; margin: .6em 0 .6em .4em; }
section { break-before: page; }
.hands td, .hands th { text-align: right; padding: .15em .5em; }
.hands td:first-child, .hands th:first-child, .hands .left { text-align: left; }
.hands thead tr:first-child th[colspan] { text-align: center; border-left: 1px solid var(--line); }
.hands td:first-child { position: sticky; left: 0; background: var(--paper); }
a { color: inherit; }
.hands tr:target { outline: 2px solid var(--red); }
.pictures { display: flex; flex-wrap: wrap; gap: .5rem; margin: 1rem 0; break-inside: avoid; }
.pictures img { max-width: 100%%; height: auto; background: #fff; }
.index { columns: 14rem; list-style: none; padding: 0; }
.index li { break-inside: avoid; }
@media (max-width: 30rem) { .pictures img { width: 100%% !important; } }
@media print {
  .table { overflow: visible; }
  table.hands { font-size: 7.5pt; break-inside: auto; }
  thead { display: table-header-group; }
}
"""


def book_html(book: BookDocument, size: str) -> bytes:
    """The whole book; size: the paper it prints on."""
    lang = book.lang
    writer = _Writer(book)
    chapters = [
        f'<section id="c{number}">\n<h1>{escape(chapter.title)}</h1>\n{writer.blocks(chapter.blocks)}</section>\n'
        for number, chapter in enumerate(book.chapters, start=1)
    ]
    contents = "".join(
        f'<li><a href="#c{number}">{escape(chapter.title)}</a></li>\n'
        for number, chapter in enumerate(book.chapters, start=1)
    )
    cover = "".join(f"<p>{red_suits(escape(text))}</p>\n" for text in book.cover)
    body = (
        f'<header class="cover">\n<h1>{escape(book.title)}</h1>\n<p class="suits">{red_suits("♣♠♥♦")}</p>\n'
        f"<h2>{escape(book.subtitle)}</h2>\n{cover}</header>\n"
        f"<nav>\n<h1>{escape(message('book-contents', lang))}</h1>\n<ol>\n{contents}"
        f'<li><a href="#index">{escape(message("book-index", lang))}</a></li>\n</ol>\n</nav>\n'
        f"{''.join(chapters)}{writer.index()}"
    )
    return page(body, f"{book.title}: {book.subtitle}", lang, _STYLE % size.upper()).encode()


class _Writer:
    """Writes blocks and remembers where each hand has a row."""

    def __init__(self, book: BookDocument) -> None:
        self._book = book
        self._places: dict[frozenset[object], list[tuple[str, str]]] = {}
        self._rows = 0

    def blocks(self, blocks: Sequence[BookBlock]) -> str:
        """Blocks as HTML."""
        return "\n".join(map(self._block, blocks)) + "\n"

    def _block(self, block: BookBlock) -> str:
        if isinstance(block, HandTable):
            return self._table(block)
        if isinstance(block, Pictures):
            return _pictures(block)
        return html_of([block])

    def _table(self, table: HandTable) -> str:
        lang = self._book.lang
        head = "".join(f"<th>{escape(text)}</th>" for text in table.headings)
        groups = "".join(f'<th colspan="{count}">{escape(text)}</th>' for text, count in table.groups)
        above = f"<tr><th>{escape(table.name)}</th>{groups}</tr>\n" if table.name else ""
        rows = []
        for hand, cells in table.rows:
            self._rows += 1
            self._places.setdefault(frozenset(hand), []).append((f"r{self._rows}", table.name))
            shown = "".join(
                f'<td class="left">{red_suits(escape(cell))}</td>' if place < table.left else f"<td>{escape(cell)}</td>"
                for place, cell in enumerate(cells, start=1)
            )
            rows.append(f'<tr id="r{self._rows}"><td>{red_suits(hand_text(hand, lang))}</td>{shown}</tr>\n')
        return (
            f'<div class="table"><table class="hands">\n<thead>{above}<tr>{head}</tr></thead>\n'
            f"<tbody>\n{''.join(rows)}</tbody></table></div>"
        )

    def index(self) -> str:
        """The hands, each with links to its rows."""
        lang = self._book.lang
        items = "".join(self._item(hand) for hand in self._book.hands)
        return (
            f'<section id="index">\n<h1>{escape(message("book-index", lang))}</h1>\n'
            f'<ul class="index">\n{items}</ul>\n</section>\n'
        )

    def _item(self, hand: Hand) -> str:
        links = ", ".join(f'<a href="#{row}">{escape(name)}</a>' for row, name in self._places.get(frozenset(hand), ()))
        return f"<li>{red_suits(hand_text(hand, self._book.lang))}: {links}</li>\n"


def _pictures(block: Pictures) -> str:
    shown = []
    for figure in block.figures:
        data = b64encode(chart_bytes(figure, ".png")).decode()
        alt = escape(alt_text(figure), quote=True)
        width = f"{100 * block.share - 1:.0f}%"
        shown.append(f'<img src="data:image/png;base64,{data}" alt="{alt}" style="width:{width}">')
    return f'<div class="pictures">{"".join(shown)}</div>'
