"""Builds the table of every deal of a 16-card pack (see `kopsim.deals_table`), and the odds counted from it.

While it is being built the table lies aside as NAME.part with a mark behind the
body for every finished chunk, so that an interrupted build goes on where it stopped.
"""

from __future__ import annotations

import os
import time
import zlib
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kopsim._tablebase import DEALS, HANDS, EndgameTables, combination, deal_hands, twin_hand
from kopsim._tally import Tally
from kopsim.cluster import as_they_arrive, check_threads, in_chunks, spans
from kopsim.deals_table import COLUMNS, DealsTable
from kopsim.errors import QueryError, TableError
from kopsim.odds_table import table_name, write_odds
from kopsim.roles import Role, old_cards, order_hash, partner_cards
from kopsim.rules import RuleSet
from kopsim.rules.compile import compile_order
from kopsim.rules.model import SEATS
from kopsim.table_file import HEADER, body_hash, building, header_for, read_header, writing

_CHUNK_DEALS = DEALS // HANDS
_CHUNK_BYTES = _CHUNK_DEALS * len(COLUMNS)
_BODY = DEALS * len(COLUMNS)

Progress = Callable[[str, int, int], None]


def silent(_stage: str, _done: int, _of: int) -> None:
    """Takes reports where nobody looks."""


def build_deals(
    rules: RuleSet, order: str, folder: Path, *, threads: int | None = None, progress: Progress = silent
) -> Path:
    """Solves every deal into FOLDER/RULES.ORDER.deals and returns that path; goes on with an interrupted build.

    progress: called with the stage ("endings", "deals"), how much is done and of how much.
    Raises QueryError if the pack is not one of 16 cards that the method fits, and
    TableError if files cannot be written or an unfinished build is of other rules.
    """
    path = folder / table_name(rules, order, "deals")
    if path.exists() and read_header(path).order_hash == order_hash(rules, order):
        return path
    check_threads(threads)
    began = time.monotonic()
    tables = _new_tables(rules, order)
    with building(path) as aside:
        if not _Part.was_finishing(aside, rules, order):
            with writing(path):
                part = _Part(aside, rules, order)
            _solve_deals(tables, part, threads, progress)
            with writing(path):
                part.seal(
                    rules, order, {"command": "kopsim tablebase build", "seconds": round(time.monotonic() - began)}
                )
        with writing(path):
            _Part.rename(aside, path)
    return path


def _solve_deals(tables: EndgameTables, part: _Part, threads: int | None, progress: Progress) -> None:
    """Fills a part with every chunk that it lacks."""
    # Hands that differ by equal black aces have the same rows: one of them is solved for both.
    twins = [twin_hand(tables.rules, number) for number in range(HANDS)]
    alike = {number: {number, twin} for number, twin in enumerate(twins) if twin >= number}
    todo = [number for number, both in alike.items() if not all(map(part.is_done, both))]
    if not todo:
        return
    _solve_endings(tables, threads, progress)
    progress("deals", len(alike) - len(todo), len(alike))

    def chunk(number: int) -> None:
        points = np.empty((_CHUNK_DEALS, len(COLUMNS)), dtype=np.uint8)
        tables.solve_deals(number, points)
        for twin in alike[number]:
            part.store(twin, points)

    for count, _ in enumerate(as_they_arrive(chunk, todo, threads=threads), start=len(alike) - len(todo) + 1):
        progress("deals", count, len(alike))


