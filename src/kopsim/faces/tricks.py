"""Deals and courses of play as people draw them: four hands, then a trick a row."""

from __future__ import annotations

from collections.abc import Sequence

from kopsim.cards import Card, format_cards
from kopsim.errors import Lang, message
from kopsim.faces.words import NO_BREAK, seat_name
from kopsim.play import Position


def hand_text(cards: Sequence[Card], lang: Lang) -> str:
    """A hand that stays on one line."""
    return format_cards(cards, lang=lang).replace(" ", NO_BREAK)


def hand_rows(position: Position, lang: Lang, soloist: int | None = None) -> list[list[str]]:
    """Each seat with its cards; the soloist's is marked."""
    return [
        [
            seat_name(position.rules, seat, lang) + (f" {message('soloist', lang)}" if seat == soloist else ""),
            hand_text(sorted(hand, key=position.order.strength.__getitem__), lang),
        ]
        for seat, hand in enumerate(position.hands, start=1)
    ]


def trick_rows(position: Position, line: Sequence[Card], lang: Lang) -> list[list[str]]:
    """Five columns: the cards of each trick in the order played, those before `line` in brackets, and who takes it."""
    rows = []
    row = [f"({card.text(lang=lang)})" for card in position.trick]
    for card in line:
        row.append(f"{position.to_play}: {card.text(lang=lang)}")
        before, position = position, position.play(card)
        if not position.trick:
            points = sum(position.taken) - sum(before.taken)
            rows.append([*row, message("takes", lang, seat=position.leader, points=points)])
            row = []
    return [*rows, row + [""] * (5 - len(row))] if row else rows
