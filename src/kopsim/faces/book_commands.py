"""`kopsim book`: the chart book of a rule set."""

from __future__ import annotations

from pathlib import Path

import click

from kopsim.errors import QueryError
from kopsim.faces.help_pages import SpokenCommand, lang_of
from kopsim.faces.options import chosen_rules, common, option, show

BOOK_ENDINGS = (".html", ".pdf")
PAPER = ("a4", "a5", "booklet")


@click.command(
    "book",
    cls=SpokenCommand,
    help="help-book",
    short="short-book",
    examples=["kopsim book --out kop.pdf", "kopsim book --size a5 --lang pl --out kop.html"],
)
@option("--out", required=True, metavar="FILE.pdf|html", help="help-out-book")
@option("--size", default="a4", metavar="a4|a5|booklet", help="help-book-size")
@common
@click.pass_context
def book(ctx: click.Context, out: str, size: str, rules_name: str | None, as_json: bool) -> None:
    """Writes the chart book."""
    from kopsim.faces.chart_file import check_matplotlib
    from kopsim.faces.document_pdf import check_pdf

    rules, lang, path = chosen_rules(rules_name), lang_of(ctx), Path(out)
    if path.suffix not in BOOK_ENDINGS:
        raise QueryError("document-ending", file=path.as_posix(), choices=BOOK_ENDINGS)
    if size.lower() not in PAPER:
        raise QueryError("book-paper", text=size, choices=PAPER)
    if size.lower() == "booklet" and path.suffix != ".pdf":
        raise QueryError("book-booklet", file=path.as_posix())
    check_matplotlib()
    if path.suffix == ".pdf":
        check_pdf()
    check_writable(path)

    from kopsim.chart_book import chart_book
    from kopsim.faces.book_document import book_document
    from kopsim.faces.progress import stages_bar
    from kopsim.table_file import write_whole

    with stages_bar(lang) as progress:
        document = book_document(chart_book(rules, progress=progress), lang)
    if path.suffix == ".pdf":
        from kopsim.faces.book_pdf import book_pdf

        folded = size.lower() == "booklet"
        content = book_pdf(document, "a5" if folded else size.lower())
        if folded:
            from kopsim.faces.booklet import booklet

            content = booklet(content)
    else:
        from kopsim.faces.book_html import book_html

        content = book_html(document, size.lower())
    write_whole(path, content)
    show({"rules": rules.id, "file": out} if as_json else out)


def check_writable(path: Path) -> None:
    """Raises TableError for a folder or a place without one before a minute's work, not after."""
    from kopsim.errors import KopsimError, TableError

    if path.is_dir() or not path.parent.is_dir():
        reason = KopsimError("file-folder" if path.is_dir() else "file-missing")
        raise TableError("table-write", file=path.as_posix(), reason=reason)
