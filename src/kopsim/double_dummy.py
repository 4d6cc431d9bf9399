"""Double dummy: the best that a side can do when all hands are open."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kopsim._search import Solver
from kopsim.cards import Card
from kopsim.cluster import in_chunks, spans
from kopsim.deals import Deal, check_seat
from kopsim.errors import QueryError
from kopsim.play import Position
from kopsim.rules import RuleSet, load_rules
from kopsim.rules.compile import CompiledOrder, Worth, compile_order
from kopsim.rules.model import SEATS
from kopsim.seats import check_side, seat_mask, seats_of
from kopsim.shown import Shown

_BATCH = 8192
_BATCH_TABLE_BITS = 12  # deals that have nothing in common gain from a table that stays in the fast cache


@dataclass(frozen=True)
class Solution(Shown):
    """A solved position; all points are what the side has in the end, tricks already taken included.

    side: its seats; points: what it gets if all play perfectly; others: what the
    other seats get; to_play: the seat to move; cards: each legal card with the
    side's points if it is played, best for the player to move first, the weaker
    card first where equal; line: one best way to play on, (seat, card) by card,
    always the first of `cards`.
    """

    side: tuple[int, ...]
    points: int
    others: int
    to_play: int
    cards: tuple[tuple[Card, int], ...]
    line: tuple[tuple[int, Card], ...]


def solve(position: Position | Deal, *, side: int | Iterable[int], contract: str | None = None) -> Solution:
    """Solves a position exactly, all hands open, for a side of one to three seats.

    position: a position in play, or a deal with seat 1 on lead; contract: decides
    the card order of a deal where the rule set has several.
    Method: alpha-beta with a transposition table over positions between tricks.
    Raises QueryError for an impossible side or a finished deal.
    """
    seats = check_side(side)
    if isinstance(position, Deal):
        position = Position.start(position, contract=contract)
    if position.is_over:
        raise QueryError("play-finished")
    # Several orders can be equal as records; the first such key compiles to the same kernel.
    order_key = next(key for key, order in position.rules.orders.items() if order == position.order)
    compiled = compile_order(position.rules, order_key)
    solver = Solver(compiled.kernel)
    first = _card_points(solver, compiled, position, seats)
    to_play, cards, line = position.to_play, first, []
    while True:
        line.append((position.to_play, cards[0][0]))
        position = position.play(cards[0][0])
        if position.is_over:
            break
        cards = _card_points(solver, compiled, position, seats)
    # Played to its end, the best line has shared out every point there is.
    points = position.points(seats)
    return Solution(seats, points, sum(position.taken) - points, to_play, first, tuple(line))


def solve_sides(
    masks: NDArray[np.uint64],
    sides: NDArray[np.integer[Any]],
    *,
    contract: str,
    rules: RuleSet,
    threads: int | None = None,
) -> NDArray[np.int16]:
    """The points that another side takes in each deal, all hands open and seat 1 on lead; exact.

    masks, contract, rules, threads: as for `solve_many`; sides: masks of seats, seat 1 in bit 0.
    Returns n points.  Raises QueryError as `solve_many` does.
    """
    points = np.zeros(len(masks), dtype=np.int16)
    for side in map(int, np.unique(sides)):
        rows = sides == side
        points[rows] = solve_many(masks[rows], side=seats_of(side), contract=contract, rules=rules, threads=threads)
    return points


def _card_points(
    solver: Solver, compiled: CompiledOrder, position: Position, seats: tuple[int, ...]
) -> tuple[tuple[Card, int], ...]:
    """The side's final points for each legal card, best for the player to move first."""
    values = solver.card_values(
        [compiled.mask(hand) for hand in position.hands],
        position.leader - 1,
        [compiled.bits[card] for card in position.trick],
        seat_mask(seats),
    )
    sign = -1 if position.to_play in seats else 1
    ranked = sorted(values, key=lambda item: (sign * item[1], item[0]))
    taken = position.points(seats)
    return tuple((compiled.cards[bit], taken + value) for bit, value in ranked)


def solve_many(
    deals: Sequence[Deal] | NDArray[np.uint64],
    *,
    side: int | Iterable[int],
    contract: str | None = None,
    leader: int = 1,
    rules: RuleSet | None = None,
    worth: Worth = "points",
    threads: int | None = None,
) -> NDArray[np.int16]:
    """The points a side takes in each of many deals, all hands open; exact.

    deals: deals or endings, or an n x 4 array of card masks in the bits of
    `compile_order(rules, …)`, seats 1-4; rules: for an array, default Kop.
    worth: "tricks" counts tricks instead of points.
    Returns n points; the same for any number of threads.
    Raises QueryError naming the row that is no deal.
    """
    seats, leader = check_side(side), check_seat(leader)
    if not isinstance(deals, np.ndarray) and len(deals):
        rules = deals[0].rules
    rules = rules or load_rules()
    compiled = compile_order(rules, rules.order_of(contract), worth)
    if isinstance(deals, np.ndarray):
        if deals.ndim != 2 or deals.shape[1] != len(SEATS) or deals.dtype.kind not in "ui":
            raise QueryError("batch-shape", shape=str(deals.shape), kind=str(deals.dtype))
        masks = np.ascontiguousarray(deals, dtype=np.uint64)
    else:
        if any(deal.rules != rules for deal in deals):
            raise QueryError("batch-rules")
        masks = np.array([[compiled.mask(hand) for hand in deal.hands] for deal in deals], dtype=np.uint64)
        masks = masks.reshape(-1, 4)
    out = np.zeros(len(masks), dtype=np.int16)
    solvers = SolverPerThread(compiled, _BATCH_TABLE_BITS)

    def chunk(span: tuple[int, int]) -> None:
        rows = slice(*span)
        solved = solvers.get().values(masks[rows], leader - 1, seat_mask(seats), out[rows])
        if solved < span[1] - span[0]:
            raise QueryError("batch-bad", row=span[0] + solved)

    for _ in in_chunks(chunk, spans(len(masks), _BATCH), threads):
        pass
    return out


class SolverPerThread(threading.local):
    """A solver for each thread that asks: a solver's table is not shared.

    A `threading.local` runs its __init__ anew in every thread that touches it.
    """

    def __init__(self, compiled: CompiledOrder, table_bits: int) -> None:
        self._solver = Solver(compiled.kernel, table_bits)

    def get(self) -> Solver:
        """The solver of the thread that asks."""
        return self._solver
