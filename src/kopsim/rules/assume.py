"""Other readings of an obligation: what would hold if a regulation were read otherwise.

A reading is a name with yes or no.  `must_beat = false`: nobody has to beat the best
card, though he has to follow where the rules say so.  `must_trump = false`: who cannot
follow or beat need not play a trump.  Yes leaves the rules as they are written.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from kopsim.errors import QueryError
from kopsim.rules.model import Demand, Ladder, Order, RuleSet

READINGS = ("must_beat", "must_trump")


def parse_readings(texts: Iterable[str]) -> dict[str, bool]:
    """Readings written as NAME=false, by name; NAME=true, which changes nothing, is left out.

    Raises QueryError for what is no reading, naming the choices, and for contradictions.
    """
    readings: dict[str, bool] = {}
    for text in texts:
        name, _, value = (part.strip() for part in text.partition("="))
        if name not in READINGS or value not in ("true", "false"):
            raise QueryError("assume-bad", text=text, choices=[f"{known}=false" for known in READINGS])
        if readings.setdefault(name, value == "true") != (value == "true"):
            raise QueryError("assume-both", name=name)
    return {name: holds for name, holds in readings.items() if not holds}


def assuming(rules: RuleSet, readings: Mapping[str, bool]) -> RuleSet:
    """The rule set with these readings instead of its own; the same object if nothing is read otherwise.

    Raises QueryError for a reading that is none.
    """
    for name in readings:
        if name not in READINGS:
            raise QueryError("assume-bad", text=name, choices=READINGS)
    dropped = {name for name, holds in readings.items() if not holds}
    if not dropped:
        return rules
    orders = {key: _order(order, dropped) for key, order in rules.orders.items()}
    return msgspec.structs.replace(rules, orders=orders)


def _order(order: Order, dropped: set[str]) -> Order:
    ladders = {
        name: None if ladder is None else _ladder(ladder, dropped)
        for name, ladder in msgspec.structs.asdict(order.obligations).items()
    }
    return msgspec.structs.replace(order, obligations=msgspec.structs.replace(order.obligations, **ladders))


def _ladder(ladder: Ladder, dropped: set[str]) -> tuple[Demand, ...]:
    if "must_beat" in dropped:
        followed = ["follow" if demand == "follow-beat" else demand for demand in ladder if demand != "beat"]
        ladder = tuple(dict.fromkeys(followed))
    if "must_trump" in dropped:
        ladder = tuple(demand for demand in ladder if demand != "trump")
    return ladder
