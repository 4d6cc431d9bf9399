"""Builds kontra tables: calls of a range played out, and who doubles them in balance.

A seat of the caller after the other; those that are done are kept beside the table as
NAME.part, so that an interrupted build goes on.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kopsim._tablebase import EndgameTables
from kopsim.called_deals import PlayedCall, callers_of, play_call
from kopsim.calling_range import CallingRanges, range_hash
from kopsim.cards import Card
from kopsim.cluster import as_they_arrive, check_threads
from kopsim.doubling_balance import PLACES, Balance, CalledDeals, balance, best_rej
from kopsim.errors import QueryError, TableError
from kopsim.hidden_table import LAYOUTS, table_of
from kopsim.kontra_table import KontraTable, Numbers, empty_numbers, write_kontra
from kopsim.odds_table import hand_rank
from kopsim.play_out_table import packaged_play_outs
from kopsim.players import REVISION
from kopsim.rules import RuleSet
from kopsim.rules.model import SEATS
from kopsim.table_file import building, saved_meanwhile, writing
from kopsim.tablebase import Progress, silent, solved_endings

DEALS = 4096  # of each hand of a range
_MANY = 50_000  # deals, from which on solving every ending first saves more time than it takes
_LEAST = 0.2  # of deals won in play, for a hand outside the range to be worth telling what it would be paid

Hands = list[tuple[Card, ...]]


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
    rounds: list[int] = field(default_factory=list)
    unsettled: list[int] = field(default_factory=list)
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
            "command": f"kopsim table build --method kontra --contract {self.contract} --seed {self.seed}",
            "range": range_hash(self.ranges, self.contract),
            "deals": self.deals,
            "weighed": self.layouts,
            "seed": self.seed,
            "revision": REVISION,
        }

    def save(self, path: Path) -> None:
        """Writes what is done so far."""
        seconds = self.seconds + round(time.monotonic() - self._began)
        told = self.asked() | {"seconds": seconds, "rounds": self.rounds, "unsettled": self.unsettled}
        write_kontra(path, self.rules, self.contract, self.chart, self.callers, told)

    def play(self, seat: int, hand: Sequence[Card]) -> PlayedCall:
        """One hand that calls, or might."""
        asked = {"deals": self.deals, "layouts": self.layouts, "seed": self.seed}
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

    contract: one that the ranges have; deals: of each hand, all if there are no more;
    layouts: that the players weigh; seed: of layouts and players; outside: also tell what
    hands outside the range would be paid; threads: default the usable cores; progress:
    called with the stage ("endings", "hands"), how much is done and of how much.
    Raises QueryError or TableError saying what is wrong.
    """
    if seed < 0:
        raise QueryError("seed-bad", seed=seed)
    if deals < 1:
        raise QueryError("deals-bad", count=deals)
    rules, threads = ranges.rules, check_threads(threads)
    callers_of(ranges, contract, SEATS[0])
    build = _Build(ranges, contract, deals, layouts, seed, *empty_numbers(rules))
    with building(path) as aside:
        _go_on(build, aside)
        todo = [seat for seat in SEATS if not build.callers[:, seat - 1, 0].any()]
        wanted = {seat: (callers_of(ranges, contract, seat), _others(build, seat) if outside else []) for seat in todo}
        if deals * sum(map(len, chain.from_iterable(wanted.values()))) > _MANY:
            order = table_of(rules, contract).order
            build.endings = solved_endings(rules, order, threads=threads, progress=progress)
        saved_meanwhile(_seats(build, wanted, threads, progress), partial(build.save, aside))
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
    build.rounds, build.unsettled = made["rounds"], made["unsettled"]


