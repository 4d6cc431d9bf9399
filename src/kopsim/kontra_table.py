"""When to say kontra, for every hand of a defender; and what callers are paid if defenders say it when it pays.

The body is a zlib block of two arrays of whole numbers, one after the other.  The chart,
hands x caller's seat x place x `CHART`: deals, lost in play, lost with open cards, whether
to say kontra, what that gains over not saying it, the squares of that.  The callers,
hands x seat x `CALLERS`: deals; payments and squares undoubled, then doubled and not
answered, then answered; deals doubled; for each place whether to answer its kontra.  Places
are defenders in the order in which they speak after the caller; hands go by the rank of their bit mask.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kopsim.calling_range import CallingRanges, call_hash, packaged_ranges, range_hash
from kopsim.cards import Card
from kopsim.deals import check_seat
from kopsim.doubling_balance import PLACES
from kopsim.errors import QueryError, TableError
from kopsim.hidden_table import payment_bounds, payments_of, table_of
from kopsim.odds_table import hand_rank
from kopsim.players import REVISION
from kopsim.resources import MOST_KEPT, data_path
from kopsim.rules import RuleSet
from kopsim.rules.model import SEATS
from kopsim.seats import seat_mask, speaking_after
from kopsim.statistics import FEW, Interval, Mean, bounded_mean, share_interval, variance_of
from kopsim.table_file import HEADER, header_for, header_of, read_header, write_table

CHART, CALLERS = 6, 8 + PLACES
Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class Kontra:
    """What a defender's own hand tells of a caller: of `deals` he loses so many in play, and with open cards.

    says: whether kontra earns the defender more than passing, given what the others do;
    None against a soloist who announces nothing, for then nobody knows whom he doubles.
    gain: what kontra earns him more than passing in all the deals together, and gain_squared
    the squares of that; 0 where one who speaks before him doubles anyway.  most: what it can
    earn or cost at most in a deal.  tolerance: that much the balance of all decisions lets go.
    """

    deals: int
    lost: int
    lost_open: int
    says: bool | None
    gain: int
    gain_squared: int
    most: int
    tolerance: float

    @property
    def probability(self) -> float:
        """The chance that the caller loses in play."""
        return self.lost / self.deals

    @property
    def interval(self) -> Interval:
        """95 % interval of that, Wilson's."""
        return share_interval(self.probability, self.deals)

    @property
    def probability_open(self) -> float:
        """The chance that the caller loses with open cards."""
        return self.lost_open / self.deals

    @property
    def mean_gain(self) -> Mean:
        """What kontra earns the defender more than passing, on average over all deals in which he holds this hand.

        With its 95 % interval, within what kontra can earn or cost.
        """
        variance = variance_of(self.gain, self.gain_squared, self.deals)
        return bounded_mean(self.gain / self.deals, variance, self.deals, (-self.most, self.most))

    @property
    def few(self) -> bool:
        """Whether the deals are too few to say anything."""
        return self.deals < FEW

    @property
    def close(self) -> bool:
        """Whether it cannot be told if kontra pays: within the error or the tolerance of the balance."""
        if not self.gain_squared:
            return False
        low, high = self.mean_gain.interval
        return low <= 0 <= high or abs(self.mean_gain.value) <= self.tolerance

    @property
    def rests_on_belief(self) -> bool:
        """Whether kontra is said though with open cards the caller wins most of these deals.

        Then it pays because of who is believed to call, and how he and his opponents play without seeing.
        """
        return self.says is True and 2 * self.lost_open < self.deals


@dataclass(frozen=True)
class DoubledPayment:
    """What a caller is paid on average over all deals, undoubled, and where defenders double when it pays them.

    doubled: if the caller never answers; answered: with his best answer.  The defenders have
    learned when to double, and the caller when to answer, from other deals than these.  kontra: the share of deals that
    are doubled; deals: how many were played; rej: seats whose kontra he answers.
    """

    undoubled: Mean
    doubled: Mean
    answered: Mean
    kontra: float
    deals: int
    rej: tuple[int, ...]


