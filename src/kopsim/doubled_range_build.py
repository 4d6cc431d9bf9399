"""Finds calling ranges that close on themselves while defenders double when it pays them.

Whether a hand calls depends on what the call earns doubled, that on when defenders double,
and both on which hands call.  Round by round the calls of the ranges are played, the
doublings balanced, and every hand takes the call that then earns it most; until no hand
changes its call by more than the error of its figures.
"""

from __future__ import annotations

import glob
import time
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from math import hypot
from pathlib import Path
from typing import Any

from kopsim.barred import barred_hand
from kopsim.bidding import PASS
from kopsim.calling_range import CallingRanges, range_hash, read_ranges, write_ranges
from kopsim.calling_range_build import SURE, Callers, Frozen, changes, frozen, residual
from kopsim.chance import check_seed
from kopsim.cluster import check_threads
from kopsim.deals import every_hand
from kopsim.errors import QueryError, RuleError, TableError
from kopsim.kontra_build import DEALS, build_kontra
from kopsim.kontra_table import KontraTable, callers_hash
from kopsim.play_out_table import PlayOutTable
from kopsim.quantities import counted
from kopsim.rules.model import SEATS
from kopsim.statistics import Mean
from kopsim.table_file import building, writing
from kopsim.tablebase import Progress, silent

_ROUNDS = 8


def build_doubled_ranges(
    ranges: CallingRanges,
    tables: Mapping[str, PlayOutTable],
    path: Path,
    *,
    deals: int = DEALS,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress = silent,
) -> CallingRanges:
    """Finds the ranges and writes them; goes on with an interrupted build, round by round.

    ranges: to begin with, undoubled; tables: play-outs by contract, "pass" and whatever else
    a hand may do instead; deals: of each hand of a range in a round; seed: of layouts and
    players; progress: as for `build_kontra`.
    Raises QueryError or TableError saying what is wrong.
    """
    seed, deals = check_seed(seed), counted(deals, "deals", "deals-bad")
    threads, began = check_threads(threads), time.monotonic()
    told: dict[str, Any] = {
        "command": f"kopsim range double FILE --seed {seed} --deals {deals}",
        "doubled": True,
        "seed": seed,
        "deals": deals,
        "begun_with": " ".join(str(range_hash(ranges, contract))[:12] for contract in ranges.contracts),
    }
    if PASS not in tables:
        raise QueryError("range-tables", rules=ranges.rules)
    with building(path) as aside:
        found = _begun(aside, ranges, told)
        played = partial(_played, aside, deals=deals, threads=threads, progress=progress)
        before, settled = found.made.get("seconds", 0), found.made.get("settled", False)

        while not settled and len(found.rounds) < _ROUNDS * len(found.contracts):
            callers, close = next_callers(found, played(found, seed), tables)
            rounds = changes(found, callers, close)
            settled = not any(any(each.joined) or any(each.left) for each in rounds)
            made = told | {"seconds": before + round(time.monotonic() - began), "settled": settled}
            found = CallingRanges(found.rules, callers, close, made, (*found.rounds, *rounds))
            write_ranges(found, aside)
        # The rounds share their chance; with other chance hands near the border may do otherwise.
        callers, _ = next_callers(found, played(found, seed + 1), tables)
        made = {**found.made, "seconds": before + round(time.monotonic() - began)}
        found = replace(found, made=made | residual(found, callers))
        write_ranges(found, path)
        with writing(aside):
            for each in (aside, *aside.parent.glob(f"{glob.escape(aside.name)}.*.kontra")):
                each.unlink(missing_ok=True)
    return found


def _begun(aside: Path, ranges: CallingRanges, told: Mapping[str, Any]) -> CallingRanges:
    """What an interrupted build found, or the ranges to begin with."""
    if not aside.exists():
        return CallingRanges(ranges.rules, ranges.callers, ranges.close)
    try:
        before = read_ranges(aside, ranges.rules)
    except RuleError:
        raise TableError("table-part", file=aside.as_posix()) from None
    if any(before.made.get(key) != value for key, value in told.items()):
        raise TableError("table-part", file=aside.as_posix())
    return before


def _played(
    aside: Path, ranges: CallingRanges, seed: int, *, deals: int, threads: int, progress: Progress
) -> dict[str, KontraTable]:
    """The calls of ranges played and doubled, kept beside the file for a build that is interrupted."""
    found = {}
    for contract in ranges.contracts:
        known = callers_hash(ranges, contract)
        file = aside.with_name(f"{aside.name}.{contract}.{known}.{seed}.{deals}.kontra")
        if not file.exists():
            build_kontra(ranges, contract, file, deals=deals, seed=seed, threads=threads, progress=progress)
        found[contract] = KontraTable(file, ranges.rules, contract)
    return found


def next_callers(
    ranges: CallingRanges, kontra: Mapping[str, KontraTable], tables: Mapping[str, PlayOutTable]
) -> tuple[Frozen, Frozen]:
    """Who calls what when it is doubled as the tables say, and of whom that is too close to tell.

    kontra: by contract, of these ranges; tables: play-outs of what a hand may do instead.
    Where figures do not tell, a hand goes on doing what it did.
    """
    callers: Callers = {key: set() for key in ranges.callers}
    close: Callers = {key: set() for key in ranges.callers}
    for hand in map(frozenset, every_hand(ranges.rules)):
        for seat in SEATS:
            known: dict[str, Mean] = {
                contract: paid.answered
                for contract, table in kontra.items()
                if (paid := table.payment(hand, seat)) is not None
                and barred_hand(ranges.rules, contract, hand, seat) is None
            }
            others = [table.estimate(hand, seat) for contract, table in tables.items() if contract not in kontra]
            passing = [each.payment for each in others if each is not None]
            if not known or not passing:
                continue
            known[PASS] = max(passing, key=lambda each: each.value)
            best, second = sorted(known, key=lambda call: known[call].value, reverse=True)[:2]
            held = next((call for call in kontra if hand in ranges.callers[call, seat]), PASS)
            if known[best].value - known[second].value <= SURE * hypot(known[best].error, known[second].error):
                for call in {best, second} - {PASS}:
                    close[call, seat].add(hand)
                best = held if held in (best, second) else best
            if best != PASS:
                callers[best, seat].add(hand)
    return frozen(callers), frozen(close)
