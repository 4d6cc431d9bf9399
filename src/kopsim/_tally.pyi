from collections.abc import Sequence
from typing import Self, final

import numpy as np
from numpy.typing import NDArray

@final
class Tally:
    def __new__(cls, total: int, old: Sequence[int], partners: Sequence[int]) -> Self: ...
    def add(self, hands: NDArray[np.uint64], points: NDArray[np.uint8], out: NDArray[np.int32]) -> None: ...
