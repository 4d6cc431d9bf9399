"""The double-dummy kernel against plain minimax, and against itself."""

from __future__ import annotations

import random
import signal
import tomllib
from pathlib import Path

import numpy as np
import pytest
import reference
from hypothesis import given
from hypothesis import strategies as st
from positions import COALITIONS, ORDERS, RULES, kernel_arguments, random_deal, random_position, seats_of, start

from kopsim import Card, Deal, Position, QueryError, load_rules, solve, solve_many
from kopsim._rules import KernelRules
from kopsim._search import Solver
from kopsim.rules.compile import compile_order

PERFT = tomllib.loads((Path(__file__).parent / "golden" / "perft.toml").read_text(encoding="utf-8"))["deal"]


def compare(position: Position, order: str, coalition: int) -> None:
    """Every legal card of a position, kernel against reference."""
    side = seats_of(coalition)
    compiled, hands, leader, table = kernel_arguments(position, order)
    values = Solver(compiled.kernel, 10).card_values(hands, leader, table, coalition)
    kernel = {str(compiled.cards[bit]): position.points(side) + value for bit, value in values}
    assert kernel == reference.card_values(position, side)


@pytest.mark.parametrize(("name", "order"), ORDERS)
@pytest.mark.parametrize("coalition", COALITIONS)
def test_kernel_is_reference_on_endings(name: str, order: str, coalition: int) -> None:
    rng = random.Random(f"{name} {order} {coalition}")
    for _ in range(20):
        compare(random_position(RULES[name], order, 1, rng.randint(0, 3), rng), order, coalition)
        compare(random_position(RULES[name], order, 2, rng.randint(0, 7), rng), order, coalition)
    compare(random_position(RULES[name], order, 3, rng.randint(0, 11), rng), order, coalition)
    if RULES[name].seats.hand_size == 4:
        compare(random_position(RULES[name], order, 4, rng.randint(1, 15), rng), order, coalition)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "order"), ORDERS)
@pytest.mark.parametrize("coalition", COALITIONS)
def test_kernel_is_reference_on_whole_deals(name: str, order: str, coalition: int) -> None:
    rng = random.Random(f"{name} {order} {coalition} slow")
    for played in (0, 0, 0, 1, 1, 2, 3, 4, 6, 9):
        # Without obligations a full hand has too many plays for the reference.
        free = name in ("bridge", "kierki", "belote")
        compare(random_position(RULES[name], order, 3 if free else 4, played, rng), order, coalition)


@given(
    st.sampled_from(ORDERS), st.integers(1, 3), st.integers(0, 11), st.integers(0, 2**32), st.sampled_from(COALITIONS)
)
def test_kernel_is_reference_anywhere(
    place: tuple[str, str], cards: int, played: int, seed: int, coalition: int
) -> None:
    name, order = place
    cards = min(cards, 2) if name in ("bridge", "kierki") else cards
    position = random_position(RULES[name], order, cards, min(played, 4 * cards - 1), random.Random(seed))
    compare(position, order, coalition)


@pytest.mark.parametrize("golden", PERFT, ids=[f"{case['rules']}-{case['order']}-{n}" for n, case in enumerate(PERFT)])
def test_perft(golden: dict[str, object]) -> None:
    position = golden_position(golden)
    compiled, hands, leader, _ = kernel_arguments(position, str(golden["order"]))
    assert Solver(compiled.kernel, 1).perft(hands, leader) == golden["plays"]


@pytest.mark.slow
@pytest.mark.parametrize("golden", PERFT, ids=[f"{case['rules']}-{case['order']}-{n}" for n, case in enumerate(PERFT)])
def test_perft_is_what_the_referee_counts(golden: dict[str, object]) -> None:
    assert reference.plays(golden_position(golden)) == golden["plays"]


def golden_position(golden: dict[str, object]) -> Position:
    deal = Deal.parse(str(golden["cards"]), RULES[str(golden["rules"])])
    return start(deal, str(golden["order"]), int(str(golden["leader"])))


