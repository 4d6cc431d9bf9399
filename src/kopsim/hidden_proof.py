"""Checks tables of hidden hands against playing or searching a random part of them anew."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from kopsim.best_defence import best_defence
from kopsim.bound_table import BOUNDS, BoundTable
from kopsim.called_deals import play_call
from kopsim.calling_range import CallingRanges, alike_hands, packaged_ranges, range_hash
from kopsim.cards import Card, format_cards
from kopsim.chance import check_seed
from kopsim.cluster import as_they_arrive
from kopsim.deals import every_hand
from kopsim.errors import TableError
from kopsim.hidden_table import table_of
from kopsim.kontra_table import KontraTable
from kopsim.play_out import play_out
from kopsim.play_out_table import PlayOutTable
from kopsim.players import REVISION
from kopsim.quantities import counted
from kopsim.reply_bound import reply_bound
from kopsim.rules import RuleSet
from kopsim.rules.model import SEATS
from kopsim.table_file import read_header
from kopsim.table_proof import Proof
from kopsim.tablebase import Progress, silent

_SAMPLES = 8
_Row = tuple[tuple[Card, ...], int]  # hand, seat


def verify_hidden(
    path: Path,
    rules: RuleSet,
    *,
    samples: int = 0,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress = silent,
) -> Proof:
    """Opens a table of play-outs, bounds or kontra with all its checks and does a random part of it anew.

    samples: so many hands, each at one seat; default 8.  Deals that tell of four hands at
    once cannot be done anew one by one; of such tables only hands that were played alone are drawn.
    Raises TableError if the table is damaged or of other rules or older players, added up
    from several, or made with a range that did not come with kopsim.
    """
    samples, seed = counted(samples, "samples", "verify-bad", 0), check_seed(seed)
    made = read_header(path).made
    if made.get("revision", REVISION if made.get("bound") == "best-defence" else 1) != REVISION:
        raise TableError("verify-revision", file=path.as_posix())
    contract = str(made.get("contract"))
    if read_header(path).kind == "kontra":
        return _verify_kontra(path, KontraTable(path, rules, contract), samples, seed, threads, progress)
    for bound in BOUNDS:
        if made.get("bound") == bound:
            return _verify_bounds(path, BoundTable(path, rules, contract, bound), samples, seed, threads, progress)
    return _verify_played(path, PlayOutTable(path, rules, contract), samples, seed, threads, progress)


def _verify_played(
    path: Path, table: PlayOutTable, samples: int, seed: int, threads: int | None, progress: Progress
) -> Proof:
    rules, contract, made = table.rules, table.contract, table.header.made
    if len(made["seeds"]) != 1:
        raise TableError("verify-merged", file=path.as_posix())
    ranges = _range_of(made, rules, contract, path)

    def same(row: _Row) -> bool:
        hand, seat = row
        told = table.estimate(hand, seat)
        calling = None if ranges is None else ranges.expected(contract, seat, frozenset(hand))
        asked: dict[str, Any] = {"layouts": made["weighed"], "seed": made["seeds"][0], "rules": rules, "threads": 1}
        if told is None:
            return False
        again = play_out(hand, seat=seat, contract=contract, deals=told.deals, calling=calling, **asked)
        return (told.wins, told.paid, told.paid_squared) == (again.wins, again.paid, again.paid_squared)

    rows = [
        (hand, seat)
        for hand in _played_hands(rules, contract, table.hands)
        for seat in SEATS
        if (told := table.estimate(hand, seat)) is not None and not told.repeats
    ]
    if not rows:
        raise TableError("verify-nothing", file=path.as_posix())
    return _compared("play-out", rows, same, samples, seed, threads, progress)


def _played_hands(rules: RuleSet, contract: str, hands: Sequence[tuple[Card, ...]]) -> list[tuple[Card, ...]]:
    """Of hands alike but for equal cards the one that was played; its figures stand for all."""
    mask = table_of(rules, contract).compiled.mask
    return [hand for hand in hands if mask(hand) == min(map(mask, alike_hands(rules, contract, frozenset(hand))))]


def _range_of(made: Mapping[str, Any], rules: RuleSet, contract: str, path: Path) -> CallingRanges | None:
    """The range a table was made with."""
    expected = made.get("range")
    if expected is None:
        return None
    ranges = packaged_ranges(rules)
    if range_hash(ranges, contract) != expected:
        raise TableError("verify-range", file=path.as_posix())
    return ranges


def _verify_bounds(
    path: Path, table: BoundTable, samples: int, seed: int, threads: int | None, progress: Progress
) -> Proof:
    rules, contract, made = table.rules, table.contract, table.header.made
    ranges = _range_of(made, rules, contract, path)

    def same(row: _Row) -> bool:
        hand, seat = row
        told = table.bracket(hand, seat)
        calling = None if ranges is None else ranges.expected(contract, seat, frozenset(hand))
        if table.bound == "best-defence":
            again = best_defence(hand, seat=seat, contract=contract, rules=rules).bracket
            return told == again
        asked: dict[str, Any] = {"layouts": made["weighed"], "seed": made["seed"], "calling": calling}
        wins = reply_bound(hand, seat=seat, contract=contract, rules=rules, **asked).wins
        return told is not None and (told.least, told.most) == (wins, wins)

    hands = _played_hands(rules, contract, table.hands)
    rows = [(hand, seat) for hand in hands for seat in SEATS if table.bracket(hand, seat) is not None]
    return _compared("bounds", rows, same, samples, seed, threads, progress)


def _verify_kontra(
    path: Path, table: KontraTable, samples: int, seed: int, threads: int | None, progress: Progress
) -> Proof:
    """Plays callers anew; of a silent contract, whose callers are not paid doubled, there is nothing to compare."""
    rules, contract, made = table.rules, table.contract, table.header.made
    hands = _played_hands(rules, contract, every_hand(rules))
    rows = [(hand, seat) for hand in hands for seat in SEATS if table.payment(hand, seat) is not None]
    if not rows:
        raise TableError("verify-nothing", file=path.as_posix())
    ranges = _range_of(made, rules, contract, path) or CallingRanges(rules, {})

    def same(row: _Row) -> bool:
        hand, seat = row
        told = table.payment(hand, seat)
        if told is None:
            return False
        again = play_call(ranges, contract, seat, hand, deals=told.deals, layouts=made["weighed"], seed=made["seed"])
        return told.undoubled.value == float(again.paid[:, 0].sum()) / told.deals

    return _compared("kontra", rows, same, samples, seed, threads, progress)


def _compared(
    kind: str,
    rows: Sequence[_Row],
    same: Callable[[_Row], bool],
    samples: int,
    seed: int,
    threads: int | None,
    progress: Progress,
) -> Proof:
    rng = np.random.default_rng(seed)
    drawn = [
        rows[number] for number in sorted(rng.choice(len(rows), min(samples or _SAMPLES, len(rows)), replace=False))
    ]
    different = []
    for done, (row, alike) in enumerate(as_they_arrive(same, drawn, threads=threads), start=1):
        progress("hands", done, len(drawn))
        if not alike:
            different.append(f"{format_cards(row[0])}, {row[1]}")
    return Proof(kind, len(drawn), tuple(sorted(different)))
