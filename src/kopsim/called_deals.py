"""Deals in which a seat calls a contract with a hand of its range, played out and solved with open cards.

Everybody expects the range.  The same layouts are played and solved, so that what a
defender's hand tells of both comes from the same deals.
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
from kopsim.deals import Hand, PartialDeal, every_hand
from kopsim.errors import QueryError
from kopsim.hidden_table import payments_of, table_of
from kopsim.odds_table import hand_rank
from kopsim.play_out import drawn_layouts, make_setting
from kopsim.players import KINDS
from kopsim.rules import RuleSet
from kopsim.rules.model import SEATS
from kopsim.seats import seat_mask, speaking_after
from kopsim.values import Value

_TABLE_BITS = 14


@dataclass(frozen=True, eq=False)
class PlayedCall(Value):
    """Some layouts of one caller's hand, in the order in which they were drawn.

    defenders: masks of the other hands, layouts x places, in the order in which they speak
    after the caller; paid: what the caller and then the places are paid in play, undoubled;
    lost_open: whether the caller loses with open cards.
    """

    defenders: NDArray[np.uint64]
    paid: NDArray[np.int64]
    lost_open: NDArray[np.bool_]


def callers_of(ranges: CallingRanges, contract: str, seat: int) -> list[tuple[Card, ...]]:
    """The hands that call, strongest first.

    For a contract that is never announced, such as cicha: all that may be silent, but for
    those that call by the ranges.  Raises QueryError if there is no range of an announced one.
    """
    rules = ranges.rules
    record = rules.contract(contract)
    if record.announced == "silent":
        calling = frozenset[Hand]().union(*(ranges.callers[each, seat] for each in ranges.contracts))
        return [hand for hand in every_hand(rules, record.cards) if frozenset(hand) not in calling]
    if contract not in ranges.contracts:
        raise QueryError("range-lacks", contract=contract, rules=rules, choices=ranges.contracts)
    return strongest_first(ranges.callers[contract, seat], rules, contract)


def drawing_seed(seed: int, hand: Sequence[Card], contract: str, rules: RuleSet) -> int:
    """The seed of the layouts and players of one caller's hand."""
    number = hand_rank(table_of(rules, contract).compiled.mask(hand))
    return int(np.random.SeedSequence([seed, number]).generate_state(1, np.uint64)[0] >> np.uint64(2))


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

    layouts: that pimc players weigh; endings: solved ones of the contract's card order, to
    be faster.  Every hand has a draw of its own, for a defender's hand pools the deals of many callers.
    """
    rules = ranges.rules
    expected = ranges.expected(contract, seat, frozenset(hand))
    own = drawing_seed(seed, hand, contract, rules)
    setting = make_setting(hand, seat, contract, "pimc", None, expected, layouts, own, rules)
    ranks = drawn_layouts(setting)[:deals]
    masks = np.empty((len(ranks), len(SEATS)), dtype=np.uint64)
    PartialDeal.of({seat: setting.hand}, rules=rules).space(setting.table.compiled).unrank_many(ranks, masks)
    declarers, points = np.empty(len(ranks), dtype=np.uint8), np.empty(len(ranks), dtype=np.int16)
    players = setting.table.kernel(layouts, own, endings)
    players.play(masks, ranks, [KINDS["pimc"]] * len(SEATS), declarers, points)
    opened = np.empty(len(ranks), dtype=np.int16)
    Solver(setting.table.compiled.kernel, _TABLE_BITS).values(masks, 0, seat_mask([seat]), opened)
    paid = payments_of(setting.table)[seat_mask([seat])]
    others = [each - 1 for each in speaking_after(rules, seat)]
    return PlayedCall(
        np.ascontiguousarray(masks[:, others]), paid[points][:, [seat - 1, *others]], paid[opened, seat - 1] < 0
    )
