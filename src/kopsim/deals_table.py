"""Every deal of a 16-card pack solved for every coalition: one file, read where it lies.

Its body is DEALS x 7 points, deals by `deal_rank`, columns as in the kernel's
_coalitions with seat 1 leading.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from kopsim._tablebase import DEALS, deal_rank
from kopsim.deals import Deal
from kopsim.double_dummy import solve
from kopsim.errors import QueryError
from kopsim.play import Position
from kopsim.rules import RuleSet
from kopsim.rules.compile import compile_order
from kopsim.seats import check_side, seat_mask
from kopsim.table_file import HEADER, header_of, refuse_damage

COLUMNS = (0b0001, 0b0010, 0b0100, 0b1000, 0b0011, 0b0110, 0b0101)  # the coalitions, seat 1 in bit 0


class DealsTable:
    """An open table of every deal; memory-mapped, so only what is asked for is read.

    Raises TableError if the file is damaged or made for other rules.  check_body:
    compare the whole body with its checksum on opening (about half a second).
    """

    def __init__(self, path: Path, rules: RuleSet, order: str, *, check_body: bool = True) -> None:
        self.header = header_of(path, "deals", rules, order)
        if check_body:
            refuse_damage(path, self.header)
        self._compiled = compile_order(rules, order)
        self._order = rules.orders[order]
        self._total = self._compiled.highest
        self.points = np.memmap(path, dtype=np.uint8, mode="r", offset=HEADER, shape=(DEALS, len(COLUMNS)))

    def side_points(self, position: Deal | Position, side: int | Iterable[int]) -> int:
        """What a side of one to three seats has in the end, all hands open.

        A whole deal at its beginning, whoever leads, is looked up; a later position
        has at most three tricks to go and is solved by search.
        """
        seats = check_side(side)
        if isinstance(position, Deal):
            position = Position(position.rules, self._order, position.hands, 1)
        if position.order != self._order or self._order not in position.rules.orders.values():
            raise QueryError("table-position", rules=position.rules)
        if position.trick or len(position.hands[0]) < position.rules.seats.hand_size:
            return solve(position, side=seats).points
        turn = [(position.leader - 1 + step) % 4 for step in range(4)]
        masks = [self._compiled.mask(position.hands[seat]) for seat in turn]
        row = self.points[deal_rank((masks[0], masks[1], masks[2], masks[3]))]
        coalition = seat_mask(turn.index(seat - 1) + 1 for seat in seats)
        if coalition in COLUMNS:
            return int(row[COLUMNS.index(coalition)])
        return self._total - int(row[COLUMNS.index(15 - coalition)])
