"""How often a lone player wins with a hand: exact over all layouts, or sampled with an interval.

"Double dummy" throughout: in each layout all four play perfectly with open
cards.  It is a yardstick, not a bound for play with hidden hands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from kopsim.cards import Card, parse_cards, parse_pattern
from kopsim.cluster import check_threads, in_chunks, spans
from kopsim.deals import PartialDeal, check_hand, check_seat, sort_hand
from kopsim.double_dummy import SolverPerThread, seat_mask
from kopsim.errors import QueryError
from kopsim.odds_table import packaged_table
from kopsim.roles import Role
from kopsim.rules import Contract, RuleSet, load_rules
from kopsim.rules.compile import Worth, compile_order
from kopsim.rules.model import AtLeast, EveryTrick, Honour

_CHUNK = 4096
_TABLE_BITS = 16
_MOST_LAYOUTS = 20_000_000  # a minute or two; more than three cards left open in Kop never need

Pattern = str | Iterable[Card | None]
Cards = str | Iterable[Card]
Progress = Callable[[int], None]


@dataclass(frozen=True)
class Sample:
    """How a sample was drawn: independent layouts, all equally likely."""

    size: int
    seed: int


@dataclass(frozen=True, eq=False)
class Distribution:
    """How many layouts give the side how many points.

    counts[i]: layouts in which it takes lowest + i points; layouts: how many
    there are in all, more than the counts add up to when sampled.
    """

    counts: NDArray[np.int64]
    lowest: int
    layouts: int

    def at_least(self, points: int) -> int:
        """Layouts counted with at least so many points."""
        return int(self.counts[max(points - self.lowest, 0) :].sum())


@dataclass(frozen=True, eq=False)
class Odds:
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
    def interval(self) -> tuple[float, float]:
        """95 % interval of the probability: a point if exact, Wilson's score interval if sampled."""
        if self.exact:
            return float(self.probability), float(self.probability)
        from scipy.stats import binomtest  # slow to import, and rarely needed

        low, high = binomtest(self.wins, self.total).proportion_ci(0.95, method="wilson")
        return float(low), float(high)


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

    Raises CardError, DealError or QueryError saying what is wrong.
    """
    rules = rules or load_rules()
    cards = parse_pattern(hand) if isinstance(hand, str) else tuple(hand)
    known = check_hand(cards, rules)
    check_seat(seat)
    for key in contracts:
        check_contract(key, cards, known, rules)
    if samples is not None and not 1 <= samples <= _MOST_LAYOUTS:
        raise QueryError("samples-bad", count=samples, most=_MOST_LAYOUTS)
    check_threads(threads)
    if seed < 0:
        raise QueryError("seed-bad", seed=seed)
    held, lacked = _as_cards(holds), _as_cards(lacks)
    partial = PartialDeal.of({**held, seat: known | held.get(seat, frozenset())}, lacked, rules)
    in_table = use_table and samples is None and not any(held.values()) and not any(lacked.values())
    if samples is None and partial.layouts > _MOST_LAYOUTS:
        raise QueryError("layouts-most", count=partial.layouts, most=_MOST_LAYOUTS)
    sample = None if samples is None else Sample(samples, seed)
    done: dict[tuple[str, Worth], Distribution] = {}

    def distribution(order: str, worth: Worth) -> Distribution:
        if (order, worth) not in done:
            found = _looked_up(partial, order, seat) if in_table and worth == "points" else None
            done[order, worth] = found or _distribution(partial, order, worth, seat, sample, threads, progress)
        return done[order, worth]

    results = []
    for key in contracts:
        contract = rules.contract(key)
        points = distribution(contract.order, "points")
        counted = distribution(contract.order, "tricks") if counts_tricks(contract, rules) else points
        results.append(
            Odds(
                rules=rules,
                hand=(*sort_hand(known, rules), *(None for card in cards if card is None)),
                seat=seat,
                contract=key,
                wins=wins_of(contract, counted),
                total=int(points.counts.sum()),
                layouts=points.layouts,
                points=points,
                sample=sample,
            )
        )
    return results


def _as_cards(known: Mapping[int, Cards] | None) -> dict[int, frozenset[Card]]:
    return {
        seat: frozenset(parse_cards(cards) if isinstance(cards, str) else cards)
        for seat, cards in (known or {}).items()
    }


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


def check_contract(key: str, cards: Iterable[Card | None], known: frozenset[Card], rules: RuleSet) -> None:
    """Raises QueryError if a hand (`known` of its `cards`) may not play a contract alone, with play."""
    contract = rules.contract(key)
    if isinstance(contract.goal, Honour):
        raise QueryError("contract-honour", contract=key)
    if contract.sides != "soloist":
        raise QueryError("contract-pairs", contract=key, choices=lone_contracts(rules) or "–")
    if not known.issuperset(contract.cards):
        shown = ["?" if card is None else card for card in cards]
        raise QueryError("contract-needs", contract=key, needs=contract.cards, cards=shown)


def counts_tricks(contract: Contract, rules: RuleSet) -> bool:
    """Whether a contract for every trick cannot be told from points, because a trick may be worth nothing."""
    order = rules.orders[contract.order]
    worths = [*(order.worth(card) for card in order.cards), *(bonus + 1 for bonus in order.trick_bonus)]
    return isinstance(contract.goal, EveryTrick) and min(worths) <= 0


def wins_of(contract: Contract, distribution: Distribution) -> int:
    """The layouts in which a lone player wins; where `counts_tricks` says so, of a distribution of tricks."""
    if isinstance(contract.goal, AtLeast):
        return distribution.at_least(contract.goal.at_least)
    most = distribution.lowest + len(distribution.counts) - 1
    if isinstance(contract.goal, EveryTrick):
        return distribution.at_least(most)
    return distribution.at_least((distribution.lowest + most) // 2 + 1)


def _looked_up(partial: PartialDeal, order: str, seat: int) -> Distribution | None:
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
    return Distribution(np.asarray(counts), table.lowest, partial.layouts)


def _distribution(
    partial: PartialDeal,
    order: str,
    worth: Worth,
    seat: int,
    sample: Sample | None,
    threads: int | None,
    progress: Progress | None,
) -> Distribution:
    compiled = compile_order(partial.rules, order, worth)
    space = partial.space(compiled)
    size = sample.size if sample else len(space)
    drawn = np.random.default_rng(sample.seed).integers(0, len(space), sample.size) if sample else None
    solvers = SolverPerThread(compiled, _TABLE_BITS)

    def chunk(span: tuple[int, int]) -> NDArray[np.int64]:
        counts = np.zeros(compiled.highest - compiled.lowest + 1, dtype=np.int64)
        ranks = np.arange(*span) if drawn is None else drawn[slice(*span)]
        solvers.get().histogram(space, ranks, 0, seat_mask([seat]), compiled.lowest, counts)
        if progress:
            progress(span[1] - span[0])
        return counts

    counts = sum(in_chunks(chunk, spans(size, _CHUNK), threads))
    return Distribution(np.asarray(counts, dtype=np.int64), compiled.lowest, len(space))
