"""The odds of a hand under every model side by side, and what follows from them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from kopsim.best_defence import BestDefenceOdds, best_defences
from kopsim.cards import Card
from kopsim.hand_odds import Odds
from kopsim.play_out import Estimate, play_out
from kopsim.play_out_table import packaged_play_outs
from kopsim.rules import RuleSet

Verdict = Literal["clear", "open-cards-only", "defence-decides"]
_DEALS = 2401  # half of a 95 % interval is then at most 2 points


@dataclass(frozen=True, eq=False)
class HiddenOdds:
    """A contract at a seat: played out, against the best defence, and with open cards.

    played: from the packaged table, or played out for the question.
    """

    played: Estimate
    best: BestDefenceOdds
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
        if 2 * self.best.kept > self.best.layouts or (high < 0.5 and self.open_cards.probability < 0.5):
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
    threads: int | None = None,
    progress: Callable[[int, int], None] = lambda _done, _of: None,
) -> list[HiddenOdds]:
    """Every model for a hand at some seats, for one contract or all it may play alone.

    threads: default the usable cores; progress: called with how many were done and of how many.
    Raises CardError, DealError or QueryError saying what is wrong.
    """
    return [
        HiddenOdds(played_of(rules, hand, best.seat, best.contract, threads=threads), best, open_cards)
        for best, open_cards in best_defences(rules, hand, seats, contract, threads=threads, progress=progress)
    ]


def played_of(
    rules: RuleSet, hand: Sequence[Card], seat: int, contract: str, *, threads: int | None = None
) -> Estimate:
    """Play-outs of a hand by pimc players: from the packaged table, else played now."""
    table = packaged_play_outs(rules, contract)
    known = None if table is None else table.estimate(hand, seat)
    return known or play_out(hand, seat=seat, contract=contract, deals=_DEALS, rules=rules, threads=threads)
