"""Game and wesele: sides by layout against the reference, table against search, and sums that must be zero."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
import reference
from conftest import Answer
from positions import PACKS_OF_16, RULES, RULES_OF_16, random_deal

from kopsim import Deal, DealError, PartialDeal, Position, QueryError, load_rules, parse_cards, solve
from kopsim.bidding import PASS, Auction
from kopsim.deals import every_hand
from kopsim.double_dummy import solve_many
from kopsim.hand_odds import odds
from kopsim.odds_table import OddsTable, packaged_table
from kopsim.pair_game_odds import pair_odds
from kopsim.roles import Role, old_cards, order_hash
from kopsim.rules import RuleSet
from kopsim.rules.model import SEATS
from kopsim.scoring import payments_by_points, score

Run = Callable[..., Answer]
KOP = load_rules()
OLD = set(KOP.contract("game").cards)
# Orders of which the solved layouts are packaged, so that there is something to look up and to add up.
IN_TABLE = [
    (name, order)
    for name, order in PACKS_OF_16
    if old_cards(RULES[name], order) and packaged_table(RULES[name], order) is not None
]


def sides_and_contract(deal: Deal, contract: str = "game") -> tuple[tuple[int, ...], str]:
    """Who is old when everybody passes, or when who holds both old cards says wesele, by the auction's reckoning."""
    auction = Auction(deal.rules, dict(zip(SEATS, deal.hands, strict=True)))
    for _ in SEATS:
        says = contract == "wesele" and deal.rules.contract(contract).allows(
            auction.hands[auction.to_speak], auction.to_speak
        )
        auction = auction.call("wesele" if says else PASS)
    for _ in range(3):
        auction = auction if auction.is_over else auction.call(PASS)
    return auction.declarers(), auction.contract


def all_may_pass(deal: Deal) -> bool:
    """Whether nobody holds both old cards with others that bar him from a cicha, so that he must announce."""
    silent = deal.rules.contract("cicha")
    both = [(hand, seat) for hand, seat in zip(deal.hands, SEATS, strict=True) if hand >= OLD]
    return all(silent.allows(hand, seat) for hand, seat in both)


def deal_for(name: str, contract: str, rng: random.Random) -> Deal:
    """A random deal in which everybody may pass, or somebody may announce a wesele."""
    while True:
        deal = random_deal(RULES[name], 4, rng)
        if all_may_pass(deal) if contract == "game" else any(hand >= OLD for hand in deal.hands):
            return deal


@pytest.mark.parametrize("contract", ["game", "wesele"])
@pytest.mark.parametrize("name", RULES_OF_16)
def test_pair_values_are_the_references(name: str, contract: str) -> None:
    """The points of the old side of endings by plain minimax, with sides of whole random deals."""
    rng = random.Random(5)
    for _ in range(3):
        deal = deal_for(name, contract, rng)
        side, played_as = sides_and_contract(deal, contract)
        assert played_as in ({"game", "cicha"} if contract == "game" else {"wesele"})
        position = Position.start(deal, contract=played_as)
        for _ in range(6):
            position = position.play(rng.choice(position.legal_cards()))
        assert solve(position, side=side).points == reference.value(position, side)


@pytest.mark.parametrize("contract", ["game", "wesele"])
@pytest.mark.parametrize("name", RULES_OF_16)
def test_payments_of_every_layout_sum_to_zero(name: str, contract: str) -> None:
    rng = random.Random(6)
    for _ in range(40):
        deal = deal_for(name, contract, rng)
        side, played_as = sides_and_contract(deal, contract)
        points = int(solve_many([deal], side=side, contract=played_as)[0])
        paid = payments_by_points(played_as, side, rules=deal.rules)[points]
        assert not paid.sum()
        assert (paid == score(played_as, side, points=points, rules=deal.rules).payments).all()


@pytest.mark.parametrize(("name", "order"), IN_TABLE)
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
def test_table_and_search_agree(name: str, order: str, hand: str, contract: str, roles: set[Role]) -> None:
    rules = RULES[name]
    for seat in (1, 3) if rules == KOP else (2,):
        looked_up = pair_odds(hand, seat=seat, contract=contract, rules=rules)
        solved = pair_odds(hand, seat=seat, contract=contract, rules=rules, use_table=False)
        assert rules.contract(contract).order == order
        assert {role.role for role in looked_up.roles} == roles
        assert looked_up.total == looked_up.layouts == 34650
        for one, other in zip(looked_up.roles, solved.roles, strict=True):
            assert (one.points.counts == other.points.counts).all()
            assert (one.won, one.lost, one.paid) == (other.won, other.lost, other.paid)
            assert sum(one.lost.values()) + one.wins == one.total


@pytest.mark.parametrize(("hand", "seat", "barred"), [("J♥ J♦ A♣ A♠", 1, 5 * 70), ("10♣ J♥ J♦ A♣", 4, 0)])
def test_layouts_in_which_somebody_is_barred_are_taken_out_of_the_table(hand: str, seat: int, barred: int) -> None:
    """A♥ 10♣ with both queens may not pass anywhere, A♥ 10♠ and A♥ 10♥ not in the last seat."""
    rules = load_rules("kop-koscian")
    looked_up, solved = (
        pair_odds(hand, seat=seat, contract="game", rules=rules, use_table=table) for table in (True, False)
    )
    assert looked_up.layouts - looked_up.total == barred
    for one, other in zip(looked_up.roles, solved.roles, strict=True):
        assert (one.points.counts == other.points.counts).all()


