"""A5 pages laid two by two on A4 sheets, in the order in which the printed and folded sheets are a booklet."""

from __future__ import annotations

import io

from pypdf import PageObject, PdfReader, PdfWriter
from pypdf.generic import ArrayObject, NameObject


def booklet(book: bytes) -> bytes:
    """The sheets of a PDF, to be printed on both sides, turned over the short edge, folded once and stapled.

    book: pages of A5, as many as fold into sheets of four.  Links and bookmarks, of no use on paper, are left out.
    """
    source = PdfReader(io.BytesIO(book))
    pages, sheets = source.pages, PdfWriter()
    for place in range(len(pages) // 2):
        outer, inner = pages[-1 - place], pages[place]
        # On the front of a sheet the earlier page lies to the right, on its back to the left.
        left, right = (outer, inner) if place % 2 == 0 else (inner, outer)
        _lay(sheets, left, right)
    if (metadata := source.metadata) is not None:
        sheets.add_metadata(metadata)
    if "/Lang" in source.root_object:
        sheets.root_object[NameObject("/Lang")] = source.root_object["/Lang"]
    written = io.BytesIO()
    sheets.write(written)
    return written.getvalue()


def _lay(sheets: PdfWriter, left: PageObject, right: PageObject) -> None:
    """Two pages beside each other on a new side of a sheet."""
    width, height = float(left.mediabox.width), float(left.mediabox.height)
    side = sheets.add_blank_page(2 * width, height)
    for page, shift in ((left, 0.0), (right, width)):
        page[NameObject("/Annots")] = ArrayObject()
        side.merge_translated_page(page, shift, 0)
    side.compress_content_streams()
