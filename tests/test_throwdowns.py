"""Certain wins against a brute force that keeps every layout in hand."""

from __future__ import annotations

import random
from itertools import combinations

import msgspec
import pytest
from positions import PACKS_OF_16, RULES

from kopsim import Card, Position, QueryError, guaranteed, load_rules, parse_card, parse_cards
from kopsim._knowledge import Information, Knowledge
from kopsim._rules import KernelRules
from kopsim.hand_wins import every_hands_wins
from kopsim.odds_table import packaged_table
from kopsim.rules import Order
from kopsim.rules.model import Cards
from kopsim.throwdowns.prover import Prover

Layout = tuple[frozenset[Card], ...]


class BruteForce:
    """Plain recursion: the soloist does the same in layouts that look alike to him, the others as they may in each."""

    def __init__(self, order: Order, soloist: int, goal: int | None) -> None:
        self.order, self.soloist, self.goal = order, soloist, goal

    def wins(self, positions: list[Position]) -> bool:
        """Whether one plan wins from here in every one of these positions, which the soloist cannot tell apart."""
        first = positions[0]
        if first.is_over:
            return self.reached(first)
        if first.to_play == self.soloist:
            return any(self.wins([position.play(card) for position in positions]) for card in first.legal_cards())
        groups: dict[Card, list[Position]] = {}
        for position in positions:
            for card in position.legal_cards():
                groups.setdefault(card, []).append(position.play(card))
        return all(self.wins(group) for group in groups.values())

    def reached(self, position: Position) -> bool:
        if self.goal is None:
            return sum(position.tricks) == position.tricks[self.soloist - 1]
        return position.taken[self.soloist - 1] >= self.goal


def small_order(order: Order, cards: set[Card]) -> Order:
    """An order of some of the cards."""
    sides = tuple(Cards(c for c in suit if c in cards) for suit in order.side_suits)
    return msgspec.structs.replace(
        order, trumps=Cards(c for c in order.trumps if c in cards), side_suits=tuple(suit for suit in sides if suit)
    )


def compiled(order: Order, size: int) -> tuple[KernelRules, dict[Card, int]]:
    """The small order for the kernel, and the bit of each card."""
    suits = [tuple(reversed(suit)) for suit in reversed(order.suits)]
    ladders = [order.obligations.trump_led if led else order.obligations.side_led for led in (False, True)] * 2
    points = [[order.worth(card) for card in suit] for suit in suits]
    kernel = KernelRules(points, len(suits) - 1 if order.trumps else -1, ladders, [0] * size, [-1] * 4)
    return kernel, {card: bit for bit, card in enumerate(card for suit in suits for card in suit)}


def layouts(rest: list[Card], size: int, own: frozenset[Card], soloist: int) -> list[Layout]:
    """Every way to deal the rest to the other three."""
    found = []
    for first in combinations(rest, size):
        left = [card for card in rest if card not in first]
        for second in combinations(left, size):
            hands = [frozenset(first), frozenset(second), frozenset(left) - frozenset(second)]
            hands.insert(soloist - 1, own)
            found.append(tuple(hands))
    return found


def compare(name: str, key: str, size: int, rng: random.Random, strong: bool) -> tuple[bool, bool]:
    """One random hand of a random small pack, search and brute force; the verdicts for points and for every trick."""
    whole = RULES[name].orders[key]
    cards = rng.sample(sorted(whole.cards), 4 * size)
    order, soloist = small_order(whole, set(cards)), rng.randint(1, 4)
    # Random hands seldom win for certain, so half of them get the best cards.
    own = frozenset(sorted(cards, key=order.strength.__getitem__)[:size] if strong else cards[:size])
    rest = sorted(set(cards) - own)
    kernel, bits = compiled(order, size)
    total = sum(order.worth(card) for card in cards)
    start = Information.start(kernel, sum(1 << bits[card] for card in own), soloist - 1)
    positions = [Position(RULES[name], order, hands, 1) for hands in layouts(rest, size, own, soloist)]
    goal = rng.randint(total // 4, 3 * total // 4)
    verdicts = []
    for points in (goal, None):
        won = Knowledge(kernel, points or 0, points is None, 4).guaranteed(start)
        assert won == BruteForce(order, soloist, points).wins(positions), (
            name,
            key,
            sorted(map(str, own)),
            soloist,
            points,
        )
        verdicts.append(won)
    return verdicts[0], verdicts[1]


@pytest.mark.parametrize(("name", "key"), PACKS_OF_16)
def test_search_is_brute_force_with_two_cards_each(name: str, key: str) -> None:
    rng = random.Random(f"{name} {key}")
    verdicts = [compare(name, key, 2, rng, strong=number % 2 == 0) for number in range(16)]
    for kind in (0, 1):
        assert {verdict[kind] for verdict in verdicts} == {True, False}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "key"), PACKS_OF_16)
