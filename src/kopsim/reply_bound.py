"""What a soloist could win at most who knew just how the defenders play, and saw only his own cards.

The defenders follow a player (`kopsim.players`), each by what he sees, his chance drawn
from that alone so that he does the same at the same sight.  Then every plan leads each
layout along one path, and the best plan is found exactly over all layouts: an upper bound
of what any soloist can force out of these defenders, and a measure of how far they can be exploited.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from kopsim._best_defence import BestDefence
from kopsim._tablebase import EndgameTables
from kopsim.cards import Card, parse_cards
from kopsim.deals import sort_hand
from kopsim.errors import QueryError
from kopsim.hidden_table import LAYOUTS, CallingRange, Table
from kopsim.players import KINDS, check_player
from kopsim.rules import RuleSet, load_rules
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
    endings: EndgameTables | None = None,
) -> ReplyBound:
    """The best reply to defenders of a kind, over all layouts.

    contract: one that is announced and played alone; defenders: name of their player;
    calling: the hands they believe the soloist calls with; layouts: that pimc defenders
    weigh; seed: of their chance; endings: solved tables of these rules, which make pimc
    faster and change nothing else.
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
    kind = KINDS[check_player(defenders)]
    compiled = prover.counted
    masks = np.empty((len(space), len(SEATS)), dtype=np.uint64)
    space.unrank_many(np.arange(len(space)), masks)
    players, decisions = Table(rules, contract, seat, calling).kernel(layouts, seed, endings), 0

    def policy(defender: int, held: int, plies: int, history: int) -> int:
        nonlocal decisions
        decisions += 1
        return players.choose(kind, defender, held, plies, history)

    kept = np.zeros(len(space), dtype=np.uint8)
    wins = BestDefence(compiled.kernel, prover.needed, 8).reply(masks, seat - 1, kept, policy)
    return ReplyBound(
        rules, sort_hand(cards, rules), seat, contract, defenders, layouts, seed, wins, len(space), decisions
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
