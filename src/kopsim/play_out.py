"""Deals played out by players who see only what they would see at a table.

A hand at a seat, and layouts of the other cards drawn without replacement, a few from
each part of all of them.  What happens in a deal depends on the seed, the layout and the
players alone, so neither workers nor their number change a result, and variants of the
players can be compared on the same deals.  Players who weigh a sample draw it anew in
every deal, so that the error of an estimate takes in their chance, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from kopsim._hidden_play import HiddenPlay
from kopsim.bidding import PASS, barred_call
from kopsim.cards import Card, Cards, parse_cards
from kopsim.chance import check_seed
from kopsim.cluster import as_they_arrive, check_cluster, check_threads, in_chunks
from kopsim.deals import Deal, Hand, PartialDeal, check_hand, check_seat, sort_hand
from kopsim.errors import QueryError
from kopsim.hand_odds import check_contract
from kopsim.hidden_table import LAYOUTS, CallingRange, Table, check_weighed, payment_bounds, payments_of
from kopsim.interrupted import Interrupted
from kopsim.play import Position
from kopsim.players import KINDS, Decision, View, check_player, make_player
from kopsim.quantities import counted, real_number
from kopsim.rules import RuleSet, load_rules
from kopsim.rules.model import SEATS, AtLeast, EveryTrick
from kopsim.seats import seat_mask
from kopsim.statistics import Interval, Mean, bounded_mean, half, share_interval, variance_of

_STRATA = 64
_CHUNK = 5000  # layouts to weigh at one decision of all the deals in a chunk: a fraction of a second

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Setting:
    """All that the result of a deal depends on besides its layout.

    table: what is announced; hand, seat: whose result is counted; own, others: names of
    the players at this seat and at the others; layouts: that pimc players weigh.
    """

    table: Table
    hand: Hand
    seat: int
    own: str
    others: str
    layouts: int
    seed: int


@dataclass(frozen=True)
class Played:
    """One deal played out: its cards in order, and what the hand's seat was paid."""

    deal: Deal
    cards: tuple[tuple[int, Card], ...]
    contract: str
    side: tuple[int, ...]
    payment: int

    @property
    def won(self) -> bool:
        """Whether the hand's side won."""
        return self.payment > 0


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """What deals played out tell of a hand at a seat.

    deals: of all `layouts`; wins: that the hand's side won; paid, paid_squared: sums of
    the hand's payments, undoubled, and of their squares; bounds: what it can be paid at least
    and at most; repeats: whether a layout can
    have been played more than once, by other seeds or drawn by chance; open_mean: what
    the hand is paid on average over all layouts with open cards, None where the mean does
    not count from it; apart, apart_squared: sums of how much more a deal paid in play than
    with open cards, and of the squares of that.
    """

    deals: int
    layouts: int
    wins: int
    paid: int
    paid_squared: int
    bounds: tuple[int, int]
    repeats: bool = False
    open_mean: float | None = None
    apart: int = 0
    apart_squared: int = 0

    def grown(self, wins: int, paid: int, paid_squared: int, deals: int) -> Self:
        """The same with more deals."""
        return replace(
            self,
            deals=self.deals + deals,
            wins=self.wins + wins,
            paid=self.paid + paid,
            paid_squared=self.paid_squared + paid_squared,
        )

    @property
    def probability(self) -> float:
        """The share of deals won."""
        return self.wins / self.deals

    @property
    def exact(self) -> bool:
        """Whether every layout was played, each once."""
        return self.deals == self.layouts and not self.repeats

    @property
    def interval(self) -> Interval:
        """95 % interval of the chance, Wilson's, wide where most layouts were played; a point if all were."""
        share = self.probability
        return (share, share) if self.exact else share_interval(share, self.deals)

    @property
    def payment(self) -> Mean:
        """What the hand is paid on average, undoubled, with its 95 % interval within `bounds`.

        Where it is known what open cards pay over all layouts, only the difference is
        estimated (open cards are a control variate): it spreads far less than payments do.
        """
        opened = self.open_mean
        counted = (self.paid, self.paid_squared) if opened is None else (self.apart, self.apart_squared)
        mean = (0.0 if opened is None else opened) + counted[0] / self.deals
        if self.exact:
            return Mean.exact(mean)
        # What is left to play is all that can still move the mean.
        unplayed = 1.0 if self.repeats else (self.layouts - self.deals) / (self.layouts - 1)
        return bounded_mean(mean, unplayed * variance_of(*counted, self.deals), self.deals, self.bounds)


