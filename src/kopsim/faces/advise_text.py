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
from kopsim.faces.play_out_text import belief, played_name
from kopsim.faces.words import number, payment, percent, reach, seat_name
from kopsim.kontra_table import DoubledPayment
from kopsim.statistics import Mean


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
        "range_call": None if advice.range_call is None else advice.range_call.call,
        "double_dummy": advice.double_dummy.call,
        "options": [
            {
                "call": each.call,
                "rank": rank,
                "mean": float(each.mean),
                "earned": advice.earned(each).value,
                "earned_interval": list(advice.earned(each).interval),
                **_mean_data("mean_play", each.in_play),
                **_mean_data("mean_doubled", None if each.doubled is None else each.doubled.doubled),
                **_mean_data("mean_answered", None if each.doubled is None else each.doubled.answered),
                "in_range": each.in_range,
                "rej": None if each.doubled is None else list(each.doubled.rej),
                "kontra": None if each.doubled is None else each.doubled.kontra,
                "win": {"count": each.wins, "of": each.layouts},
                "win_play": each.win_play,
                "guaranteed": each.guaranteed,
                "gain": advice.gain(each),
                "break_even": None if each.silent or instead is None else each.break_even(advice.earned(instead).value),
                "deviation": each.deviation,
                "payments": {str(paid): count for paid, count in each.payments.items()},
            }
            for rank, each in enumerate(advice.values, start=1)
        ],
    }


def _mean_data(name: str, mean: Mean | None) -> dict[str, Any]:
    """A mean payment, half its 95 % interval, and the interval."""
    return {
        name: None if mean is None else mean.value,
        f"{name}_error": None if mean is None else mean.error,
        f"{name}_interval": None if mean is None else list(mean.interval),
    }


def screen(advice: Advice, lang: Lang) -> list[Block]:
    """One seat: the call in words, the table of calls, why, and what the numbers mean."""
    rules, best = advice.rules, advice.recommended
    hand = format_cards(sort_hand(advice.hand, rules), lang=lang)
    where = f"{message('seat', lang)} {seat_name(rules, advice.seat, lang)}"
    key = "advise-silence" if best.silent and best.call in rules.contracts else "advise-call"
    told = message(key, lang, call=_name(advice, best, lang), paid=number(advice.earned(best).value, lang, sign=True))
    doubled = any(each.doubled is not None for each in advice.values)
    rows = [
        [
            _name(advice, each, lang),
            *(["–" if each.doubled is None else payment(each.doubled.answered, lang)] if doubled else []),
            "–" if each.in_play is None else payment(each.in_play, lang),
            "–" if each.win_play is None else percent(each.win_play, lang),
            number(float(each.mean), lang, sign=True),
            percent(each.wins / each.layouts, lang),
        ]
        for each in advice.values
    ]
    keys = ("call", *(["with-kontra"] if doubled else []), "in-play", "column-wins", "open-cards", "column-wins")
    return [
        Heading(f"{hand}   {where}   {rules.name.text(lang)}"),
        Paragraph(told, strong=True),
        Grid([message(key, lang) for key in keys], rows),
        Items(_why(advice, lang)),
        Paragraph(message("advise-note", lang)),
        *([Paragraph(message("advise-doubled-note", lang))] if doubled else []),
        *_expected([advice], lang),
    ]


def seats_table(advices: Sequence[Advice], lang: Lang) -> list[Block]:
    """Every seat in a row: the call and what it earns."""
    first = advices[0]
    rows = [
        [
            seat_name(each.rules, each.seat, lang),
            _name(each, each.recommended, lang),
            number(each.earned(each.recommended).value, lang, sign=True),
            "–" if (gain := each.gain(each.recommended)) is None else number(gain, lang, sign=True),
            message(f"sure-{each.reason}", lang),
        ]
        for each in advices
    ]
    keys = ("seat", "call", "earned" if first.played else "open-cards", "gain", "how-sure")
    notes = ["advise-seats-note" if first.played else "advise-seats-open-note"]
    if any(each.range_call is not None for each in advices):
        same = all(each.range_call in (None, each.recommended) for each in advices)
        notes.append("advise-seats-range" if same else "advise-seats-range-other")
    return [
        Heading(f"{format_cards(sort_hand(first.hand, first.rules), lang=lang)}   {first.rules.name.text(lang)}"),
        Grid([message(key, lang) for key in keys], rows, left=2),
        *[Paragraph(message(key, lang)) for key in notes],
        *_expected(advices, lang),
    ]


def _expected(advices: Sequence[Advice], lang: Lang) -> list[Block]:
    """What the players in the figures believe of a caller."""
    first = advices[0]
    expected = {each.call: _name(first, each, lang) for advice in advices for each in advice.values if each.expected}
    if not expected:
        played = [each.call for advice in advices for each in advice.values if each.played and not each.silent]
        return [Paragraph(belief(first.rules, played[0], lang, expected=False))] if played else []
    return [Paragraph(message("advise-expected", lang, calls=", ".join(expected.values())))]


def _name(advice: Advice, value: CallValue, lang: Lang) -> str:
    """The name of a call."""
    return played_name(advice.rules, value.call, lang)


def _why(advice: Advice, lang: Lang) -> list[str]:
    best, instead = advice.recommended, advice.instead
    lines = [because(advice, lang)]
    if advice.range_call is not None:
        lines.append(message("advise-range", lang, call=_name(advice, advice.range_call, lang)))
    even = None if best.silent or best.guaranteed or instead is None else best.break_even(advice.earned(instead).value)
    if even is not None and instead is not None:
        lines.append(
            message("advise-break-even", lang, chance=percent(even, lang), instead=_name(advice, instead, lang))
        )
    if best.doubled is not None:
        told = {
            "share": percent(best.doubled.kontra, lang, 0),
            "paid": payment(best.doubled.doubled, lang),
            "answered": payment(best.doubled.answered, lang),
        }
        lines.append(message("advise-kontra", lang, **told) + " " + rej(best.doubled, lang))
    fooled = advice.undoubled
    if fooled is not best and fooled.doubled is not None and fooled.in_play is not None:
        told = {
            "call": _name(advice, fooled, lang),
            "paid": number(fooled.in_play.value, lang, sign=True),
            "share": percent(fooled.doubled.kontra, lang, 0),
            "answered": number(fooled.doubled.answered.value, lang, sign=True),
        }
        lines.append(message("advise-undoubled", lang, **told))
    if not advice.agrees:
        opened = advice.double_dummy
        # Either open cards promise more than play keeps, or they grant the defence what it cannot do.
        promising = opened.mean > advice.earned(opened).value
        told = {"call": _name(advice, opened, lang), "paid": number(float(opened.mean), lang, sign=True)}
        lines.append(message("advise-promise" if promising else "advise-defence", lang, **told))
    return lines


def because(advice: Advice, lang: Lang) -> str:
    """Why the call is recommended, in a sentence."""
    if advice.reason not in ("clear", "close") or advice.margin is None:
        return message(f"because-{advice.reason}", lang)
    by_range = advice.margin.value < 0
    return message(
        "because-range" if by_range else f"because-{advice.reason}",
        lang,
        second=_name(advice, advice.values[1], lang),
        margin=number(abs(advice.margin.value), lang),
        reach=reach(advice.margin.interval, lang),
    )


def rej(doubled: DoubledPayment, lang: Lang) -> str:
    """Whose kontra to answer, in a sentence."""
    if not doubled.rej:
        return message("rej-never", lang)
    return message("rej-pays", lang, seats=", ".join(map(str, doubled.rej)))
