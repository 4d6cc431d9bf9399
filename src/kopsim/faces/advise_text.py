"""Advice for people and as data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kopsim.advice import Advice
from kopsim.call_values import CallValue
from kopsim.cards import format_cards
from kopsim.deals import sort_hand
from kopsim.errors import Lang, message
from kopsim.faces.document import Block, Grid, Heading, Items, Paragraph
from kopsim.faces.play_out_text import played_name
from kopsim.faces.words import number, payment, percent, seat_name


def data(advice: Advice) -> dict[str, Any]:
    """Advice as JSON data: the calls in the order of what they earn in play."""
    hand = [str(card) for card in sort_hand(advice.hand, advice.rules)]
    return {"rules": advice.rules.id, "hand": hand} | _seat_data(advice)


def data_of_seats(advices: Sequence[Advice]) -> dict[str, Any]:
    """Advice for several seats."""
    first = data(advices[0])
    return {"rules": first["rules"], "hand": first["hand"], "results": [_seat_data(each) for each in advices]}


def _seat_data(advice: Advice) -> dict[str, Any]:
    instead = advice.instead
    return {
        "seat": advice.seat,
        "recommended": advice.recommended.call,
        "reason": advice.reason,
        "double_dummy": advice.double_dummy.call,
        "options": [
            {
                "call": each.call,
                "rank": rank,
                "mean": float(each.mean),
                "mean_play": each.mean_play,
                "mean_play_error": each.mean_play_error,
                "mean_doubled": None if each.doubled is None else each.doubled.doubled,
                "mean_doubled_error": None if each.doubled is None else each.doubled.doubled_error,
                "mean_answered": None if each.doubled is None else each.doubled.answered,
                "mean_answered_error": None if each.doubled is None else each.doubled.answered_error,
                "rej": None if each.doubled is None else list(each.doubled.rej),
                "kontra": None if each.doubled is None else each.doubled.kontra,
                "win": {"count": each.wins, "of": each.layouts},
                "win_play": each.win_play,
                "guaranteed": each.guaranteed,
                "gain": advice.gain(each),
                "break_even": None if each.silent or instead is None else each.break_even(advice.earned(instead)),
                "deviation": each.deviation,
                "payments": {str(paid): count for paid, count in each.payments.items()},
            }
            for rank, each in enumerate(advice.values, start=1)
        ],
    }


def screen(advice: Advice, lang: Lang) -> list[Block]:
    """One seat: the call in words, the table of calls, why, and what the numbers mean."""
    rules, best = advice.rules, advice.recommended
    hand = format_cards(sort_hand(advice.hand, rules), lang=lang)
    where = f"{message('seat', lang)} {seat_name(rules, advice.seat, lang)}"
    key = "advise-silence" if best.silent and best.call in rules.contracts else "advise-call"
    told = message(key, lang, call=_name(advice, best, lang), paid=number(advice.earned(best), lang, sign=True))
    rows = [
        [
            _name(advice, each, lang),
            "–"
            if each.mean_play is None or each.mean_play_error is None
            else payment(each.mean_play, each.mean_play_error, lang),
            "–" if each.win_play is None else percent(each.win_play, lang),
            number(float(each.mean), lang, sign=True),
            percent(each.wins / each.layouts, lang),
        ]
        for each in advice.values
    ]
    keys = ("call", "in-play", "column-wins", "open-cards", "column-wins")
    return [
        Heading(f"{hand}   {where}   {rules.name.text(lang)}"),
        Paragraph(told, strong=True),
        Grid([message(key, lang) for key in keys], rows),
        Items(_why(advice, lang)),
        *_notes([advice], lang),
    ]


def seats_table(advices: Sequence[Advice], lang: Lang) -> list[Block]:
    """Every seat in a row: the call and what it earns."""
    first = advices[0]
    rows = [
        [
            seat_name(each.rules, each.seat, lang),
            _name(each, each.recommended, lang),
            number(each.earned(each.recommended), lang, sign=True),
            "–" if (gain := each.gain(each.recommended)) is None else number(gain, lang, sign=True),
            message(f"sure-{each.reason}", lang),
        ]
        for each in advices
    ]
    measure = "in-play" if first.played else "open-cards"
    keys = ("seat", "call", measure, "gain", "how-sure")
    return [
        Heading(f"{format_cards(sort_hand(first.hand, first.rules), lang=lang)}   {first.rules.name.text(lang)}"),
        Grid([message(key, lang) for key in keys], rows, left=2),
        *_notes(advices, lang),
    ]


def _notes(advices: Sequence[Advice], lang: Lang) -> list[Block]:
    """What the numbers mean, and what the players in them believe."""
    first = advices[0]
    expected = {each.call: _name(first, each, lang) for advice in advices for each in advice.values if each.expected}
    notes: list[Block] = [Paragraph(message("advise-note", lang))]
    if expected:
        notes.append(Paragraph(message("advise-expected", lang, calls=", ".join(expected.values()))))
    return notes


def _name(advice: Advice, value: CallValue, lang: Lang) -> str:
    """The name of a call."""
    return played_name(advice.rules, value.call, lang)


def _why(advice: Advice, lang: Lang) -> list[str]:
    best, instead = advice.recommended, advice.instead
    told: dict[str, str] = {}
    if advice.reason in ("clear", "close"):
        told = {
            "second": _name(advice, advice.values[1], lang),
            "margin": number(advice.margin, lang),
            "error": number(advice.margin_error, lang),
        }
    lines = [message(f"because-{advice.reason}", lang, **told)]
    even = None if best.silent or best.guaranteed or instead is None else best.break_even(advice.earned(instead))
    if even is not None and instead is not None:
        lines.append(
            message("advise-break-even", lang, chance=percent(even, lang), instead=_name(advice, instead, lang))
        )
    if best.doubled is not None and not best.guaranteed:
        told = {
            "share": percent(best.doubled.kontra, lang, 0),
            "paid": payment(best.doubled.doubled, best.doubled.doubled_error, lang),
            "answered": payment(best.doubled.answered, best.doubled.answered_error, lang),
            "seats": ", ".join(map(str, best.doubled.rej)) or "–",
        }
        lines.append(message("advise-kontra", lang, **told))
        if instead is not None and best.doubled.answered + best.doubled.answered_error < advice.earned(instead):
            lines.append(message("advise-kontra-less", lang, instead=_name(advice, instead, lang)))
    if not advice.agrees:
        opened = advice.double_dummy
        # Either open cards promise more than play keeps, or they grant the defence what it cannot do.
        promising = opened.mean > advice.earned(opened)
        told = {"call": _name(advice, opened, lang), "paid": number(float(opened.mean), lang, sign=True)}
        lines.append(message("advise-promise" if promising else "advise-defence", lang, **told))
    return lines
