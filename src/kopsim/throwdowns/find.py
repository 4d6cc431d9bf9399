"""The right list: every hand that wins for certain, and its shortest description."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from kopsim.cards import Card
from kopsim.rules import RuleSet
from kopsim.rules.model import SEATS
from kopsim.shown import Shown
from kopsim.throwdowns.lists import Line
from kopsim.throwdowns.open_cards import open_only_hands
from kopsim.throwdowns.patterns import shortest_lines
from kopsim.throwdowns.prover import certain_hands
from kopsim.values import Value


@dataclass(frozen=True, eq=False)
class Found(Value, Shown):
    """What wins a contract for certain.

    certain: hands, strongest first, each with the seats at which it does, of those
    asked for; open_only: by seat, hands that win every layout with open cards and yet
    have no plan that does.
    """

    rules: RuleSet
    contract: str
    certain: Mapping[tuple[Card, ...], tuple[int, ...]]
    open_only: Mapping[int, Sequence[tuple[Card, ...]]]

    def lines(self) -> list[Line]:
        """The shortest list that claims just these hands at these seats."""
        return shortest_lines(self.certain, self.rules, self.contract)

    def lines_at(self, seat: int) -> list[Line]:
        """The same for one seat alone."""
        return shortest_lines(dict.fromkeys(self.at(seat), (seat,)), self.rules, self.contract)

    def at(self, seat: int) -> list[tuple[Card, ...]]:
        """The certain hands of one seat."""
        return [hand for hand, seats in self.certain.items() if seat in seats]


def find(
    rules: RuleSet,
    contract: str,
    seats: Sequence[int] = SEATS,
    *,
    certain: Mapping[tuple[Card, ...], tuple[int, ...]] | None = None,
    progress: Callable[[str, int, int], None] = lambda _stage, _done, _of: None,
) -> Found:
    """Every hand that wins a contract for certain at some of these seats; exact.

    certain: what `certain_hands` gives, if it is at hand; progress: called with stage, seats done and of how many.
    Raises QueryError for a contract or rules whose certain wins cannot be searched for.
    """
    everywhere = certain_hands(rules, contract) if certain is None else certain
    kept = {hand: tuple(seat for seat in at if seat in seats) for hand, at in everywhere.items()}
    open_only = {}
    for done, seat in enumerate(seats, start=1):
        open_only[seat] = open_only_hands(rules, contract, seat, everywhere)
        progress("open-cards", done, len(seats))
    return Found(rules, contract, {hand: at for hand, at in kept.items() if at}, open_only)
