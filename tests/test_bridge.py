"""The same struct set to bridge rules, against an independent bridge solver."""

from __future__ import annotations

import os
import random

import numpy as np
import pytest
from positions import RULES, random_deal

from kopsim import Deal
from kopsim._search import Solver
from kopsim.rules.compile import compile_order

if os.environ.get("KOPSIM_REQUIRE_BRIDGE"):
    import endplay.dds  # noqa: F401 - fails loudly where the cross-check must not be skipped

endplay_dds = pytest.importorskip("endplay.dds", reason="THE BRIDGE CROSS-CHECK DID NOT RUN: endplay is not installed")
from endplay.types import Deal as BridgeDeal  # noqa: E402
from endplay.types import Denom, Player  # noqa: E402

TRUMPS = {"no-trumps": Denom.nt, "spades": Denom.spades}


def bridge_deal(deal: Deal, trump: Denom) -> BridgeDeal:
    """The same ending in the other solver's terms, seat 1 being North and on lead."""
    hands = [
        ".".join(
            "".join(card.text("ascii")[0] for card in sorted(hand, reverse=True) if card.suit == suit)
            for suit in "♠♥♦♣"
        )
        for hand in deal.hands
    ]
    other = BridgeDeal("N:" + " ".join(hands))
    other.trump = trump
    other.first = Player.north
    return other


@pytest.mark.parametrize("order", TRUMPS)
@pytest.mark.parametrize("cards", [4, 5, 6])
def test_a_bridge_solver_agrees(order: str, cards: int) -> None:
    rng = random.Random(f"{order} {cards}")
    deals = [random_deal(RULES["bridge"], cards, rng) for _ in range(100)]
    solved = endplay_dds.solve_all_boards([bridge_deal(deal, TRUMPS[order]) for deal in deals])
    expected = [max(tricks for _, tricks in board) for board in solved]
    compiled = compile_order(RULES["bridge"], order)
    masks = np.array([[compiled.mask(hand) for hand in deal.hands] for deal in deals], dtype=np.uint64)
    tricks = np.zeros(len(deals), dtype=np.int16)
    Solver(compiled.kernel, 18).values(masks, 0, 0b0101, tricks)
    assert tricks.tolist() == expected
