"""Plain minimax on the state machine: slow, obvious, and without any kernel."""

from __future__ import annotations

from collections.abc import Iterable

from kopsim.play import Position


def value(position: Position, side: Iterable[int]) -> int:
    """Points the side has in the end when both sides play perfectly, all hands open."""
    seats = frozenset(side)
    if position.is_over:
        return position.points(seats)
    values = [value(position.play(card), seats) for card in position.legal_cards()]
    return max(values) if position.to_play in seats else min(values)


def card_values(position: Position, side: Iterable[int]) -> dict[str, int]:
    """What the side has in the end for each legal card, by card symbol."""
    return {str(card): value(position.play(card), side) for card in position.legal_cards()}


def plays(position: Position) -> int:
    """Number of legal ways to play a position to its end."""
    if position.is_over:
        return 1
    return sum(plays(position.play(card)) for card in position.legal_cards())
