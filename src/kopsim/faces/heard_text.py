"""Advice in the middle of an auction, for people and as data."""

from __future__ import annotations

from typing import Any

from kopsim.cards import format_cards
from kopsim.deals import sort_hand
from kopsim.errors import Lang, message
from kopsim.faces.document import Block, Grid, Heading, Paragraph
from kopsim.faces.game_text import call_data, call_text, calls_text
from kopsim.faces.words import number, payment, percent, seat_name, whole
from kopsim.heard_values import HeardAdvice


def data(advice: HeardAdvice) -> dict[str, Any]:
    """Advice after some calls as JSON data, what earns most first."""
    return {
        "rules": advice.auction.rules.id,
        "hand": [str(card) for card in sort_hand(advice.hand, advice.auction.rules)],
        "seat": advice.seat,
        "calls": [call_data(call) for call in advice.auction.calls],
        "layouts": advice.layouts,
        "surprising": [call_data(call) for call in advice.surprising],
        "recommended": advice.recommended.call,
        "options": [
            {
                "call": each.call,
                "mean": each.mean,
                "mean_play": each.played.payment.value,
                "mean_play_error": each.played.payment.error,
                "mean_play_interval": list(each.played.payment.interval),
                "mean_doubled": None if each.doubled is None else each.doubled.value,
                "mean_doubled_error": None if each.doubled is None else each.doubled.error,
                "mean_doubled_interval": None if each.doubled is None else list(each.doubled.interval),
                "win": {"count": each.wins, "of": advice.layouts},
                "win_play": each.played.probability,
                "deals": each.played.deals,
            }
            for each in advice.values
        ],
    }


def screen(advice: HeardAdvice, lang: Lang) -> list[Block]:
    """What was said, what to say now, and what each thing earns."""
    rules, best = advice.auction.rules, advice.recommended
    hand = format_cards(sort_hand(advice.hand, rules), lang=lang)
    where = f"{message('seat', lang)} {seat_name(rules, advice.seat, lang)}"
    said = calls_text(advice.auction, lang) if advice.auction.calls else "–"
    rows = [
        [
            call_text(each.call, rules, lang),
            "–" if each.doubled is None else payment(each.doubled, lang),
            payment(each.played.payment, lang),
            percent(each.played.probability, lang),
            number(each.mean, lang, sign=True),
            percent(each.wins / advice.layouts, lang),
        ]
        for each in advice.values
    ]
    keys = ("call", "with-kontra", "in-play", "column-wins", "open-cards", "column-wins")
    told = {"call": call_text(best.call, rules, lang), "paid": payment(best.earned, lang)}
    return [
        Heading(f"{hand}   {where}   {rules.name.text(lang)}"),
        Paragraph(message("heard-so-far", lang, calls=said, layouts=whole(advice.layouts))),
        *[
            Paragraph(message("heard-surprise", lang, seat=call.seat, call=call_text(call.name, rules, lang)))
            for call in advice.surprising
        ],
        Paragraph(message("heard-call", lang, **told), strong=True),
        Grid([message(key, lang) for key in keys], rows),
        Paragraph(message("heard-fits" if advice.ranged else "heard-fits-any", lang)),
        Paragraph(message("heard-note", lang, deals=whole(best.played.deals))),
    ]
