"""What other rules do to throw-downs: hands that win for certain under one rule set and not under another."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from kopsim.cards import Card
from kopsim.rules import RuleSet
from kopsim.throwdowns.prover import certain_hands, check_throwable, throwable_contracts
from kopsim.values import Value

Seats = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class ComparedThrowdowns(Value):
    """One contract under two rule sets.

    first, second: every hand that wins it for certain, strongest first, with its seats;
    None where the rules do not have the contract.
    """

    contract: str
    first: Mapping[tuple[Card, ...], Seats] | None
    second: Mapping[tuple[Card, ...], Seats] | None

    @property
    def differing(self) -> dict[tuple[Card, ...], tuple[Seats, Seats]]:
        """Hands that win for certain at other seats, with those of either; empty where only one has the contract."""
        if self.first is None or self.second is None:
            return {}
        # The same hand may be written in another order of its cards.
        there = {frozenset(hand): seats for hand, seats in self.second.items()}
        found = {hand: (seats, there.pop(frozenset(hand), ())) for hand, seats in self.first.items()}
        lacking = {hand: ((), seats) for hand, seats in self.second.items() if frozenset(hand) in there}
        return {hand: both for hand, both in (found | lacking).items() if both[0] != both[1]}

    @property
    def alike(self) -> int:
        """How many hands win for certain at the same seats."""
        return len(self.first or ()) - sum(1 for first, _ in self.differing.values() if first) if self.second else 0


def compare_throwdowns(
    first: RuleSet,
    second: RuleSet,
    contract: str | None = None,
    *,
    progress: Callable[[str, int, int], None] = lambda _stage, _done, _of: None,
) -> list[ComparedThrowdowns]:
    """Every contract that hands can be laid down for under either rule set, or one; exact.

    progress: called with stage, contracts done and of how many.  Raises QueryError for a
    contract that neither has, and for rules whose certain wins cannot be searched for.
    """
    both = (first, second)
    known = list(dict.fromkeys(key for rules in both for key in throwable_contracts(rules)))
    if contract is not None:
        if contract not in known:
            check_throwable(contract, first if contract in first.contracts else second)
        known = [contract]
    found = []
    for done, key in enumerate(known, start=1):
        sides = [certain_hands(rules, key) if key in throwable_contracts(rules) else None for rules in both]
        found.append(ComparedThrowdowns(key, *sides))
        progress("contracts", done, len(known))
    return found
