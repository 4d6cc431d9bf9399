"""When to say kontra, for people and as data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kopsim.cards import Card, format_cards
from kopsim.deals import sort_hand
from kopsim.errors import Lang, message
from kopsim.faces.document import Block, Grid, Heading, Paragraph
from kopsim.faces.words import percent, seat_name, whole
from kopsim.kontra_table import Kontra
from kopsim.rules import RuleSet

Row = tuple[str, int, Kontra]  # contract, the caller's seat, what the hand tells of him


def data(rules: RuleSet, hand: Sequence[Card], seat: int, rows: Sequence[Row]) -> dict[str, Any]:
    """What a hand tells of callers as JSON data."""
    return {
        "rules": rules.id,
        "hand": [str(card) for card in sort_hand(hand, rules)],
        "seat": seat,
        "results": [
            {
                "contract": contract,
                "soloist": caller,
                "deals": each.deals,
                "lost": each.lost,
                "probability": each.probability,
                "interval": list(each.interval),
                "probability_open": each.probability_open,
                "kontra": each.pays,
            }
            for contract, caller, each in rows
        ],
    }


def table(rules: RuleSet, hand: Sequence[Card], seat: int, rows: Sequence[Row], lang: Lang) -> list[Block]:
    """A row for each contract and caller: how often he loses, and whether to say kontra."""
    cells = []
    for contract, caller, each in rows:
        low, high = each.interval
        cells.append(
            [
                rules.contract(contract).name.text(lang),
                seat_name(rules, caller, lang),
                message("kontra-yes" if each.pays else "kontra-no", lang),
                percent(each.probability, lang),
                f"{100 * low:.0f}–{percent(high, lang, 0)}",
                percent(each.probability_open, lang),
                whole(each.deals),
            ]
        )
    keys = ("contract", "caller", "say", "loses", "interval", "open-cards", "deals")
    where = f"{message('seat', lang)} {seat_name(rules, seat, lang)}"
    return [
        Heading(f"{format_cards(sort_hand(hand, rules), lang=lang)}   {where}   {rules.name.text(lang)}"),
        Grid([message(key, lang) for key in keys], cells, left=3),
        Paragraph(message("kontra-note", lang)),
    ]
