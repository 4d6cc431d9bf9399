"""Kontra and rej in balance: nobody gains by doing otherwise on what he sees, in small games by brute force."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from kopsim.doubling_balance import PLACES, Balance, CalledDeals, balance, multiplied, said


def some_deals(seed: int, callers: int = 3, hands: int = 4, deals: int = 60) -> CalledDeals:
    rng = np.random.default_rng(seed)
    gain = np.where(rng.random(deals) < 0.5, 5, -5)
    return CalledDeals(
        soloist=rng.integers(callers, size=deals),
        defenders=rng.integers(hands, size=(deals, PLACES)),
        paid=np.stack([-3 * gain, gain, gain, gain], axis=1),
        callers=callers,
        hands=hands,
        multipliers=(1, 2, 4),
    )


def plain_payments(deals: CalledDeals, kontra, rej) -> list[int]:
    """What a defender is paid in each deal, told by the words of the rules."""
    paid = []
    for number, soloist in enumerate(deals.soloist):
        multiplier = 1
        for place in range(PLACES):
            if kontra[place][deals.defenders[number, place]]:
                multiplier = 4 if rej[soloist][place] else 2
                break
        paid.append(multiplier * deals.paid[number, 1])
    return paid


@pytest.mark.parametrize("seed", range(12))
def test_nobody_gains_by_doing_otherwise(seed: int) -> None:
    deals = some_deals(seed)
    found = balance(deals)
    every = multiplied(deals, found.kontra, found.rej)
    assert list(every[:, 1]) == plain_payments(deals, found.kontra, found.rej)
    assert not every.sum(axis=1).any()
    assert list(said(deals, found.kontra)) == list(every[:, 1] != deals.paid[:, 1])
    now = np.array(plain_payments(deals, found.kontra, found.rej))
    for place, hand in product(range(PLACES), range(deals.hands)):
        other = found.kontra.copy()
        other[place, hand] = not other[place, hand]
        mine = deals.defenders[:, place] == hand
        gained = np.array(plain_payments(deals, other, found.rej))[mine].sum() - now[mine].sum()
        assert gained <= found.tolerance * mine.sum() + 1e-9
    for caller, place in product(range(deals.callers), range(PLACES)):
        other = found.rej.copy()
        other[caller, place] = not other[caller, place]
        mine = deals.soloist == caller
        # The three defenders are paid alike, and the soloist pays it all.
        gained = 3 * (now[mine].sum() - np.array(plain_payments(deals, found.kontra, other))[mine].sum())
        assert gained <= found.tolerance * mine.sum() + 1e-9


def test_where_there_is_no_balance_small_gains_are_let_go() -> None:
    """A small game need not have a balance of plain decisions; larger ones come closer to one."""
    small = [balance(some_deals(seed)).tolerance for seed in range(40)]
    assert sum(each == 0 for each in small) >= 20
    assert max(small) > 0


def test_a_sure_loss_is_doubled_and_a_sure_win_answered() -> None:
    gain = np.array([5, 5, -5, -5])
    paid = np.stack([-3 * gain, gain, gain, gain], axis=1)
    deals = CalledDeals(
        np.array([0, 0, 1, 1]), np.array([[0, 1, 1], [0, 1, 1], [1, 1, 1], [1, 1, 1]]), paid, 2, 2, (1, 2, 4)
    )
    found = balance(deals)
    assert isinstance(found, Balance)
    assert found.kontra[0].tolist() == [True, False]
    assert multiplied(deals, found.kontra, found.rej)[:2, 1].tolist() == [10, 10]
    # Whoever holds hand 1 at the second place sees as many losses as wins; the soloist would answer the wins.
    assert not found.kontra[1, 1] or found.rej[1, 1]
