"""How often a lone player wins with a hand: exact over all layouts, or sampled with an interval.

"Double dummy" throughout: in each layout all four play perfectly with open
cards.  It is a yardstick, not a bound for play with hidden hands.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kopsim.barred import refuse_barred
from kopsim.cards import Card, Cards, Pattern
from kopsim.deals import PartialDeal, sort_hand
from kopsim.double_dummy import SolverPerThread
from kopsim.errors import QueryError
from kopsim.interrupted import Interrupted
from kopsim.odds_question import Distribution, Progress, Question, Sample, ask
from kopsim.odds_table import packaged_table
from kopsim.roles import Role
from kopsim.rules import Contract, RuleSet
from kopsim.rules.compile import Worth, compile_order
from kopsim.rules.model import AtLeast, EveryTrick, Honour
from kopsim.seats import seat_mask
from kopsim.shown import Shown
from kopsim.statistics import Interval, share_interval

_TABLE_BITS = 16


@dataclass(frozen=True)
class Odds(Shown):
    """The odds of one contract for one hand at one seat, double dummy.

    hand: strongest first, None for any card; wins of total layouts counted (of
    all `layouts` if exact, of the sample if not); points: distribution of the
    lone player's points, from `points.lowest` up.
    """

    rules: RuleSet
    hand: tuple[Card | None, ...]
    seat: int
    contract: str
    wins: int
    total: int
    layouts: int
    points: Distribution
    sample: Sample | None

    @property
    def exact(self) -> bool:
        """Whether every layout was solved."""
        return self.sample is None

    @property
    def probability(self) -> Fraction:
        """Wins out of the layouts counted."""
        return Fraction(self.wins, self.total)

    @property
    def histogram(self) -> NDArray[np.int64]:
        """Layouts by the lone player's points; in Kop index 0 to 104."""
        return self.points.counts

    @property
    def interval(self) -> Interval:
        """95 % interval of the probability: a point if exact, Wilson's score interval if sampled."""
        share = self.wins / self.total
        return (share, share) if self.exact else share_interval(share, self.total)


def odds(
    hand: Pattern,
    *,
    seat: int,
    contract: str,
    holds: Mapping[int, Cards] | None = None,
    lacks: Mapping[int, Cards] | None = None,
    rules: RuleSet | None = None,
    samples: int | None = None,
    seed: int = 0,
    use_table: bool = True,
    threads: int | None = None,
) -> Odds:
    """The odds of one contract; see `odds_of_contracts`."""
    try:
        return odds_of_contracts(
            hand,
            seat=seat,
            contracts=[contract],
            holds=holds,
            lacks=lacks,
            rules=rules,
            samples=samples,
            seed=seed,
            use_table=use_table,
            threads=threads,
        )[0]
    except Interrupted as stop:
        raise Interrupted(stop.so_far[0]) from None


def odds_of_contracts(
    hand: Pattern,
    *,
    seat: int,
    contracts: Sequence[str],
    holds: Mapping[int, Cards] | None = None,
    lacks: Mapping[int, Cards] | None = None,
    rules: RuleSet | None = None,
    samples: int | None = None,
    seed: int = 0,
    use_table: bool = True,
    threads: int | None = None,
    progress: Progress | None = None,
) -> list[Odds]:
    """The odds of several contracts for one hand and seat, each layout solved once.

    hand: four cards as text or objects; "x", "?" or None stands for any card.
    seat: 1-4.  holds, lacks: what other seats are known to hold and to lack.
    samples: solve so many random layouts, drawn with `seed`, instead of all.
    use_table: look up the solved table that comes with kopsim where it has the
    answer, which is the same as solving anew.
    threads: default all cores; changes only the time.
    progress: called with the number of layouts done since the last call.
    A sample that is stopped by Ctrl-C is told with `kopsim.Interrupted`, for the contracts begun until then.

    Raises CardError, DealError or QueryError saying what is wrong.
    """
    asked = ask(
        hand,
        seat=seat,
        holds=holds,
        lacks=lacks,
        rules=rules,
        samples=samples,
        seed=seed,
        threads=threads,
        progress=progress,
    )
    rules, seat, known, partial = asked.rules, asked.seat, asked.known, asked.partial
    for key in contracts:
        check_contract(key, asked.cards, known, rules, asked.seat)
    in_table = use_table and asked.sample is None and asked.alone
    done: dict[tuple[str, Worth], _Counted] = {}
    stopped, results = False, []
    for key in contracts:
        contract = rules.contract(key)
        worths: tuple[Worth, ...] = ("points", "tricks") if counts_tricks(contract, rules) else ("points",)
        for worth in worths:
            if (contract.order, worth) not in done and not stopped:
                found = _looked_up(partial, contract.order, seat) if in_table and worth == "points" else None
                done[contract.order, worth] = found or _solved(asked, contract.order, worth)
                stopped = done[contract.order, worth].stopped
        if (contract.order, worths[-1]) not in done:
            continue  # the question was stopped before
        points, counted = done[contract.order, "points"].points, done[contract.order, worths[-1]]
        results.append(
            Odds(
                rules=rules,
                hand=(*sort_hand(known, rules, key), *(None for card in asked.cards if card is None)),
                seat=seat,
                contract=key,
                wins=wins_of(contract, counted.points),
                total=int(counted.points.counts.sum()),
                layouts=points.layouts,
                points=points,
                sample=counted.sample,
            )
        )
    if stopped:
        raise Interrupted(results)
    return results


