"""Builds tables of play-outs: every hand at every seat, until the errors are as small as wanted.

Lone contracts and weseles are played hand by hand.  Where everybody passes, one deal
tells of all four hands, so deals are drawn from all deals, and counted is how much more
each hand was paid than with open cards; hands that hold both old cards, whose results
spread most, are played one by one as well.
What is done is kept beside the table as NAME.part every few seconds, so that an
interrupted build goes on where it stopped; a finished table is only made more precise.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kopsim._tablebase import HANDS, EndgameTables, combination, twin_hand
from kopsim.bidding import PASS
from kopsim.calling_range import CallingRanges, range_hash, range_name
from kopsim.cards import Card
from kopsim.chance import check_seed
from kopsim.cluster import as_they_arrive, check_threads
from kopsim.double_dummy import solve_sides
from kopsim.errors import QueryError, TableError
from kopsim.growing_estimate import GrowingEstimate
from kopsim.hidden_table import LAYOUTS, check_weighed, payments_of, table_of
from kopsim.odds_table import ranks_by_mask
from kopsim.pair_game_odds import pair_odds
from kopsim.play_out import Estimate, make_setting
from kopsim.play_out_table import (
    FIELDS,
    OPEN,
    PlayOutTable,
    Sums,
    empty_sums,
    estimate_of,
    told_alone,
    write_sums,
)
from kopsim.players import KINDS, REVISION
from kopsim.quantities import real_number
from kopsim.rules import RuleSet
from kopsim.rules.model import SEATS
from kopsim.statistics import LIKELY, half
from kopsim.table_file import building, saved_meanwhile, writing
from kopsim.tablebase import Progress, silent, solved_endings

WIDE, PAID = 0.02, 0.05  # halves of 95 % intervals: of a chance between LOW and HIGH, of a mean payment
_LOW, _HIGH = 0.2, 0.8
_SAME = ("seeds", "weighed", "players", "revision", "range")  # what must agree for a build to go on
_FIRST = 64  # deals, enough to see that a hand is hopeless
_SHARED = 4096
_CARDS, _HAND = 16, 4  # of the pack that hidden play is for
_FEW = 50  # hands, up to which solving every ending would take longer than it saves


@dataclass
class _Build:
    """What is being built."""

    rules: RuleSet
    contract: str
    seed: int
    layouts: int
    paid: float
    twins: NDArray[np.int64]  # of each hand the one that differs by equal cards only, or itself
    sums: Sums
    ranges: CallingRanges | None = None
    endings: EndgameTables | None = None
    chunks: int = 0  # shared deals: chunks that are in the sums
    seconds: float = 0.0
    _began: float = field(default_factory=time.monotonic)

    def made(self) -> dict[str, Any]:
        """For the header."""
        return {
            "command": f"kopsim table build --method play-out --contract {self.contract} --seed {self.seed}"
            f" --paid-error {self.paid} --range {range_name(self.ranges)}",
            "range": range_hash(self.ranges, self.contract),
            "seeds": (self.seed,),
            "seconds": round(self.seconds + time.monotonic() - self._began),
            "weighed": self.layouts,
            "players": "pimc",
            "revision": REVISION,
            "chunks": self.chunks,
            "paid": self.paid,
        }

    def found(self, number: int, seat: int) -> Estimate:
        """What was played of a hand at a seat so far."""
        hand = frozenset(_cards(self.rules, self.contract, number))
        sums = self.sums[number, seat - 1]
        return estimate_of(self.rules, self.contract, hand, seat, sums, repeats=False, from_open=False)

    def good(self, found: Estimate) -> bool:
        """Whether an estimate is as precise as is wanted."""
        if not found.deals or found.exact:
            return found.exact
        # Where nobody knows who plays alone, and in pairs, it is the payment that counts.
        if table_of(self.rules, self.contract).soloist is None:
            return found.payment.error <= self.paid
        # A chance counts where it calls for a decision.
        low, high = found.interval
        return high < _LOW or low > _HIGH or half(found.interval) <= WIDE

    def lacking(self, hands: Iterable[int]) -> list[int]:
        """Those of some hands that are not known well enough at every seat."""
        return [number for number in hands if not all(self.good(self.found(number, seat)) for seat in SEATS)]

    def save(self, path: Path) -> None:
        """Writes what is done so far."""
        write_sums(path, self.rules, self.contract, self.sums, self.made())


def build_play_outs(
    rules: RuleSet,
    contract: str,
    path: Path,
    *,
    seed: int = 0,
    layouts: int = LAYOUTS,
    paid: float = PAID,
    ranges: CallingRanges | None = None,
    hands: list[int] | None = None,
    threads: int | None = None,
    progress: Progress = silent,
) -> None:
    """Plays every hand out by pimc players and writes the table; goes on with an interrupted build.

    contract: one that is announced, or "pass"; path: of the table; seed: of the draws and the
    players' chance; layouts: that they weigh; paid: half the 95 % interval wanted of mean
    payments where chance is not what counts; ranges: what the others believe of a caller
    besides the hand he holds, default that any hand may call; hands: numbers of those to
    play, by rank of their masks, default all; threads: default the usable cores; progress:
    called with the stage ("endings", "hands", "deals"), how much is done and of how much.
    Raises QueryError or TableError saying what is wrong.
    """
    seed, layouts, paid = check_seed(seed), check_weighed(layouts), real_number(paid, "paid")
    if not 0 < paid < 100:
        raise QueryError("paid-bad", text=paid)
    threads = check_threads(threads)
    twins = _twins(rules, contract)
    alike = {min(number, int(twins[number])): {number, int(twins[number])} for number in hands or range(HANDS)}
    single = {
        number: both for number, both in alike.items() if told_alone(rules, contract, _cards(rules, contract, number))
    }
    if not single and contract != PASS:
        raise QueryError("table-no-hand", contract=contract)
    for number in list(single)[:1]:
        # Whatever cannot be played is refused now, before anything is built.
        make_setting(_cards(rules, contract, number), 1, contract, "pimc", None, None, layouts, seed, rules)
    with building(path) as aside:
        build = _Build(rules, contract, seed, layouts, paid, twins, empty_sums(rules), ranges)
        _go_on(build, aside, path)
        shared = [number for number in alike if number not in single] if contract == PASS else []
        if len(alike) > _FEW and (build.lacking(single) or _chunks_left(build, shared)):
            order = table_of(rules, contract).order
            build.endings = solved_endings(rules, order, threads=threads, progress=progress)
        steps = chain(_hand_by_hand(build, single, threads, progress), _shared_deals(build, shared, threads, progress))
        saved_meanwhile(steps, partial(build.save, aside))
        build.save(path)
        with writing(aside):
            aside.unlink(missing_ok=True)


def _go_on(build: _Build, aside: Path, path: Path) -> None:
    """Takes over what an interrupted build has done, or a finished one of less precision."""
    for start in (aside, path):
        if not start.exists():
            continue
        try:
            before = PlayOutTable(start, build.rules, build.contract)
        except TableError:
            before = None
        made, wanted = {} if before is None else before.header.made, build.made()
        if before is not None and all(made.get(key) == wanted[key] for key in _SAME):
            build.sums, build.chunks, build.seconds = before.sums, made["chunks"], made["seconds"]
            return
        if start == aside:
            raise TableError("table-part", file=aside.as_posix())


def _twins(rules: RuleSet, contract: str) -> NDArray[np.int64]:
    table = table_of(rules, contract)
    try:
        return np.array([twin_hand(table.compiled.kernel, number) for number in range(HANDS)])
    except ValueError:
        raise QueryError("tablebase-unfit", rules=rules, order=table.order) from None


def _cards(rules: RuleSet, contract: str, number: int) -> list[Card]:
    return table_of(rules, contract).compiled.cards_of(combination(number, 4))


def _hand_by_hand(build: _Build, alike: dict[int, set[int]], threads: int, progress: Progress) -> Iterator[None]:
    todo = build.lacking(alike)
    progress("hands", len(alike) - len(todo), len(alike))
    arriving = as_they_arrive(partial(_play_hand, build), todo, threads=threads)
    for count, (number, sums) in enumerate(arriving, start=len(alike) - len(todo) + 1):
        for each in alike[number]:
            build.sums[each] = sums
        progress("hands", count, len(alike))
        yield


def _play_hand(build: _Build, number: int) -> Sums:
    """Plays one hand at every seat until its errors are small enough."""
    hand = _cards(build.rules, build.contract, number)
    sums = np.zeros((len(SEATS), FIELDS), dtype=np.int64)
    for seat in SEATS:
        calling = None if build.ranges is None else build.ranges.expected(build.contract, seat, frozenset(hand))
        played = GrowingEstimate(
            make_setting(hand, seat, build.contract, "pimc", None, calling, build.layouts, build.seed, build.rules),
            build.endings,
        )
        played.grow(_FIRST)
        while not build.good(played.found):
            played.grow()
        found = played.found
        sums[seat - 1, :4] = found.deals, found.wins, found.paid, found.paid_squared
    return sums


def _shared_deals(build: _Build, hands: list[int], threads: int, progress: Progress) -> Iterator[None]:
    """Plays random deals, each of which tells of four hands, until the hands are known well enough."""
    doubled = np.flatnonzero(build.twins != np.arange(HANDS))
    wanted = np.zeros(HANDS, dtype=bool)
    for number in hands:
        both = [number, build.twins[number]]
        wanted[both] = True
        if not build.sums[number, :, OPEN].any():
            build.sums[both, :, OPEN] = _open_totals(build.rules, number)
    while (left := _chunks_left(build, hands)) > 0:
        numbers = range(build.chunks, build.chunks + min(left, 64))
        # Added up in whole rounds, so that an interruption leaves neither gaps nor chunks that are played twice.
        together = empty_sums(build.rules)
        for _, sums in as_they_arrive(partial(_play_shared, build), numbers, threads=threads):
            together += sums
        together[doubled] += together[build.twins[doubled]]
        together[~wanted] = 0
        build.sums, build.chunks = build.sums + together, numbers.stop
        progress("deals", build.chunks * _SHARED, (build.chunks + _chunks_left(build, hands)) * _SHARED)
        yield


def _chunks_left(build: _Build, hands: list[int]) -> int:
    """How many more chunks it takes, judged by the spread so far; at least a round to begin with."""
    if not hands:
        return 0
    if not build.chunks:
        return 64
    deals, _, _, _, apart, squared, _ = np.moveaxis(build.sums[hands].astype(float), -1, 0)
    if (deals < 2).any():
        return 64
    spread = (squared - apart**2 / deals) / (deals - 1)
    needed = spread * (LIKELY / build.paid) ** 2
    return int(np.ceil(build.chunks * max(0.0, float((needed / deals).max()) - 1)))


def _play_shared(build: _Build, chunk: int) -> Sums:
    """Plays one chunk of random deals."""
    rng = np.random.default_rng([build.seed, 1, chunk])
    cards = rng.permuted(np.tile(np.arange(_CARDS), (_SHARED, 1)), axis=1).reshape(_SHARED, len(SEATS), _HAND)
    deals = (np.uint64(1) << cards.astype(np.uint64)).sum(axis=2, dtype=np.uint64)
    declarers, points = np.empty(_SHARED, dtype=np.uint8), np.empty(_SHARED, dtype=np.int16)
    table = table_of(build.rules, PASS)
    numbers = np.arange(chunk * _SHARED, (chunk + 1) * _SHARED)
    players = table.kernel(build.layouts, build.seed, build.endings)
    players.play(deals, numbers, [KINDS["pimc"]] * len(SEATS), declarers, points)
    every = payments_of(table)
    solved = solve_sides(deals, declarers, contract=table.played_as, rules=build.rules, threads=1)
    paid, opened = every[declarers, points], every[declarers, solved]
    sums = empty_sums(build.rules)
    ranks, apart = ranks_by_mask(_CARDS, _HAND)[deals], paid - opened
    one, none = np.ones(_SHARED), np.zeros(_SHARED)
    for seat in range(len(SEATS)):
        own, more = paid[:, seat], apart[:, seat]
        told = np.stack([one, own > 0, own, own**2, more, more**2, none], axis=1)
        np.add.at(sums[:, seat], ranks[:, seat], told.astype(np.int64))
    return sums


def _open_totals(rules: RuleSet, number: int) -> list[int]:
    """What a hand is paid in all its layouts together at each seat where everybody passes, with open cards."""
    pairs = table_of(rules, PASS).played_as
    hand = _cards(rules, PASS, number)
    every = [pair_odds(hand, seat=seat, contract=pairs, rules=rules, threads=1) for seat in SEATS]
    return [sum(role.paid for role in each.roles) for each in every]
