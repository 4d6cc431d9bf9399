"""Refutations: why a hand does not win for certain, found by search.

If some layout loses double dummy, that layout and the defence in it are the answer.
If none does, the defenders' cards lead to a moment at which the soloist would have to
know more than he can: for each card he may play there is a layout, possible by all he
has seen, in which that card loses.
"""

from __future__ import annotations

import numpy as np

from kopsim._knowledge import Information
from kopsim._search import Solver
from kopsim.cards import Card
from kopsim.deals import Deal
from kopsim.play import Position
from kopsim.rules.model import SEATS
from kopsim.seats import seat_mask
from kopsim.throwdowns.certificates import Choices, Layout, Lost, Plays, Tree
from kopsim.throwdowns.prover import Prover

Played = tuple[tuple[int, int], ...]  # seat index and card bit, in order


def refute(prover: Prover, start: Information) -> Tree:
    """The refutation of a hand that does not win for certain; `kopsim.throwdowns.certificates` says its form.

    start: the beginning of the deal, as `Prover.start` gives it.  Among layouts that lose
    double dummy it takes the one in which the soloist gets least.
    """
    return _Refuter(prover, start.soloist).refute(start)


class _Refuter:
    def __init__(self, prover: Prover, soloist: int) -> None:
        self._prover, self._soloist = prover, soloist
        self._compiled, self._rules = prover.compiled, prover.rules
        self._solver = Solver(prover.counted.kernel)
        self._needed = prover.needed

    def refute(self, start: Information) -> Tree:
        space = start.layouts()
        layouts = np.empty((len(space), 4), dtype=np.uint64)
        space.unrank_many(np.arange(len(space)), layouts)
        points = np.empty(len(space), dtype=np.int16)
        self._solver.values(layouts, 0, 1 << self._soloist, points)
        worst = int(points.argmin())
        if points[worst] < self._needed:
            return self._laid_open(list(map(int, layouts[worst])), ())
        return self._by_knowledge(start, ())

    def _by_knowledge(self, info: Information, played: Played) -> Tree:
        """From a moment at which he does not win for certain, though he wins every layout still possible."""
        seat = info.to_play
        if seat == self._soloist:
            branches = {}
            for card in info.plays():
                branches[self._name(card)] = self._losing_layout(info, card, played) or self._by_knowledge(
                    info.play(card), (*played, (seat, card))
                )
            return Choices(branches)
        card = next(card for card in info.plays() if not self._prover.wins(info.play(card)))
        return Plays(seat + 1, self._name(card), self._by_knowledge(info.play(card), (*played, (seat, card))))

    def _losing_layout(self, info: Information, card: int, played: Played) -> Tree | None:
        """A layout still possible in which his card loses with open cards; None if it loses in none."""
        space = info.layouts()
        for rank in range(len(space)):
            whole = list(space.unrank(rank))
            for seat, gone in played:
                whole[seat] |= 1 << gone
            position = self._position(whole, (*played, (self._soloist, card)))
            if self._value(position) < self._needed:
                return self._laid_open(whole, (*played, (self._soloist, card)))
        return None

    def _laid_open(self, whole: list[int], played: Played) -> Tree:
        hands = tuple(tuple(map(str, self._compiled.cards_of(mask))) for mask in whole)
        return Layout(hands, self._defence(self._position(whole, played)))

    def _position(self, whole: list[int], played: Played) -> Position:
        deal = Deal(tuple(frozenset(self._compiled.cards_of(mask)) for mask in whole), self._rules)
        position = Position.start(deal, contract=self._prover.contract)
        for _, card in played:
            position = position.play(self._compiled.cards[card])
        return position

    def _defence(self, position: Position) -> Tree:
        """How the others keep him from his goal with open cards, whatever he plays."""
        if self._out_of_reach(position):
            return Lost()
        values = self._values(position)
        if position.to_play == self._soloist + 1:
            return Choices({str(card): self._defence(position.play(card)) for card in values})
        card = min(values, key=lambda card: values[card])
        return Plays(position.to_play, str(card), self._defence(position.play(card)))

    def _out_of_reach(self, position: Position) -> bool:
        others = [seat for seat in SEATS if seat != self._soloist + 1]
        if self._prover.goal.every_trick:
            return any(position.tricks[seat - 1] for seat in others)
        return position.points(others) > self._compiled.highest - self._needed

    def _value(self, position: Position) -> int:
        """What he gets in the end with open cards, points or tricks."""
        if position.is_over:
            return self._taken(position)
        values = self._values(position).values()
        return max(values) if position.to_play == self._soloist + 1 else min(values)

    def _values(self, position: Position) -> dict[Card, int]:
        """The same for each legal card."""
        values = self._solver.card_values(
            [self._compiled.mask(hand) for hand in position.hands],
            position.leader - 1,
            [self._compiled.bits[card] for card in position.trick],
            seat_mask([self._soloist + 1]),
        )
        return {self._compiled.cards[bit]: self._taken(position) + value for bit, value in values}

    def _taken(self, position: Position) -> int:
        return (position.tricks if self._prover.goal.every_trick else position.taken)[self._soloist]

    def _name(self, card: int) -> str:
        return str(self._compiled.cards[card])
