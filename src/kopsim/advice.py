"""Which call earns most with a hand at a seat, and how sure that is."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

from kopsim.call_values import CallValue, Certain, call_values
from kopsim.cards import Cards, parse_cards
from kopsim.deals import Hand, PartialDeal, check_hand, check_seat
from kopsim.errors import QueryError
from kopsim.rules import RuleSet, load_rules
from kopsim.rules.model import Honour
from kopsim.shown import Shown

Reason = Literal["guaranteed", "unplayed", "only", "clear", "close", "double-dummy-only"]
_MOST = 2_000_000  # layouts, more than which take too long to solve


@dataclass(frozen=True)
class Advice(Shown):
    """The calls of a hand at a seat, the best first.

    values: every call that the hand may make, by mean payment in play, or by open cards
    where play-outs do not tell of all of them.
    """

    rules: RuleSet
    hand: Hand
    seat: int
    values: tuple[CallValue, ...]

    @property
    def recommended(self) -> CallValue:
        """The call that earns most."""
        return self.values[0]

    @property
    def played(self) -> bool:
        """Whether calls are compared by what they earn in play."""
        return all(each.mean_play is not None for each in self.values)

    def earned(self, value: CallValue) -> float:
        """What a call earns, by the measure by which calls are compared."""
        return float(value.mean) if not self.played or value.mean_play is None else value.mean_play

    @property
    def instead(self) -> CallValue | None:
        """What the hand gets without announcing anything: everybody passes, or it is silently alone.

        None where somebody must announce.
        """
        return next((each for each in self.values if each.silent), None)

    def gain(self, value: CallValue) -> float | None:
        """By how much a call beats announcing nothing; None where somebody must announce."""
        return None if self.instead is None else self.earned(value) - self.earned(self.instead)

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
        """By how much the recommended call beats the next best; infinite if there is no other."""
        if len(self.values) == 1:
            return math.inf
        return self.earned(self.values[0]) - self.earned(self.values[1])

    @property
    def margin_error(self) -> float:
        """Half the 95 % interval of the margin; 0 with open cards."""
        return math.hypot(*(each.mean_play_error or 0.0 for each in self.values[:2])) if self.played else 0.0

    @property
    def reason(self) -> Reason:
        """Why the call is recommended.

        guaranteed: one plan wins every layout; unplayed: it is paid without play; only: the
        hand has no other call; double-dummy-only: play-outs do not tell of every call; close:
        the two best are within the error of each other; clear: they are not.
        """
        if self.recommended.guaranteed:
            goal = self.rules.contract(self.recommended.call).goal
            return "unplayed" if isinstance(goal, Honour) else "guaranteed"
        if len(self.values) == 1:
            return "only"
        if not self.played:
            return "double-dummy-only"
        return "close" if self.margin <= self.margin_error else "clear"


def advise(hand: Cards, *, seat: int, rules: RuleSet | None = None, certain: Certain | None = None) -> Advice:
    """Advice before anybody has announced anything, every other player passing.

    certain: as for `call_values`, of use where many hands are asked about.
    Raises CardError, DealError or QueryError saying what is wrong.
    """
    rules = rules or load_rules()
    cards = check_hand(parse_cards(hand), rules)
    seat = check_seat(seat)
    layouts = PartialDeal.of({seat: cards}, rules=rules).layouts
    if layouts > _MOST:
        raise QueryError("advise-many", count=layouts, rules=rules)
    values = call_values(rules, cards, seat, certain)
    if not values:
        raise QueryError("advise-none", rules=rules)
    found = Advice(rules, cards, seat, tuple(values))
    # Of calls that earn the same the lower, which is the first.
    return replace(found, values=tuple(sorted(values, key=lambda each: -found.earned(each))))
