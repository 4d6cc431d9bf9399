"""Play-outs of every hand at every seat in one small file: sums that grow by adding.

The body is a zlib block of hands x seats x 7 whole numbers, hands by the rank of their
bit mask: deals, wins, payments, their squares; how much more was paid than with open cards,
the squares of that; and, no sum of deals played, what open cards pay in all layouts
together.  The last three are 0 where payments are not counted from open cards.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kopsim.bidding import PASS
from kopsim.cards import Card, Cards
from kopsim.deals import Hand, PartialDeal, check_hand, check_seat
from kopsim.errors import QueryError, TableError
from kopsim.hidden_table import payment_bounds, payments_of, table_of
from kopsim.odds_table import hand_rank
from kopsim.play_out import Estimate
from kopsim.resources import MOST_KEPT, data_path
from kopsim.roles import order_hash
from kopsim.rules import RuleSet
from kopsim.rules.model import SEATS
from kopsim.table_file import HEADER, header_for, header_of, read_header, write_table

FIELDS = 7
OPEN = 6  # the field that does not grow by adding
Sums = NDArray[np.int64]


def play_hash(rules: RuleSet, contract: str) -> str:
    """SHA-256 of all that play depends on, so that rule sets that play and pay alike share tables."""
    table = table_of(rules, contract)
    told = order_hash(rules, table.order).encode() + payments_of(table).tobytes()
    return hashlib.sha256(told + b",".join(str(card).encode() for card in table.partner_cards)).hexdigest()


class PlayOutTable:
    """An open table of play-outs of one contract, or of deals in which everybody passed.

    Raises TableError if the file is damaged or made for other rules or another contract.
    """

    def __init__(self, path: Path, rules: RuleSet, contract: str) -> None:
        self.header = header_of(path, "play-out", rules, table_of(rules, contract).order)
        self.rules, self.contract = rules, contract
        if self.header.made.get("contract") != contract:
            raise TableError("table-contract", file=path.as_posix(), made=self.header.made.get("contract") or "?")
        if self.header.made.get("play_hash") != play_hash(rules, contract):
            raise TableError("table-rules", file=path.as_posix(), made=self.header.rules, rules=rules)
        if self.header.shape[-1] != FIELDS:
            raise TableError("table-fields", file=path.as_posix())
        body = path.read_bytes()[HEADER:]
        if hashlib.sha256(body).hexdigest() != self.header.sha256:
            raise TableError("table-damaged", file=path.as_posix())
        self._compiled = table_of(rules, contract).compiled
        self.sums: Sums = np.frombuffer(zlib.decompress(body), dtype="<i8").reshape(self.header.shape).astype(np.int64)

    @property
    def expected(self) -> str | None:
        """The hash of the range that the others believe a caller of; None where any hand may have called."""
        return self.header.made.get("range")

    def estimate(self, hand: Cards, seat: int) -> Estimate | None:
        """What was played of a hand at a seat (1-4), also where rules bar it; None where nothing was."""
        cards, seat = check_hand(hand, self.rules), check_seat(seat)
        sums = self.sums[hand_rank(self._compiled.mask(cards)), seat - 1]
        alone = told_alone(self.rules, self.contract, cards)
        repeats = len(self.header.made["seeds"]) > 1 or not alone
        if not sums[0]:
            return None
        return estimate_of(self.rules, self.contract, cards, seat, sums, repeats=repeats, from_open=not alone)

    @property
    def hands(self) -> list[tuple[Card, ...]]:
        """Every hand in the table, strongest first, each sorted by strength."""
        order = reversed(self._compiled.cards)
        every = combinations(order, self._compiled.kernel.hand_size)
        return [hand for hand in every if self.sums[hand_rank(self._compiled.mask(hand)), :, 0].all()]


def told_alone(rules: RuleSet, contract: str, hand: Iterable[Card]) -> bool:
    """Whether a hand is played out by itself: it announces, or it holds both old cards and nobody knows.

    Other hands are told of by deals in which everybody passes, drawn from all deals.
    """
    able = frozenset(hand).issuperset(rules.contract(table_of(rules, contract).played_as).cards)
    return able and (contract != PASS or rules.silent("soloist") is not None)


def estimate_of(
    rules: RuleSet, contract: str, hand: Hand, seat: int, sums: Sums, *, repeats: bool, from_open: bool
) -> Estimate:
    """What the sums of a hand at a seat tell.

    contract: as `table_of` takes it; sums: `FIELDS` numbers; repeats: whether a layout can have been
    played more than once; from_open: whether payments are counted from open cards.
    """
    layouts = PartialDeal.of({seat: hand}, rules=rules).layouts
    deals, wins, paid, paid_squared, apart, apart_squared, opened = map(int, sums)
    return Estimate(
        deals=deals,
        layouts=layouts,
        wins=wins,
        paid=paid,
        paid_squared=paid_squared,
        bounds=payment_bounds(table_of(rules, contract, seat), hand, seat),
        repeats=repeats,
        open_mean=opened / layouts if from_open else None,
        apart=apart,
        apart_squared=apart_squared,
    )


def write_sums(path: Path, rules: RuleSet, contract: str, sums: Sums, made: Mapping[str, Any]) -> None:
    """Writes a table, a finished one or one to go on with; raises TableError if it cannot.

    sums: hands x seats x `FIELDS`; made: command, seeds, seconds and so on for the header.
    """
    body = zlib.compress(sums.astype("<i8").tobytes(), 9)
    digest = hashlib.sha256(body).hexdigest()
    told = {**made, "contract": contract, "play_hash": play_hash(rules, contract)}
    header = header_for("play-out", rules, table_of(rules, contract).order, sums.shape, len(body), digest, told)
    write_table(path, header, body)


def empty_sums(rules: RuleSet) -> Sums:
    """Nothing played yet."""
    hands = comb(len(rules.pack.cards), rules.seats.hand_size)
    return np.zeros((hands, len(SEATS), FIELDS), dtype=np.int64)


@lru_cache(maxsize=MOST_KEPT)
def packaged_play_outs(rules: RuleSet, contract: str, expected: str | None = None) -> PlayOutTable | None:
    """The table that came with kopsim for these rules, or None.

    expected: the hash of the range that others believe a caller of (`range_hash`), None for any hand.
    """
    for path in sorted(data_path("play_outs").glob("*.play-out")):
        made = read_header(path).made
        asked = (made["contract"], made.get("range")) == (contract, expected)
        if asked and made["play_hash"] == play_hash(rules, contract):
            return PlayOutTable(path, rules, contract)
    return None


def any_hand_tables(rules: RuleSet, folder: Path | None) -> dict[str, PlayOutTable]:
    """Tables of these rules by contract in which any hand may have called.

    folder: where they lie, default the packaged ones.  Raises TableError for a damaged
    file or one of other rules, QueryError for no folder or two tables of one contract.
    """
    if folder is None:
        known = {key: packaged_play_outs(rules, key) for key in (PASS, *rules.contracts)}
        return {key: table for key, table in known.items() if table is not None}
    if not folder.is_dir():
        raise QueryError("range-folder", folder=folder.as_posix())
    found: dict[str, Path] = {}
    for path in sorted(folder.glob("*.play-out")):
        header = read_header(path)
        if header.kind != "play-out" or header.made.get("range") is not None:
            continue
        first = found.setdefault(header.made["contract"], path)
        if first != path:
            raise QueryError("range-twice", first=first.as_posix(), second=path.as_posix())
    return {contract: PlayOutTable(path, rules, contract) for contract, path in found.items()}


def merge_tables(paths: Iterable[Path], rules: RuleSet, contract: str, out: Path) -> None:
    """Adds tables up.

    Raises TableError for what is no such table, and QueryError for fewer than two, for
    tables of other players or with a seed in common, for then they played the same deals.
    """
    tables = [PlayOutTable(path, rules, contract) for path in paths]
    if len(tables) < 2:
        raise QueryError("merge-few")
    seeds = [seed for table in tables for seed in table.header.made["seeds"]]
    if len(set(seeds)) < len(seeds):
        raise QueryError("merge-seeds", seed=next(seed for seed in seeds if seeds.count(seed) > 1))
    settings = {
        tuple(table.header.made.get(key) for key in ("weighed", "players", "revision", "range")) for table in tables
    }
    if len(settings) != 1:
        raise QueryError("merge-players")
    total: Sums = sum((table.sums for table in tables), empty_sums(rules))
    total[..., OPEN] = 0
    for table in tables:
        # The same in every table that has the hand, 0 in those that have not.
        total[..., OPEN] = np.where(table.sums[..., OPEN] == 0, total[..., OPEN], table.sums[..., OPEN])
    ((weighed, players, revision, expected),) = settings
    seconds = sum(table.header.made["seconds"] for table in tables)
    write_sums(
        out,
        rules,
        contract,
        total,
        {
            "command": "kopsim table merge",
            "seeds": seeds,
            "seconds": seconds,
            "weighed": weighed,
            "players": players,
            "revision": revision,
            "range": expected,
            "chunks": 0,
        },
    )
