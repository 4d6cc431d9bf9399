from collections.abc import Callable
from typing import Self, final

import numpy as np
from numpy.typing import NDArray

from kopsim._hidden_play import HiddenPlay
from kopsim._rules import KernelRules

@final
class BestDefence:
    rules: KernelRules
    replies: int
    def __new__(cls, rules: KernelRules, goal: int, table_bits: int = 18) -> Self: ...
    def keep(self, layouts: NDArray[np.uint64], soloist: int, kept: NDArray[np.uint8], explore: int = 0) -> int: ...
    def bound(self, layouts: NDArray[np.uint64], soloist: int, lowest: bool = False) -> int: ...
    def reply(
        self,
        layouts: NDArray[np.uint64],
        soloist: int,
        kept: NDArray[np.uint8],
        policy: Callable[[int, int, int, int], int] | HiddenPlay,
        kind: int = 0,
    ) -> int: ...
    def decisions(self) -> tuple[NDArray[np.uint64], NDArray[np.uint8], NDArray[np.uint8]]: ...
