"""Which call earns most with a hand at a seat, and how sure that is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from kopsim.call_values import CallValue, call_values
from kopsim.cards import Card, parse_cards
from kopsim.deals import Hand, check_hand, check_seat
from kopsim.errors import QueryError
from kopsim.rules import RuleSet, load_rules

Reason = Literal["guaranteed", "clear", "close", "double-dummy-only"]


@dataclass(frozen=True)
class Advice:
    """The calls of a hand at a seat, the one that earns most in play first.

    values: every call that the hand may make, by mean payment in play.
    """

    rules: RuleSet
    hand: Hand
    seat: int
    values: tuple[CallValue, ...]

    @property
    def recommended(self) -> CallValue:
        """The call that earns most in play."""
        return self.values[0]

    @property
    def instead(self) -> CallValue:
        """What the hand gets without announcing anything: everybody passes, or it is silently alone."""
        return next(each for each in self.values if each.silent)

    @property
    def double_dummy(self) -> CallValue:
        """The call that earns most with open cards."""
        return max(self.values, key=lambda each: each.mean)

    @property
    def agrees(self) -> bool:
        """Whether open cards recommend the same call."""
        return self.double_dummy.mean == self.recommended.mean

    @property
    def margin(self) -> float:
        """By how much the recommended call beats the next best in play; infinite if it is the only one."""
        return self.values[0].mean_play - self.values[1].mean_play if len(self.values) > 1 else math.inf

    @property
    def margin_error(self) -> float:
        """Half the 95 % interval of the margin."""
        return math.hypot(*(each.mean_play_error or 0.0 for each in self.values[:2]))

    @property
    def reason(self) -> Reason:
        """Why the call is recommended.

        guaranteed: it is won without play; double-dummy-only: no play-outs tell of one of the two
        best calls; close: the two best are within the error of each other; clear: they are not.
        """
        if self.recommended.guaranteed:
            return "guaranteed"
        if any(each.mean_play_error is None for each in self.values[:2]):
            return "double-dummy-only"
        return "close" if self.margin <= self.margin_error else "clear"


def advise(hand: str | Sequence[Card], *, seat: int, rules: RuleSet | None = None) -> Advice:
    """Advice before anybody has announced anything, every other player passing.

    Raises CardError, DealError or QueryError saying what is wrong.
    """
    rules = rules or load_rules()
    cards = check_hand(parse_cards(hand) if isinstance(hand, str) else hand, rules)
    values = call_values(rules, cards, check_seat(seat))
    if not values:
        raise QueryError("advise-none", rules=rules)
    # Of calls that earn the same the lower, which is the first.
    return Advice(rules, cards, seat, tuple(sorted(values, key=lambda each: -each.mean_play)))
