"""Tables of bounds for people and for programs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from kopsim.bidding import barred_call
from kopsim.bound_table import BoundTable, Bracket
from kopsim.cards import Card, format_cards
from kopsim.errors import Lang, message
from kopsim.faces.barred_text import barred_data
from kopsim.faces.bracket_text import at_most, bracket_data
from kopsim.faces.csv_text import Cell, csv_text
from kopsim.faces.document import Block, Grid, Heading, Paragraph
from kopsim.faces.play_out_table_text import barred_rows, heading
from kopsim.faces.play_out_text import belief
from kopsim.faces.words import percent, whole
from kopsim.rules.model import SEATS


class BoundRows:
    """Rows of a table of bounds: one a hand and seat, where a bound was computed.

    hands: default every hand of the table; barred: those that may not play there, which have no row.
    """

    def __init__(
        self, table: BoundTable, hands: Iterable[Sequence[Card]] | None = None, seats: Sequence[int] = SEATS
    ) -> None:
        self._table = table
        asked = [(tuple(hand), seat) for hand in (table.hands if hands is None else hands) for seat in seats]
        barred = {each: barred_call(table.rules, table.contract, *each) for each in asked}
        self.barred = [each for each in barred.values() if each is not None]
        self._one_hand = hands is not None
        found = ((*each, table.bracket(*each)) for each in asked if barred[each] is None)
        self.rows: list[tuple[tuple[Card, ...], int, Bracket]] = [
            (hand, seat, bracket) for hand, seat, bracket in found if bracket is not None
        ]

    def keep_best(self, count: int) -> None:
        """Only so many, those that win most often first."""
        self.rows.sort(key=lambda row: row[2].probability, reverse=True)
        del self.rows[count:]

    def csv(self, style: str) -> str:
        """One row a hand and seat."""
        rows: list[list[Cell]] = [
            ["".join(map(str, hand)), seat, each.least, each.most, each.layouts] for hand, seat, each in self.rows
        ]
        return csv_text(["hand", "seat", "wins", "at_most", "layouts"], rows, style)

    def data(self) -> dict[str, Any]:
        """The same as JSON data, and against whom."""
        made, reply = self._table.header.made, self._table.bound == "reply-bound"
        told = {key: made.get(key) for key in ("defenders", "weighed", "seed", "range")} if reply else {}
        contract, bound = self._table.contract, self._table.bound
        hands = [
            {"hand": [str(card) for card in hand]} | bracket_data(seat, contract, bound, each)
            for hand, seat, each in self.rows
        ]
        barred = barred_data(self.barred if self._one_hand else ())
        return {"rules": self._table.rules.id, "contract": contract, "model": bound, **told, "hands": hands, **barred}

    def blocks(self, lang: Lang) -> list[Block]:
        """The same for people."""
        rules, made, reply = self._table.rules, self._table.header.made, self._table.bound == "reply-bound"
        cells = []
        for hand, seat, each in self.rows:
            cells.append([format_cards(hand, lang=lang), str(seat), percent(each.probability, lang)])
            if not reply:
                cells[-1].append(at_most(each, lang))
            cells[-1].append(whole(each.least))
        keys = ("hand", "seat", "best-reply", "wins") if reply else ("hand", "seat", "kept", "at-most", "wins")
        expected = made.get("range") is not None
        layouts = whole(max((each.layouts for _, _, each in self.rows), default=0))
        note = (
            message("reply-note", lang, defenders=made["defenders"], layouts=layouts, seed=made["seed"])
            if reply
            else message("best-defence-note", lang, layouts=layouts)
        )
        return [
            Heading(heading(rules, self._table.contract, [seat for _, seat, _ in self.rows], lang)),
            Grid([message(key, lang) for key in keys], cells, left=1),
            *barred_rows(self.barred, lang, one_hand=self._one_hand),
            Paragraph(note),
            *([Paragraph(belief(rules, self._table.contract, lang, expected=expected))] if reply else []),
        ]
