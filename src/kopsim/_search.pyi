from collections.abc import Sequence
from typing import Self, final

import numpy as np
from numpy.typing import NDArray

from kopsim._layouts import LayoutSpace
from kopsim._rules import KernelRules

@final
class Solver:
    rules: KernelRules
    def __new__(cls, rules: KernelRules, table_bits: int = 15) -> Self: ...
    def card_values(
        self, hands: Sequence[int], leader: int, table: Sequence[int], side: int
    ) -> list[tuple[int, int]]: ...
    def perft(self, hands: Sequence[int], leader: int, table: Sequence[int] = ()) -> int: ...
    def values(self, hands: NDArray[np.uint64], leader: int, side: int, out: NDArray[np.int16]) -> int: ...
    def histogram(
        self,
        space: LayoutSpace,
        ranks: NDArray[np.int64],
        leader: int,
        side: int,
        lowest: int,
        out: NDArray[np.int64],
    ) -> None: ...