class _Part:
    """A table being built: its body, and behind it a checksum for every chunk that is done.

    In place of a header it begins with the order hash of its owner.
    """

    def __init__(self, aside: Path, rules: RuleSet, order: str) -> None:
        self._aside = aside
        owner = f"{order_hash(rules, order)}\n".encode()
        size = HEADER + _BODY + 4 * HANDS
        if not aside.exists():
            with aside.open("wb") as file:
                file.write(owner)
                # All the room at once, so that a full disk is found out now and not in mid-air.
                if hasattr(os, "posix_fallocate"):
                    os.posix_fallocate(file.fileno(), 0, size)
                file.truncate(size)
        with aside.open("rb") as file:
            if file.read(len(owner)) != owner or aside.stat().st_size != size:
                raise TableError("table-part", file=aside.as_posix())
        self._body = np.memmap(aside, dtype=np.uint8, mode="r+", offset=HEADER, shape=(HANDS, _CHUNK_BYTES))
        self._marks = np.memmap(aside, dtype="<u4", mode="r+", offset=HEADER + _BODY, shape=(HANDS,))

    def is_done(self, number: int) -> bool:
        """Whether a chunk was stored and is still what was stored."""
        return bool(self._marks[number]) and int(self._marks[number]) == self._sum(self._body[number])

    def store(self, number: int, points: NDArray[np.uint8]) -> None:
        """Keeps a chunk; its mark comes last."""
        self._body[number] = points.reshape(-1)
        self._marks[number] = self._sum(self._body[number])

    def seal(self, rules: RuleSet, order: str, made: dict[str, object]) -> None:
        """Puts the header in place of the owner; from then on only marks and name are wrong."""
        self._body.flush()
        del self._body, self._marks
        with self._aside.open("r+b") as file:
            digest = body_hash(file, _BODY)
            file.seek(0)
            file.write(header_for("deals", rules, order, (DEALS, len(COLUMNS)), _BODY, digest, made).packed())
            file.flush()
            os.fsync(file.fileno())

    @staticmethod
    def was_finishing(aside: Path, rules: RuleSet, order: str) -> bool:
        """Whether a part of these rules has been sealed already, by a build that was stopped at the last step."""
        try:
            return read_header(aside, whole=False).order_hash == order_hash(rules, order)
        except TableError:
            return False

    @staticmethod
    def rename(aside: Path, path: Path) -> None:
        """Cuts the marks off a sealed part and gives it its name."""
        with aside.open("r+b") as file:
            file.truncate(HEADER + _BODY)
            os.fsync(file.fileno())
        aside.replace(path)

    @staticmethod
    def _sum(body: NDArray[np.uint8]) -> int:
        return zlib.crc32(body.data) or 1  # 0 means that nothing was stored


def _new_tables(rules: RuleSet, order: str) -> EndgameTables:
    try:
        return EndgameTables(compile_order(rules, order).kernel)
    except ValueError:
        raise QueryError("tablebase-unfit", rules=rules, order=order) from None


def _solve_endings(tables: EndgameTables, threads: int | None, progress: Progress) -> None:
    """Two tricks to go, then three from those."""
    for cards in (2, 3):
        sets = tables.sets(cards)
        work = as_they_arrive(partial(tables.fill, cards), range(sets), threads=threads)
        for count, _ in enumerate(work, start=1):
            if cards == 3:
                progress("endings", count, sets)


def solved_endings(
    rules: RuleSet, order: str, *, threads: int | None = None, progress: Progress = silent
) -> EndgameTables:
    """Every ending of two and three tricks solved, which takes about 400 MB and 25 s of one core.

    Raises QueryError if the pack is not one of 16 cards that the method fits.
    """
    tables = _new_tables(rules, order)
    _solve_endings(tables, threads, progress)
    return tables


def build_odds(
    deals: Path, rules: RuleSet, order: str, out: Path, *, threads: int | None = None, progress: Progress = silent
) -> None:
    """Counts a table of deals into an odds table."""
    began = time.monotonic()
    compiled = compile_order(rules, order)
    table = DealsTable(deals, rules, order)
    points = table.points
    old = [compiled.mask([card]) for card in old_cards(rules, order)] or [0, 0]
    partners = [compiled.mask([card]) for card in partner_cards(rules, order)]
    shape = (len(Role), len(SEATS), HANDS, compiled.highest + 1)

    def chunk(span: tuple[int, int]) -> NDArray[np.int32]:
        tally, counts = Tally(compiled.highest, old, partners), np.zeros(shape, dtype=np.int32)
        for number in range(*span):
            start = number * _CHUNK_DEALS
            tally.add(deal_hands(number), np.ascontiguousarray(points[start : start + _CHUNK_DEALS]), counts)
        return counts

    total = np.zeros(shape, dtype=np.int32)
    chunks = spans(HANDS, 91)
    for count, counts in enumerate(in_chunks(chunk, chunks, threads), start=1):
        total += counts
        progress("counting", count, len(chunks))
    histograms = {combination(number, 4): np.ascontiguousarray(total[:, :, number]) for number in range(HANDS)}
    write_odds(
        out,
        rules,
        order,
        histograms,
        {
            "command": "kopsim tablebase build",
            "seconds": round(time.monotonic() - began),
            "deals": {"sha256": table.header.sha256, **table.header.made},
        },
    )
