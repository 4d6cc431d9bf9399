"""When to say kontra, for people and as data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kopsim.cards import Card, format_cards
from kopsim.deals import sort_hand
from kopsim.errors import Lang, message
from kopsim.faces.document import Block, Grid, Heading, Paragraph
from kopsim.faces.words import number, payment, percent, share_reach, whole
from kopsim.kontra_table import Kontra
from kopsim.rules import RuleSet
from kopsim.statistics import FEW

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
                "few": each.few,
                "kontra": None if each.few else each.says,
                "gain": None if silent else each.mean_gain.value,
                "close": None if silent else each.close,
                "gain_error": None if silent else each.mean_gain.error,
                "gain_interval": None if silent else list(each.mean_gain.interval),
                "rests_on_belief": each.rests_on_belief,
            }
            for contract, caller, each in rows
            for silent in [each.few or each.says is None]
        ],
    }


def table(
    rules: RuleSet, hand: Sequence[Card], seat: int, rows: Sequence[Row], tolerance: float, lang: Lang
) -> list[Block]:
    """A row for each contract and caller: how often he loses, and whether to say kontra.

    tolerance: what the balance of all decisions lets go, in points a deal.
    """
    cells = [
        [
            rules.contract(contract).name.text(lang),
            _word(each, lang),
            "–" if each.few or each.says is None else payment(each.mean_gain, lang),
            *(
                ["–", "–", "–"]
                if each.few
                else [
                    percent(each.probability, lang),
                    share_reach(each.interval, lang),
                    percent(each.probability_open, lang),
                ]
            ),
            whole(each.deals),
        ]
        for contract, _, each in rows
    ]
    keys = ("contract", "say", "gain", "loses", "interval", "open-cards", "deals")
    where = message("kontra-where", lang, seat=seat, caller=rows[0][1])
    return [
        Heading(f"{format_cards(sort_hand(hand, rules), lang=lang)}   {where}   {rules.name.text(lang)}"),
        Grid([message(key, lang) for key in keys], cells, left=2),
        *[Paragraph(message("kontra-belief", lang)) for _ in range(any(believed(each) for _, _, each in rows))],
        Paragraph(message("kontra-note", lang, tolerance=number(tolerance, lang), few=FEW)),
        *[Paragraph(message("kontra-silent", lang)) for _ in range(any(each.says is None for _, _, each in rows))],
    ]


def believed(each: Kontra) -> bool:
    """Whether a kontra that is advised rests on who is believed to call."""
    return not each.few and each.rests_on_belief


def _word(each: Kontra, lang: Lang) -> str:
    """What to say; marked where it cannot be told within the error."""
    if each.few:
        return message("kontra-few", lang)
    if each.says is None:
        return "–"
    word = message("kontra-yes" if each.says else "kontra-no", lang)
    return message("kontra-close", lang, word=word) if each.close else word
