"""What each thing that may be said next earns, given what has been said.

With open cards over all layouts that fit, exactly; in play on a sample of them.  Everybody
who speaks later passes; `doubled` tells what it comes to if later defenders say kontra,
and a soloist answers it, where the packaged table says that it pays them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from kopsim.bidding import Auction, Call, bid
from kopsim.calling_range import packaged_ranges
from kopsim.cards import Cards, parse_cards
from kopsim.chance import check_seed
from kopsim.deals import Hand, check_hand, check_seat
from kopsim.double_dummy import solve_sides
from kopsim.doubling_balance import PLACES
from kopsim.errors import QueryError
from kopsim.heard import layouts_heard
from kopsim.hidden_table import LAYOUTS, Table, table_of
from kopsim.kontra_table import KontraTable, multipliers_of, packaged_kontra
from kopsim.layout_sides import declaring_sides
from kopsim.odds_table import ranks_by_mask
from kopsim.play_out import Estimate
from kopsim.players import KINDS
from kopsim.rules import RuleSet, load_rules
from kopsim.rules.compile import CompiledOrder, compile_order
from kopsim.rules.model import SEATS, Honour
from kopsim.scoring import payments_by_points, score
from kopsim.seats import seats_of, speaking_after
from kopsim.statistics import Mean

_DEALS = 512
Numbers = NDArray[np.int64]
Deals = NDArray[np.uint64]


@dataclass(frozen=True)
class HeardValue:
    """One thing that may be said, and what it earns the hand if everybody passes afterwards.

    mean: over all layouts that fit, with open cards; wins: in how many of them the hand's
    side wins so; played: what a sample of them gives in play; doubled: the mean payment in the
    same sample with later kontra and answers, None where no packaged table tells of them.
    """

    call: str
    mean: float
    wins: int
    played: Estimate
    doubled: Mean | None = None

    @property
    def earned(self) -> Mean:
        """What it earns in play, later kontra included where that is known."""
        return self.played.payment if self.doubled is None else self.doubled


@dataclass(frozen=True)
class HeardAdvice:
    """What the hand whose turn it is may say, what earns most first.

    layouts: how many fit what was said; surprising: calls that no fitting hand makes by the tables.
    """

    auction: Auction
    hand: Hand
    seat: int
    layouts: int
    surprising: tuple[Call, ...]
    values: tuple[HeardValue, ...]

    @property
    def ranged(self) -> bool:
        """Whether it is known which hands call."""
        return packaged_ranges(self.auction.rules) is not None

    @property
    def recommended(self) -> HeardValue:
        """What earns most; a doubling only where a table tells how it is answered."""
        doublings = self.auction.rules.doubling.calls
        return next(each for each in self.values if each.doubled is not None or each.call not in doublings)


@dataclass
class _Situation:
    """An auction at a point, seen by one seat: the layouts that fit, all and a sample."""

    auction: Auction
    seat: int
    compiled: CompiledOrder
    every: Deals
    sample: Deals
    numbers: Numbers  # of the sample, for chance
    seed: int
    _solved: dict[Table, tuple[Numbers, Numbers]] = field(default_factory=dict)
    _played: dict[Table, tuple[Numbers, Numbers]] = field(default_factory=dict)

    def solved(self, table: Table) -> tuple[Numbers, Numbers]:
        """Who declares in every layout, and the points of that side with open cards."""
        if table not in self._solved:
            masks = self.compiled.recoded(self.every, table.compiled)
            declarers = declaring_sides(table, masks)
            points = solve_sides(masks, declarers, contract=table.played_as, rules=table.rules)
            self._solved[table] = declarers, points.astype(np.int64)
        return self._solved[table]

    def played(self, table: Table) -> tuple[Numbers, Numbers]:
        """Who declares in the sample, and the points of that side in play."""
        if table not in self._played:
            count = len(self.sample)
            declarers, points = np.empty(count, dtype=np.uint8), np.empty(count, dtype=np.int16)
            players = table.kernel(LAYOUTS, self.seed)
            masks = self.compiled.recoded(self.sample, table.compiled)
            players.play(masks, self.numbers, [KINDS["pimc"]] * len(SEATS), declarers, points)
            self._played[table] = declarers.astype(np.int64), points.astype(np.int64)
        return self._played[table]


def advise_heard(
    hand: Cards, calls: str, *, seat: int | None = None, seed: int = 0, rules: RuleSet | None = None
) -> HeardAdvice:
    """What to say after some calls, "2: pas, 3: zolo".

    seat: whose turn it must be, if given; seed: of the sample and the players.  Raises
    CardError, DealError, CallError or QueryError saying what is wrong, also where no layout
    fits what was said.
    """
    rules = rules or load_rules()
    seed = check_seed(seed)
    cards = check_hand(parse_cards(hand), rules)
    speaker = bid(Auction(rules), calls).to_speak
    if speaker is None:
        raise QueryError("heard-over")
    if seat is not None and check_seat(seat) != speaker:
        raise QueryError("heard-turn", seat=seat, turn=speaker)
    # The hand may show that its own earlier calls were against the rules.
    auction = bid(Auction(rules, {speaker: cards}), calls)
    compiled = compile_order(rules, next(iter(rules.orders)))
    heard = layouts_heard(auction, speaker, cards, compiled)
    drawn = np.random.default_rng([seed, 2]).permutation(len(heard.ranks))[:_DEALS]
    found = _Situation(auction, speaker, compiled, heard.masks, heard.masks[drawn], heard.ranks[drawn], seed)
    values = sorted((_value(found, name) for name in auction.legal()), key=lambda each: -each.earned.value)
    return HeardAdvice(auction, cards, speaker, len(heard.ranks), heard.surprising, tuple(values))


def _value(found: _Situation, name: str) -> HeardValue:
    """What saying this earns."""
    auction = found.auction.call(name)
    announced, rules, own = auction.announcement, auction.rules, found.seat - 1
    if announced is not None and isinstance(rules.contract(announced.name).goal, Honour):
        paid = score(
            announced.name, announced.seat, doubling=auction.doublings([announced.seat]), rules=rules
        ).payments[own]
        every = paid * len(found.every)
        wins, count = len(found.every) * (paid > 0), len(found.every)
        sure = Estimate(
            deals=count, layouts=count, wins=wins, paid=every, paid_squared=paid * every, bounds=(paid, paid)
        )
        return HeardValue(name, paid, wins, sure)
    table = _table(auction, found.seat)
    opened, played = (_paid(auction, table, *each)[:, own] for each in (found.solved(table), found.played(table)))
    bounds = _bounds(auction, table, found.solved(table)[0], own)
    told = _estimate(played, len(found.every), bounds)
    value = (name, float(opened.mean()), int((opened > 0).sum()), told)
    kontra = None if announced is None else packaged_kontra(rules, announced.name)
    if announced is None or kontra is None or table.soloist is None:
        return HeardValue(*value)
    # What was doubled so far is in the payments, which it divides.
    now, most = auction.multiplier_of([announced.seat]), max(multipliers_of(rules, announced.name))
    times = _multiplied(found, auction, kontra)
    extremes = [bound // now * max(now, most) for bound in bounds]
    doubled = _estimate(played // now * times, len(found.every), (extremes[0], extremes[1]))
    return HeardValue(*value, doubled.payment)


def _table(auction: Auction, seat: int) -> Table:
    """What everybody knows when nothing more is said; of a lone caller they believe the range, and our own hand."""
    announced, rules = auction.announcement, auction.rules
    if announced is None:
        return Table(rules, None, None)
    ranges = packaged_ranges(rules) if rules.contract(announced.name).sides == "soloist" else None
    if ranges is None:
        return Table(rules, announced.name, announced.seat)
    if announced.seat == seat:
        calling = ranges.expected(announced.name, seat, auction.hands[seat])
    else:
        calling = ranges.callers.get((announced.name, announced.seat)) or None
    return Table(rules, announced.name, announced.seat, calling)


def _estimate(paid: Numbers, layouts: int, bounds: tuple[int, int]) -> Estimate:
    return Estimate(
        deals=len(paid),
        layouts=layouts,
        wins=int((paid > 0).sum()),
        paid=int(paid.sum()),
        paid_squared=int((paid**2).sum()),
        bounds=bounds,
        repeats=True,  # played once each, but by players whose chance might have been another
    )


def _paid(auction: Auction, table: Table, declarers: Numbers, points: Numbers) -> Numbers:
    """What each seat is paid if nothing more is said, deals x seats; nothing where the doublings cannot have been."""
    paid = np.zeros((len(points), len(SEATS)), dtype=np.int64)
    for side in np.unique(declarers):
        by_points, rows = _by_points(auction, table, int(side)), declarers == side
        if by_points is not None:
            paid[rows] = by_points[points[rows]]
    return paid


def _bounds(auction: Auction, table: Table, declarers: Numbers, own: int) -> tuple[int, int]:
    """What a seat (from 0) can be paid at least and at most, by the sides there can be."""
    paid = [
        by_points[:, own]
        for side in np.unique(declarers)
        if (by_points := _by_points(auction, table, int(side))) is not None
    ]
    return (int(min(each.min() for each in paid)), int(max(each.max() for each in paid))) if paid else (0, 0)


def _by_points(auction: Auction, table: Table, side: int) -> Numbers | None:
    """What each seat is paid by the points of a side; None where the doublings cannot have been."""
    seats, contract = seats_of(side), table.contract_of(side)
    if not auction.doubled_legally(contract, frozenset(seats)):
        return None
    return payments_by_points(
        contract,
        seats,
        doubling=auction.doublings(seats),
        last_call=auction.last_doubler(seats),
        rules=auction.rules,
    )


def _multiplied(found: _Situation, auction: Auction, kontra: KontraTable) -> Numbers:
    """What multiplies each deal of the sample when all has been said, a soloist having announced."""
    announced = auction.announcement
    assert announced is not None
    soloist, places = announced.seat, speaking_after(auction.rules, announced.seat)
    ranks = ranks_by_mask(found.compiled.kernel.cards, found.compiled.kernel.hand_size)
    since = auction.calls[auction.calls.index(announced) + 1 :]
    sample = found.compiled.recoded(found.sample, table_of(auction.rules, kontra.contract).compiled)
    answers = kontra.answers(soloist)[ranks[sample[:, soloist - 1]]]
    first = np.full(len(found.sample), -1)
    if not auction.doubles:
        spoken = {call.seat for call in since}
        for place in range(PLACES):
            if places[place] not in spoken:
                says = kontra.says(soloist, place)[ranks[sample[:, places[place] - 1]]]
                first = np.where((first < 0) & says, place, first)
    elif len(auction.doubles) == 1 and auction.doubles[0].seat != soloist:
        # Said already: all that is left is whether the soloist answers, if he has not passed it.
        if soloist in {call.seat for call in since[since.index(auction.doubles[0]) + 1 :]}:
            return np.full(len(found.sample), auction.multiplier_of([soloist]))
        first[:] = places.index(auction.doubles[0].seat)
    said = first >= 0
    answered = said & answers[np.arange(len(first)), first]
    _, kontra_times, rej_times = multipliers_of(auction.rules, kontra.contract)
    now = auction.multiplier_of([soloist])
    return np.asarray(np.where(answered, rej_times, np.where(said, kontra_times, now)))
