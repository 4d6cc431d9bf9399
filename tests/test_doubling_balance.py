"""Kontra and rej in balance: nobody gains by doing otherwise on what he sees, in small games by brute force."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from kopsim.doubling_balance import PLACES, Balance, CalledDeals, balance


def some_deals(seed: int, callers: int = 3, hands: int = 4, deals: int = 60) -> CalledDeals:
    rng = np.random.default_rng(seed)
    return CalledDeals(
        soloist=rng.integers(callers, size=deals),
        defenders=rng.integers(hands, size=(deals, PLACES)),
        gain=np.where(rng.random(deals) < 0.5, 5.0, -5.0),
        callers=callers,
        hands=hands,
        multipliers=(1, 2, 4),
    )


def plain_payments(deals: CalledDeals, kontra, rej) -> list[float]:
    """What a defender is paid in each deal, told by the words of the rules."""
    paid = []
    for number, soloist in enumerate(deals.soloist):
        multiplier = 1
        for place in range(PLACES):
            if kontra[place][deals.defenders[number, place]]:
                multiplier = 4 if rej[soloist][place] else 2
                break
        paid.append(multiplier * deals.gain[number])
    return paid


@pytest.mark.parametrize("seed", range(12))
def test_nobody_gains_by_doing_otherwise(seed: int) -> None:
    deals = some_deals(seed)
    found = balance(deals)
    assert list(found.multipliers(deals) * deals.gain) == plain_payments(deals, found.kontra, found.rej)
    if found.unsettled:
        return
    now = np.array(plain_payments(deals, found.kontra, found.rej))
    for place, hand in product(range(PLACES), range(deals.hands)):
        other = found.kontra.copy()
        other[place, hand] = not other[place, hand]
        mine = deals.defenders[:, place] == hand
        assert np.array(plain_payments(deals, other, found.rej))[mine].sum() <= now[mine].sum()
    for caller, place in product(range(deals.callers), range(PLACES)):
        other = found.rej.copy()
        other[caller, place] = not other[caller, place]
        mine = deals.soloist == caller
        assert -np.array(plain_payments(deals, found.kontra, other))[mine].sum() <= -now[mine].sum()


def test_what_does_not_settle_is_said() -> None:
    """A small game need not have a balance of plain decisions."""
    found = [balance(some_deals(seed)) for seed in range(40)]
    assert sum(each.unsettled == 0 for each in found) >= 10
    assert {each.rounds for each in found if each.unsettled} == {60}


def test_a_sure_loss_is_doubled_and_a_sure_win_answered() -> None:
    lost = np.array([5.0, 5.0, -5.0, -5.0])
    deals = CalledDeals(
        np.array([0, 0, 1, 1]), np.array([[0, 1, 1], [0, 1, 1], [1, 1, 1], [1, 1, 1]]), lost, 2, 2, (1, 2, 4)
    )
    found = balance(deals)
    assert isinstance(found, Balance)
    assert found.kontra[0].tolist() == [True, False]
    assert list(found.multipliers(deals)[:2]) == [2, 2]
    # Whoever holds hand 1 at the second place sees as many losses as wins; the soloist would answer the wins.
    assert not found.kontra[1, 1] or found.rej[1, 1]
