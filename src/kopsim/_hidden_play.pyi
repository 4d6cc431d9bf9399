from collections.abc import Sequence
from typing import Final, Self, final

import numpy as np
from numpy.typing import NDArray

from kopsim._rules import KernelRules
from kopsim._tablebase import EndgameTables

RANDOM: Final[int]
GREEDY: Final[int]
PIMC: Final[int]
PIMC_WEAKEST: Final[int]
PIMC_AHEAD: Final[int]
PIMC_EVEN: Final[int]

@final
class HiddenPlay:
    rules: KernelRules
    layouts: int
    def __new__(
        cls,
        rules: KernelRules,
        payments: NDArray[np.int64],
        *,
        announcer: int = -1,
        alone: bool = False,
        old: Sequence[int] = (),
        partners: Sequence[int] = (),
        calling: Sequence[int] = (),
        layouts: int = 20,
        seed: int = 0,
        endings: EndgameTables | None = None,
    ) -> Self: ...
    def choose(self, kind: int, seat: int, held: int, plies: int, history: int, *, number: int = 0) -> int: ...
    def weighed(
        self, seat: int, held: int, plies: int, history: int, *, number: int = 0, kind: int = ...
    ) -> tuple[list[tuple[int, int, int]], int]: ...
    def play(
        self,
        deals: NDArray[np.uint64],
        numbers: NDArray[np.int64],
        kinds: Sequence[int],
        declarers: NDArray[np.uint8],
        points: NDArray[np.int16],
    ) -> int: ...
