"""Tables of play-outs for people and for programs."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

from kopsim.cards import Card, format_cards
from kopsim.errors import Lang, message
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

    hands: default every hand of the table.
    """

    def __init__(
        self, table: PlayOutTable, hands: Iterable[Sequence[Card]] | None = None, seats: Sequence[int] = SEATS
    ) -> None:
        self._table = table
        found = (
            (tuple(hand), seat, table.estimate(hand, seat))
            for hand in (table.hands if hands is None else hands)
            for seat in seats
        )
        self.rows: list[tuple[tuple[Card, ...], int, Estimate]] = [
            (hand, seat, estimate) for hand, seat, estimate in found if estimate is not None
        ]

    def keep_best(self, count: int) -> None:
        """Only so many, best first: by the chance to win where one plays alone, in pairs by the mean payment."""
        alone = table_of(self._table.rules, self._table.contract).soloist is not None
        self.rows.sort(key=lambda row: row[2].probability if alone else row[2].payment.value, reverse=True)
        del self.rows[count:]

    def csv(self) -> str:
        """One row a hand and seat."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["hand", "seat", "deals", "wins", "low", "high", "mean_payment", "mean_payment_error"])
        for hand, seat, each in self.rows:
            low, high = each.interval
            numbers = (f"{low:.4f}", f"{high:.4f}", f"{each.payment.value:.4f}", f"{each.payment.error:.4f}")
            writer.writerow(["".join(map(str, hand)), seat, each.deals, each.wins, *numbers])
        return out.getvalue().rstrip("\n")

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
            Paragraph(message("play-out-table-note", lang, weighed=made["weighed"], seed=seeds)),
        ]
        expected = self._table.expected is not None
        blocks.append(Paragraph(belief(rules, self._table.contract, lang, expected=expected)))
        return blocks


def heading(rules: RuleSet, contract: str, seats: Iterable[int], lang: Lang) -> str:
    """The heading of a table of one contract, with the seat if it is of one only."""
    where = {*seats}
    seat = f"   {message('seat', lang)} {seat_name(rules, min(where), lang)}" if len(where) == 1 else ""
    return f"{played_name(rules, contract, lang)}{seat}   {rules.name.text(lang)}"
