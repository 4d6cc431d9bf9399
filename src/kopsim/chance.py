"""Chance of players and draws that depends on a seed and on what is seen, the same on every machine."""

from __future__ import annotations

from collections.abc import Iterable

from kopsim.errors import QueryError
from kopsim.quantities import whole_number

_MASK, _STEP = (1 << 64) - 1, 0x9E3779B97F4A7C15


def check_seed(seed: int) -> int:
    """A seed that the kernels can take; raises QueryError for another."""
    seed = whole_number(seed, "seed")
    if not 0 <= seed < 1 << 62:
        raise QueryError("seed-bad", seed=seed)
    return seed


class Chance:
    """A stream of numbers made of a seed and of whole numbers that say what it is for; as the kernel's `_chance`.

    The numbers are splitmix64 (Steele, Lea, Flood 2014).
    """

    def __init__(self, seed: int, seen: Iterable[int] = ()) -> None:
        self._state = seed & _MASK
        for each in seen:
            self._state = _mixed((self._state ^ each) + _STEP)

    def below(self, limit: int) -> int:
        """A number from 0 to limit - 1, for limits up to 2**32."""
        self._state = self._state + _STEP & _MASK
        return (_mixed(self._state) >> 32) * limit >> 32


def _mixed(x: int) -> int:
    x &= _MASK
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & _MASK
    x = (x ^ x >> 27) * 0x94D049BB133111EB & _MASK
    return x ^ x >> 31
