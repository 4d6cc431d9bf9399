"""Who plays with whom, layout by layout: hidden partners resolved to sides."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import numpy as np
from numpy.typing import NDArray

from kopsim.cards import Card
from kopsim.deals import PartialDeal
from kopsim.hidden_table import Table
from kopsim.roles import Role, old_cards, partner_cards
from kopsim.rules import RuleSet
from kopsim.rules.compile import CompiledOrder
from kopsim.rules.model import SEATS
from kopsim.seats import seat_mask

_EVERYBODY = 15


def sides_by_role(
    layouts: NDArray[np.uint64], seat: int, compiled: CompiledOrder, rules: RuleSet, order: str
) -> Iterator[tuple[Role, NDArray[np.int64]]]:
    """For each role the side of a seat (from 0) in each layout, a mask of seats, 0 where it does not have the role.

    layouts: n x 4 masks of whole deals in the bits of `compiled`.
    """
    own = 1 << seat
    yield Role.LONE, np.full(len(layouts), own)
    old = old_cards(rules, order)
    if not old:
        return
    first, second = (_holder(layouts, compiled.bits[card]) for card in old)
    pair = (1 << first) | (1 << second)
    split, mine = first != second, pair & own > 0
    yield Role.OLD, np.where(split & mine, pair, 0)
    yield Role.YOUNG, np.where(split & ~mine, _EVERYBODY - pair, 0)
    yield Role.AGAINST, np.where(~split & ~mine, _EVERYBODY - pair, 0)
    partner = np.full(len(layouts), -1)
    for card in partner_cards(rules, order):
        holder = _holder(layouts, compiled.bits[card])
        partner = np.where((partner < 0) & (holder != seat), holder, partner)
    yield Role.WESELE, np.where(~split & mine & (partner >= 0), pair | (1 << np.maximum(partner, 0)), 0)


def declaring_sides(table: Table, layouts: NDArray[np.uint64]) -> NDArray[np.int64]:
    """The declaring side of each layout at a table, a mask of seats.

    layouts: n x 4 masks of whole deals in the bits of the table's card order.
    """
    if table.soloist is not None:
        return np.full(len(layouts), seat_mask([table.soloist]), dtype=np.int64)
    bits = table.compiled.bits
    if table.announcer is None:
        first, second = (_holder(layouts, bits[card]) for card in old_cards(table.rules, table.order))
        return (1 << first) | (1 << second)
    own, partner = table.announcer - 1, np.full(len(layouts), -1)
    for card in table.partner_cards:
        holder = _holder(layouts, bits[card])
        partner = np.where((partner < 0) & (holder != own), holder, partner)
    return (1 << partner) | (1 << own)


def must_announce(hands: NDArray[np.uint64], seat: int, compiled: CompiledOrder, rules: RuleSet) -> NDArray[np.bool_]:
    """Which hands of a seat may not pass the first time it speaks: they could play alone in silence, and are barred.

    hands: masks in the bits of `compiled`.
    """
    found = np.zeros(len(hands), dtype=bool)
    for cards in _barred(seat, rules):
        needed = np.uint64(compiled.mask(cards))
        found |= (hands & needed) == needed
    return found


def barred_layouts(hand: Collection[Card], seat: int, rules: RuleSet, compiled: CompiledOrder) -> NDArray[np.uint64]:
    """The layouts around a hand in which another seat holds what it may not pass with, n x 4 masks."""
    found = [np.empty((0, len(SEATS)), dtype=np.uint64)]
    for other in {*SEATS} - {seat}:
        for cards in _barred(other, rules):
            if cards.isdisjoint(hand):
                space = PartialDeal.of({seat: hand, other: cards}, rules=rules).space(compiled)
                layouts = np.empty((len(space), len(SEATS)), dtype=np.uint64)
                space.unrank_many(np.arange(len(space)), layouts)
                found.append(layouts)
    # Where hands are larger, one may be barred twice over.
    return np.unique(np.concatenate(found), axis=0)


def _barred(seat: int, rules: RuleSet) -> Iterator[frozenset[Card]]:
    """The cards of which a seat may not hold all and pass."""
    alone = rules.silent("soloist")
    if alone is not None:
        record = rules.contract(alone)
        yield from (frozenset({*record.cards, *each.cards}) for each in record.barred if seat in each.seats)


def _holder(layouts: NDArray[np.uint64], bit: int) -> NDArray[np.int64]:
    """The seat (from 0) that holds a card in each layout."""
    seats: NDArray[np.int64] = np.argmax(layouts >> np.uint64(bit) & np.uint64(1), axis=1)
    return seats
