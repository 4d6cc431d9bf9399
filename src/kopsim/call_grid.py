"""Whether to call, for two cards and every rest of the hand: the source of strategy charts."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations

from kopsim.advice import Advice, advise
from kopsim.calling_range import likely_callers, packaged_ranges, strongest_first
from kopsim.cards import Card, Cards, parse_cards
from kopsim.deals import check_seat, refuse_strangers
from kopsim.errors import QueryError
from kopsim.hand_odds import check_contract
from kopsim.odds_table import packaged_table
from kopsim.rules import RuleSet
from kopsim.statistics import Mean


@dataclass(frozen=True)
class GridCell:
    """A hand, of which `rest` goes with the two cards of the grid, stronger card first.

    gain: what the call earns more than the best lower one, or than announcing nothing, points a
    deal; called: whether the call is recommended; close: whether it cannot be told if calling is
    right; certain: whether it wins for certain; higher: a higher call that earns more still, or None.
    """

    rest: tuple[Card, Card]
    gain: Mean
    called: bool
    close: bool
    certain: bool
    higher: str | None


@dataclass(frozen=True)
class CallGrid:
    """A call at a seat for two cards and every rest that `cards`, strongest first, can make.

    played: whether gains are those in play, else with open cards; expected: whether the others
    expect the calling range in them.
    """

    rules: RuleSet
    contract: str
    seat: int
    pair: tuple[Card, Card]
    cards: tuple[Card, ...]
    cells: tuple[GridCell, ...]
    played: bool
    expected: bool

    @property
    def largest_error(self) -> float:
        """The largest error of a gain: half the width of its 95 % interval."""
        return max(cell.gain.error for cell in self.cells)


def call_grid(rules: RuleSet, contract: str, seat: int, pair: Cards, *, lower: bool = False) -> CallGrid:
    """The grid of two cards.

    lower: only with rests of weaker cards, so that every hand stands in the grid of its two strongest.
    Raises CardError, DealError or QueryError for what are no two cards of the pack, and for
    a contract that is not announced by a soloist.
    """
    record = rules.contract(contract)
    if record.announced == "silent":
        raise QueryError("chart-silent", contract=contract)
    check_contract(contract, record.cards, frozenset(record.cards), rules)
    strength = rules.orders[record.order].strength
    two, seat = parse_cards(pair), check_seat(seat)
    refuse_strangers(two, rules)
    if len(two) != 2 or rules.seats.hand_size != 4:
        raise QueryError("chart-pair", count=len(two))
    first, second = sorted(two, key=strength.__getitem__)
    kept = sorted(rules.pack.cards - {first, second}, key=strength.__getitem__)
    if lower:
        kept = [card for card in kept if strength[card] > strength[second]]
    cells, played, expected = [], True, True
    for rest in combinations(kept, 2):
        if not record.allows(frozenset((first, second, *rest)), seat):
            continue
        advice = advise((first, second, *rest), seat=seat, rules=rules)
        cells.append(_cell(rest, advice, contract))
        own = next(each for each in advice.values if each.call == contract)
        played, expected = played and advice.played, expected and (own.expected or own.guaranteed)
    if not cells:
        raise QueryError("chart-nobody", contract=contract, seat=seat)
    return CallGrid(rules, contract, seat, (first, second), tuple(kept), tuple(cells), played, expected)


def _cell(rest: tuple[Card, Card], advice: Advice, contract: str) -> GridCell:
    rank = advice.rules.contract(contract).rank
    own = next(each for each in advice.values if each.call == contract)
    lower = [each for each in advice.values if each.silent or advice.rules.contract(each.call).rank < rank]
    best = max(lower, key=lambda each: advice.earned(each).value, default=None)
    gain = advice.earned(own).less(Mean.exact(0.0) if best is None else advice.earned(best))
    called = advice.recommended
    return GridCell(
        rest,
        gain,
        called=called is own,
        close=advice.played and best is not None and advice.too_close(own, best),
        certain=own.guaranteed,
        higher=None if any(called is each for each in (own, *lower)) else called.call,
    )


def calling_pairs(rules: RuleSet, contract: str, seat: int) -> list[tuple[tuple[Card, Card], int]]:
    """The two strongest cards of hands that may well call, those of most hands first, with how many hands.

    Hands of the calling range, and hands that win half of all layouts with open cards.
    Raises QueryError if neither a range nor a table of these rules is at hand.
    """
    ranges = packaged_ranges(rules)
    if ranges is None and packaged_table(rules, rules.contract(contract).order) is None:
        raise QueryError("chart-no-table", rules=rules)
    callers = frozenset() if ranges is None else ranges.callers.get((contract, seat), frozenset())
    if ranges is None or packaged_table(rules, rules.contract(contract).order) is not None:
        callers |= likely_callers(rules, contract, seat)
    counted = Counter((hand[0], hand[1]) for hand in strongest_first(callers, rules, contract))
    return counted.most_common()
