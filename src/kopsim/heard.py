"""What has been called tells of the hands: the layouts that fit an auction so far.

A seat that announced a contract holds a hand of its calling range, one that might have
announced and passed holds none.  A defender who said kontra, or passed when he might have
said it, holds a hand with which it pays, or does not, by the packaged chart.  Of calls that
no packaged table tells, or with which no hand fits, anything may be held that makes them legal.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kopsim.bidding import PASS, Auction, Call
from kopsim.calling_range import packaged_ranges
from kopsim.deals import Hand, PartialDeal
from kopsim.errors import QueryError
from kopsim.hidden_table import CallingRange, Table, table_of
from kopsim.kontra_table import packaged_kontra
from kopsim.layout_sides import declaring_sides, must_announce
from kopsim.odds_table import ranks_by_mask
from kopsim.rules.compile import CompiledOrder
from kopsim.rules.model import SEATS
from kopsim.seats import seats_of, speaking_after
from kopsim.values import Value

Fits = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Heard(Value):
    """Layouts that fit what the others have called.

    ranks: numbers as `PartialDeal.layout` has them; masks: layouts x 4 seats; surprising:
    calls that no hand makes by the tables that fits the calls before it, so that they tell nothing.
    """

    ranks: NDArray[np.int64]
    masks: NDArray[np.uint64]
    surprising: tuple[Call, ...]


def layouts_heard(auction: Auction, seat: int, hand: Hand, compiled: CompiledOrder) -> Heard:
    """The layouts that fit what the others have called.

    auction: so far; seat, hand: whose eyes we look through; compiled: in whose bits the
    masks are.  Raises QueryError if no layout makes the calls legal: the contracts, and the
    doublings of the one that stands.
    """
    space = PartialDeal.of({seat: hand}, rules=auction.rules).space(compiled)
    ranks = np.arange(len(space))
    masks = np.empty((len(space), len(SEATS)), dtype=np.uint64)
    space.unrank_many(ranks, masks)
    fits = np.ones(len(space), dtype=bool)
    for number, call in enumerate(auction.calls):
        if call.seat != seat:
            fits &= _allowed(auction, number, masks[:, call.seat - 1], compiled)
    announced = auction.announcement
    table = Table(auction.rules, None, None)
    if announced is not None:
        table = Table(auction.rules, announced.name, announced.seat)
    sides = declaring_sides(table, compiled.recoded(masks, table.compiled))
    for side in np.unique(sides):
        if not auction.doubled_legally(table.contract_of(int(side)), frozenset(seats_of(int(side)))):
            fits &= sides != side
    if not fits.any():
        raise QueryError("heard-none", rules=auction.rules)
    surprising = []
    for call, held in _told(auction, compiled):
        if call.seat == seat:
            continue
        both = fits & held[masks[:, call.seat - 1]]
        if both.any():
            fits = both
        else:
            surprising.append(call)
    return Heard(ranks[fits], masks[fits], tuple(surprising))


def _allowed(auction: Auction, number: int, hands: NDArray[np.uint64], compiled: CompiledOrder) -> Fits:
    """Which hands of a seat the rules let make a call of an auction, the doublings aside."""
    call, rules = auction.calls[number], auction.rules
    before = Auction(rules, calls=auction.calls[:number])
    if call.name in rules.contracts:
        record = rules.contract(call.name)
        fits = _holding(compiled, frozenset(record.cards))[hands]
        for barred in record.barred:
            if call.seat in barred.seats:
                fits &= ~_holding(compiled, frozenset(barred.cards))[hands]
        return np.asarray(fits)
    if before.announcement is not None or any(each.seat == call.seat for each in before.calls):
        return np.ones(len(hands), dtype=bool)
    return ~must_announce(hands, call.seat, compiled, rules)


def _told(auction: Auction, compiled: CompiledOrder) -> Iterator[tuple[Call, Fits]]:
    """What each call tells by the tables: for every mask whether it can be its seat's hand."""
    sofar = Auction(auction.rules)
    for call in auction.calls:
        for by_table in (_by_announcing, _by_doubling):
            told = by_table(sofar, call, compiled)
            if told is not None:
                yield call, told
        sofar = sofar.call(call.name)


def _by_announcing(sofar: Auction, call: Call, compiled: CompiledOrder) -> Fits | None:
    """What naming a contract tells, or passing at the first turn, when one of those with a range could be named."""
    rules, ranges = sofar.rules, packaged_ranges(sofar.rules)
    if ranges is None:
        return None
    if call.name in ranges.contracts:
        return _among(compiled, ranges.callers[call.name, call.seat])
    if call.name != PASS or any(each.seat == call.seat for each in sofar.calls):
        return None
    stands = -1 if sofar.announcement is None else rules.contract(sofar.announcement.name).rank
    held = np.ones(1 << compiled.kernel.cards, dtype=bool)
    for contract in ranges.contracts:
        if rules.contract(contract).rank > stands:
            held &= ~_among(compiled, ranges.callers[contract, call.seat])
    return held


def _by_doubling(sofar: Auction, call: Call, compiled: CompiledOrder) -> Fits | None:
    """What a defender's kontra, or his passing, tells; his first chance counts."""
    announced, rules = sofar.announcement, sofar.rules
    if announced is None or sofar.doubles or call.seat == announced.seat:
        return None
    table = packaged_kontra(rules, announced.name)
    since = sofar.calls[sofar.calls.index(announced) + 1 :]
    if (
        table is None
        or call.name not in (PASS, *rules.doubling.calls[:1])
        or call.seat in {each.seat for each in since}
    ):
        return None
    place = speaking_after(rules, announced.seat).index(call.seat)
    every, order = np.arange(1 << compiled.kernel.cards, dtype=np.uint64), table_of(rules, announced.name).compiled
    numbers = ranks_by_mask(compiled.kernel.cards, compiled.kernel.hand_size)[compiled.recoded(every, order)]
    says = table.says(announced.seat, place) == (call.name != PASS)
    return np.asarray(says[numbers] & (numbers >= 0))


def _among(compiled: CompiledOrder, hands: CallingRange) -> Fits:
    held = np.zeros(1 << compiled.kernel.cards, dtype=bool)
    held[[compiled.mask(hand) for hand in hands]] = True
    return held


def _holding(compiled: CompiledOrder, cards: Hand) -> Fits:
    needed = compiled.mask(cards)
    return np.asarray((np.arange(1 << compiled.kernel.cards) & needed) == needed)
