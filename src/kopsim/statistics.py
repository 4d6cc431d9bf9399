"""What a sample leaves open: 95 % intervals of shares, of bounded means and of differences, spelt once.

No interval reaches past what is possible.  A share has Wilson's score interval.  The mean of
payments that lie between two bounds is a share of the way from one to the other, of as many
deals as would leave a share that open: payments that take only the two extremes have just
Wilson's interval, payments that spread less a narrower one.  A difference joins two such
intervals as Zou and Donner do (2008, "MOVER"), each side with the side of the other that it meets.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist
from typing import Self

Interval = tuple[float, float]
LIKELY = NormalDist().inv_cdf(0.975)  # standard errors to either side in a 95 % interval
FEW = 30  # deals, fewer than which are too few to say anything


@dataclass(frozen=True)
class Mean:
    """A mean with its 95 % interval; a point where it is exact."""

    value: float
    interval: Interval

    @classmethod
    def exact(cls, value: float) -> Self:
        """A mean that is known, not estimated."""
        return cls(value, (value, value))

    @property
    def error(self) -> float:
        """Half the width of the interval, the one number by which errors are compared; 0 if exact."""
        return half(self.interval)

    def less(self, other: Mean) -> Mean:
        """The difference from another, both estimated independently."""
        return Mean(
            self.value - other.value, difference_interval(self.value, self.interval, other.value, other.interval)
        )


@lru_cache(maxsize=4096)  # tables ask for the same few again and again
def share_interval(share: float, count: float) -> Interval:
    """95 % interval, Wilson's, of a share (0 to 1) that was met in `count` independent trials, above 0."""
    # Written out, for the library that has it takes longer to import than everything else together.
    spread = LIKELY**2 / count
    middle = (share + spread / 2) / (1 + spread)
    half = math.sqrt(spread * share * (1 - share) + spread**2 / 4) / (1 + spread)
    return (0.0 if share == 0 else middle - half), (1.0 if share == 1 else middle + half)


def bounded_mean(mean: float, variance: float, count: int, bounds: Interval) -> Mean:
    """The mean of `count` numbers that lie between bounds, with its 95 % interval.

    mean: the estimate; variance: of the numbers that were averaged (their mean square distance
    from their own mean), 0 where all were alike.  Where they were, what is left open is as much
    as if they could have been the extremes alone.
    """
    low, high = bounds
    if low == high:
        return Mean(mean, bounds)
    share = min(1.0, max(0.0, (mean - low) / (high - low)))
    extreme = share * (1 - share) * (high - low) ** 2  # the variance if all were extremes
    counted = count * extreme / variance if variance > 0 and extreme > 0 else count
    least, most = share_interval(share, counted)
    return Mean(mean, (low + least * (high - low), low + most * (high - low)))


def variance_of(total: float, squares: float, count: int) -> float:
    """The variance of `count` numbers by their sum and the sum of their squares."""
    return max(0.0, squares / count - (total / count) ** 2)


def difference_interval(first: float, of_first: Interval, second: float, of_second: Interval) -> Interval:
    """95 % interval of first minus second, two independent estimates with the interval of each."""
    gap = first - second
    below = math.hypot(first - of_first[0], of_second[1] - second)
    above = math.hypot(of_first[1] - first, second - of_second[0])
    return gap - below, gap + above


def half(interval: Interval) -> float:
    """Half the width of an interval."""
    return (interval[1] - interval[0]) / 2
