"""Every hand at a seat with the call that earns it most: the source of printed charts."""

from __future__ import annotations

from dataclasses import dataclass

from kopsim.advice import Advice, advise
from kopsim.cards import Card
from kopsim.deals import every_hand
from kopsim.errors import QueryError
from kopsim.rules import RuleSet


@dataclass(frozen=True)
class ChartRow:
    """One hand: the advice, and what the chart's own contract earns it, with half the 95 % interval in play."""

    hand: tuple[Card, ...]
    advice: Advice
    earned: float
    error: float | None


def call_chart(rules: RuleSet, contract: str, seat: int) -> list[ChartRow]:
    """Every hand that may make a call, strongest first; raises QueryError for a contract that is not announced."""
    record = rules.contract(contract)
    if record.announced == "silent" or record.sides == "holders":
        raise QueryError("chart-silent", contract=contract)
    rows = []
    for hand in every_hand(rules, record.cards):
        advice = advise(hand, seat=seat, rules=rules)
        own = next(each for each in advice.values if each.call == contract)
        rows.append(ChartRow(hand, advice, advice.earned(own), own.mean_play_error))
    return rows
