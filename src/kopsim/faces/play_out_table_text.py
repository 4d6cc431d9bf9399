"""Tables of play-outs for people and for programs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from kopsim.barred import BarredHand
from kopsim.bidding import barred_call
from kopsim.cards import Card, format_cards
from kopsim.errors import Lang, message
from kopsim.faces.barred_text import barred_data, barred_notes
from kopsim.faces.csv_text import Cell, csv_text
from kopsim.faces.document import Block, Grid, Heading, Paragraph
from kopsim.faces.play_out_text import belief, chance, estimate_data, played_name
from kopsim.faces.words import payment, seat_name, whole
from kopsim.hidden_table import table_of
from kopsim.play_out import Estimate
from kopsim.play_out_table import PlayOutTable
from kopsim.rules import RuleSet
from kopsim.rules.model import SEATS


class PlayedRows:
    """Rows of a table of play-outs: one a hand and seat, where something was played.

    hands: default every hand of the table; barred: those that may not play there, which have no row.
    """

    def __init__(
        self, table: PlayOutTable, hands: Iterable[Sequence[Card]] | None = None, seats: Sequence[int] = SEATS
    ) -> None:
        self._table = table
        asked = [(tuple(hand), seat) for hand in (table.hands if hands is None else hands) for seat in seats]
        barred = {each: barred_call(table.rules, table.contract, *each) for each in asked}
        self.barred = [each for each in barred.values() if each is not None]
        self._one_hand = hands is not None
        found = ((*each, table.estimate(*each)) for each in asked if barred[each] is None)
        self.rows: list[tuple[tuple[Card, ...], int, Estimate]] = [
            (hand, seat, estimate) for hand, seat, estimate in found if estimate is not None
        ]

    def keep_best(self, count: int) -> None:
        """Only so many, best first: by the chance to win where one plays alone, in pairs by the mean payment."""
        alone = table_of(self._table.rules, self._table.contract).soloist is not None
        self.rows.sort(key=lambda row: row[2].probability if alone else row[2].payment.value, reverse=True)
        del self.rows[count:]

    def csv(self, style: str) -> str:
        """One row a hand and seat."""
        headings = ["hand", "seat", "deals", "wins", "low", "high", "mean_payment", "mean_payment_error"]
        rows: list[list[Cell]] = []
        for hand, seat, each in self.rows:
            numbers = map(float, (*each.interval, each.payment.value, each.payment.error))
            rows.append(["".join(map(str, hand)), seat, each.deals, each.wins, *numbers])
        return csv_text(headings, rows, style, places=4)

    def data(self) -> dict[str, Any]:
        """The same as JSON data, and how it was made."""
        made = self._table.header.made
        return {
            "rules": self._table.rules.id,
            "contract": self._table.contract,
            "model": "play-out",
            "players": made["players"],
            "weighed": made["weighed"],
            "seeds": made["seeds"],
            "range": made.get("range"),
            "hands": [
                {"hand": [str(card) for card in hand]} | estimate_data(seat, each) for hand, seat, each in self.rows
            ],
            **barred_data(self.barred if self._one_hand else ()),
        }

    def blocks(self, lang: Lang) -> list[Block]:
        """The same for people."""
        rules, made = self._table.rules, self._table.header.made
        cells = [
            [
                format_cards(hand, lang=lang),
                str(seat),
                *chance(each, lang),
                payment(each.payment, lang),
                whole(each.deals),
            ]
            for hand, seat, each in self.rows
        ]
        keys = ("hand", "seat", "play-out", "interval", "mean-payment", "deals")
        seeds = ", ".join(map(str, made["seeds"]))
        blocks: list[Block] = [
            Heading(heading(rules, self._table.contract, [seat for _, seat, _ in self.rows], lang)),
            Grid([message(key, lang) for key in keys], cells, left=1),
            *barred_rows(self.barred, lang, one_hand=self._one_hand),
            Paragraph(message("play-out-table-note", lang, weighed=made["weighed"], seed=seeds)),
        ]
        expected = self._table.expected is not None
        blocks.append(Paragraph(belief(rules, self._table.contract, lang, expected=expected)))
        return blocks


def barred_rows(barred: Sequence[BarredHand], lang: Lang, *, one_hand: bool) -> list[Paragraph]:
    """What a table says of rows that are not there: why for one hand, how many for all."""
    if one_hand or not barred:
        return barred_notes(barred, lang)
    seats = ", ".join(map(str, sorted({each.seat for each in barred})))
    return [Paragraph(message("barred-left-out", lang, seat=seats, count=len(barred)))]


def heading(rules: RuleSet, contract: str, seats: Iterable[int], lang: Lang) -> str:
    """The heading of a table of one contract, with the seat if it is of one only."""
    where = {*seats}
    seat = f"   {message('seat', lang)} {seat_name(rules, min(where), lang)}" if len(where) == 1 else ""
    return f"{played_name(rules, contract, lang)}{seat}   {rules.name.text(lang)}"
