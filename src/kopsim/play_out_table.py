"""Play-outs of every hand at every seat in one small file: sums that grow by adding.

The body is a zlib block of hands x seats x 4 whole numbers: deals, wins, payments and
their squares; hands by the rank of their bit mask.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kopsim.cards import Card
from kopsim.errors import QueryError, TableError
from kopsim.hidden_table import Table, payments_of
from kopsim.odds_table import hand_rank
from kopsim.play_out import PASSED, Estimate
from kopsim.resources import data_path
from kopsim.roles import order_hash
from kopsim.rules import RuleSet
from kopsim.rules.compile import CompiledOrder
from kopsim.rules.model import SEATS
from kopsim.table_file import HEADER, header_for, header_of, read_header, write_table

FIELDS = 4  # deals, wins, payments, their squares
Sums = NDArray[np.int64]


def play_hash(rules: RuleSet, contract: str) -> str:
    """SHA-256 of all that play depends on, so that rule sets that play and pay alike share tables."""
    table = Table(rules, None, None) if contract == PASSED else Table(rules, contract, 1)
    told = order_hash(rules, rules.contract(table.played_as).order).encode() + payments_of(table).tobytes()
    return hashlib.sha256(told + b",".join(str(card).encode() for card in table.partner_cards)).hexdigest()


def order_of(rules: RuleSet, contract: str) -> str:
    """The card order in which a contract, or a passed-out deal, is played."""
    played_as = Table(rules, None, None).played_as if contract == PASSED else contract
    return rules.contract(played_as).order


class PlayOutTable:
    """An open table of play-outs of one contract, or of deals in which everybody passed.

    Raises TableError if the file is damaged or made for other rules or another contract.
    """

    def __init__(self, path: Path, rules: RuleSet, contract: str) -> None:
        self.header = header_of(path, "play-out", rules, order_of(rules, contract))
        self.rules, self.contract = rules, contract
        if self.header.made.get("contract") != contract:
            raise TableError("table-contract", file=path.as_posix(), made=self.header.made.get("contract") or "?")
        if self.header.made.get("play_hash") != play_hash(rules, contract):
            raise TableError("table-rules", file=path.as_posix(), made=self.header.rules, rules=rules)
        body = path.read_bytes()[HEADER:]
        if hashlib.sha256(body).hexdigest() != self.header.sha256:
            raise TableError("table-damaged", file=path.as_posix())
        self._compiled = compiled_for(rules, contract)
        self.sums: Sums = np.frombuffer(zlib.decompress(body), dtype="<i8").reshape(self.header.shape).astype(np.int64)
        self._layouts = layouts_of_hand(rules)

    def estimate(self, hand: Iterable[Card], seat: int) -> Estimate | None:
        """What was played of a hand at a seat (1-4); None where nothing was."""
        deals, wins, paid, squared = map(int, self.sums[hand_rank(self._compiled.mask(hand)), seat - 1])
        if not deals:
            return None
        return Estimate(deals=deals, layouts=self._layouts, wins=wins, paid=paid, paid_squared=squared)

    @property
    def hands(self) -> list[tuple[Card, ...]]:
        """Every hand in the table, strongest first, each sorted by strength."""
        order = reversed(self._compiled.cards)
        every = combinations(order, self._compiled.kernel.hand_size)
        return [hand for hand in every if self.sums[hand_rank(self._compiled.mask(hand)), :, 0].all()]


def compiled_for(rules: RuleSet, contract: str) -> CompiledOrder:
    """The card order of a contract, or of a passed-out deal, in the kernels' terms."""
    return (Table(rules, None, None) if contract == PASSED else Table(rules, contract, 1)).compiled


def layouts_of_hand(rules: RuleSet) -> int:
    """How many layouts a hand has."""
    size, cards = rules.seats.hand_size, len(rules.pack.cards)
    return comb(cards - size, size) * comb(cards - 2 * size, size)


def write_sums(path: Path, rules: RuleSet, contract: str, sums: Sums, made: Mapping[str, Any]) -> None:
    """Writes a table, a finished one or one to go on with; made: command, seed, seconds and so on for the header."""
    body = zlib.compress(sums.astype("<i8").tobytes(), 9)
    digest = hashlib.sha256(body).hexdigest()
    told = {**made, "contract": contract, "play_hash": play_hash(rules, contract)}
    header = header_for("play-out", rules, order_of(rules, contract), sums.shape, len(body), digest, told)
    write_table(path, header, body)


def empty_sums(rules: RuleSet) -> Sums:
    """Nothing played yet."""
    hands = comb(len(rules.pack.cards), rules.seats.hand_size)
    return np.zeros((hands, len(SEATS), FIELDS), dtype=np.int64)


@cache
def packaged_play_outs(rules: RuleSet, contract: str) -> PlayOutTable | None:
    """The table that came with kopsim for these rules, or None."""
    wanted = play_hash(rules, contract)
    for path in sorted(data_path("play_outs").glob("*.play-out")):
        made = read_header(path).made
        if (made["contract"], made["play_hash"]) == (contract, wanted):
            return PlayOutTable(path, rules, contract)
    return None


def merge_tables(paths: Iterable[Path], rules: RuleSet, contract: str, out: Path) -> None:
    """Adds tables up; raises QueryError if two were made with one seed, for then they played the same deals."""
    tables = [PlayOutTable(path, rules, contract) for path in paths]
    seeds = [seed for table in tables for seed in table.header.made["seeds"]]
    if len(set(seeds)) < len(seeds):
        raise QueryError("merge-seeds", seed=next(seed for seed in seeds if seeds.count(seed) > 1))
    settings = {(table.header.made["weighed"], table.header.made["players"]) for table in tables}
    if len(settings) != 1:
        raise QueryError("merge-players")
    total: Sums = sum((table.sums for table in tables), empty_sums(rules))
    ((weighed, players),) = settings
    seconds = sum(table.header.made["seconds"] for table in tables)
    write_sums(
        out,
        rules,
        contract,
        total,
        {"command": "kopsim table merge", "seeds": seeds, "seconds": seconds, "weighed": weighed, "players": players},
    )
