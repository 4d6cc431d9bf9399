"""Every hand at a seat with the call that earns it most, or with when it doubles: the source of printed charts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from kopsim.advice import Advice, advise
from kopsim.cards import Card
from kopsim.deals import every_hand, sort_hand
from kopsim.errors import QueryError
from kopsim.kontra_table import Kontra, packaged_kontra
from kopsim.rules import RuleSet
from kopsim.statistics import Mean
from kopsim.throwdowns.prover import certain_hands, throwable_contracts


@dataclass(frozen=True)
class ChartRow:
    """One hand: the advice, and what the chart's own contract earns it, by the advice's measure."""

    hand: tuple[Card, ...]
    advice: Advice
    earned: Mean


@dataclass(frozen=True)
class KontraRow:
    """One hand of a defender, and what it tells of each caller, in the order of speaking; None where nothing."""

    hand: tuple[Card, ...]
    callers: tuple[tuple[int, Kontra | None], ...]


def every_advice(rules: RuleSet, seats: Iterable[int], holding: Iterable[Card] = ()) -> Iterator[Advice]:
    """Advice for every hand that holds certain cards, strongest first, each at these seats in turn."""
    seats, hands = tuple(seats), every_hand(rules, holding)
    certain = {
        contract: {frozenset(hand): at for hand, at in certain_hands(rules, contract).items()}
        for contract in throwable_contracts(rules)
    }
    return (advise(hand, seat=seat, rules=rules, certain=certain) for hand in hands for seat in seats)


def call_chart(
    rules: RuleSet,
    contract: str,
    seat: int,
    *,
    progress: Callable[[int, int], None] = lambda _done, _of: None,
) -> list[ChartRow]:
    """Every hand that may make a call, strongest first; raises QueryError for a contract that is not announced.

    progress: called with hands done and of how many.
    """
    record = rules.contract(contract)
    if record.announced == "silent" or record.sides == "holders":
        raise QueryError("chart-silent", contract=contract)
    rows = []
    hands = len(every_hand(rules, record.cards))
    for done, advice in enumerate(every_advice(rules, (seat,), record.cards), start=1):
        progress(done, hands)
        own = next((each for each in advice.values if each.call == contract), None)
        if own is not None:  # the hand is not barred
            rows.append(ChartRow(sort_hand(advice.hand, rules), advice, advice.earned(own)))
    return rows


def kontra_chart(rules: RuleSet, contract: str, seat: int) -> list[KontraRow]:
    """Every hand of a defender, strongest first; raises QueryError where no packaged table tells."""
    table = packaged_kontra(rules, contract)
    if table is None:
        raise QueryError("kontra-none", rules=rules, contract=contract)
    callers = [caller for caller in rules.seats.speaking if caller != seat]
    return [
        KontraRow(hand, tuple((caller, table.kontra(hand, seat, caller)) for caller in callers))
        for hand in every_hand(rules)
    ]
