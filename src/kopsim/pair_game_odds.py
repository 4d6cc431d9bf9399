"""The odds of contracts that pairs play, game and wesele, for one hand at one seat.

Nobody knows his partner; here the sides are those of each layout.  In a game a hand with
one old card is old, one with neither is young, unless another player holds both and says
nothing: then he plays alone against three.  "Double dummy" throughout, as in `kopsim.hand_odds`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from kopsim.barred import refuse_barred
from kopsim.cards import Card, Cards, Pattern
from kopsim.deals import sort_hand
from kopsim.double_dummy import SolverPerThread
from kopsim.errors import QueryError
from kopsim.interrupted import Interrupted
from kopsim.layout_sides import barred_layouts, must_announce, sides_by_role
from kopsim.odds_question import Counted, Distribution, Progress, Question, Sample, ask
from kopsim.odds_table import packaged_table
from kopsim.roles import Role
from kopsim.rules import RuleSet
from kopsim.rules.compile import CompiledOrder, compile_order
from kopsim.rules.model import SEATS
from kopsim.scoring import Grade, Score, scores_by_points
from kopsim.shown import Shown
from kopsim.statistics import Interval, Mean, bounded_mean, share_interval, variance_of
from kopsim.values import Value

_TABLE_BITS = 14
_WITH_OTHERS = {*Role} - {Role.LONE}


@dataclass(frozen=True, eq=False)
class RoleOdds(Value):
    """What a hand gets in the layouts in which it has one role.

    contract: what is played then; points: distribution of the own side's points;
    won, lost: layouts by grade; payments: layouts by what the hand itself is paid, undoubled.
    """

    role: Role
    contract: str
    points: Distribution
    won: dict[Grade, int]
    lost: dict[Grade, int]
    payments: dict[int, int]

    @property
    def paid(self) -> int:
        """Sum of the payments."""
        return sum(payment * count for payment, count in self.payments.items())

    @property
    def total(self) -> int:
        """Layouts counted in this role."""
        return int(self.points.counts.sum())

    @property
    def wins(self) -> int:
        """Those that the own side wins."""
        return sum(self.won.values())


@dataclass(frozen=True)
class PairOdds(Shown):
    """The odds of a pair game for one hand at one seat, double dummy; `total` layouts were counted, of `layouts`.

    bounds: what the hand can be paid at least and at most, undoubled.
    """

    rules: RuleSet
    hand: tuple[Card, ...]
    seat: int
    contract: str
    roles: tuple[RoleOdds, ...]
    layouts: int
    bounds: tuple[int, int]
    sample: Sample | None

    @property
    def exact(self) -> bool:
        """Whether every layout was solved."""
        return self.sample is None

    @property
    def total(self) -> int:
        """Layouts counted."""
        return sum(role.total for role in self.roles)

    @property
    def wins(self) -> int:
        """Those that the own side wins."""
        return sum(role.wins for role in self.roles)

    @property
    def probability(self) -> Fraction:
        """The chance that the own side wins."""
        return Fraction(self.wins, self.total)

    @property
    def interval(self) -> Interval:
        """95 % interval of the probability, a point if exact."""
        share = self.wins / self.total
        return (share, share) if self.exact else share_interval(share, self.total)

    @property
    def mean_payment(self) -> Fraction:
        """What the hand is paid on average, undoubled."""
        return Fraction(sum(role.paid for role in self.roles), self.total)

    @property
    def payment(self) -> Mean:
        """The mean payment with its 95 % interval, within what the hand can be paid."""
        mean = float(self.mean_payment)
        if self.exact:
            return Mean.exact(mean)
        paid = sum(role.paid for role in self.roles)
        squares = sum(payment**2 * count for role in self.roles for payment, count in role.payments.items())
        return bounded_mean(mean, variance_of(paid, squares, self.total), self.total, self.bounds)


def pair_odds(
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
    progress: Progress | None = None,
) -> PairOdds:
    """The odds of a pair contract; parameters as of `kopsim.hand_odds.odds_of_contracts`.

    Where the rules bar hands from being played alone in silence, layouts in which another
    seat holds such a hand are left out, for it would have announced something.
    A sample that is stopped by Ctrl-C is told with `kopsim.Interrupted`.
    A hand with all the old cards has no odds of a game, since that is another contract
    when its holder is silent, and other hands have none of a wesele.
    Raises CardError, DealError or QueryError saying what is wrong.
    """
    asked = ask(
        hand, seat=seat, holds=holds, lacks=lacks, rules=rules, samples=samples, seed=seed, threads=threads,
        progress=progress,
    )  # fmt: skip
    results = _results(asked, contract)
    order = asked.rules.contract(contract).order
    in_table = use_table and asked.sample is None and asked.alone
    found, sample, stopped = _looked_up(asked, order) if in_table else None, asked.sample, False
    if found is None:
        counted = _solved(asked, order)
        found, sample, stopped = counted.counts, counted.sample, counted.stopped
    roles = tuple(_role_odds(role, results[role], found[role], asked) for role in results if found[role].any())
    paid = [_own(role, score) for role, scores in results.items() for score in scores]
    told = PairOdds(
        rules=asked.rules,
        hand=sort_hand(asked.known, asked.rules),
        seat=asked.seat,
        contract=contract,
        roles=roles,
        layouts=asked.partial.layouts,
        bounds=(min(paid), max(paid)),
        sample=sample,
    )
    if stopped:
        raise Interrupted(told)
    return told


def _results(asked: Question, contract: str) -> dict[Role, list[Score]]:
    """The roles the hand can have, each with the result by the old side's points."""
    rules, record = asked.rules, asked.rules.contract(contract)
    if record.sides == "soloist":
        raise QueryError("contract-alone", contract=contract)
    if None in asked.cards:
        raise QueryError("pair-any", contract=contract)
    alone, held = rules.silent("soloist"), asked.known.intersection(record.cards)
    results = scores_by_points(contract, (1, 2), rules=rules)
    if record.sides == "partner":
        if len(held) < len(record.cards):
            cards = sort_hand(asked.known, rules)
            raise QueryError("contract-needs", contract=contract, needs=record.cards, cards=cards)
        refuse_barred(rules, contract, asked.cards, asked.seat)
        return {Role.WESELE: results}
    if len(held) == len(record.cards):
        raise QueryError("pair-all", contract=contract, cards=record.cards, alone=[] if alone is None else [alone])
    if held:
        return {Role.OLD: results}
    against = {Role.AGAINST: scores_by_points(alone, 1, rules=rules)} if alone is not None else {}
    return {Role.YOUNG: results, **against}


