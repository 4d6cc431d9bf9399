"""All that is known of a hand in one contract at each seat, for charts and the chart book."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from kopsim.best_defence import best_defence
from kopsim.bidding import PASS
from kopsim.bound_table import Bound, Bracket, packaged_bounds
from kopsim.calling_range import packaged_ranges, range_hash
from kopsim.cards import Card
from kopsim.deals import check_hand
from kopsim.hand_odds import Odds, check_contract, odds
from kopsim.hand_wins import every_hands_wins
from kopsim.odds_table import packaged_table
from kopsim.play_out import Estimate
from kopsim.play_out_table import packaged_play_outs
from kopsim.rules import RuleSet
from kopsim.rules.model import SEATS
from kopsim.throwdowns.prover import certain_hands, playable_alone

_SHARE = 3  # a hand that wins one layout of so many is worth thinking about


@dataclass(frozen=True)
class SeatNumbers:
    """A hand at one seat under each model; None where no packaged table tells.

    open_cards: double dummy, exact; played: play-outs where any hand may have called;
    expected: where the others expect the calling range; best: by one plan against the best
    defence; reply: at most, against the players of `played` whose chance is known.
    """

    seat: int
    open_cards: Odds
    played: Estimate | None
    expected: Estimate | None
    best: Bracket | None
    reply: Bracket | None

    @property
    def in_play(self) -> Estimate | None:
        """What is nearest to the table: the range expected, where there is one."""
        return self.expected or self.played


def seat_numbers(
    rules: RuleSet, hand: Sequence[Card], contract: str, seats: Iterable[int] = SEATS, *, solve: bool = False
) -> list[SeatNumbers]:
    """A hand at some seats.

    solve: work the best defence out, in a second or so a seat, where no packaged table has it.
    Raises DealError or QueryError for a hand that may not play the contract alone.
    """
    cards = check_hand(hand, rules)
    check_contract(contract, hand, cards, rules)
    if solve:
        playable_alone(rules, hand, contract)
    key = play_out_key(rules, contract)
    expected = range_hash(packaged_ranges(rules), key)

    def played(believed: str | None, seat: int) -> Estimate | None:
        table = packaged_play_outs(rules, key, believed)
        return None if table is None else table.estimate(cards, seat)

    def bound(kind: Bound, seat: int) -> Bracket | None:
        table = packaged_bounds(rules, contract, kind)
        return None if table is None else table.bracket(cards, seat)

    return [
        SeatNumbers(
            seat,
            odds(hand, seat=seat, contract=contract, rules=rules),
            played(None, seat),
            None if expected is None else played(expected, seat),
            bound("best-defence", seat)
            or (best_defence(cards, seat=seat, contract=contract, rules=rules).bracket if solve else None),
            bound("reply-bound", seat),
        )
        for seat in seats
    ]


def play_out_key(rules: RuleSet, contract: str) -> str:
    """Under what play-outs of a contract are kept: a soloist who says nothing plays where everybody passes."""
    return PASS if rules.contract(contract).announced == "silent" else contract


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
    ranges = packaged_ranges(rules)
    callers = {
        seat: frozenset() if ranges is None else ranges.callers.get((contract, seat), frozenset()) for seat in SEATS
    }
    wins: dict[tuple[Card, ...], bool] = {}
    if (table := packaged_table(rules, rules.contract(contract).order)) is not None:
        rows = every_hands_wins(table, rules, contract)
        wins = {row.hand: _SHARE * max(row.wins) >= row.layouts for row in rows}
    key = play_out_key(rules, contract)
    played = packaged_play_outs(rules, key, range_hash(ranges, key))
    found = []
    for hand in dict.fromkeys((*wins, *certain)):
        called = tuple(seat for seat in SEATS if frozenset(hand) in callers[seat])
        told = [] if played is None else [played.estimate(hand, seat) for seat in SEATS]
        often = any(each is not None and _SHARE * each.wins >= each.deals for each in told)
        if hand in certain or called or wins.get(hand) or often:
            found.append(Biddable(hand, certain.get(hand, ()), called))
    return found
