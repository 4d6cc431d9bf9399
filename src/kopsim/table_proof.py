"""Checks a table against solving anew."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from kopsim._tablebase import DEALS, HANDS, deal_hands
from kopsim.cards import format_cards
from kopsim.chance import check_seed
from kopsim.cluster import as_they_arrive
from kopsim.deals_table import COLUMNS, DealsTable
from kopsim.double_dummy import solve_many
from kopsim.errors import TableError
from kopsim.odds_search import HandChunk, count_hand
from kopsim.odds_table import OddsTable
from kopsim.quantities import counted
from kopsim.roles import Role, order_hash
from kopsim.rules import RuleSet
from kopsim.rules.compile import compile_order
from kopsim.rules.model import SEATS
from kopsim.seats import seats_of
from kopsim.table_file import Header, read_header
from kopsim.tablebase import Progress, silent


@dataclass(frozen=True)
class Proof:
    """What was compared: hands of an odds table or deals of a deals table, and which of them differ."""

    kind: str
    compared: int
    different: tuple[str, ...]


def verify_table(
    path: Path,
    rules: RuleSet,
    *,
    samples: int = 0,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress = silent,
) -> Proof:
    """Opens a table with all its checks and solves a random part of it anew, by search.

    samples: so many hands (default 8) or deals (default 200,000); at least as many
    as there are means all.
    Raises TableError if the table is damaged or of other rules.
    """
    rng, samples = np.random.default_rng(check_seed(seed)), counted(samples, "samples", "verify-bad", 0)
    header = read_header(path)
    order = _order_of(header, rules, path)
    if header.kind == "odds":
        return _verify_odds(OddsTable(path, rules, order), rules, order, samples or 8, rng, threads, progress)
    return _verify_deals(DealsTable(path, rules, order), rules, order, samples or 200_000, rng, threads, progress)


def _order_of(header: Header, rules: RuleSet, path: Path) -> str:
    for order in rules.orders:
        if order_hash(rules, order) == header.order_hash:
            return order
    raise TableError("table-rules", file=path.as_posix(), made=header.rules, rules=rules)


def _verify_odds(
    table: OddsTable,
    rules: RuleSet,
    order: str,
    samples: int,
    rng: np.random.Generator,
    threads: int | None,
    progress: Progress,
) -> Proof:
    hands = table.hands
    drawn = sorted(rng.choice(len(hands), min(samples, len(hands)), replace=False))
    chunks = [HandChunk(rules, order, hands[number]) for number in drawn]
    different = []
    for done, (chunk, counts) in enumerate(as_they_arrive(count_hand, chunks, threads=threads), start=1):
        progress("hands", done, len(chunks))
        same = all(
            (table.counts(chunk.hand, role, seat) == counts[role, seat - 1]).all() for role in Role for seat in SEATS
        )
        if not same:
            different.append(format_cards(chunk.hand))
    return Proof("odds", len(chunks), tuple(different))


def _verify_deals(
    table: DealsTable,
    rules: RuleSet,
    order: str,
    samples: int,
    rng: np.random.Generator,
    threads: int | None,
    progress: Progress,
) -> Proof:
    compiled = compile_order(rules, order)
    per_hand = DEALS // HANDS
    numbers = np.arange(DEALS) if samples >= DEALS else np.sort(rng.choice(DEALS, samples, replace=False))
    contract = next(key for key, record in rules.contracts.items() if record.order == order)
    different = []
    for done, number in enumerate(firsts := np.unique(numbers // per_hand), start=1):
        first, last = np.searchsorted(numbers, [number * per_hand, (number + 1) * per_hand])
        ranks = numbers[first:last]
        hands = deal_hands(int(number))[ranks % per_hand]
        for column, coalition in enumerate(COLUMNS):
            side = seats_of(coalition)
            solved = solve_many(hands, side=side, rules=rules, contract=contract, threads=threads)
            for row in np.flatnonzero(solved != table.points[ranks, column]):
                shown = [format_cards(compiled.cards_of(int(mask))) for mask in hands[row]]
                different.append(f"{' | '.join(shown)}: {','.join(map(str, side))}")
        progress("deals", done, len(firsts))
    return Proof("deals", len(numbers), tuple(different))
