"""Proved bounds of every hand that matters, at every seat, in one small file.

The body is a zlib block of hands x seats x 2 whole numbers: layouts won at least and at
most, -1 where nothing was computed; hands by the rank of their bit mask.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from kopsim.cards import Card, Cards
from kopsim.deals import PartialDeal, check_hand, check_seat
from kopsim.errors import TableError
from kopsim.hidden_table import table_of
from kopsim.odds_table import hand_rank
from kopsim.play_out_table import play_hash
from kopsim.resources import MOST_KEPT, data_path
from kopsim.rules import RuleSet
from kopsim.rules.model import SEATS
from kopsim.table_file import HEADER, header_for, header_of, read_header, write_table

Bound = Literal["best-defence", "reply-bound"]
BOUNDS: tuple[Bound, ...] = get_args(Bound)
Limits = NDArray[np.int32]
UNKNOWN = -1


@dataclass(frozen=True)
class Bracket:
    """Of `layouts` a hand wins at least and at most so many, proved; the same where it is known exactly."""

    least: int
    most: int
    layouts: int

    @property
    def exact(self) -> bool:
        """Whether the bounds meet."""
        return self.least == self.most

    @property
    def probability(self) -> float:
        """The share of layouts won at least."""
        return self.least / self.layouts


class BoundTable:
    """An open table of one bound of one contract.

    Raises TableError if the file is damaged or made for other rules, another contract or bound.
    """

    def __init__(self, path: Path, rules: RuleSet, contract: str, bound: Bound) -> None:
        table = table_of(rules, contract)
        self.header = header_of(path, "bounds", rules, table.order)
        self.rules, self.contract, self.bound = rules, contract, bound
        made = self.header.made
        if (made.get("contract"), made.get("bound")) != (contract, bound):
            told = f"{made.get('contract')}, {made.get('bound')}"
            raise TableError("table-contract", file=path.as_posix(), made=told)
        if made.get("play_hash") != play_hash(rules, contract):
            raise TableError("table-rules", file=path.as_posix(), made=self.header.rules, rules=rules)
        body = path.read_bytes()[HEADER:]
        if hashlib.sha256(body).hexdigest() != self.header.sha256:
            raise TableError("table-damaged", file=path.as_posix())
        self._compiled = table.compiled
        self.limits: Limits = (
            np.frombuffer(zlib.decompress(body), dtype="<i4").reshape(self.header.shape).astype(np.int32)
        )

    def bracket(self, hand: Cards, seat: int) -> Bracket | None:
        """The bounds of a hand at a seat (1-4); None where they were not computed."""
        cards, seat = check_hand(hand, self.rules), check_seat(seat)
        least, most = map(int, self.limits[hand_rank(self._compiled.mask(cards)), seat - 1])
        if least == UNKNOWN:
            return None
        return Bracket(least, most, PartialDeal.of({seat: cards}, rules=self.rules).layouts)

    @property
    def hands(self) -> list[tuple[Card, ...]]:
        """Every hand in the table, strongest first, each sorted by strength."""
        every = combinations(reversed(self._compiled.cards), self._compiled.kernel.hand_size)
        return [hand for hand in every if (self.limits[hand_rank(self._compiled.mask(hand))] != UNKNOWN).any()]


def write_limits(
    path: Path, rules: RuleSet, contract: str, bound: Bound, limits: Limits, made: Mapping[str, Any]
) -> None:
    """Writes a table, a finished one or one to go on with; raises TableError if it cannot.

    limits: hands x seats x 2; made: command, seconds and so on for the header.
    """
    body = zlib.compress(limits.astype("<i4").tobytes(), 9)
    digest = hashlib.sha256(body).hexdigest()
    told = {**made, "contract": contract, "bound": bound, "play_hash": play_hash(rules, contract)}
    header = header_for("bounds", rules, table_of(rules, contract).order, limits.shape, len(body), digest, told)
    write_table(path, header, body)


def no_limits(rules: RuleSet) -> Limits:
    """Nothing computed yet."""
    return np.full((comb(len(rules.pack.cards), rules.seats.hand_size), len(SEATS), 2), UNKNOWN, dtype=np.int32)


@lru_cache(maxsize=MOST_KEPT)
def packaged_bounds(rules: RuleSet, contract: str, bound: Bound, expected: str | None = None) -> BoundTable | None:
    """The table that came with kopsim for these rules, or None.

    expected: of a reply bound the hash of the range (`range_hash`) that defenders believe a caller of, None for any
    hand.
    """
    for path in sorted(data_path("bounds").glob("*.bounds")):
        made = read_header(path).made
        asked = (made["contract"], made["bound"], made.get("range")) == (contract, bound, expected)
        if asked and made["play_hash"] == play_hash(rules, contract):
            return BoundTable(path, rules, contract, bound)
    return None
