"""Who doubles a contract that is played alone, so that nobody gains by doing otherwise on what he sees.

Each defender says kontra or not by his own cards; the first in the order of speaking who
does settles it.  The soloist answers by rej or not, by his hand and by who said kontra.
Each in turn does what earns him most on average over all deals that fit what he sees, given
what the others do, until nothing changes; where that never comes, for there need be no such
balance of plain decisions, it says how many were still changing.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count

import numpy as np
from numpy.typing import NDArray

PLACES = 3  # defenders, in the order in which they speak after the soloist
Flags = NDArray[np.bool_]
Numbers = NDArray[np.int64]
_MOST_ROUNDS = 60


@dataclass(frozen=True)
class CalledDeals:
    """Deals in which a seat has called a contract that is played alone.

    soloist: number of the caller's hand among `callers` of them, one for each deal;
    defenders: numbers of the other hands among `hands`, deals x places; gain: what each
    defender is paid, undoubled; multipliers: of a deal that nobody doubles, after kontra
    and after rej, the last two alike where there is no rej.
    """

    soloist: Numbers
    defenders: Numbers
    gain: NDArray[np.float64]
    callers: int
    hands: int
    multipliers: tuple[int, int, int]


@dataclass(frozen=True)
class Balance:
    """Who doubles.

    kontra: places x hands; rej: callers x places, whether he answers that defender's kontra;
    rounds: so many until nothing changed; unsettled: how many decisions changed in the last.
    """

    kontra: Flags
    rej: Flags
    rounds: int
    unsettled: int

    def multipliers(self, deals: CalledDeals) -> Numbers:
        """Of each deal."""
        return _multipliers(deals, *_doubled(deals, self.kontra), self.rej)

    def doubled(self, deals: CalledDeals) -> Flags:
        """Whether anybody says kontra in a deal."""
        return _doubled(deals, self.kontra)[1]


def balance(deals: CalledDeals) -> Balance:
    """Finds who doubles; starts with kontra where it would pay if nobody answered, and no rej."""
    kontra = np.stack([_sums(deals, place, deals.gain) > 0 for place in range(PLACES)])
    rej = np.zeros((deals.callers, PLACES), dtype=bool)
    for number in count(1):
        before = kontra.copy(), rej
        rej = best_rej(deals, kontra)
        for place in range(PLACES):
            kontra[place] = _best_kontra(deals, kontra, rej, place)
        changed = int((kontra != before[0]).sum() + (rej != before[1]).sum())
        if not changed or number == _MOST_ROUNDS:
            return Balance(kontra, rej, number, changed)
    raise AssertionError("count never ends")


def best_rej(deals: CalledDeals, kontra: Flags) -> Flags:
    """Rej where the soloist, doubled by that defender, is paid on average."""
    first, doubled = _doubled(deals, kontra)
    lost = np.zeros((deals.callers, PLACES))
    np.add.at(lost, (deals.soloist, first), deals.gain * doubled)
    return np.asarray(lost < 0)


def _best_kontra(deals: CalledDeals, kontra: Flags, rej: Flags, place: int) -> Flags:
    """Kontra where it earns a defender more than passing, given what the others do."""
    earned = []
    for says in (True, False):
        tried = kontra.copy()
        tried[place] = says
        paid = _multipliers(deals, *_doubled(deals, tried), rej) * deals.gain
        earned.append(_sums(deals, place, paid))
    return np.asarray(earned[0] > earned[1])


def _doubled(deals: CalledDeals, kontra: Flags) -> tuple[Numbers, Flags]:
    """Which defender says kontra first, and whether any does."""
    said = np.stack([kontra[place, deals.defenders[:, place]] for place in range(PLACES)], axis=1)
    return said.argmax(axis=1), np.asarray(said.any(axis=1))


def _multipliers(deals: CalledDeals, first: Numbers, doubled: Flags, rej: Flags) -> Numbers:
    none, kontra, answered = deals.multipliers
    return np.where(doubled, np.where(rej[deals.soloist, first], answered, kontra), none)


def _sums(deals: CalledDeals, place: int, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of one defender by his hand."""
    sums = np.bincount(deals.defenders[:, place], weights=weights, minlength=deals.hands)
    return sums.astype(np.float64, copy=False)
