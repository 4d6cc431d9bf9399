"""Tables of odds for people and for programs."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Group
from rich.padding import Padding
from rich.table import Table

from kopsim.barred import BarredHand
from kopsim.cards import Card, format_cards
from kopsim.deals import sort_hand
from kopsim.errors import Lang, message
from kopsim.faces.barred_text import barred_data, barred_notes
from kopsim.faces.csv_text import csv_text
from kopsim.faces.layout import PlainTable, plain_table, unbroken
from kopsim.faces.words import percent, seat_name, whole
from kopsim.hand_wins import HandWins, wins_at
from kopsim.odds_table import OddsTable
from kopsim.roles import Role
from kopsim.rules import RuleSet
from kopsim.rules.model import SEATS, AtLeast
from kopsim.table_file import Header

NARROW = 80
_EIGHTHS = " ▏▎▍▌▋▊▉█"


def _joined(hand: Iterable[Card]) -> str:
    return "".join(map(str, hand))


def wins_csv(rows: Sequence[HandWins], style: str) -> str:
    """One row a hand: cards as symbols without spaces, layouts won at each seat, empty where it may not play."""
    return csv_text(
        ["hand", *(f"seat{seat}" for seat in SEATS)], [[_joined(row.hand), *row.wins] for row in rows], style
    )


def wins_data(rules: RuleSet, contract: str, rows: Sequence[HandWins]) -> dict[str, Any]:
    """The same as JSON data, null at a seat where a hand may not play."""
    return {
        "rules": rules.id,
        "contract": contract,
        "model": "double-dummy",
        "hands": [
            {"hand": [str(card) for card in row.hand], "wins": list(row.wins), "layouts": row.layouts} for row in rows
        ],
    }


def wins_table(rows: Sequence[HandWins], lang: Lang) -> PlainTable:
    """The same for people, as shares."""
    headings = [message("hand", lang), *(str(seat) for seat in SEATS)]
    return plain_table(
        headings,
        [
            [
                format_cards(row.hand, lang=lang),
                *(message("may-not", lang) if wins is None else percent(wins / row.layouts, lang) for wins in row.wins),
            ]
            for row in rows
        ],
    )


def top(rows: Sequence[HandWins], seat: int, lang: Lang, *, barred: int = 0) -> Group:
    """The best hands of one seat, with their wins; barred: how many were left out, since they may not play there."""
    headings = [message("hand", lang), message("chance", lang), message("wins", lang), message("layouts", lang)]
    cells = []
    for row, wins in wins_at(rows, seat):
        cells.append(
            [format_cards(row.hand, lang=lang), percent(wins / row.layouts, lang), whole(wins), whole(row.layouts)]
        )
    notes = [message("double-dummy", lang)]
    if barred:
        notes.insert(0, message("barred-left-out", lang, seat=seat, count=barred))
    return Group(plain_table(headings, cells), *(Padding(unbroken(note), (1, 0, 0, 0)) for note in notes))


def hand_data(
    table: OddsTable, rules: RuleSet, cards: Iterable[Card], seats: Sequence[int], barred: Sequence[BarredHand] = ()
) -> dict[str, Any]:
    """Every histogram of one hand as JSON data: counts by points, from the fewest possible; barred: what it may not."""
    hand = sort_hand(cards, rules)
    return {
        "rules": rules.id,
        "hand": [str(card) for card in hand],
        "lowest": table.lowest,
        "seats": [
            {"seat": seat, **{role.name.lower(): table.counts(hand, role, seat).tolist() for role in Role}}
            for seat in seats
        ],
        **barred_data(barred),
    }


def hand(
    table: OddsTable,
    rules: RuleSet,
    cards: Iterable[Card],
    seats: Sequence[int],
    lang: Lang,
    barred: Sequence[BarredHand] = (),
) -> Group:
    """How often a hand takes how many points alone, every number of points that occurs, with bars.

    A bar's length is its share of the longest of its seat; barred: what the hand may not play.
    """
    known = sort_hand(cards, rules)
    counts = [table.counts(known, Role.LONE, seat) for seat in seats]
    width = 10 if len(seats) > 1 else 40
    if shutil.get_terminal_size().columns < NARROW:
        width = 0  # the numbers matter more than the bars
    limits = sorted({goal.at_least for record in rules.contracts.values() if isinstance(goal := record.goal, AtLeast)})
    rows = []
    for place in range(len(counts[0])):
        if any(each[place] for each in counts):
            row = [str(place + table.lowest)]
            for each in counts:
                row += [whole(int(each[place])), _bar(int(each[place]) / int(each.max()), width)]
            rows.append(row)
    headings = [message("points", lang)]
    for seat in seats:
        headings += [str(seat) if len(seats) > 1 else seat_name(rules, seat, lang), ""]
    table_of_points = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    for place, heading in enumerate(headings):
        bar = place and place % 2 == 0
        table_of_points.add_column(
            unbroken(heading), justify="left" if bar else "right", no_wrap=True, min_width=width if bar else 0
        )
    for row in rows:
        table_of_points.add_row(*map(unbroken, row))
    layouts = int(counts[0].sum())
    return Group(
        unbroken(f"{format_cards(known, lang=lang)}   {rules.name.text(lang)}", style="bold"),
        unbroken(message("histogram-meaning", lang, layouts=whole(layouts))),
        *(unbroken(_reach(limit, counts, seats, table.lowest, lang)) for limit in limits),
        Padding(table_of_points, (1, 0)),
        *(unbroken(note.text) for note in barred_notes(barred, lang)),
        unbroken(message("double-dummy", lang)),
    )


def _reach(limit: int, counts: Sequence[Any], seats: Sequence[int], lowest: int, lang: Lang) -> str:
    """How often at least `limit` points are taken, seat by seat."""
    shares = [
        f"{seat}: {percent(int(each[max(limit - lowest, 0) :].sum()) / int(each.sum()), lang)}"
        for seat, each in zip(seats, counts, strict=True)
    ]
    return message("histogram-reach", lang, points=limit, shares=", ".join(shares))


def _bar(share: float, width: int) -> str:
    """A bar in eighths of a character; what is not zero is never invisible."""
    eighths = max(round(share * width * 8), 1) if share and width else 0
    return "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()


def info_data(file: str, header: Header) -> dict[str, Any]:
    """A table's header as JSON data."""
    return {"file": file, **asdict(header), "shape": list(header.shape)}


def info(file: str, header: Header, lang: Lang) -> PlainTable:
    """A table's header for people."""
    made = ", ".join(f"{name}: {value}" for name, value in header.made.items() if not isinstance(value, dict))
    rows = [
        [message("info-file", lang), file],
        [message("info-kind", lang), message(f"kind-{header.kind}", lang)],
        [message("info-rules", lang), f"{header.rules} ({header.rules_hash[:12]})"],
        [message("info-order", lang), f"{header.order} ({header.order_hash[:12]})"],
        [message("info-shape", lang), " × ".join(map(str, header.shape))],
        [message("info-bytes", lang), whole(header.body_bytes)],
        ["SHA-256", header.sha256],
        [message("info-made", lang), made],
    ]
    return plain_table(["", ""], rows, left=2)
