"""Wins of every hand in a table: the rows of exports and rankings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kopsim.barred import barred_hand
from kopsim.cards import Card
from kopsim.errors import QueryError
from kopsim.hand_odds import check_contract, counts_tricks, wins_of
from kopsim.odds_question import Distribution
from kopsim.odds_table import OddsTable
from kopsim.roles import Role
from kopsim.rules import RuleSet
from kopsim.rules.model import SEATS


@dataclass(frozen=True)
class HandWins:
    """One hand, strongest card first, with the layouts won at seats 1-4 out of `layouts`.

    None at a seat where it may not play the contract.
    """

    hand: tuple[Card, ...]
    wins: tuple[int | None, ...]
    layouts: int


def every_hands_wins(table: OddsTable, rules: RuleSet, contract: str) -> list[HandWins]:
    """Every hand of the table that may play a contract alone, strongest hand first.

    Raises QueryError if no hand may, or if points cannot tell who wins.
    """
    record = rules.contract(contract)
    check_contract(contract, record.cards, frozenset(record.cards), rules)
    if counts_tricks(record, rules):
        raise QueryError("table-tricks", contract=contract)
    rows = []
    for hand in table.hands:
        if set(record.cards) <= set(hand):
            counts = [table.counts(hand, Role.LONE, seat) for seat in SEATS]
            wins = tuple(
                None
                if barred_hand(rules, contract, hand, seat)
                else wins_of(record, Distribution(each, table.lowest, int(each.sum())))
                for seat, each in zip(SEATS, counts, strict=True)
            )
            rows.append(HandWins(hand, wins, int(counts[0].sum())))
    if not rows:
        raise QueryError("table-no-hand", contract=contract)
    return rows


def wins_at(rows: Iterable[HandWins], seat: int) -> list[tuple[HandWins, int]]:
    """The rows of hands that may play the contract at a seat, with what they win there."""
    told = ((row, row.wins[seat - 1]) for row in rows)
    return [(row, wins) for row, wins in told if wins is not None]


@dataclass(frozen=True)
class SeatWins:
    """What a contract is worth at a seat over all hands that may play it, each as likely as another, with open cards.

    hands: how many there are; half: how many of them win at least half of all layouts; chance: the mean share won.
    """

    seat: int
    hands: int
    half: int
    chance: float


def seat_wins(table: OddsTable, rules: RuleSet, contract: str) -> list[SeatWins]:
    """Seat by seat how often a contract wins with open cards, exact; raises QueryError as `every_hands_wins` does."""
    rows = every_hands_wins(table, rules, contract)
    found = []
    for seat in SEATS:
        told = wins_at(rows, seat)
        half = sum(2 * wins >= row.layouts for row, wins in told)
        chance = sum(wins for _, wins in told) / sum(row.layouts for row, _ in told) if told else 0.0
        found.append(SeatWins(seat, len(told), half, chance))
    return found
