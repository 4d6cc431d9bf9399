"""Odds tables by direct search: every layout of every hand solved on its own.

Slower than counting a solved pack by far, but it works for any rule set and cuts
into chunks that can be done anywhere; it is also what proves the other way right.
"""

from __future__ import annotations

import sqlite3
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kopsim._search import Solver
from kopsim.cards import Card
from kopsim.cluster import as_they_arrive, check_cluster, check_threads
from kopsim.deals import PartialDeal
from kopsim.errors import QueryError, TableError
from kopsim.layout_sides import sides_by_role
from kopsim.odds_table import write_odds
from kopsim.roles import Role, order_hash
from kopsim.rules import RuleSet
from kopsim.rules.compile import CompiledOrder, compile_order
from kopsim.rules.model import SEATS
from kopsim.table_file import building, writing

_TABLE_BITS = 16
_MOST_LAYOUTS = 1_000_000

Histograms = NDArray[np.uint32]


@dataclass(frozen=True)
class HandChunk:
    """One hand to be solved at every seat: all that the result depends on."""

    rules: RuleSet
    order: str
    hand: tuple[Card, ...]


def count_hand(chunk: HandChunk) -> Histograms:
    """Roles x seats x (points + 1) counts of one hand, every layout solved by search."""
    compiled = compile_order(chunk.rules, chunk.order)
    solver = Solver(compiled.kernel, _TABLE_BITS)
    counts = np.zeros((len(Role), len(SEATS), compiled.highest - compiled.lowest + 1), dtype=np.uint32)
    for seat in range(len(SEATS)):
        layouts = all_layouts(chunk, compiled, seat)
        for role, sides in sides_by_role(layouts, seat, compiled, chunk.rules, chunk.order):
            for side in np.unique(sides[sides > 0]):
                rows = np.ascontiguousarray(layouts[sides == side])
                points = np.zeros(len(rows), dtype=np.int16)
                solver.values(rows, 0, int(side), points)
                counts[role, seat] += np.bincount(points - compiled.lowest, minlength=counts.shape[2]).astype(np.uint32)
    return counts


def all_layouts(chunk: HandChunk, compiled: CompiledOrder, seat: int) -> NDArray[np.uint64]:
    """Every layout around a hand at a seat (from 0), n x 4 masks."""
    partial = PartialDeal.of({seat + 1: chunk.hand}, rules=chunk.rules)
    layouts = np.empty((partial.layouts, len(SEATS)), dtype=np.uint64)
    partial.space(compiled).unrank_many(np.arange(partial.layouts), layouts)
    return layouts


def build_by_search(
    rules: RuleSet,
    order: str,
    hands: Sequence[Iterable[Card]],
    out: Path,
    *,
    threads: int | None = None,
    cluster: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> None:
    """Writes an odds table of the given hands, solved one by one by threads or on a cluster.

    Finished hands are kept in OUT.part, so that an interrupted build goes on; it is
    removed once the table is written.  progress: called with hands done and of how many.
    Raises QueryError, or TableError if files cannot be written or belong to other rules.
    """
    check_threads(threads)
    check_cluster(cluster)
    refuse_many_layouts(rules)
    began = time.monotonic()
    compiled = compile_order(rules, order)
    chunks = {compiled.mask(hand): HandChunk(rules, order, tuple(hand)) for hand in hands}
    with building(out) as part, _speaking_of(part), closing(_open_part(part, order_hash(rules, order))) as store:
        done = {mask for (mask,) in store.execute("SELECT hand FROM result")}
        todo = [chunk for mask, chunk in chunks.items() if mask not in done]
        finished = len(chunks) - len(todo)
        for chunk, counts in as_they_arrive(count_hand, todo, threads=threads, cluster=cluster):
            row = (compiled.mask(chunk.hand), zlib.compress(counts.tobytes()))
            with store:
                store.execute("INSERT INTO result VALUES (?, ?)", row)
            finished += 1
            if progress:
                progress(finished, len(chunks))
        shape = (len(Role), len(SEATS), compiled.highest - compiled.lowest + 1)
        histograms = {
            mask: np.frombuffer(zlib.decompress(counts), dtype=np.uint32).reshape(shape)
            for mask, counts in store.execute("SELECT hand, counts FROM result")
            if mask in chunks
        }
        write_odds(
            out,
            rules,
            order,
            histograms,
            {"command": "kopsim table build --method search", "seconds": round(time.monotonic() - began)},
        )
    with writing(out):
        part.unlink()


@contextmanager
def _speaking_of(path: Path) -> Iterator[None]:
    """Turns what the store of finished hands cannot do into a TableError naming its file."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise TableError("table-write", file=path.as_posix(), reason=str(error)) from None
    except (sqlite3.DatabaseError, zlib.error):
        raise TableError("table-part", file=path.as_posix()) from None


def _open_part(path: Path, owner: str) -> sqlite3.Connection:
    """The store of finished hands; raises TableError if it is of other rules."""
    store = sqlite3.connect(path)
    with store:
        store.execute("CREATE TABLE IF NOT EXISTS owner (order_hash TEXT)")
        store.execute("CREATE TABLE IF NOT EXISTS result (hand INTEGER PRIMARY KEY, counts BLOB)")
        known = store.execute("SELECT order_hash FROM owner").fetchone()
        if known is None:
            store.execute("INSERT INTO owner VALUES (?)", (owner,))
    if known is not None and known[0] != owner:
        store.close()
        raise TableError("table-part", file=path.as_posix())
    return store


def refuse_many_layouts(rules: RuleSet) -> None:
    """Raises QueryError if a hand of these rules has too many layouts to solve one by one."""
    some = sorted(rules.pack.cards)[: rules.seats.hand_size]
    layouts = PartialDeal.of({1: some}, rules=rules).layouts
    if layouts > _MOST_LAYOUTS:
        raise QueryError("layouts-table", count=layouts, most=_MOST_LAYOUTS)
