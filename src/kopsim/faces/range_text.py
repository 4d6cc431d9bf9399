"""Calling ranges for people and as data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kopsim.calling_range import CallingRanges, strongest_first
from kopsim.cards import format_cards
from kopsim.errors import Lang, message
from kopsim.faces.document import Block, Grid, Heading, Items, Paragraph
from kopsim.faces.words import seat_name, signed
from kopsim.rules.model import SEATS


def data(ranges: CallingRanges, contracts: Sequence[str], seats: Sequence[int]) -> dict[str, Any]:
    """The hands of each contract and seat, and the rounds that led there, as JSON data."""
    return {
        "rules": ranges.rules.id,
        "made": dict(ranges.made),
        "ranges": [
            {
                "contract": contract,
                "seat": seat,
                "hands": [
                    [str(card) for card in hand]
                    for hand in strongest_first(ranges.callers[contract, seat], ranges.rules, contract)
                ],
                "close": [
                    [str(card) for card in hand]
                    for hand in strongest_first(ranges.close[contract, seat], ranges.rules, contract)
                ],
            }
            for contract in contracts
            for seat in seats
        ],
        "rounds": [
            {key: getattr(each, key) for key in each.__struct_fields__}
            for each in ranges.rounds
            if each.contract in contracts
        ],
    }


def table(ranges: CallingRanges, contracts: Sequence[str], lang: Lang) -> list[Block]:
    """The rounds, seat by seat."""
    rules = ranges.rules
    rows = []
    for each in ranges.rounds:
        if each.contract in contracts:
            name = rules.contract(each.contract).name.text(lang)
            for seat, hands, joined, left, close in zip(
                SEATS, each.hands, each.joined, each.left, each.close, strict=True
            ):
                rows.append(
                    [
                        name,
                        str(each.number),
                        str(seat),
                        str(hands),
                        signed(joined) if joined else "",
                        signed(-left) if left else "",
                        str(close),
                    ]
                )
    note = "range-doubled-note" if ranges.made.get("doubled") else "range-note"
    keys = ("contract", "round", "seat", "hands", "joined", "left", "too-close")
    return [
        Heading(message("range-title", lang) + f"   {rules.name.text(lang)}"),
        Grid([message(key, lang) for key in keys], rows, left=1),
        Paragraph(message("range-settled" if ranges.made.get("settled") else "range-unsettled", lang)),
        *_residual(ranges, lang),
        Paragraph(message(note, lang, deals=ranges.made.get("deals", "?"))),
    ]


def _residual(ranges: CallingRanges, lang: Lang) -> list[Block]:
    """How many hands would do otherwise with other chance."""
    if "would_join" not in ranges.made:
        return []
    told = {"joined": ranges.made["would_join"], "left": ranges.made["would_leave"]}
    called = sum(len(hands) for hands in ranges.callers.values())
    return [Paragraph(message("range-residual", lang, called=called, **told))]


def hands(ranges: CallingRanges, contract: str, seat: int, lang: Lang) -> list[Block]:
    """The hands of one contract and seat; those too close to tell are marked."""
    rules = ranges.rules
    callers, close = ranges.callers[contract, seat], ranges.close[contract, seat]
    lines = []
    for hand in strongest_first(callers | close, rules, contract):
        marks = [message("too-close", lang)] if frozenset(hand) in close else []
        marks += [] if frozenset(hand) in callers else [message("range-outside", lang)]
        lines.append("   ".join([format_cards(hand, lang=lang), ", ".join(marks)]).rstrip())
    where = f"{rules.contract(contract).name.text(lang)}, {message('seat', lang)} {seat_name(rules, seat, lang)}"
    return [
        Heading(f"{where}   {rules.name.text(lang)}"),
        Paragraph(message("range-count", lang, hands=len(callers), close=len(close))),
        Items(lines),
    ]