@pytest.mark.parametrize(("name", "order"), ORDERS)
def test_side_and_others_share_every_point(name: str, order: str) -> None:
    rng, rules = random.Random(11), RULES[name]
    compiled = compile_order(rules, order)
    cards = min(rules.seats.hand_size, 4)
    deals = [random_deal(rules, cards, rng) for _ in range(25)]
    masks = np.array([[compiled.mask(hand) for hand in deal.hands] for deal in deals], dtype=np.uint64)
    position = start(deals[0], order)
    totals = [sum(position.order.worth(card) for hand in deal.hands for card in hand) for deal in deals]
    bonus = sum(position.order.trick_bonus[-cards:])
    solver = Solver(compiled.kernel, 12)
    for coalition in COALITIONS:
        side, others = np.zeros(25, dtype=np.int16), np.zeros(25, dtype=np.int16)
        solver.values(masks, 2, coalition, side)
        solver.values(masks, 2, 15 - coalition, others)
        assert (side + others).tolist() == [total + bonus for total in totals]


def test_the_table_changes_nothing() -> None:
    compiled = compile_order(load_rules(), "ordinary")
    rng = random.Random(5)
    deals = [random_deal(load_rules(), 4, rng) for _ in range(400)]
    masks = np.array([[compiled.mask(hand) for hand in deal.hands] for deal in deals], dtype=np.uint64)
    results = []
    for bits in (1, 4, 12, 18):
        solver, values = Solver(compiled.kernel, bits), []
        # One solver for every side and leader in turn: what it remembers must not leak between them.
        for coalition in COALITIONS:
            for leader in range(4):
                out = np.zeros(len(deals), dtype=np.int16)
                solver.values(masks, leader, coalition, out)
                values.append(out)
        results.append(np.concatenate(values))
    for result in results[1:]:
        assert (result == results[0]).all()


def test_equal_black_aces_can_be_exchanged() -> None:
    rng = random.Random(9)
    deals = [random_deal(load_rules(), 4, rng) for _ in range(300)]
    clubs, spades = Card("A", "♣"), Card("A", "♠")
    swap = {clubs: spades, spades: clubs}
    swapped = [
        Deal(tuple(frozenset(swap.get(c, c) for c in hand) for hand in deal.hands), deal.rules) for deal in deals
    ]
    for side in (1, (2, 3)):
        assert (solve_many(deals, side=side) == solve_many(swapped, side=side)).all()


def test_batch_is_single_and_threads_change_nothing() -> None:
    rng = random.Random(2)
    deals = [random_deal(load_rules(), 4, rng) for _ in range(60)]
    singles = [solve(deal, side=(1, 3)).points for deal in deals]
    assert solve_many(deals, side=(3, 1), threads=1).tolist() == singles
    many = np.random.default_rng(1).permuted(np.tile(np.arange(16), (40_000, 1)), axis=1).reshape(-1, 4, 4)
    masks = (np.uint64(1) << many.astype(np.uint64)).sum(axis=2, dtype=np.uint64)
    one = solve_many(masks, side=2, threads=1)
    for threads in (2, 3, 7):
        assert (solve_many(masks, side=2, threads=threads) == one).all()


@given(
    st.sampled_from(ORDERS), st.integers(1, 4), st.integers(0, 15), st.integers(0, 2**32), st.sampled_from(COALITIONS)
)
def test_the_best_line_is_worth_what_it_says(
    place: tuple[str, str], cards: int, played: int, seed: int, coalition: int
) -> None:
    name, order = place
    position = random_position(RULES[name], order, cards, min(played, 4 * cards - 1), random.Random(seed))
    solution = solve(position, side=seats_of(coalition))
    assert solution.to_play == position.to_play
    assert {card for card, _ in solution.cards} == set(position.legal_cards())
    best = max if position.to_play in solution.side else min
    assert solution.points == best(points for _, points in solution.cards) == solution.cards[0][1]
    for seat, card in solution.line:
        assert position.to_play == seat
        position = position.play(card)
    assert position.is_over
    assert position.points(solution.side) == solution.points
    assert sum(position.taken) == solution.points + solution.others


