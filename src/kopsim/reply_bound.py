"""What a soloist could win at most who knew just how the defenders play, and saw only his own cards.

The defenders follow a player (`kopsim.players`), each by what he sees, his chance drawn
from that alone so that he does the same at the same sight.  Then every plan leads each
layout along one path, and the best plan is found exactly over all layouts: an upper bound
of what any soloist can force out of these defenders, and a measure of how far they can be exploited.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from kopsim._best_defence import BestDefence
from kopsim.cards import Card, parse_cards
from kopsim.deals import sort_hand
from kopsim.errors import QueryError
from kopsim.play import Position
from kopsim.players import LAYOUTS, CallingRange, Table, View, chance_of, make_player
from kopsim.rules import RuleSet, load_rules
from kopsim.rules.compile import CompiledOrder
from kopsim.rules.model import SEATS
from kopsim.throwdowns.prover import Prover, playable_alone


@dataclass(frozen=True)
class ReplyBound:
    """How many of all layouts the best plan wins against defenders who play by a fixed policy; exact.

    decisions: how often a defender had to choose.
    """

    rules: RuleSet
    hand: tuple[Card, ...]
    seat: int
    contract: str
    defenders: str
    weighed: int
    seed: int
    wins: int
    layouts: int
    decisions: int

    @property
    def probability(self) -> Fraction:
        """The share of layouts won."""
        return Fraction(self.wins, self.layouts)


def reply_bound(
    hand: str | Iterable[Card],
    *,
    seat: int,
    contract: str,
    defenders: str = "pimc",
    calling: CallingRange | None = None,
    layouts: int = LAYOUTS,
    seed: int = 0,
    rules: RuleSet | None = None,
) -> ReplyBound:
    """The best reply to defenders of a kind, over all layouts.

    contract: one that is announced and played alone; defenders: name of their player;
    calling: the hands they believe the soloist calls with; layouts: that pimc defenders
    weigh; seed: of their chance.  With pimc it takes minutes.
    Raises CardError, DealError or QueryError saying what is wrong.
    """
    rules = rules or load_rules()
    prover = Prover(rules, contract)
    cards = parse_cards(hand) if isinstance(hand, str) else tuple(hand)
    space = prover.start(cards, seat).layouts()
    if rules.contract(contract).announced == "silent":
        raise QueryError("reply-silent", contract=contract)
    if seed < 0:
        raise QueryError("seed-bad", seed=seed)
    if not 1 <= layouts <= 100_000:
        raise QueryError("weighed-bad", count=layouts)
    compiled = prover.counted
    masks = np.empty((len(space), len(SEATS)), dtype=np.uint64)
    space.unrank_many(np.arange(len(space)), masks)
    policy = _Policy(Table(rules, contract, seat, calling), compiled, defenders, layouts, seed)
    kept = np.zeros(len(space), dtype=np.uint8)
    wins = BestDefence(compiled.kernel, prover.needed, 8).reply(masks, seat - 1, kept, policy)
    return ReplyBound(
        rules, sort_hand(cards, rules), seat, contract, defenders, layouts, seed, wins, len(space), policy.decisions
    )


def reply_bounds(
    rules: RuleSet, hand: Sequence[Card], seats: Sequence[int], contract: str | None, defenders: str, seed: int
) -> list[ReplyBound]:
    """The best replies with a hand at some seats, for one contract or all it may announce; raises as `reply_bound`."""
    contracts = playable_alone(rules, hand, contract)
    announced = [key for key in contracts if contract is not None or rules.contract(key).announced != "silent"]
    return [
        reply_bound(hand, seat=seat, contract=key, defenders=defenders, seed=seed, rules=rules)
        for seat in seats
        for key in announced
    ]


class _Policy:
    """A player who decides for every defender, by bits as the kernel has them."""

    def __init__(self, table: Table, compiled: CompiledOrder, name: str, layouts: int, seed: int) -> None:
        self._table, self._compiled, self._seed = table, compiled, seed
        self._player = make_player(name, layouts)
        self._start = Position(
            table.rules, table.rules.orders[table.rules.contract(table.played_as).order], (frozenset(),) * len(SEATS), 1
        )
        self._moments: dict[tuple[int, int], tuple[Position, tuple[tuple[int, Card], ...]]] = {}
        self.decisions = 0

    def __call__(self, seat: int, hand: int, plies: int, history: int) -> int:
        self.decisions += 1
        position, played = self._moment(plies, history)
        own = frozenset(self._compiled.cards_of(hand))
        dealt = own.union(card for owner, card in played if owner == seat + 1)
        hands = tuple(own if owner == seat + 1 else frozenset[Card]() for owner in SEATS)
        view = View(self._table, seat + 1, dealt, replace(position, hands=hands), played)
        return self._compiled.bits[self._player.decide(view, chance_of(self._seed, view)).card]

    def _moment(self, plies: int, history: int) -> tuple[Position, tuple[tuple[int, Card], ...]]:
        """What lies on the table and who played what, after some cards."""
        if plies == 0:
            return self._start, ()
        key = (plies, history)
        if key not in self._moments:
            before, played = self._moment(plies - 1, history & ((1 << (4 * (plies - 1))) - 1))
            card = self._compiled.cards[history >> (4 * (plies - 1)) & 0xF]
            self._moments[key] = (_laid(before, card), (*played, (before.to_play, card)))
        return self._moments[key]


def _laid(position: Position, card: Card) -> Position:
    """The position after a card that is known to be legal, whoever holds what."""
    after = replace(position, trick=(*position.trick, card))
    if len(after.trick) < len(SEATS):
        return after
    _, winner = after.best_so_far()
    number, order = sum(after.tricks), after.order
    worth = sum(map(order.worth, after.trick)) + (order.trick_bonus[number] if order.trick_bonus else 0)
    taken = [each + worth * (seat == winner) for seat, each in zip(SEATS, after.taken, strict=True)]
    tricks = [each + (seat == winner) for seat, each in zip(SEATS, after.tricks, strict=True)]
    return replace(
        after,
        leader=winner,
        trick=(),
        taken=(taken[0], taken[1], taken[2], taken[3]),
        tricks=(tricks[0], tricks[1], tricks[2], tricks[3]),
    )
