"""Sets of hands, each set one whole number: all that a seat may hold, kept and compared by the million.

A hand is a number with a bit for each of its cards; a set of hands is a number with a bit
for each of its hands.  To take a card out of every hand is then one shift.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from kopsim.cards import Card
from kopsim.deals import Hand

HandSet = int


class HandSets:
    """What can be asked of sets of hands of some cards, few enough (12 in Kop) to list every hand."""

    def __init__(self, cards: Sequence[Card]) -> None:
        self._places = {card: place for place, card in enumerate(cards)}
        self._hands = [
            frozenset(card for card, place in self._places.items() if number >> place & 1)
            for number in range(1 << len(cards))
        ]
        everything = (1 << len(self._hands)) - 1
        # Hands that lack the card of a bit come in runs as long as that bit is worth: 1, 2, 4, ...
        self._lacking = {card: everything // ((1 << (1 << place)) + 1) for card, place in self._places.items()}

    def all_of(self, size: int) -> HandSet:
        """Every hand of so many cards."""
        return sum(1 << sum(1 << place for place in hand) for hand in combinations(self._places.values(), size))

    def one(self, hand: Hand) -> HandSet:
        """A set of one hand."""
        return 1 << sum(1 << self._places[card] for card in hand)

    def lacking(self, hands: HandSet, card: Card) -> HandSet:
        """The hands that lack a card; all of them if it is none of the cards."""
        return hands & self._lacking[card] if card in self._places else hands

    def without(self, hands: HandSet, card: Card) -> HandSet:
        """The hands that hold a card, which is taken out of each."""
        return (hands & ~self._lacking[card]) >> (1 << self._places[card])

    def each(self, hands: HandSet) -> Iterator[Hand]:
        """The hands of a set."""
        while hands:
            last = hands & -hands
            hands ^= last
            yield self._hands[last.bit_length() - 1]

    def together(self, seats: tuple[HandSet, ...]) -> tuple[Hand, ...] | None:
        """A hand of each of some sets, no card twice; None if there are none that can lie together."""
        return next(self._disjoint(seats), None)

    def _disjoint(self, seats: tuple[HandSet, ...]) -> Iterator[tuple[Hand, ...]]:
        if not seats:
            yield ()
            return
        for hand in self.each(seats[0]):
            rest = seats[1:]
            for card in hand:
                rest = tuple(self.lacking(hands, card) for hands in rest)
            for others in self._disjoint(rest):
                yield (hand, *others)