def test_the_example_of_the_readme() -> None:
    deal = Deal.parse("J♠ 10♣ Q♣ Q♦ | 10♥ J♣ J♥ J♦ | A♦ 10♦ A♣ A♠ | A♥ 10♠ Q♠ Q♥")
    solution = solve(deal, side=4)
    assert (solution.points, solution.others) == (52, 52)
    assert [(str(card), points) for card, points in solution.cards] == [("J♠", 52), ("10♣", 77), ("Q♦", 78), ("Q♣", 78)]


def test_what_cannot_be_solved() -> None:
    deal = Deal.parse("J♠ | 10♥ | A♦ | A♥")
    over = Position.start(deal)
    for card in list(over.order.cards):
        if card in over.legal_cards():
            over = over.play(card)
    while not over.is_over:
        over = over.play(over.legal_cards()[0])
    with pytest.raises(QueryError, match="nothing is left"):
        solve(over, side=1)
    for side in ((), (1, 2, 3, 4), (1, 1)):
        with pytest.raises(QueryError, match="not a side"):
            solve(deal, side=side)
    with pytest.raises(QueryError, match="Row 1 is no deal"):
        solve_many(np.array([[1, 2, 4, 8], [1, 1, 2, 4]], dtype=np.uint64), side=1)
    many = np.tile(np.array([1, 2, 4, 8], dtype=np.uint64), (20_000, 1))
    many[17_001] = 0
    with pytest.raises(QueryError, match="Row 17001 is no deal"):
        solve_many(many, side=1)
    for wrong in (np.ones((2, 3), dtype=np.uint64), np.ones((2, 4)), np.ones(4, dtype=np.uint64)):
        with pytest.raises(QueryError, match="n x 4 array"):
            solve_many(wrong, side=1)
    with pytest.raises(QueryError, match="different rule sets"):
        solve_many([deal, Deal.parse("J♠ | 10♥ | A♦ | A♥", RULES["baska-z-asem"])], side=1)
    assert solve_many([], side=1).shape == (0,)


def test_a_long_search_can_be_interrupted() -> None:
    """Whole hands of 13 cards take far longer than a test may."""
    position = start(random_deal(RULES["kierki"], 13, random.Random(1)), "robber")
    handler = signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        with pytest.raises(KeyboardInterrupt):
            solve(position, side=1)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)


def test_the_kernel_refuses_what_is_no_position() -> None:
    kernel = compile_order(load_rules(), "ordinary").kernel
    solver = Solver(kernel)
    for hands, leader, table, side in (
        ([1, 2, 4, 8], 0, [], 0),
        ([1, 2, 4, 8], 0, [], 15),
        ([1, 2, 4, 8], 4, [], 1),
        ([1, 1, 4, 8], 0, [], 1),
        ([1, 2, 4, 1 << 16], 0, [], 1),
        ([1, 6, 8, 16], 0, [], 1),
        ([0, 0, 0, 0], 0, [], 1),
        ([0, 2, 4, 8], 0, [1], 1),
        ([0, 2, 4, 8], 0, [99], 1),
        ([0, 0, 0, 0], 0, [0, 1, 2, 3], 1),
    ):
        with pytest.raises(ValueError, match=r"."):
            solver.card_values(hands, leader, table, side)
    for bits in (0, 29):
        with pytest.raises(ValueError, match="table_bits"):
            Solver(kernel, bits)
    for suits, trump, bonus in (
        ([], 0, [0]),
        ([[1]] * 6, 0, [0]),
        ([[1]], 3, [0]),
        ([[1]], 0, []),
        ([[30_001]], 0, [0]),
    ):
        with pytest.raises(ValueError, match=r"."):
            KernelRules(suits, trump, [[]] * 4, bonus, [-1] * 4)
