"""Who doubles a contract that is played alone, so that nobody gains by doing otherwise on what he sees.

Each defender says kontra or not by his own cards; the first in the order of speaking who
does settles it.  The soloist answers by rej or not, by his hand and by who said kontra.
Each in turn does what earns him most on average over all deals that fit what he sees, given
what the others do, until nothing changes.  Where that never comes, for there need be no such
balance of plain decisions, small gains are let go, and it says how small.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from kopsim.values import Value

PLACES = 3  # defenders, in the order in which they speak after the soloist
Flags = NDArray[np.bool_]
Numbers = NDArray[np.int64]
_ROUNDS = 20
_TOLERANCES = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5)  # points a deal


@dataclass(frozen=True, eq=False)
class CalledDeals(Value):
    """Deals in which a seat has called a contract that is played alone.

    soloist: number of the caller's hand among `callers` of them, one for each deal;
    defenders: numbers of the other hands among `hands`, deals x places; paid: what the
    caller and then the places are paid, undoubled; multipliers: of a deal that nobody
    doubles, after kontra and after rej, the last two alike where there is no rej.
    """

    soloist: Numbers
    defenders: Numbers
    paid: Numbers
    callers: int
    hands: int
    multipliers: tuple[int, int, int]

    def only(self, rows: Flags) -> CalledDeals:
        """Some of the deals."""
        return replace(self, soloist=self.soloist[rows], defenders=self.defenders[rows], paid=self.paid[rows])


@dataclass(frozen=True, eq=False)
class Balance(Value):
    """Who doubles.

    kontra: places x hands; rej: callers x places, whether he answers that defender's kontra;
    rounds: so many until nothing changed; tolerance: nobody gains more than this on average
    by doing otherwise, in points a deal with his hand.
    """

    kontra: Flags
    rej: Flags
    rounds: int
    tolerance: float


def balance(deals: CalledDeals) -> Balance:
    """Finds who doubles; starts with kontra where it would pay if nobody answered, and no rej."""
    kontra = np.stack([_means(deals, place, deals.paid[:, place + 1]) > 0 for place in range(PLACES)])
    rej, rounds = np.zeros((deals.callers, PLACES), dtype=bool), 0
    for tolerance in (*_TOLERANCES, math.inf):
        for _ in range(_ROUNDS):
            rounds += 1
            before = kontra.copy(), rej
            rej = _better(rej, _rej_gain(deals, kontra), tolerance)
            for place in range(PLACES):
                gain = _means(deals, place, gained(deals, kontra, rej, place))
                kontra[place] = _better(kontra[place], gain, tolerance)
            if np.array_equal(kontra, before[0]) and np.array_equal(rej, before[1]):
                return Balance(kontra, rej, rounds, tolerance)
    raise AssertionError("with no limit to the tolerance nothing changes")


def _better(now: Flags, gain: NDArray[np.float64], tolerance: float) -> Flags:
    """Decisions changed where that gains more than the tolerance."""
    return np.asarray(np.where(np.abs(gain) > tolerance, gain > 0, now))


def best_rej(deals: CalledDeals, kontra: Flags) -> Flags:
    """Rej where there is one and the soloist, doubled by that defender, is paid on average."""
    return np.asarray(_rej_gain(deals, kontra) > 0)


def _rej_gain(deals: CalledDeals, kontra: Flags) -> NDArray[np.float64]:
    """What an answer to each defender's kontra gains the callers, on average over all their deals."""
    _, doubled, answered = deals.multipliers
    first, said_there = _first(deals, kontra)
    paid = np.zeros((deals.callers, PLACES))
    np.add.at(paid, (deals.soloist, first), deals.paid[:, 0] * said_there * (answered - doubled))
    return paid / np.maximum(np.bincount(deals.soloist, minlength=deals.callers), 1)[:, None]


def gained(deals: CalledDeals, kontra: Flags, rej: Flags, place: int) -> Numbers:
    """How much more a defender is paid in each deal if he says kontra than if he does not, given what the others do."""
    paid = []
    for says in (True, False):
        tried = kontra.copy()
        tried[place] = says
        paid.append(multiplied(deals, tried, rej)[:, place + 1])
    return np.asarray(paid[0] - paid[1])


def multiplied(deals: CalledDeals, kontra: Flags, rej: Flags) -> Numbers:
    """Payments of each deal, doubled as is said."""
    none, doubled, answered = deals.multipliers
    first, any_said = _first(deals, kontra)
    factor = np.where(any_said, np.where(rej[deals.soloist, first], answered, doubled), none)
    return np.asarray(deals.paid * factor[:, None])


def said(deals: CalledDeals, kontra: Flags) -> Flags:
    """Whether anybody says kontra in a deal."""
    return _first(deals, kontra)[1]


def sums_by_hand(deals: CalledDeals, place: int, weights: NDArray[np.generic]) -> NDArray[np.float64]:
    """Sums over the deals of one defender by his hand; exact for whole numbers."""
    return np.bincount(deals.defenders[:, place], weights=weights, minlength=deals.hands).astype(np.float64)


def _means(deals: CalledDeals, place: int, weights: NDArray[np.generic]) -> NDArray[np.float64]:
    """Averages over the deals of one defender by his hand, 0 where there are none."""
    return sums_by_hand(deals, place, weights) / np.maximum(sums_by_hand(deals, place, np.ones(len(weights))), 1)


def _first(deals: CalledDeals, kontra: Flags) -> tuple[Numbers, Flags]:
    """Which defender says kontra first, and whether any does."""
    words = np.stack([kontra[place, deals.defenders[:, place]] for place in range(PLACES)], axis=1)
    return words.argmax(axis=1), np.asarray(words.any(axis=1))
