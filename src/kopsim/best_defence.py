"""The best that a soloist can plan who sees only his own cards, against defenders who see everything and his plan.

That is harder for him than anything at the table, where defenders see only their own
cards: what a plan keeps here, it keeps there.  Any plan bounds the best one from below;
defenders who play one line in each layout bound it from above.  Where the two meet, the
number is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from kopsim._best_defence import BestDefence
from kopsim._search import Solver
from kopsim.bound_table import Bracket
from kopsim.cards import Card, Cards, parse_cards
from kopsim.cluster import done_in_chunks
from kopsim.deals import check_seat, sort_hand
from kopsim.hand_odds import Odds, odds
from kopsim.rules import RuleSet, load_rules
from kopsim.rules.compile import CompiledOrder
from kopsim.throwdowns.prover import Prover, playable_alone
from kopsim.values import Value

_EXPLORE = 8  # plies: two tricks, in which trying other cards costs little


@dataclass(frozen=True, eq=False)
class Plan(Value):
    """What a soloist plays at each moment that his plan has seen to.

    histories: cards played so far, four bits each, sorted; plies: how many; cards: his answer.
    """

    compiled: CompiledOrder
    histories: NDArray[np.uint64]
    plies: NDArray[np.uint8]
    cards: NDArray[np.uint8]

    @classmethod
    def of(cls, compiled: CompiledOrder, search: BestDefence) -> Plan:
        """The plan that a search found."""
        histories, plies, cards = search.decisions()
        order = np.lexsort((plies, histories))
        return cls(compiled, histories[order], plies[order], cards[order])

    def card(self, played: Sequence[Card]) -> Card | None:
        """His card after the cards played so far, in order; None where every layout is lost or the goal is reached."""
        history = sum(self.compiled.bits[card] << (4 * place) for place, card in enumerate(played))
        at = int(np.searchsorted(self.histories, np.uint64(history)))
        while at < len(self.histories) and int(self.histories[at]) == history:
            if self.plies[at] == len(played):
                return self.compiled.cards[int(self.cards[at])]
            at += 1
        return None


@dataclass(frozen=True, eq=False)
class BestDefenceOdds(Value):
    """How many of all `layouts` a soloist's best plan keeps.

    kept: by the plan found, proved; at_most: no plan keeps more, proved; open_wins:
    won with open cards; which: numbers of the layouts kept, as `PartialDeal.layout`
    has them for the contract; plan: None if it was not asked for, or if the hand wins for certain, when
    `kopsim.certify` gives a plan that a person can follow.
    """

    rules: RuleSet
    hand: tuple[Card, ...]
    seat: int
    contract: str
    kept: int
    at_most: int
    open_wins: int
    layouts: int
    which: NDArray[np.int64]
    plan: Plan | None

    @property
    def bracket(self) -> Bracket:
        """What is proved, without the plan."""
        return Bracket(self.kept, self.at_most, self.layouts)

    @property
    def bound(self) -> Literal["exact", "lower"]:
        """Whether `kept` is proved to be the best plan's."""
        return "exact" if self.bracket.exact else "lower"

    @property
    def probability(self) -> Fraction:
        """The share of layouts kept."""
        return Fraction(self.kept, self.layouts)


def best_defence(
    hand: Cards, *, seat: int, contract: str, rules: RuleSet | None = None, with_plan: bool = False
) -> BestDefenceOdds:
    """What a soloist can plan for certain in how many layouts; all of them, no sampling.

    with_plan: also give the plan, which may have millions of decisions.
    Raises CardError, DealError or QueryError saying what is wrong.
    """
    rules = rules or load_rules()
    prover = Prover(rules, contract)
    cards, seat = parse_cards(hand), check_seat(seat)
    start = prover.start(cards, seat)
    compiled, goal = prover.counted, prover.needed
    space = start.layouts()
    layouts = np.empty((len(space), 4), dtype=np.uint64)
    space.unrank_many(np.arange(len(space)), layouts)
    values = np.empty(len(space), dtype=np.int16)
    Solver(compiled.kernel, 16).values(layouts, 0, 1 << (seat - 1), values)
    # What is lost with open cards is lost by every plan.
    ranks = np.flatnonzero(values >= goal)
    won = np.ascontiguousarray(layouts[ranks])
    search = BestDefence(compiled.kernel, goal)
    kept = np.zeros(len(won), dtype=np.uint8)
    plan = None
    if prover.wins(start):
        kept[:] = 1
        at_most = len(won)
    else:
        search.keep(won, seat - 1, kept, _EXPLORE)
        plan = Plan.of(compiled, search) if with_plan else None
        at_most = min(len(won), search.bound(won, seat - 1), search.bound(won, seat - 1, lowest=True))
    return BestDefenceOdds(
        rules=rules,
        hand=sort_hand(cards, rules, contract),
        seat=seat,
        contract=contract,
        kept=int(kept.sum()),
        at_most=at_most,
        open_wins=len(won),
        layouts=len(space),
        which=ranks[kept.astype(bool)],
        plan=plan,
    )


def best_defences(
    rules: RuleSet,
    hand: Sequence[Card],
    seats: Sequence[int],
    contract: str | None = None,
    *,
    threads: int | None = None,
    progress: Callable[[int, int], None] = lambda _done, _of: None,
) -> list[tuple[BestDefenceOdds, Odds]]:
    """The best defence and the double-dummy odds of a hand at some seats, for one contract or all it may play alone.

    threads: default the usable cores; progress: called with how many were done and of how many.
    Raises as `best_defence` does, and QueryError if there is no such contract.
    """
    asked = playable_alone(rules, hand, seats, contract).allowed

    def answer(each: tuple[int, str]) -> tuple[BestDefenceOdds, Odds]:
        seat, key = each
        return (
            best_defence(hand, seat=seat, contract=key, rules=rules),
            odds(hand, seat=seat, contract=key, rules=rules),
        )

    return done_in_chunks(answer, asked, threads, progress)
