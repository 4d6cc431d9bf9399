"""The odds of a hand under every model side by side, and what follows from them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from kopsim.best_defence import best_defence
from kopsim.bound_table import Bound, Bracket, packaged_bounds
from kopsim.calling_range import CallingRanges, range_hash
from kopsim.cards import Card
from kopsim.cluster import done_in_chunks
from kopsim.deals import Hand, check_hand
from kopsim.hand_odds import Odds, odds
from kopsim.play_out import Estimate, play_out
from kopsim.play_out_table import packaged_play_outs
from kopsim.rules import RuleSet
from kopsim.throwdowns.prover import playable_alone

Verdict = Literal["clear", "open-cards-only", "defence-decides"]
_DEALS = 2401  # half of a 95 % interval is then at most 2 points


@dataclass(frozen=True)
class HiddenOdds:
    """A contract at a seat: played out, against the best defence, the best reply to the players, and with open cards.

    played, best: from the packaged tables, or found for the question; reply: from the
    packaged table, None where it has none or does not fit the range that was asked for.
    """

    seat: int
    contract: str
    played: Estimate
    best: Bracket
    reply: Bracket | None
    open_cards: Odds

    @property
    def advice(self) -> Literal["bid", "leave", "close"]:
        """Whether play-outs win more than half, where a lone contract pays; close if that is open."""
        low, high = self.played.interval
        return "bid" if low > 0.5 else "leave" if high < 0.5 else "close"

    @property
    def verdict(self) -> Verdict:
        """How far the answer depends on what the defenders see and do.

        clear: the best defence leaves more than half to one plan, or neither open cards
        nor the interval of the play-outs reach half.  open-cards-only: with open cards
        at least half are won, but the play-outs do not confirm it.  defence-decides: the
        play-outs reach half, and a perfect defence could prevent it.
        """
        low, high = self.played.interval
        if 2 * self.best.least > self.best.layouts or (high < 0.5 and self.open_cards.probability < 0.5):
            return "clear"
        if self.open_cards.probability >= 0.5 and low < 0.5:
            return "open-cards-only"
        return "defence-decides"


def hidden_odds(
    rules: RuleSet,
    hand: Sequence[Card],
    seats: Sequence[int],
    contract: str | None = None,
    *,
    ranges: CallingRanges | None = None,
    threads: int | None = None,
    progress: Callable[[int, int], None] = lambda _done, _of: None,
) -> list[HiddenOdds]:
    """Every model for a hand at some seats, for one contract or all it may play alone.

    ranges: what the others believe of a caller, default that any hand may call; threads:
    default the usable cores; progress: called with how many were done and of how many.
    Raises CardError, DealError or QueryError saying what is wrong.
    """
    cards = check_hand(hand, rules)

    def answer(each: tuple[int, str]) -> HiddenOdds:
        seat, key = each
        best = _packaged(rules, cards, seat, key, "best-defence")
        if best is None:
            best = best_defence(cards, seat=seat, contract=key, rules=rules).bracket
        return HiddenOdds(
            seat,
            key,
            played_of(rules, hand, seat, key, ranges=ranges, threads=1),
            best,
            _packaged(rules, cards, seat, key, "reply-bound") if ranges is None else None,
            odds(cards, seat=seat, contract=key, rules=rules),
        )

    asked = [(seat, key) for seat in seats for key in playable_alone(rules, hand, contract)]
    return done_in_chunks(answer, asked, threads, progress)


def _packaged(rules: RuleSet, hand: Hand, seat: int, contract: str, bound: Bound) -> Bracket | None:
    table = packaged_bounds(rules, contract, bound)
    return None if table is None else table.bracket(hand, seat)


def played_of(
    rules: RuleSet,
    hand: Sequence[Card],
    seat: int,
    contract: str,
    *,
    ranges: CallingRanges | None = None,
    threads: int | None = None,
    progress: Callable[[int, int], None] = lambda _done, _of: None,
) -> Estimate:
    """Play-outs of a hand by pimc players: from the packaged table, else played now, with progress told."""
    table = packaged_play_outs(rules, contract, range_hash(ranges, contract))
    known = None if table is None else table.estimate(hand, seat)
    if known is not None:
        return known
    calling = None if ranges is None else ranges.expected(contract, seat, frozenset(hand))
    return play_out(
        hand,
        seat=seat,
        contract=contract,
        deals=_DEALS,
        calling=calling,
        rules=rules,
        threads=threads,
        progress=progress,
    )
