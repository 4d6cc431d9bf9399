"""The chart book as chapters of blocks, before anybody has set it as pages or as a web page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kopsim import __version__
from kopsim.cards import RANK_NAMES, SUIT_NAMES, Card, format_cards
from kopsim.chart_book import CertainPlan, ChartBook, ContractPages, HandNumbers
from kopsim.errors import Lang, message
from kopsim.faces.audit_report import METHOD, findings
from kopsim.faces.document import Block, Heading, Items, Paragraph
from kopsim.faces.throwdown_text import open_only, plan_words, right_list, seats_text
from kopsim.faces.tricks import hand_text
from kopsim.faces.words import NO_BREAK, no_orphans, percent, seat_name, share_reach, whole
from kopsim.rules import RuleSet, rules_hash
from kopsim.rules.model import SEATS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Hand = tuple[Card, ...]


@dataclass(frozen=True)
class HandTable:
    """A table whose rows begin with a hand; the index names them.

    groups: headings over several columns, each with how many, after the first column, over which
    stands the table's name; the first `left` columns are set to the left.
    """

    headings: Sequence[str]
    rows: Sequence[tuple[Hand, Sequence[str]]]
    groups: Sequence[tuple[str, int]] = ()
    left: int = 1
    name: str = ""


@dataclass(frozen=True, eq=False)
class Pictures:
    """Charts side by side, each so large a share of the width of a page."""

    figures: Sequence[Figure]
    share: float


BookBlock = Block | HandTable | Pictures


@dataclass(frozen=True)
class Chapter:
    """A chapter, which begins on a page of its own."""

    title: str
    blocks: Sequence[BookBlock]


@dataclass(frozen=True)
class BookDocument:
    """A book: what stands on its cover, its chapters, and its hands in the order of the index."""

    title: str
    subtitle: str
    cover: Sequence[str]
    chapters: Sequence[Chapter]
    lang: Lang
    hands: Sequence[Hand] = field(default_factory=list)


def book_document(book: ChartBook, lang: Lang) -> BookDocument:
    """The whole book in one language."""
    rules = book.rules
    chapters = [
        Chapter(message("book-how", lang), _how(book, lang)),
        Chapter(message("book-odds", lang), [block for each in book.contracts for block in _odds(book, each, lang)]),
        Chapter(message("book-calls", lang), _calls(book, lang)),
        Chapter(message("book-throwdowns", lang), _throwdowns(book, lang)),
        Chapter(message("book-kontra", lang), _kontra(book, lang)),
        Chapter(message("book-audit", lang), _audit(book, lang)),
        Chapter(message("book-method", lang), _method(book, lang)),
    ]
    return BookDocument(
        message("book-title", lang),
        rules.name.text(lang),
        [
            message("book-cover", lang),
            message("version-source", lang, source=rules.source),
            f"kopsim {__version__}",
        ],
        [Chapter(chapter.title, [_joined(block, lang) for block in chapter.blocks]) for chapter in chapters],
        lang,
        _hands(book),
    )


def _joined(block: BookBlock, lang: Lang) -> BookBlock:
    """A block whose sentences leave no short word alone at the end of a line."""
    if isinstance(block, Paragraph):
        return Paragraph(no_orphans(block.text, lang))
    if isinstance(block, Items):
        return Items([no_orphans(text, lang) for text in block.texts], block.numbered)
    return block


def _hands(book: ChartBook) -> list[Hand]:
    """Every hand that has a row, once, strongest first by the first order of the rules."""
    strength = next(iter(book.rules.orders.values())).strength
    named = {frozenset(each.about.hand) for pages in book.contracts for each in pages.hands}
    named |= {frozenset(plan.hand) for pages in book.contracts for plan in pages.plans}
    hands = [tuple(sorted(hand, key=strength.__getitem__)) for hand in named]
    return sorted(hands, key=lambda hand: [strength[card] for card in hand])


def _how(book: ChartBook, lang: Lang) -> list[BookBlock]:
    rules = book.rules
    played = any(_played(pages) for pages in book.contracts)
    blocks: list[BookBlock] = [
        Paragraph(" ".join(_how_cards(rules, lang))),
        Heading(message("seats", lang).capitalize()),
        Items([seat_name(rules, seat, lang) for seat in SEATS]),
        Heading(message("book-numbers", lang)),
        Paragraph(message("book-how-open", lang, layouts=whole(_layouts(book)))),
        Paragraph(" ".join(_how_played(book, lang)) if played else message("book-how-no-play", lang)),
        Paragraph(message("book-how-certain", lang)),
        *([Paragraph(message("book-how-called", lang))] if _ranged(book) else []),
        Heading(message("book-which", lang)),
        Paragraph(message("book-how-which" if _ranged(book) else "book-how-which-open", lang)),
        Heading(message("book-seats", lang)),
    ]
    from kopsim.faces.grid_charts import seat_value_chart, seat_wins_chart

    for pages in book.contracts:
        if pages.worths and pages.strategy:
            blocks.append(Pictures([seat_value_chart(rules, pages.contract, pages.worths, lang)], 0.6))
        elif pages.wins and pages.strategy:
            blocks.append(Pictures([seat_wins_chart(rules, pages.contract, pages.wins, lang)], 0.6))
    return blocks


def _how_cards(rules: RuleSet, lang: Lang) -> list[str]:
    """How cards are written, only those of the pack, and in which order each contract has them."""
    present = {card.rank for card in rules.pack.cards}
    ranks = [each for each in reversed(RANK_NAMES) if each.symbol["en"] in present]
    suits = (SUIT_NAMES[0], *reversed(SUIT_NAMES[1:]))  # ♣ ♠ ♥ ♦
    ranked, suited = (
        ", ".join(f"{each.symbol[lang]} {each.words[lang]}" for each in names) for names in (ranks, suits)
    )
    told = [message("book-how-cards", lang, ranks=ranked, suits=suited)]
    for order in rules.orders.values():
        name = f" ({order.name.text(lang)})" if len(rules.orders) > 1 else ""
        cards = " | ".join(format_cards(suit, lang=lang) for suit in order.suits if suit)
        told.append(message("book-how-order", lang, name=name, cards=cards))
    return [*told, message("book-how-lists", lang)]


def _how_played(book: ChartBook, lang: Lang) -> list[str]:
    """What play means, and what the others believe of a caller in it."""
    believed = "book-how-ranged" if _ranged(book) else "played-no-range-note"
    return [message("book-how-play", lang), message(believed, lang)]


def _ranged(book: ChartBook) -> bool:
    """Whether the others expect the calling range of some contract."""
    every = (seat for pages in book.contracts for each in pages.hands for seat in each.seats)
    return any(seat.expected for seat in every)


def _layouts(book: ChartBook) -> int:
    return next((each.seats[0].open_cards.layouts for pages in book.contracts for each in pages.hands), 0)


def _played(pages: ContractPages) -> bool:
    """Whether play-outs tell of every hand of a contract."""
    return bool(pages.hands) and all(seat.played is not None for each in pages.hands for seat in each.seats)


def _odds(book: ChartBook, pages: ContractPages, lang: Lang) -> list[BookBlock]:
    """The table of one contract."""
    heading = Heading(book.rules.contract(pages.contract).name.text(lang))
    if not pages.hands:
        return [heading, Paragraph(message("right-list-empty", lang))]
    played = _played(pages)
    names = (
        [message("chart-play-short", lang), message("chart-open-short", lang)]
        if played
        else [message("chart-open-short", lang)]
    )
    groups = [(f"{message('seat', lang)} {seat}", len(names)) for seat in SEATS] if played else []
    columns = [*names * len(SEATS)] if played else [f"{message('seat', lang)} {seat}" for seat in SEATS]
    return [
        heading,
        Paragraph(message("book-odds-play" if played else "book-odds-open", lang)),
        HandTable(
            [message("hand", lang), *columns],
            [(each.about.hand, _cells(each, played, lang)) for each in pages.hands],
            groups,
            name=heading.text,
        ),
    ]


def _cells(each: HandNumbers, played: bool, lang: Lang) -> list[str]:
    """At each seat what is won in play, as an interval, and with open cards; marked where the hand calls or may not.

    What wins for certain needs no estimate.
    """
    cells = []
    told_at = {seat.seat: seat for seat in each.seats}
    for at in SEATS:
        if at not in told_at:
            cells += [message("may-not", lang), *(["–"] if played else [])]
            continue
        seat = told_at[at]
        mark = "✓" if seat.seat in each.about.certain else "•" if seat.seat in each.about.called else ""
        opened = _bare(percent(float(seat.open_cards.probability), lang))
        if not played:
            cells.append(f"{mark}{NO_BREAK}{opened}" if mark else opened)
            continue
        if seat.seat in each.about.certain:
            cells += [f"{mark}{NO_BREAK}100", opened]
            continue
        assert seat.played is not None
        shown = _bare(share_reach(seat.played.interval, lang))
        cells += [f"{mark}{NO_BREAK}{shown}" if mark else shown, opened]
    return cells


def _bare(share: str) -> str:
    """A share without its sign, for a column of them."""
    return share.removesuffix(f"{NO_BREAK}%")


def _calls(book: ChartBook, lang: Lang) -> list[BookBlock]:
    """The strategy charts, a page for each contract and seat."""
    from kopsim.faces.grid_charts import strategy_chart, strategy_notes

    blocks: list[BookBlock] = []
    for pages in book.contracts:
        shown = {seat: told for seat, told in pages.strategy.items() if told[0]}
        if not shown:
            continue
        blocks.append(Heading(book.rules.contract(pages.contract).name.text(lang)))
        every = [grid for grids, _ in shown.values() for grid in grids]
        blocks += [Paragraph(note) for note in strategy_notes(every, sum(count for _, count in shown.values()), lang)]
        figures = [strategy_chart(grids, 0, lang, noted=False) for grids, _ in shown.values()]
        blocks += [Pictures([figure], 0.82) for figure in figures]
    return blocks or [Paragraph(message("book-no-calls", lang))]


def _throwdowns(book: ChartBook, lang: Lang) -> list[BookBlock]:
    """What may be laid down, contract by contract: the shortest list, then every hand with its plan."""
    blocks: list[BookBlock] = [
        Paragraph(message("certain-means", lang)),
        Paragraph(message("order-of-play-note", lang)),
    ]
    for pages in book.contracts:
        blocks += [Heading(message("right-list", lang, contract=book.rules.contract(pages.contract).name))]
        blocks += [right_list(pages.found, lang), *open_only(pages.found, lang)]
        if pages.plans:
            headings = [message(key, lang) for key in ("hand", "seats", "order-of-play")]
            blocks += [Paragraph(message("book-plans", lang))]
            rows = [(plan.hand, _plan_cells(plan, lang)) for plan in pages.plans]
            name = book.rules.contract(pages.contract).name.text(lang)
            blocks.append(HandTable(headings, rows, left=3, name=f"{name} ✓"))
        for plan in pages.plans:
            if not plan.order:
                told = (
                    hand_text(plan.hand, lang)
                    + ", "
                    + message("book-plan-seats", lang, seats=seats_text(plan.seats, lang))
                )
                blocks += [Heading(told, 3), plan_words(plan.steps, lang)]
    return blocks


def _plan_cells(plan: CertainPlan, lang: Lang) -> list[str]:
    order = hand_text(plan.order, lang) if plan.order else message("book-plan-below", lang)
    return [seats_text(plan.seats, lang), order]


def _kontra(book: ChartBook, lang: Lang) -> list[BookBlock]:
    from kopsim.faces.grid_charts import kontra_chart, kontra_notes

    blocks: list[BookBlock] = []
    for pages in book.contracts:
        if not pages.kontra:
            continue
        blocks.append(Heading(book.rules.contract(pages.contract).name.text(lang)))
        blocks += [Paragraph(note) for note in kontra_notes(lang)]
        charts = [kontra_chart([grid], lang, noted=False) for grid in pages.kontra]
        blocks += [Pictures(charts[place : place + 2], 0.5) for place in range(0, len(charts), 2)]
    return blocks or [Paragraph(message("book-no-kontra", lang))]


def _audit(book: ChartBook, lang: Lang) -> list[BookBlock]:
    if book.audit is None:
        return [Paragraph(message("book-no-audit", lang))]
    name = message("report-title", lang, name=book.audit.checked.name)
    return [
        Paragraph(f"{name}. {message('report-subtitle', lang, rules=book.rules.name)}"),
        *findings(book.audit, lang),
    ]


def _method(book: ChartBook, lang: Lang) -> list[BookBlock]:
    rules = book.rules
    played = any(_played(pages) for pages in book.contracts)
    keys = ["book-method-open"]
    if played:
        keys.append("book-method-play")
    if _ranged(book):
        keys.append("book-method-range")
    keys += METHOD
    return [
        *(Paragraph(message(key, lang)) for key in keys),
        Heading(message("report-versions", lang)),
        Items(
            [
                f"kopsim {__version__}",
                message("version-rules", lang, id=rules.id, hash=rules_hash(rules)),
                message("version-source", lang, source=rules.source),
                *([] if book.audit is None else [message("version-list", lang, id=book.audit.checked.id)]),
                *_tables(book, lang),
            ]
        ),
    ]


def _tables(book: ChartBook, lang: Lang) -> list[str]:
    """The packaged tables that the numbers come from, each with its checksum."""
    return [
        message(
            "book-table", lang, kind=message(f"kind-{header.kind}", lang), contract=contract, hash=header.sha256[:12]
        )
        for contract, header in book.tables
    ]
