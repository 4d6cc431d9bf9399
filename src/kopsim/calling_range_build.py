"""Finds calling ranges that close on themselves.

Which hands call a contract depends on what it earns, that on what the defenders expect
the caller to hold, and that on which hands call.  Round by round every hand takes the
call that earns it most on average against defenders who expect the ranges of the round
before, until no hand changes its call by more than the error of its figures.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from kopsim._tablebase import EndgameTables
from kopsim.bidding import PASS, barred_call
from kopsim.calling_range import CallingRanges, Round, alike_hands, read_ranges, write_ranges
from kopsim.chance import check_seed
from kopsim.cluster import as_they_arrive, check_threads
from kopsim.deals import Hand, every_hand
from kopsim.errors import QueryError, RuleError, TableError
from kopsim.growing_estimate import GrowingEstimate
from kopsim.hidden_table import LAYOUTS, CallingRange, check_weighed, table_of
from kopsim.play_out import Estimate, make_setting
from kopsim.play_out_table import PlayOutTable
from kopsim.rules import RuleSet
from kopsim.rules.model import SEATS
from kopsim.table_file import building, writing
from kopsim.tablebase import Progress, silent, solved_endings

_SLACK = 1.0  # points by which a call may earn more against a range than against any hand
_MOST = 4096  # deals of a hand with one call in a round
SURE = 1.4  # times a 95 % interval: the figures are looked at up to eight times
_ROUNDS = 12
_FEW = 50  # questions, up to which solving every ending would take longer than it saves

Callers = dict[tuple[str, int], set[Hand]]  # by contract and seat
Frozen = dict[tuple[str, int], CallingRange]


@dataclass(frozen=True)
class _Search:
    """What does not change from round to round.

    tables: play-outs where any hand may have called; calls: lone contracts that others may
    expect; endings: solved ones by card order.
    """

    rules: RuleSet
    tables: Mapping[str, PlayOutTable]
    calls: tuple[str, ...]
    seed: int
    layouts: int
    endings: dict[str, EndgameTables] = field(default_factory=dict)

    def by_any_hand(self, hand: Hand, seat: int) -> dict[str, Estimate]:
        """What a hand earns with each contract where any hand may have called it."""
        known = {
            contract: table.estimate(hand, seat)
            for contract, table in self.tables.items()
            if contract == PASS or barred_call(self.rules, contract, hand, seat) is None
        }
        return {contract: found for contract, found in known.items() if found is not None}

    def expecting(self, call: str, hand: Hand, seat: int, ranges: CallingRanges) -> GrowingEstimate:
        """Play-outs against others who expect a range."""
        rules, calling = self.rules, ranges.expected(call, seat, hand)
        setting = make_setting(sorted(hand), seat, call, "pimc", None, calling, self.layouts, self.seed, rules)
        return GrowingEstimate(setting, self.endings.get(setting.table.order))


@dataclass(frozen=True)
class _Question:
    """A hand at a seat, and what it might call; `alike`: it and the hand that differs by equal cards only."""

    hand: Hand
    alike: frozenset[Hand]
    seat: int
    calls: tuple[str, ...]
    otherwise: Estimate


def build_ranges(
    rules: RuleSet,
    tables: Mapping[str, PlayOutTable],
    path: Path,
    *,
    seed: int = 0,
    layouts: int = LAYOUTS,
    threads: int | None = None,
    progress: Progress = silent,
) -> CallingRanges:
    """Finds the ranges of lone contracts and writes them; goes on with an interrupted build, round by round.

    tables: play-outs by contract, made without a range: "pass", at least one lone contract
    that is announced, and whatever else a hand may call instead; path: of the file; seed:
    of layouts and players; layouts: that they weigh; threads: default the usable cores;
    progress: called with the stage ("endings", "hands"), how much is done and of how much.
    Raises QueryError or TableError saying what is wrong.
    """
    seed, layouts = check_seed(seed), check_weighed(layouts)
    calls = tuple(sorted(key for key in tables if key != PASS and _is_lone_call(rules, key)))
    if PASS not in tables or not calls:
        raise QueryError("range-tables", rules=rules)
    threads, began = check_threads(threads), time.monotonic()
    with building(path) as aside:
        search = _Search(rules, tables, calls, seed, layouts)
        made: dict[str, Any] = {"command": f"kopsim range build --seed {seed}", "seed": seed, "weighed": layouts}
        made |= {"deals": _MOST, "players": "pimc"}
        made["tables"] = ", ".join(f"{key} {tables[key].header.sha256[:12]}" for key in sorted(tables))
        questions = list(_questions(search))
        if not questions:
            raise QueryError("range-tables", rules=rules)
        if len(questions) > _FEW:
            for order in {table_of(rules, call).order for call in calls}:
                search.endings[order] = solved_endings(rules, order, threads=threads, progress=progress)
        ranges = _begun(aside, rules, made) or _first(search, questions)
        before, settled = ranges.made.get("seconds", 0), ranges.made.get("settled", False)
        while not settled and len(ranges.rounds) < _ROUNDS * len(calls):
            callers, close = _round(search, questions, ranges, threads, progress)
            rounds = changes(ranges, callers, close)
            settled = not any(any(each.joined) or any(each.left) for each in rounds)
            told = made | {"seconds": before + round(time.monotonic() - began), "settled": settled}
            ranges = CallingRanges(rules, callers, close, told, (*ranges.rounds, *rounds))
            write_ranges(ranges, aside)
        # The rounds share their chance; with other chance hands near the border may do otherwise.
        callers, _ = _round(replace(search, seed=seed + 1), questions, ranges, threads, progress)
        told = {**ranges.made, "seconds": before + round(time.monotonic() - began)}
        ranges = replace(ranges, made=told | residual(ranges, callers))
        write_ranges(ranges, path)
        with writing(aside):
            aside.unlink()
    return ranges


def _is_lone_call(rules: RuleSet, contract: str) -> bool:
    """Whether a contract is announced, and played alone."""
    return table_of(rules, contract).soloist is not None and rules.contract(contract).announced != "silent"


def _begun(aside: Path, rules: RuleSet, made: Mapping[str, Any]) -> CallingRanges | None:
    """What an interrupted build found."""
    if not aside.exists():
        return None
    try:
        before = read_ranges(aside, rules)
    except RuleError:
        raise TableError("table-part", file=aside.as_posix()) from None
    if any(before.made.get(key) != value for key, value in made.items()):
        raise TableError("table-part", file=aside.as_posix())
    return before


def _questions(search: _Search) -> Iterator[_Question]:
    """Each hand and seat where a call may earn more than all else, once for hands alike."""
    compiled = table_of(search.rules, search.calls[0]).compiled
    for hand in map(frozenset, every_hand(search.rules)):
        alike = alike_hands(search.rules, search.calls[0], hand)
        if hand != min(alike, key=compiled.mask):
            continue
        for seat in SEATS:
            known = search.by_any_hand(hand, seat)
            if PASS not in known:
                continue
            others = [found for contract, found in known.items() if contract not in search.calls]
            otherwise = max(others, key=lambda found: found.payment.value)
            hopeful = [
                call
                for call in search.calls
                if call in known and known[call].payment.value + _SLACK > otherwise.payment.value
            ]
            if hopeful:
                yield _Question(hand, alike, seat, tuple(hopeful), otherwise)


def _first(search: _Search, questions: Sequence[_Question]) -> CallingRanges:
    """The hands whose call earns most where any hand may have called."""
    callers: Callers = {(call, seat): set() for call in search.calls for seat in SEATS}
    for asked in questions:
        known = search.by_any_hand(asked.hand, asked.seat)
        best = max(asked.calls, key=lambda call: known[call].payment.value)
        if known[best].payment.value > asked.otherwise.payment.value:
            callers[best, asked.seat] |= asked.alike
    return CallingRanges(search.rules, frozen(callers))


def _round(
    search: _Search, questions: Sequence[_Question], ranges: CallingRanges, threads: int, progress: Progress
) -> tuple[Frozen, Frozen]:
    """Who calls against others who expect the ranges, and of whom that is too close to tell."""
    callers: Callers = {key: set() for key in ranges.callers}
    close: Callers = {key: set() for key in ranges.callers}
    progress("hands", 0, len(questions))
    arriving = as_they_arrive(partial(_best_call, search, ranges), questions, threads=threads)
    for count, (asked, (call, contest)) in enumerate(arriving, start=1):
        if call is not None:
            callers[call, asked.seat] |= asked.alike
        for each in contest:
            close[each, asked.seat] |= asked.alike
        progress("hands", count, len(questions))
    return frozen(callers), frozen(close)


def _best_call(search: _Search, ranges: CallingRanges, asked: _Question) -> tuple[str | None, set[str]]:
    """The call of a hand, None for none; and the calls of which figures do not tell whether they are better or worse.

    Where they do not tell, a hand goes on doing what it did.
    """
    playing = {call: search.expecting(call, asked.hand, asked.seat, ranges) for call in asked.calls}
    before = next((call for call in asked.calls if asked.hand in ranges.callers[call, asked.seat]), None)
    for each in playing.values():
        each.grow()
    while True:
        found: dict[str | None, Estimate] = {None: asked.otherwise}
        found |= {call: each.found for call, each in playing.items()}
        best, second = sorted(found, key=lambda call: found[call].payment.value, reverse=True)[:2]
        gap = found[best].payment.value - found[second].payment.value
        if gap > SURE * math.hypot(found[best].payment.error, found[second].payment.error):
            return best, set()
        growing = [playing[call] for call in (best, second) if call is not None and _may_grow(found[call])]
        if not growing:
            contest = {best, second}
            return before if before in contest else best, {call for call in contest if call is not None}
        for each in growing:
            each.grow()


def _may_grow(found: Estimate) -> bool:
    return found.deals < min(_MOST, found.layouts)


def residual(ranges: CallingRanges, callers: Frozen) -> dict[str, int]:
    """How many hands would do otherwise by another count."""
    return {
        "would_join": sum(len(callers[key] - ranges.callers[key]) for key in callers),
        "would_leave": sum(len(ranges.callers[key] - callers[key]) for key in callers),
    }


def changes(before: CallingRanges, callers: Frozen, close: Frozen) -> list[Round]:
    """A round in numbers, contract by contract."""

    def counted(call: str, hands: Callable[[tuple[str, int]], CallingRange]) -> tuple[int, int, int, int]:
        first, second, third, fourth = (len(hands((call, seat))) for seat in SEATS)
        return first, second, third, fourth

    return [
        Round(
            contract=call,
            number=len(before.rounds) // len(before.contracts) + 1,
            hands=counted(call, lambda key: callers[key]),
            joined=counted(call, lambda key: callers[key] - before.callers[key]),
            left=counted(call, lambda key: before.callers[key] - callers[key]),
            close=counted(call, lambda key: close[key]),
        )
        for call in before.contracts
    ]


def frozen(hands: Callers) -> Frozen:
    """The same hands, no longer to be changed."""
    return {key: frozenset(group) for key, group in hands.items()}
