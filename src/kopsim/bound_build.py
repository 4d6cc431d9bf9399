"""Builds tables of bounds: for every hand that wins often enough at some seat, the closest decisions first.

What is done is kept beside the table as NAME.part every few seconds, so that an
interrupted build goes on where it stopped.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from kopsim._tablebase import EndgameTables, combination, twin_hand
from kopsim.barred import barred_hand
from kopsim.best_defence import best_defence
from kopsim.bound_table import UNKNOWN, Bound, BoundTable, Limits, no_limits, write_limits
from kopsim.calling_range import CallingRanges, range_hash, range_name
from kopsim.chance import check_seed
from kopsim.cluster import as_they_arrive, check_threads
from kopsim.errors import QueryError, TableError
from kopsim.hand_odds import check_contract
from kopsim.hand_wins import every_hands_wins
from kopsim.hidden_table import LAYOUTS, check_weighed, table_of
from kopsim.odds_table import hand_rank, packaged_table
from kopsim.play_out_table import packaged_play_outs
from kopsim.players import REVISION
from kopsim.reply_bound import reply_bound
from kopsim.rules import RuleSet
from kopsim.rules.model import SEATS
from kopsim.table_file import building, saved_meanwhile, writing
from kopsim.tablebase import Progress, silent, solved_endings
from kopsim.throwdowns.prover import check_throwable

LEAST = 0.2  # of layouts, won at some seat with open cards or in play, for a hand to matter
_FEW = 50  # hands, up to which solving every ending would take longer than it saves

_NEVER = (0.0,) * len(SEATS)
Task = tuple[int, int]  # number of a hand, seat


@dataclass
class _Build:
    """What is being built."""

    rules: RuleSet
    contract: str
    bound: Bound
    seed: int
    layouts: int
    ranges: CallingRanges | None
    limits: Limits
    endings: EndgameTables | None = None
    seconds: int = 0
    _began: float = field(default_factory=time.monotonic)

    def go_on(self, aside: Path, path: Path) -> None:
        """Takes over what an interrupted build has done, or a finished one of fewer hands."""
        for start in (aside, path):
            if not start.exists():
                continue
            try:
                before = BoundTable(start, self.rules, self.contract, self.bound)
            except TableError:
                before = None
            made = {} if before is None else before.header.made
            if before is not None and all(made.get(key) == value for key, value in self._asked().items()):
                self.limits, self.seconds = before.limits, made["seconds"]
                return
            if start == aside:
                raise TableError("table-part", file=aside.as_posix())

    def bounds(self, task: Task) -> tuple[int, int]:
        """Layouts won at least and at most by a hand at a seat."""
        number, seat = task
        asked: dict[str, Any] = {"seat": seat, "contract": self.contract, "rules": self.rules}
        hand = table_of(self.rules, self.contract).compiled.cards_of(combination(number, 4))
        if self.bound == "best-defence":
            planned = best_defence(hand, **asked)
            return planned.kept, planned.at_most
        if self.ranges is not None:
            asked["calling"] = self.ranges.expected(self.contract, seat, frozenset(hand))
        wins = reply_bound(hand, **asked, layouts=self.layouts, seed=self.seed, endings=self.endings).wins
        return wins, wins

    def save(self, path: Path) -> None:
        """Writes what is done so far."""
        seconds = self.seconds + round(time.monotonic() - self._began)
        made = self._asked() | {"seconds": seconds}
        write_limits(path, self.rules, self.contract, self.bound, self.limits, made)

    def _asked(self) -> dict[str, Any]:
        command = f"kopsim table build --method {self.bound} --contract {self.contract}"
        if self.bound == "best-defence":
            return {"command": command}
        told = {"seed": self.seed, "weighed": self.layouts, "defenders": "pimc", "revision": REVISION}
        if self.ranges is not None:
            command += f" --range {range_name(self.ranges)}"
            told["range"] = range_hash(self.ranges, self.contract)
        return {"command": f"{command} --seed {self.seed}"} | told


def build_bounds(
    rules: RuleSet,
    contract: str,
    bound: Bound,
    path: Path,
    *,
    seed: int = 0,
    layouts: int = LAYOUTS,
    ranges: CallingRanges | None = None,
    hands: list[int] | None = None,
    threads: int | None = None,
    progress: Progress = silent,
) -> None:
    """Computes a bound of hands that matter and writes the table; goes on with an interrupted build.

    contract: one that is announced and played alone; seed, layouts, ranges: for a reply bound,
    of pimc defenders and of what they believe of a caller, None for any hand; hands: numbers of
    those to compute, by rank of their masks, default all that win `LEAST` of all layouts at some
    seat with open cards or in play, by the packaged tables; threads: default the usable cores;
    progress: called with the stage ("endings", "hands"), how much is done and of how much.
    Raises QueryError or TableError saying what is wrong.
    """
    check_throwable(contract, rules)
    if rules.contract(contract).announced == "silent":
        raise QueryError("reply-silent", contract=contract)
    seed, layouts = check_seed(seed), check_weighed(layouts)
    for number in hands or ():
        hand = table_of(rules, contract).compiled.cards_of(combination(number, rules.seats.hand_size))
        check_contract(contract, frozenset(hand), frozenset(hand), rules)
    threads = check_threads(threads)
    chances = _chances(rules, contract)
    if hands is None and not chances:
        raise QueryError("table-none", rules=rules)
    wanted = sorted(chances) if hands is None else hands
    kernel = table_of(rules, contract).compiled.kernel
    try:
        twins = {number: twin_hand(kernel, number) for number in wanted}
    except ValueError:
        raise QueryError("tablebase-unfit", rules=rules, order=table_of(rules, contract).order) from None
    build = _Build(rules, contract, bound, seed, layouts, ranges, no_limits(rules))
    with building(path) as aside:
        build.go_on(aside, path)
        cards_of = table_of(rules, contract).compiled.cards_of
        once = {
            (min(number, twin), seat): {number, twin}
            for number, twin in twins.items()
            for seat in SEATS
            if not barred_hand(rules, contract, cards_of(combination(number, rules.seats.hand_size)), seat)
        }
        todo = [task for task in once if build.limits[task[0], task[1] - 1, 0] == UNKNOWN]
        todo.sort(key=lambda task: abs(chances.get(task[0], _NEVER)[task[1] - 1] - 0.5))
        if bound == "reply-bound" and len(todo) > _FEW:
            order = table_of(rules, contract).order
            build.endings = solved_endings(rules, order, threads=threads, progress=progress)
        saved_meanwhile(_one_by_one(build, todo, once, threads, progress), partial(build.save, aside))
        build.save(path)
        with writing(aside):
            aside.unlink(missing_ok=True)


def _one_by_one(
    build: _Build, todo: list[Task], once: Mapping[Task, set[int]], threads: int, progress: Progress
) -> Iterator[None]:
    """Computes what is to be done; `once` has the hands that a task stands for."""
    progress("hands", len(once) - len(todo), len(once))
    arriving = as_they_arrive(build.bounds, todo, threads=threads)
    for count, (task, found) in enumerate(arriving, start=len(once) - len(todo) + 1):
        build.limits[sorted(once[task]), task[1] - 1] = found
        progress("hands", count, len(once))
        yield


def _chances(rules: RuleSet, contract: str) -> dict[int, tuple[float, ...]]:
    """For each hand that matters by the packaged tables its chance at each seat, in play if it was played."""
    odds, played = packaged_table(rules, rules.contract(contract).order), packaged_play_outs(rules, contract)
    if odds is None:
        return {}
    mask = table_of(rules, contract).compiled.mask
    found = {}
    for row in every_hands_wins(odds, rules, contract):
        open_cards = tuple((wins or 0) / row.layouts for wins in row.wins)
        known = [None if played is None else played.estimate(row.hand, seat) for seat in SEATS]
        in_play = tuple(
            chance if each is None else each.probability for each, chance in zip(known, open_cards, strict=True)
        )
        if max(*open_cards, *in_play) >= LEAST:
            found[hand_rank(mask(row.hand))] = in_play
    return found
