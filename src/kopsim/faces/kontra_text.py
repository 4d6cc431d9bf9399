"""When to say kontra, for people and as data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kopsim.cards import Card, format_cards
from kopsim.deals import sort_hand
from kopsim.errors import Lang, message
from kopsim.faces.document import Block, Grid, Heading, Paragraph
from kopsim.faces.words import number, payment, percent, whole
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
                "kontra": each.says,
                "gain": None if each.says is None else each.mean_gain,
                "close": None if each.says is None else each.close,
                "gain_error": None if each.says is None else each.mean_gain_error,
            }
            for contract, caller, each in rows
        ],
    }


def table(rules: RuleSet, hand: Sequence[Card], seat: int, rows: Sequence[Row], lang: Lang) -> list[Block]:
    """A row for each contract and caller: how often he loses, and whether to say kontra."""
    cells = []
    for contract, _, each in rows:
        low, high = each.interval
        cells.append(
            [
                rules.contract(contract).name.text(lang),
                _word(each, lang),
                "–" if each.says is None else payment(each.mean_gain, each.mean_gain_error, lang),
                percent(each.probability, lang),
                f"{100 * low:.0f}–{percent(high, lang, 0)}",
                percent(each.probability_open, lang),
                whole(each.deals),
            ]
        )
    keys = ("contract", "say", "gain", "loses", "interval", "open-cards", "deals")
    where = message("kontra-where", lang, seat=seat, caller=rows[0][1])
    return [
        Heading(f"{format_cards(sort_hand(hand, rules), lang=lang)}   {where}   {rules.name.text(lang)}"),
        Grid([message(key, lang) for key in keys], cells, left=2),
        Paragraph(message("kontra-note", lang, tolerance=number(max(each.tolerance for _, _, each in rows), lang))),
        *[Paragraph(message("kontra-silent", lang)) for _ in range(any(each.says is None for _, _, each in rows))],
    ]


def _word(each: Kontra, lang: Lang) -> str:
    """What to say; marked where it cannot be told within the error."""
    if each.says is None:
        return "–"
    word = message("kontra-yes" if each.says else "kontra-no", lang)
    return message("kontra-close", lang, word=word) if each.close else word