def _seats(
    build: _Build, wanted: Mapping[int, tuple[Hands, Hands]], threads: int, progress: Progress
) -> Iterator[None]:
    """Plays the hands in the range and outside it, seat by seat."""
    total, done = sum(len(inside) + len(outside) for inside, outside in wanted.values()), 0
    for seat, (inside, outside) in wanted.items():
        played: dict[tuple[Card, ...], PlayedCall] = {}
        for hand, each in as_they_arrive(partial(build.play, seat), [*inside, *outside], threads=threads):
            played[hand] = each
            done += 1
            progress("hands", done, total)
        _store(build, seat, {hand: played[hand] for hand in inside}, {hand: played[hand] for hand in outside})
        yield


def _others(build: _Build, seat: int) -> Hands:
    """Hands outside the range that win often enough, by the packaged play-outs, for a player to think of calling."""
    table = packaged_play_outs(build.rules, build.contract)
    callers = build.ranges.callers[build.contract, seat]
    if table is None:
        return []
    known = ((hand, table.estimate(hand, seat)) for hand in table.hands if frozenset(hand) not in callers)
    return [hand for hand, told in known if told is not None and told.probability >= _LEAST]


def _store(
    build: _Build,
    seat: int,
    inside: dict[tuple[Card, ...], PlayedCall],
    outside: dict[tuple[Card, ...], PlayedCall],
) -> None:
    """Adds up one seat of the caller."""
    if not inside:
        return
    called = _called(build, list(inside.values()))
    found = balance(called)
    build.rounds.append(found.rounds)
    build.unsettled.append(found.unsettled)
    paid_open = np.concatenate([each.paid_open for each in inside.values()])
    for place in range(PLACES):
        holders = called.defenders[:, place]
        told = (np.ones(len(holders)), called.gain > 0, paid_open < 0)
        for column, weights in enumerate(told):
            build.chart[:, seat - 1, place, column] = np.bincount(holders, weights=weights, minlength=called.hands)
        build.chart[:, seat - 1, place, len(told)] = found.kontra[place]
    mask = table_of(build.rules, build.contract).compiled.mask
    for hand, played in [*inside.items(), *outside.items()]:
        build.callers[hand_rank(mask(hand)), seat - 1] = _payments(build, played, found)


def _payments(build: _Build, played: PlayedCall, found: Balance) -> list[int]:
    """What one caller is paid if the defenders double as found, with his own best answer."""
    own = _called(build, [played])
    answering = Balance(found.kontra, best_rej(own, found.kontra), found.rounds, found.unsettled)
    doubled = played.paid * answering.multipliers(own)
    sums = (played.paid, played.paid**2, doubled, doubled**2, answering.doubled(own))
    return [len(played.paid), *(int(each.sum()) for each in sums), *map(int, answering.rej[0])]


def _called(build: _Build, played: Sequence[PlayedCall]) -> CalledDeals:
    """Played calls in the terms of who doubles them."""
    defenders = np.concatenate([each.defenders for each in played])
    paid = np.concatenate([each.paid for each in played])
    return CalledDeals(
        soloist=np.repeat(np.arange(len(played)), [len(each.paid) for each in played]),
        defenders=_numbers(defenders),
        gain=-paid / PLACES,
        callers=len(played),
        hands=len(build.chart),
        multipliers=_multipliers(build.rules, build.contract),
    )


def _multipliers(rules: RuleSet, contract: str) -> tuple[int, int, int]:
    """Of a deal that nobody doubles, after kontra and after rej, as far as the contract allows them."""
    allowed = [
        multiplier
        for call, multiplier in zip(rules.doubling.calls, rules.doubling.multipliers, strict=True)
        if call in rules.contract(contract).doubling
    ]
    kontra, rej = (*allowed, *[allowed[-1] if allowed else 1] * 2)[:2]
    return 1, kontra, rej


def _numbers(masks: NDArray[np.uint64]) -> NDArray[np.int64]:
    """The numbers of hands by their masks."""
    known, places = np.unique(masks, return_inverse=True)
    ranks = np.array([hand_rank(int(mask)) for mask in known], dtype=np.int64)
    return ranks[places].reshape(masks.shape)
