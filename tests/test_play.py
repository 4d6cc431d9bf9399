from __future__ import annotations

import random

import pytest
from positions import ORDERS, RULES, random_position, start

from kopsim import Deal, PlayError, Position, load_rules, parse_card, parse_cards


def legal(rules: str, order: str, led: str, hand: str, more: str = "") -> list[str]:
    """What a hand may play after the cards `led` and `more` were played by seats 1, 2, …."""
    played = parse_cards(f"{led} {more}")
    rule_set = RULES[rules]
    # Everybody else gets cards that do not matter.
    spare = iter(sorted(rule_set.pack.cards - set(played) - set(parse_cards(hand))))
    size = len(parse_cards(hand))
    hands: list[frozenset] = []
    for seat in range(4):
        if seat < len(played):
            hands.append(frozenset([next(spare) for _ in range(size - 1)]))
        elif seat == len(played):
            hands.append(frozenset(parse_cards(hand)))
        else:
            hands.append(frozenset([next(spare) for _ in range(size)]))
    position = Position(rule_set, rule_set.orders[order], tuple(hands), 1, played)
    return [str(card) for card in position.legal_cards()]


@pytest.mark.parametrize(
    ("rules", "order", "led", "more", "hand", "may"),
    [
        # Kop: beat if you can, else any trump, else anything; black aces are suits of their own.
        ("kop-gorzow-2014", "ordinary", "A♣", "", "10♦ A♠", "10♦"),
        ("kop-gorzow-2014", "ordinary", "J♥", "", "Q♥ J♦ A♠", "Q♥"),
        ("kop-gorzow-2014", "ordinary", "Q♥", "", "J♥ J♦ A♠", "J♥ J♦"),
        ("kop-gorzow-2014", "ordinary", "Q♥", "", "A♣ A♠", "A♣ A♠"),
        ("kop-gorzow-2014", "ordinary", "A♣", "10♦", "A♥ J♦ A♠", "A♥ J♦"),
        ("kop-gorzow-2014", "ordinary", "A♠", "", "A♣", "A♣"),
        # The obligation holds against one's own partner too: seat 3 must beat seat 1.
        ("kop-gorzow-2014", "ordinary", "Q♣", "J♦", "10♣ Q♥", "10♣"),
        # Baśka: the matching side card first, even with trumps in hand.
        ("baska-z-asem", "ordinary", "10♠", "", "A♠ A♥ Q♣ J♦", "A♠"),
        ("baska-z-asem", "ordinary", "A♠", "", "10♠ A♥ Q♣ J♦", "10♠"),
        ("baska-z-asem", "ordinary", "A♠", "Q♣", "A♥ J♦ 10♣", "A♥"),
        ("baska-z-asem", "ordinary", "A♠", "A♥", "Q♣ J♦ 10♣", "Q♣ J♦"),
        ("baska-z-asem", "ordinary", "Q♥", "", "Q♣ J♦ 10♣", "Q♣"),
        # Gran: follow suit; void, ruff and overruff; trump after trump, higher if possible.
        ("baska-z-asem", "gran", "A♥", "", "10♥ J♦ Q♣", "10♥"),
        ("baska-z-asem", "gran", "10♥", "", "A♥ Q♥ J♦", "A♥ Q♥"),
        ("baska-z-asem", "gran", "A♥", "", "10♦ J♦ Q♣", "J♦"),
        ("baska-z-asem", "gran", "A♥", "J♥", "J♦ J♠ Q♣", "J♠"),
        ("baska-z-asem", "gran", "A♥", "J♠", "J♦ J♥ Q♣", "J♥ J♦"),
        ("baska-z-asem", "gran", "J♥", "", "J♦ J♠ Q♣", "J♠"),
        ("baska-z-asem", "gran", "J♣", "", "J♦ A♣ Q♣", "J♦"),
        ("baska-z-asem", "gran", "A♥", "", "10♦ Q♣ 10♣", "10♣ Q♣ 10♦"),
        # Belote: free while the partner is winning, else ruff and overruff.
        ("belote", "hearts", "A♣", "8♣", "J♥ A♠ 7♦", "J♥ A♠ 7♦"),
        ("belote", "hearts", "9♣", "A♣", "J♥ A♠ 7♦", "J♥"),
        ("belote", "hearts", "9♣", "J♥", "8♥ A♠ 7♦", "8♥"),
        ("belote", "hearts", "A♥", "8♥", "J♥ 7♥ A♠", "J♥"),
        # Bridge and kierki: follow suit, nothing else.
        ("bridge", "spades", "A♥", "", "2♥ 3♥ A♠", "3♥ 2♥"),
        ("bridge", "spades", "A♥", "", "2♣ 3♦ A♠", "A♠ 2♣ 3♦"),
    ],
)
def test_obligations(rules: str, order: str, led: str, more: str, hand: str, may: str) -> None:
    assert legal(rules, order, led, hand, more) == may.split()


