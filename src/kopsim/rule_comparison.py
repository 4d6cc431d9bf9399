"""What other rules do to a hand: its calls side by side, with what they earn and whether they win for certain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kopsim.call_values import CallValue, call_values
from kopsim.cards import Card, Cards, parse_cards
from kopsim.deals import check_hand, check_seat
from kopsim.rules import RuleSet
from kopsim.rules.model import SEATS


@dataclass(frozen=True)
class ComparedCall:
    """One call of a hand at a seat; values: by rule set, None where it may not be made."""

    seat: int
    call: str
    values: tuple[CallValue | None, ...]

    @property
    def differs(self) -> bool:
        """Whether it may be made, earns, wins or is certain otherwise under some of the rules."""
        told = [None if each is None else (each.payments, each.guaranteed) for each in self.values]
        return any(each != told[0] for each in told)


def compare_hand(hand: Cards, rules: Sequence[RuleSet], seats: Sequence[int] = SEATS) -> list[ComparedCall]:
    """The calls of a hand under several rule sets, seat by seat; double dummy, exact, undoubled.

    Calls are the same if they have the same id.  Raises CardError, DealError or
    QueryError saying what is wrong, also if the hand is none under some of the rules.
    """
    listed = parse_cards(hand)
    cards = frozenset[Card]().union(*(check_hand(listed, each) for each in rules))
    return [compared for seat in map(check_seat, seats) for compared in _at(seat, cards, rules)]


def _at(seat: int, hand: frozenset[Card], rules: Sequence[RuleSet]) -> Iterator[ComparedCall]:
    values = [{each.call: each for each in call_values(rule_set, hand, seat)} for rule_set in rules]
    for call in dict.fromkeys(call for known in values for call in known):
        yield ComparedCall(seat, call, tuple(known.get(call) for known in values))
