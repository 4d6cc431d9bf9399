"""What every defender's hand tells of every caller, as columns."""

from __future__ import annotations

from typing import Any

from kopsim.call_chart import kontra_chart
from kopsim.deals import every_hand
from kopsim.faces.site.hand_figures import mean_figures
from kopsim.faces.site.packed import Columns, per_mille
from kopsim.kontra_table import Kontra, packaged_kontra
from kopsim.rules import RuleSet
from kopsim.rules.model import SEATS
from kopsim.statistics import FEW


def kontra_figures(rules: RuleSet) -> dict[str, Any] | None:
    """Columns of a figure for each hand, strongest first, at each seat against each caller; None without a table.

    Columns of one contract have its name before a dot; of too few deals only their number is told.
    tolerance: what the balance lets go, at most; few: deals, fewer than which are too few.
    """
    contracts = [key for key in rules.contracts if packaged_kontra(rules, key) is not None]
    columns = Columns(len(every_hand(rules)) * len(SEATS) ** 2)
    tables = [table for contract in contracts if (table := packaged_kontra(rules, contract)) is not None]
    tolerance = max((table.tolerance for table in tables), default=0.0)
    for contract in contracts:
        for seat in SEATS:
            for hand, row in enumerate(kontra_chart(rules, contract, seat)):
                for caller, told in row.callers:
                    if told is None:
                        continue
                    place = (hand * len(SEATS) + seat - 1) * len(SEATS) + caller - 1
                    columns.write(place, {f"{contract}.{name}": figure for name, figure in _figures(told).items()})
    return {"contracts": contracts, "tolerance": tolerance, "few": FEW, **columns.packed()} if contracts else None


def _figures(told: Kontra) -> dict[str, int]:
    low, high = told.interval
    figures = {
        "deals": told.deals,
        "lost": per_mille(told.probability),
        "low": round(100 * low),
        "high": round(100 * high),
        "open": per_mille(told.probability_open),
    }
    if told.few:
        return {"deals": told.deals}
    if told.says is None:
        return figures
    return figures | {
        "says": int(told.says),
        "close": int(told.close),
        "belief": int(told.rests_on_belief),
        **mean_figures("gain", told.mean_gain),
    }