def test_search_is_brute_force_with_three_cards_each(name: str, key: str) -> None:
    rng = random.Random(f"{name} {key} three")
    for number in range(3):
        compare(name, key, 3, rng, strong=number % 2 == 0)


def test_certain_wins_of_kop() -> None:
    """Golden counts; every certain win wins all layouts double dummy, and a certain zolo-du is a certain zolo."""
    rules, table = load_rules(), packaged_table(load_rules(), "ordinary")
    assert table is not None
    certain: dict[str, set[tuple[tuple[Card, ...], int]]] = {}
    for contract in ("zolo", "zolo-du", "cicha"):
        prover = Prover(rules, contract)
        wins = {row.hand: row for row in every_hands_wins(table, rules, contract)}
        certain[contract] = {(hand, seat) for hand in wins for seat in (1, 2, 3, 4) if prover.guaranteed(hand, seat)}
        assert all(wins[hand].wins[seat - 1] == wins[hand].layouts for hand, seat in certain[contract])
        only_open = {
            (hand, seat)
            for hand, row in wins.items()
            for seat in (1, 2, 3, 4)
            if row.wins[seat - 1] == row.layouts and (hand, seat) not in certain[contract]
        }
        assert (len(certain[contract]), len(only_open)) == {"zolo": (92, 8), "zolo-du": (5, 0), "cicha": (6, 0)}[
            contract
        ]
    assert certain["zolo-du"] <= certain["zolo"]
    assert certain["cicha"] <= certain["zolo"]


@pytest.mark.parametrize(
    ("hand", "contract", "seats"),
    [
        ("A♥ 10♣ 10♠ A♠", "zolo", "1234"),
        ("A♥ 10♣ Q♣ Q♠", "zolo", "1234"),
        ("10♣ 10♠ 10♥ Q♣", "zolo", "1234"),
        ("A♥ 10♣ 10♥ J♦", "zolo", "4"),
        ("A♥ 10♠ Q♣ Q♥", "zolo", "4"),
        ("10♣ 10♠ 10♥ Q♠", "zolo", "4"),
        ("A♥ 10♠ Q♠ Q♥", "zolo", ""),
        ("A♥ 10♥ Q♣ Q♥", "zolo", ""),
        ("A♥ 10♣ 10♠ 10♥", "zolo-du", "1234"),
        ("A♥ 10♣ 10♠ Q♣", "zolo-du", "4"),
        ("A♥ 10♠ Q♣ Q♠", "cicha", "4"),
    ],
)
def test_some_hands(hand: str, contract: str, seats: str) -> None:
    assert "".join(str(seat) for seat in (1, 2, 3, 4) if guaranteed(hand, seat=seat, contract=contract)) == seats


def test_from_a_position_in_play() -> None:
    """A♥ 10♥ Q♣ Q♥ at seat 4 does not win for certain; once the ten of clubs has fallen to the ace it may."""
    prover, hand = Prover(load_rules(), "zolo"), parse_cards("A♥ 10♥ Q♣ Q♥")
    assert not prover.guaranteed(hand, 4)
    assert not prover.guaranteed(hand, 4, parse_cards("10♣ Q♦ J♣"))
    assert prover.guaranteed(hand, 4, parse_cards("10♣ 10♠ J♦"))
    # Seat 3 has four cards and there are but two that are no trumps, so it cannot have played one of those.
    with pytest.raises(QueryError, match="Card 3, A♣: seat 3 cannot have played it"):
        prover.guaranteed(hand, 4, parse_cards("10♣ 10♠ A♣"))
    # His own card cannot have come from another, nor a card come twice.
    for played in ("10♣ Q♥", "10♣ Q♦ Q♦"):
        with pytest.raises(QueryError, match="cannot have played it"):
            prover.guaranteed(hand, 4, [parse_card(card) for card in played.split()])


def test_what_has_no_certain_wins() -> None:
    with pytest.raises(QueryError, match="not won alone"):
        Prover(load_rules(), "game")
    with pytest.raises(QueryError, match="not won alone"):
        Prover(load_rules(), "zolo-du-honour")
    with pytest.raises(QueryError, match="16 cards"):
        Prover(RULES["belote"], "capot")
    with pytest.raises(QueryError, match="cicha needs"):
        guaranteed("AhTcTsTh", seat=1, contract="cicha")
    kernel = KernelRules([[1] * 16], 0, [[]] * 4, [0] * 4, [-1] * 4)
    with pytest.raises(ValueError, match="another order"):
        Knowledge(kernel, 1).guaranteed(
            Information.start(KernelRules([[1] * 16], 0, [[]] * 4, [0] * 4, [-1] * 4), 15, 0)
        )
    info = Information.start(kernel, 15, 0)
    with pytest.raises(ValueError, match="cannot play"):
        info.play(9)
    assert info.plays() == [3, 2, 1, 0]