def test_a_deal_played_out() -> None:
    position = Position.start(Deal.parse("J♠ 10♣ Q♣ Q♦ | 10♥ J♣ J♥ J♦ | A♦ 10♦ A♣ A♠ | A♥ 10♠ Q♠ Q♥"))
    for card in parse_cards("J♠ J♣ 10♦ Q♥"):
        position = position.play(card)
    assert (position.leader, position.to_play, position.trick) == (4, 4, ())
    assert (position.taken, position.tricks) == ((0, 0, 0, 17), (0, 0, 0, 1))
    for card in parse_cards("10♠ 10♣ J♦ A♦ Q♦ 10♥ A♠ A♥ Q♠ Q♣ J♥ A♣"):
        position = position.play(card)
    assert position.is_over
    assert position.taken == (52, 0, 0, 52)
    with pytest.raises(PlayError, match="the deal is over"):
        position.play(parse_card("A♥"))


def test_a_wrong_card_is_refused_with_the_legal_ones() -> None:
    position = Position.start(Deal.parse("J♠ | 10♥ | A♦ | A♥")).play(parse_card("J♠"))
    with pytest.raises(PlayError, match="Card 2, A♥: seat 2 does not hold it; legal are 10♥"):
        position.play(parse_card("A♥"))
    position = Position.start(Deal.parse("J♠ 10♣ | 10♥ J♥ | A♦ 10♦ | A♥ 10♠")).play(parse_card("J♠"))
    with pytest.raises(PlayError, match="Card 2, J♥: seat 2 may not play it; legal are 10♥") as caught:
        position.play(parse_card("J♥"))
    assert caught.value.text("pl") == "Karta 2, W♥: miejsce 2 nie może jej zagrać; wolno zagrać 10♥."


def test_the_last_trick_bonus_counts_in_an_ending() -> None:
    position = Position.start(Deal.parse("J♥ | 7♥ | 8♥ | Q♥", RULES["belote"]), contract="capot")
    for card in parse_cards("J♥ 7♥ 8♥ Q♥"):
        position = position.play(card)
    assert position.taken == (20 + 0 + 0 + 3 + 10, 0, 0, 0)


@pytest.mark.parametrize(("name", "order"), ORDERS)
def test_every_point_is_taken_once(name: str, order: str) -> None:
    rng, rules = random.Random(7), RULES[name]
    size = rules.seats.hand_size
    position = random_position(rules, order, size, 0, rng)
    while not position.is_over:
        position = position.play(rng.choice(position.legal_cards()))
    worths = [position.order.worth(card) for card in position.order.cards]
    assert sum(position.taken) == sum(worths) + sum(position.order.trick_bonus)
    assert sum(position.tricks) == size


def test_start_knows_the_order_of_a_contract() -> None:
    deal = Deal.parse("J♠ | 10♥ | A♦ | A♥", RULES["baska-z-asem"])
    assert Position.start(deal, contract="gran-du").order == RULES["baska-z-asem"].orders["gran"]
    with pytest.raises(ValueError, match="several card orders"):
        Position.start(deal)
    assert start(Deal.parse("J♠ | 10♥ | A♦ | A♥"), "ordinary").order == load_rules().orders["ordinary"]