class KontraTable:
    """An open table of one contract.

    Raises TableError if the file is damaged or made for other rules or another contract.
    """

    def __init__(self, path: Path, rules: RuleSet, contract: str) -> None:
        table = table_of(rules, contract)
        self.header = header_of(path, "kontra", rules, table.order)
        self.rules, self.contract = rules, contract
        made = self.header.made
        if made.get("contract") != contract:
            raise TableError("table-contract", file=path.as_posix(), made=made.get("contract") or "?")
        if made.get("call_hash") != call_hash(rules, contract):
            raise TableError("table-rules", file=path.as_posix(), made=self.header.rules, rules=rules)
        body = path.read_bytes()[HEADER:]
        if hashlib.sha256(body).hexdigest() != self.header.sha256:
            raise TableError("table-damaged", file=path.as_posix())
        self._mask = table.compiled.mask
        self._times = multipliers_of(rules, contract)
        #: What somebody may still gain at most by deciding otherwise, in points a deal: the balance lets that much go.
        self.tolerance = float(max(made["tolerance"]))
        numbers = np.frombuffer(zlib.decompress(body), dtype="<i8").astype(np.int64)
        self.chart, self.callers = empty_numbers(rules)
        self.chart = numbers[: self.chart.size].reshape(self.chart.shape)
        self.callers = numbers[self.chart.size :].reshape(self.callers.shape)

    def kontra(self, hand: Iterable[Card], seat: int, caller: int) -> Kontra | None:
        """What a hand at a seat tells of a caller at another; None where no deal was played.

        Raises DealError for no seat, QueryError if it is the same seat.
        """
        if check_seat(seat) == check_seat(caller):
            raise QueryError("kontra-own", seat=seat)
        place = speaking_after(self.rules, caller).index(seat)
        told = self.chart[hand_rank(self._mask(frozenset(hand))), caller - 1, place]
        deals, lost, lost_open, says, gain, gain_squared = map(int, told)
        if not deals:
            return None
        silent = self.rules.contract(self.contract).announced == "silent"
        word = None if silent else bool(says)
        paid = payments_of(table_of(self.rules, self.contract, caller))[seat_mask([caller]), :, seat - 1]
        most = int(abs(paid).max()) * (self._times[-1] - 1)
        return Kontra(deals, lost, lost_open, word, gain, gain_squared, most, self.tolerance)

    def payment(self, hand: Iterable[Card], seat: int) -> DoubledPayment | None:
        """What a caller's hand is paid at a seat; None where it was not played."""
        numbers = map(int, self.callers[hand_rank(self._mask(frozenset(hand))), seat - 1])
        deals, paid, squared, doubled, doubled_squared, answered, answered_squared, words, *answers = numbers
        if not deals:
            return None
        least, most = payment_bounds(table_of(self.rules, self.contract, seat), frozenset(hand), seat)
        sums = ((paid, squared), (doubled, doubled_squared), (answered, answered_squared))
        undoubled, kontra, rej = (
            bounded_mean(total / deals, variance_of(total, squares, deals), deals, bounds)
            for (total, squares), times in zip(sums, self._times, strict=True)
            for bounds in [(least * times, most * times)]
        )
        answering = [each for each, answer in zip(speaking_after(self.rules, seat), answers, strict=True) if answer]
        return DoubledPayment(undoubled, kontra, rej, words / deals, deals, tuple(answering))

    def says(self, caller: int, place: int) -> NDArray[np.bool_]:
        """For every hand of the defender at a place whether it says kontra to a caller."""
        return np.asarray(self.chart[:, caller - 1, place, 3] == 1)

    def answers(self, caller: int) -> NDArray[np.bool_]:
        """For every hand of a caller whether it answers the kontra of each place."""
        return np.asarray(self.callers[:, caller - 1, -PLACES:] == 1)


def empty_numbers(rules: RuleSet) -> tuple[Numbers, Numbers]:
    """A chart and callers of which nothing is known yet."""
    hands = comb(len(rules.pack.cards), rules.seats.hand_size)
    seats = len(SEATS)
    return np.zeros((hands, seats, PLACES, CHART), dtype=np.int64), np.zeros((hands, seats, CALLERS), dtype=np.int64)


def write_kontra(
    path: Path, rules: RuleSet, contract: str, chart: Numbers, callers: Numbers, made: Mapping[str, Any]
) -> None:
    """Writes a table, a finished one or one to go on with; raises TableError if it cannot."""
    numbers = np.concatenate([chart.ravel(), callers.ravel()])
    body = zlib.compress(numbers.astype("<i8").tobytes(), 9)
    told = {**made, "contract": contract, "call_hash": call_hash(rules, contract)}
    digest = hashlib.sha256(body).hexdigest()
    order = table_of(rules, contract).order
    write_table(path, header_for("kontra", rules, order, numbers.shape, len(body), digest, told), body)


def multipliers_of(rules: RuleSet, contract: str) -> tuple[int, int, int]:
    """Of a deal that nobody doubles, after kontra and after rej, as far as the contract allows them."""
    allowed = rules.multipliers(contract)
    kontra, rej = (*allowed, *[allowed[-1] if allowed else 1] * 2)[:2]
    return 1, kontra, rej


def callers_hash(ranges: CallingRanges | None, contract: str) -> str | None:
    """SHA-256 of what decides who calls: the range, of a contract that is never announced all ranges."""
    if ranges is None or contract in ranges.contracts:
        return range_hash(ranges, contract)
    told = [range_hash(ranges, each) for each in ranges.contracts]
    return hashlib.sha256(repr(told).encode()).hexdigest()


@lru_cache(maxsize=MOST_KEPT)
def packaged_kontra(rules: RuleSet, contract: str) -> KontraTable | None:
    """The table that came with kopsim for these rules, the packaged range and these players, or None."""
    for path in sorted(data_path("kontra").glob("*.kontra")):
        made = read_header(path).made
        if made["contract"] != contract:
            continue
        expected = (call_hash(rules, contract), callers_hash(packaged_ranges(rules), contract), REVISION)
        if (made["call_hash"], made["range"], made["revision"]) == expected:
            return KontraTable(path, rules, contract)
    return None
