"""What a soloist could win at most who knew just how the defenders play, and saw only his own cards.

The defenders follow a player (`kopsim.players`), each by what he sees, his chance drawn
from that alone so that he does the same at the same sight.  Then every plan leads each
layout along one path, and the best plan is found exactly over all layouts: an upper bound
of what any soloist can force out of these defenders, and a measure of how far they can be
exploited.  In play-outs their chance differs from deal to deal; here it is drawn once, and
the soloist knows the draw, which by itself gains him a little.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from kopsim._best_defence import BestDefence
from kopsim._tablebase import EndgameTables
from kopsim.calling_range import CallingRanges
from kopsim.cards import Card, Cards, parse_cards
from kopsim.chance import check_seed
from kopsim.cluster import done_in_chunks
from kopsim.deals import check_seat, sort_hand
from kopsim.errors import QueryError
from kopsim.hidden_table import LAYOUTS, CallingRange, Table, check_weighed
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
    hand: Cards,
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
    cards = parse_cards(hand)
    space = prover.start(cards, seat).layouts()
    if rules.contract(contract).announced == "silent":
        raise QueryError("reply-silent", contract=contract)
    seat, seed, layouts = check_seat(seat), check_seed(seed), check_weighed(layouts)
    kind = KINDS[check_player(defenders)]
    compiled = prover.counted
    masks = np.empty((len(space), len(SEATS)), dtype=np.uint64)
    space.unrank_many(np.arange(len(space)), masks)
    players = Table(rules, contract, seat, calling).kernel(layouts, seed, endings)
    kept = np.zeros(len(space), dtype=np.uint8)
    search = BestDefence(compiled.kernel, prover.needed, 8)
    wins = search.reply(masks, seat - 1, kept, players, kind)
    return ReplyBound(
        rules,
        sort_hand(cards, rules, contract),
        seat,
        contract,
        defenders,
        layouts,
        seed,
        wins,
        len(space),
        search.replies,
    )


def reply_bounds(
    rules: RuleSet,
    hand: Sequence[Card],
    seats: Sequence[int],
    contract: str | None,
    *,
    ranges: CallingRanges | None = None,
    threads: int | None = None,
    progress: Callable[[int, int], None] = lambda _done, _of: None,
    **asked: Any,
) -> list[ReplyBound]:
    """The best replies with a hand at some seats, for one contract or all it may announce.

    ranges: what the defenders believe of a caller; threads: default the usable cores;
    progress: called with how many were done and of how many; asked: as for `reply_bound`, and it raises so.
    """
    allowed = playable_alone(rules, hand, seats, contract).allowed
    asked_for = [each for each in allowed if contract is not None or rules.contract(each[1]).announced != "silent"]

    def answer(each: tuple[int, str]) -> ReplyBound:
        seat, key = each
        calling = None if ranges is None else ranges.expected(key, seat, frozenset(hand))
        return reply_bound(hand, seat=seat, contract=key, rules=rules, calling=calling, **asked)

    return done_in_chunks(answer, asked_for, threads, progress)
