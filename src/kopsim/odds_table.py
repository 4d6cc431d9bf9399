"""Histograms of points for every hand, seat and role, packed in one small file.

The body is a list of places (one 64-bit offset a hand, -1 for a hand that is not
in the table; hands by the rank of their bit mask) and, behind it, zlib blocks of
roles x seats x (points + 1) counts.  Hands with the same histograms, such as
those that differ by equal black aces, share a block.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kopsim.cards import Card
from kopsim.errors import TableError
from kopsim.resources import MOST_KEPT, data_path
from kopsim.roles import Role, order_hash
from kopsim.rules import RuleSet
from kopsim.rules.compile import compile_order
from kopsim.table_file import HEADER, header_for, header_of, read_header, write_table

Counts = NDArray[np.int64]


def hand_rank(mask: int) -> int:
    """The number of a hand among all hands of its size: masks in order, smallest first."""
    bits = [bit for bit in range(mask.bit_length()) if mask >> bit & 1]
    return sum(comb(bit, place) for place, bit in enumerate(bits, start=1))


@lru_cache(maxsize=MOST_KEPT)
def ranks_by_mask(cards: int, size: int) -> NDArray[np.int64]:
    """The numbers of all hands of a size in a pack of so many cards, by their masks; -1 for what is no such hand."""
    ranks = np.full(1 << cards, -1, dtype=np.int64)
    masks = [mask for mask in range(1 << cards) if mask.bit_count() == size]
    ranks[masks] = np.arange(len(masks))
    ranks.flags.writeable = False  # one for all who ask
    return ranks


class OddsTable:
    """An open odds table.

    lowest: the points that the first count of a histogram stands for, 0 in Kop.
    Raises TableError if the file is damaged or made for other rules.
    """

    def __init__(self, path: Path, rules: RuleSet, order: str) -> None:
        self.path = path
        self.header = header_of(path, "odds", rules, order)
        with path.open("rb") as file:
            file.seek(HEADER)
            self._body = file.read()
        if hashlib.sha256(self._body).hexdigest() != self.header.sha256:
            raise TableError("table-damaged", file=path.as_posix())
        self._compiled = compile_order(rules, order)
        hands, self._roles, self._seats, self._places = self.header.shape
        self.lowest = self._compiled.lowest
        self._offsets = np.frombuffer(self._body, dtype="<i8", count=hands)
        self._ends = np.append(np.unique(self._offsets[self._offsets >= 0]), len(self._body))

    def __contains__(self, hand: Iterable[Card]) -> bool:
        return bool(self._offsets[hand_rank(self._compiled.mask(hand))] >= 0)

    def counts(self, hand: Iterable[Card], role: Role, seat: int) -> Counts:
        """How many layouts give so many points: index = points less the fewest possible (0 in Kop).

        hand: a hand in the table; seat: 1-4.  All zero where the hand cannot have
        the role.  Raises KeyError for a hand that is not in the table.
        """
        offset = int(self._offsets[hand_rank(self._compiled.mask(hand))])
        if offset < 0:
            raise KeyError(tuple(hand))
        end = int(self._ends[np.searchsorted(self._ends, offset, side="right")])
        block = zlib.decompress(self._body[offset:end])
        shape = (self._roles, self._seats, self._places)
        counts: Counts = np.frombuffer(block, dtype="<u4").reshape(shape)[role, seat - 1].astype(np.int64)
        return counts

    @cached_property
    def hands(self) -> list[tuple[Card, ...]]:
        """Every hand in the table, strongest first, each sorted by strength."""
        order = reversed(self._compiled.cards)
        return [hand for hand in combinations(order, self._compiled.kernel.hand_size) if hand in self]


def write_odds(
    path: Path, rules: RuleSet, order: str, histograms: Mapping[int, NDArray[Any]], made: Mapping[str, Any]
) -> None:
    """Writes an odds table.

    histograms: by bit mask of the hand, roles x seats x (points + 1) counts; made:
    command, seed, seconds, … for the header.
    """
    compiled = compile_order(rules, order)
    hands = comb(compiled.kernel.cards, compiled.kernel.hand_size)
    offsets = np.full(hands, -1, dtype="<i8")
    blocks: dict[bytes, int] = {}
    packed, end = [], offsets.nbytes
    for mask in sorted(histograms):
        block = zlib.compress(histograms[mask].astype("<u4").tobytes(), 9)
        if block not in blocks:
            blocks[block] = end
            packed.append(block)
            end += len(block)
        offsets[hand_rank(mask)] = blocks[block]
    body = offsets.tobytes() + b"".join(packed)
    shape = (hands, len(Role), 4, compiled.highest - compiled.lowest + 1)
    digest = hashlib.sha256(body).hexdigest()
    write_table(path, header_for("odds", rules, order, shape, len(body), digest, made), body)


@lru_cache(maxsize=MOST_KEPT)
def packaged_table(rules: RuleSet, order: str) -> OddsTable | None:
    """The table that came with kopsim for these rules, or None.

    Any rule set whose order plays alike will do, whatever its prices.
    """
    wanted = order_hash(rules, order)
    for path in sorted(data_path("odds").glob("*.odds")):
        if read_header(path).order_hash == wanted:
            return OddsTable(path, rules, order)
    return None


def table_name(rules: RuleSet, order: str, kind: str) -> str:
    """The file name of a table."""
    return f"{rules.id}.{order}.{kind}"