@pytest.mark.parametrize("name", RULES_OF_16)
@pytest.mark.parametrize(
    ("hand", "contract", "holds", "roles"),
    [
        ("A♥ 10♣ Q♥ J♠", "game", {2: "10♥ J♣ J♥ J♦", 3: "A♦ 10♦"}, [Role.YOUNG, Role.AGAINST]),
        ("J♠ 10♣ Q♥ Q♦", "game", {2: "10♥ J♣ J♥ J♦", 3: "A♦ 10♦"}, [Role.YOUNG, Role.AGAINST]),
        ("J♠ 10♣ Q♥ Q♠", "game", {2: "10♥ J♣ J♥ J♦", 4: "A♦ 10♦"}, [Role.OLD]),
        ("J♣ 10♣ Q♣ Q♠", "wesele", {2: "10♥ Q♥ A♠ J♦", 4: "A♦ 10♦"}, [Role.WESELE]),
    ],
)
def test_a_constrained_hand_deal_by_deal(name: str, hand: str, contract: str, holds: dict, roles: list[Role]) -> None:
    """Few layouts: each one's side, value and payment worked out on its own adds up to the odds."""
    rules = RULES[name]
    found = pair_odds(hand, seat=1, contract=contract, holds=holds, rules=rules)
    known = {1: parse_cards(hand), **{seat: parse_cards(cards) for seat, cards in holds.items()}}
    partial = PartialDeal.of(known, rules=rules)
    wins, paid = 0, 0
    deals = [deal for deal in map(partial.layout, range(partial.layouts)) if contract == "wesele" or all_may_pass(deal)]
    for deal in deals:
        side, played_as = sides_and_contract(deal, contract)
        points = int(solve_many([deal], side=side, contract=played_as)[0])
        payment = int(payments_by_points(played_as, side, rules=rules)[points][0])
        wins, paid = wins + (payment > 0), paid + payment
    assert (found.wins, found.total) == (wins, len(deals))
    assert found.mean_payment == Fraction(paid, len(deals))
    assert [role.role for role in found.roles] == roles


@pytest.mark.parametrize(("name", "order"), IN_TABLE)
def test_mean_payments_over_all_hands_cancel(name: str, order: str) -> None:
    """When everybody passes, what one seat is paid over all its hands is what the other three lose."""
    table = packaged_table(RULES[name], order)
    assert table is not None
    counts = {
        (role, seat): sum(
            table.counts(hand, role, seat) for hand in every_hand(RULES[name], OLD if role == Role.LONE else ())
        )
        for role in (Role.LONE, Role.OLD, Role.YOUNG, Role.AGAINST)
        for seat in SEATS
    }
    for rules in map(RULES.__getitem__, RULES_OF_16):
        if order_hash(rules, order) == order_hash(RULES[name], order):
            check_means(rules, table, counts)


def check_means(rules: RuleSet, table: OddsTable, counts: dict[tuple[Role, int], np.ndarray]) -> None:
    """The means cancel at the prices of a rule set, and are those that are told of single hands."""
    game, cicha = payments_by_points("game", (1, 2), rules=rules), payments_by_points("cicha", 1, rules=rules)
    paid_for = {
        Role.LONE: cicha[:, 0],
        Role.OLD: game[:, 0],
        Role.YOUNG: game[::-1, 3],
        Role.AGAINST: cicha[::-1, 3],
    }
    totals = [sum(int(counts[role, seat] @ paid) for role, paid in paid_for.items()) for seat in SEATS]
    assert any(totals)
    assert not sum(totals)
    # The same through the front door, for a few hands, if the rules leave out no layouts that the table counts.
    for hand in random.Random(3).sample(every_hand(rules), 0 if rules.contract("cicha").barred else 5):
        if not set(hand) >= OLD:
            mean = pair_odds(hand, seat=2, contract="game", rules=rules).mean_payment
            paid = sum(
                int(table.counts(hand, role, 2) @ vector) for role, vector in paid_for.items() if role != Role.LONE
            )
            assert mean == Fraction(paid, 34650)


@pytest.mark.parametrize("name", RULES_OF_16)
def test_samples_come_with_their_interval(name: str) -> None:
    rules = RULES[name]
    exact = pair_odds("A♥ 10♠ J♣ A♦", seat=4, contract="game", rules=rules)
    sampled = pair_odds("A♥ 10♠ J♣ A♦", seat=4, contract="game", rules=rules, samples=3000, seed=1)
    assert sampled.total == 3000
    low, high = sampled.interval
    assert low < exact.probability < high
    again = pair_odds("A♥ 10♠ J♣ A♦", seat=4, contract="game", rules=rules, samples=3000, seed=1, threads=1)
    assert (again.wins, again.mean_payment) == (sampled.wins, sampled.mean_payment)
    assert exact.interval == (float(exact.probability),) * 2


@pytest.mark.parametrize(
    ("hand", "contract", "match"),
    [
        ("A♥ 10♠ Q♣ Q♠", "game", "With Q♣, Q♠ in one hand there is no game; silent, it would be: cicha"),
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