@dataclass(frozen=True, kw_only=True)
class PlayOut(Estimate):
    """An estimate by playing out, and what was played."""

    setting: Setting


def play_out(
    hand: Cards,
    *,
    seat: int,
    contract: str,
    deals: int = 1000,
    own: str = "pimc",
    others: str | None = None,
    calling: CallingRange | None = None,
    layouts: int = LAYOUTS,
    seed: int = 0,
    precision: float | None = None,
    rules: RuleSet | None = None,
    threads: int | None = None,
    cluster: str | None = None,
    progress: Progress = lambda _done, _of: None,
) -> PlayOut:
    """Plays a hand out in many deals.

    contract: one that is played alone for points or every trick, a wesele, or "pass" when
    nobody announces anything; own, others: names of players (`kopsim.players`), the others
    like the own one if not given; calling: hands that the others believe a soloist
    calls with; deals: how many, at most one for each layout; precision: play on until
    half the 95 % interval of the chance is no more than this, or all layouts are played;
    progress: called with deals done and of how many.
    Stopped by Ctrl-C it raises `kopsim.Interrupted` with the estimate so far.
    Raises CardError, DealError or QueryError saying what is wrong.
    """
    setting = make_setting(hand, seat, contract, own, others, calling, layouts, seed, rules)
    if barred := barred_call(setting.table.rules, contract, setting.hand, setting.seat):
        raise barred.reason
    check_cluster(cluster)
    workers = check_threads(threads)
    deals = counted(deals, "deals", "deals-bad")
    precision = None if precision is None else real_number(precision, "precision")
    if precision is not None and not 0 < precision < 1:
        raise QueryError("precision-bad", text=precision)
    ranks = drawn_layouts(setting)
    bounds = payment_bounds(setting.table, setting.hand, setting.seat)
    result = PlayOut(setting=setting, deals=0, layouts=len(ranks), wins=0, paid=0, paid_squared=0, bounds=bounds)
    try:
        while result.deals < min(deals, len(ranks)) or _too_wide(result, precision, len(ranks)):
            step = deals if result.deals == 0 else max(result.deals // 2, 1)
            batch = ranks[result.deals : result.deals + step]
            for sums in _results(setting, batch, workers, cluster):
                result = result.grown(*sums)
                progress(result.deals, max(min(deals, len(ranks)), result.deals))
    except KeyboardInterrupt:
        if not result.deals:
            raise
        raise Interrupted(result) from None
    return result


def make_setting(
    hand: Cards,
    seat: int,
    contract: str,
    own: str,
    others: str | None,
    calling: CallingRange | None,
    layouts: int,
    seed: int,
    rules: RuleSet | None,
) -> Setting:
    """A setting that was found sound; see `play_out`.  Hands that rules bar are played too: tables hold every hand."""
    rules = rules or load_rules()
    cards = check_hand(parse_cards(hand), rules)
    seat, seed, layouts = check_seat(seat), check_seed(seed), check_weighed(layouts)
    if contract != PASS:
        _check_playable(contract, cards, rules)
    for name in (own, others or own):
        check_player(name)
    announced = None if contract == PASS else rules.contract(contract)
    # A silent soloist announces nothing: the others do not know that he plays alone.
    silent = announced is None or announced.announced == "silent"
    if calling is not None and (announced is None or silent or announced.sides != "soloist" or not calling):
        raise QueryError("range-pass")
    table = Table(rules, None if silent else contract, None if silent else seat, calling)
    if table.compiled.kernel.cards > 16 or table.compiled.lowest < 0:
        raise QueryError("throw-unfit", rules=rules)
    return Setting(table, cards, seat, own, others or own, layouts, seed)


def _check_playable(contract: str, hand: Hand, rules: RuleSet) -> None:
    """Raises QueryError for what a hand may not announce, or what is not played out."""
    record = rules.contract(contract)
    if record.sides == "partner":
        if not set(record.cards) <= hand:
            raise QueryError("contract-needs", contract=contract, needs=record.cards, cards=sort_hand(hand, rules))
        return
    check_contract(contract, hand, hand, rules)
    if not isinstance(record.goal, (AtLeast, EveryTrick)):
        raise QueryError("contract-no-throw", contract=contract)


def drawn_layouts(setting: Setting) -> NDArray[np.int64]:
    """Every layout's number in the order in which they are played: in turn one from each of so many equal parts."""
    layouts = _layouts_of(setting).layouts
    rng = np.random.default_rng([setting.seed, 0])
    parts = [rng.permutation(part) for part in np.array_split(np.arange(layouts), _STRATA)]
    rounds = [rng.permutation([part[i] for part in parts if i < len(part)]) for i in range(max(map(len, parts)))]
    return np.concatenate(rounds)


def play_deal(
    setting: Setting, rank: int, watch: Callable[[View, Decision], None] = lambda _view, _made: None
) -> Played:
    """One layout played to its end, card by card; as `play_out` plays it.

    rank: in the contract's card order; watch: is called with what each player sees and decides.
    """
    table = setting.table
    deal = _layouts_of(setting).layout(rank, table.played_as)
    players = {
        seat: make_player(setting.own if seat == setting.seat else setting.others, setting.layouts) for seat in SEATS
    }
    position, cards = Position.start(deal, contract=table.played_as), list[tuple[int, Card]]()
    while not position.is_over:
        seat = position.to_play
        view = seen_by(seat, deal, position, tuple(cards), table, rank)
        made = players[seat].decide(view, setting.seed)
        watch(view, made)
        position = position.play(made.card)
        cards.append((seat, made.card))
    side = _declarers(deal, table)
    paid = payments_of(table)[seat_mask(side), position.points(side), setting.seat - 1]
    return Played(deal, tuple(cards), table.contract_of(seat_mask(side)), side, int(paid))


def seen_by(
    seat: int, deal: Deal, position: Position, played: tuple[tuple[int, Card], ...], table: Table, number: int = 0
) -> View:
    """What a seat sees: of the hands only its own; number: of the deal."""
    own = tuple(hand if owner == seat else frozenset[Card]() for owner, hand in zip(SEATS, position.hands, strict=True))
    return View(table, seat, deal.hands[seat - 1], replace(position, hands=own), played, number)


def _declarers(deal: Deal, table: Table) -> tuple[int, ...]:
    """Who declares in a deal."""
    if table.soloist is not None:
        return (table.soloist,)
    if table.announcer is None:
        old = table.rules.contract(table.played_as).cards
        return tuple(seat for seat in SEATS if not deal.hands[seat - 1].isdisjoint(old))
    own = deal.hands[table.announcer - 1]
    called = next(card for card in table.partner_cards if card not in own)
    partner = next(seat for seat in SEATS if called in deal.hands[seat - 1])
    return (min(table.announcer, partner), max(table.announcer, partner))


def _layouts_of(setting: Setting) -> PartialDeal:
    return PartialDeal.of({setting.seat: setting.hand}, rules=setting.table.rules)


@dataclass(frozen=True)
class _Chunk:
    setting: Setting
    ranks: tuple[int, ...]


def _play_chunk(chunk: _Chunk) -> tuple[int, int, int, int]:
    setting = chunk.setting
    return play_ranks(
        setting, np.array(chunk.ranks, dtype=np.int64), setting.table.kernel(setting.layouts, setting.seed)
    )


def play_ranks(setting: Setting, ranks: NDArray[np.int64], players: HiddenPlay) -> tuple[int, int, int, int]:
    """Plays layouts by their numbers; returns wins, payments, their squares, and the number of deals."""
    table, count = setting.table, len(ranks)
    deals = np.empty((count, len(SEATS)), dtype=np.uint64)
    _layouts_of(setting).space(table.compiled).unrank_many(ranks, deals)
    kinds = [KINDS[setting.own if seat == setting.seat else setting.others] for seat in SEATS]
    declarers, points = np.empty(count, dtype=np.uint8), np.empty(count, dtype=np.int16)
    players.play(deals, ranks, kinds, declarers, points)
    paid = payments_of(table)[declarers, points, setting.seat - 1]
    return int((paid > 0).sum()), int(paid.sum()), int((paid**2).sum()), count


def _results(
    setting: Setting, ranks: NDArray[np.int64], workers: int, cluster: str | None
) -> Iterator[tuple[int, int, int, int]]:
    size = max(1, _CHUNK // setting.layouts)
    chunks = [_Chunk(setting, tuple(map(int, ranks[at : at + size]))) for at in range(0, len(ranks), size)]
    if cluster is not None:
        yield from (result for _, result in as_they_arrive(_play_chunk, chunks, cluster=cluster))
    else:
        yield from in_chunks(_play_chunk, chunks, workers)


def _too_wide(result: PlayOut, precision: float | None, layouts: int) -> bool:
    if precision is None or result.deals >= layouts:
        return False
    return half(result.interval) > precision
