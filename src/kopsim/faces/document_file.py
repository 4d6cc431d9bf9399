"""Documents as files: Markdown, a web page in one file, or PDF."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from kopsim.errors import Lang, QueryError
from kopsim.faces.document import Block, as_markdown, title_of
from kopsim.table_file import write_whole

ENDINGS = (".html", ".md", ".pdf")
_STYLE = """
:root {
  color-scheme: light dark;
  --ink: #1c1e22; --paper: #fff; --line: #c8ccd2; --red: #b3123a; --head: #f0f2f5;
}
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8e9eb; --paper: #17191d; --line: #454a52; --red: #ff7b93; --head: #24272d; }
}
body {
  font: 1rem/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 52rem; margin: 0 auto; padding: 1rem;
}
h1, h2, h3, h4 { line-height: 1.25; margin: 1.6em 0 .5em; }
h1 { margin-top: .5em; }
.table { overflow-x: auto; margin: .8em 0; }
table { border-collapse: collapse; }
td, th { border-bottom: 1px solid var(--line); padding: .3em .8em .3em .4em; vertical-align: top; }
td { white-space: nowrap; }
th { background: var(--head); font-weight: 600; text-align: left; }
.red { color: var(--red); }
@media (max-width: 30rem) { td, th { padding: .25em .45em .25em .2em; font-size: .85rem; } }
@media print {
  body { max-width: none; font-size: 10pt; }
  h1, h2, h3, h4 { break-after: avoid; }
  tr, table { break-inside: avoid; }
}
"""


def check_ending(path: Path) -> None:
    """Raises QueryError for a file whose ending names no known form, or one that needs what is not installed."""
    if path.suffix not in ENDINGS:
        raise QueryError("document-ending", file=path.as_posix(), choices=ENDINGS)
    if path.suffix == ".pdf":
        from kopsim.faces.document_pdf import check_pdf

        check_pdf()


def write_document(blocks: Sequence[Block], path: Path, lang: Lang) -> None:
    """Writes blocks, the first of them the title, in the form that the file's ending names; whole or not at all.

    Raises QueryError as `check_ending` does, TableError if the file cannot be written.
    """
    check_ending(path)
    if path.suffix == ".md":
        content = as_markdown(blocks).encode()
    elif path.suffix == ".html":
        content = page(html_of(blocks), title_of(blocks), lang).encode()
    else:
        from kopsim.faces.document_pdf import as_pdf

        content = as_pdf(blocks, lang)
    write_whole(path, content)


def html_of(blocks: Sequence[Block]) -> str:
    """Blocks as the inside of a web page."""
    from markdown_it import MarkdownIt

    body = str(MarkdownIt("commonmark").enable("table").render(as_markdown(blocks)))
    return red_suits(body).replace("<table>", '<div class="table"><table>').replace("</table>", "</table></div>")


def red_suits(html: str) -> str:
    """Hearts and diamonds in red, in text that has no suits in its tags."""
    return re.sub("[♥♦]", r'<span class="red">\g<0></span>', html)


def page(body: str, title: str, lang: Lang, style: str = "") -> str:
    """A whole web page in one file; style: more than the common one."""
    from html import escape

    return (
        f'<!doctype html>\n<html lang="{lang}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}{style}</style>\n</head>\n<body>\n{body}</body>\n</html>\n"
    )
