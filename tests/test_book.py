"""The chart book, built of a few hands: what its pages say, its index, and what cannot be."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from conftest import Answer
from pypdf import PdfReader

from kopsim import load_rules
from kopsim.calling_range import packaged_ranges, range_hash
from kopsim.cards import format_cards, parse_cards
from kopsim.chart_book import ChartBook, chart_book
from kopsim.faces.book_document import BookDocument, HandTable, _how_cards, book_document
from kopsim.faces.book_html import book_html
from kopsim.faces.book_pdf import book_pdf
from kopsim.faces.booklet import booklet
from kopsim.faces.words import NO_BREAK, no_orphans
from kopsim.play_out_table import packaged_play_outs
from kopsim.rules import rules_hash
from kopsim.rules.model import SEATS

Run = Callable[..., Answer]
KOP = load_rules()
HANDS = ("A♥ 10♣ 10♠ A♠", "A♥ 10♠ Q♣ Q♥", "A♥ 10♣ J♣ J♠", "A♥ 10♠ Q♣ Q♠")


@cache
def small_book() -> ChartBook:
    """Four hands, and the charts of seat 2 alone."""
    hands = {frozenset(parse_cards(hand)) for hand in HANDS}
    return chart_book(KOP, contracts=["zolo", "cicha"], hands=hands, seats=[2])


@cache
def document(lang: str) -> BookDocument:
    """The same with fewer pictures, which take most of the time."""
    book = small_book()
    pages = tuple(replace(each, kontra=each.kontra[:1]) for each in book.contracts)
    return book_document(replace(book, contracts=pages), lang)  # type: ignore[arg-type]


def words(text: str) -> str:
    """Text with every kind of space as one."""
    return " ".join(text.replace(NO_BREAK, " ").replace("\N{NARROW NO-BREAK SPACE}", " ").split())


@pytest.mark.parametrize(("lang", "size"), [("pl", "a4"), ("en", "a5")])
def test_pages(lang: str, size: str) -> None:
    reader = PdfReader(io.BytesIO(book_pdf(document(lang), size)))
    texts = [words(page.extract_text()) for page in reader.pages]
    whole = " ".join(texts)
    width = float(reader.pages[0].mediabox.width) / 72 * 25.4
    assert width == pytest.approx(210 if size == "a4" else 148, abs=0.5)
    assert len(texts) % 4 == 0 or size == "a4"
    for told in (
        {"pl": "Książka wykresów", "en": "Chart book"}[lang],
        "Gorzów 2014",
        {"pl": "17,9", "en": "17.9"}[lang],
        "80,5" if lang == "pl" else "80.5",
        "33 114 / 34 650",
        rules_hash(KOP),
    ):
        assert told in whole, told
    for hand in HANDS:
        shown = format_cards(parse_cards(hand), lang=lang)  # type: ignore[arg-type]
        assert shown in whole, shown
        # The index, on the last page that has the hand, names the pages on which it stands.
        index = next(text for text in reversed(texts) if shown in text)
        numbers = re.search(re.escape(shown) + r" ((?:\d+, )*\d+)", index)
        assert numbers is not None
        for number in numbers[1].split(", "):
            assert shown in texts[int(number) - 1]
    title = document(lang).chapters[1].title
    assert title in texts[1]
    assert [page.title for page in reader.outline if not isinstance(page, list)][1] == title
    for number, text in enumerate(texts[1:], start=2):
        assert f"{number} / {len(texts)}" in text
        assert text.startswith({"pl": "Książka wykresów. Kop", "en": "Chart book. Kop"}[lang])


def test_the_same_book_as_a_web_page() -> None:
    page = book_html(document("pl"), "a5").decode()
    assert page.startswith("<!doctype html>")
    assert '<html lang="pl">' in page
    assert "size: A5" in page
    assert "://" not in page  # nothing is fetched
    targets, links = set(re.findall(r' id="(\w+)"', page)), re.findall(r'href="#(\w+)"', page)
    assert set(links) <= targets
    assert {f"c{number}" for number in range(1, 8)} <= targets
    assert page.count('<img src="data:image/png;base64,') == page.count('alt="zolo ')
    text = words(re.sub("<[^>]+>", "", page))
    assert "A♥ 10♣ W♣ W♠" in text
    assert "17,9" in text


def test_numbers_of_a_hand() -> None:
    pages = next(each for each in small_book().contracts if each.contract == "zolo")
    assert len(pages.hands) == 4
    tables = [block for block in document("en").chapters[1].blocks if isinstance(block, HandTable)]
    (zolo,) = [table for table in tables if len(table.rows) == 4]
    cells = dict(zolo.rows)
    hand, ranges = parse_cards("A♥ 10♣ J♣ J♠"), packaged_ranges(load_rules())
    shown = [cell.replace(NO_BREAK, " ") for cell in cells[hand]]
    told = packaged_play_outs(load_rules(), "zolo", range_hash(ranges, "zolo"))
    played = [told.estimate(hand, seat).interval for seat in SEATS]
    called = ["• " if frozenset(hand) in ranges.callers["zolo", seat] else "" for seat in SEATS]
    reach = [f"{100 * low:.0f}–{100 * high:.0f}" for low, high in played]
    expected = [f"{mark}{each}" for mark, each in zip(called, reach, strict=True)]
    assert [cell for cell in shown if "–" in cell] == expected
    assert called == ["• ", "", "", ""]
    assert shown[1::2] == ["80.5", "23.4", "17.9", "22.3"]
    certain = [cell.replace(NO_BREAK, " ") for cell in cells[parse_cards("A♥ 10♠ Q♣ Q♥")]]
    assert certain[6:] == ["✓ 100", "100.0"]
    plans = {plan.hand: plan for plan in pages.plans}
    assert plans[parse_cards("A♥ 10♠ Q♣ Q♥")].seats == (4,)
    assert set(plans[parse_cards("A♥ 10♠ Q♣ Q♥")].order) == set(parse_cards("A♥ 10♠ Q♣ Q♥"))


def test_rules_of_which_less_is_known() -> None:
    rules = load_rules("baska-z-asem")
    hand = parse_cards("A♥ 10♥ Q♣ Q♠")
    small = chart_book(rules, contracts=["cicha"], hands={frozenset(hand)})
    told = book_document(replace(small, audit=None), "en")
    shown = words(re.sub("<[^>]+>", "", book_html(told, "a4").decode()))
    for sentence in ("every number in this book is exact", "nothing to audit", "nothing can be said about kontra"):
        assert sentence in shown, sentence
    (table,) = [block for block in told.chapters[1].blocks if isinstance(block, HandTable)]
    assert not any("–" in cell for _, cells in table.rows for cell in cells)


def test_short_words_stay_with_the_next() -> None:
    assert no_orphans("w grze i z ręką", "pl") == f"w{NO_BREAK}grze i{NO_BREAK}z{NO_BREAK}ręką"
    assert no_orphans("in a game", "en") == "in a game"


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("--out", "book.doc"), ".html, .pdf"),
        (("--out", "book.pdf", "--size", "a3"), "no paper “a3”"),
        (("--out", "book.html", "--size", "booklet"), "cannot be a booklet"),
        (("--out", "none/book.pdf"), "cannot be written"),
        (("--out", "book.pdf", "--rules", "none"), "none"),
    ],
)
def test_books_that_cannot_be(
    args: tuple[str, ...], told: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    answer = run("book", *args)
    assert (answer.code, answer.out, list(tmp_path.iterdir())) == (2, "", [])
    assert told in answer.err
    assert answer.err.count("\n") == 1


def test_a_folded_booklet_has_its_pages_in_order() -> None:
    book = book_pdf(document("en"), "a5")
    pages = [words(page.extract_text()) for page in PdfReader(io.BytesIO(book)).pages]
    sheets = PdfReader(io.BytesIO(booklet(book)))
    sides = [words(side.extract_text()) for side in sheets.pages]
    assert len(sides) * 2 == len(pages)
    assert [round(float(length) / 72 * 25.4) for length in sheets.pages[0].mediabox[2:]] == [296, 210]
    # Folded, the right half of a front and the left half of its back are one leaf, and so from sheet to sheet.
    leaves = [(sides[front], sides[front + 1]) for front in range(0, len(sides), 2)]
    for sheet, (front, back) in enumerate(leaves):
        for first, second, side in ((-1 - 2 * sheet, 2 * sheet, front), (2 * sheet + 1, -2 - 2 * sheet, back)):
            assert side == words(f"{pages[first]} {pages[second]}")
    assert sheets.root_object["/Lang"] == "en"
    assert not any("/Annots" in side and side["/Annots"] for side in sheets.pages)
    assert sheets.metadata is not None
    assert "Gorzów 2014" in sheets.metadata.title
    assert len(booklet(book)) < 1.1 * len(book)


def test_the_command(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small = small_book()
    monkeypatch.setattr("kopsim.chart_book.chart_book", lambda _rules, progress: small)  # noqa: ARG005
    monkeypatch.setattr("kopsim.faces.book_document.book_document", lambda _book, lang: document(lang))
    path = tmp_path / "book.html"
    answer = run("book", "--out", str(path), "--lang", "pl")
    assert (answer.code, answer.out, answer.err) == (0, f"{path}\n", "")
    assert "Książka wykresów" in path.read_text(encoding="utf-8")
    monkeypatch.setattr("kopsim.faces.document_pdf.find_spec", lambda _name: None)
    answer = run("book", "--out", str(tmp_path / "book.pdf"))
    assert (answer.code, [each.name for each in tmp_path.iterdir()]) == (2, ["book.html"])
    assert "kopsim[report]" in answer.err


@pytest.mark.parametrize("rules_id", ["kop-gorzow-2014", "baska-z-asem"])
def test_the_legend_names_only_cards_and_orders_that_the_rules_have(rules_id: str) -> None:
    rules = load_rules(rules_id)
    told = " ".join(_how_cards(rules, "en"))
    assert "king" not in told
    assert "the rest" not in told
    for order in rules.orders.values():
        assert " | ".join(format_cards(suit) for suit in order.suits if suit) in told
    assert ("gran" in told) == (len(rules.orders) > 1)
    assert "K król" not in " ".join(_how_cards(rules, "pl"))
