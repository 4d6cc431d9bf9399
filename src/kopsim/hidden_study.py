"""All hands under every model side by side, from the packaged tables: what the study in `notebooks/` draws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kopsim.bidding import PASS, barred_call
from kopsim.bound_table import BoundTable, Bracket, packaged_bounds
from kopsim.calling_range import CallingRanges, range_hash
from kopsim.cards import Card
from kopsim.errors import QueryError
from kopsim.hand_wins import every_hands_wins
from kopsim.odds_table import packaged_table
from kopsim.play_out import Estimate
from kopsim.play_out_table import PlayOutTable, packaged_play_outs
from kopsim.rules import RuleSet
from kopsim.rules.model import SEATS
from kopsim.statistics import Mean


@dataclass(frozen=True)
class Compared:
    """One hand at one seat: shares of layouts won under each model.

    open_cards: double dummy, exact; best: by the best plan against the best defence, at
    least and at most; played: play-outs against players who expect the calling range;
    any_hand: against players who believe that any hand may have called; reply: at most
    against those of `any_hand`, their chance drawn once and known.
    Bounds are None where the packaged tables have none, because the hand wins too seldom.
    """

    hand: tuple[Card, ...]
    seat: int
    open_cards: float
    best: Bracket | None
    played: Estimate
    any_hand: Estimate
    reply: Bracket | None

    @property
    def misled(self) -> float:
        """How much more is won in play, where any hand may have called, than with open cards, as a share of layouts."""
        return self.any_hand.probability - self.open_cards


def compare(rules: RuleSet, contract: str, ranges: CallingRanges) -> list[Compared]:
    """Every hand at every seat where it may play, strongest hand first; QueryError where a table is missing."""
    odds = packaged_table(rules, rules.contract(contract).order)
    any_hand = _played(rules, contract, None)
    played = _played(rules, contract, range_hash(ranges, contract))
    best, reply = (packaged_bounds(rules, contract, bound) for bound in ("best-defence", "reply-bound"))
    if odds is None:
        raise QueryError("table-none", rules=rules)
    found = []
    for row in every_hands_wins(odds, rules, contract):
        for seat, wins in zip(SEATS, row.wins, strict=True):
            if wins is None:
                continue
            found.append(
                Compared(
                    row.hand,
                    seat,
                    wins / row.layouts,
                    _bracket(best, row.hand, seat),
                    _told(played, row.hand, seat),
                    _told(any_hand, row.hand, seat),
                    _bracket(reply, row.hand, seat),
                )
            )
    return found


@dataclass(frozen=True)
class SeatWorth:
    """What a seat is worth, averaged over all hands, each as likely as another.

    callers: hands of the range; hands: all that may pass; passing: mean payment where everybody passes;
    calling: mean payment where each hand of the range calls and every other passes.  Their intervals reach
    as far as if the errors of all hands went the same way.
    """

    seat: int
    callers: int
    hands: int
    passing: Mean
    calling: Mean


def seat_worths(rules: RuleSet, contract: str, ranges: CallingRanges) -> list[SeatWorth]:
    """What each seat is worth to a player who calls by the range; raises QueryError where a table is missing."""
    expected, passed = _played(rules, contract, range_hash(ranges, contract)), _played(rules, PASS, None)
    worths = []
    for seat in SEATS:
        callers = ranges.callers[contract, seat]
        hands = [hand for hand in passed.hands if barred_call(rules, PASS, hand, seat) is None]
        passing = [_told(passed, hand, seat) for hand in hands]
        calling = [
            _told(expected, hand, seat) if frozenset(hand) in callers else silent
            for hand, silent in zip(hands, passing, strict=True)
        ]
        worths.append(SeatWorth(seat, len(callers), len(passing), _average(passing), _average(calling)))
    return worths


def _average(told: Sequence[Estimate]) -> Mean:
    """The average payment of hands each as likely as another."""
    means = [each.payment for each in told]
    low, high = (sum(each.interval[end] for each in means) / len(means) for end in (0, 1))
    return Mean(sum(each.value for each in means) / len(means), (low, high))


def _played(rules: RuleSet, contract: str, expected: str | None) -> PlayOutTable:
    table = packaged_play_outs(rules, contract, expected)
    if table is None:
        raise QueryError("table-play-none", rules=rules, contract=contract)
    return table


def _told(table: PlayOutTable, hand: tuple[Card, ...], seat: int) -> Estimate:
    known = table.estimate(hand, seat)
    if known is None:
        raise QueryError("table-hand", cards=hand)
    return known


def _bracket(table: BoundTable | None, hand: tuple[Card, ...], seat: int) -> Bracket | None:
    return None if table is None else table.bracket(hand, seat)