def _role_odds(role: Role, results: list[Score], counts: NDArray[np.int64], asked: Question) -> RoleOdds:
    """What the counts of the own side's points mean in one role."""
    old = role in (Role.OLD, Role.WESELE)
    won: dict[Grade, int] = {}
    lost: dict[Grade, int] = {}
    payments: Counter[int] = Counter()
    for points, count in enumerate(counts):
        result = results[points if old else len(counts) - 1 - points]
        if count:
            side = won if result.won == old else lost
            side[result.grade] = side.get(result.grade, 0) + int(count)
            payments[_own(role, result)] += int(count)
    points_of = Distribution(counts, 0, asked.partial.layouts)
    return RoleOdds(role, results[0].contract, points_of, won, lost, dict(payments))


def _own(role: Role, result: Score) -> int:
    """What the hand itself is paid: in the results seat 1 is of the old side, seat 4 of the young."""
    return result.payments[0 if role in (Role.OLD, Role.WESELE) else 3]


def _looked_up(asked: Question, order: str) -> NDArray[np.int64] | None:
    """Roles x points of the own side from the packaged table; None if it does not have them."""
    table = packaged_table(asked.rules, order)
    if table is None or asked.known not in table:
        return None
    # The table knows nothing of bars: it counts layouts in which another seat would have had to announce.
    count = _RoleCounts(asked, order)
    barred = count(barred_layouts(asked.known, asked.seat, asked.rules, count.compiled))
    return np.stack([table.counts(asked.known, role, asked.seat) - barred[role] for role in Role])


def _solved(asked: Question, order: str) -> Counted:
    """The same by solving every layout for the hand's side in it."""
    count = _RoleCounts(asked, order)
    space = asked.partial.space(count.compiled)

    def chunk(ranks: NDArray[np.int64]) -> NDArray[np.int64]:
        layouts = np.empty((len(ranks), 4), dtype=np.uint64)
        space.unrank_many(ranks, layouts)
        for other in {*SEATS} - {asked.seat}:
            layouts = layouts[~must_announce(layouts[:, other - 1], other, count.compiled, asked.rules)]
        return count(layouts)

    return asked.chunks(chunk)


class _RoleCounts:
    """Counts the own side's points by role in any layouts of a question, solving each."""

    def __init__(self, asked: Question, order: str) -> None:
        self.compiled: CompiledOrder = compile_order(asked.rules, order)
        self._asked, self._order = asked, order
        self._solvers = SolverPerThread(self.compiled, _TABLE_BITS)

    def __call__(self, layouts: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Roles x points; layouts: n x 4 masks in the bits of the order."""
        counts = np.zeros((len(Role), self.compiled.highest + 1), dtype=np.int64)
        by_role = sides_by_role(layouts, self._asked.seat - 1, self.compiled, self._asked.rules, self._order)
        for role, sides in by_role:
            for side in np.unique(sides[sides > 0]) if role in _WITH_OTHERS else ():
                rows = np.ascontiguousarray(layouts[sides == side])
                points = np.zeros(len(rows), dtype=np.int16)
                self._solvers.get().values(rows, 0, int(side), points)
                counts[role] += np.bincount(points, minlength=counts.shape[1])
        return counts
