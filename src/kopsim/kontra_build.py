"""Builds kontra tables: calls of a range played out, and who doubles them in balance.

A seat of the caller after the other; those that are done are kept beside the table as
NAME.part, so that an interrupted build goes on.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kopsim._tablebase import HANDS, EndgameTables, combination, twin_hand
from kopsim.barred import barred_hand
from kopsim.called_deals import PlayedCall, callers_of, play_call
from kopsim.calling_range import CallingRanges
from kopsim.chance import check_seed
from kopsim.cluster import as_they_arrive, check_threads
from kopsim.deals import PartialDeal, every_hand
from kopsim.doubling_balance import PLACES, CalledDeals, balance, best_rej, gained, multiplied, said, sums_by_hand
from kopsim.errors import QueryError, TableError
from kopsim.hidden_table import LAYOUTS, check_weighed, table_of
from kopsim.kontra_table import KontraTable, Numbers, callers_hash, empty_numbers, multipliers_of, write_kontra
from kopsim.odds_table import hand_rank, ranks_by_mask
from kopsim.play_out_table import packaged_play_outs
from kopsim.players import REVISION
from kopsim.quantities import counted
from kopsim.rules import RuleSet
from kopsim.rules.model import SEATS
from kopsim.table_file import building, saved_meanwhile, writing
from kopsim.tablebase import Progress, silent, solved_endings
from kopsim.throwdowns.prover import check_throwable

DEALS = 4096  # of each hand of a range
_OUTSIDE = 2  # a hand outside the range is played in so many times fewer deals
_MANY = 50_000  # deals, from which on solving every ending first saves more time than it takes
_LEAST = 0.2  # of deals won in play, for a hand outside the range to be worth telling what it would be paid

Calls = dict[int, PlayedCall]  # by the number of the caller's hand


@dataclass
class _Build:
    """What is being built."""

    ranges: CallingRanges
    contract: str
    deals: int
    layouts: int
    seed: int
    chart: Numbers
    callers: Numbers
    outside: bool
    twins: NDArray[np.int64]  # of each hand the one that differs by equal cards only, or itself
    rounds: list[int] = field(default_factory=lambda: [0] * len(SEATS))
    tolerance: list[float] = field(default_factory=lambda: [0.0] * len(SEATS))
    endings: EndgameTables | None = None
    seconds: int = 0
    _began: float = field(default_factory=time.monotonic)

    @property
    def rules(self) -> RuleSet:
        """Of the ranges."""
        return self.ranges.rules

    def asked(self) -> dict[str, Any]:
        """What must agree for a build to go on."""
        return {
            "command": f"kopsim table build --method kontra --contract {self.contract} --seed {self.seed}"
            f" --deals {self.deals}",
            "range": callers_hash(self.ranges, self.contract),
            "deals": self.deals,
            "outside": self.outside,
            "weighed": self.layouts,
            "seed": self.seed,
            "revision": REVISION,
        }

    def save(self, path: Path) -> None:
        """Writes what is done so far."""
        seconds = self.seconds + round(time.monotonic() - self._began)
        told = self.asked() | {"seconds": seconds, "rounds": self.rounds, "tolerance": self.tolerance}
        write_kontra(path, self.rules, self.contract, self.chart, self.callers, told)

    def wanted(self, seat: int) -> tuple[dict[int, int], dict[int, int]]:
        """Hands in the range and outside it by number, and in how many deals each is played.

        Of hands alike but for equal cards one is played, in as many deals as both.
        """
        mask = table_of(self.rules, self.contract).compiled.mask
        inside: dict[int, int] = {}
        for hand in callers_of(self.ranges, self.contract, seat):
            number = self.first_alike(hand_rank(mask(hand)))
            inside[number] = inside.get(number, 0) + self.deals
        outside: dict[int, int] = {}
        table = packaged_play_outs(self.rules, self.contract) if self.outside else None
        if table is None:
            return inside, outside
        for hand in table.hands:
            told, number = table.estimate(hand, seat), self.first_alike(hand_rank(mask(hand)))
            barred = barred_hand(self.rules, self.contract, hand, seat)
            if number not in inside and told is not None and told.probability >= _LEAST and barred is None:
                outside[number] = -(-self.deals // _OUTSIDE)
        return inside, outside

    def first_alike(self, number: int) -> int:
        """Of a hand and the one that differs from it by equal cards only the one with the lower number."""
        return min(number, int(self.twins[number]))

    def play(self, seat: int, task: tuple[int, int]) -> PlayedCall:
        """One hand that calls, or might: its number, and in how many deals."""
        number, deals = task
        hand = table_of(self.rules, self.contract).compiled.cards_of(combination(number, self.rules.seats.hand_size))
        asked = {"deals": deals, "layouts": self.layouts, "seed": self.seed}
        return play_call(self.ranges, self.contract, seat, hand, endings=self.endings, **asked)


def build_kontra(
    ranges: CallingRanges,
    contract: str,
    path: Path,
    *,
    deals: int = DEALS,
    layouts: int = LAYOUTS,
    seed: int = 0,
    outside: bool = True,
    threads: int | None = None,
    progress: Progress = silent,
) -> None:
    """Plays the calls of a range and writes who should double them; goes on with an interrupted build.

    contract: one that the ranges have, or that is never announced and played alone; deals:
    of each hand, at most half of its layouts, since one hand may be played for two; layouts:
    that the players weigh; seed: of layouts and players; outside: also tell what hands
    outside the range would be paid; threads: default the usable cores; progress: called with
    the stage ("endings", "hands"), how much is done and of how much.
    Raises QueryError or TableError saying what is wrong.
    """
    seed, layouts = check_seed(seed), check_weighed(layouts)
    deals = counted(deals, "deals", "deals-bad")
    rules, threads = ranges.rules, check_threads(threads)
    check_throwable(contract, rules)
    callers_of(ranges, contract, SEATS[0])
    table = table_of(rules, contract)
    try:
        twins = np.array([twin_hand(table.compiled.kernel, number) for number in range(HANDS)])
    except ValueError:
        raise QueryError("tablebase-unfit", rules=rules, order=table.order) from None
    half = PartialDeal.of({SEATS[0]: every_hand(rules)[0]}, rules=rules).layouts // 2
    build = _Build(ranges, contract, min(deals, half), layouts, seed, *empty_numbers(rules), outside, twins)
    with building(path) as aside:
        _go_on(build, aside)
        todo = {seat: build.wanted(seat) for seat in SEATS if not build.chart[:, seat - 1, 0, 0].any()}
        if sum(chain.from_iterable(each.values() for both in todo.values() for each in both)) > _MANY:
            build.endings = solved_endings(rules, table.order, threads=threads, progress=progress)
        saved_meanwhile(_seats(build, todo, threads, progress), partial(build.save, aside))
        build.save(path)
        with writing(aside):
            aside.unlink(missing_ok=True)


def _go_on(build: _Build, aside: Path) -> None:
    """Takes over the seats that an interrupted build has done."""
    if not aside.exists():
        return
    before = KontraTable(aside, build.rules, build.contract)
    made = before.header.made
    if any(made.get(key) != value for key, value in build.asked().items()):
        raise TableError("table-part", file=aside.as_posix())
    build.chart, build.callers, build.seconds = before.chart, before.callers, made["seconds"]
    build.rounds, build.tolerance = list(made["rounds"]), list(made["tolerance"])


def _seats(
    build: _Build, todo: Mapping[int, tuple[dict[int, int], dict[int, int]]], threads: int, progress: Progress
) -> Iterator[None]:
    """Plays the hands in the range and outside it, seat by seat; a seat at which no hand calls is left empty."""
    total, done = sum(len(inside) + len(outside) for inside, outside in todo.values() if inside), 0
    for seat, (inside, outside) in todo.items():
        if not inside:
            continue
        played: Calls = {}
        for task, each in as_they_arrive(
            partial(build.play, seat), [*inside.items(), *outside.items()], threads=threads
        ):
            played[task[0]] = each
            done += 1
            progress("hands", done, total)
        _store(
            build, seat, {number: played[number] for number in inside}, {number: played[number] for number in outside}
        )
        yield


def _store(build: _Build, seat: int, inside: Calls, outside: Calls) -> None:
    """Adds up one seat of the caller."""
    called, half = _called(build, inside)
    chart = build.chart[:, seat - 1]
    lost_open = np.concatenate([each.lost_open for each in inside.values()])
    for place in range(PLACES):
        for column, told in enumerate((np.ones(len(half)), called.paid[:, 0] < 0, lost_open)):
            chart[:, place, column] = sums_by_hand(called, place, told)
    if build.rules.contract(build.contract).announced != "silent":
        found = balance(called)
        build.rounds[seat - 1], build.tolerance[seat - 1] = found.rounds, found.tolerance
        for place in range(PLACES):
            gain = gained(called, found.kontra, found.rej, place)
            chart[:, place, 3] = found.kontra[place]
            chart[:, place, 4] = sums_by_hand(called, place, gain)
            chart[:, place, 5] = sums_by_hand(called, place, gain**2)
        # Who doubles in one half of the deals has learned it from the other: nobody is paid for knowing these deals.
        learned = [balance(called.only(half == each)).kontra for each in (1, 0)]
        for number, played in [*inside.items(), *outside.items()]:
            both = [number, build.twins[number]]
            build.callers[both, seat - 1] = _payments(build, number, played, found.kontra, learned)
    # Defenders' hands that are alike were counted as one.
    other = np.flatnonzero(build.twins < np.arange(HANDS))
    chart[other] = chart[build.twins[other]]


def _payments(
    build: _Build, number: int, played: PlayedCall, kontra: NDArray[np.bool_], learned: list[NDArray[np.bool_]]
) -> list[int]:
    """What one caller is paid if the defenders double as they have learned, with his own best answer."""
    own, half = _called(build, {number: played})
    paid, words = own.paid[:, 0], np.zeros(len(half), dtype=bool)
    doubled, answered = paid.copy(), paid.copy()
    never = np.zeros((1, PLACES), dtype=bool)
    for each, said_there in enumerate(learned):
        here = own.only(half == each)
        answers = best_rej(own.only(half != each), said_there)
        doubled[half == each] = multiplied(here, said_there, never)[:, 0]
        answered[half == each] = multiplied(here, said_there, answers)[:, 0]
        words[half == each] = said(here, said_there)
    sums = (paid, paid**2, doubled, doubled**2, answered, answered**2, words)
    return [len(paid), *(int(each.sum()) for each in sums), *map(int, best_rej(own, kontra)[0])]


def _called(build: _Build, played: Calls) -> tuple[CalledDeals, NDArray[np.int64]]:
    """Played calls in the terms of who doubles them, and to which half (0, 1) each deal belongs."""
    counts = [len(each.paid) for each in played.values()]
    known = ranks_by_mask(len(build.rules.pack.cards), build.rules.seats.hand_size)
    numbers = known[np.concatenate([each.defenders for each in played.values()])]
    called = CalledDeals(
        soloist=np.repeat(np.arange(len(played)), counts),
        defenders=np.minimum(numbers, build.twins[numbers]),
        paid=np.concatenate([each.paid for each in played.values()]),
        callers=len(played),
        hands=HANDS,
        multipliers=multipliers_of(build.rules, build.contract),
    )
    return called, np.concatenate([np.arange(count) % 2 for count in counts])
