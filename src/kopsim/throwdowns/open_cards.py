"""Hands that win every layout when all hands are open, and yet not for certain."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from kopsim._search import Solver
from kopsim.barred import barred_hand
from kopsim.cards import Card
from kopsim.deals import every_hand
from kopsim.hand_odds import odds
from kopsim.odds_table import packaged_table
from kopsim.rules import RuleSet
from kopsim.throwdowns.prover import Prover

_FEW, _CHUNK = 64, 4096  # layouts


def open_only_hands(
    rules: RuleSet, contract: str, seat: int, certain: Mapping[tuple[Card, ...], tuple[int, ...]]
) -> list[tuple[Card, ...]]:
    """Hands, strongest first, that win every layout double dummy at a seat, and yet have no plan that always wins.

    certain: what `kopsim.throwdowns.prover.certain_hands` gives.
    """
    able = every_hand(rules, rules.contract(contract).cards, contract)
    hands = [
        hand for hand in able if seat not in certain.get(hand, ()) and barred_hand(rules, contract, hand, seat) is None
    ]
    if packaged_table(rules, rules.contract(contract).order) is not None:
        found = ((hand, odds(hand, seat=seat, contract=contract, rules=rules)) for hand in hands)
        return [hand for hand, each in found if each.wins == each.layouts]
    solver = _Layouts(Prover(rules, contract), seat)
    return [hand for hand in hands if solver.all_won(hand)]


class _Layouts:
    """Solves the layouts of hands at a seat until one is lost, which nearly always comes soon."""

    def __init__(self, prover: Prover, seat: int) -> None:
        self._prover, self._seat = prover, seat
        self._solver = Solver(prover.counted.kernel)

    def all_won(self, hand: tuple[Card, ...]) -> bool:
        """Whether the hand wins every layout with open cards."""
        space = self._prover.start(hand, self._seat).layouts()
        for ranks in self._ranks(len(space)):
            layouts, values = np.empty((len(ranks), 4), dtype=np.uint64), np.empty(len(ranks), dtype=np.int16)
            space.unrank_many(ranks, layouts)
            self._solver.values(layouts, 0, 1 << (self._seat - 1), values)
            if values.min() < self._prover.needed:
                return False
        return True

    @staticmethod
    def _ranks(count: int) -> Iterator[NDArray[np.int64]]:
        """A few numbers spread over all, then all of them in chunks."""
        yield np.arange(0, count, max(1, count // _FEW))
        for start in range(0, count, _CHUNK):
            yield np.arange(start, min(start + _CHUNK, count))
