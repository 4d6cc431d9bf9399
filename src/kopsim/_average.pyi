from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from kopsim._search import Solver

def add_card_payments(
    solver: Solver,
    layouts: NDArray[np.uint64],
    leader: int,
    table: Sequence[int],
    side: int,
    taken: int,
    payments: NDArray[np.int64],
    paid: NDArray[np.int64],
    points: NDArray[np.int64],
) -> None: ...
