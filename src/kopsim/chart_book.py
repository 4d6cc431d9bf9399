"""All that a chart book of a rule set prints, worked out once: numbers of hands, plans, grids and the audit."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from kopsim.call_grid import CallGrid, call_grid, calling_pairs
from kopsim.calling_range import packaged_ranges, played_out
from kopsim.cards import Card
from kopsim.hand_wins import SeatWins, seat_wins
from kopsim.hidden_study import SeatWorth, seat_worths
from kopsim.kontra_pairs import KontraGrid, kontra_grid
from kopsim.kontra_table import packaged_kontra
from kopsim.measures import Biddable, Measures, biddable_hands, packaged_measures
from kopsim.odds_table import packaged_table
from kopsim.rules import RuleSet
from kopsim.rules.model import SEATS, AtLeast
from kopsim.table_file import Header
from kopsim.throwdowns.audit import Audit, audit
from kopsim.throwdowns.certificates import Step
from kopsim.throwdowns.find import Found, find
from kopsim.throwdowns.lists import list_ids, list_path, read_list
from kopsim.throwdowns.plans import one_order, shortest_plan
from kopsim.throwdowns.prover import Prover, certain_hands, throwable_contracts
from kopsim.values import Value

Hand = tuple[Card, ...]
Progress = Callable[[str, int, int], None]
_MOST_GRIDS = 4  # for a seat and contract, so that they fill one page


@dataclass(frozen=True)
class HandNumbers:
    """A hand that is worth thinking about, with what is known of it at each seat."""

    about: Biddable
    seats: tuple[Measures, ...]


@dataclass(frozen=True)
class CertainPlan:
    """How a hand wins for certain at some seats: by one order of its cards, or else by steps."""

    hand: Hand
    seats: tuple[int, ...]
    order: Hand
    steps: tuple[Step, ...]


@dataclass(frozen=True, eq=False)
class ContractPages(Value):
    """What the book has of one contract that is played alone.

    found: what wins for certain; strategy: by seat the grids of two cards, none for a contract
    that is not announced or that asks for every trick, and how many hands they leave out;
    worths: of the seats in play, or else wins with open cards; kontra: a grid for each defender and caller.
    """

    contract: str
    hands: tuple[HandNumbers, ...]
    found: Found
    plans: tuple[CertainPlan, ...]
    strategy: Mapping[int, tuple[Sequence[CallGrid], int]]
    worths: Sequence[SeatWorth]
    wins: Sequence[SeatWins]
    kontra: Sequence[KontraGrid]


@dataclass(frozen=True)
class ChartBook:
    """A whole book.

    audit: None where no list was printed for the rules; tables: what the numbers are read from, by contract.
    """

    rules: RuleSet
    contracts: tuple[ContractPages, ...]
    audit: Audit | None
    tables: tuple[tuple[str, Header], ...]


def chart_book(
    rules: RuleSet,
    *,
    contracts: Sequence[str] | None = None,
    hands: Collection[frozenset[Card]] | None = None,
    seats: Sequence[int] = SEATS,
    progress: Progress = lambda _stage, _done, _of: None,
) -> ChartBook:
    """Works a book out, in a minute or so.

    contracts, hands, seats: only these, of those that would be in it; seats of its strategy
    and kontra charts, numbers are always for all four.
    progress: called with stage, how much was done and of how much.
    Raises QueryError for rules whose certain wins cannot be searched for.
    """
    printed = read_list(list_path(rules.id), rules) if rules.id in list_ids() else None
    audited = None if printed is None else audit(printed, rules)
    pages = []
    asked = [key for key in throwable_contracts(rules) if contracts is None or key in contracts]
    for done, contract in enumerate(asked, start=1):
        known = {} if audited is None else audited.certain
        certain = known[contract] if contract in known else certain_hands(rules, contract)
        about = [
            each for each in biddable_hands(rules, contract, certain) if hands is None or frozenset(each.hand) in hands
        ]
        announced = rules.contract(contract).announced != "silent"
        for_points = isinstance(rules.contract(contract).goal, AtLeast)
        kept = {hand: at for hand, at in certain.items() if hands is None or frozenset(hand) in hands}
        pages.append(
            ContractPages(
                contract,
                tuple(HandNumbers(each, tuple(packaged_measures(rules, each.hand, contract))) for each in about),
                find(rules, contract, certain=certain),
                tuple(_plans(rules, contract, kept)),
                {seat: _grids(rules, contract, seat) for seat in seats} if announced and for_points else {},
                *_seat_values(rules, contract, announced),
                _kontra(rules, contract, seats) if announced and for_points else [],
            )
        )
        progress("book", done, len(asked))
    return ChartBook(rules, tuple(pages), audited, tuple(_tables(rules, asked)))


def _tables(rules: RuleSet, contracts: Sequence[str]) -> Iterator[tuple[str, Header]]:
    """The headers of the packaged tables of some contracts, each once."""
    told = set()
    for contract in contracts:
        found = (
            packaged_table(rules, rules.contract(contract).order),
            played_out(rules, contract),
            packaged_kontra(rules, contract),
        )
        for table in found:
            if table is not None and table.header.sha256 not in told:
                told.add(table.header.sha256)
                yield contract, table.header


def _plans(rules: RuleSet, contract: str, certain: dict[Hand, tuple[int, ...]]) -> list[CertainPlan]:
    """The plans of each hand; seats at which the same one wins together."""
    prover = Prover(rules, contract)
    told: dict[Hand, dict[tuple[Hand, tuple[Step, ...]], tuple[int, ...]]] = {hand: {} for hand in certain}
    for seat in SEATS:  # seat by seat, since the prover's table is for one
        for hand, at in certain.items():
            if seat in at:
                start = prover.start(hand, seat)
                order = one_order(prover, start)
                plan = (order, () if order else shortest_plan(prover, start))
                told[hand][plan] = (*told[hand].get(plan, ()), seat)
    return [
        CertainPlan(hand, seats, order, steps)
        for hand, plans in told.items()
        for (order, steps), seats in plans.items()
    ]


def _grids(rules: RuleSet, contract: str, seat: int) -> tuple[list[CallGrid], int]:
    if packaged_table(rules, rules.contract(contract).order) is None and packaged_ranges(rules) is None:
        return [], 0
    pairs = calling_pairs(rules, contract, seat)
    grids = [call_grid(rules, contract, seat, pair, lower=True) for pair, _ in pairs[:_MOST_GRIDS]]
    return grids, sum(count for _, count in pairs[_MOST_GRIDS:])


def _seat_values(rules: RuleSet, contract: str, announced: bool) -> tuple[list[SeatWorth], list[SeatWins]]:
    """What seats are worth in play where that is known, else with open cards."""
    ranges = packaged_ranges(rules)
    if announced and ranges is not None and contract in ranges.contracts:
        return seat_worths(rules, contract, ranges), []
    table = packaged_table(rules, rules.contract(contract).order)
    return [], [] if table is None or not announced else seat_wins(table, rules, contract)


def _kontra(rules: RuleSet, contract: str, seats: Sequence[int]) -> list[KontraGrid]:
    if packaged_kontra(rules, contract) is None:
        return []
    return [kontra_grid(rules, contract, seat, caller) for seat in seats for caller in SEATS if caller != seat]
