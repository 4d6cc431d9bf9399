"""Wins of every hand in a table: the rows of exports and rankings."""

from __future__ import annotations

from dataclasses import dataclass

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
    """One hand, strongest card first, with the layouts won at seats 1-4 out of `layouts`."""

    hand: tuple[Card, ...]
    wins: tuple[int, ...]
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
            wins = tuple(wins_of(record, Distribution(each, table.lowest, int(each.sum()))) for each in counts)
            rows.append(HandWins(hand, wins, int(counts[0].sum())))
    if not rows:
        raise QueryError("table-no-hand", contract=contract)
    return rows


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
        half = sum(2 * row.wins[seat - 1] >= row.layouts for row in rows)
        chance = sum(row.wins[seat - 1] for row in rows) / sum(row.layouts for row in rows)
        found.append(SeatWins(seat, len(rows), half, chance))
    return found
