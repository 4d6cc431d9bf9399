"""Game and wesele: sides by layout against the reference, table against search, and sums that must be zero."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
import reference
from conftest import Answer
from positions import random_deal

from kopsim import DealError, PartialDeal, Position, QueryError, load_rules, parse_cards, solve
from kopsim.bidding import PASS, Auction
from kopsim.deals import every_hand
from kopsim.double_dummy import solve_many
from kopsim.hand_odds import odds
from kopsim.odds_table import packaged_table
from kopsim.pair_game_odds import pair_odds
from kopsim.roles import Role
from kopsim.rules.model import SEATS
from kopsim.scoring import payments_by_points

Run = Callable[..., Answer]
KOP = load_rules()
OLD = set(KOP.contract("game").cards)


def sides_and_contract(deal) -> tuple[tuple[int, ...], str]:
    """Who is old when everybody passes, by the auction's own reckoning."""
    auction = Auction(KOP, dict(zip(SEATS, deal.hands, strict=True)))
    for _ in SEATS:
        auction = auction.call(PASS)
    return auction.declarers(), auction.contract


def test_pair_values_are_the_references() -> None:
    """The points of the old side of endings by plain minimax, with sides of whole random deals."""
    rng = random.Random(5)
    for _ in range(6):
        deal = random_deal(KOP, 4, rng)
        side, contract = sides_and_contract(deal)
        position = Position.start(deal, contract=contract)
        for _ in range(6):
            position = position.play(rng.choice(position.legal_cards()))
        assert solve(position, side=side).points == reference.value(position, side)


def test_payments_of_every_layout_sum_to_zero() -> None:
    rng = random.Random(6)
    for _ in range(200):
        deal = random_deal(KOP, 4, rng)
        side, contract = sides_and_contract(deal)
        points = int(solve_many([deal], side=side, contract=contract)[0])
        assert not payments_by_points(contract, side)[points].sum()


@pytest.mark.parametrize(
    ("hand", "contract", "roles"),
    [
        ("A♥ 10♠ Q♣ A♦", "game", {Role.OLD}),
        ("A♥ 10♠ J♣ A♦", "game", {Role.YOUNG, Role.AGAINST}),
        ("A♥ 10♠ Q♣ Q♠", "wesele", {Role.WESELE}),
        ("J♣ J♠ Q♣ Q♠", "wesele", {Role.WESELE}),
        ("A♣ A♠ 10♦ A♦", "game", {Role.YOUNG, Role.AGAINST}),
    ],
)
def test_table_and_search_agree(hand: str, contract: str, roles: set[Role]) -> None:
    for seat in (1, 3):
        looked_up = pair_odds(hand, seat=seat, contract=contract)
        solved = pair_odds(hand, seat=seat, contract=contract, use_table=False)
        assert {role.role for role in looked_up.roles} == roles
        assert looked_up.total == looked_up.layouts == 34650
        for one, other in zip(looked_up.roles, solved.roles, strict=True):
            assert (one.points.counts == other.points.counts).all()
            assert (one.won, one.lost, one.paid) == (other.won, other.lost, other.paid)
            assert sum(one.lost.values()) + one.wins == one.total


def test_a_constrained_hand_deal_by_deal() -> None:
    """Few layouts: each one's side, value and payment worked out on its own adds up to the odds."""
    holds = {2: "10♥ J♣ J♥ J♦", 3: "A♦ 10♦"}
    found = pair_odds("J♠ 10♣ Q♥ Q♦", seat=1, contract="game", holds=holds)
    known = {1: parse_cards("J♠ 10♣ Q♥ Q♦"), **{seat: parse_cards(cards) for seat, cards in holds.items()}}
    partial = PartialDeal.of(known)
    wins, paid = 0, 0
    for rank in range(partial.layouts):
        deal = partial.layout(rank)
        side, contract = sides_and_contract(deal)
        points = int(solve_many([deal], side=side, contract=contract)[0])
        payment = int(payments_by_points(contract, side)[points][0])
        wins, paid = wins + (payment > 0), paid + payment
    assert (found.wins, found.total) == (wins, partial.layouts)
    assert found.mean_payment == Fraction(paid, partial.layouts)
    assert found.roles[0].role == Role.YOUNG


