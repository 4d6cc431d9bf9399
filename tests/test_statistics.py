"""Intervals: what they leave open is possible, and they are Wilson's where a payment has two values."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from kopsim import load_rules, pair_odds
from kopsim.calling_range import played_out
from kopsim.deals import every_hand
from kopsim.kontra_table import packaged_kontra
from kopsim.rules.model import SEATS
from kopsim.statistics import FEW, Mean, bounded_mean, share_interval, variance_of

KOP = load_rules()


@given(st.integers(1, 5000), st.data())
def test_shares_have_wilsons_interval(count: int, data: st.DataObject) -> None:
    wins = data.draw(st.integers(0, count))
    known = binomtest(wins, count).proportion_ci(0.95, "wilson")
    assert share_interval(wins / count, count) == pytest.approx((known.low, known.high), abs=1e-12)


@given(st.lists(st.integers(-30, 30), min_size=1, max_size=60))
def test_no_interval_of_a_mean_leaves_its_bounds(paid: list[int]) -> None:
    mean = bounded_mean(
        sum(paid) / len(paid), variance_of(sum(paid), sum(each**2 for each in paid), len(paid)), len(paid), (-30, 30)
    )
    low, high = mean.interval
    assert -30 <= low <= mean.value + 1e-9
    assert mean.value - 1e-9 <= high <= 30
    assert high - low > 0.01  # whatever was drawn, something is left open


@given(st.integers(1, 4000), st.data())
def test_payments_of_two_values_have_the_interval_of_the_share(count: int, data: st.DataObject) -> None:
    wins = data.draw(st.integers(0, count))
    paid, squares = 15 * (2 * wins - count), 225 * count
    mean = bounded_mean(paid / count, variance_of(paid, squares, count), count, (-15, 15))
    expected = [15 * (2 * limit - 1) for limit in share_interval(wins / count, count)]
    assert mean.interval == pytest.approx(expected, abs=1e-6)


def test_many_deals_have_the_interval_of_the_normal_distribution() -> None:
    mean = bounded_mean(1.0, 4.0, 100_000, (-12, 12))
    assert mean.error == pytest.approx(1.959964 * 2 / math.sqrt(100_000), rel=1e-3)


def test_a_difference_reaches_as_far_as_both_estimates() -> None:
    low, high = Mean(3.0, (2.0, 3.5)).less(Mean(1.0, (0.5, 2.0))).interval
    assert (low, high) == pytest.approx((2 - math.hypot(1, 1), 2 + math.hypot(0.5, 0.5)))
    assert Mean.exact(3.0).less(Mean.exact(1.0)) == Mean.exact(2.0)


def test_no_packaged_figure_has_an_error_that_cannot_be() -> None:
    bounds = {"zolo": 15, "zolo-du": 30, "pass": 12, "wesele": 4}
    for contract, most in bounds.items():
        table = played_out(KOP, contract)
        for hand in table.hands:
            for seat in SEATS:
                low, high = table.estimate(hand, seat).payment.interval
                assert -most <= low <= high <= most, (contract, hand, seat)
    table = packaged_kontra(KOP, "zolo")
    few = 0
    for hand in every_hand(KOP):
        for seat in SEATS:
            for caller in {*SEATS} - {seat}:
                told = table.kontra(hand, seat, caller)
                if told is None:
                    continue
                few += told.few
                assert told.few == (told.deals < FEW)
                low, high = told.mean_gain.interval
                assert -15 <= low <= told.mean_gain.value <= high <= 15
            doubled = table.payment(hand, seat)
            if doubled is not None:
                for mean, times in ((doubled.undoubled, 1), (doubled.doubled, 2), (doubled.answered, 4)):
                    assert -15 * times <= mean.interval[0] <= mean.interval[1] <= 15 * times
    assert few > 1000


def test_sampled_payments_of_pairs_stay_within_the_prices() -> None:
    sampled = pair_odds("A♥ 10♣ Q♣ Q♥", seat=4, contract="game", samples=3, seed=1)
    low, high = sampled.payment.interval
    assert -4 <= low <= sampled.payment.value <= high <= 4
    assert pair_odds("A♥ 10♣ Q♣ Q♥", seat=4, contract="game").payment.error == 0
