"""Which call earns most with a hand at a seat, and how sure that is: the one place that ranks calls."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from kopsim.call_values import CallValue, Certain, call_values
from kopsim.cards import Cards, parse_cards
from kopsim.deals import Hand, PartialDeal, check_hand, check_seat
from kopsim.errors import QueryError
from kopsim.rules import RuleSet, load_rules
from kopsim.rules.model import Honour
from kopsim.shown import Shown
from kopsim.statistics import Mean

Reason = Literal["guaranteed", "unplayed", "only", "clear", "close", "double-dummy-only"]
_MOST = 2_000_000  # layouts, more than which take too long to solve


@dataclass(frozen=True)
class Advice(Shown):
    """The calls of a hand at a seat, the best first.

    values: every call that the hand may make, by what it earns (`earned`); of calls that are
    too close to tell the one comes first that the packaged calling range makes, for it is what
    everybody else expects.
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
        """Whether calls are compared by what they earn in play, else with open cards."""
        return all(each.in_play is not None for each in self.values)

    def earned(self, value: CallValue) -> Mean:
        """What a call earns, by the measure by which calls are compared.

        In play, and where that is known when defenders double and the caller answers; with
        open cards where play-outs do not tell of every call.
        """
        in_play = value.with_kontra
        return Mean.exact(float(value.mean)) if not self.played or in_play is None else in_play

    @property
    def instead(self) -> CallValue | None:
        """What the hand gets without announcing anything: everybody passes, or it is silently alone.

        None where somebody must announce.
        """
        return next((each for each in self.values if each.silent), None)

    def gain(self, value: CallValue) -> float | None:
        """By how much a call beats announcing nothing; None where somebody must announce."""
        return None if self.instead is None else self.earned(value).value - self.earned(self.instead).value

    @property
    def double_dummy(self) -> CallValue:
        """The call that earns most with open cards."""
        return max(self.values, key=lambda each: each.mean)

    @property
    def agrees(self) -> bool:
        """Whether open cards recommend the same call."""
        return self.double_dummy.mean == self.recommended.mean

    @property
    def undoubled(self) -> CallValue:
        """The call that would earn most if nobody doubled."""
        return max(
            self.values, key=lambda each: self.earned(each).value if each.in_play is None else each.in_play.value
        )

    @property
    def range_call(self) -> CallValue | None:
        """The call that the packaged range makes; None where none is packaged.

        It is the call whose range has the hand, or the best of the calls that have no range.
        """
        by_range = [each for each in self.values if each.in_range is not None]
        if not by_range:
            return None
        others = [each for each in self.values if each.in_range is None]
        return next((each for each in by_range if each.in_range), next(iter(others), None))

    @property
    def margin(self) -> Mean | None:
        """By how much the recommended call beats the next best; None if there is none.

        It is below 0 where the calling range decides.
        """
        if len(self.values) == 1:
            return None
        return self.earned(self.values[0]).less(self.earned(self.values[1]))

    @property
    def reason(self) -> Reason:
        """Why the call is recommended.

        guaranteed: one plan wins every layout; unplayed: it is paid without play; only: the
        hand has no other call; double-dummy-only: play-outs do not tell of every call; close:
        the two best are within the error of each other, or the calling range could not tell;
        clear: they are not.
        """
        if self.recommended.guaranteed:
            goal = self.rules.contract(self.recommended.call).goal
            return "unplayed" if isinstance(goal, Honour) else "guaranteed"
        if len(self.values) == 1:
            return "only"
        if not self.played:
            return "double-dummy-only"
        return "close" if self.too_close(*self.values[:2]) else "clear"

    def too_close(self, first: CallValue, second: CallValue) -> bool:
        """Whether it cannot be told which of two calls earns more, by their errors or those of the calling range."""
        low, high = self.earned(first).less(self.earned(second)).interval
        return low <= 0 <= high or first.contested or second.contested


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
    found = replace(found, values=tuple(sorted(values, key=lambda each: -found.earned(each).value)))
    held = found.range_call
    if held is None or not found.played or not found.too_close(held, found.recommended):
        return found
    return replace(found, values=(held, *(each for each in found.values if each is not held)))
