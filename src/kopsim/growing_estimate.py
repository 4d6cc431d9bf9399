"""An estimate by play-outs that grows until it is good enough."""

from __future__ import annotations

from kopsim._tablebase import EndgameTables
from kopsim.hidden_table import payment_bounds
from kopsim.play_out import Estimate, Setting, drawn_layouts, play_ranks

_BATCH = 512


class GrowingEstimate:
    """Play-outs of one setting, batch by batch; the same deals in the same order for the same seed.

    endings: solved ones of the setting's card order, to be faster.
    """

    def __init__(self, setting: Setting, endings: EndgameTables | None) -> None:
        self._setting = setting
        self._players = setting.table.kernel(setting.layouts, setting.seed, endings)
        self._ranks = drawn_layouts(setting)
        bounds = payment_bounds(setting.table, setting.hand, setting.seat)
        self.found = Estimate(deals=0, layouts=len(self._ranks), wins=0, paid=0, paid_squared=0, bounds=bounds)

    def grow(self, deals: int = _BATCH) -> None:
        """Plays so many more deals, as far as there are layouts."""
        ranks = self._ranks[self.found.deals : self.found.deals + deals]
        self.found = self.found.grown(*play_ranks(self._setting, ranks, self._players))
