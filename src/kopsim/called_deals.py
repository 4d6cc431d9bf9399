"""Deals in which a seat calls a contract with a hand of its range, played out and solved with open cards.

Everybody expects the range.  The same layouts are played and solved, so that what kontra
earns in play and with open cards can be told from the same deals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kopsim._search import Solver
from kopsim._tablebase import EndgameTables
from kopsim.calling_range import CallingRanges, strongest_first
from kopsim.cards import Card
from kopsim.deals import PartialDeal
from kopsim.errors import QueryError
from kopsim.hidden_table import payments_of
from kopsim.play_out import Setting, drawn_layouts, make_setting
from kopsim.players import KINDS
from kopsim.rules import RuleSet
from kopsim.rules.model import SEATS
from kopsim.seats import seat_mask

_TABLE_BITS = 14


@dataclass(frozen=True)
class PlayedCall:
    """Some layouts of one caller's hand.

    defenders: masks of the other hands, layouts x places, in the order in which they speak
    after the caller; paid, paid_open: what the caller is paid, undoubled, in play and with open cards.
    """

    defenders: NDArray[np.uint64]
    paid: NDArray[np.int64]
    paid_open: NDArray[np.int64]


def speaking_after(rules: RuleSet, seat: int) -> tuple[int, ...]:
    """The other seats in the order in which they speak after one."""
    order = rules.seats.speaking
    at = order.index(seat)
    return (*order[at + 1 :], *order[:at])


def callers_of(ranges: CallingRanges, contract: str, seat: int) -> list[tuple[Card, ...]]:
    """The hands that call, strongest first; raises QueryError if there is no range of the contract."""
    if contract not in ranges.contracts:
        raise QueryError("range-lacks", contract=contract, rules=ranges.rules, choices=ranges.contracts)
    return strongest_first(ranges.callers[contract, seat], ranges.rules)


def play_call(
    ranges: CallingRanges,
    contract: str,
    seat: int,
    hand: Sequence[Card],
    *,
    deals: int,
    layouts: int,
    seed: int,
    endings: EndgameTables | None = None,
) -> PlayedCall:
    """Plays and solves so many layouts of a hand, all if there are no more.

    layouts: that pimc players weigh; endings: solved ones of the contract's card order, to be faster.
    """
    rules = ranges.rules
    expected = ranges.expected(contract, seat, frozenset(hand))
    setting = make_setting(hand, seat, contract, "pimc", None, expected, layouts, seed, rules)
    ranks = drawn_layouts(setting)[:deals]
    masks = _masks(setting, ranks)
    declarers, points = np.empty(len(ranks), dtype=np.uint8), np.empty(len(ranks), dtype=np.int16)
    players = setting.table.kernel(layouts, seed, endings)
    players.play(masks, ranks, [KINDS["pimc"]] * len(SEATS), declarers, points)
    opened = np.empty(len(ranks), dtype=np.int16)
    Solver(setting.table.compiled.kernel, _TABLE_BITS).values(masks, 0, seat_mask([seat]), opened)
    paid = payments_of(setting.table)[seat_mask([seat]), :, seat - 1]
    others = [each - 1 for each in speaking_after(rules, seat)]
    return PlayedCall(np.ascontiguousarray(masks[:, others]), paid[points], paid[opened])


def _masks(setting: Setting, ranks: NDArray[np.int64]) -> NDArray[np.uint64]:
    masks = np.empty((len(ranks), len(SEATS)), dtype=np.uint64)
    space = PartialDeal.of({setting.seat: setting.hand}, rules=setting.table.rules).space(setting.table.compiled)
    space.unrank_many(ranks, masks)
    return masks
