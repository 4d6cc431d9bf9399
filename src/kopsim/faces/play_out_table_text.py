"""Tables of play-outs for people and for programs."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

from kopsim.cards import Card, format_cards
from kopsim.errors import Lang, message
from kopsim.faces.document import Block, Grid, Heading, Paragraph
from kopsim.faces.play_out_text import chance, estimate_data, payment, played_name
from kopsim.faces.words import seat_name, whole
from kopsim.hidden_table import table_of
from kopsim.play_out import Estimate
from kopsim.play_out_table import PlayOutTable
from kopsim.rules.model import SEATS

Row = tuple[tuple[Card, ...], int, Estimate]  # hand, seat, what was played


def rows_of(table: PlayOutTable, hands: Iterable[Sequence[Card]], seats: Sequence[int] = SEATS) -> list[Row]:
    """What the table has of some hands at some seats."""
    found = ((tuple(hand), seat, table.estimate(hand, seat)) for hand in hands for seat in seats)
    return [(hand, seat, estimate) for hand, seat, estimate in found if estimate is not None]


def by_chance(table: PlayOutTable) -> bool:
    """Whether hands are ranked by the chance to win: where one plays alone; in pairs by the mean payment."""
    return table_of(table.rules, table.contract).soloist is not None


def as_csv(rows: Sequence[Row]) -> str:
    """One row a hand and seat."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["hand", "seat", "deals", "wins", "low", "high", "mean_payment", "mean_payment_error"])
    for hand, seat, each in rows:
        low, high = each.interval
        numbers = (f"{low:.4f}", f"{high:.4f}", f"{each.mean_payment:.4f}", f"{each.mean_payment_error:.4f}")
        writer.writerow(["".join(map(str, hand)), seat, each.deals, each.wins, *numbers])
    return out.getvalue().rstrip("\n")


def as_data(table: PlayOutTable, rows: Sequence[Row]) -> dict[str, Any]:
    """The same as JSON data, and how it was made."""
    made = table.header.made
    return {
        "rules": table.rules.id,
        "contract": table.contract,
        "model": "play-out",
        "players": made["players"],
        "weighed": made["weighed"],
        "seeds": made["seeds"],
        "hands": [{"hand": [str(card) for card in hand]} | estimate_data(seat, each) for hand, seat, each in rows],
    }


def as_table(table: PlayOutTable, rows: Sequence[Row], lang: Lang) -> list[Block]:
    """The same for people."""
    rules, made = table.rules, table.header.made
    cells = []
    for hand, seat, each in rows:
        cells.append(
            [
                format_cards(hand, lang=lang),
                str(seat),
                *chance(each, lang),
                payment(each.mean_payment, each.mean_payment_error, lang),
                whole(each.deals),
            ]
        )
    keys = ("hand", "seat", "play-out", "interval", "mean-payment", "deals")
    seats = {seat for _, seat, _ in rows}
    where = f"   {message('seat', lang)} {seat_name(rules, min(seats), lang)}" if len(seats) == 1 else ""
    return [
        Heading(f"{played_name(rules, table.contract, lang)}{where}   {rules.name.text(lang)}"),
        Grid([message(key, lang) for key in keys], cells, left=1),
        Paragraph(
            message("play-out-table-note", lang, weighed=made["weighed"], seed=", ".join(map(str, made["seeds"])))
        ),
    ]
