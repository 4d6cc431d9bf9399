"""How far the twenty closest zolo decisions can be exploited, by how the defenders think.

For each the best reply to pimc defenders who weigh more or fewer layouts, break ties
otherwise, have other chance, look ahead, or expect the calling range.  Written as JSON:

    python benchmarks/closest_decisions.py notebooks/closest_decisions.json
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

from kopsim import __version__, load_rules
from kopsim._tablebase import EndgameTables
from kopsim.calling_range import packaged_ranges
from kopsim.cards import Card
from kopsim.cluster import done_in_chunks
from kopsim.errors import QueryError
from kopsim.play_out_table import packaged_play_outs
from kopsim.reply_bound import reply_bound
from kopsim.rules.model import SEATS
from kopsim.tablebase import solved_endings

Decision = tuple[tuple[Card, ...], int, float]  # hand, seat, share of play-outs won
CONTRACT, COUNT = "zolo", 20
VARIANTS: dict[str, dict[str, Any]] = {
    "greedy": {"defenders": "greedy"},
    "5 layouts": {"layouts": 5},
    "20 layouts": {},
    "20 layouts, other chance": {"seed": 1},
    "20 layouts, evenly drawn": {"defenders": "pimc-even"},
    "20 layouts, weakest of equals": {"defenders": "pimc-weakest"},
    "20 layouts, expecting the range": {"expecting": True},
    "100 layouts": {"layouts": 100},
    "100 layouts, evenly drawn": {"layouts": 100, "defenders": "pimc-even"},
    "100 layouts, looking ahead": {"layouts": 100, "defenders": "pimc-ahead"},
    "100 layouts, evenly drawn, expecting the range": {"layouts": 100, "defenders": "pimc-even", "expecting": True},
    "300 layouts, evenly drawn": {"layouts": 300, "defenders": "pimc-even"},
    "300 layouts, evenly drawn, expecting the range": {"layouts": 300, "defenders": "pimc-even", "expecting": True},
}


def closest() -> list[Decision]:
    """The hands and seats whose play-outs win nearest to half; of hands alike but for equal black aces one."""
    rules = load_rules()
    table = packaged_play_outs(rules, CONTRACT)
    if table is None:
        raise QueryError("table-play-none", rules=rules, contract=CONTRACT)
    found: dict[tuple[str, int], Decision] = {}
    for hand in table.hands:
        alike = " ".join(sorted(map(str, hand))).replace("A♠", "A♣")
        for seat in SEATS:
            told = table.estimate(hand, seat)
            if told is not None:
                found.setdefault((alike, seat), (hand, seat, told.probability))
    return sorted(found.values(), key=lambda each: abs(each[2] - 0.5))[:COUNT]


def bounds_of(decisions: list[Decision], endings: EndgameTables, variant: dict[str, Any]) -> list[float]:
    """The share of layouts that the best reply to such defenders wins, for each decision."""
    rules = load_rules()
    asked = dict(variant)
    ranges = packaged_ranges(rules) if asked.pop("expecting", False) else None

    def answer(each: Decision) -> float:
        hand, seat, _ = each
        calling = None if ranges is None else ranges.expected(CONTRACT, seat, frozenset(hand))
        told = reply_bound(hand, seat=seat, contract=CONTRACT, rules=rules, endings=endings, calling=calling, **asked)
        return float(told.probability)

    return done_in_chunks(answer, decisions)


def main(path: Path) -> None:
    rules, began = load_rules(), time.monotonic()
    decisions = closest()
    endings = solved_endings(rules, rules.contract(CONTRACT).order)
    bounds: dict[str, list[float]] = {}
    for name, variant in VARIANTS.items():
        started = time.monotonic()
        bounds[name] = bounds_of(decisions, endings, variant)
        print(f"{name}: {sum(bounds[name]) / COUNT:.4f}, {time.monotonic() - started:.0f} s", flush=True)
    told = {
        "made": {
            "command": "python benchmarks/closest_decisions.py notebooks/closest_decisions.json",
            "kopsim": __version__,
            "date": time.strftime("%Y-%m-%d"),
            "seconds": round(time.monotonic() - began),
        },
        "decisions": [
            {"hand": [str(card) for card in hand], "seat": seat, "played": round(played, 4)}
            for hand, seat, played in decisions
        ],
        "bounds": {name: [round(bound, 4) for bound in found] for name, found in bounds.items()},
    }
    path.write_text(json.dumps(told, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