def test_mean_payments_over_all_hands_cancel() -> None:
    """When everybody passes, what one seat is paid over all its hands is what the other three lose."""
    table = packaged_table(KOP, "ordinary")
    assert table is not None
    game, cicha = payments_by_points("game", (1, 2)), payments_by_points("cicha", 1)
    totals = np.zeros(4, dtype=np.int64)
    for hand in every_hand(KOP):
        for seat in SEATS:
            lone = set(hand) >= OLD
            for role, paid in (
                (Role.LONE, cicha[:, 0] if lone else None),
                (Role.OLD, game[:, 0]),
                (Role.YOUNG, game[::-1, 3]),
                (Role.AGAINST, cicha[::-1, 3]),
            ):
                if paid is not None:
                    totals[seat - 1] += int((table.counts(hand, role, seat) * paid).sum())
    assert totals.any()
    assert not totals.sum()
    # The same through the front door, for a few hands.
    for hand in random.Random(3).sample(every_hand(KOP), 5):
        if not set(hand) >= OLD:
            mean = pair_odds(hand, seat=2, contract="game").mean_payment
            paid = sum(
                int((table.counts(hand, role, 2) * vector).sum())
                for role, vector in (
                    (Role.OLD, game[:, 0]),
                    (Role.YOUNG, game[::-1, 3]),
                    (Role.AGAINST, cicha[::-1, 3]),
                )
            )
            assert mean == Fraction(paid, 34650)


def test_samples_come_with_their_interval() -> None:
    exact = pair_odds("A♥ 10♠ J♣ A♦", seat=4, contract="game")
    sampled = pair_odds("A♥ 10♠ J♣ A♦", seat=4, contract="game", samples=3000, seed=1)
    assert sampled.total == 3000
    low, high = sampled.interval
    assert low < exact.probability < high
    again = pair_odds("A♥ 10♠ J♣ A♦", seat=4, contract="game", samples=3000, seed=1, threads=1)
    assert (again.wins, again.mean_payment) == (sampled.wins, sampled.mean_payment)
    assert exact.interval == (float(exact.probability),) * 2


@pytest.mark.parametrize(
    ("hand", "contract", "match"),
    [
        ("A♥ 10♠ Q♣ Q♠", "game", "With Q♣, Q♠ in one hand there is no game: silent, it is cicha"),
        ("A♥ 10♠ Q♣ J♠", "wesele", "wesele needs Q♣, Q♠"),
        ("A♥ 10♠ Q♣ x", "game", "name all cards"),
        ("A♥ 10♠ Q♣ J♠", "zolo", "zolo is not played by pairs"),
    ],
)
def test_what_has_no_pair_odds(hand: str, contract: str, match: str) -> None:
    with pytest.raises(QueryError, match=match):
        pair_odds(hand, seat=1, contract=contract)


def test_contradictions() -> None:
    with pytest.raises(DealError):
        pair_odds("A♥ 10♠ Q♣ J♠", seat=1, contract="game", lacks={2: "Q♠", 3: "Q♠", 4: "Q♠"})


def test_a_silent_cicha_is_the_lone_players(run: Run) -> None:
    """The three against a cicha win just where its soloist loses."""
    hand = "J♣ 10♣ A♦ J♦"
    holds = {2: "Q♣ Q♠ A♥ 10♥"}
    against = pair_odds(hand, seat=1, contract="game", holds=holds)
    alone = odds("Q♣ Q♠ A♥ 10♥", seat=2, contract="cicha", holds={1: hand})
    assert (against.total - against.wins, against.total) == (alone.wins, alone.total)
    data = run("odds", hand, "--seat", "1", "--contract", "game", "--holds", "2:Q♣Q♠A♥10♥", "--json").data
    (result,) = data["results"]
    assert list(result) == [
        *("seat", "contract", "model", "exact", "layouts", "wins", "probability"),
        *("mean_payment", "roles"),
    ]
    assert result["roles"][0]["role"] == "against"
    shown = run("odds", hand, "--contract", "game", "--lang", "pl").out
    assert "średnia wypłata" in shown
    assert "przeciw cudzej: cicha" in shown