def lone_contracts(rules: RuleSet, hand: Iterable[Card | None] | None = None) -> list[str]:
    """Contracts played alone against three, and if `hand` is given, that it may play."""
    held = None if hand is None else set(hand)
    return [
        key
        for key, contract in rules.contracts.items()
        if contract.sides == "soloist"
        and not isinstance(contract.goal, Honour)
        and (held is None or held.issuperset(contract.cards))
    ]


def check_contract(
    key: str, cards: Iterable[Card | None], known: frozenset[Card], rules: RuleSet, seat: int | None = None
) -> None:
    """Raises QueryError if a hand (`known` of its `cards`) may not play a contract alone, with play.

    seat: where; None asks only whether the contract is for such a hand at all.
    """
    contract = rules.contract(key)
    if isinstance(contract.goal, Honour):
        raise QueryError("contract-honour", contract=key)
    if contract.sides != "soloist":
        raise QueryError("contract-pairs", contract=key, choices=lone_contracts(rules))
    if not known.issuperset(contract.cards):
        shown = ["?" if card is None else card for card in cards]
        raise QueryError("contract-needs", contract=key, needs=contract.cards, cards=shown)
    if seat is not None:
        refuse_barred(rules, key, cards, seat)


def counts_tricks(contract: Contract, rules: RuleSet) -> bool:
    """Whether a contract for every trick cannot be told from points, because a trick may be worth nothing."""
    if not isinstance(contract.goal, EveryTrick):
        return False
    order = rules.orders[contract.order]
    worths = [*(order.worth(card) for card in order.cards), *(bonus + 1 for bonus in order.trick_bonus)]
    return min(worths) <= 0


def wins_of(contract: Contract, distribution: Distribution) -> int:
    """The layouts in which a lone player wins; where `counts_tricks` says so, of a distribution of tricks."""
    return distribution.at_least(least_to_win(contract, distribution))


def least_to_win(contract: Contract, distribution: Distribution) -> int:
    """How many points a lone player needs; where `counts_tricks` says so, how many tricks."""
    if isinstance(contract.goal, AtLeast):
        return contract.goal.at_least
    most = distribution.lowest + len(distribution.counts) - 1
    return most if isinstance(contract.goal, EveryTrick) else (distribution.lowest + most) // 2 + 1


class _Counted(NamedTuple):
    """The lone player's points (or tricks), the sample if it is one, and whether that was stopped before its end."""

    points: Distribution
    sample: Sample | None = None
    stopped: bool = False


def _looked_up(partial: PartialDeal, order: str, seat: int) -> _Counted | None:
    """The lone player's points from the packaged table, or None if there is none for these rules and cards.

    Only the seat's own cards are known; open cards of the hand stand for every card.
    """
    table = packaged_table(partial.rules, order)
    if table is None:
        return None
    known = partial.holds[seat - 1]
    free = sorted(partial.rules.pack.cards - known)
    hands = [known.union(more) for more in combinations(free, partial.rules.seats.hand_size - len(known))]
    if not all(hand in table for hand in hands):
        return None
    counts = sum(table.counts(hand, Role.LONE, seat) for hand in hands)
    return _Counted(Distribution(np.asarray(counts), table.lowest, partial.layouts))


def _solved(asked: Question, order: str, worth: Worth) -> _Counted:
    compiled = compile_order(asked.rules, order, worth)
    space = asked.partial.space(compiled)
    solvers = SolverPerThread(compiled, _TABLE_BITS)

    def chunk(ranks: NDArray[np.int64]) -> NDArray[np.int64]:
        counts = np.zeros(compiled.highest - compiled.lowest + 1, dtype=np.int64)
        solvers.get().histogram(space, ranks, 0, seat_mask([asked.seat]), compiled.lowest, counts)
        return counts

    counted = asked.chunks(chunk)
    return _Counted(Distribution(counted.counts, compiled.lowest, len(space)), counted.sample, counted.stopped)
