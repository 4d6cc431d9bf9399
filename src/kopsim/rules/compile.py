"""From rule records to the kernels' relabelling: a card becomes a bit, a hand a mask."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from kopsim._rules import KernelRules
from kopsim.cards import Card
from kopsim.frozen_map import FrozenMap
from kopsim.resources import MOST_KEPT
from kopsim.rules.model import RuleSet

Worth = Literal["points", "tricks"]


@dataclass(frozen=True)
class CompiledOrder:
    """One card order in the kernels' terms; those of the same order, compiled for the same worth, are equal.

    cards: the card of each bit, bit 0 first; bits: the reverse.
    lowest, highest: limits of what a side can take in a deal.
    """

    rules: RuleSet
    order: str
    worth: Worth
    kernel: KernelRules = field(compare=False)
    cards: tuple[Card, ...] = field(compare=False)
    bits: Mapping[Card, int] = field(compare=False)
    lowest: int = field(compare=False)
    highest: int = field(compare=False)

    def __reduce__(self) -> tuple[Any, ...]:
        return compile_order, (self.rules, self.order, self.worth)

    def mask(self, cards: Iterable[Card]) -> int:
        """Bit mask of cards."""
        return sum(1 << self.bits[card] for card in cards)

    def cards_of(self, mask: int) -> list[Card]:
        """The cards of a bit mask, trumps first, strongest first."""
        return [card for bit, card in reversed(list(enumerate(self.cards))) if mask >> bit & 1]

    def recoded(self, masks: NDArray[np.uint64], other: CompiledOrder) -> NDArray[np.uint64]:
        """Masks in the bits of this order written in those of another order of the same pack."""
        if other.cards == self.cards:
            return masks
        written = np.zeros_like(masks)
        for bit, card in enumerate(self.cards):
            written |= (masks >> np.uint64(bit) & np.uint64(1)) << np.uint64(other.bits[card])
        return written


@lru_cache(maxsize=MOST_KEPT)
def compile_order(rules: RuleSet, order_key: str, worth: Worth = "points") -> CompiledOrder:
    """Compiles one order of a rule set.

    worth: "points" as the rules say, or "tricks": every trick is worth one and
    cards nothing, so that a value counts tricks.
    """
    order = rules.orders[order_key]
    size = rules.seats.hand_size
    # The kernels number cards from the weakest, and the trumps come last.
    suits = [tuple(reversed(suit)) for suit in reversed(order.suits)]
    cards = tuple(card for suit in suits for card in suit)
    points = [[order.worth(card) if worth == "points" else 0 for card in suit] for suit in suits]
    bonus = [1] * size if worth == "tricks" else list(order.trick_bonus or (0,) * size)
    ladders = [
        order.obligations.ladder(trump_led=trump_led, partner_wins=partner_wins)
        for partner_wins in (False, True)
        for trump_led in (False, True)
    ]
    kernel = KernelRules(
        points,
        len(suits) - 1 if order.trumps else -1,
        ladders,
        bonus,
        [seat - 1 for seat in rules.seats.partners] or [-1] * 4,
    )
    worths = [*(value for suit in points for value in suit), *bonus]
    return CompiledOrder(
        rules=rules,
        order=order_key,
        worth=worth,
        kernel=kernel,
        cards=cards,
        bits=FrozenMap((card, bit) for bit, card in enumerate(cards)),
        lowest=sum(min(value, 0) for value in worths),
        highest=sum(max(value, 0) for value in worths),
    )
