"""What is known of a hand in one contract at a seat: open cards, played out, best defence and best reply.

One record for every face.  "Played out" means that the others expect the calling range, where one is packaged, and
the best reply is the one to just these players.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from kopsim.barred import barred_hand, playable
from kopsim.best_defence import best_defence
from kopsim.bound_table import Bracket, packaged_bounds
from kopsim.calling_range import CallingRanges, packaged_ranges, played_out, range_hash
from kopsim.cards import Card
from kopsim.cluster import done_in_chunks
from kopsim.deals import Hand, check_hand
from kopsim.hand_odds import Odds, check_contract, odds
from kopsim.hand_wins import every_hands_wins
from kopsim.odds_table import packaged_table
from kopsim.play_out import Estimate, play_out
from kopsim.play_out_table import packaged_play_outs
from kopsim.rules import RuleSet
from kopsim.rules.model import SEATS
from kopsim.throwdowns.prover import certain_hands, playable_alone

Verdict = Literal["clear", "open-cards-only", "defence-decides"]
_DEALS = 2401  # half of a 95 % interval is then at most 2 points
_SHARE = 3  # a hand that wins one layout of so many is worth thinking about


@dataclass(frozen=True)
class Measures:
    """One contract of a hand at a seat; None where no packaged table tells and nothing was worked out.

    open_cards: double dummy, exact; played: play-outs; expected: whether the others expect a
    calling range in them, else any hand may have called; best: by one plan against the best
    defence; reply: by the best reply to the players of `played`, down to one drawing of their chance.
    """

    seat: int
    contract: str
    open_cards: Odds
    played: Estimate | None
    expected: bool
    best: Bracket | None
    reply: Bracket | None

    @property
    def advice(self) -> Literal["bid", "leave", "close"] | None:
        """Whether play-outs win more than half, where a lone contract pays; close if that is open."""
        if self.played is None:
            return None
        low, high = self.played.interval
        return "bid" if low > 0.5 else "leave" if high < 0.5 else "close"

    @property
    def verdict(self) -> Verdict | None:
        """How far the answer depends on what the defenders see and do.

        clear: the best defence leaves more than half to one plan, or neither open cards
        nor the interval of the play-outs reach half.  open-cards-only: with open cards
        at least half are won, but the play-outs do not confirm it.  defence-decides: the
        play-outs reach half, and a perfect defence could prevent it.
        """
        if self.played is None or self.best is None:
            return None
        low, high = self.played.interval
        if 2 * self.best.least > self.best.layouts or (high < 0.5 and self.open_cards.probability < 0.5):
            return "clear"
        if self.open_cards.probability >= 0.5 and low < 0.5:
            return "open-cards-only"
        return "defence-decides"

    @property
    def within_drawing(self) -> bool:
        """Whether play lies below the best defence or above the best reply, which only the drawing of deals can do."""
        if self.played is None:
            return False
        share = self.played.probability
        below = self.best is not None and share < self.best.probability
        return below or (self.reply is not None and share > self.reply.probability)


def packaged_measures(
    rules: RuleSet, hand: Sequence[Card], contract: str, seats: Iterable[int] = SEATS, *, solve: bool = False
) -> list[Measures]:
    """A hand at some seats, from the packaged tables; those left out at which it may not play the contract.

    solve: work the best defence out, in a second or so a seat, where no packaged table has it.
    Raises DealError or QueryError for a hand that may not play the contract alone.
    """
    cards = check_hand(hand, rules)
    check_contract(contract, hand, cards, rules)
    allowed = playable(rules, cards, seats, [contract]).allowed
    table = played_out(rules, contract)
    return [
        Measures(
            seat,
            contract,
            odds(hand, seat=seat, contract=contract, rules=rules),
            None if table is None else table.estimate(cards, seat),
            table is not None and table.expected is not None,
            _best(rules, cards, seat, contract, solve=solve),
            _reply(rules, cards, seat, contract, None if table is None else table.expected),
        )
        for seat, _ in allowed
    ]


def every_measure(
    rules: RuleSet,
    hand: Sequence[Card],
    seats: Sequence[int],
    contract: str | None = None,
    *,
    ranges: CallingRanges | Literal["packaged"] | None = "packaged",
    threads: int | None = None,
    progress: Callable[[int, int], None] = lambda _done, _of: None,
) -> list[Measures]:
    """A hand where it may play, all but the best reply worked out where no packaged table has it.

    contract: one, or all that the hand may play alone; ranges: what the others believe of a
    caller, None for any hand; threads: default the usable cores; progress: called with how
    many were done and of how many.
    Raises CardError, DealError or QueryError saying what is wrong.
    """
    cards = check_hand(hand, rules)
    believed = packaged_ranges(rules) if ranges == "packaged" else ranges

    def answer(each: tuple[int, str]) -> Measures:
        seat, key = each
        expected = range_hash(believed, key)
        return Measures(
            seat,
            key,
            odds(cards, seat=seat, contract=key, rules=rules),
            estimate_of_play(rules, sorted(cards), seat, key, ranges=believed, threads=1),
            expected is not None,
            _best(rules, cards, seat, key, solve=True),
            _reply(rules, cards, seat, key, expected),
        )

    asked = playable_alone(rules, sorted(cards), seats, contract).allowed
    return done_in_chunks(answer, asked, threads, progress)


def estimate_of_play(
    rules: RuleSet,
    hand: Sequence[Card],
    seat: int,
    contract: str,
    *,
    ranges: CallingRanges | None = None,
    threads: int | None = None,
    progress: Callable[[int, int], None] = lambda _done, _of: None,
) -> Estimate:
    """Play-outs of a hand by pimc players: from the packaged table, else played now, with progress told.

    ranges: what the others believe of a caller, None for any hand.
    """
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


def _best(rules: RuleSet, hand: Hand, seat: int, contract: str, *, solve: bool) -> Bracket | None:
    table = packaged_bounds(rules, contract, "best-defence")
    known = None if table is None else table.bracket(hand, seat)
    if known is None and solve:
        return best_defence(hand, seat=seat, contract=contract, rules=rules).bracket
    return known


def _reply(rules: RuleSet, hand: Hand, seat: int, contract: str, expected: str | None) -> Bracket | None:
    table = packaged_bounds(rules, contract, "reply-bound", expected)
    return None if table is None else table.bracket(hand, seat)


@dataclass(frozen=True)
class Biddable:
    """A hand that is worth thinking about: seats at which it wins for certain, and at which the range has it."""

    hand: tuple[Card, ...]
    certain: tuple[int, ...]
    called: tuple[int, ...]


def biddable_hands(
    rules: RuleSet, contract: str, certain: Mapping[tuple[Card, ...], tuple[int, ...]] | None = None
) -> list[Biddable]:
    """Hands, strongest first, that win for certain, are in the calling range, or win a third at some seat.

    A third is counted with open cards and, where play-outs are packaged, in play.  Without a
    packaged table of the rules only the hands that win for certain are known.
    certain: what `certain_hands` gives, if it is at hand.
    """
    certain = certain_hands(rules, contract) if certain is None else certain
    ranges, played = packaged_ranges(rules), played_out(rules, contract)
    wins: dict[tuple[Card, ...], bool] = {}
    if (table := packaged_table(rules, rules.contract(contract).order)) is not None:
        rows = every_hands_wins(table, rules, contract)
        wins = {row.hand: _SHARE * max(won or 0 for won in row.wins) >= row.layouts for row in rows}
    found = []
    for hand in dict.fromkeys((*wins, *certain)):
        called = tuple(seat for seat in SEATS if ranges is not None and ranges.calls(contract, seat, frozenset(hand)))
        able = [seat for seat in SEATS if barred_hand(rules, contract, hand, seat) is None]
        told = [] if played is None else [played.estimate(hand, seat) for seat in able]
        often = any(each is not None and _SHARE * each.wins >= each.deals for each in told)
        if hand in certain or called or wins.get(hand) or often:
            found.append(Biddable(hand, certain.get(hand, ()), called))
    return found
